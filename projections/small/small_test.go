package small_test

import (
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/projections"
	"chalie/projections/small"
)

func TestAccounts(t *testing.T) {
	h := newHistory(t)
	h.people()
	began := domain.MillisOf(domaintest.NewClock().Now())
	var issued []domain.ID
	for _, rec := range h.records() {
		if rec.Envelope.Type == domain.TokenIssuedType {
			issued = append(issued, rec.Envelope.ID)
		}
	}
	want := domain.Accounts{
		Through:  12,
		Operator: &domain.Operator{Username: "ada", PasswordHash: "new hash", RegisteredAt: began},
		Sessions: map[domain.SecretHash]domain.Session{
			domain.HashSecret("second"): {OpenedAt: began, ExpiresAt: h.now().Add(domain.SessionLifetime), Position: 7, Client: domain.Visitor{UserAgent: "app"}.Client()},
		},
		Tokens: map[domain.SecretHash]domain.Token{
			domain.HashSecret("station"): {Name: "station", Signals: []string{"a", "b"}, IssuedAt: began, Issued: issued[0], Position: 5},
		},
		Names: map[domain.ID]string{issued[0]: "station", issued[1]: "other"},
	}
	fold(h, small.Accounts()).Read(func(got *domain.Accounts) {
		if !reflect.DeepEqual(*got, want) {
			t.Errorf("it knows\n%+v\nwant\n%+v", *got, want)
		}
	})
}

func TestInvocationsKnowsWhatIsOpen(t *testing.T) {
	h := newHistory(t)
	second, third := h.invoke()
	want := map[domain.ID]domain.OpenInvocation{
		second: {Invoked: 4, Last: 5},
		third:  {Invoked: 8, Last: 10, Dispatched: true},
	}
	fold(h, small.Invocations()).Read(func(got *domain.Invocations) {
		if !reflect.DeepEqual(got.Open, want) {
			t.Errorf("open are %+v, want %+v", got.Open, want)
		}
	})
}

func TestMemory(t *testing.T) {
	h := newHistory(t)
	left := h.remember()
	add(h, domain.TaskCreated{Text: "x"})
	fold(h, small.Memory()).Read(func(got *domain.Memories) {
		if !slices.Equal(got.All, []domain.ID{left}) || got.Through != 4 {
			t.Errorf("remembered are %+v, want only %s", got, left)
		}
	})
}

func TestPlans(t *testing.T) {
	h := newHistory(t)
	h.plan()
	fold(h, small.Plans()).Read(func(got *domain.Plans) {
		if len(got.Commitments.Open) != 2 || len(got.Commitments.Ended) != 1 || len(got.Lists.All) != 1 || len(got.Lists.All[0].Items) != 1 {
			t.Fatalf("planned are %+v", got)
		}
		for _, one := range got.Commitments.Open {
			toldBy := map[domain.ItemKind]domain.Position{domain.ItemReminder: 4, domain.ItemAppointment: 9}[one.Kind]
			if one.Due != 90 || one.ToldBy != toldBy || !one.Waiting {
				t.Errorf("the %s is %+v", one.Kind, one)
			}
		}
	})
}

// The policy in force decides.
func TestPolicyDecides(t *testing.T) {
	h := newHistory(t)
	h.rule()
	note := domain.Offer{Name: "note", Tool: domain.Tool{Name: "note"}, Interface: &domain.Interface{Name: "Chalie"}}
	if p := small.NewPolicy(); !p.Manifest(note).SideEffects || p.ApprovalWithin() != 15*60*1000 {
		t.Errorf("by default it is %+v, and waits %d ms", p.Manifest(note), p.ApprovalWithin())
	}
	p := fold(h, small.NewPolicy())
	asked := domain.Invoking{Actor: domain.ActorReasoning, Channel: domain.ChannelBackground, Manifest: domain.Manifest{SideEffects: true, Autonomy: domain.AutonomyFull}}
	if got := p.Decide(asked); got.Verdict != domain.VerdictDenied {
		t.Errorf("decided %+v", got)
	}
	if p.Manifest(note).SideEffects || p.ApprovalWithin() != 3*60*1000 {
		t.Errorf("it is %+v, and waits %d ms", p.Manifest(note), p.ApprovalWithin())
	}
}

func TestRegistry(t *testing.T) {
	h := newHistory(t)
	h.pair()
	fold(h, small.Registry()).Read(func(r *domain.Registry) {
		i, ok := r.Token(domain.HashSecret("two"))
		if !ok || i.Name != "Hospital" || len(r.Interfaces) != 1 || len(r.Tokens) != 1 || len(r.Burnt) != 1 || len(r.Keys) != 0 || len(r.Streams) != 1 || r.Through != 15 {
			t.Errorf("it knows %+v", r)
		}
		if offers := r.Offers(); len(offers) != 1 || offers[0].Name != "book" {
			t.Errorf("it offers %+v", offers)
		}
	})
}

