package notices

import (
	"slices"
	"sync"
	"time"

	"chalie/domain"
	"chalie/projections"
)

// Bounds of what is in memory.
const (
	MostKept = 1024 // told within domain.ToldKept of the last
	// A clock that was ahead once makes all that was told before look old.
	LeastKept = 64
	mostOpen  = 4096 // replies whose trace isn't concluded; the oldest go
)

// Projection folds notices. Its queries are safe for concurrent use.
type Projection struct {
	projections.Watermark

	mu    sync.RWMutex
	disk  disk
	state state

	// Changed since the last save that was kept.
	pairs   map[domain.Pair]domain.PastNotice
	changed bool
}

// state is the part in memory.
type state struct {
	Recent   []domain.PastNotice `json:"recent"` // in the order of the log
	Open     []reply             `json:"open"`   // oldest first
	Setbacks domain.Setbacks     `json:"setbacks"`
}

// reply is a model's reply in a trace that isn't concluded, in numbers.
type reply struct {
	Trace    domain.ID        `json:"trace"`
	ID       domain.ID        `json:"id"`
	Topic    domain.TopicHash `json:"topic"`
	Length   int              `json:"length"`
	Findings []finding        `json:"findings"`
}

// finding is one of a reply's.
type finding struct {
	Topic  domain.TopicHash `json:"topic"`
	Length int              `json:"length"`
	Pairs  []domain.Pair    `json:"pairs"`
}

var _ projections.Committer = (*Projection)(nil)

// New knows of nothing that was told. Load gives it a store to read from.
func New() *Projection {
	p := &Projection{}
	p.begin(disk{projections.NewMemStore()}, state{})
	return p
}

// Name is "unasked", under which the projection is stored.
func (p *Projection) Name() string { return "unasked" }

// Version is that of the stored state and of its fold.
func (p *Projection) Version() int { return 3 }

// Load forgets what is in memory and reads from s from now on.
func (p *Projection) Load(s projections.Snapshot) error {
	d := disk{s}
	known, err := d.state()
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.begin(d, known)
	return nil
}

func (p *Projection) begin(d disk, known state) {
	p.disk, p.state = d, known
	p.pairs, p.changed = map[domain.Pair]domain.PastNotice{}, false
}

// Recent are the notices told within a time before now, the latest first.
func (p *Projection) Recent(now domain.Millis, within time.Duration) []domain.PastNotice {
	p.mu.RLock()
	defer p.mu.RUnlock()
	var out []domain.PastNotice
	for _, t := range slices.Backward(p.state.Recent) {
		if t = p.aged(t, now); t.Since(now) <= within {
			out = append(out, t)
		}
	}
	return out
}

// Together is the latest notice that told a pair; false when none did.
func (p *Projection) Together(pair domain.Pair, now domain.Millis) (domain.PastNotice, bool, error) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	t, ok := p.pairs[pair]
	if !ok {
		var err error
		if t, ok, err = p.disk.pair(pair); err != nil || !ok {
			return t, ok, err
		}
	}
	return p.aged(t, now), true, nil
}

// aged is a notice with the time it counts as told at, seen from now.
func (p *Projection) aged(t domain.PastNotice, now domain.Millis) domain.PastNotice {
	t.At = p.state.Setbacks.Since(t.Position, t.At, now)
	return t
}

// Wants reports whether a record is of what may be told, or of what was, or tells
// that the clock was put back.
func (p *Projection) Wants(rec *domain.Record) bool {
	return rec.Envelope.Type == domain.ModelRepliedType || rec.Envelope.Type == domain.ReasoningConcludedType || domain.IsBehind(rec)
}

// Apply folds one record. It fails with CodeUndecodable.
func (p *Projection) Apply(rec domain.Record) error {
	p.Change(rec.Position) // it is asked for what it Wants
	if err := p.apply(rec); err != nil {
		return err
	}
	if domain.IsBehind(&rec) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.state.Setbacks.Evolve(&rec)
		p.changed = true
	}
	return nil
}

func (p *Projection) apply(rec domain.Record) error {
	switch rec.Envelope.Type {
	case domain.ModelRepliedType:
		return p.replied(rec.Envelope)
	case domain.ReasoningConcludedType:
		return p.concluded(rec)
	}
	return nil
}

