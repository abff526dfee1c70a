package retain_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
	"chalie/domain/retain"
)

const week = 7 * 24 * time.Hour

// life is a log that is written by hand.
type life struct {
	t     *testing.T
	clock *domaintest.Clock
	ids   *domaintest.IDs
	log   *memlog.Log
	names map[domain.Position]string
}

func newLife(t *testing.T) *life {
	clock := domaintest.NewClock()
	l := &life{t, clock, domaintest.NewIDs(clock, 1), memlog.New(clock), map[domain.Position]string{}}
	l.adds("start", domain.Lineage{}, domain.SystemStarted{})
	return l
}

// adds records something under a name, in an episode of its own without a lineage.
func (l *life) adds(name string, in domain.Lineage, payload any, keys ...domain.Key) domain.Envelope {
	l.t.Helper()
	id := l.ids.NewID()
	if in.Trace.IsZero() {
		in = domain.Begin(domain.TraceID{ID: id}, domain.PrincipalCore)
	}
	var entry domain.Entry
	var err error
	switch p := payload.(type) {
	case domain.SystemStarted:
		entry, err = domain.New(in, id, domain.MillisOf(l.clock.Now()), "test", p)
	case domain.SignalReceived:
		entry, err = domain.New(in, id, domain.MillisOf(l.clock.Now()), "test", p)
	case domain.SpineSignalEmitted:
		entry, err = domain.New(in, id, domain.MillisOf(l.clock.Now()), "test", p)
	case domain.ReasoningStarted:
		entry, err = domain.New(in, id, domain.MillisOf(l.clock.Now()), "test", p)
	case domain.ReasoningConcluded:
		entry, err = domain.New(in, id, domain.MillisOf(l.clock.Now()), "test", p)
	case domain.MemoryRemembered:
		entry, err = domain.New(in, id, domain.MillisOf(l.clock.Now()), "test", p)
	case domain.TimerDue:
		entry, err = domain.New(in, id, domain.MillisOf(l.clock.Now()), "test", p)
	default:
		l.t.Fatalf("no %T", payload)
	}
	if err != nil {
		l.t.Fatal(err)
	}
	entry.Envelope.Keys = append(entry.Envelope.Keys, keys...)
	r, err := l.log.Append(l.t.Context(), domain.Batch{Entries: []domain.Entry{entry}})
	if err != nil {
		l.t.Fatal(err)
	}
	l.names[r.Positions[0]] = name
	l.clock.Advance(time.Minute)
	return entry.Envelope
}

func (l *life) hears(name string) domain.Envelope {
	return l.adds(name, domain.Lineage{}, domain.SignalReceived{SignalType: "news", Content: name, ActivationEnergy: 0.5})
}

// thinks is a cycle that was told of some signals and looked at others.
func (l *life) thinks(name string, shown domain.Showing, told, looked []domain.Envelope) {
	l.t.Helper()
	opens := l.adds(name, domain.Lineage{}, domain.SpineSignalEmitted{SignalType: domain.IdleDiscovery, Source: "test"})
	ground := domain.ReasoningStarted{}
	for _, e := range told {
		ground.World.Items = append(ground.World.Items, domain.SeenItem{EnvelopeID: e.ID, Kind: domain.ItemSignal})
	}
	for _, e := range looked {
		ground.World.LeftOut = append(ground.World.LeftOut, domain.SeenItem{EnvelopeID: e.ID, Kind: domain.ItemSignal, Gate: domain.GateNotInFive})
	}
	started := l.adds(name, domain.Continue(opens), ground)
	outcome := domain.OutcomeHeld
	if shown != domain.ShownNot {
		outcome = domain.OutcomeSurfaced
	}
	l.adds(name, domain.Continue(started), domain.ReasoningConcluded{Outcome: outcome, Shown: shown})
}

// goes are the names of what goes, once for each record, in their order.
func (l *life) goes(kept []domain.KeptFor, needs ...domain.Envelope) (out []string) {
	l.t.Helper()
	rule := retain.Rule{Kept: kept, Now: domain.MillisOf(l.clock.Now()), Needs: func(id domain.ID) bool {
		return slices.ContainsFunc(needs, func(e domain.Envelope) bool { return e.ID == id })
	}}
	found, err := retain.Next(l.t.Context(), l.log, rule)
	if err != nil {
		l.t.Fatal(err)
	}
	span, runs := found.Span, found.Runs
	for _, run := range runs {
		for pos := run.From; pos <= run.Through; pos++ {
			out = append(out, l.names[pos])
		}
	}
	if written, err := span.Positions(); err != nil || !slices.Equal(written, runs) || span.Records != runs.Count() {
		l.t.Errorf("it says %v of %v: %v", span, runs, err)
	}
	return out
}

func kept(signals, reasoning time.Duration) []domain.KeptFor {
	return domain.Keep{Signals: signals, Reasoning: reasoning}.Topics()
}

