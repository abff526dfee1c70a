package watermillbus

import (
	"context"

	"chalie/domain"
)

// group is one consumer group in one topic, or one subscription without a
// group. The member that holds turn delivers; only it touches the fields below.
type group struct {
	cfg        Config
	checkpoint string // where the position is kept; "" for nowhere
	topic      domain.Topic
	members    int // guarded by Bus.mu

	turn chan struct{} // holds one token when nobody delivers

	loaded bool
	from   domain.Position // where the next read begins
	ahead  []domain.Record // read and not acked; the first is next
	limit  int             // of the next read
}

// readAheadBytes is what the payloads of one read should stay near.
const readAheadBytes = 1 << 20

// firstRead is the limit of the first read. It doubles while the payloads stay
// small: 512 large ones at once would be 256 MiB.
const firstRead = 16

func newGroup(cfg Config, checkpoint string, topic domain.Topic) *group {
	g := &group{
		cfg: cfg, checkpoint: checkpoint, topic: topic,
		turn: make(chan struct{}, 1), limit: min(firstRead, cfg.ReadAhead),
	}
	g.turn <- struct{}{}
	return g
}

// next is the record to deliver. It waits until there is one.
func (g *group) next(ctx context.Context) (*domain.Record, error) {
	if !g.loaded {
		if err := g.load(ctx); err != nil {
			return nil, err
		}
	}
	for len(g.ahead) == 0 {
		if err := g.read(ctx); err != nil {
			return nil, err
		}
	}
	return &g.ahead[0], nil
}

func (g *group) load(ctx context.Context) error {
	g.from = 1
	if g.checkpoint != "" {
		pos, err := g.cfg.Log.Checkpoint(ctx, g.checkpoint)
		if err != nil {
			return err
		}
		g.from = pos + 1
	}
	g.loaded = true
	return nil
}

// read waits for a record at from or later in the log and reads those of the
// topic; there may be none.
func (g *group) read(ctx context.Context) error {
	log := g.cfg.Log
	tail := log.Tail()
	if tail < g.from {
		var err error
		if tail, err = log.Wait(ctx, g.from-1); err != nil {
			return err
		}
	}
	recs, err := log.Select(ctx, domain.Selector{Topic: g.topic}, g.from, g.limit)
	if len(recs) == 0 && err != nil {
		return err
	}
	// An error behind the records is met again when it is next.
	if n := len(recs); n > 0 {
		g.from = recs[n-1].Position + 1
	}
	if err == nil && len(recs) < g.limit {
		// The tail was read first: up to it there is nothing more.
		g.from = max(g.from, tail+1)
	}
	g.ahead = recs
	g.adapt(recs)
	return nil
}

// adapt sets how much the next read takes by what this one brought.
func (g *group) adapt(recs []domain.Record) {
	size := 0
	for i := range recs {
		size += len(recs[i].Envelope.Payload.Bytes)
	}
	switch {
	case size > readAheadBytes:
		g.limit = max(1, g.limit/2)
	case len(recs) == g.limit:
		g.limit = min(2*g.limit, g.cfg.ReadAhead)
	}
}

// advance moves on from the record that next returned, and returns where that
// one stands.
func (g *group) advance() domain.Position {
	pos := g.ahead[0].Position
	g.ahead = g.ahead[1:]
	return pos
}

// save makes the position durable.
func (g *group) save(ctx context.Context, pos domain.Position) error {
	if g.checkpoint == "" {
		return nil
	}
	return g.cfg.Log.SaveCheckpoint(ctx, g.checkpoint, pos)
}
