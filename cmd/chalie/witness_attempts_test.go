package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chalie/commands"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/replay/wiring"
)

// attemptsFolder is the second witness: of messages that couldn't be read, before anything was
// recorded of them and within a skill.
const attemptsFolder = "testdata/witness-attempts"

// TestWitnessOfAttempts holds this build to the second witness, as [TestWitness] does to the first.
func TestWitnessOfAttempts(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	imports(t, unpacked(t, attemptsFolder, wholeFile), data)
	for _, wrong := range witnessed(t, attemptsFolder, askAt(t, data), logFacts, worldFacts, whyFacts, replayFacts) {
		t.Error(wrong)
	}
}

// TestMakeWitnessOfAttempts makes one of this build, as [TestMakeWitness] does:
//
//	go test ./cmd/chalie -run TestMakeWitnessOfAttempts -make-witness FOLDER
func TestMakeWitnessOfAttempts(t *testing.T) {
	if *makeWitness == "" {
		t.Skip("a witness is made only when it is asked for: -make-witness FOLDER")
	}
	if err := os.Mkdir(*makeWitness, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TZ", "UTC")
	mind, skill := &stubborn{}, &stubborn{}
	s := beginWith(t, filepath.Join(t.TempDir(), "data"), domaintest.NewClock(), func(cfg *Config) {
		cfg.AuditAt, cfg.bounds = "off", commands.Bounds{Time: 500 * time.Millisecond}
		cfg.wires = func(w *wiring.Wiring) {
			trouble := w.Trouble
			w.Mind, w.Trouble = stubbornMind{w.Mind, mind}, func() []string { skill.reads(); return trouble() }
		}
	})
	for _, part := range []struct {
		of   *stubborn
		says string
	}{{mind, "what is the weather like"}, {skill, "does everything work"}} {
		until := part.of.goesOn()
		s.said(part.says)
		until()
	}
	s.stop()
	whole := filepath.Join(t.TempDir(), wholeFile)
	typed(t, "export", "--data", s.data, "--out", whole)
	pack(t, whole, filepath.Join(*makeWitness, wholeFile))
	records, a := stored(t, s.data), askAt(t, s.data)
	facts := map[string][]section{logFacts: {a.log("log")}, replayFacts: append([]section{a.replay(replayedWhole)}, replays(a, records)...)}
	for _, rec := range records {
		switch rec.Envelope.Type {
		case domain.ReasoningConcludedType:
			facts[worldFacts] = append(facts[worldFacts], a.world(fmt.Sprintf("world after %d", rec.Position)))
		case domain.AttemptFailedType, domain.ReasoningGivenUpType, domain.ToolFailedType:
		default:
			continue
		}
		facts[whyFacts] = append(facts[whyFacts], a.why(fmt.Sprintf("why %s %s", rec.Envelope.ID, strings.ReplaceAll(string(rec.Envelope.Type), ".", " "))))
	}
	for name, sections := range facts {
		if err := os.WriteFile(filepath.Join(*makeWitness, name), []byte(factsText(sections)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
