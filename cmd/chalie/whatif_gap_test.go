package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/replay/explain"
	"chalie/replay/player"
)

// went is the log of a life without the records at some positions, and with the record that says
// so.
func went(t testing.TB, l *life, runs domain.Runs) domaintest.Gaps {
	t.Helper()
	put(t, l, by(domain.PrincipalCore), domain.SourceRetention, domain.SpanRetired{
		Through: l.log.Tail(), Runs: runs.Write(), Kept: []domain.KeptFor{{Topic: domain.TopicSignals, For: 1}}, Records: runs.Count(),
		Counts: []domain.RetiredCount{{Topic: domain.TopicSignals, Type: domain.SignalReceivedType, Records: runs.Count()}},
	}, domain.RetiredKey)
	return domaintest.Gaps{Log: l.log, Went: runs}
}

// runsOf are the positions of envelopes.
func runsOf(t testing.TB, l *life, ids ...domain.ID) (out domain.Runs) {
	t.Helper()
	var at []domain.Position
	for _, id := range ids {
		rec, err := l.log.Find(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		at = append(at, rec.Position)
	}
	slices.Sort(at)
	for _, pos := range at {
		out = out.Add(pos, pos)
	}
	return out
}

// crowded is news of a plan that louder signals had pushed out of mind when Chalie thought.
func crowded(t *testing.T) (l *life, news domain.ID, noise []domain.ID, silent domain.TraceID) {
	l = newLife(t)
	put(t, l, by(domain.PrincipalOperator), "api", domain.SettingsChanged{Name: "capacity", From: "100", To: "3"}, domain.SettingsKey)
	l.says(t, "remind me: dinner reservation at Luigi's in 4 hours")
	news = l.hears(t, "Luigi's is closed tonight", 0.9)
	for _, text := range loud[:3] {
		noise = append(noise, l.hears(t, text, 1))
	}
	silent = l.thinks(t)
	if told := l.told(t); len(told) != 1 {
		t.Fatalf("told was %q", told)
	}
	l.says(t, "thank you")
	return l, news, noise, silent
}

// TestWhatIfOverAGap: where records went, a what-if says which, and tells no difference that
// comes of that alone. Differences of the change are told as before.
func TestWhatIfOverAGap(t *testing.T) {
	l, news, cycle := restaurant(t)
	var noise []domain.ID
	records, err := l.log.Select(t.Context(), domain.Selector{Topic: domain.TopicSignals}, 1, 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range records {
		if rec.Envelope.ID != news {
			noise = append(noise, rec.Envelope.ID)
		}
	}
	runs := runsOf(t, l, noise...)
	over := went(t, l, runs)
	suppose := func(log domaintest.Gaps, change player.Change, scope player.Scope) player.Outcomes {
		t.Helper()
		out, err := player.WhatIf(t.Context(), log, sandboxes(keyframes{}).Open, change, scope, nil)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	out := suppose(over, player.Change{Without: []domain.ID{news}}, player.Scope{})
	if len(out.Outcomes) != 1 || out.Outcomes[0].Trace != cycle || out.Aside > 0 {
		t.Errorf("without the news: %+v", out)
	}
	if out.Went != runs.Count() || out.From != runs[0].From || out.Base != l.log.Tail()-1 || !strings.Contains(out.Lacks, "records went from this log, from position") {
		t.Errorf("of what went it says %+v", out.Gap)
	}
	if out := suppose(over, player.Change{Set: set("half_life", "1m")}, player.Scope{Since: l.log.Tail()}); out.Went > 0 {
		t.Errorf("since then nothing went, and it says %+v", out.Gap)
	}

	l, news, noise, silent := crowded(t)
	thanked := l.says(t, "hello")
	over = went(t, l, runsOf(t, l, noise...))
	for what, change := range map[string]player.Change{
		"nothing": {}, "another input left out": {Without: []domain.ID{thanked.ID}}, "a parameter that changes nothing": {Set: set("memory", "5")},
	} {
		out := suppose(over, change, player.Scope{})
		if _, told := listed(out)[silent]; told || out.Went == 0 {
			t.Errorf("%s: it tells %+v", what, out)
		}
		if what != "another input left out" && (out.Aside < 1 || !out.IsAside(silent) || len(out.Outcomes) > 0) {
			t.Errorf("%s: it takes %d aside", what, out.Aside)
		}
	}
	// It begins behind that, where what is left is as it was.
	if out := suppose(over, player.Change{Without: []domain.ID{thanked.ID}}, player.Scope{}); len(out.Outcomes) != 1 || out.Outcomes[0].Trace != thanked || out.Aside > 0 {
		t.Errorf("without the last message: %+v", out)
	}

	// A trial that would only help for the gap is none.
	trials := explain.NewTrials(over, sandboxes(keyframes{}).Open)
	question, err := explain.ParseQuestion(news.String())
	if err != nil {
		t.Fatal(err)
	}
	why, err := explain.WhyNot(t.Context(), over, question, explain.Asking{Trial: trials, Zone: time.UTC})
	if err != nil {
		t.Fatal(err)
	}
	said := strings.Join(why.Sentences, " ")
	if why.Change != nil || len(why.Failed) > 0 || !strings.Contains(said, "3 records went from this log, from position") || !strings.Contains(said, "can't be told: something that the decision rested on went") {
		t.Errorf("why not: %s", said)
	}
}

// TestWhyNotWhereItsCyclesWent doesn't say that nothing considered a signal, when what did may be gone.
func TestWhyNotWhereItsCyclesWent(t *testing.T) {
	l := newLife(t)
	heard := l.hears(t, "Luigi's is closed tonight", 0.9)
	from := l.log.Tail() + 1
	l.thinks(t)
	runs := domain.Runs{{From: from, Through: l.log.Tail()}}
	l.says(t, "hello")
	over := went(t, l, runs)
	question, err := explain.ParseQuestion(heard.String())
	if err != nil {
		t.Fatal(err)
	}
	why, err := explain.WhyNot(t.Context(), over, question, explain.Asking{})
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range why.Considered {
		if one.Kind == explain.ByCycle {
			t.Errorf("it tells of a cycle that went: %+v", one)
		}
	}
	if said := strings.Join(why.Sentences, " "); why.Never != "" && why.Never != explain.NeverKept || !strings.Contains(said, "went from this log, from position") {
		t.Errorf("never %q: %s", why.Never, said)
	}
}

// Whatever went, a what-if is answered; with nothing changed nothing would have been otherwise; and
// what it tells of the time before is what it tells where nothing went.
func TestLawWhatIfOverGaps(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		l := live(rt, t)
		var runs domain.Runs
		var left []domain.ID
		records, err := l.log.Select(rt.Context(), domain.Selector{}, 2, 10_000)
		if err != nil {
			rt.Fatal(err)
		}
		silent := silentEpisodes(records)
		for _, rec := range records {
			if silent[rec.Envelope.Trace] && rapid.Bool().Draw(rt, "goes") {
				runs = runs.Add(rec.Position, rec.Position)
			} else if slices.Contains(l.inputs, rec.Envelope.ID) {
				left = append(left, rec.Envelope.ID)
			}
		}
		if len(runs) == 0 || len(left) == 0 {
			return
		}
		over := went(t, l.life, runs)
		suppose := func(log domain.Log, change player.Change) player.Outcomes {
			out, err := player.WhatIf(rt.Context(), log, sandboxes(keyframes{}).Open, change, player.Scope{}, nil)
			if err != nil {
				rt.Fatal(err)
			}
			return out
		}
		if out := suppose(over, player.Change{}); len(out.Outcomes) > 0 || out.Went != runs.Count() {
			rt.Fatalf("with nothing changed it differs: %+v", out)
		}
		change := player.Change{Without: []domain.ID{rapid.SampledFrom(left).Draw(rt, "without")}}
		suppose(over, change)
		suppose(over, player.Change{Set: set("half_life", "1h")})
	})
}

// silentEpisodes are the traces of signals, which tell nobody anything by themselves.
func silentEpisodes(records []domain.Record) map[domain.TraceID]bool {
	out := map[domain.TraceID]bool{}
	for _, rec := range records {
		out[rec.Envelope.Trace] = rec.Envelope.Type == domain.SignalReceivedType
	}
	return out
}
