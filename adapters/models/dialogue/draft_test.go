package dialogue

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
)

// However small the pieces are, each is looked at once: an answer in a hundred thousand of them
// takes no time. A work that grew with their square would end this test's patience.
func TestManyPieces(t *testing.T) {
	var aloud atomic.Bool
	told := 0
	d := NewDraft(Question{Tools: []Tool{{Name: "remind"}}}, func(p Piece) { told += len(p.Text) + len(p.Params) }, &aloud)
	const n = 100_000
	for range n {
		d.Text("a")
	}
	zero := 0
	d.Call(CallPart{Index: &zero, ID: "c", Name: "remind", Params: json.RawMessage(`"{\"text\":\""`)})
	for i := range n {
		d.Call(CallPart{Index: &zero, ID: fmt.Sprint(i), Name: "remind", Params: json.RawMessage(`"b"`)})
	}
	d.Call(CallPart{Index: &zero, Params: json.RawMessage(`"\"}"`)})
	d.Finish("stop")
	got := d.Answer()
	if len(got.Text) != n || len(got.Calls) != 1 || len(got.Calls[0].Params) != n+len(`{"text":""}`) || told != n+len(got.Calls[0].Params) {
		t.Errorf("it says %d bytes, calls %d and told %d bytes", len(got.Text), len(got.Calls), told)
	}
}

// More calls than anybody makes end the reading.
func TestManyCalls(t *testing.T) {
	var aloud atomic.Bool
	d := NewDraft(Question{}, nil, &aloud)
	for i := range 10_000 {
		d.Call(CallPart{Index: &i, ID: fmt.Sprint(i), Name: "remind", Params: json.RawMessage(`{"n":` + strings.Repeat("1", 3) + `}`)})
	}
	if got := d.Answer(); !d.Over || got.Stop != StopLength || len(got.Calls) != maxCalls {
		t.Errorf("it calls %d, over: %t, %s", len(got.Calls), d.Over, got.Stop)
	}
}
