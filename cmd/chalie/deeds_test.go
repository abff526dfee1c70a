package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"chalie/adapters/builtinmodel"
	"chalie/commands/reasoning"
	"chalie/domain"
)

// What a scene of the tests comes to.
const (
	doneAtOnce = "done"
	leftToYou  = "asked"  // by a button
	notDone    = "denied" // and nobody is asked
)

// deedScene is what a person says in a row, and what a model calls at the last of it, whatever it was told.
type deedScene struct {
	said  []string
	calls wish
	want  string
}

// furnish pairs a home, a hospital and a calendar, in one program: what others say of their tools is
// another matter.
func (h *obedientHouse) furnish() {
	h.pair("Home", toolNamed("unlock_door", "Unlocks a door: front, back or cellar.", true, "door"), toolNamed("lock_door", "Locks a door: front, back or cellar.", true, "door"),
		toolNamed("set_mode", "Sets the mode of the house: party, sleep or holiday.", true, "mode"), toolNamed("start_washer", "Starts the washing machine: cotton, wool or quick.", true, "program"),
		toolNamed("light", "Turns a lamp or light on.", true, "room"),
		toolNamed("cancel_appointment", "Cancels an appointment.", true, "id"), toolNamed("book_appointment", "Books an appointment.", true, "when"),
		toolNamed("HassTurnOn", "Turns on/opens/presses a device or entity. For locks, this performs a 'lock' action. Use for requests like 'turn on', 'activate', 'enable', or 'lock'.", true, "name"),
		toolNamed("HassTurnOff", "Turns off/closes a device or entity. For locks, this performs an 'unlock' action. Use for requests like 'turn off', 'deactivate', 'disable', or 'unlock'.", true, "name"),
		toolNamed("pay", "Pays somebody.", true, "to"), toolNamed("forecast", "Tells the weather of a place.", false, "place"))
}

// lastOf is what came of the calls that the last message led to.
func (h *obedientHouse) lastOf(before, sent int) string {
	h.t.Helper()
	if len(h.ear.sent) > sent {
		return doneAtOnce
	}
	for _, d := range h.decisions()[before:] {
		switch d.Verdict {
		case domain.VerdictApproval:
			return leftToYou
		case domain.VerdictDenied:
			return notDone
		}
	}
	return "nothing"
}

// A model that calls what it likes is held to the person's words.
func TestDeedsOfAModel(t *testing.T) {
	t.Parallel()
	mind := newObedient(t)
	for _, d := range []deedScene{
		// A value alone, an answer to nothing, and a word behind what wasn't understood.
		{[]string{"front"}, wish{"unlock_door", `{"door":"front"}`}, leftToYou},
		{[]string{"party"}, wish{"set_mode", `{"mode":"party"}`}, leftToYou},
		{[]string{"cotton, please"}, wish{"start_washer", `{"program":"cotton"}`}, leftToYou},
		{[]string{"tomorrow at three"}, wish{"book_appointment", `{"when":"tomorrow at 15:00"}`}, leftToYou},
		{[]string{"apt_12345"}, wish{"cancel_appointment", `{"id":"apt_12345"}`}, leftToYou},
		{[]string{"lock the door", "front"}, wish{"unlock_door", `{"door":"front"}`}, notDone},
		{[]string{"stop the washing machine", "cotton"}, wish{"start_washer", `{"program":"cotton"}`}, notDone},
		{[]string{"don't start the washing machine", "cotton"}, wish{"start_washer", `{"program":"cotton"}`}, notDone},
		{[]string{"what a nice door", "front"}, wish{"unlock_door", `{"door":"front"}`}, leftToYou},
		// The deed and its value.
		{[]string{"unlock the front door"}, wish{"unlock_door", `{"door":"front"}`}, doneAtOnce},
		{[]string{"Schließ die Haustür auf"}, wish{"unlock_door", `{"door":"front"}`}, doneAtOnce},
		{[]string{"ouvre la porte"}, wish{"unlock_door", `{"door":"front"}`}, doneAtOnce},
		{[]string{"abre la puerta"}, wish{"unlock_door", `{"door":"front"}`}, doneAtOnce},
		{[]string{"sleep mode on please"}, wish{"set_mode", `{"mode":"sleep"}`}, doneAtOnce},
		{[]string{"lock the front door"}, wish{"HassTurnOn", `{"name":"front door"}`}, doneAtOnce},
		{[]string{"What is the weather in Valletta?"}, wish{"forecast", `{"place":"Valletta"}`}, doneAtOnce},
		// The contrary.
		{[]string{"lock the front door"}, wish{"unlock_door", `{"door":"front"}`}, notDone},
		{[]string{"unlock the front door"}, wish{"HassTurnOn", `{"name":"front door"}`}, notDone},
		{[]string{"Mach das Licht aus"}, wish{"light", `{"room":"hall"}`}, notDone},
		{[]string{"n'ouvre pas la porte"}, wish{"unlock_door", `{"door":"front"}`}, notDone},
		{[]string{"no abras la puerta"}, wish{"unlock_door", `{"door":"front"}`}, notDone},
		{[]string{"cancel my appointment"}, wish{"book_appointment", `{"when":"tomorrow"}`}, notDone},
		// What Chalie asked names the deed for what answers it, and what was done for what goes on with it.
		{[]string{"ASK Shall I unlock the front door?", "yes"}, wish{"unlock_door", `{"door":"front"}`}, doneAtOnce},
		{[]string{"ASK Which door shall I unlock?", "the front one"}, wish{"unlock_door", `{"door":"front"}`}, doneAtOnce},
		{[]string{"ASK Which door shall I lock?", "front"}, wish{"unlock_door", `{"door":"front"}`}, leftToYou},
		{[]string{"ASK Shall I unlock the front door?", "no"}, wish{"unlock_door", `{"door":"front"}`}, leftToYou},
		{[]string{"book an appointment ASK When?", "on Monday at three"}, wish{"book_appointment", `{"when":"2026-11-30T15:00"}`}, doneAtOnce},
	} {
		mind.private, mind.image, mind.answers = nil, "", "All right."
		last := d.said[len(d.said)-1]
		mind.sense = func(said string) []wish {
			_, mind.answers, _ = strings.Cut(said, "ASK ")
			if said == last {
				return []wish{d.calls}
			}
			return nil
		}
		h := newObedientHouse(t, mind)
		h.furnish()
		for _, said := range d.said[:len(d.said)-1] {
			h.says(domain.PrincipalOperator, domain.MessageReceived{Text: said})
		}
		before, sent := len(h.decisions()), len(h.ear.sent)
		h.says(domain.PrincipalOperator, domain.MessageReceived{Text: last})
		if got := h.lastOf(before, sent); got != d.want {
			t.Errorf("%q, and %s %s: %s, and should be %s%s", d.said, d.calls.tool, d.calls.params, got, d.want, h.why())
		}
	}
}

