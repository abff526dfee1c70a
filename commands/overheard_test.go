package commands_test

import (
	"errors"
	"strings"
	"testing"

	"chalie/commands"
	"chalie/domain"
)

func broadcast() commands.Caller {
	return commands.StreamCaller(domain.Stream{ID: domain.ID{15: 1}, URL: "ws://x", Source: "exchange"})
}

func TestOverhear(t *testing.T) {
	b := newBench(t)
	s := b.signals(1) // a minute
	var batch commands.Overheard
	for range 50 {
		sig := weather()
		sig.Source = ""
		entry, err := s.Overhear(broadcast(), sig)
		if err != nil || !batch.Add(entry) {
			t.Fatal(err)
		}
	}
	bad := weather()
	bad.Content = ""
	_, err := s.Overhear(broadcast(), bad)
	refused(t, err, domain.Validation, "invalid")
	pos, err := s.Take(t.Context(), &batch)
	if err != nil || pos != 50 {
		t.Fatal(pos, err)
	}
	// Repeating it, as after a lost answer, changes nothing.
	if pos, err := s.Take(t.Context(), &batch); err != nil || pos != 50 {
		t.Fatal(pos, err)
	}
	b.count(domain.TopicSignals, 50)
	for _, rec := range b.records(domain.TopicSignals) {
		e := rec.Envelope
		if e.Source != "exchange" || e.Principal != "stream:00000000-0000-0000-0000-000000000001" || e.Trace.ID != e.ID {
			t.Fatalf("the envelope is %+v", e)
		}
	}
	// Neither the person's rate nor that of anyone else is touched, after a restart either.
	if _, err := b.signals(1).Submit(t.Context(), ada, weather()); err != nil {
		t.Error(err)
	}
	batch.Clear()
	if pos, err := s.Take(t.Context(), &batch); batch.Len() != 0 || pos != 0 || err != nil {
		t.Error(batch.Len(), pos, err)
	}
}

func TestOverheardFillsOneAppend(t *testing.T) {
	b := newBench(t)
	s := b.signals(0)
	var batch commands.Overheard
	sig := weather()
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
	b.count(domain.TopicSignals, batch.Len())
}

func TestOverheardHalves(t *testing.T) {
	b := newBench(t)
	s := b.signals(0)
	var batch commands.Overheard
	for range 5 {
		entry, err := s.Overhear(broadcast(), weather())
		if err != nil || !batch.Add(entry) {
			t.Fatal(err)
		}
	}
	first, second := batch.Halves()
	var failures error
	for _, half := range []*commands.Overheard{&first, &second} {
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
