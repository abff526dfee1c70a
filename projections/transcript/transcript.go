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

	mu   sync.RWMutex
	disk disk
	main facts // of the default conversation, which most is said in

	// Changed since the last save that was kept, and so not yet read back.
	facts  map[domain.ConversationID]facts // those of the default one, too, to be saved
	dirty  map[place]domain.Exchange
	opened map[domain.TraceID]place // the zero place for one that has ended
}

// number counts the exchanges of a conversation: the first is 1, and later ones have greater
// numbers.
type number uint64

// place is where an exchange stands.
type place struct {
	in domain.ConversationID
	n  number
}

// facts are about the exchanges of a conversation as a whole.
type facts struct {
	Total  number        `json:"total"`
	Thread domain.ID     `json:"thread"` // of the first exchange
	Last   domain.Millis `json:"last"`   // when the latest began
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
func (p *Projection) Version() int { return 3 }

// Load forgets what is in memory and reads from s from now on.
func (p *Projection) Load(s projections.Snapshot) error {
	d := disk{s}
	known, err := d.facts(domain.ConversationID{})
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.begin(d, known)
	return nil
}

func (p *Projection) begin(d disk, known facts) {
	p.disk, p.main = d, known
	p.facts, p.dirty, p.opened = map[domain.ConversationID]facts{}, map[place]domain.Exchange{}, map[domain.TraceID]place{}
}

// of is what is known of a conversation as a whole.
func (p *Projection) of(in domain.ConversationID) (facts, error) {
	if in.IsZero() {
		return p.main, nil
	}
	if known, ok := p.facts[in]; ok {
		return known, nil
	}
	return p.disk.facts(in)
}

// now takes over what has become known of a conversation as a whole.
func (p *Projection) now(in domain.ConversationID, known facts) {
	p.facts[in] = known
	if in.IsZero() {
		p.main = known
	}
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
			return p.opens(rec, domain.Exchange{Prompt: rec.Envelope.ID})
		}
	case domain.ActionReceivedType:
		if rec.Envelope.Principal == domain.PrincipalOperator {
			return p.opens(rec, domain.Exchange{Action: rec.Envelope.ID})
		}
	case domain.ReasoningConcludedType:
		return p.concluded(rec)
	}
	return nil
}

// opens adds an exchange that waits for its end.
func (p *Projection) opens(rec domain.Record, x domain.Exchange) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	at, err := p.add(rec, x)
	if err == nil {
		p.opened[rec.Envelope.Trace] = at
	}
	return err
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
	at, x, err := p.underWay(rec.Envelope)
	switch {
	case err != nil:
		return err
	case at.n != 0:
		x.Conclusion, x.Reply, x.Outcome = end.Conclusion, end.Reply, end.Outcome
		p.dirty[at], p.opened[rec.Envelope.Trace] = x, place{}
		if x.Prompt.IsZero() {
			return nil
		}
		known, err := p.of(at.in)
		if err != nil {
			return err
		}
		known.remember(at.n)
		p.now(at.in, known)
	case c.Shown == domain.ShownNotification || c.Shown == domain.ShownEscalation:
		_, err := p.add(rec, end)
		return err
	}
	return nil
}

// underWay finds the exchange that a conclusion ends; the zero place when it ends none. The
// principal of a trace never changes, so only the operator's are looked for.
func (p *Projection) underWay(e domain.Envelope) (at place, x domain.Exchange, err error) {
	if e.Principal != domain.PrincipalOperator {
		return at, x, nil
	}
	at, known := p.opened[e.Trace]
	if !known {
		at, err = p.disk.underWay(e.Trace)
	}
	if err != nil || at.n == 0 {
		return place{}, x, err
	}
	if x, known = p.dirty[at]; !known {
		x, err = p.disk.exchange(at)
	}
	return at, x, err
}

// add appends an exchange that begins with rec to its conversation.
func (p *Projection) add(rec domain.Record, x domain.Exchange) (place, error) {
	at := place{in: domain.ConversationOf(rec.Envelope)}
	known, err := p.of(at.in)
	if err != nil {
		return at, err
	}
	x.ID, x.Position, x.RecordedAt = rec.Envelope.Trace.ID, rec.Position, rec.RecordedAt
	known.Total++
	known.Last = rec.RecordedAt
	if known.Total == 1 {
		known.Thread = x.ID
	}
	at.n = known.Total
	p.now(at.in, known)
	p.dirty[at] = x
	return at, nil
}

// remember takes a finished exchange into working memory.
func (f *facts) remember(n number) {
	f.Memory = append(slices.Clone(f.Memory), n)
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
	p.begin(p.disk, p.main)
}
