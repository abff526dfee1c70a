package signal_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"chalie/commands"
	"chalie/commands/commandstest"
	"chalie/commands/signal"
	"chalie/domain"
)

func broadcast() commands.Caller {
	return signal.StreamCaller(domain.Stream{ID: domain.ID{15: 1}, URL: "ws://x", Source: "exchange"})
}

func TestOverhear(t *testing.T) {
	b := commandstest.NewBench(t)
	s := b.Signals(1) // a minute
	var batch signal.Overheard
	for range 50 {
		sig := commandstest.Weather()
		sig.Source = ""
		entry, err := s.Overhear(broadcast(), sig)
		if err != nil || !batch.Add(entry) {
			t.Fatal(err)
		}
	}
	bad := commandstest.Weather()
	bad.Content = ""
	_, err := s.Overhear(broadcast(), bad)
	commandstest.Refused(t, err, domain.Validation, "invalid")
	pos, err := s.Take(t.Context(), &batch)
	if err != nil || pos != 50 {
		t.Fatal(pos, err)
	}
	// Repeating it, as after a lost answer, changes nothing.
	if pos, err := s.Take(t.Context(), &batch); err != nil || pos != 50 {
		t.Fatal(pos, err)
	}
	b.Count(domain.TopicSignals, 50)
	for _, rec := range b.Records(domain.TopicSignals) {
		e := rec.Envelope
		if e.Source != "stream/exchange" || e.Principal != "stream:00000000-0000-0000-0000-000000000001" || e.Trace.ID != e.ID {
			t.Fatalf("the envelope is %+v", e)
		}
	}
	// Neither the person's rate nor that of anyone else is touched, after a restart either.
	if _, err := b.Signals(1).Submit(t.Context(), commandstest.Ada, commandstest.Weather()); err != nil {
		t.Error(err)
	}
	batch.Clear()
	if pos, err := s.Take(t.Context(), &batch); batch.Len() != 0 || pos != 0 || err != nil {
		t.Error(batch.Len(), pos, err)
	}
}

func TestOverheardFillsOneAppend(t *testing.T) {
	b := commandstest.NewBench(t)
	s := b.Signals(0)
	var batch signal.Overheard
	sig := commandstest.Weather()
	sig.Content = strings.Repeat("x", 60_000)
	for {
		entry, err := s.Overhear(broadcast(), sig)
		if err != nil {
			t.Fatal(err)
		}
		if !batch.Add(entry) {
			break
		}
	}
	if batch.Len() != domain.MaxBatchBytes/60_500 {
		t.Errorf("it takes %d signals", batch.Len())
	}
	if _, err := s.Take(t.Context(), &batch); err != nil {
		t.Error(err)
	}
	b.Count(domain.TopicSignals, batch.Len())
}

func TestOverheardHalves(t *testing.T) {
	b := commandstest.NewBench(t)
	s := b.Signals(0)
	var batch signal.Overheard
	for range 5 {
		entry, err := s.Overhear(broadcast(), commandstest.Weather())
		if err != nil || !batch.Add(entry) {
			t.Fatal(err)
		}
	}
	first, second := batch.Halves()
	var failures error
	for _, half := range []*signal.Overheard{&first, &second} {
		_, err := s.Take(t.Context(), half)
		failures = errors.Join(failures, err)
	}
	if first.Len() != 2 || second.Len() != 3 || failures != nil {
		t.Errorf("halves of %d and %d: %v", first.Len(), second.Len(), failures)
	}
	// The whole is known by now.
	if pos, err := s.Take(t.Context(), &batch); err != nil || pos != 5 {
		t.Error(pos, err)
	}
}

// TestSeedingSparesTheStart counts what an earlier process took in only when
// somebody sends, and then not what this process took in itself.
func TestSeedingSparesTheStart(t *testing.T) {
	b := commandstest.NewBench(t)
	if _, err := b.Signals(2).Submit(t.Context(), commandstest.Station, commandstest.Weather()); err != nil {
		t.Fatal(err)
	}
	s := b.Signals(2)
	// A broadcast that is taken in before the first who is counted.
	entry, err := s.Overhear(broadcast(), commandstest.Weather())
	if err != nil {
		t.Fatal(err)
	}
	var batch signal.Overheard
	batch.Add(entry)
	if _, err := s.Take(t.Context(), &batch); err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Submit(ended, commandstest.Station, commandstest.Weather()); err == nil {
		t.Error("it was counted without having read")
	}
	if _, err := s.Submit(t.Context(), commandstest.Station, commandstest.Weather()); err != nil {
		t.Errorf("the second of two: %v", err)
	}
	_, err = s.Submit(t.Context(), commandstest.Station, commandstest.Weather())
	commandstest.Refused(t, err, "", domain.CodeRateLimited)
	// A minute later nothing of it is left.
	b.Clock.Advance(time.Minute)
	if _, err := b.Signals(2).Submit(t.Context(), commandstest.Station, commandstest.Weather()); err != nil {
		t.Error(err)
	}
}
