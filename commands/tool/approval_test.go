package tool_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"chalie/commands"
	"chalie/commands/commandstest"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/domaintest"
)

func TestApproved(t *testing.T) {
	c := commandstest.NewCounter(t)
	p := c.Propose()
	records := c.Happened(commandstest.Waiting...)
	decided, proposed := commandstest.Decoded[domain.PolicyDecided](t, records[1]), commandstest.Decoded[domain.ApprovalProposed](t, records[2])
	hash := domain.HashSecret(p.Token).String()
	if decided.Allowed || decided.Verdict != domain.VerdictApproval || decided.ProposalToken != hash || proposed.ProposalToken != hash {
		t.Errorf("decided %+v, proposed %+v", decided, proposed)
	}
	if strings.Contains(fmt.Sprint(string(records[2].Envelope.Payload.Bytes), string(records[1].Envelope.Payload.Bytes)), p.Token) || !strings.Contains(proposed.Summary, `cancel of hospital with id: "apt_1"`) {
		t.Errorf("proposed %+v", proposed)
	}
	notice, err := domain.ApprovalNotice(records[2].Envelope)
	if err != nil || notice != p.Notification || notice.Actor != "operator" || notice.Channel != "api" || notice.Trace.ID != p.InvocationID {
		t.Errorf("noticed %+v, %v; pending is %+v", notice, err, p)
	}
	c.Restart() // the start leaves it to the person
	c.Happened(commandstest.Waiting...)

	if _, err := c.Desk.Decide(t.Context(), commandstest.Ada, p.Token, commandstest.Yes); err != nil {
		t.Fatal(err)
	}
	c.Happened(append(commandstest.Waiting, "approval.granted")...)
	if c.Peer.Times() != 0 || len(c.Pending()) != 0 {
		t.Errorf("%d calls, pending %+v", c.Peer.Times(), c.Pending())
	}
	c.Restart()
	for range 2 {
		c.Follow()
		records = c.Happened(append(commandstest.Waiting, "approval.granted", "tool.dispatched", "tool.completed")...)
	}
	lawfulTools(t, records, true)
	if granted := commandstest.Decoded[domain.ApprovalGranted](t, records[3]); granted.Actor != "operator" || granted.Correlator != domain.ByApprovalToken || c.Peer.Times() != 1 {
		t.Errorf("granted %+v, %d calls", granted, c.Peer.Times())
	}
}

func TestRefused(t *testing.T) {
	c := commandstest.NewCounter(t)
	p := c.Propose()
	if _, err := c.Desk.Decide(t.Context(), commandstest.Ada, p.Token, commandstest.No); err != nil {
		t.Fatal(err)
	}
	records := c.Happened(append(commandstest.Waiting, "approval.refused", "tool.failed")...)
	lawfulTools(t, records, true)
	if end := commandstest.Decoded[domain.ToolFailed](t, records[4]); end.Reason != domain.CodeApprovalRefused || end.Dispatched {
		t.Errorf("failed %+v", end)
	}
	if f := records[4].Envelope.Errors[0]; f.Category != domain.Policy || f.Retryable {
		t.Errorf("the fault is %+v", f)
	}
	c.Follow()
	if c.Peer.Times() != 0 {
		t.Errorf("%d calls", c.Peer.Times())
	}
}

