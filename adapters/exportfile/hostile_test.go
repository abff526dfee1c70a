package exportfile_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"chalie/adapters/exportfile"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
)

// plain is a log of n records as most are, and its file by lines.
func plain(t testing.TB, n int, format exportfile.Format) (file []byte, lines []string) {
	t.Helper()
	clock := domaintest.NewClock()
	l := memlog.New(clock)
	appendTo(t, l, domaintest.NewEntries(domaintest.NewIDs(clock, 4), "signals", n)...)
	file = exported(t, l, exportfile.Selection{}, format)
	return file, strings.SplitAfter(strings.TrimSuffix(string(file), "\n"), "\n")
}

// A file that isn't as it was written is refused, with the line and what is wrong.
func TestChangedFileIsRefused(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(lines []string) []string
		code   domain.Code
		says   string
		taken  bool // unverified
		lines  int  // that are then listed
	}{
		{"a payload", func(l []string) []string { l[2] = strings.Replace(l[2], `"id":"0`, `"id":"1`, 1); return l },
			exportfile.CodeChanged, "line 3 (position 2, sample.recorded ", true, 1},
		{"the header", func(l []string) []string { l[0] = strings.Replace(l[0], "whole", "trace", 1); return l },
			exportfile.CodeChanged, "line 1: its content does not fit its sum", true, 1},
		{"the count", func(l []string) []string {
			l[5] = strings.Replace(l[5], `"records":4`, `"records":5`, 1)
			return l
		},
			exportfile.CodeChanged, "line 6: its content does not fit its sum", true, 2},
		{"a sum", func(l []string) []string {
			l[3] = l[3][:len(l[3])-5] + "zz" + l[3][len(l[3])-3:]
			return l
		},
			exportfile.CodeChanged, "line 4 (position 3,", true, 2},
		{"no sum", func(l []string) []string { l[1] = l[1][:strings.LastIndex(l[1], ",")] + "}\n"; return l },
			exportfile.CodeChanged, "line 2 (position 1, sample.recorded", true, 2},
		{"a line is missing", func(l []string) []string { return append(l[:2:2], l[3:]...) },
			exportfile.CodeChanged, "line 3 (position 3, sample.recorded", true, 2},
		{"it ends early", func(l []string) []string { return l[:4] },
			exportfile.CodeChanged, "line 5: the file ends after 3 of 4 records", true, 1},
		{"the last line is missing", func(l []string) []string { return l[:5] },
			exportfile.CodeChanged, "line 6: the file lacks its last line", true, 1},
		{"it ends in a line", func(l []string) []string { return append(l[:3:3], l[3][:50]) },
			exportfile.CodeChanged, "line 4: it does not end with its sum", false, 0},
		{"lines change places", func(l []string) []string { l[2], l[3] = l[3], l[2]; return l },
			exportfile.CodeChanged, "line 3 (position 3,", false, 0},
		{"a line comes twice", func(l []string) []string { return append(l[:3:3], l[2:]...) },
			exportfile.CodeChanged, "line 4 (position 2,", false, 0},
		{"something behind the end", func(l []string) []string { return append(l, "\n", l[1]) },
			exportfile.CodeBadLine, "behind the end", false, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, lines := plain(t, 4, exportfile.JSONL)
			file := []byte(strings.Join(c.change(lines), ""))
			_, _, err := readAll(file, false)
			if domain.CodeOf(err) != c.code || !strings.Contains(fmt.Sprint(err), c.says) {
				t.Errorf("it was answered %v, want %s with %q", err, c.code, c.says)
			}
			r, got, err := readAll(file, true)
			if !c.taken {
				if err == nil {
					t.Error("it was taken unverified")
				}
				return
			}
			if err != nil {
				t.Fatalf("unverified: %v", err)
			}
			if changes, _ := r.Changes(); len(changes) != c.lines {
				t.Errorf("%d records, with changes %+v, want %d", len(got), changes, c.lines)
			}
		})
	}
}

