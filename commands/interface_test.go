package commands_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"chalie/commands"
	"chalie/domain"
	"chalie/domain/domaintest"
)

func asError(err error, to **domain.Error) bool { return errors.As(err, to) }

func weatherDaemon() commands.Registration {
	return commands.Registration{Name: "Weather", Version: "1.0", Description: "wind and rain", Host: "127.0.0.1", Port: 4001,
		Scopes: domain.Scopes{Context: map[string]string{"location": "to know where"}, Signals: map[string]string{"wind": "it blows", "rain": "it pours"}}}
}

// register registers, and holds what the answer must be and how many records it
// made.
func (r *reception) register(reg commands.Registration, isNew bool, status domain.InterfaceStatus, records int) domain.ID {
	r.t.Helper()
	before := len(r.records(domain.TopicInterfaces))
	got, err := r.Register(r.t.Context(), reg)
	if err != nil || got.New != isNew || got.Status != status {
		r.t.Fatalf("registered as %+v, %v; want new %v, %s", got, err, isNew, status)
	}
	r.count(domain.TopicInterfaces, before+records)
	return got.ID
}

func signalsAllowed(types ...string) domain.Approval { return domain.NewApproval(nil, types, nil) }

func (r *reception) approve(id domain.ID, a domain.Approval, records int) {
	r.t.Helper()
	before := len(r.records(domain.TopicInterfaces))
	if status, err := r.Approve(r.t.Context(), ada, id, a); err != nil || status != domain.StatusOnline {
		r.t.Errorf("approved, it is %s, %v", status, err)
	}
	r.count(domain.TopicInterfaces, before+records)
}

func TestRegisterDaemon(t *testing.T) {
	r := newReception(t)
	daemon := weatherDaemon()
	id := r.register(daemon, true, domain.StatusPending, 1)
	r.register(daemon, false, domain.StatusPending, 0)
	rec := r.records(domain.TopicInterfaces)[0]
	if rec.Envelope.Principal != domain.Principal(id.UUID()) || rec.Envelope.ID != id || rec.Envelope.Trace.ID != id {
		t.Errorf("the record is %+v", rec.Envelope)
	}
	r.approve(id, signalsAllowed("wind"), 1)
	r.approve(id, signalsAllowed("wind"), 0)

	// After restarts of either side it is the same, and what it newly asks for is
	// not approved.
	r = anotherReception(r.bench, r.peer)
	r.register(daemon, false, domain.StatusOnline, 0)
	daemon.Scopes.Signals = map[string]string{"wind": "it blows", "snow": "it snows"}
	if again := r.register(daemon, false, domain.StatusOnline, 1); again != id {
		t.Errorf("its id became %s", again)
	}
	i, err := r.Get(id)
	if err != nil || !i.Approved.Equal(signalsAllowed("wind")) {
		t.Errorf("approved is %+v, %v", i.Approved, err)
	}
	if c := commands.InterfaceCaller(i); !slices.Equal(c.Signals, []string{"wind"}) || c.Principal != i.Principal() || c.Name != "Weather" {
		t.Errorf("it speaks as %+v", c)
	}

	// Under another name it keeps its id and nothing else.
	daemon.Name = "Impostor"
	if again := r.register(daemon, false, domain.StatusPending, 1); again != id {
		t.Errorf("its id became %s", again)
	}
	if i, err := r.Get(id); err != nil || !i.Approved.Empty() {
		t.Errorf("the other's approvals passed on: %+v, %v", i.Approved, err)
	}

	// Removed, it comes back as a stranger.
	if err := r.Remove(t.Context(), ada, id); err != nil {
		t.Fatal(err)
	}
	fresh := r.register(daemon, true, domain.StatusPending, 1)
	if fresh == id {
		t.Error("a removed daemon's id lets it in again")
	}
	if _, err := r.Get(id); domain.CategoryOf(err) != domain.NotFound {
		t.Errorf("the removed one: %v", err)
	}
	if len(r.peer.asked) != 0 {
		t.Errorf("a daemon was asked %v while it registered", r.peer.asked)
	}
}

