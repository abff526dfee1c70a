package domain_test

import (
	"reflect"
	"testing"
	"time"

	"chalie/domain"
)

func TestPairs(t *testing.T) {
	one, two, three := domain.ID{15: 1}, domain.ID{15: 2}, domain.ID{15: 3}
	named := func(ids ...domain.ID) (out []domain.Evidence) {
		for _, id := range ids {
			out = append(out, domain.Evidence{EnvelopeID: id, Role: "named"})
		}
		return out
	}
	for _, c := range []struct {
		name     string
		evidence []domain.Evidence
		want     []domain.Pair
	}{
		{"none", nil, nil},
		{"one", named(one), []domain.Pair{{A: one}}},
		{"one, twice", named(one, one), []domain.Pair{{A: one}}},
		{"two, in any order", named(two, one), []domain.Pair{{A: one, B: two}}},
		{"three", named(three, one, two), []domain.Pair{{A: one, B: two}, {A: one, B: three}, {A: two, B: three}}},
		{"beside what is new every time", append(named(one, two), domain.Evidence{EnvelopeID: three, Role: "asked"}, domain.Evidence{EnvelopeID: three, Role: "context"}), []domain.Pair{{A: one, B: two}}},
	} {
		if got := domain.PairsOf(c.evidence); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	var many []domain.ID
	for i := range byte(100) {
		many = append(many, domain.ID{15: i})
	}
	if got := len(domain.PairsOf(named(many...))); got != 120 {
		t.Errorf("a hundred give %d pairs", got)
	}
}

func TestTopicsAreComparedInPlainForm(t *testing.T) {
	if domain.HashTopic(" Dinner\tout ") != domain.HashTopic("dinner OUT") || domain.HashTopic("dinner") == domain.HashTopic("dinners") {
		t.Error("topics are told apart by capitals and spaces, or not by letters")
	}
	if got := domain.PlainForm("  A\n b  "); got != "a b" {
		t.Errorf("the plain form is %q", got)
	}
}

func TestPastNoticeSince(t *testing.T) {
	told := domain.PastNotice{At: 1000}
	if told.Since(500) != 0 || told.Since(2500) != 1500*time.Millisecond {
		t.Error("the future was told now, and the past when it was")
	}
}
