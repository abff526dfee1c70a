package explain

import (
	"context"
	"slices"

	"chalie/domain"
	"chalie/replay"
	"chalie/replay/narrate"
)

// Latest are the latest things that a person may want to ask about.
type Latest struct {
	Told []Told `json:"told" doc:"What they were told, the newest first; never null."`
	Kept []Kept `json:"kept" doc:"What was considered and kept back, the newest first; never null."`
}

// Told is something that the person was told, to ask why about.
type Told struct {
	ID       domain.ID       `json:"envelope_id" doc:"Of the conclusion."`
	Trace    domain.TraceID  `json:"trace_id"`
	Position domain.Position `json:"position"`
	At       domain.Millis   `json:"at"`
	Said     string          `json:"said"`
	Unasked  bool            `json:"unasked" doc:"Of its own accord."`
}

// Kept is something that was considered and not told, to ask why not about.
type Kept struct {
	ID    domain.ID      `json:"envelope_id" doc:"Of what was heard or planned."`
	Trace domain.TraceID `json:"trace_id" doc:"Its own."`
	At    domain.Millis  `json:"at" doc:"When it was last considered."`
	Label string         `json:"label"`
	Gate  domain.Gate    `json:"gate"`
	Words string         `json:"words" doc:"What the gate means."`
}

// Bounds of looking back: conclusions, and characters of what was said.
const (
	maxLookedBack = 40
	maxTellable   = 240
)

// LatestOf finds the latest things of each kind, at most limit: told ones however old,
// kept ones in the latest maxLookedBack conclusions. It reads by key, so the cost doesn't
// depend on the number of signals since. Errors are the log's.
func LatestOf(ctx context.Context, log replay.Log, limit int) (Latest, error) {
	l := &lookback{walk: newWalk(log), out: Latest{Told: []Told{}, Kept: []Kept{}}, limit: limit, known: map[domain.ID]bool{}}
	told := conclusions{log: log, keys: replay.ShownKeys()}
	err := told.each(ctx, limit, func(rec domain.Record) error { return l.tell(ctx, rec) })
	if err != nil {
		return Latest{}, err
	}
	all := conclusions{log: log, keys: append(replay.ShownKeys(), domain.ReasoningConcluded{}.ShownKey())}
	err = all.each(ctx, maxLookedBack, func(rec domain.Record) error { return l.keep(ctx, rec) })
	return l.out, err
}

// conclusions reads conclusions from the latest backwards.
type conclusions struct {
	log   replay.Log
	keys  []domain.Key
	heads map[domain.Key]domain.Record // the latest unread one of each key
}

// each calls take with at most that many conclusions.
func (e *conclusions) each(ctx context.Context, most int, take func(domain.Record) error) error {
	if err := e.begin(ctx); err != nil {
		return err
	}
	for range most {
		rec, err := e.next(ctx)
		if err != nil || rec.Position == 0 {
			return err
		}
		if err := take(rec); err != nil {
			return err
		}
	}
	return nil
}

func (e *conclusions) begin(ctx context.Context) error {
	e.heads = map[domain.Key]domain.Record{}
	for _, key := range e.keys {
		rec, err := replay.LastOf(ctx, e.log, key, 1, e.log.Tail())
		if err != nil {
			return err
		}
		e.heads[key] = rec
	}
	return nil
}

// next is the latest unread one; the zero Record when there is none.
func (e *conclusions) next(ctx context.Context) (domain.Record, error) {
	var latest domain.Key
	for key, rec := range e.heads {
		if rec.Position > e.heads[latest].Position {
			latest = key
		}
	}
	out := e.heads[latest]
	if out.Position == 0 {
		return out, nil
	}
	before, err := replay.LastOf(ctx, e.log, latest, 1, out.Position-1)
	e.heads[latest] = before
	return out, err
}

// lookback collects what conclusions told and rejected.
type lookback struct {
	*walk
	out   Latest
	limit int
	known map[domain.ID]bool // rejected ones that are listed
}

