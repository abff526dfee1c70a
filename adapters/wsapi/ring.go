package wsapi

import (
	"slices"
	"sort"

	"chalie/domain"
)

// frame is a frame of a record, encoded for every client: WebSocket header and JSON.
type frame struct {
	seq  domain.Seq
	wire []byte
}

// ring is the latest frames, oldest first. All clients share it, so it is immutable: a
// new one replaces it.
type ring struct {
	frames  []frame
	dropped domain.Seq // the last dropped number
}

// ringBytes bounds the total size of a ring's frames. Ordinary frames take a tenth of it;
// with the largest, fewer can be resent.
const ringBytes = 16 << 20

// with is a ring with more frames and without those through dropped. While it is too
// large the oldest are dropped, too, always all frames of a record.
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

// keeping is the ring without the frames that aren't in a list of numbers, which rise: what
// was added to an answer goes once the answer is there. Nothing is dropped by that, so a
// client that hasn't had them misses nothing.
func (r *ring) keeping(kept []domain.Seq) *ring {
	next := &ring{dropped: r.dropped, frames: make([]frame, 0, len(r.frames))}
	for _, f := range r.frames {
		if _, found := slices.BinarySearch(kept, f.seq); found {
			next.frames = append(next.frames, f)
		}
	}
	return next
}

// trim drops the oldest records of a ring that is too large, except for the last.
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

// after is the frames after seq. They must not be changed.
func (r *ring) after(seq domain.Seq) []frame {
	n := len(r.frames)
	if n == 0 || r.frames[n-1].seq <= seq {
		return nil
	}
	from := sort.Search(n, func(i int) bool { return r.frames[i].seq > seq })
	return r.frames[from:n:n]
}

// last is the latest number in the ring.
func (r *ring) last() domain.Seq {
	if n := len(r.frames); n > 0 {
		return max(r.frames[n-1].seq, r.dropped)
	}
	return r.dropped
}
