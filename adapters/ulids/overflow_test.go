package ulids

import (
	"bytes"
	"testing"

	"chalie/domain/domaintest"
)

// TestOverflow counts past the random bits, which takes too long from outside.
func TestOverflow(t *testing.T) {
	mint := New(domaintest.NewClock())
	first := mint.NewID()
	for _, c := range []struct {
		name   string
		high   uint16
		millis uint64
	}{
		{"into the upper bits", 5, 0},
		{"into the millisecond", maxHigh, 1},
	} {
		mint.high, mint.low = c.high, maxLow
		before := mint.millis
		id := mint.NewID()
		if mint.millis != before+c.millis {
			t.Errorf("%s: the millisecond moved by %d, want %d", c.name, mint.millis-before, c.millis)
		}
		if c.millis == 0 && mint.high != c.high+1 {
			t.Errorf("%s: the upper bits are %d, want %d", c.name, mint.high, c.high+1)
		}
		if bytes.Compare(id[:], first[:]) <= 0 && c.millis > 0 {
			t.Errorf("%s: %s follows %s", c.name, id, first)
		}
		if id[6]>>4 != 7 || id[8]>>6 != 2 {
			t.Errorf("%s: %s lost its version or variant", c.name, id.UUID())
		}
		first = id
	}
}
