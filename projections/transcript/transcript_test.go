package transcript_test

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
	"chalie/projections"
	"chalie/projections/transcript"
)

const operator = domain.PrincipalOperator

func id(kind, n byte) domain.ID { return domain.ID{0: kind, 15: n} }

// rec is a record of the n-th trace, recorded at 1000 + its position. An opening
// has the trace's id.
func rec[P any](t rapid.TB, pos domain.Position, n byte, who domain.Principal, payload P) domain.Record {
	t.Helper()
	trace := domain.TraceID{ID: id(1, n)}
	own := domain.ID{0: 2, 14: byte(pos >> 8), 15: byte(pos)}
	switch any(payload).(type) {
	case domain.MessageReceived, domain.ActionReceived:
		own = trace.ID
	}
	entry, err := domain.New(domain.Begin(trace, who), own, 1, "test", payload)
	if err != nil {
		t.Fatal(err)
	}
	if c, ok := any(payload).(domain.ReasoningConcluded); ok {
		entry.Envelope.Keys = []domain.Key{c.ShownKey()}
	}
	return domain.Record{Position: pos, Topic: entry.Topic, RecordedAt: 1000 + domain.Millis(pos), Envelope: entry.Envelope}
}

func erased(rec domain.Record) domain.Record {
	rec.Envelope.Payload, rec.Envelope.Errors = domain.Payload{Encoding: domain.EncodingErased}, nil
	return rec
}

var (
	said     = domain.MessageReceived{Text: "hi", Source: domain.SaidInText}
	pressed  = domain.ActionReceived{Skill: "s", Label: "Do it"}
	answered = domain.ReasoningConcluded{Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage, Reply: id(3, 1)}
	failed   = domain.ReasoningConcluded{Outcome: domain.OutcomeFailed}
	held     = domain.ReasoningConcluded{Outcome: domain.OutcomeHeld}
	notified = domain.ReasoningConcluded{Outcome: domain.OutcomeSurfaced, Shown: domain.ShownNotification, Reply: id(3, 2)}
	urgent   = domain.ReasoningConcluded{Outcome: domain.OutcomeSurfaced, Shown: domain.ShownEscalation, Reply: id(3, 3)}
)

func apply(t rapid.TB, p *transcript.Projection, recs ...domain.Record) {
	t.Helper()
	for _, r := range recs {
		if err := p.Apply(r); err != nil {
			t.Fatal(err)
		}
	}
}

func save(t rapid.TB, p *transcript.Projection, s projections.Store, pos domain.Position) {
	t.Helper()
	if err := s.Update(pos, p.Save); err != nil {
		t.Fatal(err)
	}
	p.Saved()
}

func loaded(t rapid.TB, s projections.Snapshot) *transcript.Projection {
	t.Helper()
	p := transcript.New()
	if err := p.Load(s); err != nil {
		t.Fatal(err)
	}
	return p
}

func all(t rapid.TB, p *transcript.Projection) []domain.Exchange {
	t.Helper()
	out, total, err := p.Recent(domain.ConversationID{}, 1<<62, 0)
	if err != nil || total != len(out) {
		t.Fatalf("%d of %d exchanges, %v", len(out), total, err)
	}
	return out
}

// open and closed are exchanges as they are expected of rec's records.
func open(n byte, pos domain.Position) domain.Exchange {
	return domain.Exchange{ID: id(1, n), Position: pos, RecordedAt: 1000 + domain.Millis(pos), Prompt: id(1, n)}
}

func closed(n byte, pos, end domain.Position, c domain.ReasoningConcluded) domain.Exchange {
	x := open(n, pos)
	x.Conclusion, x.Reply, x.Outcome, x.InWorkingMemory = id(2, byte(end)), c.Reply, c.Outcome, true
	return x
}

// act is an exchange that a button opened: no model looks back on it.
func act(x domain.Exchange) domain.Exchange {
	x.Action, x.Prompt, x.InWorkingMemory = x.Prompt, domain.ID{}, false
	return x
}

func unasked(n byte, pos domain.Position, c domain.ReasoningConcluded) domain.Exchange {
	x := closed(n, pos, pos, c)
	x.Prompt, x.InWorkingMemory = domain.ID{}, false
	return x
}

