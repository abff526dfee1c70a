package replay_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
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

// chain writes a trace as "7:signal<5": the record at 7, a signal, caused by that at 5.
// Its source is what stands behind a slash, and an exclamation mark is an error.
func chain(t *testing.T, text string) []domain.Record {
	t.Helper()
	var out []domain.Record
	for word := range strings.FieldsSeq(text) {
		var at, parent int
		kind, failed := strings.CutSuffix(word, "!")
		kind, cause, caused := strings.Cut(kind, "<")
		if caused {
			if _, err := fmt.Sscan(cause, &parent); err != nil {
				t.Fatal(err)
			}
		}
		number, kind, _ := strings.Cut(kind, ":")
		if _, err := fmt.Sscan(number, &at); err != nil {
			t.Fatal(err)
		}
		kind, source, _ := strings.Cut(kind, "/")
		e := domain.Envelope{ID: domain.ID{15: byte(at)}, Parent: domain.ID{15: byte(parent)}, Type: domain.EventType(kind), Source: domain.Source(source)}
		if failed {
			e.Errors = []domain.Fault{{Code: "broken"}}
		}
		out = append(out, domain.Record{Position: domain.Position(at), RecordedAt: domain.Millis(100 * at), Envelope: e})
	}
	return out
}

// rows writes steps as they were written, each with its depth and what is folded.
func rows(steps []replay.Step) string {
	var out []string
	for _, s := range steps {
		row := fmt.Sprintf("%s%d-%d", strings.Repeat(">", s.Depth), s.Record.Position, s.Until/100)
		if s.Like > 0 {
			row += fmt.Sprintf("+%d..%d", s.Like, s.Through)
		}
		out = append(out, row)
	}
	return strings.Join(out, " ")
}

func TestSteps(t *testing.T) {
	for _, c := range []struct {
		name, trace string
		most        int
		keep        domain.Position
		want        string
		next        domain.Position
	}{
		{"nothing", "", 10, 0, "", 0},
		{"nested by cause", "1:a 2:b<1 3:c<2 4:d<1", 10, 0, "1-4 >2-3 >>3-3 >4-4", 0},
		{"an effect that comes late", "1:a 2:b<1 3:c<1 9:d<2", 10, 0, "1-9 >2-9 >>9-9 >3-3", 0},
		{"a cause elsewhere", "7:a<3 8:b<7", 10, 0, "7-8 >8-8", 0},
		{"like ones share a row", "1:a 2:s<1 3:s<1 4:s<1 5:s<1 6:e<1", 10, 0, "1-6 >2-5+3..5 >6-6", 0},
		{"three don't", "1:a 2:s<1 3:s<1 4:s<1", 10, 0, "1-4 >2-2 >3-3 >4-4", 0},
		{"what something came of doesn't", "1:s 2:s 3:s 4:s 5:x<4 6:s", 10, 0, "1-1 2-2 3-3 4-5 >5-5 6-6", 0},
		{"what failed doesn't", "1:s 2:s 3:s! 4:s 5:s 6:s 7:s", 10, 0, "1-1 2-2 3-3 4-7+3..7", 0},
		{"another source doesn't", "1:s/a 2:s/a 3:s/b 4:s/b 5:s/b 6:s/b", 10, 0, "1-1 2-2 3-6+3..6", 0},
		{"another cause doesn't", "1:s<9 2:s<9 3:s<8 4:s<8", 10, 0, "1-1 2-2 3-3 4-4", 0},
		{"one that is looked for", "1:s 2:s 3:s 4:s 5:s 6:s 7:s 8:s 9:s", 10, 5, "1-4+3..4 5-5 6-9+3..9", 0},
		{"a page ends at a position", "1:a 2:b<1 3:c<1 4:d<2", 3, 0, "1-3 >2-2 >3-3", 4},
		{"a page whose last row is a run", "1:a 2:s<1 3:s<1 4:s<1 5:s<1 6:e<1", 2, 0, "1-5 >2-5+3..5", 6},
		{"a run with another row amid", "1:a 2:s<1 3:x 4:s<1 5:s<1 6:s<1", 2, 0, "1-2 >2-2", 3},
	} {
		steps, next := replay.Steps(chain(t, c.trace), c.most, c.keep)
		if got := rows(steps); got != c.want || next != c.next {
			t.Errorf("%s: %s, next %d, want %s, next %d", c.name, got, next, c.want, c.next)
		}
	}
}

// However it is cut into pages, every record is in one row, and once.
func TestStepsMissNothing(t *testing.T) {
	whole := chain(t, "1:a 2:b<1 3:s<1 4:s<2 5:s<1 6:s<1 7:c<4 8:s<1 9:s<1 10:s<1 11:s<1 12:d<2 13:e! 14:s<1")
	for most := 1; most < 15; most++ {
		var seen []domain.Position
		for rest := whole; ; {
			steps, next := replay.Steps(rest, most, 0)
			if len(steps) == 0 || len(steps) > most {
				t.Fatalf("%d rows at most: %s", most, rows(steps))
			}
			for _, s := range steps {
				for _, rec := range rest {
					if rec.Position == s.Record.Position || rec.Position > s.Record.Position && rec.Position <= s.Through && replay.Alike(rec, s.Record) {
						seen = append(seen, rec.Position)
					}
				}
			}
			if next == 0 {
				break
			}
			rest = rest[slices.IndexFunc(rest, func(r domain.Record) bool { return r.Position == next }):]
		}
		slices.Sort(seen)
		if len(seen) != len(whole) || len(slices.Compact(seen)) != len(whole) {
			t.Errorf("with %d rows a page %v was seen", most, seen)
		}
	}
}
