package reasoning_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"chalie/commands"
	"chalie/commands/commandstest"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language"
)

// office is a stage whose tools wait for the person.
type office struct {
	*commandstest.Stage
	*commandstest.Counter
}

func newOffice(t *testing.T) *office {
	c := commandstest.NewCounter(t)
	o := &office{commandstest.StageOn(t, c.Bench), c}
	o.restarted()
	o.Model.Says = func(_ context.Context, _ int, p language.Prompt) (language.Reply, error) {
		if len(p.Done) == 0 {
			r := commandstest.Calls("cancel")
			r.ToolCalls[0].Params = []byte(`{"id":"apt_1"}`)
			return r, nil
		}
		return commandstest.Says(p.Done[0].Text + p.Done[0].Error), nil
	}
	return o
}

// restarted is what a new process works with.
func (o *office) restarted() {
	tools := o.Counter.Tools()
	o.Gate, o.Approves = tools, o.Approvals(tools)
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
		{"granted", func(o *office) { o.decide(commandstest.Yes) }, []domain.EventType{"approval.granted", "tool.dispatched", "tool.completed"}, 1, "done"},
		{"refused", func(o *office) { o.decide(commandstest.No) }, []domain.EventType{"approval.refused", "tool.failed"}, 0, "the answer was no"},
		{"too late", func(o *office) { o.Clock.Advance(time.Hour) }, nil, 0, "nobody"},
		{"yes in words", func(o *office) { o.Answer(o.Say(commandstest.Ada, "yes, please")) }, []domain.EventType{"approval.granted", "tool.dispatched", "tool.completed"}, 1, "done"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := newOffice(t)
			rec := o.Say(commandstest.Ada, "cancel my appointment")
			o.Answer(rec)
			o.Happened(rec, untilItWaits...)
			o.restarted()
			o.Answer(rec)
			o.Happened(rec, untilItWaits...)
			if o.Peer.Times() != 0 {
				t.Fatal("it was called before anybody approved")
			}
			asked, token := o.Model.Times(), o.Pending()[0].Token
			if err := o.Mind.WaitFor(t.Context(), o.Log.Tail()); err != nil {
				t.Fatal(err)
			}
			c.decide(o)
			if o.Model.Times() != asked {
				t.Error("a plain answer was put to the model")
			}
			o.restarted()
			if c.then == nil {
				_, err := o.Desk.Decide(t.Context(), commandstest.Ada, token, commandstest.Yes) // which notices it
				commandstest.Refused(t, err, domain.Conflict, domain.CodeTokenExpired)
				c.then = []domain.EventType{"approval.expired", "tool.failed", "approval.attempt_refused"}
			}
			o.Answer(rec)
			o.Happened(rec, slices.Concat(untilItWaits, c.then, answersAgain)...)
			if got := domain.PlainText(o.Frames(rec)[0].Blocks); !strings.Contains(got, c.says) || o.Peer.Times() != c.calls {
				t.Errorf("after %d calls the person gets %q", o.Peer.Times(), got)
			}
		})
	}
}

// decide says yes or no to the only proposal.
func (o *office) decide(d tool.Deciding) {
	o.T.Helper()
	if _, err := o.Desk.Decide(context.Background(), commandstest.Ada, o.Pending()[0].Token, d); err != nil {
		o.T.Fatal(err)
	}
}

// A cancel is a no to what waits.
func TestCancelWhileItWaits(t *testing.T) {
	o := newOffice(t)
	rec := o.Say(commandstest.Ada, "cancel my appointment")
	o.Answer(rec)
	token := o.Pending()[0].Token
	if _, err := o.Messages.Cancel(t.Context(), commandstest.Ada, rec.Envelope.ID); err != nil {
		t.Fatal(err)
	}
	o.Answer(rec)
	o.Happened(rec, slices.Concat(untilItWaits, []domain.EventType{"cancel.received", "approval.refused", "tool.failed", "reasoning.concluded"})...)
	if end, _ := o.Concluded(rec); end.Outcome != domain.OutcomeCancelled || o.Peer.Times() != 0 || len(o.Pending()) != 0 {
		t.Errorf("concluded %+v after %d calls, %d pending", end, o.Peer.Times(), len(o.Pending()))
	}
	_, err := o.Desk.Decide(t.Context(), commandstest.Ada, token, commandstest.Yes)
	commandstest.Refused(t, err, domain.Conflict, domain.CodeTokenUsed)
}

// What a tool answers otherwise than it declares is told to the model.
func TestAModelIsToldWhatDoesNotFit(t *testing.T) {
	w := commandstest.Booking(t, `{"type":"object"}`, "")
	w.Peer.Do = func(context.Context, commands.Endpoint, commands.Call) (commands.Result, error) {
		return commandstest.Answered(`{"on":3}`), nil
	}
	s := commandstest.StageOn(t, w.Bench)
	s.Gate = w.Tools()
	s.Model.Says = func(_ context.Context, _ int, p language.Prompt) (language.Reply, error) {
		if len(p.Done) == 0 {
			return commandstest.Calls("book"), nil
		}
		return commandstest.Says(strings.Join(p.Done[0].Issues, "; ")), nil
	}
	rec := s.Say(commandstest.Ada, "book a table")
	s.Answer(rec)
	if got := domain.PlainText(s.Frames(rec)[0].Blocks); got == "" || !slices.Contains(s.Types(rec), "tool.verified") {
		t.Errorf("the model is told %q after %v", got, s.Types(rec))
	}
}
