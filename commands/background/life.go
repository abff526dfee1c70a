package background

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"chalie/commands"
	"chalie/domain"
)

// sourceSystem is the emitter of what the program records of itself.
const sourceSystem domain.Source = "chalie"

const (
	startEvery = time.Second     // how often a start that couldn't be recorded is tried again
	stopWithin = 5 * time.Second // bounds the last append: a disk that hangs must not hold up the way out
)

// LifeConfig has the dependencies of a Life. All fields are required.
type LifeConfig struct {
	Log     domain.Log
	Env     commands.Env                // of which the log isn't used
	Started func() domain.SystemStarted // as it is to be recorded now
	Folded  commands.Barrier            // waits for the projections
}

// Life is the log of a program that has begun once system.started is in it: nothing that
// this program appends comes before. Where the disk has no room the program runs all the
// same, and every append is refused as that one is, until one can be made. It is safe for
// concurrent use.
type Life struct {
	domain.Log
	cfg LifeConfig

	way domain.Appender

	mu    sync.Mutex // one at a time begins
	began atomic.Bool
}

var _ domain.Log = (*Life)(nil)

// NewLife is one that begins with Start or the first append.
func NewLife(cfg LifeConfig) *Life {
	l := &Life{Log: cfg.Log, cfg: cfg}
	l.way = l
	return l
}

// Append is the log's, after system.started.
func (l *Life) Append(ctx context.Context, batch domain.Batch) (domain.Receipt, error) {
	if _, err := l.begin(ctx); err != nil {
		return domain.Receipt{}, err
	}
	return l.Log.Append(ctx, batch)
}

// Through has what the program records of itself go another way to this log, but for the
// start.
func (l *Life) Through(way domain.Appender) { l.way = way }

// begin appends system.started, unless it is there; its receipt is empty then.
func (l *Life) begin(ctx context.Context) (domain.Receipt, error) {
	if l.began.Load() {
		return domain.Receipt{}, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.began.Load() {
		return domain.Receipt{}, nil
	}
	entry, err := ownEntry(l, domain.PrincipalCore, l.cfg.Started())
	if err != nil {
		return domain.Receipt{}, err
	}
	receipt, err := l.Log.Append(ctx, domain.Batch{Entries: []domain.Entry{entry}})
	l.began.Store(err == nil)
	return receipt, err
}

// Start appends system.started, and returns where and when. Where the disk has no room
// for it, what is in the log until then is what there is to know, and StartLater records
// it.
func (l *Life) Start(ctx context.Context) (domain.Position, domain.Millis, error) {
	receipt, err := l.begin(ctx)
	if domain.CodeOf(err) == domain.CodeDiskLow {
		l.cfg.Env.Logger.Warn("nothing can be recorded until there is room; what was recorded can be read", "err", err)
		return l.Tail(), l.cfg.Env.Now(), nil
	}
	if err != nil {
		return 0, 0, err
	}
	return receipt.Positions[0], receipt.RecordedAt, nil
}

// StartLater records the start once there is room for it, and returns then or when ctx
// ends. Whatever is appended before does so, too.
func (l *Life) StartLater(ctx context.Context) {
	for !l.began.Load() {
		commands.Sleep(ctx, startEvery)
		if ctx.Err() != nil {
			return
		}
		receipt, err := l.begin(ctx)
		switch {
		case err == nil && len(receipt.Positions) > 0:
			l.cfg.Env.Logger.Info("there is room again; Chalie goes on", "position", uint64(receipt.Positions[0]))
		case err != nil && domain.CodeOf(err) != domain.CodeDiskLow && ctx.Err() == nil:
			l.cfg.Env.Logger.Error("the start can't be recorded", "err", err)
		}
	}
}

// Stop appends system.stopped, and waits until it is folded, so that the next start has
// nothing to catch up with. A fold that is far behind is not waited for. A program that
// never had room to say that it started has nothing to say.
func (l *Life) Stop(why string) error {
	if !l.began.Load() {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopWithin)
	defer cancel()
	entry, err := ownEntry(l, domain.PrincipalCore, domain.SystemStopped{Reason: why})
	if err != nil {
		return err
	}
	receipt, err := l.way.Append(ctx, domain.Batch{Entries: []domain.Entry{entry}})
	if err == nil {
		// Not catching up costs the next start a fold.
		_ = l.cfg.Folded.WaitFor(ctx, receipt.Positions[0])
	}
	return err
}

// Rebuilt appends that a projection goes on from another store, for whom it was asked.
func (l *Life) Rebuilt(ctx context.Context, what domain.ProjectionRebuilt, by domain.Principal) error {
	entry, err := ownEntry(l, by, what)
	if err == nil {
		_, err = l.way.Append(ctx, domain.Batch{Entries: []domain.Entry{entry}})
	}
	return err
}

// ownEntry is an event of the program itself, an episode of its own.
func ownEntry[P any](l *Life, by domain.Principal, payload P) (domain.Entry, error) {
	lineage := l.cfg.Env.Begin(by)
	return domain.New(lineage, lineage.Trace.ID, l.cfg.Env.Now(), sourceSystem, payload)
}
