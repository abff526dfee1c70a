package background

import (
	"context"
	"errors"
	"time"

	"chalie/commands"
	"chalie/domain"
)

// BackupMaker makes backups where the last one was made.
type BackupMaker interface {
	// Last is when that was. Errors: not found, when none was made yet or its folder isn't
	// there; those of the disk.
	Last(ctx context.Context) (domain.Millis, error)
	// Again adds what is new, and returns the folder.
	Again(ctx context.Context) (folder string, err error)
}

// BackupsConfig has the dependencies of Backups. All are required.
type BackupsConfig struct {
	commands.Env
	Maker    BackupMaker
	Settings commands.View[domain.SettingsBook]
	Priority Priority
}

// Backups makes a backup whenever the setting says that one is due. One that fails is tried
// again within the hour, and the person is told of it once, until one can be made again; over
// restarts, too.
//
// It belongs to one goroutine.
type Backups struct {
	cfg BackupsConfig

	looked  domain.Position // records through here are in failing
	failing bool
	again   domain.Millis // after a failure not before
}

// NewBackups checks the configuration. Run does the work.
func NewBackups(cfg BackupsConfig) (*Backups, error) {
	if err := commands.Complete("configure backups", cfg); err != nil {
		return nil, err
	}
	return &Backups{cfg: cfg}, nil
}

// seldom bounds how often a backup is made, and a failed one is tried again.
const seldom = domain.Millis(time.Hour / time.Millisecond)

// Run makes backups until ctx ends.
func (b *Backups) Run(ctx context.Context) {
	for until(ctx, b.cfg.Clock, b.cfg.Clock.Now().Add(longestSleep)) {
		if err := b.Round(ctx); err != nil && ctx.Err() == nil {
			b.cfg.Logger.WarnContext(ctx, "how a backup went can't be recorded now", "err", err)
		}
	}
}

// Round makes a backup if one is due. Errors are those of the log: how the backup went is
// recorded.
func (b *Backups) Round(ctx context.Context) error {
	var every domain.Millis
	b.cfg.Settings.Read(func(s *domain.SettingsBook) { every = domain.Millis(s.Params().BackupEvery / time.Millisecond) })
	now := b.cfg.Now()
	if every == 0 || now < b.again || b.cfg.Priority.Waiting() {
		return nil
	}
	last, err := b.cfg.Maker.Last(ctx)
	if err == nil && now < last+max(every, seldom) {
		return nil
	}
	var folder string
	if err == nil {
		folder, err = b.cfg.Maker.Again(ctx)
	}
	if ctx.Err() != nil {
		return nil //nolint:nilerr // the program stops, and the next start makes it
	}
	b.again = 0
	if err != nil {
		b.again = now + seldom
	}
	return b.note(ctx, folder, err)
}

// note records how a backup went, if it went otherwise than the one before.
func (b *Backups) note(ctx context.Context, folder string, failure error) error {
	if err := b.remember(ctx); err != nil || b.failing == (failure != nil) {
		return err
	}
	entries, err := b.recovered(folder)
	if failure != nil {
		b.cfg.Logger.ErrorContext(ctx, "a backup that was due couldn't be made", "err", failure)
		entries, err = b.failed(failure)
	}
	if err != nil {
		return err
	}
	_, err = b.cfg.Log.Append(ctx, domain.Batch{Entries: entries})
	return err
}

// remember reads what is recorded of backups since it was last read.
func (b *Backups) remember(ctx context.Context) error {
	for {
		records, err := b.cfg.Reader.Select(ctx, domain.Selector{Key: domain.BackupKey}, b.looked+1, spinePage)
		for _, rec := range records {
			b.looked, b.failing = rec.Position, rec.Envelope.Type == domain.BackupFailedType
		}
		if err != nil || len(records) < spinePage {
			return err
		}
	}
}

func (b *Backups) recovered(folder string) ([]domain.Entry, error) {
	entry, err := commands.EntryOf(b.cfg.Env, b.cfg.Begin(domain.PrincipalCore), domain.SourceBackup, domain.BackupRecovered{Folder: folder})
	return []domain.Entry{entry}, err
}

// failed is the episode of a backup that failed: why, and what the person is shown of it.
func (b *Backups) failed(failure error) ([]domain.Entry, error) {
	reason := failure.Error()
	if e, ok := errors.AsType[*domain.Error](failure); ok {
		reason = e.Message
	}
	opening, err := commands.EntryOf(b.cfg.Env, b.cfg.Begin(domain.PrincipalCore), domain.SourceBackup, domain.BackupFailed{Reason: reason})
	if err != nil {
		return nil, err
	}
	told := domain.ReasoningConcluded{
		Outcome: domain.OutcomeSurfaced, Shown: domain.ShownNotification, Topic: "backup",
		Blocks:   []domain.Block{domain.TextBlock("A backup that was due couldn't be made: "+reason+".\nIt is tried again every hour, and you are told no more of it until one can be made again.", domain.FormatPlain)},
		Evidence: []domain.Evidence{{EnvelopeID: opening.Envelope.ID, Role: roleDue, Weight: domain.One}},
		Findings: []int{}, Rejected: []domain.Rejected{},
	}
	shown, err := domain.New(domain.Continue(opening.Envelope), b.cfg.IDs.NewID(), b.cfg.Now(), domain.SourceBackup, told)
	if err != nil {
		return nil, err
	}
	shown.Envelope.Keys = []domain.Key{domain.ConcludedKey(opening.Envelope.Trace), told.ShownKey()}
	return []domain.Entry{opening, shown}, nil
}
