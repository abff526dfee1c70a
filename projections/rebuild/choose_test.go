package rebuild_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"chalie/projections/rebuild"
)

// TestChoose is which store serves, by the versions that a program has the code
// of, the stores that are there, and what was said.
func TestChoose(t *testing.T) {
	e := func(version, generation int) rebuild.StoreVersion {
		return rebuild.StoreVersion{Version: version, Generation: generation}
	}
	said := func(held bool, serving rebuild.StoreVersion, previous ...rebuild.StoreVersion) *rebuild.Active {
		out := &rebuild.Active{Store: serving, Pinned: held}
		for _, p := range previous {
			out.Previous = &p
		}
		return out
	}
	for _, c := range []struct {
		name     string
		versions []int
		there    []rebuild.StoreVersion
		said     *rebuild.Active
		want     string
	}{
		{"the first start", []int{1}, nil, nil, "1"},
		{"what an older program left", []int{2, 1}, []rebuild.StoreVersion{e(1, 0)}, nil, "1"},
		{"what an older program left, and this one can't fold", []int{2}, []rebuild.StoreVersion{e(1, 0)}, nil, "2, before it 1"},
		{"two programs' stores", []int{2}, []rebuild.StoreVersion{e(1, 0), e(2, 0)}, nil, "2, before it 1"},
		{"a shadow that was broken off", []int{1}, []rebuild.StoreVersion{e(1, 0), e(1, 1)}, nil, "1"},
		{"what was said", []int{1}, []rebuild.StoreVersion{e(1, 0), e(1, 4)}, said(false, e(1, 4), e(1, 0)), "1.4, before it 1"},
		{"an older version that is to be raised", []int{3, 2}, []rebuild.StoreVersion{e(2, 1)}, said(false, e(2, 1)), "2.1"},
		{"an older version that is gone", []int{3}, []rebuild.StoreVersion{e(2, 1)}, said(false, e(2, 1)), "3, before it 2.1"},
		{"a person went back", []int{3, 2}, []rebuild.StoreVersion{e(2, 0), e(3, 0)}, said(true, e(2, 0), e(3, 0)), "2, before it 3, pinned"},
		{"a person went back, and the code is gone now", []int{3}, []rebuild.StoreVersion{e(2, 0), e(3, 0)}, said(true, e(2, 0), e(3, 0)), "3, before it 2"},
		{"an older program after a newer one", []int{2}, []rebuild.StoreVersion{e(2, 0), e(3, 0)}, said(false, e(3, 0), e(2, 0)), "2, before it 3"},
		{"the newer one again", []int{3}, []rebuild.StoreVersion{e(2, 0), e(3, 0)}, said(false, e(2, 0), e(3, 0)), "3, before it 2"},
		{"an older program that was never there", []int{2}, []rebuild.StoreVersion{e(3, 0)}, said(false, e(3, 0)), "2, before it 3"},
		{"one much newer", []int{9}, []rebuild.StoreVersion{e(9, 0), e(9, 3)}, said(false, e(4, 0), e(3, 0)), "9.4, before it 4"},
	} {
		if got := text(rebuild.Choose(c.versions, c.there, c.said)); got != c.want {
			t.Errorf("%s: %s serves, want %s", c.name, got, c.want)
		}
	}
}

func text(s rebuild.Active) string {
	out := []string{s.Store.String()}
	if s.Previous != nil {
		out = append(out, "before it "+s.Previous.String())
	}
	if s.Pinned {
		out = append(out, "pinned")
	}
	return strings.Join(out, ", ")
}

// Whatever stands there, a program serves what it has the code of, and asked again
// it chooses the same.
func TestChooseIsStable(t *testing.T) {
	stores := rapid.Custom(func(t *rapid.T) rebuild.StoreVersion {
		return rebuild.StoreVersion{Version: rapid.IntRange(1, 4).Draw(t, "version"), Generation: rapid.IntRange(0, 2).Draw(t, "generation")}
	})
	rapid.Check(t, func(t *rapid.T) {
		today := rapid.IntRange(1, 4).Draw(t, "today")
		versions := []int{today}
		if today > 1 && rapid.Bool().Draw(t, "keeps the one before") {
			versions = append(versions, today-1)
		}
		there := rapid.SliceOfDistinct(stores, func(e rebuild.StoreVersion) string { return e.String() }).Draw(t, "there")
		var said *rebuild.Active
		if rapid.Bool().Draw(t, "said") {
			said = &rebuild.Active{Store: stores.Draw(t, "serving"), Pinned: rapid.Bool().Draw(t, "pinned")}
			if previous := stores.Draw(t, "previous"); previous != said.Store {
				said.Previous = &previous
			}
		}
		now := rebuild.Choose(versions, there, said)
		if v := now.Store.Version; v != versions[0] && v != versions[len(versions)-1] {
			t.Fatalf("version %d serves a program of %v", v, versions)
		}
		if now.Previous != nil && *now.Previous == now.Store {
			t.Fatalf("%s is to go back to itself", now.Store)
		}
		if again := rebuild.Choose(versions, there, &now); text(again) != text(now) {
			t.Fatalf("first %s, then %s", text(now), text(again))
		}
		if first := now.Store.String(); now.Pinned && (said == nil || !said.Pinned || first != said.Store.String()) {
			t.Fatalf("%s is pinned, and nobody said so", first)
		}
	})
}
