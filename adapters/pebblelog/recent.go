package pebblelog

import (
	"bytes"

	"chalie/domain"
)

// recentIDs answers "is this id new?" without asking Pebble for nearly every
// append. It remembers the last ids written, and the greatest of those it
// forgot: an id above that mark and not remembered is new, because ids begin
// with their time. Ids minted elsewhere or long ago fall back to a look-up.
type recentIDs struct {
	young, old map[domain.ID]domain.Position
	mark       domain.ID // every id above it that is in the log is in young or old
}

// recentHalf is how many ids each half holds before the older one is dropped.
const recentHalf = 1 << 12

func newRecentIDs(mark domain.ID) *recentIDs {
	return &recentIDs{
		young: make(map[domain.ID]domain.Position, recentHalf),
		old:   make(map[domain.ID]domain.Position, recentHalf),
		mark:  mark,
	}
}

func (r *recentIDs) add(id domain.ID, pos domain.Position) {
	if len(r.young) == recentHalf {
		for dropped := range r.old {
			if bytes.Compare(dropped[:], r.mark[:]) > 0 {
				r.mark = dropped
			}
		}
		r.young, r.old = r.old, r.young
		clear(r.young)
	}
	r.young[id] = pos
}

// find returns the position of an id, or 0 and whether that is certain.
func (r *recentIDs) find(id domain.ID) (pos domain.Position, certain bool) {
	if pos, ok := r.young[id]; ok {
		return pos, true
	}
	if pos, ok := r.old[id]; ok {
		return pos, true
	}
	return 0, bytes.Compare(id[:], r.mark[:]) > 0
}
