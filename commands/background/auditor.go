package background

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"chalie/commands"
	"chalie/domain"
)

// DefaultAuditAt is the time at which the audit begins, since midnight.
const DefaultAuditAt = 3*time.Hour + 30*time.Minute

// auditSoon is how long after the start a projection is looked at again that was
// found to have diverged: it may have been folded again since.
const auditSoon = time.Minute

// FoldAudit is the result of folding a projection again, and comparing.
type FoldAudit struct {
	Name           string
	Version        int
	Position       domain.Position // through which both were folded
	Served, Folded string          // hashes of what answers and of what the log gives
	Differing      uint64          // things they don't agree on; 0 when they do
}

// FoldChecker folds projections again, beside those that serve.
type FoldChecker interface {
	// Projections are the names of all projections.
	Projections() []string
	// Check folds one again, in no hurry, and compares. It changes nothing. A
	// projection that can't be compared now, because it has stopped or is being
	// rebuilt, is a Conflict.
	Check(ctx context.Context, name string) (FoldAudit, error)
}

// AuditorConfig has the dependencies of the audit. All fields but At and Off are required.
type AuditorConfig struct {
	commands.Env
	Checker  FoldChecker
	Priority Priority
	Heart    Heart
	Zone     func() *time.Location // where the person is
	At       time.Duration         // since midnight; 0 is midnight
	Off      bool                  // nothing is audited by itself
}

// Validate returns a validation error when something is missing or makes no sense.
func (c AuditorConfig) Validate() error {
	const op = "configure audit"
	if err := commands.Complete(op, c); err != nil {
		return err
	}
	if c.At < 0 || c.At >= 24*time.Hour {
		return domain.Invalid(op, "At", "At is a time of day: from 0 to less than 24h")
	}
	return nil
}

// Auditor proves once a night that every projection knows what the log says. Each is
// folded again from the log and compared at one position; of one that came out
// otherwise projection.diverged is recorded, and it stays marked until it agrees
// again or is rebuilt. While a message waits for its answer the audit waits, too.
//
// Run belongs to one goroutine; Diverged is safe for concurrent use.
type Auditor struct {
	cfg  AuditorConfig
	from time.Time // the next audit is the first after it; Run's

	mu     sync.Mutex
	marks  map[string]domain.ProjectionDiverged
	looked domain.Position // records through here are in marks
	last   time.Time       // when all were last looked at; zero before
}

// NewAuditor checks the configuration. Run does the work.
func NewAuditor(cfg AuditorConfig) (*Auditor, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	return &Auditor{cfg: cfg, from: cfg.Clock.Now(), marks: map[string]domain.ProjectionDiverged{}}, nil
}

// Run audits every night until ctx ends.
func (a *Auditor) Run(ctx context.Context) error {
	if marked := a.remember(ctx); len(marked) > 0 && until(ctx, a.cfg.Clock, a.cfg.Clock.Now().Add(auditSoon)) {
		a.audit(ctx, marked)
	}
	if a.cfg.Off {
		<-ctx.Done()
		return nil
	}
	// A start that takes past the hour misses no audit.
	for until(ctx, a.cfg.Clock, a.next(a.from)) {
		a.from = a.cfg.Clock.Now()
		if a.audit(ctx, a.cfg.Checker.Projections()) {
			a.mu.Lock()
			a.last = a.cfg.Clock.Now()
			a.mu.Unlock()
		}
	}
	return nil
}

// next is the first moment after now that has the time of day where the person is;
// in a night whose clocks skip that time, an hour beside it.
func (a *Auditor) next(now time.Time) time.Time {
	here := now.In(a.cfg.Zone())
	for day := here.Day(); ; day++ {
		at := time.Date(here.Year(), here.Month(), day, 0, 0, int(a.cfg.At/time.Second), 0, here.Location())
		if at.After(now) {
			return at
		}
	}
}

