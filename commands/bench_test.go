package commands_test

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"time"

	"chalie/commands"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// bench is commands over an in-memory log.
type bench struct {
	t     *testing.T
	clock *domaintest.Clock
	ids   *domaintest.IDs
	log   *domaintest.Log
	door  *door // between the commands and the log
}

// newBench is a bench over an empty log.
func newBench(t *testing.T) *bench {
	clock := domaintest.NewClock()
	log := domaintest.NewLog(clock)
	return &bench{t: t, clock: clock, ids: domaintest.NewIDs(clock, 1), log: log, door: &door{Log: log}}
}

// env is where the commands of the bench work, with its door before the log.
func (b *bench) env() commands.Env {
	return commands.Env{Log: b.door, Reader: b.log, Tail: b.log, Clock: b.clock, IDs: b.ids, Logger: slog.New(slog.DiscardHandler)}
}

// door is the log with failures on order.
type door struct {
	*domaintest.Log

	mu     sync.Mutex
	before func(domain.Batch) error // a failure instead of an append
	after  func(domain.Receipt) error
}

func (d *door) Append(ctx context.Context, b domain.Batch) (domain.Receipt, error) {
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

// set orders failures before an append, and after it; nil for none.
func (d *door) set(before func(domain.Batch) error, after func(domain.Receipt) error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.before, d.after = before, after
}

// signals are taken in at so many a minute; 0 for no limit.
func (b *bench) signals(perMinute int) *commands.Signals {
	b.t.Helper()
	s, err := commands.NewSignals(b.t.Context(), commands.SignalsConfig{
		Env: b.env(), PerMinute: perMinute,
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return s
}

// records are all of a topic.
func (b *bench) records(topic domain.Topic) []domain.Record {
	b.t.Helper()
	records, err := b.log.Select(context.Background(), domain.Selector{Topic: topic}, 1, 1<<20)
	if err != nil {
		b.t.Fatal(err)
	}
	return records
}

// count wants so many records of a topic.
func (b *bench) count(topic domain.Topic, want int) {
	b.t.Helper()
	if got := len(b.records(topic)); got != want {
		b.t.Errorf("topic %s has %d records, want %d", topic, got, want)
	}
}

// book folds the log when it is asked, unless it is told to lag.
type book struct {
	log *domaintest.Log

	mu    sync.Mutex
	lag   bool
	next  domain.Position
	state domain.Accounts
}

func (b *book) Read(fn func(*domain.Accounts)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.lag {
		b.fold()
	}
	fn(&b.state)
}

func (b *book) WaitFor(context.Context, domain.Position) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fold()
	return nil
}

func (b *book) fold() {
	records, err := b.log.Select(context.Background(), domain.Selector{}, b.next, 1<<20)
	for _, rec := range records {
		err = errors.Join(err, b.state.Evolve(rec))
		b.next = rec.Position + 1
	}
	if err != nil {
		panic(err)
	}
}

// hold has the fold lag behind the log, or catch up.
func (b *book) hold(lag bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fold()
	b.lag = lag
}

// plainly hashes so that a test can tell what was asked.
type plainly struct {
	mu       sync.Mutex
	verified []string // hashes asked about
}

func (p *plainly) Hash(_ context.Context, password string) (string, error) {
	return "hash of " + password, nil
}

func (p *plainly) Verify(_ context.Context, hash, password string) (bool, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.verified = append(p.verified, hash)
	return hash == "hash of "+password, nil
}

// accounts are kept over the bench, with the fold and the hashes they use.
func (b *bench) accounts() (*commands.Accounts, *book, *plainly) {
	b.t.Helper()
	known, passwords := &book{log: b.log}, &plainly{}
	a, err := commands.NewAccounts(commands.AccountsConfig{
		Env: b.env(), Book: known, Applied: known, Passwords: passwords,
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return a, known, passwords
}

// refused wants an error of a category and a code.
func refused(t *testing.T, err error, category domain.Category, code domain.Code) {
	t.Helper()
	if domain.CategoryOf(err) != category || domain.CodeOf(err) != code || err == nil {
		t.Errorf("the error is %v (%q, %q), want %q, %q", err, domain.CategoryOf(err), domain.CodeOf(err), category, code)
	}
}

// weather is a signal as good as any.
func weather() domain.SignalReceived {
	return domain.SignalReceived{SignalType: "weather", Content: "rain", ActivationEnergy: 0.4}
}

var (
	ada     = commands.OperatorCaller("api")
	station = commands.TokenCaller(domain.Token{Name: "station"})
)

// minute is the window of rates.
const minute = time.Minute
