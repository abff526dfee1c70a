package notices_test

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"chalie/domain"
	"chalie/projections"
	"chalie/projections/notices"
)

// id is one that tells what it is of and its number.
func id(kind, n byte) domain.ID { return domain.ID{0: kind, 14: n >> 4, 15: n} }

const minute = domain.Millis(60_000)

// rec is a record of trace n at a minute.
func rec[P any](t testing.TB, pos domain.Position, n byte, who domain.Principal, payload P) domain.Record {
	t.Helper()
	lin := domain.Begin(domain.TraceID{ID: id(1, n)}, who)
	entry, err := domain.New(lin, id(9, byte(pos)), 1, "reasoning", payload)
	if err != nil {
		t.Fatal(err)
	}
	if c, ok := any(payload).(domain.ReasoningConcluded); ok {
		entry.Envelope.Keys = []domain.Key{c.ShownKey()}
	}
	return domain.Record{Position: pos, Topic: entry.Topic, RecordedAt: domain.Millis(pos) * minute, Envelope: entry.Envelope}
}

func erased(r domain.Record) domain.Record {
	r.Envelope.Payload = domain.Payload{Encoding: domain.EncodingErased}
	return r
}

func finding(topic, text string, ids ...domain.ID) domain.Finding {
	f := domain.Finding{Topic: topic, Blocks: []domain.Block{domain.TextBlock(text, domain.FormatPlain)}}
	for _, id := range ids {
		f.Evidence = append(f.Evidence, domain.Evidence{EnvelopeID: id, Role: "named"})
	}
	return f
}

// cycle is a reply with two findings, and the conclusion that shows the second.
func cycle(t testing.TB) (reply, end domain.Record) {
	second := finding("Dinner", "Luigi's is  closed", id(2, 2), id(3, 2))
	reply = rec(t, 1, 1, "reasoning", domain.ModelReplied{Findings: []domain.Finding{finding("trains", "late", id(2, 1), id(3, 1)), second}})
	return reply, rec(t, 2, 1, "reasoning", domain.ReasoningConcluded{Outcome: domain.OutcomeSurfaced, Shown: domain.ShownNotification,
		Reply: reply.Envelope.ID, Findings: []int{1}, Evidence: second.Evidence})
}

// toldBy is what a cycle's conclusion is known as.
func toldBy(reply, end domain.Record) domain.PastNotice {
	return domain.PastNotice{Conclusion: end.Envelope.ID, Reply: reply.Envelope.ID, Finding: 1, Topic: domain.HashTopic("dinner"), Position: end.Position, At: end.RecordedAt, Length: len("luigi's is closed")}
}

func apply(t testing.TB, p *notices.Projection, log ...domain.Record) {
	t.Helper()
	for _, r := range log {
		if err := p.Apply(r); err != nil {
			t.Fatal(err)
		}
	}
}

func together(t testing.TB, p *notices.Projection, pair domain.Pair) domain.ID {
	t.Helper()
	found, ok, err := p.Together(pair, 1<<40)
	if err != nil || ok == found.Conclusion.IsZero() {
		t.Fatalf("%+v: %+v, %v, %v", pair, found, ok, err)
	}
	return found.Conclusion
}

func TestWhatIsTold(t *testing.T) {
	reply, end := cycle(t)
	want := toldBy(reply, end)
	all := want
	all.Finding = 0
	all.Topic, all.Length = domain.HashTopic("trains"), len("late")
	unknown := domain.PastNotice{Conclusion: end.Envelope.ID, Reply: reply.Envelope.ID, Finding: -1, Position: end.Position, At: end.RecordedAt}
	nothing := unknown
	nothing.Reply, nothing.From = domain.ID{}, "reasoning"
	message := rec(t, 1, 1, "portal", domain.ModelReplied{Topic: "health", Blocks: []domain.Block{domain.TextBlock("Come", domain.FormatPlain)}})
	passed := rec(t, 2, 1, "portal", domain.ReasoningConcluded{Outcome: domain.OutcomeSurfaced, Shown: domain.ShownEscalation, Reply: message.Envelope.ID})
	asked := rec(t, 1, 1, domain.PrincipalOperator, domain.ModelReplied{Topic: "x"})
	for _, c := range []struct {
		name   string
		log    []domain.Record
		want   []domain.PastNotice // latest first
		first  bool                // the first finding's pair is known
		second bool
	}{
		{"nothing", nil, nil, false, false},
		{"a reply", []domain.Record{reply}, nil, false, false},
		{"a finding", []domain.Record{reply, end}, []domain.PastNotice{want}, false, true},
		{"in a reply that is erased", []domain.Record{erased(reply), end}, []domain.PastNotice{unknown}, false, true},
		{"in a conclusion that is erased", []domain.Record{reply, erased(end)}, []domain.PastNotice{want, all}, true, true},
		{"in both", []domain.Record{erased(reply), erased(end)}, []domain.PastNotice{nothing}, false, false},
		{"a conclusion alone", []domain.Record{end}, []domain.PastNotice{unknown}, false, true},
		{"held", []domain.Record{reply, rec(t, 2, 1, "reasoning", domain.ReasoningConcluded{Outcome: domain.OutcomeHeld})}, nil, false, false},
		{"held and erased", []domain.Record{reply, erased(rec(t, 2, 1, "reasoning", domain.ReasoningConcluded{Outcome: domain.OutcomeHeld}))}, nil, false, false},
		{"a message passed on", []domain.Record{message, passed}, []domain.PastNotice{{Conclusion: passed.Envelope.ID, Reply: message.Envelope.ID, Finding: -1, From: "portal",
			Topic: domain.HashTopic("health"), Position: passed.Position, At: passed.RecordedAt, Length: 4}}, false, false},
		{"an answer", []domain.Record{asked, rec(t, 2, 1, domain.PrincipalOperator, domain.ReasoningConcluded{Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage, Reply: asked.Envelope.ID})}, nil, false, false},
		{"a finding that isn't there", []domain.Record{reply, rec(t, 2, 1, "reasoning", domain.ReasoningConcluded{Outcome: domain.OutcomeSurfaced, Shown: domain.ShownNotification,
			Reply: reply.Envelope.ID, Findings: []int{-1, 7}})}, nil, false, false},
	} {
		p := notices.New()
		apply(t, p, c.log...)
		if got := p.Recent(1<<40, 1<<62); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s:\n%+v, want\n%+v", c.name, got, c.want)
		}
		for n, known := range map[byte]bool{1: c.first, 2: c.second} {
			for _, pair := range []domain.Pair{{A: id(2, n), B: id(3, n)}, domain.PartOf(id(2, n)), domain.PartOf(id(3, n))} {
				if got := together(t, p, pair); got.IsZero() == known {
					t.Errorf("%s: %+v was told by %s", c.name, pair, got)
				}
			}
		}
	}
}