// Whoever edits a line finds it, and only it, among the changes.
func TestEditedLineIsTakenUnverified(t *testing.T) {
	for _, format := range formats {
		_, lines := plain(t, 5, format)
		lines[3] = strings.Replace(lines[3], `"id":"0`, `"id":"edited 0`, 1)
		if format == exportfile.CloudEvents { // whose attributes hold an id first
			lines[3] = strings.Replace(strings.Replace(lines[3], `"id":"edited 0`, `"id":"0`, 1), `"data":{"id":"`, `"data":{"id":"edited `, 1)
		}
		r, got, err := readAll([]byte(strings.Join(lines, "")), true)
		if err != nil {
			t.Fatal(err)
		}
		changes, more := r.Changes()
		if len(changes) != 1 || more != 0 || changes[0].Line != 4 || changes[0].Position != 3 || changes[0].Envelope != got[2].Envelope.ID {
			t.Errorf("%s: the changes are %+v and %d more", format, changes, more)
		}
		if !bytes.HasPrefix(got[2].Envelope.Payload.Bytes, []byte(`{"id":"edited 0`)) {
			t.Errorf("%s: the payload is %s", format, got[2].Envelope.Payload.Bytes)
		}
	}
}

// Line ends of another system and a missing last one make no other file.
func TestLineEndsDoNotMatter(t *testing.T) {
	file, _ := plain(t, 3, exportfile.JSONL)
	for _, other := range [][]byte{bytes.ReplaceAll(file, []byte("\n"), []byte("\r\n")), bytes.TrimSuffix(file, []byte("\n"))} {
		if _, got, err := readAll(other, false); err != nil || len(got) != 3 {
			t.Errorf("%d records, %v", len(got), err)
		}
	}
}

// What no log can hold is refused even unverified, with the line.
func TestHostileFiles(t *testing.T) {
	header := func(rest string) string { return `{"chalie_export":1,"what":"whole"` + rest + "}\n" }
	const id, other = "01KB2V7WYQC3V8P0J6R4T5N9XE", "01KB2V7WYQC3V8P0J6R4T5N9XF"
	record := func(position, recorded, envelope string) string {
		return `{"position":` + position + `,"topic":"t","recorded_at":` + recorded + `,"envelope":` + envelope + "}\n"
	}
	envelope := func(id, rest string) string {
		return `{"envelope_id":"` + id + `","trace_id":"` + id + `","parent_id":null,"timestamp":1,"kind":"event","source":"s","principal":"p","type":"x","version":1,"errors":[]` + rest + `}`
	}
	good := envelope(id, `,"payload":{}`)
	for _, c := range []struct {
		name, file string
		code       domain.Code
		says       string
	}{
		{"nothing", "", exportfile.CodeNoExport, "it is empty"},
		{"a picture", "\x89PNG\r\n\x1a\n", exportfile.CodeNoExport, "its first line is not the header"},
		{"other JSON", `{"a":1}` + "\n", exportfile.CodeNoExport, "its first line is not the header"},
		{"a log without a header", record("1", "1", good), exportfile.CodeNoExport, "its first line is not the header"},
		{"a later version", `{"chalie_export":2,"what":"whole"}` + "\n", exportfile.CodeNoExport, "version 2 of the export format, and this version of Chalie knows 1"},
		{"another content", `{"chalie_export":1,"what":"dreams"}` + "\n", exportfile.CodeNoExport, `it says that it holds "dreams"`},
		{"a line without end", header("") + strings.Repeat("x", 5<<20), exportfile.CodeBadLine, "line 2 can't be imported: it is longer than"},
		{"no JSON", header("") + "hello\n", exportfile.CodeBadLine, "line 2 can't be imported: invalid character"},
		{"not a number", header("") + record("NaN", "1", good), exportfile.CodeBadLine, "line 2 can't be imported: invalid character"},
		{"a number as text", header("") + record(`"1"`, "1", good), exportfile.CodeBadLine, "line 2 can't be imported: its field position can't be read from string"},
		{"a number with a fraction", header("") + record("1.5", "1", good), exportfile.CodeBadLine, "line 2"},
		{"a negative position", header("") + record("-1", "1", good), exportfile.CodeBadLine, "line 2"},
		{"position zero", header("") + record("0", "1", good), exportfile.CodeBadLine, "its position is 0"},
		{"positions that fall", header("") + record("2", "1", good) + record("1", "1", envelope(other, `,"payload":{}`)), exportfile.CodeBadLine, "line 3 can't be imported: its position is 1, and the line before has 2"},
		{"times that fall", header("") + record("1", "9", good) + record("2", "8", envelope(other, `,"payload":{}`)), exportfile.CodeBadLine, "line 3 can't be imported: it was recorded at 8"},
		{"a clock beyond its time", header("") + record("1", `9,"clock":10`, good), exportfile.CodeBadLine, "line 2 can't be imported: its clock stands at 10, after the time it was recorded at, 9"},
		{"an id that is none", header("") + record("1", "1", envelope("x", `,"payload":{}`)), exportfile.CodeBadLine, "is not an id"},
		{"no id", header("") + record("1", "1", envelope("", `,"payload":{}`)), exportfile.CodeBadLine, "envelope_id is required"},
		{"no payload", header("") + record("1", "1", envelope(id, "")), exportfile.CodeBadLine, "the payload is not JSON"},
		{"two payloads", header("") + record("1", "1", envelope(id, `,"payload":{},"payload_base64":"e30="`)), exportfile.CodeBadLine, "its payload stands there in two ways"},
		{"a sealed payload in clear", header("") + record("1", "1", envelope(id, `,"payload":{},"encoding":"sealed"`)), exportfile.CodeBadLine, "its payload stands there in two ways"},
		{"an unknown encoding", header("") + record("1", "1", envelope(id, `,"payload":{},"encoding":"zip"`)), exportfile.CodeBadLine, "its encoding is not known"},
		{"no base64", header("") + record("1", "1", envelope(id, `,"payload_base64":"!"`)), exportfile.CodeBadLine, "line 2"},
		{"a field nobody knows", header("") + record("1", "1", envelope(id, `,"payload":{},"more":1`)), exportfile.CodeBadLine, `unknown field "more"`},
		{"a version beyond all", header("") + strings.Replace(record("1", "1", good), `"version":1`, `"version":70000`, 1), exportfile.CodeBadLine, "line 2"},
		{"two values", header("") + "{} {}\n", exportfile.CodeBadLine, "something stands behind its JSON"},
		{"neither record nor end", header("") + "{}\n", exportfile.CodeBadLine, "neither a record nor the end"},
		{"too deep", header("") + record("1", "1", envelope(id, `,"payload":`+strings.Repeat("[", 20000)+strings.Repeat("]", 20000))), exportfile.CodeBadLine, "exceeded max depth"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := readAll([]byte(c.file), true)
			if domain.CodeOf(err) != c.code || !strings.Contains(fmt.Sprint(err), c.says) {
				t.Errorf("it was answered %v, want %s with %q", err, c.code, c.says)
			}
		})
	}
}