func TestWhatIsAnExchange(t *testing.T) {
	type (
		records   = []domain.Record
		exchanges = []domain.Exchange
	)
	message, action := rec(t, 1, 1, operator, said), rec(t, 1, 1, operator, pressed)
	lost := answered
	lost.Outcome, lost.Reply = "", domain.ID{}
	for _, c := range []struct {
		name string
		log  records
		want exchanges
	}{
		{"nothing", nil, exchanges{}},
		{"a message", records{message}, exchanges{open(1, 1)}},
		{"a message under way", records{message, rec(t, 2, 1, operator, domain.ReasoningStarted{}), rec(t, 3, 1, operator, domain.ModelCalled{}),
			rec(t, 4, 1, operator, domain.SteerReceived{Text: "no"}), rec(t, 5, 1, operator, domain.ModelReplied{})}, exchanges{open(1, 1)}},
		{"a message answered", records{message, rec(t, 4, 1, operator, answered)}, exchanges{closed(1, 1, 4, answered)}},
		{"a message that failed", records{message, rec(t, 4, 1, operator, failed)}, exchanges{closed(1, 1, 4, failed)}},
		{"a message answered by a notification", records{message, rec(t, 4, 1, operator, notified)}, exchanges{closed(1, 1, 4, notified)}},
		{"an erased message", records{erased(message), rec(t, 4, 1, operator, answered)}, exchanges{closed(1, 1, 4, answered)}},
		{"an erased answer", records{message, erased(rec(t, 4, 1, operator, answered))}, exchanges{closed(1, 1, 4, lost)}},
		{"an erased failure", records{message, erased(rec(t, 4, 1, operator, failed))}, exchanges{closed(1, 1, 4, failed)}},
		{"an action", records{action}, exchanges{act(open(1, 1))}},
		{"an action under way", records{action, rec(t, 2, 1, operator, domain.ReasoningStarted{})}, exchanges{act(open(1, 1))}},
		{"an action answered", records{action, rec(t, 2, 1, operator, answered)}, exchanges{act(closed(1, 1, 2, answered))}},
		{"an action that failed", records{action, rec(t, 2, 1, operator, failed)}, exchanges{act(closed(1, 1, 2, failed))}},
		{"an action answered by a notification", records{action, rec(t, 2, 1, operator, notified)}, exchanges{act(closed(1, 1, 2, notified))}},
		{"an erased action", records{erased(action), erased(rec(t, 2, 1, operator, answered))}, exchanges{act(closed(1, 1, 2, lost))}},
		{"an action of an interface", records{rec(t, 1, 1, "portal", pressed), rec(t, 2, 1, "portal", answered)}, exchanges{}},
		{"an action between messages", records{message, rec(t, 2, 2, operator, pressed), rec(t, 3, 1, operator, answered), rec(t, 4, 2, operator, failed)},
			exchanges{closed(1, 1, 3, answered), act(closed(2, 2, 4, failed))}},
		{"what an interface said", records{rec(t, 1, 1, "portal", said)}, exchanges{}},
		{"and was passed on", records{rec(t, 1, 1, "portal", said), rec(t, 2, 1, "portal", notified)}, exchanges{unasked(1, 2, notified)}},
		{"and could not wait", records{rec(t, 1, 1, "portal", said), rec(t, 2, 1, "portal", urgent)}, exchanges{unasked(1, 2, urgent)}},
		{"and was held", records{rec(t, 1, 1, "portal", said), rec(t, 2, 1, "portal", held)}, exchanges{}},
		{"and failed", records{rec(t, 1, 1, "portal", said), rec(t, 2, 1, "portal", failed)}, exchanges{}},
		{"said unasked", records{rec(t, 1, 1, domain.PrincipalCore, notified)}, exchanges{unasked(1, 1, notified)}},
		{"said unasked, for the person", records{rec(t, 1, 1, operator, notified)}, exchanges{unasked(1, 1, notified)}},
		{"said unasked and erased", records{erased(rec(t, 1, 1, domain.PrincipalCore, notified))}, exchanges{unasked(1, 1, lost)}},
		{"held and erased", records{erased(rec(t, 1, 1, domain.PrincipalCore, held))}, exchanges{}},
		{"a signal", records{rec(t, 1, 1, "station", domain.SignalReceived{SignalType: "a", Content: "b"})}, exchanges{}},
		{"two at once", records{message, rec(t, 2, 2, operator, said), rec(t, 3, 2, operator, failed), rec(t, 4, 3, "portal", urgent), rec(t, 5, 1, operator, answered)},
			exchanges{closed(1, 1, 5, answered), closed(2, 2, 3, failed), unasked(3, 4, urgent)}},
	} {
		p := transcript.New()
		apply(t, p, c.log...)
		if got := all(t, p); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s:\n%+v, want\n%+v", c.name, got, c.want)
		}
		thread, found := p.Thread(domain.ConversationID{})
		if found != (len(c.want) > 0) || found && thread != c.want[0].ID {
			t.Errorf("%s: the thread is %s, %v", c.name, thread, found)
		}
	}
}

