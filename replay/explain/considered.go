package explain

import (
	"context"
	"time"

	"chalie/domain"
	"chalie/replay"
	"chalie/replay/narrate"
)

// Considered is what a silent cycle looked at, worked out from its one record.
type Considered struct {
	AsOf  domain.Millis `json:"as_of" doc:"The moment it judged by."`
	Items []Candidate   `json:"items" doc:"Those in mind first, in their order."`
	Lost  string        `json:"lost,omitempty" doc:"Why it can't be worked out any more."`
}

// Candidate is one thing that a silent cycle looked at, and why it wasn't told.
type Candidate struct {
	EnvelopeID domain.ID       `json:"envelope_id"`
	Position   domain.Position `json:"position,omitempty" doc:"Missing of what is no longer in the log."`
	Kind       domain.ItemKind `json:"kind"`
	Says       string          `json:"says" doc:"In one line."`
	InMind     bool            `json:"in_mind"`
	Salience   float64         `json:"salience"`
	Gate       domain.Gate     `json:"gate" doc:"As why-not has it."`
	Words      string          `json:"words" doc:"The same for a person."`
}

// ConsideredIn is what the cycle of a trace looked at; nil when the trace is no silent cycle, or isn't
// there. Each candidate has the gate and the words that WhyNot has for that decision. Errors are
// those of the log.
func ConsideredIn(ctx context.Context, log replay.Log, trace domain.TraceID, zone *time.Location) (*Considered, error) {
	opening, err := log.Find(ctx, trace.ID)
	if domain.CategoryOf(err) == domain.NotFound || err == nil && !domain.IsSilent(opening.Envelope) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	s := &inquiry{tail: log.Tail(), narrator: narrator{walk: newWalk(log), zone: zone}}
	d, err := s.silentEpisode(ctx, opening)
	if err != nil {
		return nil, err
	}
	out := &Considered{AsOf: opening.Envelope.Timestamp, Items: []Candidate{}}
	if d.silent == nil {
		out.Lost = "what it looked at is told as what differs from the cycle before, and that is erased or gone"
		return out, nil
	}
	world := d.silent.Started.World
	for i, items := range [][]domain.SeenItem{world.Items, world.LeftOut} {
		for _, seen := range items {
			one, err := s.candidate(ctx, d, seen)
			if err != nil {
				return nil, err
			}
			one.InMind = i == 0
			out.Items = append(out.Items, one)
		}
	}
	return out, nil
}

// candidate is how a silent cycle judged one item.
func (s *inquiry) candidate(ctx context.Context, d *episode, seen domain.SeenItem) (Candidate, error) {
	out := Candidate{EnvelopeID: seen.EnvelopeID, Kind: seen.Kind, Salience: seen.Salience.Float(), Says: "(no longer in the log)"}
	var err error
	if s.target, err = s.log.Find(ctx, seen.EnvelopeID); err != nil && domain.CategoryOf(err) != domain.NotFound {
		return out, err
	}
	out.Position = s.target.Position
	switch text, err := s.log.Find(ctx, seen.Text()); {
	case err == nil:
		out.Says = narrate.Shortened(narrate.Line(text.Envelope), narrate.MaxLabel)
	case domain.CategoryOf(err) != domain.NotFound:
		return out, err
	}
	c, _, err := item{inquiry: s, id: seen.EnvelopeID, isPlan: seen.Kind.IsMinded()}.judge(ctx, d)
	if err == nil {
		err = s.word(ctx, &c)
	}
	out.Gate, out.Words = c.Gate, c.phrase().Cut(maxWords).String()
	return out, err
}
