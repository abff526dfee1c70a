package pairing_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chalie/commands"
	"chalie/commands/commandstest"
	"chalie/commands/pairing"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
)

func asError(err error, to **domain.Error) bool { return errors.As(err, to) }

func weatherDaemon() pairing.Registration {
	return pairing.Registration{Name: "Weather", Version: "1.0", Description: "wind and rain", Host: "127.0.0.1", Port: 4001,
		Scopes: domain.Scopes{Context: map[string]string{"location": "to know where"}, Signals: map[string]string{"wind": "it blows", "rain": "it pours"}}}
}

// register registers, and holds what the answer must be and how many records it
// made.
func (r *reception) register(reg pairing.Registration, isNew bool, status domain.InterfaceStatus, records int) domain.ID {
	r.T.Helper()
	before := len(r.Records(domain.TopicInterfaces))
	got, err := r.Register(r.T.Context(), reg)
	if err != nil || got.New != isNew || got.Status != status {
		r.T.Fatalf("registered as %+v, %v; want new %v, %s", got, err, isNew, status)
	}
	r.Count(domain.TopicInterfaces, before+records)
	return got.ID
}

func signalsAllowed(types ...string) domain.Approval { return domain.NewApproval(nil, types, nil) }

func (r *reception) approve(id domain.ID, a domain.Approval, records int) {
	r.T.Helper()
	before := len(r.Records(domain.TopicInterfaces))
	if status, err := r.Approve(r.T.Context(), commandstest.Ada, id, a); err != nil || status != domain.StatusOnline {
		r.T.Errorf("approved, it is %s, %v", status, err)
	}
	r.Count(domain.TopicInterfaces, before+records)
}

