package commands_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"chalie/commands"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// sealedBy is Tokens for tests.
type sealedBy string

func (s sealedBy) Token(id domain.ID) string { return string(s) + id.String() }

// counter is a workshop where everything waits for the person.
type counter struct {
	*workshop
	desk *commands.Approvals
}

// newCounter is a counter with a rule that asks for everything.
func newCounter(t *testing.T) *counter {
	w := newWorkshop(t)
	rules := domain.DefaultPolicy()
	rules.Rules = []domain.PolicyRule{{Name: "ask", Verdict: domain.VerdictApproval}}
	w.regime = &domain.Rulebook{Set: &rules}
	return &counter{w, w.approvals(w.tools())}
}

// approvals is a desk over the workshop's tools.
func (w *workshop) approvals(tools *commands.Tools) *commands.Approvals {
	w.t.Helper()
	desk, err := commands.NewApprovals(commands.ApprovalsConfig{Env: w.env(), Invocations: w.open, Applied: w.open,
		Tokens: sealedBy("t/"), Tools: tools})
	if err != nil {
		w.t.Fatal(err)
	}
	return desk
}

// pending are the proposals as a caught-up fold has them.
func (c *counter) pending() []commands.Proposal {
	c.t.Helper()
	if err := c.open.WaitFor(c.t.Context(), c.log.Tail()); err != nil {
		c.t.Fatal(err)
	}
	out, err := c.desk.Pending(c.t.Context())
	if err != nil {
		c.t.Fatal(err)
	}
	return out
}

// propose invokes a tool, which waits, and returns its proposal.
func (c *counter) propose() commands.Proposal {
	c.t.Helper()
	return c.proposeBy(ada, "")
}

// proposeBy is propose of somebody, through a channel.
func (c *counter) proposeBy(who commands.Caller, channel string) commands.Proposal {
	c.t.Helper()
	calls := c.peer.times()
	in := cancels()
	in.Channel = channel
	got, err := c.tools().Invoke(c.t.Context(), who, in)
	if err != nil || got.Outcome != "approval.proposed" || got.ExpiresAt != domain.MillisOf(c.clock.Now()).Add(15*time.Minute) || c.peer.times() != calls {
		c.t.Fatalf("told %+v, %v", got, err)
	}
	for _, p := range c.pending() {
		if p.InvocationID == got.ID {
			return p
		}
	}
	c.t.Fatalf("%s isn't pending", got.ID)
	return commands.Proposal{}
}

// follow gives the service every record of the topic.
func (c *counter) follow() {
	c.t.Helper()
	for _, rec := range c.records(domain.TopicTools) {
		if err := c.approvals(c.tools()).Follow(c.t.Context(), rec); err != nil {
			c.t.Fatal(err)
		}
	}
}

var (
	waiting = []domain.EventType{"tool.invoked", "policy.decided", "approval.proposed"}
	yes     = commands.Deciding{Granted: true, Channel: "api", Correlator: domain.ByApprovalToken}
	no      = commands.Deciding{Channel: "api", Correlator: domain.ByApprovalToken}
)

func TestApproved(t *testing.T) {
	c := newCounter(t)
	p := c.propose()
	records := c.happened(waiting...)
	decided, proposed := decoded[domain.PolicyDecided](t, records[1]), decoded[domain.ApprovalProposed](t, records[2])
	hash := domain.HashSecret(p.Token).String()
	if decided.Allowed || decided.Verdict != domain.VerdictApproval || decided.ProposalToken != hash || proposed.ProposalToken != hash {
		t.Errorf("decided %+v, proposed %+v", decided, proposed)
	}
	if strings.Contains(fmt.Sprint(string(records[2].Envelope.Payload.Bytes), string(records[1].Envelope.Payload.Bytes)), p.Token) || !strings.Contains(proposed.Summary, `cancel of hospital with {"id":"apt_1"}`) {
		t.Errorf("proposed %+v", proposed)
	}
	notice, err := domain.ApprovalNotice(records[2].Envelope)
	if err != nil || notice != p.Notification || notice.Actor != "operator" || notice.Channel != "api" || notice.Trace.ID != p.InvocationID {
		t.Errorf("noticed %+v, %v; pending is %+v", notice, err, p)
	}
	c.restart() // the start leaves it to the person
	c.happened(waiting...)

	if _, err := c.desk.Decide(t.Context(), ada, p.Token, yes); err != nil {
		t.Fatal(err)
	}
	c.happened(append(waiting, "approval.granted")...)
	if c.peer.times() != 0 || len(c.pending()) != 0 {
		t.Errorf("%d calls, pending %+v", c.peer.times(), c.pending())
	}
	c.restart()
	for range 2 {
		c.follow()
		records = c.happened(append(waiting, "approval.granted", "tool.dispatched", "tool.completed")...)
	}
	lawfulTools(t, records, true)
	if granted := decoded[domain.ApprovalGranted](t, records[3]); granted.Actor != "operator" || granted.Correlator != domain.ByApprovalToken || c.peer.times() != 1 {
		t.Errorf("granted %+v, %d calls", granted, c.peer.times())
	}
}

