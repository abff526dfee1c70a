package small_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
	"chalie/projections"
)

// history is a log of what happened.
type history struct {
	t     rapid.TB
	clock *domaintest.Clock
	ids   *domaintest.IDs
	log   *memlog.Log
}

func newHistory(t rapid.TB) *history {
	clock := domaintest.NewClock()
	return &history{t: t, clock: clock, ids: domaintest.NewIDs(clock, 1), log: memlog.New(clock)}
}

func (h *history) now() domain.Millis { return domain.MillisOf(h.clock.Now()) }

// add appends an event with its keys, and returns its id.
func add[P any](h *history, payload P) domain.ID {
	h.t.Helper()
	id := h.ids.NewID()
	var keys []domain.Key
	if keyed, ok := any(payload).(interface{ Keys() []domain.Key }); ok {
		keys = keyed.Keys()
	}
	addAs(h, id, payload, keys...)
	return id
}

// addAs is add with an id and keys of the caller's.
func addAs[P any](h *history, id domain.ID, payload P, keys ...domain.Key) {
	h.t.Helper()
	addBy(h, domain.PrincipalOperator, id, payload, keys...)
}

// addBy is addAs for anybody.
func addBy[P any](h *history, who domain.Principal, id domain.ID, payload P, keys ...domain.Key) {
	h.t.Helper()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, who), id, h.now(), "test", payload)
	entry.Envelope.Keys = keys
	if err == nil {
		_, err = h.log.Append(context.Background(), domain.Batch{Entries: []domain.Entry{entry}})
	}
	if err != nil {
		h.t.Fatal(err)
	}
}

func (h *history) records() []domain.Record {
	h.t.Helper()
	out, err := h.log.Select(context.Background(), domain.Selector{}, 1, 1000)
	if err != nil {
		h.t.Fatal(err)
	}
	return out
}

// signal is what nearly every fold passes over.
func (h *history) signal() domain.ID {
	return add(h, domain.SignalReceived{SignalType: "a", Content: "b", Source: "c", ActivationEnergy: 0.4})
}

// people come and go: three sessions, two tokens, a changed password.
func (h *history) people() {
	h.t.Helper()
	var known domain.Accounts
	registered, err := known.Register("ada", "hash", "socket")
	if err != nil {
		h.t.Fatal(err)
	}
	add(h, registered)
	add(h, known.LogIn(domain.HashSecret("first"), domain.SecretHash{}, domain.Visitor{UserAgent: "browser"}, h.now()))
	add(h, known.LogIn(domain.HashSecret("second"), domain.SecretHash{}, domain.Visitor{UserAgent: "app"}, h.now()))
	h.signal()
	for _, name := range []string{"station", "other"} {
		issued, err := known.IssueToken(name, domain.HashSecret(name), []string{"b", "a"})
		if err != nil {
			h.t.Fatal(err)
		}
		add(h, issued)
	}
	h.clock.Advance(48 * time.Hour)
	add(h, domain.SessionExtended{SessionHash: domain.HashSecret("second").String(), ExpiresAt: h.now().Add(domain.SessionLifetime)})
	add(h, domain.OperatorLoggedOut{SessionHash: domain.HashSecret("first").String()})
	add(h, domain.OperatorLoginRefused{Count: 3, Since: h.now()})
	add(h, domain.TokenRevoked{Name: "other"})
	add(h, known.LogIn(domain.HashSecret("third"), domain.SecretHash{}, domain.Visitor{UserAgent: "phone", From: "192.168.1.7"}, h.now()))
	add(h, domain.PasswordChanged{PasswordHash: "new hash", Via: "session", SessionHash: domain.HashSecret("second").String()})
}