func TestRegisterDaemon(t *testing.T) {
	r := newReception(t)
	daemon := weatherDaemon()
	id := r.register(daemon, true, domain.StatusPending, 1)
	r.register(daemon, false, domain.StatusPending, 0)
	rec := r.Records(domain.TopicInterfaces)[0]
	if rec.Envelope.Principal != domain.Principal(id.UUID()) || rec.Envelope.ID != id || rec.Envelope.Trace.ID != id {
		t.Errorf("the record is %+v", rec.Envelope)
	}
	r.approve(id, signalsAllowed("wind"), 1)
	r.approve(id, signalsAllowed("wind"), 0)

	// After restarts of either side it is the same, and what it newly asks for is
	// not approved.
	r = anotherReception(r.Bench, r.peer)
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
	if err := r.Remove(t.Context(), commandstest.Ada, id); err != nil {
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
	tail := r.Log.Tail()
	for field, change := range map[string]func(*pairing.Registration){
		"name": func(d *pairing.Registration) { d.Name = " " }, "port": func(d *pairing.Registration) { d.Port = 0 },
		"scopes": func(d *pairing.Registration) { d.Scopes.Messages = map[string]string{"": ""} },
	} {
		daemon := weatherDaemon()
		change(&daemon)
		_, err := r.Register(t.Context(), daemon)
		commandstest.Refused(t, err, domain.Validation, "invalid")
		if e := new(domain.Error); !asError(err, &e) || e.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	taken := weatherDaemon()
	taken.Port = 9000
	_, err := r.Register(t.Context(), taken)
	commandstest.Refused(t, err, domain.Conflict, "place_taken")
	r.Door.Set(func(domain.Batch) error { return commandstest.LogFailed(domain.CodeDiskLow) }, nil)
	_, err = r.Register(t.Context(), weatherDaemon())
	commandstest.Refused(t, err, domain.Dependency, domain.CodeDiskLow)
	if r.Log.Tail() != tail || len(r.List()) != 1 {
		t.Error("a refused registration was recorded")
	}
}

func TestRegisterOneDaemonUnderRace(t *testing.T) {
	r := newReception(t)
	doors := make([]*reception, 8)
	for n := range doors {
		doors[n] = anotherReception(r.Bench, r.peer)
		doors[n].roll.Hold()
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
	r.Count(domain.TopicInterfaces, 1)
}

// TestDecidesAgain holds that a decision on a fold that is behind gives way to what
// came in the meantime.
func TestDecidesAgain(t *testing.T) {
	r := newReception(t)
	daemon := weatherDaemon()
	id := r.register(daemon, true, domain.StatusPending, 1)
	behind := anotherReception(r.Bench, r.peer)

	behind.roll.Hold()
	r.approve(id, signalsAllowed("wind"), 1)
	behind.approve(id, signalsAllowed("wind"), 0)

	behind.roll.Hold()
	if err := r.Remove(t.Context(), commandstest.Ada, id); err != nil {
		t.Fatal(err)
	}
	daemon.Version = "2"
	if fresh := behind.register(daemon, true, domain.StatusPending, 1); fresh == id {
		t.Error("an interface came back that was removed at the same moment")
	}
	behind.roll.Hold()
	fresh := r.List()[0].ID
	if err := r.Remove(t.Context(), commandstest.Ada, fresh); err != nil {
		t.Fatal(err)
	}
	commandstest.Refused(t, behind.Remove(t.Context(), commandstest.Ada, fresh), domain.NotFound, "no_interface")
	behind.roll.Hold()
	_, err := behind.Approve(t.Context(), commandstest.Ada, fresh, signalsAllowed())
	commandstest.Refused(t, err, domain.NotFound, "no_interface")
}

// TestOthersMayNameAnInterface holds that an interface can be changed after what is
// no business of the registry was recorded under its key.
func TestOthersMayNameAnInterface(t *testing.T) {
	r := newReception(t)
	id := r.register(weatherDaemon(), true, domain.StatusPending, 1)
	entry := domaintest.NewEntry(r.IDs, domain.TopicTools)
	entry.Envelope.Keys = []domain.Key{domain.InterfaceKey(id)}
	if _, err := r.Log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
		t.Fatal(err)
	}
	r.approve(id, signalsAllowed("wind"), 1)
}

func TestChangedAgainAndAgain(t *testing.T) {
	r := newReception(t)
	id := r.register(weatherDaemon(), true, domain.StatusPending, 1)
	n := 0
	r.Door.Set(func(domain.Batch) error {
		n++
		return &domain.Error{Category: domain.Conflict, Code: domain.CodeConditionFailed, Message: "changed"}
	}, nil)
	_, err := r.Approve(t.Context(), commandstest.Ada, id, signalsAllowed())
	commandstest.Refused(t, err, domain.Conflict, "interface_changed")
	if !domain.IsRetriable(err) || n < 2 || n > 100 {
		t.Errorf("after %d attempts: %v", n, err)
	}
}

func TestApproveRefuses(t *testing.T) {
	r := newReception(t)
	id := r.register(weatherDaemon(), true, domain.StatusPending, 1)
	_, err := r.Approve(t.Context(), commandstest.Ada, id, signalsAllowed("snow"))
	commandstest.Refused(t, err, domain.Validation, "invalid")
	_, err = r.Approve(t.Context(), commandstest.Ada, domain.ID{1}, signalsAllowed())
	commandstest.Refused(t, err, domain.NotFound, "no_interface")
	r.Count(domain.TopicInterfaces, 1)
}

func TestRefresh(t *testing.T) {
	r := newReception(t)
	paired := r.pairAt("Hospital", 9000)
	daemon := r.register(weatherDaemon(), true, domain.StatusPending, 1)
	core := commands.Caller{Name: "core", Source: "monitor", Principal: domain.PrincipalCore}
	refresh := func(id domain.ID, records int, want ...string) {
		t.Helper()
		before := len(r.Records(domain.TopicInterfaces))
		names, err := r.Refresh(t.Context(), core, id)
		if err != nil || !slices.Equal(names, want) {
			t.Errorf("it offers %v, %v; want %v", names, err, want)
		}
		r.Count(domain.TopicInterfaces, before+records)
	}
	refresh(paired.ID, 0, "book", "cancel")
	refresh(daemon, 1, "book", "cancel")
	refresh(daemon, 0, "book", "cancel")
	if i, err := r.Get(daemon); err != nil || len(i.Tools) != 2 || i.Version != "1.0" || i.Status() != domain.StatusPending {
		t.Errorf("the daemon is known as %+v, %v", i, err)
	}
	r.register(weatherDaemon(), false, domain.StatusPending, 0)
	records := r.Records(domain.TopicInterfaces)
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
	commandstest.Refused(t, err, domain.NotFound, "no_interface")
	r.peer.before = func(string) error { return peerFailed(commands.CodePeerUnreachable) }
	_, err = r.Refresh(t.Context(), core, paired.ID)
	commandstest.Refused(t, err, domain.Dependency, commands.CodePeerUnreachable)
	// Removed while it was asked, it stays removed.
	r.peer.before = func(step string) error {
		if step == "meta" {
			return r.Remove(t.Context(), commandstest.Ada, paired.ID)
		}
		return nil
	}
	r.peer.told(func(v *visitor) { v.tools = []domain.Tool{{Name: "book"}} })
	_, err = r.Refresh(t.Context(), core, paired.ID)
	commandstest.Refused(t, err, domain.NotFound, "no_interface")
}

func TestRemove(t *testing.T) {
	r := newReception(t)
	paired := r.pairAt("Hospital", 9000)
	other := r.pairAt("Lab", 9001)
	if err := r.Remove(t.Context(), commandstest.Ada, paired.ID); err != nil {
		t.Fatal(err)
	}
	if _, ok := r.Token(paired.Token); ok {
		t.Error("a removed one's token lets in")
	}
	if _, ok := r.Token(other.Token); !ok || len(r.List()) != 1 {
		t.Error("removing one ended another")
	}
	commandstest.Refused(t, r.Remove(t.Context(), commandstest.Ada, paired.ID), domain.NotFound, "no_interface")
	again := anotherReception(r.Bench, r.peer)
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
		lineage := domain.Begin(domain.TraceID{ID: r.IDs.NewID()}, domain.PrincipalCore)
		if online {
			entry, err = domain.New(lineage, r.IDs.NewID(), 0, "monitor", domain.InterfaceCameOnline{InterfaceID: id})
		} else {
			entry, err = domain.New(lineage, r.IDs.NewID(), 0, "monitor", domain.InterfaceWentOffline{InterfaceID: id, Failures: 3})
		}
		entry.Envelope.Keys = []domain.Key{domain.InterfaceKey(id)}
		if err == nil {
			_, err = r.Log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{entry}})
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
	if err := r.Remove(t.Context(), commandstest.Ada, clinic.ID); err != nil {
		t.Fatal(err)
	}
	offers("Clinic.book", "Hospital.book", "cancel")
	// A daemon's tools are out of sight until the person approved of it.
	daemon := r.register(weatherDaemon(), true, domain.StatusPending, 1)
	r.peer.told(func(v *visitor) { v.tools = []domain.Tool{{Name: "forecast"}} })
	if _, err := r.Refresh(t.Context(), commandstest.Ada, daemon); err != nil {
		t.Fatal(err)
	}
	offers("Clinic.book", "Hospital.book", "cancel")
	r.approve(daemon, signalsAllowed(), 1)
	offers("Clinic.book", "Hospital.book", "cancel", "forecast")
}

func TestInterfacesConfig(t *testing.T) {
	_, err := pairing.New(pairing.Config{})
	commandstest.Refused(t, err, domain.Validation, "invalid")
}

// TestNamesThatPassForOthers checks each way to a name: registering, a new name at
// a known place, and pairing.
func TestNamesThatPassForOthers(t *testing.T) {
	r := newReception(t)
	register := func(name string, port int) (pairing.Registered, error) {
		return r.Register(t.Context(), pairing.Registration{Name: name, Version: "1", Host: "127.0.0.1", Port: port})
	}
	weather, err := register("Weather", 4001)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := register("Lamp", 4002); err != nil {
		t.Fatal(err)
	}
	key := r.key()
	changes := func() (n int) {
		for _, rec := range r.Records(domain.TopicInterfaces) {
			switch rec.Envelope.Type {
			case "interface.registered", "interface.paired", "pairing.key_used":
				n++
			}
		}
		return n
	}
	for _, name := range []string{
		"Chalie", "Сhalie", "Ｃｈａｌｉｅ", "Chal\u200bie", "Chali\u0301e", "CHAL1E", "ChaIie",
		"Chalie.", "C h a l i e", "«Chalie»", "Chalie ✓", "C-H-A-L-I-E", "C.ha|ie", "Y o u", "(you)", "Operator:",
		"\u202eeilahC", "Lamp\u202e", "La\u2066mp", "La\u200bmp", "Lamp\u200d", "La\u00admp", "La\u2028mp", "La\u0085mp", "Lamp\U000e0041",
		"you", "You", "Operator", "оperator",
		"Wеather", "Weather\u200b", "Ｗｅａｔｈｅｒ", "Wea\u0301ther", "weather", "Weather\u00a0", "\u200b\u3164",
	} {
		before := changes()
		for _, port := range []int{4002, 4003} {
			if _, err := register(name, port); domain.CategoryOf(err) != domain.Validation || domain.CodeOf(err) != "invalid" {
				t.Errorf("%+q at %d: %v", name, port, err)
			}
		}
		_, err := r.Pair(t.Context(), pairing.PairRequest{Key: key, Name: name, Host: "127.0.0.1", Port: 4004})
		if domain.CategoryOf(err) != domain.Validation || domain.CodeOf(err) == domain.CodeUsedKey {
			t.Errorf("%+q pairing: %v", name, err)
		}
		if after := changes(); after != before {
			t.Errorf("%+q: %d records say so", name, after-before)
		}
	}
	for range 2 {
		if again, err := register("Weather", 4001); err != nil || again.New || again.ID != weather.ID {
			t.Errorf("it comes back as %+v, %v", again, err)
		}
	}
	// Its own name it may write in another way.
	if again, err := register("WEATHER", 4001); err != nil || again.ID != weather.ID {
		t.Errorf("its name in capitals: %+v, %v", again, err)
	}
	for port, name := range map[int]string{4010: "Погода", 4011: "天気", 4012: "छत की बत्ती", 4013: "Chalie's weather", 4014: "WEATHER",
		4015: "می\u200cخواهم", 4016: "👩\u200d🔧", 4017: "❤\ufe0f", 4018: "Chalie 2", 4019: "Yours"} {
		if _, err := register(name, port); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := r.Pair(t.Context(), pairing.PairRequest{Key: key, Name: "Термометр", Host: "127.0.0.1", Port: 4004}); err != nil {
		t.Errorf("the key is still good: %v", err)
	}
}

// A stranger registers under one name after the other: what is recorded of it within a
// minute is bounded in number and in bytes, over restarts, and the same again costs
// nothing.
func TestRegistrationsAreBounded(t *testing.T) {
	r := newReception(t)
	daemon := weatherDaemon()
	for n := range pairing.MaxRegistrationsPerMinute {
		daemon.Name = fmt.Sprint("name ", n)
		if _, err := r.Register(t.Context(), daemon); err != nil {
			t.Fatal(err)
		}
	}
	tail := r.Log.Tail()
	for range 100 {
		if _, err := r.Register(t.Context(), daemon); err != nil {
			t.Fatalf("the same again: %v", err)
		}
	}
	daemon.Name = "one more"
	_, err := r.Register(t.Context(), daemon)
	commandstest.Refused(t, err, "", domain.CodeRateLimited)
	if e := new(domain.Error); !asError(err, &e) || e.RetryAfter <= 0 || !strings.Contains(e.Message, "registrations") {
		t.Errorf("it is refused with %v", err)
	}
	_, err = anotherReception(r.Bench, r.peer).Register(t.Context(), daemon)
	commandstest.Refused(t, err, "", domain.CodeRateLimited)
	if r.Log.Tail() != tail {
		t.Errorf("%d records came of it", r.Log.Tail()-tail)
	}
	r.Clock.Advance(time.Minute)
	if _, err := r.Register(t.Context(), daemon); err != nil {
		t.Errorf("a minute later: %v", err)
	}
}

func TestRegistrationsAreBoundedInBytes(t *testing.T) {
	r := newReception(t)
	daemon := weatherDaemon()
	daemon.Description, daemon.Author, daemon.Version = strings.Repeat("d", 4000), strings.Repeat("a", 4000), strings.Repeat("1", 4000)
	recorded := 0
	for n := range pairing.MaxRegistrationsPerMinute {
		daemon.Name = fmt.Sprint("name ", n)
		if _, err := r.Register(t.Context(), daemon); domain.CodeOf(err) == domain.CodeRateLimited {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		recorded++
	}
	if recorded < 2 || recorded > 5 {
		t.Errorf("%d registrations of 12 KB were recorded within a minute", recorded)
	}
}

// What registers brings little: an interface with more to say is paired with a key.
func TestRegistrationsAreSmall(t *testing.T) {
	r := newReception(t)
	many, long := weatherDaemon(), weatherDaemon()
	many.Scopes.Signals = map[string]string{}
	for n := range domain.MaxRegisteredScopes + 1 {
		many.Scopes.Signals[fmt.Sprint("signal_", n)] = ""
	}
	long.Scopes.Signals = map[string]string{}
	for n := range 20 {
		long.Scopes.Signals[fmt.Sprint("signal_", n)] = strings.Repeat("w", 1000)
	}
	for name, daemon := range map[string]pairing.Registration{"many scopes": many, "long ones": long} {
		_, err := r.Register(t.Context(), daemon)
		commandstest.Refused(t, err, domain.Validation, "invalid")
		if len(r.List()) != 0 {
			t.Errorf("%s: it is known", name)
		}
	}
}

// Few may wait for the person at a time. Those that are gone are forgotten soon, those
// that stay in a week, and each end is recorded; what was decided about stays.
func TestPendingExpire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWatch(t)
		kept := w.admitted("kept", 1)
		w.street.set(1, hanging)
		for port := 2; port < 2+domain.MaxPending; port++ {
			w.register(fmt.Sprint("program ", port), port)
			if port > 2 {
				w.street.set(port, ill)
			}
		}
		newcomer := pairing.Registration{Name: "newcomer", Host: "127.0.0.1", Port: 100}
		_, err := w.desk.Register(t.Context(), newcomer)
		commandstest.Refused(t, err, domain.Conflict, domain.CodeTooManyPending)
		if _, err := w.desk.Register(t.Context(), pairing.Registration{Name: "program 2", Host: "127.0.0.1", Port: 2}); err != nil {
			t.Errorf("one that waits comes again: %v", err)
		}
		w.start()
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- w.desk.Run(ctx) }()
		pass(12 * time.Minute)
		if left := len(w.desk.List()); left != 2 {
			t.Errorf("%d are known after twelve minutes, want the one that answers and the one that was approved", left)
		}
		if _, err := w.desk.Register(t.Context(), newcomer); err != nil {
			t.Errorf("there is room again: %v", err)
		}
		pass(7 * 24 * time.Hour)
		if known := w.desk.List(); len(known) != 1 || known[0].ID != kept {
			t.Errorf("after a week %d are known", len(known))
		}
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		w.stop()
		expired := 0
		records, err := w.log.Select(t.Context(), domain.Selector{Topic: domain.TopicInterfaces}, 1, 1000)
		if err != nil {
			t.Fatal(err)
		}
		for _, rec := range records {
			if rec.Envelope.Type == "interface.expired" {
				expired++
				if rec.Envelope.Principal != domain.PrincipalCore {
					t.Errorf("%s answers for it", rec.Envelope.Principal)
				}
			}
		}
		if expired != domain.MaxPending+1 {
			t.Errorf("%d are recorded as forgotten, want %d", expired, domain.MaxPending+1)
		}
	})
}