// A token that was used, comes from somebody else, or too late does nothing, and
// that stands in the log.
func TestTokenDoesNothing(t *testing.T) {
	for name, c := range map[string]struct {
		by      commands.Caller
		prepare func(*commandstest.Counter, tool.Proposal)
		code    domain.Code
		kind    domain.Category
		calls   int
	}{
		"used for a yes": {commandstest.Ada, func(c *commandstest.Counter, p tool.Proposal) {
			if _, err := c.Desk.Decide(c.T.Context(), commandstest.Ada, p.Token, commandstest.Yes); err != nil {
				c.T.Fatal(err)
			}
		}, domain.CodeTokenUsed, domain.Conflict, 1},
		"used for a no": {commandstest.Ada, func(c *commandstest.Counter, p tool.Proposal) {
			if _, err := c.Desk.Decide(c.T.Context(), commandstest.Ada, p.Token, commandstest.No); err != nil {
				c.T.Fatal(err)
			}
		}, domain.CodeTokenUsed, domain.Conflict, 0},
		"used, and done": {commandstest.Ada, func(c *commandstest.Counter, p tool.Proposal) {
			if _, err := c.Desk.Decide(c.T.Context(), commandstest.Ada, p.Token, commandstest.Yes); err != nil {
				c.T.Fatal(err)
			}
			c.Follow()
		}, domain.CodeTokenUsed, domain.Conflict, 1},
		"another actor": {commandstest.Station, func(*commandstest.Counter, tool.Proposal) {}, domain.CodeAnotherActor, domain.Policy, 0},
		"too late": {commandstest.Ada, func(c *commandstest.Counter, _ tool.Proposal) { c.Clock.Advance(15 * time.Minute) },
			domain.CodeTokenExpired, domain.Conflict, 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := commandstest.NewCounter(t)
			p := w.Propose()
			c.prepare(w, p)
			for n := 1; n <= 12; n++ {
				_, err := w.Desk.Decide(t.Context(), c.by, p.Token, commandstest.Yes)
				commandstest.Refused(t, err, c.kind, c.code)
				recorded := 0
				for _, rec := range w.Records(domain.TopicTools) {
					if rec.Envelope.Type != "approval.attempt_refused" {
						continue
					}
					recorded++
					if got := commandstest.Decoded[domain.AttemptRefused](t, rec); got.Reason != c.code || got.InvocationID != p.InvocationID || rec.Envelope.Trace != p.Trace {
						t.Errorf("recorded %+v", got)
					}
				}
				if recorded != min(n, 8) {
					t.Errorf("%d attempts, %d recorded", n, recorded)
				}
			}
			w.Follow()
			if w.Peer.Times() != c.calls {
				t.Errorf("%d calls, want %d", w.Peer.Times(), c.calls)
			}
		})
	}
	w := commandstest.NewCounter(t)
	_, err := w.Desk.Decide(t.Context(), commandstest.Ada, "t/nothing", commandstest.Yes)
	commandstest.Refused(t, err, domain.NotFound, "no_proposal")
	w.Happened()
}