// invoke begins three invocations, of which the second and the third stay open.
func (h *history) invoke() (second, third domain.ID) {
	h.t.Helper()
	begin := func() domain.ID {
		id := h.ids.NewID()
		addAs(h, id, domain.ToolInvoked{Tool: "t"})
		addAs(h, h.ids.NewID(), domain.PolicyDecided{InvocationID: id, Allowed: true}, domain.InvocationKey(id))
		return id
	}
	first := begin()
	addAs(h, h.ids.NewID(), domain.ToolDispatched{InvocationID: first}, domain.InvocationKey(first))
	second = begin()
	h.signal()
	addAs(h, h.ids.NewID(), domain.ToolCompleted{InvocationID: first}, domain.InvocationKey(first))
	third = begin()
	addAs(h, h.ids.NewID(), domain.ToolDispatched{InvocationID: third}, domain.InvocationKey(third))
	return second, third
}

// remember leaves one of three memories.
func (h *history) remember() domain.ID {
	h.t.Helper()
	first := add(h, domain.MemoryRemembered{Text: "the dentist is Dr Borg"})
	second := add(h, domain.MemoryRemembered{Text: "Anna is allergic"})
	third := add(h, domain.MemoryRemembered{Text: "the dentist is Dr Vella", Replaces: first})
	add(h, domain.MemoryForgotten{MemoryID: second})
	return third
}

// note leaves a note of the person's that was changed.
func (h *history) note() {
	h.t.Helper()
	id := add(h, domain.NoteWritten{Path: "notes/roses.md", Content: "prune"})
	add(h, domain.NoteWritten{NoteID: id, Path: "notes/roses.md", Content: "prune in March"})
	gone := add(h, domain.NoteWritten{Path: "notes/a.md", Content: "a"})
	add(h, domain.NoteRemoved{NoteID: gone})
}

// tell leaves two messages of a program, of which the person saw the first and spoke behind both.
func (h *history) tell() {
	h.t.Helper()
	add(h, domain.SystemStarted{Over: domain.OverToday})
	add(h, domain.MessageReceived{Text: "hello"})
	for range 2 {
		addBy(h, "hospital", h.ids.NewID(), domain.MessageReceived{Text: "Your scan moved", Source: "hospital"})
	}
	add(h, domain.ToldSeen{Of: h.records()[62].Envelope.ID})
	add(h, domain.MessageReceived{Text: "thanks"})
}

// plan leaves a reminder and an appointment that come back at 90, a task that is done, and
// a list.
func (h *history) plan() {
	h.t.Helper()
	reminder := add(h, domain.ReminderSet{Text: "a", Due: 50, Recurrence: &domain.Recurrence{Rule: "FREQ=DAILY"}})
	h.signal()
	task := add(h, domain.TaskCreated{Text: "b"})
	add(h, domain.TimerDue{SubjectID: reminder, Due: 50, Next: 90})
	list := add(h, domain.ListCreated{Name: "c"})
	add(h, domain.ListItemAdded{ListID: list, Text: "d"})
	add(h, domain.TaskCompleted{TaskID: task})
	meeting := add(h, domain.AppointmentSet{Text: "e", Start: 50, End: 60, Tell: 40, Recurrence: &domain.Recurrence{Rule: "FREQ=DAILY"}})
	add(h, domain.TimerDue{SubjectID: meeting, Kind: domain.ItemAppointment, Due: 40})
	add(h, domain.AppointmentPassed{AppointmentID: meeting, Start: 50, Next: 90, NextEnd: 100, NextTell: 80})
}

// rule makes a strict policy, by which a note has no side effects.
func (h *history) rule() {
	h.t.Helper()
	strict := domain.DefaultPolicy()
	strict.Autonomy, strict.ApprovalMinutes = domain.AutonomyReadonly, 3
	no := false
	add(h, domain.PolicyChanged{Policy: strict})
	add(h, domain.CapabilityChanged{CapabilityID: "chalie/note", SideEffects: &no})
}

func paired(port int, token string) domain.InterfacePaired {
	return domain.InterfacePaired{Name: "Hospital", Host: "127.0.0.1", Port: port, TokenHash: domain.HashSecret(token).String(),
		Signals: []string{"ward"}, Tools: []domain.Tool{{Name: "book", Parameters: []domain.Parameter{{Name: "day", Type: domain.TypeString}}}},
		Meta: json.RawMessage(`{"note": "<b>"}`)}
}