func TestRegisterDaemonRefuses(t *testing.T) {
	r := newReception(t)
	r.pairAt("Hospital", 9000)
	tail := r.log.Tail()
	for field, change := range map[string]func(*commands.Registration){
		"name": func(d *commands.Registration) { d.Name = " " }, "port": func(d *commands.Registration) { d.Port = 0 },
		"scopes": func(d *commands.Registration) { d.Scopes.Messages = map[string]string{"": ""} },
	} {
		daemon := weatherDaemon()
		change(&daemon)
		_, err := r.Register(t.Context(), daemon)
		refused(t, err, domain.Validation, "invalid")
		if e := new(domain.Error); !asError(err, &e) || e.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	taken := weatherDaemon()
	taken.Port = 9000
	_, err := r.Register(t.Context(), taken)
	refused(t, err, domain.Conflict, "place_taken")
	r.door.set(func(domain.Batch) error { return logFailed(domain.CodeDiskLow) }, nil)
	_, err = r.Register(t.Context(), weatherDaemon())
	refused(t, err, domain.Dependency, domain.CodeDiskLow)
	if r.log.Tail() != tail || len(r.List()) != 1 {
		t.Error("a refused registration was recorded")
	}
}

func TestRegisterOneDaemonUnderRace(t *testing.T) {
	r := newReception(t)
	doors := make([]*reception, 8)
	for n := range doors {
		doors[n] = anotherReception(r.bench, r.peer)
		doors[n].roll.hold()
	}
	ids := make([]domain.ID, len(doors))
	var wg sync.WaitGroup
	for n, door := range doors {
		wg.Go(func() {
			got, err := door.Register(context.Background(), weatherDaemon())
			if err != nil {
				t.Error(err)
			}
			ids[n] = got.ID
		})
	}
	wg.Wait()
	if len(slices.Compact(ids)) != 1 {
		t.Errorf("it got the ids %v", ids)
	}
	r.count(domain.TopicInterfaces, 1)
}

// TestDecidesAgain holds that a decision on a fold that is behind gives way to what
// came in the meantime.
func TestDecidesAgain(t *testing.T) {
	r := newReception(t)
	daemon := weatherDaemon()
	id := r.register(daemon, true, domain.StatusPending, 1)
	behind := anotherReception(r.bench, r.peer)

	behind.roll.hold()
	r.approve(id, signalsAllowed("wind"), 1)
	behind.approve(id, signalsAllowed("wind"), 0)

	behind.roll.hold()
	if err := r.Remove(t.Context(), ada, id); err != nil {
		t.Fatal(err)
	}
	daemon.Version = "2"
	if fresh := behind.register(daemon, true, domain.StatusPending, 1); fresh == id {
		t.Error("an interface came back that was removed at the same moment")
	}
	behind.roll.hold()
	fresh := r.List()[0].ID
	if err := r.Remove(t.Context(), ada, fresh); err != nil {
		t.Fatal(err)
	}
	refused(t, behind.Remove(t.Context(), ada, fresh), domain.NotFound, "no_interface")
	behind.roll.hold()
	_, err := behind.Approve(t.Context(), ada, fresh, signalsAllowed())
	refused(t, err, domain.NotFound, "no_interface")
}

// TestOthersMayNameAnInterface holds that an interface can be changed after what is
// no business of the registry was recorded under its key.
func TestOthersMayNameAnInterface(t *testing.T) {
	r := newReception(t)
	id := r.register(weatherDaemon(), true, domain.StatusPending, 1)
	entry := domaintest.NewEntry(r.ids, domain.TopicTools)
	entry.Envelope.Keys = []domain.Key{domain.InterfaceKey(id)}
	if _, err := r.log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
		t.Fatal(err)
	}
	r.approve(id, signalsAllowed("wind"), 1)
}

