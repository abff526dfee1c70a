package wsapi

import (
	"testing"

	"chalie/domain"
)

// What can be sent again is bounded in bytes: the oldest records fall out whole, and the
// newest stays, however large it is.
func TestRingIsBoundedInBytes(t *testing.T) {
	var r *ring
	for pos := domain.Position(1); pos <= 100; pos++ {
		r = r.with([]frame{
			{domain.SeqOf(pos, 0), make([]byte, 300<<10)}, {domain.SeqOf(pos, 1), make([]byte, 300<<10)},
		}, 0)
		size := 0
		for _, f := range r.frames {
			size += len(f.wire)
		}
		if size > ringBytes || r.last() != domain.SeqOf(pos, 1) {
			t.Fatalf("after record %d it takes %d bytes and ends at %d", pos, size, r.last())
		}
	}
	if first := r.frames[0].seq; first.Position() < 2 || first != domain.SeqOf(first.Position(), 0) || r.dropped != domain.SeqOf(first.Position()-1, 1) {
		t.Errorf("it begins with %d after %d", first, r.dropped)
	}
	if held := len(r.frames); held < 50 {
		t.Errorf("it holds %d frames, and there is room for more", held)
	}
	r = r.with([]frame{{domain.SeqOf(101, 0), make([]byte, 2*ringBytes)}}, 0)
	if len(r.frames) != 1 || r.dropped != domain.SeqOf(100, 1) {
		t.Errorf("a huge one leaves %d, after %d", len(r.frames), r.dropped)
	}
	// What fell out for its size stays out, though the fold still knows of it.
	if r = r.with(nil, domain.SeqOf(10, 0)); r.dropped != domain.SeqOf(100, 1) {
		t.Errorf("it goes back to %d", r.dropped)
	}
}
