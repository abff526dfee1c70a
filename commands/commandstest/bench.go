package commandstest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"chalie/adapters/watermillbus"
	"chalie/adapters/watermillbus/layers"
	"chalie/commands"
	"chalie/commands/account"
	"chalie/commands/limit"
	"chalie/commands/screen"
	"chalie/commands/signal"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
	"chalie/projections"
	"chalie/projections/small"
)

// Bench is commands over an in-memory log.
type Bench struct {
	T     *testing.T
	Clock *domaintest.Clock
	IDs   *domaintest.IDs
	Log   *memlog.Log
	Door  *Door // between the commands and the log
}

// NewBench is a bench over an empty log.
func NewBench(t *testing.T) *Bench {
	clock := domaintest.NewClock()
	log := memlog.New(clock)
	return &Bench{T: t, Clock: clock, IDs: domaintest.NewIDs(clock, 1), Log: log, Door: &Door{Log: log}}
}

// Env is where the commands of the bench work, with its door before the log.
func (b *Bench) Env() commands.Env {
	return commands.Env{Log: screen.Before(b.Door), Reader: b.Log, Tail: b.Log, Clock: b.Clock, IDs: b.IDs, Logger: slog.New(slog.DiscardHandler)}
}

// Door is the log with failures on order.
type Door struct {
	*memlog.Log

	mu     sync.Mutex
	before func(domain.Batch) error // a failure instead of an append
	after  func(domain.Receipt) error
}

// Append fails where that was ordered.
func (d *Door) Append(ctx context.Context, b domain.Batch) (domain.Receipt, error) {
	d.mu.Lock()
	before, after := d.before, d.after
	d.mu.Unlock()
	if before != nil {
		if err := before(b); err != nil {
			return domain.Receipt{}, err
		}
	}
	receipt, err := d.Log.Append(ctx, b)
	if err == nil && after != nil {
		err = after(receipt)
	}
	return receipt, err
}

// Set orders failures before an append, and after it; nil for none.
func (d *Door) Set(before func(domain.Batch) error, after func(domain.Receipt) error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.before, d.after = before, after
}

// Signals are taken in at so many a minute; 0 for no limit.
func (b *Bench) Signals(perMinute int) *signal.Signals {
	b.T.Helper()
	s, err := signal.New(signal.Config{Env: b.Limited(b.Env(), perMinute, nil)})
	if err != nil {
		b.T.Fatal(err)
	}
	return s
}

// Limited is the bench's environment with limits, as after a start.
func (b *Bench) Limited(e commands.Env, perMinute int, v *limit.Volume) commands.Env {
	b.T.Helper()
	return Limited(b.T, e, b.Log, perMinute, v)
}

// Limited is an environment over a log whose appends pass the layers that change and refuse
// them in the program.
func Limited(t testing.TB, e commands.Env, log domain.Log, perMinute int, v *limit.Volume) commands.Env {
	t.Helper()
	callers, err := limit.NewCallers(t.Context(), limit.CallersConfig{Reader: e.Reader, Clock: e.Clock, PerMinute: perMinute, Volume: v})
	if err != nil {
		t.Fatal(err)
	}
	bus, err := watermillbus.New(watermillbus.Config{Log: beneath{log, e.Log}, IDs: e.IDs, Clock: e.Clock,
		Layers: layers.All(layers.Config{Screen: screen.Stored, Limits: callers})})
	if err != nil {
		t.Fatal(err)
	}
	e.Log = bus
	return e
}

// beneath is a log that is appended to in another way.
type beneath struct {
	domain.Log
	to domain.Appender
}

// Append implements domain.Appender.
func (l beneath) Append(ctx context.Context, b domain.Batch) (domain.Receipt, error) {
	return l.to.Append(ctx, b)
}

// Records are all of a topic.
func (b *Bench) Records(topic domain.Topic) []domain.Record {
	b.T.Helper()
	records, err := b.Log.Select(context.Background(), domain.Selector{Topic: topic}, 1, 1<<20)
	if err != nil {
		b.T.Fatal(err)
	}
	return records
}

// Count wants so many records of a topic.
func (b *Bench) Count(topic domain.Topic, want int) {
	b.T.Helper()
	if got := len(b.Records(topic)); got != want {
		b.T.Errorf("topic %s has %d records, want %d", topic, got, want)
	}
}

// Book folds the log when it is asked, unless it is told to lag.
type Book struct {
	Log *memlog.Log

	mu    sync.Mutex
	lag   bool
	next  domain.Position
	state domain.Accounts
}

func (b *Book) Read(fn func(*domain.Accounts)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.lag {
		b.fold()
	}
	fn(&b.state)
}

// WaitFor folds what the log has.
func (b *Book) WaitFor(context.Context, domain.Position) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fold()
	return nil
}

func (b *Book) fold() {
	records, err := b.Log.Select(context.Background(), domain.Selector{}, b.next, 1<<20)
	for _, rec := range records {
		err = errors.Join(err, b.state.Evolve(rec))
		b.next = rec.Position + 1
	}
	if err != nil {
		panic(err)
	}
}

// Hold has the fold lag behind the log, or catch up.
func (b *Book) Hold(lag bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fold()
	b.lag = lag
}