// TestReadersSeeWholeRegistries reads while everything changes: an interface that was
// read is never changed, which the race detector watches.
func TestReadersSeeWholeRegistries(t *testing.T) {
	h := newHistory(t)
	id := add(h, paired(9000, "one"))
	for n := range 200 {
		add(h, domain.CapabilitiesChanged{InterfaceID: id, Version: "2", Tools: make([]domain.Tool, n)})
		add(h, domain.InterfaceWentOffline{InterfaceID: id})
		add(h, domain.InterfaceCameOnline{InterfaceID: id})
	}
	all, p := h.records(), small.Registry()
	apply(t, p, all[:1]...)
	var readers sync.WaitGroup
	done := make(chan struct{})
	for range 2 {
		readers.Go(func() {
			for last := 0; ; {
				var held *domain.Interface
				p.Read(func(r *domain.Registry) { held = r.Interfaces[id] })
				// Versions 1 and 2 go with what was paired and what came later.
				if n := len(held.Tools); held.Version == "2" && n < last || held.Version == "" && last > 0 {
					t.Errorf("it went back from %d tools to %d", last, n)
				} else if held.Version == "2" {
					last = n
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	apply(t, p, all[1:]...)
	close(done)
	readers.Wait()
}

// Each field is the latest that anybody said of it.
func TestSurroundings(t *testing.T) {
	h := newHistory(t)
	want := h.move()
	p := fold(h, small.Surroundings())
	malta := "Europe/Malta"
	add(h, domain.ContextUpdated{Timezone: &malta})
	erased := h.records()[3]
	erased.Envelope.Payload = domain.Payload{Encoding: domain.EncodingErased}
	apply(t, p, erased)
	p.Read(func(got *domain.ContextUpdated) {
		if !reflect.DeepEqual(*got, want) {
			t.Errorf("known is %+v, want %+v", *got, want)
		}
	})
}

func TestWorldFadesWithTime(t *testing.T) {
	h := newHistory(t)
	add(h, domain.SignalReceived{SignalType: "weather_update", Content: "something", ActivationEnergy: 0.4})
	add(h, domain.SignalReceived{SignalType: "stock_alert", Content: "something", ActivationEnergy: 0.7})
	p := fold(h, small.World())
	for _, c := range []struct {
		wait           time.Duration
		stock, weather string // "" when out
	}{
		{0, "1.00", "0.80"}, {6 * time.Hour, "0.70", "0.40"}, {6 * time.Hour, "0.35", "0.20"}, {6 * time.Hour, "0.18", ""}, {100 * time.Hour, "", ""},
	} {
		h.clock.Advance(c.wait)
		p.Read(func(w *domain.World) {
			got := w.Assemble(nil, h.now())
			scores := []string{"", ""}
			for i, item := range got.Items {
				scores[i] = item.Salience.String()
			}
			if !reflect.DeepEqual(scores, []string{c.stock, c.weather}) || w.Through != 2 {
				t.Errorf("at %v: %q through %d, want %q and %q", h.clock.Now(), scores, w.Through, c.stock, c.weather)
			}
			for _, item := range got.LeftOut {
				if item.Gate != domain.GateBelowThreshold {
					t.Errorf("left out by %q", item.Gate)
				}
			}
			if len(got.Items)+len(got.LeftOut) != 2 {
				t.Errorf("something got lost: %+v", got)
			}
		})
	}
}

// What is planned takes its place among what was heard.
func TestPlansStandInTheWorld(t *testing.T) {
	h := newHistory(t)
	h.signal()
	add(h, domain.ReminderSet{Text: "dinner", Due: h.now().Add(2 * time.Hour)})
	fold(h, small.World()).Read(func(w *domain.World) {
		got := w.Assemble(nil, h.now())
		if len(got.Items) != 2 || got.Items[0].Kind != domain.ItemReminder || got.Items[0].Salience.String() != "0.89" || got.Items[0].Phase != domain.PhasePending {
			t.Errorf("in mind is %+v", got.Items)
		}
	})
}

// What is loaded is what was saved, also beyond the capacity.
func TestTheWorldIsTheSameAfterARestart(t *testing.T) {
	h, store := newHistory(t), projections.NewMemStore()
	for n := range 5 {
		add(h, domain.ReminderSet{Text: "dinner", Due: h.now().Add(time.Duration(n) * time.Hour)})
		for range 47 {
			h.signal()
			h.clock.Advance(time.Minute)
		}
		restarted, anew := small.World(), fold(h, small.World())
		if err := restarted.Load(store); err != nil {
			t.Fatal(err)
		}
		through, err := store.Checkpoint()
		if err != nil {
			t.Fatal(err)
		}
		apply(t, restarted, h.records()[through:]...)
		if err := store.Update(h.log.Tail(), restarted.Save); err != nil {
			t.Fatal(err)
		}
		if got, want := saved(t, restarted), saved(t, anew); got != want {
			t.Fatalf("after %d starts it is\n%s\nand folded anew\n%s", n, got, want)
		}
	}
}

// Who waits for a change is woken by the next one, and by a state that is loaded.
func TestChanged(t *testing.T) {
	h, p := newHistory(t), small.Plans()
	h.signal()
	add(h, domain.TaskCreated{Text: "b"})
	woken := func(changed <-chan struct{}) bool {
		select {
		case <-changed:
			return true
		default:
			return false
		}
	}
	before, also := p.Changed(), p.Changed()
	if apply(t, p, h.records()[0]); woken(before) {
		t.Error("a signal wakes")
	}
	if apply(t, p, h.records()[1]); !woken(before) || !woken(also) {
		t.Error("a task wakes nobody")
	}
	after := p.Changed()
	if woken(after) {
		t.Error("the task wakes who asks later")
	}
	if err := p.Load(projections.NewMemStore()); err != nil || !woken(after) {
		t.Errorf("a load wakes nobody, %v", err)
	}
}
