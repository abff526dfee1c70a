package transcript

import (
	"slices"
	"sync"

	"chalie/domain"
	"chalie/projections"
)

// Projection folds the exchanges. Its queries are safe for concurrent use.
type Projection struct {
	projections.Watermark

	mu    sync.RWMutex
	disk  disk
	facts facts

	// Changed since the last save that was kept, and so not yet read back.
	dirty  map[number]domain.Exchange
	opened map[domain.TraceID]number // 0 for one that has ended
}

// number counts exchanges: the first is 1, and later ones have greater numbers.
type number uint64

// facts are about the exchanges as a whole.
type facts struct {
	Total  number    `json:"total"`
	Thread domain.ID `json:"thread"` // of the first exchange
	// Memory is the latest finished exchanges with something said, oldest first.
	Memory []number `json:"memory"`
}

var _ projections.Committer = (*Projection)(nil)

// New knows no exchange. Load gives it a store to read from.
func New() *Projection {
	p := &Projection{}
	p.begin(disk{projections.NewMemStore()}, facts{})
	return p
}

// Name is "transcript".
func (p *Projection) Name() string { return "transcript" }

// Version is that of the stored exchanges and of their fold.
func (p *Projection) Version() int { return 2 }

// Load forgets what is in memory and reads from s from now on.
func (p *Projection) Load(s projections.Snapshot) error {
	d := disk{s}
	known, err := d.facts()
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.begin(d, known)
	return nil
}

func (p *Projection) begin(d disk, known facts) {
	p.disk, p.facts = d, known
	p.dirty, p.opened = map[number]domain.Exchange{}, map[domain.TraceID]number{}
}

// Wants reports whether a record opens or ends an exchange.
func (p *Projection) Wants(rec *domain.Record) bool {
	switch rec.Envelope.Type {
	case domain.MessageReceivedType, domain.ActionReceivedType, domain.ReasoningConcludedType:
		return true
	}
	return false
}

// Apply folds one record. It fails with CodeUndecodable, or when the store can't
// be read.
func (p *Projection) Apply(rec domain.Record) error {
	p.Change(rec.Position) // it is asked for what it Wants
	switch rec.Envelope.Type {
	case domain.MessageReceivedType:
		if rec.Envelope.Principal == domain.PrincipalOperator {
			p.opens(rec, domain.Exchange{Prompt: rec.Envelope.ID})
		}
	case domain.ActionReceivedType:
		if rec.Envelope.Principal == domain.PrincipalOperator {
			p.opens(rec, domain.Exchange{Action: rec.Envelope.ID})
		}
	case domain.ReasoningConcludedType:
		return p.concluded(rec)
	}
	return nil
}

// opens adds an exchange that waits for its end.
func (p *Projection) opens(rec domain.Record, x domain.Exchange) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.opened[rec.Envelope.Trace] = p.add(rec, x)
}

// concluded ends the exchange of the record's trace, or adds one for what Chalie
// said unasked.
func (p *Projection) concluded(rec domain.Record) error {
	c, err := domain.ConclusionOf(rec.Envelope)
	if err != nil {
		return err
	}
	end := domain.Exchange{Conclusion: rec.Envelope.ID, Reply: c.Reply, Outcome: c.Outcome}
	p.mu.Lock()
	defer p.mu.Unlock()
	n, x, err := p.underWay(rec.Envelope)
	switch {
	case err != nil:
		return err
	case n != 0:
		x.Conclusion, x.Reply, x.Outcome = end.Conclusion, end.Reply, end.Outcome
		p.dirty[n], p.opened[rec.Envelope.Trace] = x, 0
		if !x.Prompt.IsZero() {
			p.facts.remember(n)
		}
	case c.Shown == domain.ShownNotification || c.Shown == domain.ShownEscalation:
		p.add(rec, end)
	}
	return nil
}

// underWay finds the exchange that a conclusion ends; 0 when it ends none. The
// principal of a trace never changes, so only the operator's are looked for.
func (p *Projection) underWay(e domain.Envelope) (n number, x domain.Exchange, err error) {
	if e.Principal != domain.PrincipalOperator {
		return 0, x, nil
	}
	n, known := p.opened[e.Trace]
	if !known {
		n, err = p.disk.underWay(e.Trace)
	}
	if err != nil || n == 0 {
		return 0, x, err
	}
	if x, known = p.dirty[n]; !known {
		x, err = p.disk.exchange(n)
	}
	return n, x, err
}

// add appends an exchange that begins with rec.
func (p *Projection) add(rec domain.Record, x domain.Exchange) number {
	x.ID, x.Position, x.RecordedAt = rec.Envelope.Trace.ID, rec.Position, rec.RecordedAt
	p.facts.Total++
	if p.facts.Total == 1 {
		p.facts.Thread = x.ID
	}
	p.dirty[p.facts.Total] = x
	return p.facts.Total
}

// remember takes a finished exchange into working memory.
func (f *facts) remember(n number) {
	f.Memory = append(f.Memory, n)
	slices.Sort(f.Memory)
	if extra := len(f.Memory) - domain.WorkingMemory; extra > 0 {
		f.Memory = f.Memory[extra:]
	}
}

// Save writes what changed.
func (p *Projection) Save(b projections.Batch) error {
	p.mu.RLock()
	defer p.mu.RUnlock()
	if len(p.dirty) == 0 {
		return nil
	}
	return p.disk.write(b, p.facts, p.dirty, p.opened)
}

// Saved drops the exchanges that were written: from now on they are read back.
func (p *Projection) Saved() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.begin(p.disk, p.facts)
}
