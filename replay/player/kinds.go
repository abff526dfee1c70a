package player

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"chalie/domain"
	"chalie/replay/baseline"
)

// MaxDiffering bounds the differences that a report lists one by one.
const MaxDiffering = 200

// Kind is a kind of differences that a replay found, with what makes it known.
type Kind struct {
	Kind  baseline.Kind `json:"kind"`
	Count int           `json:"count" doc:"Decisions that have it."`
	Deed  bool          `json:"deed" doc:"Something would be done that wasn't, or not, or otherwise."`
	Known bool          `json:"known"`

	Amendment int                `json:"amendment,omitempty" doc:"The number of the change of the program that it comes of."`
	Code      string             `json:"code,omitempty" doc:"The code that was changed."`
	Why       string             `json:"why,omitempty" doc:"What is decided since."`
	Accepted  *domain.Acceptance `json:"accepted,omitempty" doc:"By the person. With fewer decisions than have it now it isn't known."`
	SameCode  bool               `json:"same_code" doc:"The code that recorded is today's, so that it can't be accepted: the log isn't what was decided."`

	First  Divergence `json:"first"`
	places []Differing
}

// Reason says why it is known, or isn't, in sentences for people.
func (k Kind) Reason() string {
	var said string
	switch {
	case k.Amendment > 0:
		said = fmt.Sprintf("Since a change of %s: %s.", k.Code, k.Why)
	case k.Accepted != nil && k.Known:
		said = "You accepted it on " + k.Accepted.At.Time().UTC().Format("2 January 2006") + "."
	case k.Accepted != nil:
		said = fmt.Sprintf("You accepted it when there were %d.", k.Accepted.Count)
	case k.SameCode:
		said = "The code that recorded it is today's, so the log isn't what was decided: it was edited, or this is a fault."
	default:
		said = "No change of Chalie that is known explains it."
	}
	if k.Deed {
		said += " Something would be done otherwise than it was."
	}
	return said
}

// Differing is where one decision differs.
type Differing struct {
	Trace    domain.TraceID   `json:"trace_id"`
	Position domain.Position  `json:"position"`
	Type     domain.EventType `json:"type"`
	Field    string           `json:"field"`
	Kind     baseline.Kind    `json:"kind"`
}

// tally counts differences.
type tally map[tallyKey]*Kind

// tallyKey is what is counted by itself: a kind may be known of what one build recorded, and not
// of what another did.
type tallyKey struct {
	kind      baseline.Kind
	amendment int
	same      bool
}

func (k Kind) key() tallyKey { return tallyKey{k.Kind, k.Amendment, k.SameCode} }

func (t tally) add(key tallyKey, deed bool, d Divergence) {
	k := t[key]
	if k == nil {
		k = &Kind{Kind: key.kind, Amendment: key.amendment, SameCode: key.same, Deed: deed, First: d}
		t[key] = k
	}
	k.Count++
	k.Deed = k.Deed || deed
	if len(k.places) < MaxDiffering {
		k.places = append(k.places, Differing{d.Trace, d.Position, d.Type, d.Field, key.kind})
	}
}

func (t tally) list() (out []Kind) {
	for _, k := range t {
		out = append(out, *k)
	}
	return out
}

// merged are the kinds of two walks over different traces.
func merged(a, b []Kind) []Kind {
	for _, k := range b {
		i := slices.IndexFunc(a, func(o Kind) bool { return o.key() == k.key() })
		if i < 0 {
			a = append(a, k)
			continue
		}
		if k.First.Position < a[i].First.Position {
			a[i].First = k.First
		}
		a[i].Count += k.Count
		a[i].Deed = a[i].Deed || k.Deed
		a[i].places = byPosition(slices.Concat(a[i].places, k.places))
	}
	return a
}

// byPosition are the first MaxDiffering.
func byPosition(places []Differing) []Differing {
	domain.SortStableFunc(places, func(a, b Differing) int { return cmp.Compare(a.Position, b.Position) })
	return places[:min(len(places), MaxDiffering)]
}

// settle says of each kind what makes it known, and lists what isn't.
func (p *Player) settle(ctx context.Context, r *Report) error {
	if len(r.Kinds) == 0 {
		return nil
	}
	accepted, err := p.accepted(ctx)
	if err != nil {
		return err
	}
	amendments := baseline.Amendments()
	for i := range r.Kinds {
		k := &r.Kinds[i]
		if k.Amendment > 0 {
			k.Known, k.Code, k.Why = true, amendments[k.Amendment-1].Code, amendments[k.Amendment-1].Why
		} else if a, covers := accepted.Covers(string(k.Kind), k.Count); !k.SameCode && !a.EnvelopeID.IsZero() {
			k.Known, k.Accepted = covers, &a
		}
		if k.Deed {
			r.Deeds += k.Count
		}
		if k.Known {
			r.Known += k.Count
			continue
		}
		r.New += k.Count
		r.Differing = append(r.Differing, k.places...)
	}
	r.Differing = byPosition(r.Differing)
	domain.SortFunc(r.Kinds, func(a, b Kind) int {
		if a.Known != b.Known {
			if b.Known {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Amendment, b.Amendment))
	})
	r.Divergence = cmp.Or(r.earliest(true), r.earliest(false))
	return nil
}

// earliest is the first difference in the log, of those that aren't known or of all; nil for none.
func (r Report) earliest(unknown bool) (out *Divergence) {
	for _, k := range r.Kinds {
		if (!unknown || !k.Known) && (out == nil || k.First.Position < out.Position) {
			out = new(k.First)
		}
	}
	return out
}

// accepted is what the person accepted so far.
func (p *Player) accepted(ctx context.Context) (out domain.Accepted, err error) {
	const page = 256
	for from := domain.Position(1); ; {
		records, err := p.cfg.Log.Select(ctx, domain.Selector{Key: domain.AcceptedKey}, from, page)
		if err != nil {
			return nil, err
		}
		for _, rec := range records {
			if err := out.Evolve(rec); err != nil {
				return nil, err
			}
			from = rec.Position + 1
		}
		if len(records) < page {
			return out, nil
		}
	}
}
