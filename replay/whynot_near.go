package replay

import (
	"context"
	"time"

	"chalie/domain"
	"chalie/domain/relate"
)

// maxCompared bounds with how much of what was in mind an item is compared.
const maxCompared = 200

// compare finds what an item came closest to bear on in a decision that recorded no
// relation of it, because it was too weak to be one. The texts and the times are
// those of then; the comparison is today's.
func (it item) compare(ctx context.Context, ground *domain.ReasoningStarted) (nearest, error) {
	zone, err := time.LoadLocation(ground.Zone)
	if err != nil {
		zone = time.UTC
	}
	own, ok := it.seen(ground)
	if !ok {
		return nearest{}, nil
	}
	mine, ok, err := it.read(ctx, own, zone)
	if err != nil || !ok {
		return nearest{}, err
	}
	var best nearest
	compared := 0
	for _, items := range [][]domain.SeenItem{ground.World.Items, ground.World.LeftOut} {
		for _, other := range items {
			if !it.opposite(other) || compared == maxCompared {
				continue
			}
			compared++
			theirs, ok, err := it.read(ctx, other, zone)
			if err != nil {
				return nearest{}, err
			}
			if !ok {
				continue
			}
			rel := relate.Between(mine, theirs)
			if it.isPlan {
				rel = relate.Between(theirs, mine)
			}
			if !best.known || rel.Score > best.score {
				best = nearest{id: other.EnvelopeID, text: other.Text(), score: rel.Score, needs: rel.Needs(), known: true, today: true}
			}
		}
	}
	return best, nil
}

// opposite reports whether an item is one that the other may bear on, or be borne
// on by.
func (it item) opposite(other domain.SeenItem) bool {
	isPlan := (other.Kind == domain.ItemReminder || other.Kind == domain.ItemTask) && other.Phase != domain.PhaseDone
	if it.isPlan {
		return other.Kind == domain.ItemSignal && other.Gate != domain.GateBelowThreshold && other.Gate != domain.GateOverCapacity
	}
	return isPlan
}

// read reads an item as it is compared; false when it can't be read any more.
func (it item) read(ctx context.Context, seen domain.SeenItem, zone *time.Location) (relate.Terms, bool, error) {
	rec, err := it.log.Find(ctx, seen.Text())
	if domain.CategoryOf(err) == domain.NotFound {
		return relate.Terms{}, false, nil
	}
	if err != nil {
		return relate.Terms{}, false, err
	}
	text := relate.Text{ID: seen.EnvelopeID, Kind: relate.Kind(seen.Kind), At: rec.Clock(), Due: seen.Moment}
	if p, readable := decoded[domain.SignalReceived](rec.Envelope); readable {
		text.Text, text.Source = p.Content, p.Source
		if p.Topic != nil {
			text.Topic = *p.Topic
		}
	} else if text.Text, err = domain.PlanText(rec.Envelope); err != nil {
		return relate.Terms{}, false, nil //nolint:nilerr // erased, or of a type without a text: it has nothing to compare
	}
	return relate.Read(text, zone), text.Text != "", nil
}