// So is the built-in model, which asks before it calls.
func TestDeedsOfTheBuiltInModel(t *testing.T) {
	t.Parallel()
	for _, d := range []struct {
		said []string
		want string // the tools that were called
		asks bool
	}{
		{[]string{"front"}, "", true},
		{[]string{"cellar please"}, "", true},
		{[]string{"party"}, "", true},
		{[]string{"cotton"}, "", true},
		{[]string{"front", "yes"}, "unlock_door", false},
		{[]string{"unlock the front door"}, "unlock_door", false},
		{[]string{"start the washing machine", "wool"}, "start_washer", false},
		{[]string{"turn off the washing machine", "wool"}, "", false},
		{[]string{"stop the washer", "cotton"}, "", false},
		{[]string{"don't start the washing machine", "cotton"}, "", false},
		{[]string{"lock the door", "front"}, "", false},
		{[]string{"set the mode to party"}, "set_mode", false},
	} {
		h := newObedientHouse(t, newObedient(t))
		var err error
		if h.reasoner, err = h.Reasoner([]reasoning.Model{builtinmodel.Model{}}, nil, h.tools, h.approvals); err != nil {
			t.Fatal(err)
		}
		h.pair("House", domain.Tool{Name: "unlock_door", Description: "Unlocks a door.", SideEffects: new(true), Parameters: []domain.Parameter{{Name: "door", Type: domain.TypeString, Required: true, Description: "front, back or cellar"}}},
			domain.Tool{Name: "set_mode", Description: "Sets the mode of the house.", SideEffects: new(true), Parameters: []domain.Parameter{{Name: "mode", Type: domain.TypeString, Required: true, Description: "One of: party, sleep, holiday"}}},
			domain.Tool{Name: "start_washer", Description: "Starts the washing machine.", SideEffects: new(true), Parameters: []domain.Parameter{{Name: "program", Type: domain.TypeString, Required: true, Description: "cotton, wool or quick"}}},
			toolNamed("washer_status", "Tells how far the washing machine is.", false))
		var records []domain.Record
		for _, said := range d.said {
			records = h.says(domain.PrincipalOperator, domain.MessageReceived{Text: said})
		}
		var names []string
		for _, c := range h.ear.sent {
			names = append(names, c.Capability)
		}
		if got := strings.Join(names, " "); got != d.want {
			t.Errorf("%q: called %q, and should call %q", d.said, got, d.want)
		}
		if asks := strings.Contains(repliesIn(t, records), "Say yes"); asks != d.asks {
			t.Errorf("%q: asks %t, and should %t: %s", d.said, asks, d.asks, repliesIn(t, records))
		}
	}
}

