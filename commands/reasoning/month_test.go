package reasoning_test

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"
	"time"

	"chalie/commands/commandstest"
	"chalie/domain"
)

// TestCyclesStayLight lives days of signals and plans, with a cycle behind every signal, and
// holds what a cycle records of its ground, its reasons included, to what it took before
// reasons were recorded and when every item had its kind.
func TestCyclesStayLight(t *testing.T) {
	signals, plans := corpus(t, "signals.jsonl"), corpus(t, "commitments.jsonl")
	s := commandstest.NewStage(t)
	const days, anHour = 4, 4 // signals
	cycles, bytes, before := 0, 0, 0
	for hour := range 24 * days {
		if hour%8 == 0 {
			s.Remind(plans[hour/8%len(plans)], time.Duration(2+hour*7%90)*time.Hour)
		}
		for n := range anHour {
			s.Hear(signals[(hour*anHour+n)%len(signals)])
			s.Clock.Advance(time.Hour / anHour)
			rec := s.Notice()
			s.Cycle(rec)
			cycles++
			for _, step := range s.Episode(rec) {
				if step.Envelope.Type != domain.ReasoningStartedType && step.Envelope.Type != domain.RelationsFoundType {
					continue
				}
				bytes += len(step.Envelope.Payload.Bytes)
				if started, err := domain.Decode[domain.ReasoningStarted](step.Envelope); err == nil {
					before += len(step.Envelope.Payload.Bytes) + asBefore(started)
				}
			}
		}
	}
	t.Logf("%d cycles, %d bytes each, before %d", cycles, bytes/cycles, before/cycles)
	if bytes > before {
		t.Errorf("a cycle takes %d bytes, and took %d", bytes/cycles, before/cycles)
	}
}

// asBefore is how much longer the record of a ground was in version 2.
func asBefore(started domain.ReasoningStarted) int {
	more := 0
	for _, items := range [][]domain.SeenItem{started.World.Items, started.World.LeftOut} {
		for _, item := range items {
			if item.Kind == domain.ItemSignal {
				more += len(`"kind":"signal",`)
			}
		}
	}
	if !started.Found.IsZero() {
		more -= len(`"found":"01KEFFNQW0E00R000000000468",`)
	}
	return more
}

// corpus are the texts of one of the corpus's files.
func corpus(t *testing.T, name string) (out []string) {
	t.Helper()
	f, err := os.Open("../../domain/relate/testdata/corpus/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var line struct{ Text string }
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		out = append(out, line.Text)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}
