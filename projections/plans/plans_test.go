package plans_test

import (
	"reflect"
	"testing"

	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/projections"
	"chalie/projections/plans"
)

func records(t *testing.T) []domain.Record {
	t.Helper()
	clock := domaintest.NewClock()
	ids := domaintest.NewIDs(clock, 1)
	var out []domain.Record
	add := func(entry domain.Entry, err error, keys []domain.Key) domain.ID {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		entry.Envelope.Keys = keys
		pos := domain.Position(len(out) + 1)
		out = append(out, domain.Record{Position: pos, Topic: entry.Topic, RecordedAt: domain.Millis(pos), Envelope: entry.Envelope})
		return entry.Envelope.ID
	}
	lin := func() domain.Lineage { return domain.Begin(ids.NewTrace(), domain.PrincipalOperator) }
	e, err := domain.New(lin(), ids.NewID(), 1, "test", domain.ReminderSet{Text: "a", Due: 50, Recurrence: &domain.Recurrence{Every: 1, Unit: domain.EveryDay}})
	reminder := add(e, err, nil)
	e, err = domain.New(lin(), ids.NewID(), 1, "test", domain.SignalReceived{SignalType: "a", Content: "b", Source: "c"})
	add(e, err, nil)
	e, err = domain.New(lin(), ids.NewID(), 1, "test", domain.TaskCreated{Text: "b"})
	task := add(e, err, nil)
	due := domain.TimerDue{SubjectID: reminder, Due: 50, Next: 90}
	e, err = domain.New(lin(), ids.NewID(), 1, "test", due)
	add(e, err, due.Keys())
	list := domain.ListCreated{Name: "c"}
	e, err = domain.New(lin(), ids.NewID(), 1, "test", list)
	item := domain.ListItemAdded{ListID: add(e, err, list.Keys()), Text: "d"}
	e, err = domain.New(lin(), ids.NewID(), 1, "test", item)
	add(e, err, item.Keys())
	done := domain.TaskCompleted{TaskID: task}
	e, err = domain.New(lin(), ids.NewID(), 1, "test", done)
	add(e, err, done.Keys())
	return out
}

func state(p *plans.Projection) (out domain.Plans) {
	p.Read(func(s *domain.Plans) { out = *s })
	return out
}

// fold loads, applies and saves as a runner does.
func fold(t *testing.T, store projections.Store, recs []domain.Record) *plans.Projection {
	t.Helper()
	p := plans.New()
	if err := p.Load(store); err != nil {
		t.Fatal(err)
	}
	for _, rec := range recs {
		if err := p.Apply(rec); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Update(domain.Position(len(recs)), p.Save); err != nil {
		t.Fatal(err)
	}
	p.Saved()
	return p
}

// TestGoesOnFromEverySave breaks off and goes on at every record.
func TestGoesOnFromEverySave(t *testing.T) {
	all := records(t)
	whole := state(fold(t, projections.NewMemStore(), all))
	if len(whole.Commitments.Open) != 1 || len(whole.Commitments.Ended) != 1 || len(whole.Lists.All) != 1 || len(whole.Lists.All[0].Items) != 1 {
		t.Fatalf("planned are %+v", whole)
	}
	for _, one := range whole.Commitments.Open {
		if one.Due != 90 || one.Told != 4 || !one.Waiting {
			t.Errorf("the reminder is %+v", one)
		}
	}
	for cut := range len(all) + 1 {
		store := projections.NewMemStore()
		fold(t, store, all[:cut])
		if got := state(fold(t, store, all[cut:])); !reflect.DeepEqual(got, whole) {
			t.Errorf("broken off after %d: planned are\n%+v\nwant\n%+v", cut, got, whole)
		}
	}
}

// A record that can't be read stops the fold and changes nothing; another's doesn't
// matter to it.
func TestOnlyPlansMatter(t *testing.T) {
	p := plans.New()
	bad := records(t)[0]
	bad.Envelope.Version = 9
	if err := p.Apply(bad); domain.CodeOf(err) != domain.CodeUndecodable {
		t.Errorf("a foreign version: %v", err)
	}
	bad.Topic, bad.Envelope.Type = domain.TopicSignals, "signal.received"
	if err := p.Apply(bad); err != nil {
		t.Errorf("a signal: %v", err)
	}
	if got := state(p); got.Commitments.Through != 0 || len(got.Commitments.Open) > 0 {
		t.Errorf("planned are %+v", got)
	}
}