// conversation is exchanges 1 to n at as many positions, the first of them ended
// at n + 1, the second at n + 2 and so on.
func conversation(t rapid.TB, n, ended byte) (log []domain.Record) {
	for i := byte(1); i <= n; i++ {
		log = append(log, rec(t, domain.Position(i), i, operator, said))
	}
	for i := byte(1); i <= ended; i++ {
		log = append(log, rec(t, domain.Position(n+i), i, operator, answered))
	}
	return log
}

func TestPages(t *testing.T) {
	p, store := transcript.New(), projections.NewMemStore()
	log := conversation(t, 9, 9)
	apply(t, p, log[:5]...) // and forgotten: nobody saved it
	p = loaded(t, store)
	apply(t, p, log[:7]...)
	save(t, p, store, 7)
	apply(t, p, log[7:11]...) // two are new, two have ended since
	for range 2 {
		for _, c := range []struct {
			limit, offset int
			want          []byte
		}{
			{3, 0, []byte{7, 8, 9}},
			{3, 1, []byte{6, 7, 8}},
			{3, 7, []byte{1, 2}},
			{9, 0, []byte{1, 2, 3, 4, 5, 6, 7, 8, 9}},
			{1 << 62, 8, []byte{1}},
			{3, 9, []byte{}},
			{3, 1 << 62, []byte{}},
			{0, 0, []byte{}},
			{-1, 0, []byte{}},
			{2, -1, []byte{8, 9}},
		} {
			page, total, err := p.Recent(domain.ConversationID{}, c.limit, c.offset)
			got := []byte{}
			for _, x := range page {
				got = append(got, x.ID[15])
				if ended := x.ID[15] <= 2; x.Conclusion.IsZero() == ended || x.InWorkingMemory != ended {
					t.Errorf("%d, %d: %+v", c.limit, c.offset, x)
				}
			}
			if !bytes.Equal(got, c.want) || total != 9 || err != nil {
				t.Errorf("%d, %d: %v of %d, %v; want %v", c.limit, c.offset, got, total, err, c.want)
			}
		}
		save(t, p, store, 11) // and the same again when all is saved
	}
}

// TestWorkingMemory is the latest finished exchanges in the conversation's
// order, whichever ended last.
func TestWorkingMemory(t *testing.T) {
	p := transcript.New()
	expect := func(want ...byte) {
		t.Helper()
		got := []byte{}
		for _, x := range all(t, p) {
			if x.InWorkingMemory {
				got = append(got, x.ID[15])
			}
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%v are in working memory, want %v", got, want)
		}
	}
	log := conversation(t, 7, 7)
	apply(t, p, log[:7]...)
	expect()
	apply(t, p, rec(t, 19, 19, operator, pressed), rec(t, 20, 19, operator, answered)) // asks no model
	expect()
	apply(t, p, log[7+6])
	expect(7)
	apply(t, p, log[7:7+3]...)
	expect(1, 2, 3, 7)
	apply(t, p, rec(t, 21, 20, "portal", notified)) // not the person's
	expect(1, 2, 3, 7)
	apply(t, p, log[7+4])
	expect(2, 3, 5, 7)
	apply(t, p, log[7+3], log[7+5])
	expect(4, 5, 6, 7)
}

