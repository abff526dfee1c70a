package replay_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"chalie/domain"
	"chalie/replay"
)

// caused is records by the number of their parent, 0 for none.
func caused(parents ...byte) []domain.Record {
	out := make([]domain.Record, 0, len(parents))
	for i, parent := range parents {
		out = append(out, domain.Record{
			Position: domain.Position(i + 1),
			Envelope: domain.Envelope{ID: domain.ID{15: byte(i + 1)}, Parent: domain.ID{15: parent}},
		})
	}
	return out
}

func TestWalkTellsCausesBeforeEffects(t *testing.T) {
	// 7 is caused by something of an earlier trace.
	var got []string
	err := replay.NewTree(caused(0, 1, 1, 2, 3, 1, 99)).Walk(func(rec domain.Record, last []bool) error {
		got = append(got, fmt.Sprint(rec.Position, last))
		return nil
	})
	want := []string{"1 []", "2 [false]", "4 [false true]", "3 [false]", "5 [false true]", "6 [true]", "7 []"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
}

func TestWalkEndsWithAnError(t *testing.T) {
	enough := errors.New("enough")
	told := 0
	err := replay.NewTree(caused(0, 1, 2, 0)).Walk(func(domain.Record, []bool) error {
		if told++; told == 2 {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) || told != 2 {
		t.Errorf("%d told, %v", told, err)
	}
}
