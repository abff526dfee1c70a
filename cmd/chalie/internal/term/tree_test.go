package term

import (
	"fmt"
	"strings"
	"testing"

	"chalie/domain"
	"chalie/replay"
)

// family is records by the number of their parent, 0 for none.
func family(parents ...int) []domain.Record {
	var out []domain.Record
	id := func(n int) (id domain.ID) {
		if n > 0 {
			id[0], id[13], id[14], id[15] = 1, byte(n>>16), byte(n>>8), byte(n)
		}
		return id
	}
	for i, parent := range parents {
		out = append(out, domain.Record{
			Position: domain.Position(i + 1), Envelope: domain.Envelope{ID: id(i + 1), Parent: id(parent)},
		})
	}
	return out
}

func TestTree(t *testing.T) {
	var got strings.Builder
	// 9 is caused by something of an earlier trace.
	records := family(0, 1, 1, 2, 2, 3, 6, 0, 99)
	err := replay.NewTree(records).Walk(func(rec domain.Record, last []bool) error {
		_, err := fmt.Fprintf(&got, "%s%d\n", Branch(last), rec.Position)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `1
├─ 2
│  ├─ 4
│  └─ 5
└─ 3
   └─ 6
      └─ 7
8
9
`
	if got.String() != want {
		t.Fatalf("\n%s\nwant:\n%s", got.String(), want)
	}
}

// TestTreeOfAChain checks that a trace in which each envelope causes the next
// stays cheap, and every record is told once.
func TestTreeOfAChain(t *testing.T) {
	const length = 20_000
	parents := make([]int, length)
	for i := range parents {
		parents[i] = i
	}
	told, widest := 0, 0
	err := replay.NewTree(family(parents...)).Walk(func(rec domain.Record, last []bool) error {
		told++
		widest = max(widest, Columns(Branch(last)))
		if rec.Position != domain.Position(told) {
			return fmt.Errorf("position %d came as number %d", rec.Position, told)
		}
		return nil
	})
	if err != nil || told != length || widest > 3*maxIndent+3 {
		t.Fatalf("%d told, widest %d, %v", told, widest, err)
	}
}