func TestRefused(t *testing.T) {
	c := newCounter(t)
	p := c.propose()
	if _, err := c.desk.Decide(t.Context(), ada, p.Token, no); err != nil {
		t.Fatal(err)
	}
	records := c.happened(append(waiting, "approval.refused", "tool.failed")...)
	lawfulTools(t, records, true)
	if end := decoded[domain.ToolFailed](t, records[4]); end.Reason != domain.CodeApprovalRefused || end.Dispatched {
		t.Errorf("failed %+v", end)
	}
	if f := records[4].Envelope.Errors[0]; f.Category != domain.Policy || f.Retryable {
		t.Errorf("the fault is %+v", f)
	}
	c.follow()
	if c.peer.times() != 0 {
		t.Errorf("%d calls", c.peer.times())
	}
}

// A token that was used, comes from somebody else, or too late does nothing, and
// that stands in the log.
func TestTokenDoesNothing(t *testing.T) {
	for name, c := range map[string]struct {
		by      commands.Caller
		prepare func(*counter, commands.Proposal)
		code    domain.Code
		kind    domain.Category
		calls   int
	}{
		"used for a yes": {ada, func(c *counter, p commands.Proposal) {
			if _, err := c.desk.Decide(c.t.Context(), ada, p.Token, yes); err != nil {
				c.t.Fatal(err)
			}
		}, domain.CodeTokenUsed, domain.Conflict, 1},
		"used for a no": {ada, func(c *counter, p commands.Proposal) {
			if _, err := c.desk.Decide(c.t.Context(), ada, p.Token, no); err != nil {
				c.t.Fatal(err)
			}
		}, domain.CodeTokenUsed, domain.Conflict, 0},
		"used, and done": {ada, func(c *counter, p commands.Proposal) {
			if _, err := c.desk.Decide(c.t.Context(), ada, p.Token, yes); err != nil {
				c.t.Fatal(err)
			}
			c.follow()
		}, domain.CodeTokenUsed, domain.Conflict, 1},
		"another actor": {station, func(*counter, commands.Proposal) {}, domain.CodeAnotherActor, domain.Policy, 0},
		"too late": {ada, func(c *counter, _ commands.Proposal) { c.clock.Advance(15 * time.Minute) },
			domain.CodeTokenExpired, domain.Conflict, 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := newCounter(t)
			p := w.propose()
			c.prepare(w, p)
			for n := 1; n <= 12; n++ {
				_, err := w.desk.Decide(t.Context(), c.by, p.Token, yes)
				refused(t, err, c.kind, c.code)
				recorded := 0
				for _, rec := range w.records(domain.TopicTools) {
					if rec.Envelope.Type != "approval.attempt_refused" {
						continue
					}
					recorded++
					if got := decoded[domain.AttemptRefused](t, rec); got.Reason != c.code || got.InvocationID != p.InvocationID || rec.Envelope.Trace != p.Trace {
						t.Errorf("recorded %+v", got)
					}
				}
				if recorded != min(n, 8) {
					t.Errorf("%d attempts, %d recorded", n, recorded)
				}
			}
			w.follow()
			if w.peer.times() != c.calls {
				t.Errorf("%d calls, want %d", w.peer.times(), c.calls)
			}
		})
	}
	w := newCounter(t)
	_, err := w.desk.Decide(t.Context(), ada, "t/nothing", yes)
	refused(t, err, domain.NotFound, "no_proposal")
	w.happened()
}

