package domain_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chalie/domain"
)

func TestRunsReadWhatTheyWrite(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var runs domain.Runs
		in := map[domain.Position]bool{}
		pos := domain.Position(0)
		for range rapid.IntRange(0, 20).Draw(t, "n") {
			pos += domain.Position(rapid.IntRange(1, 300).Draw(t, "gap"))
			through := pos + domain.Position(rapid.IntRange(0, 3).Draw(t, "length"))
			runs = runs.Add(pos, through)
			for ; pos < through; pos++ {
				in[pos] = true
			}
			in[pos] = true
		}
		if runs.Count() != uint64(len(in)) || runs.Last() != pos {
			t.Fatalf("%v has %d, and ends at %d", runs, runs.Count(), runs.Last())
		}
		for at := range pos + 2 {
			if run, ok := runs.Covering(at); ok != in[at] || ok && (at < run.From || at > run.Through) {
				t.Fatalf("%d is in %v: %t", at, run, ok)
			}
		}
		if got, err := domain.ReadRuns(runs.Write()); err != nil || !slices.Equal(got, runs) {
			t.Fatalf("%v is read as %v: %v", runs, got, err)
		}
	})
	for _, text := range []string{"?", "AA", "AQ", "AQAAAA"} { // no base64, a run from 0, half a run, one that touches nothing
		if got, err := domain.ReadRuns(text); err == nil {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}

// Of every topic it is said how long it is kept.
func TestEveryTopicIsKept(t *testing.T) {
	keep := domain.Keep{Signals: time.Hour, Reasoning: time.Hour}
	for _, d := range domain.Events().Definitions() {
		timed := slices.ContainsFunc(keep.Topics(), func(k domain.KeptFor) bool { return k.Topic == d.Topic })
		if ever := domain.KeptForEver(d.Topic) != "" && d.Topic != domain.TopicSpine; timed == ever {
			t.Errorf("%s has a time to keep: %t, and is kept for ever: %t", d.Topic, timed, ever)
		}
		p := domain.DefaultParams()
		if err := p.Set("keep_"+string(d.Topic), "30d"); !timed && (err == nil || !reflect.DeepEqual(p, domain.DefaultParams())) {
			t.Errorf("%s is set: %v", d.Topic, err)
		}
	}
}