func TestChangedAgainAndAgain(t *testing.T) {
	r := newReception(t)
	id := r.register(weatherDaemon(), true, domain.StatusPending, 1)
	n := 0
	r.door.set(func(domain.Batch) error {
		n++
		return &domain.Error{Category: domain.Conflict, Code: domain.CodeConditionFailed, Message: "changed"}
	}, nil)
	_, err := r.Approve(t.Context(), ada, id, signalsAllowed())
	refused(t, err, domain.Conflict, "interface_changed")
	if !domain.IsRetriable(err) || n < 2 || n > 100 {
		t.Errorf("after %d attempts: %v", n, err)
	}
}

func TestApproveRefuses(t *testing.T) {
	r := newReception(t)
	id := r.register(weatherDaemon(), true, domain.StatusPending, 1)
	_, err := r.Approve(t.Context(), ada, id, signalsAllowed("snow"))
	refused(t, err, domain.Validation, "invalid")
	_, err = r.Approve(t.Context(), ada, domain.ID{1}, signalsAllowed())
	refused(t, err, domain.NotFound, "no_interface")
	r.count(domain.TopicInterfaces, 1)
}

func TestRefresh(t *testing.T) {
	r := newReception(t)
	paired := r.pairAt("Hospital", 9000)
	daemon := r.register(weatherDaemon(), true, domain.StatusPending, 1)
	core := commands.Caller{Name: "core", Source: "monitor", Principal: domain.PrincipalCore}
	refresh := func(id domain.ID, records int, want ...string) {
		t.Helper()
		before := len(r.records(domain.TopicInterfaces))
		names, err := r.Refresh(t.Context(), core, id)
		if err != nil || !slices.Equal(names, want) {
			t.Errorf("it offers %v, %v; want %v", names, err, want)
		}
		r.count(domain.TopicInterfaces, before+records)
	}
	refresh(paired.ID, 0, "book", "cancel")
	refresh(daemon, 1, "book", "cancel")
	refresh(daemon, 0, "book", "cancel")
	if i, err := r.Get(daemon); err != nil || len(i.Tools) != 2 || i.Version != "1.0" || i.Status() != domain.StatusPending {
		t.Errorf("the daemon is known as %+v, %v", i, err)
	}
	r.register(weatherDaemon(), false, domain.StatusPending, 0)
	records := r.records(domain.TopicInterfaces)
	if last := records[len(records)-1].Envelope; last.Principal != domain.PrincipalCore || last.Source != "monitor" {
		t.Errorf("accountable is %+v", last)
	}
	r.peer.told(func(v *visitor) { v.tools = []domain.Tool{{Name: "discharge"}} })
	refresh(paired.ID, 1, "discharge")
	r.peer.told(func(v *visitor) { v.tools = nil })
	refresh(paired.ID, 1)
	refresh(paired.ID, 0)
	r.peer.told(func(v *visitor) { v.meta.Scopes.Signals["payment"] = "" })
	refresh(paired.ID, 0)
	if c, ok := r.Token(paired.Token); !ok || !slices.Equal(c.Signals, []string{"ward"}) {
		t.Errorf("a refresh let it send %v", c.Signals)
	}
	r.peer.told(func(v *visitor) { v.meta.Version = "1.3" })
	refresh(paired.ID, 1)

	_, err := r.Refresh(t.Context(), core, domain.ID{1})
	refused(t, err, domain.NotFound, "no_interface")
	r.peer.before = func(string) error { return peerFailed(commands.CodePeerUnreachable) }
	_, err = r.Refresh(t.Context(), core, paired.ID)
	refused(t, err, domain.Dependency, commands.CodePeerUnreachable)
	// Removed while it was asked, it stays removed.
	r.peer.before = func(step string) error {
		if step == "meta" {
			return r.Remove(t.Context(), ada, paired.ID)
		}
		return nil
	}
	r.peer.told(func(v *visitor) { v.tools = []domain.Tool{{Name: "book"}} })
	_, err = r.Refresh(t.Context(), core, paired.ID)
	refused(t, err, domain.NotFound, "no_interface")
}