// Of a yes and a no at once one wins, however the reads and appends fall.
func TestDecidedAtOnce(t *testing.T) {
	c := newCounter(t)
	const rounds = 200
	for range rounds {
		p := c.propose()
		var deciding sync.WaitGroup
		var won atomic.Int32
		for n := range 8 {
			deciding.Go(func() {
				if _, err := c.desk.Decide(t.Context(), ada, p.Token, commands.Deciding{Granted: n%2 == 0, Channel: "api"}); err == nil {
					won.Add(1)
				}
			})
		}
		deciding.Wait()
		if won.Load() != 1 {
			t.Fatalf("%d won", won.Load())
		}
	}
	answers := 0
	for _, rec := range c.records(domain.TopicTools) {
		if t := rec.Envelope.Type; t == "approval.granted" || t == "approval.refused" {
			answers++
		}
	}
	if answers != rounds {
		t.Errorf("%d proposals, %d answers recorded", rounds, answers)
	}
}

// Proposals expire on time, also what expired while no process ran.
func TestExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCounter(t)
		c.propose()
		c.clock.Advance(10 * time.Minute)
		second := c.propose()
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- c.desk.Run(ctx) }()
		synctest.Wait()
		c.happened(append(waiting, waiting...)...)
		c.clock.Advance(5 * time.Minute)
		domaintest.Pass(5 * time.Minute)
		synctest.Wait()
		c.happened(append(append(waiting, waiting...), "approval.expired", "tool.failed")...)
		if _, err := c.desk.Decide(t.Context(), ada, second.Token, no); err != nil {
			t.Error(err)
		}
		third := c.propose()
		if err := c.desk.Follow(t.Context(), c.records(domain.TopicTools)[10+2]); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		c.clock.Advance(15 * time.Minute)
		domaintest.Pass(15 * time.Minute)
		synctest.Wait()
		last := c.records(domain.TopicTools)
		end := last[len(last)-1]
		if id, _ := domain.InvocationOf(end.Envelope); id != third.InvocationID || decoded[domain.ToolFailed](t, end).Reason != domain.CodeApprovalExpired {
			t.Errorf("it ends with %+v", end)
		}
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("it ended with %v", err)
		}
	})
}

func TestExpiredWhileDown(t *testing.T) {
	c := newCounter(t)
	p := c.propose()
	c.clock.Advance(time.Hour)
	if len(c.pending()) != 0 {
		t.Errorf("pending %+v", c.pending())
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- c.approvals(c.tools()).Run(ctx) }()
	for c.log.Tail() < 5 {
		if _, err := c.log.Wait(ctx, c.log.Tail()); err != nil {
			t.Fatal(err)
		}
	}
	cancel()
	<-ended
	records := c.happened(append(waiting, "approval.expired", "tool.failed")...)
	if gone := decoded[domain.ApprovalExpired](t, records[3]); gone.InvocationID != p.InvocationID || gone.ExpiresAt != p.ExpiresAt {
		t.Errorf("expired %+v", gone)
	}
}

// A tool call of an episode waits, and goes on once it is asked again.
func TestCallWaits(t *testing.T) {
	for _, c := range []struct {
		name   string
		answer func(*counter, commands.Proposal)
		want   domain.EventType
		calls  int
	}{
		{"yes", func(c *counter, p commands.Proposal) { _, _ = c.desk.Decide(c.t.Context(), ada, p.Token, yes) }, "tool.completed", 1},
		{"no", func(c *counter, p commands.Proposal) { _, _ = c.desk.Decide(c.t.Context(), ada, p.Token, no) }, "tool.failed", 0},
		{"nothing", func(c *counter, _ commands.Proposal) { c.clock.Advance(time.Hour) }, "tool.failed", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newCounter(t)
			in := inAnEpisode(t, w.workshop)
			for range 2 {
				if got := until(t, w.workshop, in); got.Outcome != "approval.proposed" || w.peer.times() != 0 {
					t.Fatalf("told %+v", got)
				}
			}
			w.restart()
			p := w.pending()[0]
			if p.Trace.ID != in.Parent || p.Channel != domain.ChannelChat {
				t.Errorf("pending %+v", p)
			}
			c.answer(w, p)
			w.follow()
			if w.peer.times() != 0 {
				t.Error("somebody else than the episode called")
			}
			for range 2 {
				if got := until(t, w.workshop, in); got.Outcome != c.want || w.peer.times() != c.calls {
					t.Errorf("told %+v after %d calls", got, w.peer.times())
				}
			}
			var own []domain.Record
			for _, rec := range w.records(domain.TopicTools) {
				if rec.Envelope.Type != "approval.attempt_refused" {
					own = append(own, rec)
				}
			}
			lawfulTools(t, own, true)
		})
	}
}