func repliesIn(t *testing.T, records []domain.Record) string {
	t.Helper()
	var out []string
	for _, rec := range records {
		if rec.Envelope.Type != "model.replied" {
			continue
		}
		reply, err := domain.Decode[domain.ModelReplied](rec.Envelope)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, domain.PlainText(reply.Blocks))
	}
	return strings.Join(out, "\n")
}

// Which words counted stands on the card, by reference with the call, and a call that only looks has none.
func TestWordsOfADeedAreRecorded(t *testing.T) {
	t.Parallel()
	mind := newObedient(t)
	mind.sense = func(string) []wish {
		return []wish{{"pay", `{"to":"Anna"}`}, {"forecast", `{"place":"Valletta"}`}}
	}
	h := newObedientHouse(t, mind)
	h.furnish()
	records := h.says(domain.PrincipalOperator, domain.MessageReceived{Text: "Please pay Anna"})
	at := slices.IndexFunc(records, func(r domain.Record) bool { return r.Envelope.Type == "model.replied" })
	reply, err := domain.Decode[domain.ModelReplied](records[at].Envelope)
	if err != nil {
		t.Fatal(err)
	}
	got, _ := json.Marshal(reply.ToolCalls)
	if deed := reply.ToolCalls[0].Deed; deed == nil || len(deed.Words) != 1 || deed.Words[0] != (domain.DeedWords{EnvelopeID: records[0].Envelope.ID, From: 1, To: 2}) {
		t.Errorf("recorded are %s", got)
	}
	if reply.ToolCalls[1].Deed != nil {
		t.Errorf("what only looks has words, too: %s", got)
	}
	at = slices.IndexFunc(records, func(r domain.Record) bool { return r.Envelope.Type == "approval.proposed" })
	if at < 0 {
		t.Fatal("it moves money, and wasn't asked about")
	}
	if p, err := domain.Decode[domain.ApprovalProposed](records[at].Envelope); err != nil || !strings.Contains(p.Summary, ", by your words “pay”") {
		t.Errorf("the card says %q, %v", p.Summary, err)
	}
}

// What one sentence has done twice, each of which wants approval, is asked about together, and one answer is
// for both. They are done in the order in which they were said, also where the second is approved first.
func TestBothAreAskedAboutTogether(t *testing.T) {
	t.Parallel()
	const both = "cancel the appointment apt_1 and cancel the reservation res_2"
	for _, d := range []struct {
		said []string
		want string // the tools that were called
		left int    // approvals that wait
	}{
		{[]string{both}, "", 2},
		{[]string{both, "yes to both"}, "cancel_appointment cancel_reservation", 0},
		{[]string{both, "ja zu beiden"}, "cancel_appointment cancel_reservation", 0},
		{[]string{both, "oui aux deux"}, "cancel_appointment cancel_reservation", 0},
		{[]string{both, "sí a las dos"}, "cancel_appointment cancel_reservation", 0},
		{[]string{both, "both of them"}, "cancel_appointment cancel_reservation", 0},
		{[]string{both, "yes", "1"}, "cancel_appointment", 1},
		{[]string{both, "2"}, "cancel_reservation", 1},
		{[]string{both, "2", "yes", "yes"}, "cancel_reservation cancel_appointment", 0},
		{[]string{both, "no"}, "", 0},
		{[]string{"cancel the appointment apt_1", "cancel the reservation res_2", "yes to both"}, "cancel_appointment cancel_reservation", 0},
		// What needs no approval between them keeps its turn.
		{[]string{"cancel the appointment apt_1 and list the appointments and cancel the reservation res_2"}, "", 1},
	} {
		h := newObedientHouse(t, newObedient(t))
		var err error
		if h.reasoner, err = h.Reasoner([]reasoning.Model{builtinmodel.Model{}}, nil, h.tools, h.approvals); err != nil {
			t.Fatal(err)
		}
		asking := func(name, about, param string) domain.Tool {
			return domain.Tool{Name: name, Description: about, SideEffects: new(true), RequiresApproval: true, Parameters: []domain.Parameter{{Name: param, Type: domain.TypeString, Required: true}}}
		}
		h.pair("Hilltop", asking("cancel_appointment", "Cancels an appointment.", "appointment_id"), toolNamed("list_appointments", "Lists the appointments.", false))
		h.pair("Luigi's", asking("cancel_reservation", "Cancels a reservation.", "reservation_id"))
		var opened []domain.Record
		for _, said := range d.said {
			opened = append(opened, h.says(domain.PrincipalOperator, domain.MessageReceived{Text: said})[0])
			for _, o := range opened { // what was approved is gone on with
				h.answer(o)
			}
		}
		var names []string
		for _, c := range h.ear.sent {
			names = append(names, c.Capability)
		}
		waits, err := h.approvals.Pending(t.Context())
		if got := strings.Join(names, " "); err != nil || got != d.want || len(waits) != d.left {
			t.Errorf("%q: called %q, and should call %q; %d wait, and should %d; %v", d.said, got, d.want, len(waits), d.left, err)
		}
	}
}
