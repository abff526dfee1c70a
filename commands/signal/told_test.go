package signal_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"chalie/commands"
	"chalie/commands/commandstest"
	"chalie/commands/signal"
	"chalie/domain"
)

// telling takes signals in that may tell of surroundings.
func telling(t *testing.T) (*commandstest.Bench, *signal.Signals, *signal.Surroundings) {
	t.Helper()
	b, around, _ := commandstest.NewSurroundings(t)
	s, err := signal.New(signal.Config{Env: b.Env(), Surroundings: around})
	if err != nil {
		t.Fatal(err)
	}
	return b, s, around
}

// movedTo tells of a timezone.
func movedTo(zone string) domain.SignalReceived {
	return domain.SignalReceived{SignalType: domain.ContextUpdate, Content: "moved", Metadata: []byte(`{"timezone":"` + zone + `"}`), ActivationEnergy: 0.5}
}

// zones are what is recorded of where the person is, oldest first.
func zones(t *testing.T, b *commandstest.Bench) (out []string) {
	t.Helper()
	for _, rec := range b.Records(domain.TopicMessages) {
		out = append(out, *commandstest.Decoded[domain.ContextUpdated](t, rec).Timezone)
	}
	return out
}

func TestWhoMayTellOfSurroundings(t *testing.T) {
	byName := commands.TokenCaller(domain.Token{Name: "phone", Signals: []string{domain.ContextUpdate, "weather"}})
	namedStream := broadcast()
	namedStream.Signals, namedStream.Rights = []string{domain.ContextUpdate}, []string{domain.ContextUpdate}
	for _, c := range []struct {
		name   string
		caller commands.Caller
		may    bool
	}{
		{"the operator", commandstest.Ada, true},
		{"a program that may by name", byName, true},
		{"a program that may send anything", commandstest.Station, false},
		{"an interface that may by name", commands.InterfaceCaller(domain.Interface{ID: domain.ID{15: 1}, Name: "Lab", Origin: domain.OriginRegistered, Approved: domain.NewApproval(nil, []string{domain.ContextUpdate}, nil)}), true},
		{"an interface that named it itself", commands.InterfaceCaller(domain.Interface{ID: domain.ID{15: 1}, Name: "Lab", Origin: domain.OriginPaired, Signals: []string{domain.ContextUpdate}}), false},
		{"an interface that may send anything", commands.InterfaceCaller(domain.Interface{ID: domain.ID{15: 1}, Name: "Lab"}), false},
		{"a stream", broadcast(), false},
		{"a stream that may by name", namedStream, true},
	} {
		for way, take := range map[string]func(*signal.Signals) error{
			"alone": func(s *signal.Signals) error {
				_, err := s.Submit(t.Context(), c.caller, movedTo("Europe/Malta"))
				return err
			},
			"in a batch": func(s *signal.Signals) error {
				_, err := s.SubmitBatch(t.Context(), c.caller, []signal.Item{{Err: errors.New("unreadable")}, {Signal: movedTo("Europe/Malta")}})
				return err
			},
			"overheard": func(s *signal.Signals) error {
				heard, err := s.Overhear(c.caller, movedTo("Europe/Malta"))
				if err != nil {
					return err
				}
				var batch signal.Overheard
				batch.Add(heard)
				_, err = s.Take(t.Context(), &batch)
				return err
			},
		} {
			b, s, _ := telling(t)
			if err := take(s); err != nil {
				t.Fatalf("%s, %s: %v", c.name, way, err)
			}
			b.Count(domain.TopicSignals, 1)
			got := b.Records(domain.TopicMessages)
			if len(got) > 0 != c.may {
				t.Errorf("%s, %s: it changed the surroundings %d times", c.name, way, len(got))
			}
			for _, rec := range got {
				heard := b.Records(domain.TopicSignals)[0].Envelope
				if e := rec.Envelope; e.Parent != heard.ID || e.Trace != heard.Trace || e.Principal != heard.Principal || e.Source != heard.Source {
					t.Errorf("%s, %s: the change is %+v, of the signal %+v", c.name, way, e, heard)
				}
			}
		}
	}
}

