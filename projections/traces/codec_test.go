package traces

import (
	"bytes"
	"testing"

	"chalie/domain"
)

// FuzzDecodeBlock: whatever the disk gives is refused as damaged, or is lines that
// are written back as they were read.
func FuzzDecodeBlock(f *testing.F) {
	own := Line{Trace: domain.TraceID{ID: domain.ID{1}}, First: 65, Last: 65, Events: 1, StartedAt: 1000, UpdatedAt: 1000}
	own.Root = Root{EnvelopeID: own.Trace.ID, Type: "signal.received", Source: "weather", Principal: "weather"}
	caused := own
	caused.Trace.ID, caused.Root.EnvelopeID, caused.Root.Parent = domain.ID{2}, domain.ID{3}, domain.ID{1}
	caused.First, caused.Last, caused.Tools, caused.Ended, caused.failed, caused.waiting = 66, 90, "a\nb", domain.OutcomeResponded, true, 2
	f.Add(own.encode(nil, nil))
	f.Add(caused.encode(own.encode(nil, nil), &own))
	f.Fuzz(func(t *testing.T, block []byte) {
		lines, err := decodeBlock(block)
		if err != nil {
			return
		}
		var again []byte
		var before *Line
		for i := range lines {
			again = lines[i].encode(again, before)
			before = &lines[i]
		}
		twice, err := decodeBlock(again)
		if err != nil || len(twice) != len(lines) {
			t.Fatalf("%d lines became %d: %v", len(lines), len(twice), err)
		}
		for i := range lines {
			if lines[i] != twice[i] {
				t.Errorf("line %d was %+v and is %+v", i, lines[i], twice[i])
			}
		}
		if len(again) > len(block) {
			t.Errorf("%d bytes became %d", len(block), len(again))
		}
	})
}

// TestABlockSaysEachTextOnce: most lines in a row are of one kind.
func TestABlockSaysEachTextOnce(t *testing.T) {
	first := Line{Root: Root{Type: "signal.received", Source: "weather", Principal: "weather"}, First: 1, Last: 1}
	second := first
	second.First, second.Last = 2, 2
	block := second.encode(first.encode(nil, nil), &first)
	if n := bytes.Count(block, []byte("signal.received")); n != 1 {
		t.Errorf("a type stands in the block %d times", n)
	}
	lines, err := decodeBlock(block)
	if err != nil || len(lines) != 2 || lines[0] != first || lines[1] != second {
		t.Errorf("%+v, %v", lines, err)
	}
	if _, err := decodeBlock(second.encode(nil, &first)); err == nil {
		t.Error("a text of a line that isn't there was read")
	}
}