// After a clock that was a year ahead was put right who waits is forgotten as soon as
// anybody: who registered before, and who does so while the log's times stand still.
func TestPendingExpireAfterAWrongClock(t *testing.T) {
	const year = 365 * 24 * time.Hour
	for name, early := range map[string]int{"all came before it was put right": domain.MaxPending, "all came since": 0} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				clock := &commandstest.Shifted{}
				clock.Off.Store(int64(year))
				log := memlog.New(clock)
				w := (&watch{t: t, street: newStreet(), log: log, door: &commandstest.Door{Log: log}, ids: domaintest.NewIDs(commandstest.BubbleClock{}, 1)}).again(nil)
				w.admitted("kept", 1)
				come := func(from, through int) {
					for n := from; n < through; n++ {
						w.register(fmt.Sprint("program ", n), 2+n)
						w.street.set(2+n, ill)
					}
				}
				come(0, early)
				clock.Off.Store(0)
				w.admitted("another", 100)
				come(early, domain.MaxPending)
				w.start()
				ctx, stop := context.WithCancel(t.Context())
				ended := make(chan error)
				go func() { ended <- w.desk.Run(ctx) }()
				pass(12 * time.Minute)
				if left := len(w.desk.List()); left != 2 {
					t.Errorf("%d are known after twelve minutes, want those that were approved", left)
				}
				stop()
				if err := <-ended; err != nil {
					t.Error(err)
				}
				w.stop()
			})
		})
	}
}