// A list of changes doesn't grow with the file.
func TestChangesAreBounded(t *testing.T) {
	file, _ := plain(t, 300, exportfile.JSONL)
	r, got, err := readAll(bytes.ReplaceAll(file, []byte("sampler"), []byte("forger")), true)
	if err != nil || len(got) != 300 {
		t.Fatalf("%d records, %v", len(got), err)
	}
	if changes, more := r.Changes(); len(changes) != 100 || more != 200 {
		t.Errorf("%d changes are listed, and %d not", len(changes), more)
	}
}

// A disk that fails midway is no change of the file.
func TestUnreadableFile(t *testing.T) {
	file, _ := plain(t, 3, exportfile.JSONL)
	broken := errors.New("the disk is gone")
	r, err := exportfile.NewReader(io.MultiReader(bytes.NewReader(file[:len(file)/2]), failing{broken}), true)
	for err == nil {
		_, err = r.Next()
	}
	if !errors.Is(err, broken) || domain.CategoryOf(err) != domain.Dependency {
		t.Errorf("it was answered %v", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// FuzzReader reads anything without harm, and what it takes verified it writes
// again as the same file.
func FuzzReader(f *testing.F) {
	for _, format := range formats {
		f.Add(exported(f, sample(f), exportfile.Selection{}, format))
	}
	f.Add([]byte(`{"chalie_export":1,"what":"whole","records":1,"first":1,"last":1,"catalogue":""}` + "\n"))
	f.Fuzz(func(t *testing.T, file []byte) {
		r, records, err := readAll(file, true)
		if err != nil {
			return
		}
		var out bytes.Buffer
		w, err := exportfile.NewWriter(&out, r.Format(), r.Header())
		if err != nil {
			t.Fatal(err)
		}
		for _, rec := range records {
			if err := w.Write(rec); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		_, again, err := readAll(out.Bytes(), true)
		if err != nil || len(again) != len(records) {
			t.Fatalf("%d records came back of %d: %v", len(again), len(records), err)
		}
		for i := range records {
			if !again[i].Envelope.Equal(records[i].Envelope) || again[i].Position != records[i].Position {
				t.Fatalf("record %d came back as %+v, want %+v", i, again[i], records[i])
			}
		}
	})
}
