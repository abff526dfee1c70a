package projections_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"chalie/projections"
)

func storeOf(t rapid.TB, entries map[string]string) *projections.Overlay {
	t.Helper()
	s := projections.NewMemStore()
	err := s.Update(1, func(b projections.Batch) error {
		for key, value := range entries {
			if err := b.Set([]byte(key), []byte(value)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func compared(t rapid.TB, was, is map[string]string) projections.Difference {
	t.Helper()
	p := newSum("sum")
	out, err := projections.Compare(context.Background(), projections.Side{Projection: p, State: storeOf(t, was)}, projections.Side{Projection: p, State: storeOf(t, is)})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestCompareNamesWhatDiffers(t *testing.T) {
	for _, c := range []struct {
		name    string
		was, is string // of one key; "" when it isn't there
		want    []string
	}{
		{"a field", `{"a":1,"b":{"c":[1,2]}}`, `{"a":1,"b":{"c":[1,3]}}`, []string{`b.c[1] 2 3`}},
		{"a field that came and one that went", `{"a":1}`, `{"b":1}`, []string{`a 1 `, `b  1`}},
		{"a longer list", `[1]`, `[1,{"x":2}]`, []string{`[1]  {"x":2}`}},
		{"another kind of value", `{"a":[1]}`, `{"a":{"b":1}}`, []string{`a [1] {"b":1}`}},
		{"nothing", `{"a":null}`, `{"a":0}`, []string{`a null 0`}},
		{"large numbers", `{"a":9007199254740993}`, `{"a":9007199254740992}`, []string{`a 9007199254740993 9007199254740992`}},
		{"the same in other bytes", `{"a": 1}`, `{"a":1}`, []string{` {"a": 1} {"a":1}`}},
		{"no JSON", "\x01\x02", "\x01", []string{` "0102" "01"`}},
		{"only the old one", `1`, ``, []string{` 1 `}},
		{"only the new one", ``, `1`, []string{`  1`}},
	} {
		one := func(value string) map[string]string {
			if value == "" {
				return nil
			}
			return map[string]string{"state": value}
		}
		d := compared(t, one(c.was), one(c.is))
		var got []string
		for _, change := range d.First {
			if change.Entity != "state" {
				t.Errorf("%s: it names %q", c.name, change.Entity)
			}
			got = append(got, fmt.Sprintf("%s %s %s", change.Field, change.Was, change.Is))
		}
		if !slices.Equal(got, c.want) || d.Count() != 1 {
			t.Errorf("%s: %q, %+v, want %q", c.name, got, d, c.want)
		}
	}
}

func TestCompareTellsTheFirstTen(t *testing.T) {
	was, is := map[string]string{}, map[string]string{}
	for i := range 40 {
		was[fmt.Sprintf("k%02d", i)], is[fmt.Sprintf("k%02d", i)] = "1", "2"
	}
	is["e\x00\x01"] = "3"
	d := compared(t, was, is)
	if d.Changed != 40 || d.Added != 1 || d.Compared != 41 || len(d.First) != 10 || d.First[0].Entity != "e:0001" || d.First[9].Entity != "k08" {
		t.Errorf("the difference is %+v", d)
	}
}

// What is counted is what a comparison of two maps finds.
func TestCompareLikeMaps(t *testing.T) {
	entries := rapid.MapOfN(rapid.StringMatching("[a-c]{1,3}"), rapid.SampledFrom([]string{"1", "2", `{"a":1}`, `{"a":2}`}), 0, 20)
	rapid.Check(t, func(t *rapid.T) {
		was, is := entries.Draw(t, "was"), entries.Draw(t, "is")
		var missing, added, changed uint64
		for key, value := range was {
			if other, ok := is[key]; !ok {
				missing++
			} else if other != value {
				changed++
			}
		}
		for key := range is {
			if _, ok := was[key]; !ok {
				added++
			}
		}
		d := compared(t, was, is)
		if d.Missing != missing || d.Added != added || d.Changed != changed || (d.Count() == 0) != maps.Equal(was, is) || (d.Count() == 0) != (len(d.First) == 0) {
			t.Errorf("%q and %q: %+v", was, is, d)
		}
		p := newSum("sum")
		a, err := projections.Digest(p, storeOf(t, was))
		b, otherErr := projections.Digest(p, storeOf(t, is))
		if err := errors.Join(err, otherErr); err != nil || (a == b) != maps.Equal(was, is) {
			t.Errorf("%q and %q: %s, %s, %v", was, is, a, b, err)
		}
	})
}

func TestCompareFails(t *testing.T) {
	p := newSum("sum")
	s := storeOf(t, map[string]string{"a": "1"})
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := projections.Compare(ended, projections.Side{Projection: p, State: s}, projections.Side{Projection: p, State: s}); !errors.Is(err, context.Canceled) {
		t.Errorf("once ctx has ended: %v", err)
	}
	closed := storeOf(t, nil)
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := projections.Compare(t.Context(), projections.Side{Projection: p, State: s}, projections.Side{Projection: p, State: closed}); err == nil {
		t.Error("a store that can't be read compares well")
	}
}
