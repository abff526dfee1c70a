package wire

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"chalie/domain"
)

// all reads every event, and the error behind them.
func all(from io.Reader) (events []string, err error) {
	r := newReader(from)
	for {
		data, err := r.next()
		if err != nil {
			return events, err
		}
		events = append(events, string(data))
	}
}

func TestEventsOfAStream(t *testing.T) {
	for _, c := range []struct {
		name, stream string
		want         []string
	}{
		{"named", "event: a\ndata: {\"x\":1}\nid: 7\nretry: 9\n\n", []string{`{"x":1}`}},
		{"several lines", "data: a\ndata:b\ndata:  c\n\n", []string{"a\nb\n c"}},
		{"every end of a line", "data: a\r\n\r\ndata: b\r\rdata: c\n\n", []string{"a", "b", "c"}},
		{"comments", ": ping\n\n:\ndata: a\n: b\n\n", []string{"a"}},
		{"without a colon", "data\n\n" + "data\nid\n" + "data:\n\n", []string{"", "\n"}},
		{"other fields", "datum: a\ndata : b\n\n", nil},
		{"a byte order mark", "\ufeffdata: a\n\n\ufeffdata: b\n\n", []string{"a"}},
		{"no empty line behind it", "data: a\n\ndata: b\n", []string{"a"}},
		{"no end of its line", "data: a\n\ndata: b", []string{"a"}},
		{"empty lines", "\n\n\ndata: a\n\n\n", []string{"a"}},
		{"nothing", "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := all(strings.NewReader(c.stream))
			if !errors.Is(err, io.EOF) || !slices.Equal(got, c.want) {
				t.Errorf("they are %q, %v, want %q", got, err, c.want)
			}
		})
	}
}

func TestABrokenStreamTellsWhy(t *testing.T) {
	why := errors.New("cable")
	got, err := all(io.MultiReader(strings.NewReader("data: a\n\ndata: b\n"), iotest.ErrReader(why)))
	if !errors.Is(err, why) || !slices.Equal(got, []string{"a"}) {
		t.Errorf("they are %q, %v", got, err)
	}
}

// endless never ends, and counts what is taken of it.
type endless struct {
	text string
	n    int
}

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = e.text[(e.n+i)%len(e.text)]
	}
	e.n += len(p)
	return len(p), nil
}

func TestAnEventHasABound(t *testing.T) {
	for name, text := range map[string]string{"a line": "data: ", "an event": "data: " + strings.Repeat("x", 1<<10) + "\n"} {
		from := &endless{text: text}
		_, err := all(from)
		if domain.CodeOf(err) != "bad_reply" || domain.IsRetriable(err) || !strings.Contains(err.Error(), name+" of the model is larger than 4 MiB") {
			t.Errorf("of %s without an end: %v", name, err)
		}
		if from.n > 5<<20 {
			t.Errorf("of %s without an end it takes %d bytes", name, from.n)
		}
	}
	whole := "data: " + strings.Repeat("x", maxEventBytes)
	if got, err := all(strings.NewReader(whole + "\n\n")); len(got) != 1 || len(got[0]) != maxEventBytes || !errors.Is(err, io.EOF) {
		t.Errorf("the largest is %d events, %v", len(got), err)
	}
}

// asWritten reads events the way the standard words it: line by line, of the whole.
func asWritten(stream string) (events []string) {
	stream = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.TrimPrefix(stream, "\ufeff"))
	lines := strings.Split(stream, "\n")
	var data []string
	for _, line := range lines[:len(lines)-1] { // the last has no end
		name, value, _ := strings.Cut(line, ":")
		switch {
		case line == "" && data != nil:
			events, data = append(events, strings.Join(data, "\n")), nil
		case name == "data":
			data = append(data, strings.TrimPrefix(value, " "))
		}
	}
	return events
}

// FuzzEvents reads a stream in whatever pieces it arrives as the standard says.
func FuzzEvents(f *testing.F) {
	for _, s := range []string{"event: a\ndata: {}\n\n", "data: a\r\ndata: b\r\n\r\n", "\ufeffdata\rdata:  \r\r: x\n", "data: a\n\n\rdata:b\r\n\r", "\n\r\r\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, stream []byte) {
		want := asWritten(string(stream))
		for _, from := range []io.Reader{bytes.NewReader(stream), iotest.OneByteReader(bytes.NewReader(stream)), iotest.DataErrReader(bytes.NewReader(stream))} {
			got, err := all(from)
			if !errors.Is(err, io.EOF) || !slices.Equal(got, want) {
				t.Fatalf("%q has %q, %v, want %q", stream, got, err, want)
			}
		}
	})
}
