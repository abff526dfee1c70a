package projections

import (
	"context"
	"errors"
	"fmt"

	"chalie/domain"
)

// Stand is what a projection knew at a position: a fold of the same records by the same
// version has the same digest.
type Stand struct {
	Name     string
	Version  int
	Position domain.Position
	Digest   string
}

// Stands are what the projections know now, each at the position that it has reached; they
// go on meanwhile. One that has stopped is left out. Errors are those of the stores and ctx's.
func (g *Group) Stands(ctx context.Context) ([]Stand, error) {
	out := make([]Stand, 0, len(g.runners))
	for _, r := range g.runners {
		stand, err := r.stand(ctx)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if _, state := r.stands(); err != nil && state == StateStopped {
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, stand)
	}
	return out, nil
}

func (r *Runner) stand(ctx context.Context) (out Stand, err error) {
	var p Projection
	var view View
	unmet := r.between(ctx, func() {
		err = guard(func() error {
			store, ok := r.store.(Durable)
			if !ok {
				return fmt.Errorf("the store that serves %s can't be looked at", r.projection.Name())
			}
			if err := r.save(); err != nil {
				return err
			}
			p, out.Position = r.projection, r.pos
			view, err = store.View()
			return err
		})
	})
	if err := errors.Join(unmet, err); err != nil {
		return out, err
	}
	out.Name, out.Version = p.Name(), p.Version()
	out.Digest, err = Digest(p, view)
	return out, errors.Join(err, view.Close())
}

// Through is a feed that ends at a position.
func Through(feed Feed, pos domain.Position) Feed { return bounded{feed, pos} }

type bounded struct {
	feed    Feed
	through domain.Position
}

// Select implements Feed.
func (b bounded) Select(ctx context.Context, s domain.Selector, from domain.Position, limit int) ([]domain.Record, error) {
	records, err := b.feed.Select(ctx, s, from, limit)
	for len(records) > 0 && records[len(records)-1].Position > b.through {
		records = records[:len(records)-1]
	}
	return records, err
}

// Tail implements domain.Tailer.
func (b bounded) Tail() domain.Position { return min(b.feed.Tail(), b.through) }

// Wait implements domain.Tailer. Behind the end nothing comes.
func (b bounded) Wait(ctx context.Context, after domain.Position) (domain.Position, error) {
	if after >= b.through {
		<-ctx.Done()
		return 0, ctx.Err()
	}
	tail, err := b.feed.Wait(ctx, after)
	return min(tail, b.through), err
}