// Killed at any step after the yes, the call is made at most once.
func TestGrantedAndKilled(t *testing.T) {
	for step := 1; step <= 2; step++ {
		for _, recorded := range []bool{false, true} {
			c := newCounter(t)
			p := c.propose()
			if _, err := c.desk.Decide(t.Context(), ada, p.Token, yes); err != nil {
				t.Fatal(err)
			}
			granted := c.records(domain.TopicTools)[3]
			c.failAt(step, recorded, dead)
			if err := c.approvals(c.tools()).Follow(t.Context(), granted); err == nil {
				t.Fatal("the log took everything")
			}
			c.restart()
			c.follow()
			ends := lawfulTools(t, c.records(domain.TopicTools), true)
			want := map[bool]domain.EventType{true: "tool.outcome_unknown", false: "tool.completed"}[step == 1 && recorded || step == 2 && !recorded]
			if ends[p.InvocationID] != want || c.peer.times() > 1 {
				t.Errorf("step %d, recorded %t: %s after %d calls, want %s", step, recorded, ends[p.InvocationID], c.peer.times(), want)
			}
		}
	}
}

// With an Idempotency-Key a repeat is told that it waits, and then what came of it.
func TestWaitsWithAKey(t *testing.T) {
	c := newCounter(t)
	in := cancels()
	in.Key = "once"
	first, err := c.tools().Invoke(t.Context(), ada, in)
	if err != nil || first.Outcome != "approval.proposed" {
		t.Fatalf("told %+v, %v", first, err)
	}
	again, err := c.tools().Invoke(t.Context(), ada, in)
	if err != nil || again.ID != first.ID || again.Outcome != "approval.proposed" || again.ExpiresAt != first.ExpiresAt || !again.Replayed {
		t.Errorf("told %+v, %v", again, err)
	}
	if _, err := c.desk.Decide(t.Context(), ada, c.pending()[0].Token, yes); err != nil {
		t.Fatal(err)
	}
	c.follow()
	again, err = c.tools().Invoke(t.Context(), ada, in)
	if err != nil || again.ID != first.ID || again.Outcome != "tool.completed" || c.peer.times() != 1 {
		t.Errorf("told %+v, %v", again, err)
	}
}

// What was proposed by a clock that was ahead waits no longer than anything else, from
// the first record of a clock that is right.
func TestAProposalOfAClockAheadExpires(t *testing.T) {
	const year = 365 * 24 * time.Hour
	synctest.Test(t, func(t *testing.T) {
		c := newCounter(t)
		c.clock.Advance(year)
		early := c.propose()
		c.clock.Advance(-year)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- c.desk.Run(ctx) }()
		synctest.Wait()
		right := c.propose()
		c.clock.Advance(15*time.Minute - time.Second)
		if got := c.pending(); len(got) != 2 || got[0].ExpiresAt != right.ExpiresAt {
			t.Errorf("a second before it is time there wait %+v", got)
		}
		c.clock.Advance(time.Second)
		if got := c.pending(); len(got) != 0 {
			t.Errorf("when it is time there wait %+v", got)
		}
		if _, err := c.desk.Decide(t.Context(), ada, early.Token, yes); domain.CodeOf(err) != domain.CodeTokenExpired {
			t.Errorf("decided after its time: %v", err)
		}
		domaintest.Pass(2 * time.Minute)
		synctest.Wait()
		expired := 0
		for _, rec := range c.records(domain.TopicTools) {
			if rec.Envelope.Type == "approval.expired" {
				expired++
			}
		}
		if expired != 2 {
			t.Errorf("%d expiries are recorded", expired)
		}
		cancel()
		<-ended
	})
}
