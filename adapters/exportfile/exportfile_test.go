package exportfile_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"chalie/adapters/exportfile"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"

	"pgregory.net/rapid"
)

// Whatever stands in a log comes back byte for byte.
func TestRoundTrip(t *testing.T) {
	l := sample(t)
	want := everything(t, l)
	for _, format := range formats {
		t.Run(string(format), func(t *testing.T) {
			file := exported(t, l, exportfile.Selection{}, format)
			for n, line := range bytes.Split(bytes.TrimSuffix(file, []byte("\n")), []byte("\n")) {
				if !json.Valid(line) {
					t.Errorf("line %d is no JSON: %.200s", n+1, line)
				}
			}
			r, got, err := readAll(file, false)
			if err != nil {
				t.Fatal(err)
			}
			if len(got) != len(want) {
				t.Fatalf("%d records came back, want %d", len(got), len(want))
			}
			if want[7].Ahead != 0 || want[8].Ahead == 0 {
				t.Fatal("no record was written by a clock that had been put back")
			}
			for i := range want {
				if !got[i].Envelope.Equal(want[i].Envelope) || got[i].Position != want[i].Position || got[i].RecordedAt != want[i].RecordedAt || got[i].Ahead != want[i].Ahead || got[i].Topic != want[i].Topic {
					t.Errorf("record %d came back as %+v, want %+v", i+1, got[i], want[i])
				}
			}
			h := r.Header()
			if wants := (exportfile.Header{What: exportfile.Whole, First: 1, Last: 12, Records: 12, Catalogue: "cat"}); !reflect.DeepEqual(h, wants) || !h.Dense() || r.Format() != format {
				t.Errorf("the header is %+v", h)
			}
			if changes, more := r.Changes(); len(changes)+more != 0 {
				t.Errorf("it reports changes: %v", changes)
			}
			if !bytes.Equal(exported(t, l, exportfile.Selection{}, format), file) {
				t.Error("the same log gave another file")
			}
		})
	}
}

// A byte order mark, as some editors put in front of a file, changes nothing of it.
func TestAByteOrderMark(t *testing.T) {
	l := sample(t)
	for _, format := range formats {
		file := exported(t, l, exportfile.Selection{}, format)
		r, got, err := readAll(append([]byte("\ufeff"), file...), false)
		if err != nil || len(got) != len(everything(t, l)) {
			t.Fatalf("%s: %d records came back, %v", format, len(got), err)
		}
		if changes, more := r.Changes(); len(changes)+more != 0 {
			t.Errorf("%s: it reports changes: %v", format, changes)
		}
	}
}

// Any envelope that a log takes comes back as it was.
func TestRoundTripOfAnyEnvelope(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		name := rapid.StringN(1, 30, domain.MaxNameBytes)
		id := rapid.Custom(func(rt *rapid.T) (id domain.ID) {
			copy(id[:], rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(rt, "id"))
			id[0] &= 0x7f
			id[15] |= 1
			return id
		})
		e := domain.Envelope{
			ID: id.Draw(rt, "envelope"), Trace: domain.TraceID{ID: id.Draw(rt, "trace")}, Timestamp: domain.Millis(rapid.Int64().Draw(rt, "timestamp")),
			Kind: domain.KindEvent, Source: domain.Source(name.Draw(rt, "source")), Principal: domain.Principal(name.Draw(rt, "principal")),
			Type: domain.EventType(name.Draw(rt, "type")), Version: rapid.Uint16Min(1).Draw(rt, "version"),
			Payload: domain.Payload{
				Encoding: domain.EncodingOpaque, KeyID: rapid.StringN(0, 20, 80).Draw(rt, "key"),
				Nonce: rapid.SliceOf(rapid.Byte()).Draw(rt, "nonce"), Bytes: rapid.SliceOf(rapid.Byte()).Draw(rt, "bytes"),
			},
		}
		for _, k := range rapid.SliceOfN(name, 0, 3).Draw(rt, "keys") {
			e.Keys = append(e.Keys, domain.Key(k))
		}
		if rapid.Bool().Draw(rt, "json") {
			text, err := json.Marshal(map[string]any{name.Draw(rt, "field"): name.Draw(rt, "value")})
			if err != nil {
				rt.Fatal(err)
			}
			// Logs of before there was a bound hold what is as deep as JSON's reader goes.
			deep := rapid.SampledFrom([]int{0, 0, 99, 200, 201, 5_000, 9_999}).Draw(rt, "deep")
			text = slices.Concat(bytes.Repeat([]byte("["), deep), text, bytes.Repeat([]byte("]"), deep))
			space := rapid.SampledFrom([]string{"", " ", "\n", "\t"})
			e.Payload.Encoding, e.Payload.Bytes = domain.EncodingJSON, slices.Concat([]byte(space.Draw(rt, "before")), text, []byte(space.Draw(rt, "after")))
		}
		if err := e.Check(); err != nil {
			rt.Skip(err.Error())
		}
		rec := domain.Record{Position: 7, Topic: domain.Topic(name.Draw(rt, "topic")), RecordedAt: 9, Ahead: domain.Millis(rapid.SampledFrom([]int64{0, 1, 9, 1 << 40}).Draw(rt, "ahead")), Envelope: e}
		for _, format := range formats {
			var out bytes.Buffer
			w, err := exportfile.NewWriter(&out, format, exportfile.Header{What: exportfile.Trace, First: 7, Last: 7, Records: 1})
			if err != nil {
				rt.Fatal(err)
			}
			if err := w.Write(rec); err != nil {
				rt.Fatal(err)
			}
			if err := w.Close(); err != nil {
				rt.Fatal(err)
			}
			_, got, err := readAll(out.Bytes(), false)
			if err != nil || len(got) != 1 || !got[0].Envelope.Equal(e) || got[0].Topic != rec.Topic || got[0].RecordedAt != 9 || got[0].Ahead != rec.Ahead || got[0].Position != 7 {
				rt.Fatalf("%s came back as %+v, %v\n%s", format, got, err, out.Bytes())
			}
		}
	})
}