// Of a yes and a no at once one wins, however the reads and appends fall.
func TestDecidedAtOnce(t *testing.T) {
	c := commandstest.NewCounter(t)
	const rounds = 200
	for range rounds {
		p := c.Propose()
		var deciding sync.WaitGroup
		var won atomic.Int32
		for n := range 8 {
			deciding.Go(func() {
				if _, err := c.Desk.Decide(t.Context(), commandstest.Ada, p.Token, tool.Deciding{Granted: n%2 == 0, Channel: "api"}); err == nil {
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
	for _, rec := range c.Records(domain.TopicTools) {
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
		c := commandstest.NewCounter(t)
		c.Propose()
		c.Clock.Advance(10 * time.Minute)
		second := c.Propose()
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- c.Desk.WatchExpiry(ctx) }()
		synctest.Wait()
		c.Happened(append(commandstest.Waiting, commandstest.Waiting...)...)
		c.Clock.Advance(5 * time.Minute)
		domaintest.Pass(5 * time.Minute)
		synctest.Wait()
		c.Happened(append(append(commandstest.Waiting, commandstest.Waiting...), "approval.expired", "tool.failed")...)
		if _, err := c.Desk.Decide(t.Context(), commandstest.Ada, second.Token, commandstest.No); err != nil {
			t.Error(err)
		}
		third := c.Propose()
		if err := c.Desk.Follow(t.Context(), c.Records(domain.TopicTools)[10+2]); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		c.Clock.Advance(15 * time.Minute)
		domaintest.Pass(15 * time.Minute)
		synctest.Wait()
		last := c.Records(domain.TopicTools)
		end := last[len(last)-1]
		if id, _ := domain.InvocationOf(end.Envelope); id != third.InvocationID || commandstest.Decoded[domain.ToolFailed](t, end).Reason != domain.CodeApprovalExpired {
			t.Errorf("it ends with %+v", end)
		}
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("it ended with %v", err)
		}
	})
}

// What a program asked goes with its token, told apart from what its successor of that name asks,
// also where an earlier build knew it by the name.
func TestAskerIsShutOut(t *testing.T) {
	for _, former := range []bool{false, true} {
		for _, granted := range []bool{false, true} { // before anybody saw the revocation
			t.Run(fmt.Sprint(former, granted), func(t *testing.T) {
				c := commandstest.NewCounter(t)
				accounts, _, _ := c.Accounts()
				courier := func() commands.Caller {
					issued, err := accounts.IssueToken(t.Context(), commandstest.Ada, "courier", nil)
					if err != nil {
						t.Fatal(err)
					}
					who, _ := accounts.Token(issued.Text)
					if was, _, ok := who.Former(); former && ok {
						who.Principal = was.Principal
					}
					return who
				}
				revoke := func(name string) {
					if err := accounts.RevokeToken(t.Context(), commandstest.Ada, name); err != nil {
						t.Fatal(err)
					}
				}
				first := courier()
				gone, own := c.ProposeBy(first, domain.ChannelToken), c.Propose()
				revoke("courier")
				stays := c.ProposeBy(courier(), domain.ChannelToken)
				if _, err := accounts.IssueToken(t.Context(), commandstest.Ada, "other", nil); err != nil {
					t.Fatal(err)
				}
				revoke("other")
				if granted {
					_, err := c.Desk.Decide(t.Context(), commandstest.Ada, gone.Token, commandstest.Yes)
					commandstest.Refused(t, err, domain.Conflict, domain.CodeAskerRevoked)
				}
				watched(t, c)
				if left := c.Pending(); len(left) != 2 || left[0].Proposal != own.Proposal || left[1].Proposal != stays.Proposal {
					t.Errorf("%d wait: %+v", len(left), left)
				}
				for _, rec := range c.Records(domain.TopicTools) {
					if rec.Envelope.Type != domain.ApprovalRefusedType {
						continue
					}
					no := commandstest.Decoded[domain.ApprovalRefused](t, rec)
					if no.InvocationID != gone.InvocationID || no.Correlator != domain.ByRevocation || no.Actor != domain.ActorOperator || no.Channel != "api" {
						t.Errorf("refused %+v", no)
					}
				}
				if _, err := c.Desk.Decide(t.Context(), commandstest.Ada, gone.Token, commandstest.Yes); domain.CodeOf(err) != domain.CodeTokenUsed {
					t.Errorf("a late yes is answered with %v", err)
				}
				if _, err := c.Desk.Decide(t.Context(), commandstest.Ada, stays.Token, commandstest.Yes); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// watched lets the desk look once, as after a start, at what has to end.
func watched(t *testing.T, c *commandstest.Counter) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- c.Desk.WatchExpiry(ctx) }()
	for {
		tail := c.Log.Tail()
		if slices.ContainsFunc(c.Records(domain.TopicTools), func(rec domain.Record) bool { return rec.Envelope.Type == domain.ApprovalRefusedType }) {
			break
		}
		if _, err := c.Log.Wait(ctx, tail); err != nil {
			t.Fatal(err)
		}
	}
	cancel()
	<-ended
}

// What an interface asked, and what it was to do, goes with it.
func TestInterfaceIsRemoved(t *testing.T) {
	for _, asker := range []bool{false, true} {
		for _, granted := range []bool{false, true} { // before anybody saw the removal
			t.Run(fmt.Sprint(asker, granted), func(t *testing.T) {
				c := commandstest.NewCounter(t)
				other := c.Pair("lab", 9077)
				who := commands.Caller{Name: "lab", Source: "socket", Principal: domain.Principal(other.String())}
				gone, why := c.ProposeBy(who, domain.ChannelToken), "the interface that asked was removed"
				removed := other
				if !asker {
					id, _, _ := strings.Cut(gone.CapabilityID, "/")
					why = "the interface that was to do it was removed"
					var err error
					if removed, err = domain.ParseID(id); err != nil {
						t.Fatal(err)
					}
				}
				end := domain.InterfaceRemoved{InterfaceID: removed}
				entry, err := domain.New(domain.Begin(domain.TraceID{ID: removed}, domain.PrincipalOperator), c.IDs.NewID(), domain.MillisOf(c.Clock.Now()), "api", end)
				if err != nil {
					t.Fatal(err)
				}
				entry.Envelope.Keys = end.Keys()
				if _, err := c.Log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
					t.Fatal(err)
				}
				if granted {
					_, err := c.Desk.Decide(t.Context(), commandstest.Ada, gone.Token, commandstest.Yes)
					commandstest.Refused(t, err, domain.Conflict, domain.CodeAskerRevoked)
				}
				watched(t, c)
				if left := c.Pending(); len(left) != 0 {
					t.Errorf("%d wait: %+v", len(left), left)
				}
				for _, rec := range c.Records(domain.TopicTools) {
					switch rec.Envelope.Type {
					case domain.ApprovalRefusedType:
						if no := commandstest.Decoded[domain.ApprovalRefused](t, rec); no.Correlator != domain.ByRemoval || no.Actor != domain.ActorOperator || no.Channel != "api" {
							t.Errorf("refused %+v", no)
						}
					case domain.ToolFailedType:
						if failed := commandstest.Decoded[domain.ToolFailed](t, rec); !strings.Contains(failed.Detail, why) {
							t.Errorf("it failed with %q, want %q", failed.Detail, why)
						}
					}
				}
			})
		}
	}
}

// While a process runs a revocation is seen at once.
func TestAskerIsShutOutMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := commandstest.NewCounter(t)
		accounts, _, _ := c.Accounts()
		issued, err := accounts.IssueToken(t.Context(), commandstest.Ada, "courier", nil)
		if err != nil {
			t.Fatal(err)
		}
		who, _ := accounts.Token(issued.Text)
		c.ProposeBy(who, domain.ChannelToken)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- c.Desk.WatchExpiry(ctx) }()
		synctest.Wait()
		if err := accounts.RevokeToken(t.Context(), commandstest.Ada, "courier"); err != nil {
			t.Fatal(err)
		}
		for _, rec := range c.Records(domain.TopicAccounts) {
			if err := c.Desk.Follow(t.Context(), rec); err != nil {
				t.Error(err)
			}
		}
		synctest.Wait()
		c.Happened(append(commandstest.Waiting, "approval.refused", "tool.failed")...)
		cancel()
		<-ended
	})
}

