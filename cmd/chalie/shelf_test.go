package main

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"chalie/adapters/pebblestore"
)

// TestChoose is which edition serves, by the versions that a program has the code
// of, the stores that are there, and what was said.
func TestChoose(t *testing.T) {
	e := func(version, generation int) pebblestore.Edition {
		return pebblestore.Edition{Version: version, Generation: generation}
	}
	said := func(held bool, serving pebblestore.Edition, previous ...pebblestore.Edition) *pebblestore.Serving {
		out := &pebblestore.Serving{Serving: serving, Held: held}
		for _, p := range previous {
			out.Previous = &p
		}
		return out
	}
	for _, c := range []struct {
		name     string
		versions []int
		there    []pebblestore.Edition
		said     *pebblestore.Serving
		want     string
	}{
		{"the first start", []int{1}, nil, nil, "1"},
		{"what an older program left", []int{2, 1}, []pebblestore.Edition{e(1, 0)}, nil, "1"},
		{"what an older program left, and this one can't fold", []int{2}, []pebblestore.Edition{e(1, 0)}, nil, "2, before it 1"},
		{"two programs' stores", []int{2}, []pebblestore.Edition{e(1, 0), e(2, 0)}, nil, "2, before it 1"},
		{"a shadow that was broken off", []int{1}, []pebblestore.Edition{e(1, 0), e(1, 1)}, nil, "1"},
		{"what was said", []int{1}, []pebblestore.Edition{e(1, 0), e(1, 4)}, said(false, e(1, 4), e(1, 0)), "1.4, before it 1"},
		{"an older version that is to be raised", []int{3, 2}, []pebblestore.Edition{e(2, 1)}, said(false, e(2, 1)), "2.1"},
		{"an older version that is gone", []int{3}, []pebblestore.Edition{e(2, 1)}, said(false, e(2, 1)), "3, before it 2.1"},
		{"a person went back", []int{3, 2}, []pebblestore.Edition{e(2, 0), e(3, 0)}, said(true, e(2, 0), e(3, 0)), "2, before it 3, held"},
		{"a person went back, and the code is gone now", []int{3}, []pebblestore.Edition{e(2, 0), e(3, 0)}, said(true, e(2, 0), e(3, 0)), "3, before it 2"},
		{"an older program after a newer one", []int{2}, []pebblestore.Edition{e(2, 0), e(3, 0)}, said(false, e(3, 0), e(2, 0)), "2, before it 3"},
		{"the newer one again", []int{3}, []pebblestore.Edition{e(2, 0), e(3, 0)}, said(false, e(2, 0), e(3, 0)), "3, before it 2"},
		{"an older program that was never there", []int{2}, []pebblestore.Edition{e(3, 0)}, said(false, e(3, 0)), "2, before it 3"},
		{"one much newer", []int{9}, []pebblestore.Edition{e(9, 0), e(9, 3)}, said(false, e(4, 0), e(3, 0)), "9.4, before it 4"},
	} {
		if got := servingText(choose(c.versions, c.there, c.said)); got != c.want {
			t.Errorf("%s: %s serves, want %s", c.name, got, c.want)
		}
	}
}

func servingText(s pebblestore.Serving) string {
	out := []string{s.Serving.String()}
	if s.Previous != nil {
		out = append(out, "before it "+s.Previous.String())
	}
	if s.Held {
		out = append(out, "held")
	}
	return strings.Join(out, ", ")
}

// Whatever stands there, a program serves what it has the code of, and asked again
// it chooses the same.
func TestChooseIsStable(t *testing.T) {
	editions := rapid.Custom(func(t *rapid.T) pebblestore.Edition {
		return pebblestore.Edition{Version: rapid.IntRange(1, 4).Draw(t, "version"), Generation: rapid.IntRange(0, 2).Draw(t, "generation")}
	})
	rapid.Check(t, func(t *rapid.T) {
		today := rapid.IntRange(1, 4).Draw(t, "today")
		versions := []int{today}
		if today > 1 && rapid.Bool().Draw(t, "keeps the one before") {
			versions = append(versions, today-1)
		}
		there := rapid.SliceOfDistinct(editions, func(e pebblestore.Edition) string { return e.String() }).Draw(t, "there")
		var said *pebblestore.Serving
		if rapid.Bool().Draw(t, "said") {
			said = &pebblestore.Serving{Serving: editions.Draw(t, "serving"), Held: rapid.Bool().Draw(t, "held")}
			if previous := editions.Draw(t, "previous"); previous != said.Serving {
				said.Previous = &previous
			}
		}
		now := choose(versions, there, said)
		if v := now.Serving.Version; v != versions[0] && v != versions[len(versions)-1] {
			t.Fatalf("version %d serves a program of %v", v, versions)
		}
		if now.Previous != nil && *now.Previous == now.Serving {
			t.Fatalf("%s is to go back to itself", now.Serving)
		}
		if again := choose(versions, there, &now); servingText(again) != servingText(now) {
			t.Fatalf("first %s, then %s", servingText(now), servingText(again))
		}
		if first := now.Serving.String(); now.Held && (said == nil || !said.Held || first != said.Serving.String()) {
			t.Fatalf("%s is held, and nobody said so", first)
		}
	})
}
