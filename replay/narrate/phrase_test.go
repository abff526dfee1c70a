package narrate_test

import (
	"reflect"
	"testing"

	"chalie/domain"
	"chalie/replay/narrate"
)

func TestPhrase(t *testing.T) {
	rec := domain.Record{Position: 7, Envelope: domain.Envelope{ID: domain.ID{15: 1}, Trace: domain.TraceID{ID: domain.ID{15: 2}}}}
	about := &narrate.Reference{ID: rec.Envelope.ID, Trace: rec.Envelope.Trace, Position: 7}
	quote := narrate.About(rec, `"100 % rain"`)
	for _, c := range []struct {
		name string
		got  narrate.Phrase
		want []narrate.Part
	}{
		{"put together", narrate.Sayf("%s reported %s, %d %% sure", "weather", quote, 80), []narrate.Part{{Text: "weather reported "}, {`"100 % rain"`, about}, {Text: ", 80 % sure"}}},
		{"of nothing", narrate.Sayf("%s", narrate.Phrase(nil)), []narrate.Part{}},
		{"plain pieces are one", narrate.Join([]narrate.Phrase{narrate.Words("a"), narrate.Words("b"), quote}, ", "), []narrate.Part{{Text: "a, b, "}, {`"100 % rain"`, about}}},
		{"ended", narrate.Sayf("so %s", quote).Sentence(), []narrate.Part{{Text: "so "}, {`"100 % rain"`, about}, {Text: "."}}},
		{"ended by its quote", narrate.Words(`you asked "why?"`).Sentence(), []narrate.Part{{Text: `you asked "why?"`}}},
		{"cut in what it speaks of", narrate.Sayf("so %s", quote).Cut(9), []narrate.Part{{Text: "so "}, {`"100…`, about}}},
		{"cut before it", narrate.Sayf("so it is %s", quote).Cut(6), []narrate.Part{{Text: "so it…"}}},
		{"not cut", quote.Cut(100), []narrate.Part{{`"100 % rain"`, about}}},
		{"with a capital", narrate.Sayf("%s came", narrate.About(rec, "it")).Capital(), []narrate.Part{{"It", about}, {Text: " came"}}},
		{"of no record", narrate.About(domain.Record{}, "it"), []narrate.Part{{Text: "it"}}},
		{"trimmed", narrate.Sayf("%s at once,", quote).TrimRight(","), []narrate.Part{{`"100 % rain"`, about}, {Text: " at once"}}},
	} {
		if got := c.got.Parts(); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}