func TestWhatGoes(t *testing.T) {
	l := newLife(t)
	noise, shared, cited, held, looked := l.hears("noise"), l.hears("shared"), l.hears("cited"), l.hears("held"), l.hears("looked at")
	l.thinks("silent", domain.ShownNot, []domain.Envelope{noise, shared}, []domain.Envelope{looked})
	l.thinks("told", domain.ShownNotification, []domain.Envelope{shared}, []domain.Envelope{looked})
	l.adds("open", domain.Lineage{}, domain.SpineSignalEmitted{SignalType: domain.IdleDiscovery, Source: "test"})
	l.adds("due", domain.Lineage{}, domain.TimerDue{})
	l.adds("remembered", domain.Resume(cited, domain.TraceID{ID: l.ids.NewID()}), domain.MemoryRemembered{Text: "tea"})
	l.clock.Advance(week)
	young := l.hears("young")
	l.thinks("lately", domain.ShownNot, nil, []domain.Envelope{young, held})
	for _, c := range []struct {
		what  string
		kept  []domain.KeptFor
		needs []domain.Envelope
		want  []string
	}{
		{"no time to keep", nil, nil, nil},
		{"both", kept(week, week), nil, []string{"noise", "looked at", "silent", "silent", "silent"}},
		{"signals alone", kept(week, 0), nil, []string{"noise", "looked at"}},
		{"reasoning alone", kept(0, week), nil, []string{"silent", "silent", "silent"}},
		{"a fold refers to one", kept(week, week), []domain.Envelope{noise}, []string{"looked at", "silent", "silent", "silent"}},
		{"not yet", kept(2*week, 2*week), nil, nil},
	} {
		if got := l.goes(c.kept, c.needs...); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q goes, want %q", c.what, got, c.want)
		}
	}
}

// What stays after all keeps what it rests on, however far that goes.
func TestChainsStay(t *testing.T) {
	l := newLife(t)
	chain := []domain.Envelope{l.hears("0")}
	for i := range 5 {
		id := l.ids.NewID()
		chain = append(chain, l.adds(fmt.Sprint(i+1), domain.Resume(chain[i], domain.TraceID{ID: id}), domain.SignalReceived{SignalType: "news", Content: "x", ActivationEnergy: 0.5}))
	}
	l.hears("other")
	l.clock.Advance(2 * week)
	if got := l.goes(kept(week, week), chain[4]); !slices.Equal(got, []string{"5", "other"}) {
		t.Errorf("%q goes", got)
	}
}

// The log's first record stays, and what was written while the clock was put back.
func TestWhatStaysWhateverItIs(t *testing.T) {
	clock := domaintest.NewClock()
	l := &life{t, clock, domaintest.NewIDs(clock, 1), memlog.New(clock), map[domain.Position]string{}}
	l.hears("first")
	l.hears("second")
	clock.Advance(-time.Hour)
	l.hears("behind")
	clock.Advance(2 * week)
	l.hears("last")
	if got := l.goes(kept(week, week)); !slices.Equal(got, []string{"second"}) {
		t.Errorf("%q goes", got)
	}
}

func TestMentioned(t *testing.T) {
	id := domain.ID{0: 1, 5: 7, 6: 0x70, 8: 0x80, 15: 9}
	text := fmt.Sprintf(`{"a":%q,"b":[%q],"c":"see [%s], and %s0"}`, id.String(), id.UUID(), id, id)
	if got := retain.Mentioned(nil, []byte(text)); len(got) != 3 || got[0] != id || got[1] != id || got[2] != id {
		t.Errorf("%v is mentioned in %s", got, text)
	}
}

func TestCited(t *testing.T) {
	l := newLife(t)
	one, other := l.hears("one"), l.hears("other")
	after := l.log.Tail()
	l.adds("remembered", domain.Resume(one, domain.TraceID{ID: l.ids.NewID()}), domain.MemoryRemembered{Text: "tea"})
	for e, want := range map[domain.ID]bool{one.ID: true, other.ID: false} {
		rec, err := l.log.Find(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := retain.Cited(t.Context(), l.log, domain.Runs{{From: rec.Position, Through: rec.Position}}, after); got != want || err != nil {
			t.Errorf("%s: %t, %v", l.names[rec.Position], got, err)
		}
	}
}

// Silent cycles go, too. A young one keeps what it differs from, in turn, and what those looked at.
func TestSilentCyclesGo(t *testing.T) {
	l := newLife(t)
	silent := func(name string, since domain.Envelope, came domain.Envelope) domain.Envelope {
		return l.adds(name, domain.Lineage{}, domain.SpineSignalEmitted{SignalType: domain.IdleDiscovery, Source: "test",
			Silent: &domain.SilentCycle{Since: since.ID, Came: []domain.SilentItem{{ID: came.ID, Kind: domain.ItemSignal}}}},
			domain.SpineTypeKey(domain.IdleDiscovery), domain.SilentKey)
	}
	silent("old", domain.Envelope{}, l.hears("rain"))
	full := silent("full", domain.Envelope{}, l.hears("snow"))
	next := silent("next", full, l.hears("hail"))
	l.clock.Advance(2 * week)
	silent("young", next, l.hears("sun"))
	if got, want := l.goes(kept(week, week)), []string{"rain", "old"}; !slices.Equal(got, want) {
		t.Errorf("there go %q, want %q", got, want)
	}
}