func TestWhatIsSavedIsKnown(t *testing.T) {
	reply, end := cycle(t)
	store := projections.NewMemStore()
	p := notices.New()
	if err := p.Load(store); err != nil {
		t.Fatal(err)
	}
	for i, r := range []domain.Record{reply, end} {
		apply(t, p, r)
		if err := store.Update(domain.Position(i+1), p.Save); err != nil {
			t.Fatal(err)
		}
		p.Saved()
		p = notices.New()
		if err := p.Load(store); err != nil {
			t.Fatal(err)
		}
	}
	if got := p.Recent(1<<40, 1<<62); !reflect.DeepEqual(got, []domain.PastNotice{toldBy(reply, end)}) {
		t.Errorf("it knows %+v", got)
	}
	if got := together(t, p, domain.Pair{A: id(2, 2), B: id(3, 2)}); got != end.Envelope.ID {
		t.Errorf("the pair was told by %s", got)
	}
	writes := 0
	if err := store.Update(2, func(b projections.Batch) error { return p.Save(counting{b, &writes}) }); err != nil || writes > 0 {
		t.Errorf("with nothing new it writes %d times, %v", writes, err)
	}
	refused := errors.New("refused")
	apply(t, p, rec(t, 3, 3, "portal", domain.ModelReplied{Topic: "x"}))
	if err := store.Update(3, func(b projections.Batch) error { return errors.Join(p.Save(b), refused) }); !errors.Is(err, refused) {
		t.Fatal(err)
	}
	if err := store.Update(3, func(b projections.Batch) error { return p.Save(counting{b, &writes}) }); err != nil || writes == 0 {
		t.Errorf("what was refused is written again %d times, %v", writes, err)
	}
}

// counting counts writes.
type counting struct {
	projections.Batch
	n *int
}

func (c counting) Set(key, value []byte) error {
	*c.n++
	return c.Batch.Set(key, value)
}

func TestMemoryIsBounded(t *testing.T) {
	p := notices.New()
	var last domain.Record
	for i := range notices.MostKept + 10 {
		last = rec(t, domain.Position(i+1), 1, "portal", domain.ReasoningConcluded{Outcome: domain.OutcomeSurfaced, Shown: domain.ShownNotification})
		last.RecordedAt = domain.Millis(i)
		apply(t, p, last)
	}
	if got := p.Recent(1<<40, 1<<62); len(got) != notices.MostKept || got[0].At != last.RecordedAt {
		t.Errorf("%d are kept, the last of %d", len(got), got[0].At)
	}
	if got := p.Recent(last.RecordedAt, 0); len(got) != 1 {
		t.Errorf("%d since the last", len(got))
	}
	last.RecordedAt += domain.Millis(domain.ToldKept/time.Millisecond) + 1
	apply(t, p, last)
	if got := p.Recent(1<<40, 1<<62); len(got) != notices.LeastKept {
		t.Errorf("%d are kept after a day", len(got))
	}
}

func TestUndecodableChangesNothing(t *testing.T) {
	for _, payload := range []domain.EventType{"model.replied", "reasoning.concluded"} {
		p := notices.New()
		bad := rec(t, 1, 1, "portal", domain.ModelReplied{})
		bad.Envelope.Type, bad.Envelope.Payload = payload, domain.JSONPayload([]byte("7"))
		if err := p.Apply(bad); domain.CodeOf(err) != domain.CodeUndecodable {
			t.Errorf("%s: %v", payload, err)
		}
		if got := p.Recent(1<<40, 1<<62); got != nil {
			t.Errorf("%s: it knows %+v", payload, got)
		}
	}
	if p := notices.New(); p.Name() != "unasked" || p.Version() != 3 {
		t.Errorf("it is %s v%d", p.Name(), p.Version())
	}
}