func TestExpiredWhileDown(t *testing.T) {
	c := commandstest.NewCounter(t)
	p := c.Propose()
	c.Clock.Advance(time.Hour)
	if len(c.Pending()) != 0 {
		t.Errorf("pending %+v", c.Pending())
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- c.Approvals(c.Tools()).WatchExpiry(ctx) }()
	for c.Log.Tail() < 5 {
		if _, err := c.Log.Wait(ctx, c.Log.Tail()); err != nil {
			t.Fatal(err)
		}
	}
	cancel()
	<-ended
	records := c.Happened(append(commandstest.Waiting, "approval.expired", "tool.failed")...)
	if gone := commandstest.Decoded[domain.ApprovalExpired](t, records[3]); gone.InvocationID != p.InvocationID || gone.ExpiresAt != p.ExpiresAt {
		t.Errorf("expired %+v", gone)
	}
}

// A tool call of an episode waits, and goes on once it is asked again.
func TestCallWaits(t *testing.T) {
	for _, c := range []struct {
		name   string
		answer func(*commandstest.Counter, tool.Proposal)
		want   domain.EventType
		calls  int
	}{
		{"yes", func(c *commandstest.Counter, p tool.Proposal) {
			_, _ = c.Desk.Decide(c.T.Context(), commandstest.Ada, p.Token, commandstest.Yes)
		}, "tool.completed", 1},
		{"no", func(c *commandstest.Counter, p tool.Proposal) {
			_, _ = c.Desk.Decide(c.T.Context(), commandstest.Ada, p.Token, commandstest.No)
		}, "tool.failed", 0},
		{"nothing", func(c *commandstest.Counter, _ tool.Proposal) { c.Clock.Advance(time.Hour) }, "tool.failed", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := commandstest.NewCounter(t)
			in := inAnEpisode(t, w.Workshop)
			for range 2 {
				if got := until(t, w.Workshop, in); got.Outcome != "approval.proposed" || w.Peer.Times() != 0 {
					t.Fatalf("told %+v", got)
				}
			}
			w.Restart()
			p := w.Pending()[0]
			if p.Trace.ID != in.Parent || p.Channel != domain.ChannelChat {
				t.Errorf("pending %+v", p)
			}
			c.answer(w, p)
			w.Follow()
			if w.Peer.Times() != 0 {
				t.Error("somebody else than the episode called")
			}
			for range 2 {
				if got := until(t, w.Workshop, in); got.Outcome != c.want || w.Peer.Times() != c.calls {
					t.Errorf("told %+v after %d calls", got, w.Peer.Times())
				}
			}
			var own []domain.Record
			for _, rec := range w.Records(domain.TopicTools) {
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
			c := commandstest.NewCounter(t)
			p := c.Propose()
			if _, err := c.Desk.Decide(t.Context(), commandstest.Ada, p.Token, commandstest.Yes); err != nil {
				t.Fatal(err)
			}
			granted := c.Records(domain.TopicTools)[3]
			c.FailAt(step, recorded, commandstest.Dead)
			if err := c.Approvals(c.Tools()).Follow(t.Context(), granted); err == nil {
				t.Fatal("the log took everything")
			}
			c.Restart()
			c.Follow()
			ends := lawfulTools(t, c.Records(domain.TopicTools), true)
			want := map[bool]domain.EventType{true: "tool.outcome_unknown", false: "tool.completed"}[step == 1 && recorded || step == 2 && !recorded]
			if ends[p.InvocationID] != want || c.Peer.Times() > 1 {
				t.Errorf("step %d, recorded %t: %s after %d calls, want %s", step, recorded, ends[p.InvocationID], c.Peer.Times(), want)
			}
		}
	}
}

// With an Idempotency-Key a repeat is told that it waits, and then what came of it.
func TestWaitsWithAKey(t *testing.T) {
	c := commandstest.NewCounter(t)
	in := commandstest.Cancels()
	in.Key = "once"
	first, err := c.Tools().Invoke(t.Context(), commandstest.Ada, in)
	if err != nil || first.Outcome != "approval.proposed" {
		t.Fatalf("told %+v, %v", first, err)
	}
	again, err := c.Tools().Invoke(t.Context(), commandstest.Ada, in)
	if err != nil || again.ID != first.ID || again.Outcome != "approval.proposed" || again.ExpiresAt != first.ExpiresAt || !again.Replayed {
		t.Errorf("told %+v, %v", again, err)
	}
	if _, err := c.Desk.Decide(t.Context(), commandstest.Ada, c.Pending()[0].Token, commandstest.Yes); err != nil {
		t.Fatal(err)
	}
	c.Follow()
	again, err = c.Tools().Invoke(t.Context(), commandstest.Ada, in)
	if err != nil || again.ID != first.ID || again.Outcome != "tool.completed" || c.Peer.Times() != 1 {
		t.Errorf("told %+v, %v", again, err)
	}
}

// What was proposed by a clock that was ahead waits no longer than anything else, from
// the first record of a clock that is right.
func TestAProposalOfAClockAheadExpires(t *testing.T) {
	const year = 365 * 24 * time.Hour
	synctest.Test(t, func(t *testing.T) {
		c := commandstest.NewCounter(t)
		c.Clock.Advance(year)
		early := c.Propose()
		c.Clock.Advance(-year)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- c.Desk.WatchExpiry(ctx) }()
		synctest.Wait()
		right := c.Propose()
		c.Clock.Advance(15*time.Minute - time.Second)
		if got := c.Pending(); len(got) != 2 || got[0].ExpiresAt != right.ExpiresAt {
			t.Errorf("a second before it is time there wait %+v", got)
		}
		c.Clock.Advance(time.Second)
		if got := c.Pending(); len(got) != 0 {
			t.Errorf("when it is time there wait %+v", got)
		}
		if _, err := c.Desk.Decide(t.Context(), commandstest.Ada, early.Token, commandstest.Yes); domain.CodeOf(err) != domain.CodeTokenExpired {
			t.Errorf("decided after its time: %v", err)
		}
		domaintest.Pass(2 * time.Minute)
		synctest.Wait()
		expired := 0
		for _, rec := range c.Records(domain.TopicTools) {
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

// aloud hands on what the topic has, once, with one record more that is in no log, and
// returns when all is done with.
type aloud struct {
	records []domain.Record
	again   []domain.Position // what was to come again
}

func (a *aloud) Listen(ctx context.Context, _ string, topic domain.Topic, handle func(context.Context, domain.Record) error) error {
	if topic != domain.TopicTools {
		<-ctx.Done()
		return nil
	}
	for _, rec := range a.records {
		if handle(ctx, rec) != nil {
			a.again = append(a.again, rec.Position)
		}
	}
	return nil
}

// Run goes on with what was granted; what can't be for good doesn't come again.
func TestGrantsAreGoneOnWith(t *testing.T) {
	c := commandstest.NewCounter(t)
	p := c.Propose()
	if _, err := c.Desk.Decide(t.Context(), commandstest.Ada, p.Token, commandstest.Yes); err != nil {
		t.Fatal(err)
	}
	from := &aloud{records: c.Records(domain.TopicTools)}
	stray := from.records[len(from.records)-1]
	stray.Position = 99
	stray.Envelope.Keys = []domain.Key{domain.InvocationKey(domain.ID{9})}
	from.records = slices.Insert(from.records, 0, stray)
	if err := c.Desk.Run(t.Context(), from); !errors.Is(err, context.Canceled) { // its expiry ends with it
		t.Errorf("it ended with %v", err)
	}
	if len(from.again) > 0 || c.Peer.Times() != 1 {
		t.Errorf("%v come again, and the tool was called %d times", from.again, c.Peer.Times())
	}
	c.Happened(append(commandstest.Waiting, "approval.granted", "tool.dispatched", "tool.completed")...)
}

// A yes by way of a program decides what the setting says, and a no always does.
func TestYesByWayOfAProgram(t *testing.T) {
	always, never := domain.AskAlways, domain.AskNever
	for _, c := range []struct {
		tool    string
		forms   domain.Forms
		ask     *domain.Asking
		counts  bool
		because string
	}{
		{"greet", domain.FormsOfMost, nil, true, "it changes something"},
		{"greet", domain.FormsOfNone, nil, false, "no form counts"},
		{"greet", domain.FormsOfMost, &always, false, "it always asks"},
		{"greet", domain.FormsOfAll, &always, true, "every form counts"},
		{"pay", domain.FormsOfMost, nil, false, "its name speaks of paying"},
		{"pay", domain.FormsOfMost, &never, false, "it moves money, whatever the person is asked for their own words"},
		{"send", domain.FormsOfMost, nil, false, "a parameter speaks of paying"},
		{"pay", domain.FormsOfAll, nil, true, "every form counts"},
	} {
		t.Run(fmt.Sprintf("%s, %d, %s", c.tool, c.forms, c.because), func(t *testing.T) {
			w := commandstest.NewCounter(t)
			bank := w.Pair("bank", 9002, domain.Tool{Name: "greet", Parameters: []domain.Parameter{}}, domain.Tool{Name: "pay", Parameters: []domain.Parameter{}},
				domain.Tool{Name: "send", Parameters: []domain.Parameter{{Name: "iban", Type: domain.TypeString}}})
			if c.ask != nil {
				w.Regime.(*domain.Rulebook).Manifests = map[string]domain.CapabilityChanged{bank.UUID() + "/" + c.tool: {CapabilityID: bank.UUID() + "/" + c.tool, Ask: c.ask}}
			}
			cfg := w.Config()
			cfg.Params = func(context.Context) domain.Params {
				p := domain.DefaultParams()
				p.Forms = c.forms
				return p
			}
			tools, err := tool.New(cfg)
			if err != nil {
				t.Fatal(err)
			}
			desk := w.Approvals(tools)
			asked, err := tools.Invoke(t.Context(), commandstest.Ada, tool.Invocation{Tool: c.tool})
			if err != nil {
				t.Fatal(err)
			}
			p := w.Pending()[0]
			if byForm, err := desk.ByForm(t.Context(), asked.ID); err != nil || byForm != c.counts {
				t.Errorf("a form decides it: %t, %v", byForm, err)
			}
			for _, by := range []domain.Correlator{domain.ByForm, domain.ByPlainText, domain.ByReply, domain.ByButton} {
				_, err = desk.Decide(t.Context(), commands.OperatorCaller(domain.ChannelMCP), p.Token, tool.Deciding{Granted: true, Channel: domain.ChannelMCP, Correlator: by})
				if c.counts {
					break
				}
				commandstest.Refused(t, err, domain.Policy, domain.CodeOwnYesNeeded)
			}
			if c.counts && err != nil {
				t.Fatal(err)
			}
			granted := slices.ContainsFunc(w.Records(domain.TopicTools), func(r domain.Record) bool { return r.Envelope.Type == domain.ApprovalGrantedType })
			if granted != c.counts {
				t.Errorf("granted: %t", granted)
			}
			if !c.counts {
				if _, err := desk.Decide(t.Context(), commands.OperatorCaller(domain.ChannelMCP), p.Token, tool.Deciding{Channel: domain.ChannelMCP, Correlator: domain.ByForm}); err != nil {
					t.Errorf("a no by way of a program: %v", err)
				}
			}
		})
	}
}

// A question shows what would be sent as it reads.
func TestProposedAsItReads(t *testing.T) {
	c := commandstest.NewCounter(t)
	_, err := c.Tools().Invoke(t.Context(), commandstest.Ada, tool.Invocation{Tool: "cancel", Params: []byte(`{"id":"\u0070\u0061\u0079 Luigi\u0027s \u0026 S\u00F6hne\u202e"}`)})
	if got := c.Pending()[0].Summary; err != nil || got != `cancel of hospital with id: "pay Luigi's & Söhne\u202E"` {
		t.Errorf("it is asked as %s, %v", got, err)
	}
}

// A yes that a program says for its person counts no further than one in a form of its own.
func TestYesSaidByAProgram(t *testing.T) {
	c := commandstest.NewCounter(t)
	c.Pair("bank", 9002, domain.Tool{Name: "pay", Parameters: []domain.Parameter{}})
	_, err := c.Tools().Invoke(t.Context(), commandstest.Ada, tool.Invocation{Tool: "pay"})
	if err != nil {
		t.Fatal(err)
	}
	token := c.Pending()[0].Token
	said := commandstest.Happens(c, domain.TraceID{}, domain.MessageReceived{Text: "yes", Metadata: []byte(`{"approval_token":"` + domain.HashSecret(token).String() + `"}`),
		Conversation: domain.ConversationName{Project: domain.ProjectMCP, Session: "editor"}})
	if handled, answer := c.Ask(said, "yes"); !handled || !strings.Contains(answer, "Chalie's own chat or pages") {
		t.Errorf("it is answered %q", answer)
	}
	if handled, answer := c.Ask(c.Says("yes", `{"approval_token":"`+domain.HashSecret(token).String()+`"}`), "yes"); !handled || !strings.HasPrefix(answer, "Approved") {
		t.Errorf("the person is answered %q", answer)
	}
}
