package reasoning_test

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"chalie/adapters/watermillbus"
	"chalie/commands"
	"chalie/commands/background"
	"chalie/commands/commandstest"
	"chalie/commands/reasoning"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/language"
)

// hostile is a message that some part of the reading can't cope with.
const hostile = "one two three four five six seven eight and so on"

// reader is a part of the program that reads what was said, and does at hostile words what a test
// says. It takes the place of the built-in model, of what hears a yes, and of a skill.
type reader struct {
	does func(context.Context) error

	mu      sync.Mutex
	read    int           // times that it read the hostile words
	reading chan struct{} // hears of each; nil: nobody listens
}

func (r *reader) reads(ctx context.Context, text string) error {
	if text != hostile {
		return nil
	}
	r.mu.Lock()
	r.read++
	r.mu.Unlock()
	if r.reading != nil {
		r.reading <- struct{}{}
	}
	return r.does(ctx)
}

func (r *reader) times() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.read
}

// ownReading is the reader as a model that is part of the program: its time is Chalie's own.
type ownReading struct{ *reader }

func (ownReading) Name() string     { return "builtin/test" }
func (ownReading) SeesImages() bool { return false }
func (ownReading) Unmoved()         {}

func (b ownReading) Reply(ctx context.Context, p language.Prompt) (language.Reply, error) {
	if err := b.reads(ctx, p.Asked.Text); err != nil {
		return language.Reply{}, err
	}
	return commandstest.Says("heard " + p.Asked.Text), nil
}

// hears is the reader as what hears whether a message is a yes.
type hears struct{ *reader }

func (h hears) Ask(ctx context.Context, _ commands.Caller, _ domain.Record, text string) (tool.Spoken, error) {
	return tool.Spoken{}, h.reads(ctx, text)
}

func (hears) Press(context.Context, commands.Caller, domain.Record) (tool.Spoken, error) {
	return tool.Spoken{}, nil
}

func (hears) StillWaits(context.Context, commands.Caller, domain.Record, string) (tool.Spoken, error) {
	return tool.Spoken{}, nil
}

func (hears) Withdraw(context.Context, commands.Caller, domain.ID, domain.Envelope) error { return nil }

// desk is a stage whose messages are answered by a loop.
type desk struct {
	*commandstest.Stage
	bus    *watermillbus.Bus
	cfg    reasoning.Config
	bounds commands.Bounds
	faults reasoning.Faults
	front  *background.Foreground
}

func newDesk(t *testing.T) *desk {
	s := commandstest.NewStage(t)
	bus, err := watermillbus.New(watermillbus.Config{Log: s.Log, IDs: s.IDs, Clock: s.Clock})
	if err != nil {
		t.Fatal(err)
	}
	return &desk{Stage: s, bus: bus, cfg: s.Config(), front: &background.Foreground{}}
}

// start runs a loop, as a new process does, until end is called.
func (d *desk) start() (end func()) {
	r, err := reasoning.New(d.cfg)
	if err != nil {
		d.T.Fatal(err)
	}
	l := newLoop(d.T, reasoning.LoopConfig{Env: commands.Env{Log: d.bus, Reader: d.Log, Tail: d.Log, Clock: d.Clock, IDs: d.IDs, Logger: slog.New(slog.DiscardHandler)},
		Feed: d.bus, Reasoner: r, Foreground: d.front, Bounds: d.bounds, Faults: d.faults})
	ctx, stop := context.WithCancel(d.T.Context())
	ended := make(chan error, 1)
	go func() { ended <- l.Run(ctx) }()
	return sync.OnceFunc(func() {
		stop()
		if err := <-ended; err != nil {
			d.T.Error(err)
		}
	})
}

// forEver computes on whatever its context says, until the test ends.
func forEver(t *testing.T) func(context.Context) error {
	over := make(chan struct{})
	t.Cleanup(func() { close(over) })
	return func(context.Context) error {
		<-over
		return nil
	}
}