func TestUndecodableChangesNothing(t *testing.T) {
	p := transcript.New()
	apply(t, p, rec(t, 1, 1, operator, said))
	bad := rec(t, 2, 1, operator, answered)
	bad.Envelope.Payload = domain.JSONPayload([]byte(`7`))
	if err := p.Apply(bad); domain.CodeOf(err) != domain.CodeUndecodable {
		t.Errorf("the error is %v", err)
	}
	if got, want := all(t, p), []domain.Exchange{open(1, 1)}; !reflect.DeepEqual(got, want) {
		t.Errorf("it now knows %+v", got)
	}
}

func TestInARunner(t *testing.T) {
	clock := domaintest.NewClock()
	log, ids := memlog.New(clock), domaintest.NewIDs(clock, 1)
	p := transcript.New()
	runner, err := projections.NewRunner(p, log, projections.NewMemStore(), clock, projections.Config{SaveEvery: 1})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- runner.Run(ctx) }()
	message := ids.NewTrace()
	begin := domain.Begin(message, operator)
	opening, err := domain.New(begin, message.ID, 1, "ws", said)
	if err != nil {
		t.Fatal(err)
	}
	end, err := domain.New(domain.Continue(opening.Envelope), ids.NewID(), 2, "reasoning", answered)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range []domain.Entry{opening, end} {
		if _, err := log.Append(ctx, domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
			t.Fatal(err)
		}
		if err := runner.WaitFor(ctx, log.Tail()); err != nil {
			t.Fatal(err)
		}
	}
	at := domain.MillisOf(clock.Now())
	want := []domain.Exchange{{ID: message.ID, Position: 1, RecordedAt: at, Prompt: message.ID, Conclusion: end.Envelope.ID,
		Reply: answered.Reply, Outcome: domain.OutcomeResponded, InWorkingMemory: true}}
	if got := all(t, p); !reflect.DeepEqual(got, want) {
		t.Errorf("it knows %+v, want %+v", got, want)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if p.Name() != "transcript" || p.Version() != 3 {
		t.Errorf("it is %s v%d", p.Name(), p.Version())
	}
}

var errRefused = errors.New("refused")

// Each conversation has its own exchanges and working memory, over a save, too; what Chalie
// says unasked is in the default one.
func TestConversationsOfTheirOwn(t *testing.T) {
	work := domain.ConversationName{Project: "p", Session: "work", User: "u"}
	in := func(r domain.Record) domain.Record {
		r.Envelope.Keys = append(r.Envelope.Keys, work.ID().Keys()...)
		return r
	}
	store := projections.NewMemStore()
	p := loaded(t, store)
	apply(t, p, rec(t, 1, 1, operator, said), in(rec(t, 2, 2, operator, said)))
	save(t, p, store, 2)
	apply(t, p, in(rec(t, 3, 2, operator, answered)), rec(t, 4, 1, operator, answered), rec(t, 5, 3, "reasoning", notified), in(rec(t, 6, 4, operator, said)))
	for _, p := range []*transcript.Projection{p, func() *transcript.Projection { save(t, p, store, 6); return loaded(t, store) }()} {
		if got := all(t, p); len(got) != 2 || got[0] != closed(1, 1, 4, answered) || got[1].ID != id(1, 3) {
			t.Errorf("the default conversation has %+v", got)
		}
		got, total, err := p.Recent(work.ID(), 9, 0)
		if err != nil || total != 2 || len(got) != 2 || got[0] != closed(2, 2, 3, answered) || got[1] != open(4, 6) {
			t.Errorf("the other one has %+v of %d, %v", got, total, err)
		}
		if got, total, err = p.Recent(work.ID(), 1, 1); err != nil || total != 2 || len(got) != 1 || got[0].ID != id(1, 2) {
			t.Errorf("its first is %+v of %d, %v", got, total, err)
		}
		if thread, ok := p.Thread(work.ID()); !ok || thread != id(1, 2) {
			t.Errorf("its thread is %v, %v", thread, ok)
		}
		if _, ok := p.Thread(domain.ConversationName{Session: "else"}.ID()); ok {
			t.Error("a conversation in which nothing was said has a thread")
		}
		known, err := p.Conversations()
		want := []domain.Conversation{{ID: work.ID(), Thread: id(1, 2), Exchanges: 2, Last: 1006}, {Thread: id(1, 1), Exchanges: 2, Last: 1005}}
		if err != nil || !reflect.DeepEqual(known, want) {
			t.Errorf("the conversations are %+v, %v", known, err)
		}
	}
}
