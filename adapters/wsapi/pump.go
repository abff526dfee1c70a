package wsapi

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"chalie/commands"
	"chalie/domain"
)

// retryEvery is the pause before the pump reads a failing log again.
const retryEvery = time.Second

// pump moves frames from the buffer into the ring, and from there to all clients, until
// ctx ends. It never waits for a client.
func (h *Hub) pump(ctx context.Context) error {
	if err := h.cfg.Ready(ctx); err != nil {
		return err
	}
	now := &ring{}
	var after domain.Seq
	for {
		stale := h.stale()
		kept, dropped := h.cfg.Buffer.After(0)
		known, _ := slices.BinarySearch(kept, after+1)
		frames, err := h.render(ctx, kept[known:])
		if err != nil {
			return err
		}
		now = now.keeping(kept).with(frames, dropped)
		after = now.last()
		if h.show(stale, now) {
			h.visit((*client).deliver)
			err = h.await(ctx, stale, after)
		}
		if err != nil {
			return err
		}
		if stale.Err() != nil {
			now, after = &ring{}, 0
		}
	}
}

// Refresh encodes every frame again, because the Dialect would write them otherwise now.
// Clients wait meanwhile, and get no frame twice.
func (h *Hub) Refresh() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.written()
	h.fresh, h.written = context.WithCancel(context.Background())
	h.ring.Store(nil)
}

// stale is a context that ends when frames encoded from here on are stale.
func (h *Hub) stale() context.Context {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.fresh
}

// show gives a ring to all clients, unless it has become stale.
func (h *Hub) show(stale context.Context, now *ring) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if stale.Err() != nil {
		return false
	}
	h.ring.Store(now)
	return true
}

// await waits for a frame after the given number, or until the encoded frames are stale.
func (h *Hub) await(ctx, stale context.Context, after domain.Seq) error {
	waiting, stop := context.WithCancel(ctx)
	defer stop()
	defer context.AfterFunc(stale, stop)()
	err := h.cfg.Buffer.Wait(waiting, after)
	if ctx.Err() == nil && stale.Err() != nil {
		return nil
	}
	return err
}

// render turns numbers into frames. A record that can't be read becomes a frame that says
// so: leaving it out would hide the fault, and stopping would hide the later records,
// too.
func (h *Hub) render(ctx context.Context, seqs []domain.Seq) ([]frame, error) {
	out := make([]frame, 0, len(seqs))
	for len(seqs) > 0 {
		pos, n := seqs[0].Position(), 1
		for n < len(seqs) && seqs[n].Position() == pos {
			n++
		}
		texts, err := h.texts(ctx, pos)
		for domain.IsRetriable(err) && !ended(ctx, err) {
			h.cfg.Logger.WarnContext(ctx, "a frame can't be read for now", slog.Uint64("position", uint64(pos)), slog.Any("error", err))
			if !commands.Sleep(ctx, retryEvery) {
				return nil, ctx.Err()
			}
			texts, err = h.texts(ctx, pos)
		}
		if err != nil && ended(ctx, err) {
			return nil, err
		}
		if err != nil {
			h.cfg.Logger.ErrorContext(ctx, "a frame can't be read", slog.Uint64("position", uint64(pos)), slog.Any("error", err))
		}
		for _, seq := range seqs[:n] {
			text, ok := texts[seq]
			if !ok {
				text = h.cfg.Speaks.Unreadable(seq, fmt.Sprintf("what stands at position %d of the log can't be read: check it with chalie verify", pos))
			}
			out = append(out, frame{seq: seq, wire: textFrame(text)})
		}
		seqs = seqs[n:]
	}
	return out, nil
}

// texts is the JSON of a record's frames.
func (h *Hub) texts(ctx context.Context, pos domain.Position) (map[domain.Seq][]byte, error) {
	records, err := h.cfg.Reader.Select(ctx, domain.Selector{}, pos, 1)
	if err != nil {
		return nil, err
	}
	if len(records) == 0 || records[0].Position != pos {
		return nil, &domain.Error{Op: "render frame", Category: domain.NotFound, Code: "not_found",
			Message: fmt.Sprintf("position %d is not in the log", pos)}
	}
	return h.cfg.Speaks.Frames(ctx, records[0])
}