// A signal and what it changes are in the log together, or neither is.
func TestTheSignalAndItsChangeAreOneAppend(t *testing.T) {
	b, s, around := telling(t)
	appends := 0
	b.Door.Set(func(batch domain.Batch) error {
		appends++
		if len(batch.Entries) != 2 || batch.Entries[0].Topic != domain.TopicSignals || batch.Entries[1].Topic != domain.TopicMessages {
			t.Errorf("the batch is %+v", batch)
		}
		return commandstest.LogFailed(domain.CodeDiskLow)
	}, nil)
	_, err := s.Submit(t.Context(), commandstest.Ada, movedTo("Europe/Malta"))
	commandstest.Refused(t, err, domain.Dependency, domain.CodeDiskLow)
	b.Count(domain.TopicAll, 0)
	if around.Now().Timezone != nil || appends != 1 {
		t.Errorf("known is %+v after %d appends", around.Now(), appends)
	}
	b.Door.Set(nil, nil)
	if _, err := s.Submit(t.Context(), commandstest.Ada, movedTo("Europe/Malta")); err != nil {
		t.Fatal(err)
	}
	b.Count(domain.TopicAll, 2)
	// Whoever asks next is told.
	if zone := around.Now().Timezone; zone == nil || *zone != "Europe/Malta" {
		t.Errorf("known is %+v", around.Now())
	}
}

func TestWhatIsKnownIsNoChange(t *testing.T) {
	b, s, _ := telling(t)
	for _, zone := range []string{"Europe/Malta", "Europe/Malta", "Mars/Olympus"} {
		if _, err := s.Submit(t.Context(), commandstest.Ada, movedTo(zone)); err != nil {
			t.Fatal(err)
		}
	}
	b.Count(domain.TopicSignals, 3)
	// Each of a batch is compared with those before it, that aren't known yet.
	var items []signal.Item
	for _, zone := range []string{"Europe/Malta", "Asia/Tokyo", "Asia/Tokyo", "Europe/Malta"} {
		items = append(items, signal.Item{Signal: movedTo(zone)})
	}
	if out, err := s.SubmitBatch(t.Context(), commandstest.Ada, items); err != nil || out.Accepted != 4 {
		t.Fatal(out, err)
	}
	if got := zones(t, b); !slices.Equal(got, []string{"Europe/Malta", "Asia/Tokyo", "Europe/Malta"}) {
		t.Errorf("recorded is %v", got)
	}
}

func TestARepeatChangesNothingTwice(t *testing.T) {
	b, s, _ := telling(t)
	send := func(key, zone string) {
		req := commands.Request{Route: "POST /x", Key: key, BodyHash: commands.BodyHash([]byte(zone))}
		if _, err := s.SubmitOnce(t.Context(), commandstest.Ada, movedTo(zone), req, commandstest.AnswerID); err != nil {
			t.Fatal(err)
		}
	}
	send("1", "Europe/Malta")
	send("2", "Asia/Tokyo")
	send("1", "Europe/Malta")
	var batch signal.Overheard
	heard, err := s.Overhear(commandstest.Ada, movedTo("America/Lima"))
	if err != nil || !batch.Add(heard) {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := s.Take(t.Context(), &batch); err != nil {
			t.Fatal(err)
		}
	}
	if got := zones(t, b); strings.Join(got, " ") != "Europe/Malta Asia/Tokyo America/Lima" {
		t.Errorf("recorded is %v", got)
	}
	b.Count(domain.TopicSignals, 3)
}

// What can't be taken whole is split with what it changes.
func TestAChangeGoesWithItsSignal(t *testing.T) {
	b, s, _ := telling(t)
	var batch signal.Overheard
	for _, sig := range []domain.SignalReceived{commandstest.Weather(), movedTo("Europe/Malta"), commandstest.Weather(), movedTo("Asia/Tokyo")} {
		heard, err := s.Overhear(commandstest.Ada, sig)
		if err != nil || !batch.Add(heard) {
			t.Fatal(err)
		}
	}
	first, second := batch.Halves()
	if _, err := s.Take(t.Context(), &first); err != nil {
		t.Fatal(err)
	}
	if got := zones(t, b); !slices.Equal(got, []string{"Europe/Malta"}) {
		t.Errorf("after the first half recorded is %v", got)
	}
	if _, err := s.Take(t.Context(), &second); err != nil {
		t.Fatal(err)
	}
	b.Count(domain.TopicAll, 6)
}