func TestSelections(t *testing.T) {
	clock := domaintest.NewClock()
	ids := domaintest.NewIDs(clock, 5)
	l := memlog.New(clock)
	var times []domain.Millis
	for range 5 {
		times = append(times, domain.MillisOf(clock.Now()))
		appendTo(t, l, domaintest.NewEntry(ids, "t"))
		clock.Advance(1e9)
	}
	family := domaintest.NewEntries(ids, "t", 2)
	appendTo(t, l, family[0])
	appendTo(t, l, domaintest.NewEntry(ids, "t"))
	appendTo(t, l, family[1])
	trace := family[0].Envelope.Trace.ID

	for _, c := range []struct {
		name  string
		sel   exportfile.Selection
		what  string
		want  []domain.Position
		dense bool
	}{
		{"everything", exportfile.Selection{}, exportfile.Whole, []domain.Position{1, 2, 3, 4, 5, 6, 7, 8}, true},
		{"through a position", exportfile.Selection{Through: 3}, exportfile.Whole, []domain.Position{1, 2, 3}, true},
		{"a piece", exportfile.Selection{After: 3, Through: 5}, exportfile.Piece, []domain.Position{4, 5}, false},
		{"a piece to the end", exportfile.Selection{After: 7}, exportfile.Piece, []domain.Position{8}, false},
		{"since", exportfile.Selection{Since: times[3]}, exportfile.Period, []domain.Position{4, 5, 6, 7, 8}, false},
		{"until", exportfile.Selection{Until: times[2]}, exportfile.Period, []domain.Position{1, 2}, true},
		{"between", exportfile.Selection{Since: times[1], Until: times[3]}, exportfile.Period, []domain.Position{2, 3}, false},
		{"a time without records", exportfile.Selection{Since: times[1] + 1, Until: times[1] + 2}, exportfile.Period, nil, true},
		{"since the future", exportfile.Selection{Since: times[4] + 1e9}, exportfile.Period, nil, true},
		{"a trace", exportfile.Selection{Trace: trace}, exportfile.Trace, []domain.Position{6, 8}, false},
		{"the trace of an envelope", exportfile.Selection{Trace: family[1].Envelope.ID}, exportfile.Trace, []domain.Position{6, 8}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, got, err := readAll(exported(t, l, c.sel, exportfile.JSONL), false)
			if err != nil {
				t.Fatal(err)
			}
			var positions []domain.Position
			for _, rec := range got {
				positions = append(positions, rec.Position)
			}
			h := r.Header()
			if !slices.Equal(positions, c.want) || h.What != c.what || h.Dense() != c.dense || h.Records != uint64(len(c.want)) {
				t.Errorf("it holds %v, and says %+v", positions, h)
			}
			if c.what == exportfile.Trace && h.Trace != trace {
				t.Errorf("it names trace %s", h.Trace)
			}
		})
	}
	var out bytes.Buffer
	err := exportfile.Export(t.Context(), l, exportfile.Selection{Trace: ids.NewID()}, exportfile.JSONL, "", &out)
	if domain.CodeOf(err) != "no_trace" || out.Len() > 0 {
		t.Errorf("a trace that isn't there: %v, and %d bytes", err, out.Len())
	}
}

func BenchmarkExport(b *testing.B) {
	for _, format := range formats {
		b.Run(string(format), func(b *testing.B) {
			w, err := exportfile.NewWriter(discard{}, format, exportfile.Header{What: exportfile.Whole})
			if err != nil {
				b.Fatal(err)
			}
			rec := usual()
			for b.Loop() {
				if err := w.Write(rec); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "records/s")
		})
	}
}

func BenchmarkRead(b *testing.B) {
	for _, format := range formats {
		b.Run(string(format), func(b *testing.B) {
			const n = 1000
			var out bytes.Buffer
			w, err := exportfile.NewWriter(&out, format, exportfile.Header{What: exportfile.Whole, First: 1, Last: n, Records: n})
			if err != nil {
				b.Fatal(err)
			}
			for i := range n {
				rec := usual()
				rec.Position = domain.Position(i + 1)
				if err := w.Write(rec); err != nil {
					b.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, _, err := readAll(out.Bytes(), false); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)*n/b.Elapsed().Seconds(), "records/s")
		})
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

// usual is a record as most are.
func usual() domain.Record {
	ids := domaintest.NewIDs(domaintest.NewClock(), 3)
	e := domaintest.NewEntry(ids, "signals")
	e.Envelope.Payload = domain.JSONPayload(fmt.Appendf(nil, `{"signal_id":%q,"signal_type":"weather_forecast","content":"Heavy rain from three in the afternoon until the evening","activation_energy":400000,"metadata":{"place":"Lisbon"}}`, ids.NewID()))
	return domain.Record{Position: 1, Topic: e.Topic, RecordedAt: 1773756000000, Envelope: e.Envelope}
}