// audit looks at some of the projections, one after the other, and reports whether
// it has looked at all of them. What can't be looked at now is next night.
func (a *Auditor) audit(ctx context.Context, names []string) (all bool) {
	defer a.cfg.Heart.Work(domain.ServiceAudit)()
	all = true
	for _, name := range names {
		if !a.calm(ctx) {
			return false
		}
		found, err := a.cfg.Checker.Check(ctx, name)
		switch {
		case ctx.Err() != nil:
			return false
		case err != nil:
			all = false
			a.cfg.Logger.WarnContext(ctx, "a projection could not be audited; it is tried again next night", "projection", name, "err", err)
		case found.Differing == 0:
			a.clear(ctx, name)
		default:
			a.diverged(ctx, found)
		}
	}
	return all
}

// calm waits until no message waits for an answer; false when ctx ended first.
func (a *Auditor) calm(ctx context.Context) bool {
	for ctx.Err() == nil {
		changed := a.cfg.Priority.Changed()
		if !a.cfg.Priority.Waiting() {
			return true
		}
		select {
		case <-changed:
		case <-ctx.Done():
		}
	}
	return false
}

// diverged marks a projection, and records it unless the same is recorded already.
func (a *Auditor) diverged(ctx context.Context, found FoldAudit) {
	p := domain.ProjectionDiverged{Name: found.Name, Version: found.Version, Position: found.Position,
		ServedHash: found.Served, FoldedHash: found.Folded, Differing: found.Differing}
	a.cfg.Logger.ErrorContext(ctx, "a projection is not what the log says; run `chalie rebuild "+p.Name+"`",
		"projection", p.Name, "version", p.Version, "position", uint64(p.Position), "differing", p.Differing)
	a.mu.Lock()
	was, marked := a.marks[p.Name]
	a.marks[p.Name] = p
	a.mu.Unlock()
	if marked && was.Version == p.Version && was.Differing == p.Differing {
		return
	}
	if err := a.record(ctx, p); err != nil {
		a.cfg.Logger.WarnContext(ctx, "that a projection has diverged was not recorded", "projection", p.Name, "err", err)
	}
}

func (a *Auditor) record(ctx context.Context, p domain.ProjectionDiverged) error {
	id := a.cfg.IDs.NewID()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.ServiceAudit), id, a.cfg.Now(), domain.ServiceAudit, p)
	if err != nil {
		return err
	}
	entry.Envelope.Keys = []domain.Key{domain.ProjectionKey(p.Name)}
	_, err = a.cfg.Log.Append(ctx, domain.Batch{Entries: []domain.Entry{entry}})
	return err
}

// clear takes a mark away, after what is recorded of it has been read: or it would
// come back.
func (a *Auditor) clear(ctx context.Context, name string) {
	a.Diverged(ctx)
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.marks, name)
}

// remember reads from the log which projections were found to have diverged, and
// returns their names.
func (a *Auditor) remember(ctx context.Context) []string {
	return slices.Sorted(maps.Keys(a.Diverged(ctx)))
}

// Diverged are the projections that don't know what the log says, by name. One that
// was rebuilt since is none of them.
func (a *Auditor) Diverged(ctx context.Context) map[string]domain.ProjectionDiverged {
	a.mu.Lock()
	defer a.mu.Unlock()
	for {
		records, err := a.cfg.Reader.Select(ctx, domain.Selector{Topic: domain.TopicSystem}, a.looked+1, spinePage)
		for _, rec := range records {
			a.note(rec)
		}
		if err != nil || len(records) < spinePage {
			return maps.Clone(a.marks)
		}
	}
}

// note takes up what a record says of a projection; the caller holds mu.
func (a *Auditor) note(rec domain.Record) {
	a.looked = rec.Position
	switch rec.Envelope.Type {
	case domain.ProjectionDivergedType:
		if p, err := domain.Decode[domain.ProjectionDiverged](rec.Envelope); err == nil {
			a.marks[p.Name] = p
		}
	case domain.ProjectionRebuiltType:
		if p, err := domain.Decode[domain.ProjectionRebuilt](rec.Envelope); err == nil {
			delete(a.marks, p.Name)
		}
	}
}

// Audited is the time of the last audit of all projections; zero when that was before
// this start.
func (a *Auditor) Audited() time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.last
}

// Next is the time of the next audit of all projections; zero when the audit is
// off.
func (a *Auditor) Next() time.Time {
	if a.cfg.Off {
		return time.Time{}
	}
	return a.next(a.cfg.Clock.Now())
}