// Plainly hashes so that a test can tell what was asked.
type Plainly struct {
	mu       sync.Mutex
	Verified []string // hashes asked about
}

// Hash shows what it was made of.
func (p *Plainly) Hash(_ context.Context, password string) (string, error) {
	return "hash of " + password, nil
}

// Verify notes which hash it was asked about.
func (p *Plainly) Verify(_ context.Context, hash, password string) (bool, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.Verified = append(p.Verified, hash)
	return hash == "hash of "+password, nil
}

// Accounts are kept over the bench, with the fold and the hashes they use.
func (b *Bench) Accounts() (*account.Accounts, *Book, *Plainly) {
	b.T.Helper()
	known, passwords := &Book{Log: b.Log}, &Plainly{}
	a, err := account.New(account.Config{
		Env: b.Env(), Book: known, Applied: known, Passwords: passwords,
	})
	if err != nil {
		b.T.Fatal(err)
	}
	return a, known, passwords
}

// Refused wants an error of a category and a code.
func Refused(t *testing.T, err error, category domain.Category, code domain.Code) {
	t.Helper()
	if domain.CategoryOf(err) != category || domain.CodeOf(err) != code || err == nil {
		t.Errorf("the error is %v (%q, %q), want %q, %q", err, domain.CategoryOf(err), domain.CodeOf(err), category, code)
	}
}

// Weather is a signal as good as any.
func Weather() domain.SignalReceived {
	return domain.SignalReceived{SignalType: "weather", Content: "rain", ActivationEnergy: 0.4}
}

// Ada is the person, and Station a program with a token.
var (
	Ada     = commands.OperatorCaller("api")
	Station = commands.TokenCaller(domain.Token{Name: "station", Issued: domain.ID{0x57}})
)

// rulebook has rules, nil for the default ones, and the names of the programs.
func rulebook(rules *domain.PolicyRules) *domain.Rulebook {
	return &domain.Rulebook{Set: rules, Programs: map[string]string{domain.ActorOf(Station.Principal): Station.Name}}
}

// AnswerID answers a request with what it made.
func AnswerID(id domain.ID) commands.Answer {
	return commands.Answer{Status: 202, Body: []byte(id.UUID())}
}

// BubbleClock shows the time of the bubble it is read in.
type BubbleClock struct{}

// Now is the present, in a bubble of synctest as well.
func (BubbleClock) Now() time.Time { return time.Now() }

// Shifted is off by some nanoseconds.
type Shifted struct{ Off atomic.Int64 }

// Now is the present, moved by Off.
func (s *Shifted) Now() time.Time { return time.Now().Add(time.Duration(s.Off.Load())) }

// Roll folds the log when it is asked, unless it is told to lag.
type Roll struct {
	Log *memlog.Log

	mu     sync.Mutex
	lag    bool
	Broken error // instead of waiting
	next   domain.Position
	state  domain.Registry
}

func (r *Roll) Read(fn func(*domain.Registry)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.lag {
		r.fold()
	}
	fn(&r.state)
}

// WaitFor folds what the log has.
func (r *Roll) WaitFor(context.Context, domain.Position) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.Broken != nil {
		return r.Broken
	}
	r.fold()
	return nil
}

func (r *Roll) fold() {
	records, err := r.Log.Select(context.Background(), domain.Selector{}, r.next, 1<<20)
	for _, rec := range records {
		err = errors.Join(err, r.state.Evolve(rec))
		r.next = rec.Position + 1
	}
	if err != nil {
		panic(err)
	}
}

// Hold folds everything so far, and then nothing unless somebody waits for it.
func (r *Roll) Hold() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fold()
	r.lag = true
}

// LogFailed is an append that failed.
func LogFailed(code domain.Code) error {
	return &domain.Error{Op: "append", Category: domain.Dependency, Code: code, Retriable: true, Message: "the log said " + string(code)}
}

// Volume bounds bytes a minute.
func Volume(t *testing.T, perMinute int) *limit.Volume {
	t.Helper()
	v, err := limit.NewVolume(perMinute)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// FoldedSurroundings folds the log whenever it is waited for.
type FoldedSurroundings struct {
	*projections.InMemory[domain.ContextUpdated]
	B       *Bench
	through domain.Position
}

// WaitFor folds what the log has.
func (f *FoldedSurroundings) WaitFor(ctx context.Context, pos domain.Position) error {
	records, err := f.B.Log.Select(ctx, domain.Selector{}, f.through+1, 100)
	for _, rec := range records {
		if err == nil {
			err = f.Apply(rec)
		}
		f.through = rec.Position
	}
	if err == nil && f.through < pos {
		err = fmt.Errorf("folded through %d, want %d", f.through, pos)
	}
	return err
}

// NewSurroundings takes in contexts over a new bench.
func NewSurroundings(t *testing.T) (*Bench, *signal.Surroundings, *FoldedSurroundings) {
	t.Helper()
	b := NewBench(t)
	fold := &FoldedSurroundings{InMemory: small.Surroundings(), B: b}
	s, err := signal.NewSurroundings(signal.SurroundingsConfig{Env: b.Env(), Book: fold, Applied: fold})
	if err != nil {
		t.Fatal(err)
	}
	return b, s, fold
}