// tell lists a conclusion's findings.
func (l *lookback) tell(ctx context.Context, rec domain.Record) error {
	if err := l.fetchReply(ctx, rec.Envelope); err != nil {
		return err
	}
	e := rec.Envelope
	l.out.Told = append(l.out.Told, Told{ID: e.ID, Trace: e.Trace, Position: rec.Position, At: rec.RecordedAt,
		Said: narrate.Shortened(l.said(rec), maxTellable), Unasked: slices.Contains(e.Keys, domain.UnaskedKey)})
	return nil
}

// keep lists a conclusion's rejected candidates.
func (l *lookback) keep(ctx context.Context, end domain.Record) error {
	c, err := l.conclusionIn(ctx, end)
	if err != nil || c == nil {
		return err
	}
	for _, r := range c.Rejected {
		if len(l.out.Kept) == l.limit || l.known[r.EnvelopeID] {
			continue
		}
		if err := l.list(ctx, end, r); err != nil {
			return err
		}
	}
	return nil
}

// list adds a rejected candidate, unless it is a plan: that was rejected together with
// the related signal.
func (l *lookback) list(ctx context.Context, end domain.Record, r domain.Rejected) error {
	rec, err := l.log.Find(ctx, r.EnvelopeID)
	if domain.CategoryOf(err) == domain.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	if rec.Topic == domain.TopicCommitments {
		return nil
	}
	name, err := l.nameOf(ctx, rec)
	if err != nil {
		return err
	}
	l.known[r.EnvelopeID] = true
	l.out.Kept = append(l.out.Kept, Kept{ID: r.EnvelopeID, Trace: rec.Envelope.Trace, At: end.RecordedAt,
		Label: narrate.Label(rec.Envelope, name), Gate: r.Gate, Words: r.Gate.Clause()})
	return nil
}

// endsPage is how many records are read at a time in a search.
const endsPage = 500

// ends merges the conclusions after a position in the order of the log. Every conclusion
// has a key for the way it was shown; there is no index of all conclusions.
type ends struct {
	log  replay.Log
	keys []endsOf
	read int
	cut  bool // there may be more than were read
}

// endsOf are the conclusions of one key.
type endsOf struct {
	key   domain.Key
	from  domain.Position
	some  []domain.Record // read and not yet taken
	known bool            // there are no more
}

func newEnds(log replay.Log, after domain.Position) *ends {
	e := &ends{log: log}
	keys := append(replay.ShownKeys(), domain.ReasoningConcluded{}.ShownKey(), domain.ReasoningConcluded{Outcome: domain.OutcomeFailed}.ShownKey())
	for _, key := range keys {
		e.keys = append(e.keys, endsOf{key: key, from: after + 1})
	}
	return e
}

// next is the earliest that was not taken; the zero Record when there is none, or maxEnds
// were read.
func (e *ends) next(ctx context.Context) (domain.Record, error) {
	for i := range e.keys {
		if k := &e.keys[i]; len(k.some) == 0 && !k.known {
			if err := e.fill(ctx, k); err != nil {
				return domain.Record{}, err
			}
		}
	}
	if k := e.earliest(); k != nil {
		return k.some[0], nil
	}
	return domain.Record{}, nil
}

// take removes the record that next returned.
func (e *ends) take() {
	if k := e.earliest(); k != nil {
		k.some = k.some[1:]
	}
}

func (e *ends) earliest() *endsOf {
	var first *endsOf
	for i := range e.keys {
		if k := &e.keys[i]; len(k.some) > 0 && (first == nil || k.some[0].Position < first.some[0].Position) {
			first = k
		}
	}
	return first
}

func (e *ends) fill(ctx context.Context, k *endsOf) error {
	if e.read >= maxEnds {
		e.cut, k.known = true, true
		return nil
	}
	some, err := e.log.Select(ctx, domain.Selector{Key: k.key}, k.from, endsPage)
	if err != nil {
		return err
	}
	e.read += len(some)
	k.some, k.known = some, len(some) < endsPage
	if len(some) > 0 {
		k.from = some[len(some)-1].Position + 1
	}
	return nil
}