func TestRemove(t *testing.T) {
	r := newReception(t)
	paired := r.pairAt("Hospital", 9000)
	other := r.pairAt("Lab", 9001)
	if err := r.Remove(t.Context(), ada, paired.ID); err != nil {
		t.Fatal(err)
	}
	if _, ok := r.Token(paired.Token); ok {
		t.Error("a removed one's token lets in")
	}
	if _, ok := r.Token(other.Token); !ok || len(r.List()) != 1 {
		t.Error("removing one ended another")
	}
	refused(t, r.Remove(t.Context(), ada, paired.ID), domain.NotFound, "no_interface")
	again := anotherReception(r.bench, r.peer)
	if _, ok := again.Token(paired.Token); ok {
		t.Error("its token lets in after a restart")
	}
}

func TestOffersOfInterfaces(t *testing.T) {
	r := newReception(t)
	offers := func(want ...string) {
		t.Helper()
		var got []string
		r.roll.Read(func(reg *domain.Registry) {
			for _, o := range reg.Offers() {
				got = append(got, o.Name)
				if found, ok := reg.Offer(o.Name); !ok || found.Interface.ID != o.Interface.ID || found.Tool.Name != o.Tool.Name {
					t.Errorf("%s is offered and finds %+v", o.Name, found)
				}
			}
		})
		if !slices.Equal(got, want) {
			t.Errorf("offered are %v, want %v", got, want)
		}
	}
	record := func(id domain.ID, online bool) {
		t.Helper()
		var entry domain.Entry
		var err error
		lineage := domain.Begin(domain.TraceID{ID: r.ids.NewID()}, domain.PrincipalCore)
		if online {
			entry, err = domain.New(lineage, r.ids.NewID(), 0, "monitor", domain.InterfaceCameOnline{InterfaceID: id})
		} else {
			entry, err = domain.New(lineage, r.ids.NewID(), 0, "monitor", domain.InterfaceWentOffline{InterfaceID: id, Failures: 3})
		}
		entry.Envelope.Keys = []domain.Key{domain.InterfaceKey(id)}
		if err == nil {
			_, err = r.log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{entry}})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	offers()
	hospital := r.pairAt("Hospital", 9000)
	offers("book", "cancel")
	r.peer.told(func(v *visitor) { v.tools = []domain.Tool{{Name: "book"}} })
	clinic := r.pairAt("Clinic", 9001)
	offers("Clinic.book", "Hospital.book", "cancel")
	record(hospital.ID, false)
	offers("book")
	if _, ok := r.Token(hospital.Token); !ok {
		t.Error("an offline interface may not speak")
	}
	record(hospital.ID, true)
	offers("Clinic.book", "Hospital.book", "cancel")
	twin := r.pairAt("Clinic", 9002)
	names := []string{clinic.ID.UUID() + ".book", twin.ID.UUID() + ".book", "Hospital.book", "cancel"}
	slices.Sort(names)
	offers(names...)
	if err := r.Remove(t.Context(), ada, clinic.ID); err != nil {
		t.Fatal(err)
	}
	offers("Clinic.book", "Hospital.book", "cancel")
	// A daemon's tools are out of sight until the person approved of it.
	daemon := r.register(weatherDaemon(), true, domain.StatusPending, 1)
	r.peer.told(func(v *visitor) { v.tools = []domain.Tool{{Name: "forecast"}} })
	if _, err := r.Refresh(t.Context(), ada, daemon); err != nil {
		t.Fatal(err)
	}
	offers("Clinic.book", "Hospital.book", "cancel")
	r.approve(daemon, signalsAllowed(), 1)
	offers("Clinic.book", "Hospital.book", "cancel", "forecast")
}

func TestInterfacesConfig(t *testing.T) {
	_, err := commands.NewInterfaces(commands.InterfacesConfig{})
	refused(t, err, domain.Validation, "invalid")
}