// replied remembers what may be told. What the person asked for isn't told
// unasked, unless it has findings. Of an erased reply nothing is known.
func (p *Projection) replied(e domain.Envelope) error {
	said, err := domain.Decode[domain.ModelReplied](e)
	if domain.CodeOf(err) == domain.CodeErased {
		return nil
	}
	if err != nil {
		return err
	}
	if e.Principal == domain.PrincipalOperator && len(said.Findings) == 0 {
		return nil
	}
	r := reply{Trace: e.Trace.ID, ID: e.ID, Topic: domain.HashTopic(said.Topic), Length: length(said.Blocks)}
	for _, f := range said.Findings {
		r.Findings = append(r.Findings, finding{domain.HashTopic(f.Topic), length(f.Blocks), domain.PairsOf(f.Evidence)})
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.forget(e.Trace.ID)
	p.state.Open = append(p.state.Open, r)
	if extra := len(p.state.Open) - mostOpen; extra > 0 {
		p.state.Open = p.state.Open[extra:]
	}
	p.changed = true
	return nil
}

func length(blocks []domain.Block) int { return len(domain.PlainForm(domain.PlainText(blocks))) }

// concluded notes what was shown unasked.
func (p *Projection) concluded(rec domain.Record) error {
	c, err := domain.ConclusionOf(rec.Envelope)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	r, known := p.forget(rec.Envelope.Trace.ID)
	if c.Shown != domain.ShownNotification && c.Shown != domain.ShownEscalation {
		return nil
	}
	told := domain.PastNotice{Conclusion: rec.Envelope.ID, Reply: c.Reply, Finding: -1, From: rec.Envelope.Principal, Position: rec.Position, At: rec.Clock()}
	erased := c.Outcome == ""
	switch {
	case erased && known:
		told.Reply, c.Findings = r.ID, allOf(r.Findings)
	case erased:
		p.add(told) // that something was told is all that is known
		return nil
	case c.Reply.IsZero():
		told.Topic, told.Length = domain.HashTopic(c.Topic), length(c.Blocks)
		p.add(told)
		return nil
	case !known || r.ID != c.Reply:
		if len(c.Findings) > 0 {
			told.From, told.Pairs = "", domain.PairsOf(c.Evidence)
		}
		p.add(told)
		return nil
	}
	if len(c.Findings) == 0 {
		told.Topic, told.Length = r.Topic, r.Length
		p.add(told)
		return nil
	}
	told.From = ""
	for _, n := range c.Findings {
		if n >= 0 && n < len(r.Findings) {
			f := r.Findings[n]
			told.Finding, told.Topic, told.Length, told.Pairs = n, f.Topic, f.Length, f.Pairs
			p.add(told)
		}
	}
	return nil
}

func allOf(findings []finding) []int {
	out := make([]int, len(findings))
	for i := range out {
		out[i] = i
	}
	return out
}

// forget takes the reply of a trace out of those that are open.
func (p *Projection) forget(trace domain.ID) (reply, bool) {
	i := slices.IndexFunc(p.state.Open, func(r reply) bool { return r.Trace == trace })
	if i < 0 {
		return reply{}, false
	}
	r := p.state.Open[i]
	p.state.Open = slices.Delete(p.state.Open, i, i+1)
	p.changed = true
	return r, true
}

// add notes one, and what it brought together.
func (p *Projection) add(t domain.PastNotice) {
	p.changed = true
	pairs := t.Pairs
	t.Pairs = nil
	for _, pair := range pairs {
		p.pairs[pair] = t
		p.pairs[domain.PartOf(pair.A)] = t
		if !pair.B.IsZero() {
			p.pairs[domain.PartOf(pair.B)] = t
		}
	}
	p.state.Recent = append(p.state.Recent, t)
	old := 0
	for len(p.state.Recent)-old > MostKept || len(p.state.Recent)-old > LeastKept && t.At.Sub(p.state.Recent[old].At) > domain.ToldKept {
		old++
	}
	p.state.Recent = p.state.Recent[old:]
}

// Save writes what changed.
func (p *Projection) Save(b projections.Batch) error {
	p.mu.RLock()
	defer p.mu.RUnlock()
	if !p.changed {
		return nil
	}
	return p.disk.write(b, p.state, p.pairs)
}

// Saved drops the pairs that were written: from now on they are read back.
func (p *Projection) Saved() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pairs, p.changed = map[domain.Pair]domain.PastNotice{}, false
}