// What can't be read is tried three times and then ended, told by its first words, and it holds
// up nothing: whichever part of the reading it is, and whatever that does.
func TestWhatCannotBeReadIsGivenUp(t *testing.T) {
	var held atomic.Uint64
	ways := map[string]struct {
		does  func(*testing.T) func(context.Context) error
		bound domain.AttemptBound
		words string
	}{
		"for ever": {forEver, domain.BoundDeadline, "it took too long"},
		"panic":    {func(*testing.T) func(context.Context) error { return func(context.Context) error { panic("no") } }, domain.BoundPanic, "it broke off"},
		"memory": {func(t *testing.T) func(context.Context) error {
			on := forEver(t)
			return func(ctx context.Context) error {
				held.Add(1 << 30)
				return on(ctx)
			}
		}, domain.BoundMemory, "it took too much memory"},
	}
	places := map[string]struct {
		put   func(*desk, *reader)
		began []domain.EventType // what is recorded before the attempts
	}{
		"what hears a yes": {func(d *desk, r *reader) { d.cfg.Approvals = hears{r} }, nil},
		"the built-in model": {func(d *desk, r *reader) { d.cfg.Models = []reasoning.Model{ownReading{r}} },
			[]domain.EventType{domain.ReasoningStartedType, domain.ModelCalledType}},
	}
	for way, w := range ways {
		for place, p := range places {
			t.Run(place+" "+way, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					d, r := newDesk(t), &reader{does: w.does(t)}
					d.bounds.Heap = held.Load
					p.put(d, r)
					bad, good := d.Say(commandstest.Ada, hostile), d.Say(commandstest.Ada, "hello")
					end := d.start()
					domaintest.Pass(time.Minute)
					synctest.Wait()
					failed := slices.Repeat([]domain.EventType{domain.AttemptFailedType}, domain.MaxAttempts)
					records := d.Happened(bad, slices.Concat([]domain.EventType{domain.MessageReceivedType}, p.began, failed,
						[]domain.EventType{domain.ReasoningGivenUpType, domain.ReasoningConcludedType})...)
					first, err := domain.Decode[domain.AttemptFailed](records[1+len(p.began)].Envelope)
					if err != nil || first.Bound != w.bound {
						t.Errorf("the first attempt is %+v, %v", first, err)
					}
					frames := d.Frames(bad)
					if len(frames) != 2 || frames[0].Type != domain.FrameMessage || frames[1].Type != domain.FrameDone {
						t.Fatalf("the person gets %+v", frames)
					}
					if text := domain.PlainText(frames[0].Blocks); !strings.Contains(text, "“one two three four five six seven eight …”") || !strings.Contains(text, w.words) {
						t.Errorf("the person is told %q", text)
					}
					if got, _ := d.Concluded(good); got.Outcome != domain.OutcomeResponded {
						t.Errorf("what was said next ended as %+v", got)
					}
					if d.front.Waiting() {
						t.Error("somebody waits for ever")
					}
					end()
					end = d.start() // the next process has nothing to do
					synctest.Wait()
					end()
					if d.Answer(bad); r.times() != domain.MaxAttempts || len(d.Episode(bad)) != len(records) {
						t.Errorf("it was read %d times, and there are %d records", r.times(), len(d.Episode(bad)))
					}
				})
			})
		}
	}
}

// A stop, and the end of the process in each attempt, is no failed attempt: what was recorded
// counts, and nothing else does.
func TestAnEndedProcessIsNoFailedAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, r := newDesk(t), &reader{does: forEver(t), reading: make(chan struct{})}
		d.cfg.Models = []reasoning.Model{ownReading{r}}
		bad := d.Say(commandstest.Ada, hostile)
		for failed := range domain.MaxAttempts {
			for range 2 { // two processes end in this attempt
				end := d.start()
				<-r.reading
				end()
				if got := d.Types(bad); len(got) != 3+failed {
					t.Fatalf("after %d attempts and a stop happened %v", failed, got)
				}
			}
			end := d.start()
			<-r.reading
			go func() { // of the attempt after it, which is stopped
				if failed < domain.MaxAttempts-1 {
					<-r.reading
				}
			}()
			domaintest.Pass(12 * time.Second)
			synctest.Wait()
			end()
		}
		if got, _ := d.Concluded(bad); got.Outcome != domain.OutcomeFailed {
			t.Errorf("it ended as %+v: %v", got, d.Types(bad))
		}
	})
}

// died is a fault that ended the process before.
type died struct {
	trace domain.TraceID
	tried []domain.TraceID
}

func (f *died) Trying(trace domain.TraceID) (done func()) {
	f.tried = append(f.tried, trace)
	return func() {}
}

func (f *died) Died() (domain.TraceID, string, bool) {
	return f.trace, "fatal error: stack overflow", !f.trace.IsZero()
}

// A fault that ends the process counts at the next start: else each start would end so.
func TestAFaultOfTheProcessIsAFailedAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, r := newDesk(t), &reader{does: func(context.Context) error { t.Error("it is read again"); return nil }}
		d.cfg.Models = []reasoning.Model{ownReading{r}}
		bad := d.Say(commandstest.Ada, hostile)
		for range domain.MaxAttempts {
			// The process ends before anything of the attempt is recorded.
			reasoner, err := reasoning.New(d.cfg)
			if err == nil {
				err = reasoner.BrokeOff(t.Context(), bad.Envelope.Trace, &commands.Broken{Bound: domain.BoundPanic})
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		f := &died{trace: d.Say(commandstest.Ada, "hello").Envelope.Trace}
		d.faults = f
		end := d.start()
		synctest.Wait()
		end()
		if got, _ := d.Concluded(bad); got.Outcome != domain.OutcomeFailed || !slices.Contains(f.tried, bad.Envelope.Trace) {
			t.Errorf("it ended as %+v, and %v were tried", got, f.tried)
		}
		records, err := d.Log.Select(t.Context(), domain.Selector{Trace: f.trace}, 1, 100)
		if err != nil || len(records) < 2 || records[1].Envelope.Type != domain.AttemptFailedType {
			t.Errorf("of the episode that ended the process there is %+v, %v", records, err)
		}
	})
}

// A cancel reaches what doesn't look at its context.
func TestACancelReachesWhatComputes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, r := newDesk(t), &reader{does: forEver(t), reading: make(chan struct{}, 8)}
		d.cfg.Models = []reasoning.Model{ownReading{r}}
		bad := d.Say(commandstest.Ada, hostile)
		end := d.start()
		defer end()
		<-r.reading
		if _, err := d.Messages.Cancel(t.Context(), commandstest.Ada, bad.Envelope.ID); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		domaintest.Pass(1100 * time.Millisecond)
		synctest.Wait()
		if got, _ := d.Concluded(bad); got.Outcome != domain.OutcomeCancelled {
			t.Errorf("%s later it is %v", time.Since(began), d.Types(bad))
		}
	})
}