// pair leaves one of two interfaces, and one of two streams.
func (h *history) pair() {
	h.t.Helper()
	hash := domain.HashSecret("key")
	add(h, domain.PairingKeyIssued{KeyHash: hash.String(), ExpiresAt: h.now().Add(domain.PairingKeyLifetime)})
	add(h, domain.PairingKeyUsed{KeyHash: hash.String(), Name: "Hospital", Host: "127.0.0.1", Port: 9000})
	add(h, domain.PairingRefused{Reason: "wrong_key", Count: 1})
	id := add(h, paired(9000, "one"))
	h.signal()
	add(h, domain.CapabilitiesChanged{InterfaceID: id, Version: "2", Tools: []domain.Tool{{Name: "cancel"}}})
	weather := h.ids.NewID()
	add(h, domain.InterfaceRegistered{InterfaceID: weather, Name: "Weather", Host: "127.0.0.1", Port: 4001,
		Scopes: domain.Scopes{Context: map[string]string{"location": "for you"}}})
	add(h, domain.ScopesApproved{InterfaceID: weather, Approved: domain.NewApproval([]string{"location"}, nil, nil)})
	add(h, domain.InterfaceWentOffline{InterfaceID: weather, Failures: 3, Reason: "silence"})
	stream := add(h, domain.StreamAdded{URL: "ws://127.0.0.1:9/x", Source: "x"})
	add(h, domain.StreamAdded{URL: "ws://127.0.0.1:9/y", Source: "y"})
	add(h, domain.InterfaceCameOnline{InterfaceID: weather})
	add(h, domain.StreamRemoved{StreamID: stream})
	add(h, paired(9000, "two"))
	add(h, domain.InterfaceRemoved{InterfaceID: weather})
}

// move says where and how the person is, a field or two at a time.
func (h *history) move() domain.ContextUpdated {
	h.t.Helper()
	malta, tokyo, focused, half := "Europe/Malta", "Asia/Tokyo", domain.AttentionFocused, domain.One/2
	sliema := &domain.Location{Lat: 35.9, Lon: 14.5, Name: "Sliema"}
	add(h, domain.ContextUpdated{Timezone: &malta, Attention: &focused})
	add(h, domain.ContextUpdated{Timezone: &tokyo})
	add(h, domain.ContextUpdated{Energy: &half, Location: sliema})
	return domain.ContextUpdated{Timezone: &tokyo, Attention: &focused, Energy: &half, Location: sliema}
}

// everything is a history in which everything happens, also that the clock is put back.
func everything(t rapid.TB) *history {
	h := newHistory(t)
	h.people()
	h.clock.Advance(-time.Hour)
	h.invoke()
	h.remember()
	h.clock.Advance(2 * time.Hour)
	h.plan()
	h.rule()
	h.clock.Advance(-time.Minute)
	h.pair()
	h.move()
	h.note()
	h.tell()
	return h
}

func apply(t rapid.TB, p projections.Projection, recs ...domain.Record) {
	t.Helper()
	for i := range recs {
		if err := projections.Apply(p, &recs[i]); err != nil {
			t.Fatal(err)
		}
	}
}

// fold applies a history to an empty projection.
func fold[P projections.Projection](h *history, p P) P {
	h.t.Helper()
	apply(h.t, p, h.records()...)
	return p
}

// written is what a projection saves, by key.
type written map[string]string

func (w written) Set(key, value []byte) error { w[string(key)] = string(value); return nil }
func (w written) Delete(key []byte) error     { delete(w, string(key)); return nil }

// saved is what it would save if everything had changed.
func saved(t testing.TB, p projections.Projection) string {
	t.Helper()
	w := written{}
	if err := p.Save(w); err != nil || len(w) > 1 {
		t.Fatal(len(w), err)
	}
	return w["state"]
}
