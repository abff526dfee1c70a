package bynames_test

import (
	"testing"

	"chalie/domain/language/bynames"
)

func TestPlaceOnList(t *testing.T) {
	for _, c := range []struct {
		said    string
		from, n int
		ok      bool
	}{
		{"the first item", 0, 1, true},
		{"First two things", 0, 2, true},
		{"the second one", 1, 1, true},
		{"3rd entry", 2, 1, true},
		{"the last", -1, 1, true},
		{"the last 3 items", -1, 3, true},
		{"item 2", 1, 1, true},
		{"number 4", 3, 1, true},
		{"item 0", 0, 0, false},
		{"first aid kit", 0, 0, false},
		{"the item", 0, 0, false},
		{"milk", 0, 0, false},
		{"", 0, 0, false},
	} {
		from, n, ok := bynames.PlaceOnList(c.said)
		if ok != c.ok || ok && (from != c.from || n != c.n) {
			t.Errorf("%q is %d of %d, %v; want %d of %d, %v", c.said, n, from, ok, c.n, c.from, c.ok)
		}
	}
}
