package wsapi

import (
	"sort"

	"chalie/domain"
)

// frame is one that follows from a record, as it goes over the wire to every
// client: WebSocket header and JSON.
type frame struct {
	seq  domain.Seq
	wire []byte
}

// ring is the latest frames, oldest first. It is shared by all clients, so it
// never changes: the next one takes its place.
type ring struct {
	frames  []frame
	dropped domain.Seq // the last that isn't here any more
}

// ringBytes bounds what the frames of a ring take together. Ordinary ones take a tenth
// of it; of the largest, fewer can be sent again.
const ringBytes = 16 << 20

// with is the ring after frames came in and those through dropped fell out. The oldest
// fall out, too, while it is too large, always all frames of a record.
func (r *ring) with(frames []frame, dropped domain.Seq) *ring {
	next := &ring{dropped: dropped}
	if r != nil {
		next.dropped = max(dropped, r.dropped)
		kept := r.after(dropped)
		next.frames = make([]frame, 0, len(kept)+len(frames))
		next.frames = append(next.frames, kept...)
	}
	next.frames = append(next.frames, frames...)
	next.trim()
	return next
}

// trim drops the oldest records of a ring that is too large, but for the last.
func (r *ring) trim() {
	size := 0
	for _, f := range r.frames {
		size += len(f.wire)
	}
	newest := r.last().Position()
	for size > ringBytes && r.frames[0].seq.Position() < newest {
		oldest := r.frames[0].seq.Position()
		for r.frames[0].seq.Position() == oldest {
			size -= len(r.frames[0].wire)
			r.dropped, r.frames[0] = r.frames[0].seq, frame{}
			r.frames = r.frames[1:]
		}
	}
}

// after is the frames that come after seq. They must not be changed.
func (r *ring) after(seq domain.Seq) []frame {
	n := len(r.frames)
	if n == 0 || r.frames[n-1].seq <= seq {
		return nil
	}
	from := sort.Search(n, func(i int) bool { return r.frames[i].seq > seq })
	return r.frames[from:n:n]
}

// last is the latest number the ring knows of.
func (r *ring) last() domain.Seq {
	if n := len(r.frames); n > 0 {
		return max(r.frames[n-1].seq, r.dropped)
	}
	return r.dropped
}
