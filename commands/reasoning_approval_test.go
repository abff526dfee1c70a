package commands_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"chalie/commands"
	"chalie/domain"
)

// office is a stage whose tools wait for the person.
type office struct {
	*stage
	*counter
}

func newOffice(t *testing.T) *office {
	c := newCounter(t)
	o := &office{stageOn(t, c.bench), c}
	o.restarted()
	o.model.reply = func(_ context.Context, _ int, p commands.Prompt) (commands.Reply, error) {
		if len(p.Done) == 0 {
			r := calls("cancel")
			r.ToolCalls[0].Params = []byte(`{"id":"apt_1"}`)
			return r, nil
		}
		return says(p.Done[0].Text + p.Done[0].Error), nil
	}
	return o
}

// restarted is what a new process works with.
func (o *office) restarted() {
	tools := o.counter.tools()
	o.gate, o.approves = tools, o.approvals(tools)
}

var (
	untilItWaits = []domain.EventType{"message.received", "reasoning.started", "model.called", "model.replied", "tool.invoked", "policy.decided", "approval.proposed"}
	answersAgain = []domain.EventType{"model.called", "model.replied", "reasoning.concluded"}
)

// While the person hasn't said yes, nothing is dispatched; the answer waits in
// the log, over restarts, and others are answered meanwhile.
func TestAnAnswerWaitsForApproval(t *testing.T) {
	for _, c := range []struct {
		name   string
		decide func(o *office)
		then   []domain.EventType
		calls  int
		says   string
	}{
		{"granted", func(o *office) { o.decide(yes) }, []domain.EventType{"approval.granted", "tool.dispatched", "tool.completed"}, 1, "done"},
		{"refused", func(o *office) { o.decide(no) }, []domain.EventType{"approval.refused", "tool.failed"}, 0, "the answer was no"},
		{"too late", func(o *office) { o.clock.Advance(time.Hour) }, nil, 0, "nobody"},
		{"yes in words", func(o *office) { o.answer(o.say(ada, "yes, please")) }, []domain.EventType{"approval.granted", "tool.dispatched", "tool.completed"}, 1, "done"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := newOffice(t)
			rec := o.say(ada, "cancel my appointment")
			o.answer(rec)
			o.happened(rec, untilItWaits...)
			o.restarted()
			o.answer(rec)
			o.happened(rec, untilItWaits...)
			if o.peer.times() != 0 {
				t.Fatal("it was called before anybody approved")
			}
			asked, token := o.model.times(), o.pending()[0].Token
			if err := o.mind.WaitFor(t.Context(), o.log.Tail()); err != nil {
				t.Fatal(err)
			}
			c.decide(o)
			if o.model.times() != asked {
				t.Error("a plain answer was put to the model")
			}
			o.restarted()
			if c.then == nil {
				_, err := o.desk.Decide(t.Context(), ada, token, yes) // which notices it
				refused(t, err, domain.Conflict, domain.CodeTokenExpired)
				c.then = []domain.EventType{"approval.expired", "tool.failed", "approval.attempt_refused"}
			}
			o.answer(rec)
			o.happened(rec, slices.Concat(untilItWaits, c.then, answersAgain)...)
			if got := domain.PlainText(o.frames(rec)[0].Blocks); !strings.Contains(got, c.says) || o.peer.times() != c.calls {
				t.Errorf("after %d calls the person gets %q", o.peer.times(), got)
			}
		})
	}
}

// decide says yes or no to the only proposal.
func (o *office) decide(d commands.Deciding) {
	o.t.Helper()
	if _, err := o.desk.Decide(context.Background(), ada, o.pending()[0].Token, d); err != nil {
		o.t.Fatal(err)
	}
}

// A cancel is a no to what waits.
func TestCancelWhileItWaits(t *testing.T) {
	o := newOffice(t)
	rec := o.say(ada, "cancel my appointment")
	o.answer(rec)
	token := o.pending()[0].Token
	if _, err := o.messages.Cancel(t.Context(), ada, rec.Envelope.ID); err != nil {
		t.Fatal(err)
	}
	o.answer(rec)
	o.happened(rec, slices.Concat(untilItWaits, []domain.EventType{"cancel.received", "approval.refused", "tool.failed", "reasoning.concluded"})...)
	if end, _ := o.concluded(rec); end.Outcome != domain.OutcomeCancelled || o.peer.times() != 0 || len(o.pending()) != 0 {
		t.Errorf("concluded %+v after %d calls, %d pending", end, o.peer.times(), len(o.pending()))
	}
	_, err := o.desk.Decide(t.Context(), ada, token, yes)
	refused(t, err, domain.Conflict, domain.CodeTokenUsed)
}

// What a tool answers otherwise than it declares is told to the model.
func TestAModelIsToldWhatDoesNotFit(t *testing.T) {
	w := booking(t, `{"type":"object"}`, "")
	w.peer.do = func(context.Context, commands.Endpoint, commands.Call) (commands.Result, error) {
		return answered("at three"), nil
	}
	s := stageOn(t, w.bench)
	s.gate = w.tools()
	s.model.reply = func(_ context.Context, _ int, p commands.Prompt) (commands.Reply, error) {
		if len(p.Done) == 0 {
			return calls("book"), nil
		}
		return says(strings.Join(p.Done[0].Issues, "; ")), nil
	}
	rec := s.say(ada, "book a table")
	s.answer(rec)
	if got := domain.PlainText(s.frames(rec)[0].Blocks); got == "" || !slices.Contains(s.types(rec), "tool.verified") {
		t.Errorf("the model is told %q after %v", got, s.types(rec))
	}
}

// types are those of the trace of a record, in order.
func (s *stage) types(rec domain.Record) (types []domain.EventType) {
	for _, r := range s.episode(rec) {
		types = append(types, r.Envelope.Type)
	}
	return types
}
