package explain_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"chalie/domain"
	"chalie/replay"
	"chalie/replay/explain"
)

// linked fails unless an explanation of the effect leads to the cause, and the effects of
// the cause to the effect, or neither does; want is in a sentence of each.
func (p *past) linked(cause, effect domain.Record, role string, is bool, back, forward string) {
	p.t.Helper()
	for _, c := range []struct {
		of   string
		out  explain.Explanation
		want string
	}{
		{"why", p.explained(fmt.Sprintf("pos:%d", effect.Position)), back},
		{"effects", p.effects(fmt.Sprintf("pos:%d", cause.Position)), forward},
	} {
		has := slices.ContainsFunc(c.out.Edges, func(e explain.Edge) bool {
			return e.From == cause.Envelope.ID && e.To == effect.Envelope.ID && e.Role == role && e.Kind == explain.EdgeCaused
		})
		if has != is {
			p.t.Errorf("%s: the edge %s from %d to %d is there: %t\n%s", c.of, role, cause.Position, effect.Position, has, facts(c.out))
		}
		if told := strings.Join(c.out.Sentences, "\n"); is && !strings.Contains(told, c.want) {
			p.t.Errorf("%s: %q isn't in\n%s", c.of, c.want, told)
		}
		if c.out.Cut {
			p.t.Errorf("%s: it is cut", c.of)
		}
	}
}

// told is a notice about a reservation, and its end.
func (p *past) told() domain.Record {
	p.t.Helper()
	noticed(p)
	return p.last()
}

func (p *past) last() domain.Record {
	p.t.Helper()
	found, err := p.log.Select(p.t.Context(), domain.Selector{}, p.log.Tail(), 1)
	if err != nil || len(found) == 0 {
		p.t.Fatal("no last record", err)
	}
	return found[0]
}

// The person says something about what they had been told: by a word of it, or of what it
// rests on. It is the latest such, within a day and the last ten.
func TestToldBefore(t *testing.T) {
	const said = "cancel reservation res_801"
	for name, c := range map[string]struct {
		then  func(p *past) domain.Record
		is    bool
		about string
	}{
		"a word of what it rests on": {func(p *past) domain.Record { return p.message(said) }, true, "reservation"},
		"a name in it":               {func(p *past) domain.Record { return p.message("Is Luigi's open tomorrow?") }, true, "Luigi's"},
		"a steer": {func(p *past) domain.Record {
			return then(p, p.message("Any news?"), domain.SteerReceived{Text: "only of Luigi's"})
		}, true, "Luigi's"},
		"nothing of it":           {func(p *past) domain.Record { return p.message("How tall is the Eiffel tower?") }, false, ""},
		"only words of every day": {func(p *past) domain.Record { return p.message("what is closed tonight?") }, false, ""},
		"a program's words": {func(p *past) domain.Record {
			return begin(p, "lab", domain.MessageReceived{Text: said, Source: "lab", ImageIDs: []domain.ID{}})
		}, false, ""},
		"the next day": {func(p *past) domain.Record { p.clock.Advance(24 * time.Hour); return p.message(said) }, false, ""},
		"after a later one of the same": {func(p *past) domain.Record {
			p.concluded(p.message("?"), domain.ReasoningConcluded{Outcome: domain.OutcomeSurfaced, Shown: domain.ShownNotification, Blocks: says("Your reservation stands.").Blocks})
			return p.message(said)
		}, false, ""},
		"after ten others": {func(p *past) domain.Record {
			for range 10 {
				p.concluded(p.message("?"), domain.ReasoningConcluded{Outcome: domain.OutcomeSurfaced, Shown: domain.ShownNotification, Blocks: says("Rain.").Blocks})
			}
			return p.message(said)
		}, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPast(t)
			told := p.told()
			p.clock.Advance(20 * time.Minute)
			effect := c.then(p)
			p.linked(told, effect, explain.RoleTold, c.is,
				fmt.Sprintf("you had been told \"Luigi's is closed tonight\" at 13:00: both are about %q.", c.about),
				fmt.Sprintf("having been told of %q", c.about))
		})
	}
}

// What was kept back was never told.
func TestKeptBackIsNotTold(t *testing.T) {
	p := newPast(t)
	heldBack(p)
	kept := p.last()
	p.clock.Advance(time.Minute)
	p.linked(kept, p.message("cancel the reservation"), explain.RoleTold, false, "", "")
}

// An answer to a message leads over the message to what they had been told, and what led to
// that; from there it goes no further.
func TestToldBeforeLeadsOnOnce(t *testing.T) {
	p := newPast(t)
	first := p.told()
	p.clock.Advance(time.Minute)
	second := p.answered(domain.PrincipalOperator, "cancel the reservation at Luigi's", nil)
	p.clock.Advance(time.Minute)
	third := p.answered(domain.PrincipalOperator, "Is Luigi's closed for good?", nil)
	why := p.explained(third.concluded.Envelope.ID.String())
	has := func(rec domain.Record) bool {
		return slices.ContainsFunc(why.Nodes, func(n explain.Node) bool { return n.ID == rec.Envelope.ID })
	}
	if !has(second.concluded) || !has(second.opening) || has(first) {
		t.Errorf("the answer before: %t, its message: %t, what was told before that: %t", has(second.concluded), has(second.opening), has(first))
	}
	led := p.effects(first.Envelope.ID.String())
	if slices.ContainsFunc(led.Nodes, func(n explain.Node) bool { return n.ID == third.opening.Envelope.ID }) {
		t.Error("what was told leads to what was said after the answer to what was said")
	}
	if told := strings.Join(why.Sentences, "\n"); !strings.Contains(told, `Before you said "Is Luigi's closed for good?", you had been told`) {
		t.Error(told)
	}
}

// booking is a call that a model made of an interface's tool, with parameters and an
// answer; "" for none.
func (p *past) booking(owner domain.ID, params, answer string) (invoked, end domain.Record) {
	p.t.Helper()
	replied := then(p, p.message("Please do that"), domain.ModelReplied{ToolCalls: []domain.ToolCall{{Tool: "cancel"}}})
	invoked = then(p, replied, domain.ToolInvoked{InterfaceID: owner, Tool: "cancel", Params: []byte(params), Actor: "operator"}, domain.CallKey(replied.Envelope.ID, 0))
	id := invoked.Envelope.ID
	dispatched := then(p, invoked, domain.ToolDispatched{InvocationID: id}, domain.InvocationKey(id))
	if answer == "" {
		return invoked, then(p, dispatched, domain.ToolOutcomeUnknown{InvocationID: id, Reason: domain.CodeInterrupted}, domain.InvocationKey(id))
	}
	return invoked, then(p, dispatched, domain.ToolCompleted{InvocationID: id, Text: &answer, Data: []byte(`{"booking":"LH1802"}`)}, domain.InvocationKey(id))
}

// A signal days later has a code of a call: of its parameters or its answer.
func TestResultOfACall(t *testing.T) {
	for name, c := range map[string]struct {
		reports string
		after   time.Duration
		is      bool
		code    string
	}{
		"a parameter":            {"The deposit for res_801 was returned", 72 * time.Hour, true, "res_801"},
		"a code in the answer":   {"LH1802 leaves at 14:05", 72 * time.Hour, true, "lh1802"},
		"a number in the answer": {"Refund 4711802 is on its way", time.Hour, true, "4711802"},
		"a longer code":          {"The deposit for res_8012 was returned", time.Hour, false, ""},
		"another code":           {"LH1810 leaves at 14:05", time.Hour, false, ""},
		"a year and a time":      {"Open on 2026-11-03 from 1400, as in 2025", time.Hour, false, ""},
		"months later":           {"The deposit for res_801 was returned", 61 * 24 * time.Hour, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPast(t)
			luigis := p.paired("Luigi's").Envelope.ID
			_, end := p.booking(luigis, `{"reservation_id":"res_801","on":"2026-11-03","at":1400}`, "Cancelled in 2025, refund 4711802")
			p.clock.Advance(c.after)
			heard := begin(p, domain.Interface{ID: luigis}.Principal(), domain.SignalReceived{SignalType: "deposit", Content: c.reports, Source: "luigis"})
			p.linked(end, heard, explain.RoleCode, c.is, fmt.Sprintf("An earlier call has %q, as it does: the tool cancel of Luigi's answered", c.code), "as the call does")
		})
	}
}

// Of several calls with a code it is the latest, or the latest of the signal's own
// interface; a call of which nobody knows the end counts, and a skill's doesn't.
func TestResultOfTheLatestCall(t *testing.T) {
	p := newPast(t)
	luigis, airline := p.paired("Luigi's").Envelope.ID, p.paired("Airline").Envelope.ID
	_, early := p.booking(luigis, `{"id":"res_801"}`, "done")
	_, own := p.booking(luigis, `{"id":"res_801"}`, "")
	_, other := p.booking(airline, `{"id":"res_801"}`, "done")
	_, skill := p.booking(domain.ID{}, `{"id":"res_801"}`, "done")
	p.clock.Advance(time.Hour)
	of := func(who domain.Principal) domain.Record {
		return begin(p, who, domain.SignalReceived{SignalType: "deposit", Content: "res_801 is paid back", Source: "x"})
	}
	fromLuigis, fromBank := of(domain.Interface{ID: luigis}.Principal()), of("bank")
	const back, forward = "An earlier call has \"res_801\"", "which has \"res_801\" as the call does"
	p.linked(own, fromLuigis, explain.RoleCode, true, back, forward)
	p.linked(other, fromBank, explain.RoleCode, true, back, forward)
	for _, cause := range []domain.Record{early, skill} {
		p.linked(cause, fromLuigis, explain.RoleCode, false, "", "")
		p.linked(cause, fromBank, explain.RoleCode, false, "", "")
	}
	p.linked(other, fromLuigis, explain.RoleCode, false, "", "")
}

// skilled is a skill's call with the data of its answer.
func (p *past) skilled(skill, data string) domain.Record {
	p.t.Helper()
	replied := then(p, p.message("What do you know?"), domain.ModelReplied{ToolCalls: []domain.ToolCall{{Tool: skill}}})
	return p.usedTool(replied, 0, domain.ID{}, skill, after(p, func(id domain.ID) domain.ToolCompleted {
		text := "Tom is allergic to nuts"
		return domain.ToolCompleted{InvocationID: id, Text: &text, Data: []byte(data)}
	}))
}

// What a skill recalled leads to the memory, and through it to who said it.
func TestRecalledMemory(t *testing.T) {
	p := newPast(t)
	said := p.message("Remember that Tom is allergic to nuts")
	replied := then(p, said, domain.ModelReplied{ToolCalls: []domain.ToolCall{{Tool: "remember"}}})
	var memory domain.Record
	remembered := p.usedTool(replied, 0, domain.ID{}, "remember", func(id domain.ID) domain.Record {
		memory = after(p, func(domain.ID) domain.MemoryRemembered {
			return domain.MemoryRemembered{Text: "Tom is allergic to nuts", About: "Tom"}
		})(id)
		return after(p, func(id domain.ID) domain.ToolCompleted {
			return domain.ToolCompleted{InvocationID: id, Data: fmt.Appendf(nil, `{"memory_id":%q}`, memory.Envelope.ID.UUID())}
		})(id)
	})
	other := begin(p, domain.PrincipalOperator, domain.MemoryRemembered{Text: "the bins are green"})
	p.clock.Advance(72 * time.Hour)
	recalled := p.skilled("recall", fmt.Sprintf(`{"memories":[{"memory_id":%q,"text":"Tom"}]}`, memory.Envelope.ID.UUID()))
	forgot := p.skilled("forget", fmt.Sprintf(`{"memory_id":%q}`, memory.Envelope.ID.UUID()))
	empty := p.skilled("recall", `{"memories":[]}`)

	const back, forward = `It goes back to 13:00 on 1 January: you had said that "Tom is allergic to nuts" is to be remembered`, `answered "Tom is allergic to nuts"`
	p.linked(memory, recalled, explain.RoleRecalled, true, back, forward)
	p.linked(memory, forgot, explain.RoleRecalled, true, back, forward)
	p.linked(memory, empty, explain.RoleRecalled, false, "", "")
	p.linked(other, recalled, explain.RoleRecalled, false, "", "")
	p.linked(memory, remembered, explain.RoleRecalled, false, "", "") // the call made it
	if why := p.explained(fmt.Sprintf("pos:%d", recalled.Position)); !slices.ContainsFunc(why.Nodes, func(n explain.Node) bool { return n.ID == said.Envelope.ID }) {
		t.Error("it doesn't lead to who said it")
	}
}

// What an interface answers with an id of Chalie's is none of its memories.
func TestAnInterfaceRecallsNothing(t *testing.T) {
	p := newPast(t)
	memory := begin(p, domain.PrincipalOperator, domain.MemoryRemembered{Text: "the bins are green"})
	replied := then(p, p.message("?"), domain.ModelReplied{})
	end := p.usedTool(replied, 0, p.paired("notes").Envelope.ID, "recall", after(p, func(id domain.ID) domain.ToolCompleted {
		return domain.ToolCompleted{InvocationID: id, Data: fmt.Appendf(nil, `{"memory_id":%q}`, memory.Envelope.ID.UUID())}
	}))
	p.linked(memory, end, explain.RoleRecalled, false, "", "")
}

// A change of the policy leads to the calls that it denied, and they to it.
func TestPolicyDenied(t *testing.T) {
	p := newPast(t)
	change := func(name string) (domain.Record, string) {
		rules := domain.DefaultPolicy()
		rules.Rules = append([]domain.PolicyRule{{Name: name, Verdict: domain.VerdictDenied}}, rules.Rules...)
		book := domain.Rulebook{Set: &rules}
		changed := domain.PolicyChanged{Policy: rules}
		return begin(p, domain.PrincipalOperator, changed, changed.Keys()...), book.ID()
	}
	pay := func(regime string, verdict domain.PolicyVerdict) domain.Record {
		p.clock.Advance(time.Minute)
		invoked := begin(p, domain.PrincipalOperator, domain.ToolInvoked{InterfaceID: p.ids.NewID(), Tool: "pay", Params: []byte(`{}`)})
		return then(p, invoked, domain.PolicyDecided{InvocationID: invoked.Envelope.ID, RegimeID: regime, Verdict: verdict,
			Allowed: verdict == domain.VerdictAllowed, ReasonCodes: []string{"no_payments"}}, domain.InvocationKey(invoked.Envelope.ID))
	}
	var book domain.Rulebook
	byDefault := pay(book.ID(), domain.VerdictDenied)
	first, regime := change("no_payments")
	denied, allowed := pay(regime, domain.VerdictDenied), pay(regime, domain.VerdictAllowed)
	second, later := change("nothing_at_all")
	deniedLater := pay(later, domain.VerdictDenied)

	const back, forward = "That has been the policy since you changed the policy at 13:01.", "the policy denied"
	p.linked(first, denied, explain.RoleRegime, true, back, forward)
	p.linked(first, allowed, explain.RoleRegime, false, "", "")
	p.linked(first, byDefault, explain.RoleRegime, false, "", "")
	p.linked(first, deniedLater, explain.RoleRegime, false, "", "")
	p.linked(second, deniedLater, explain.RoleRegime, true, "That has been the policy since", forward)
}

// A setting leads to what was decided by it, until it is set again or back, and is named
// with who set it and when.
func TestDecidedUnderASetting(t *testing.T) {
	p := newPast(t)
	set := func(name, from, to string, back bool) domain.Record {
		p.clock.Advance(time.Minute)
		return begin(p, domain.PrincipalOperator, domain.SettingsChanged{Name: name, From: from, To: to, Default: back}, domain.SettingsKey)
	}
	answer := func() (started, end domain.Record) {
		p.clock.Advance(time.Minute)
		started = then(p, p.message("and?"), domain.ReasoningStarted{})
		return started, p.concluded(then(p, started, says("well")), domain.ReasoningConcluded{Outcome: domain.OutcomeResponded, Blocks: says("well").Blocks, Shown: domain.ShownMessage})
	}
	byDefault, _ := answer()
	first := set("surfaces", "0.5", "0.37", false)
	limit := set("model_calls", "8", "9", false)
	quiet := set("cooldown", "30m", "0s", false)
	under, end := answer()
	second := set("surfaces", "0.37", "0.4", false)
	again, _ := answer()
	back := set("surfaces", "0.4", "0.5", true)
	since, _ := answer()

	const told, effect = "This was decided under a setting: you set surfaces from 0.5 to 0.37 at 13:02.", "answered"
	p.linked(first, under, explain.RoleSetting, true, told, effect)
	p.linked(second, again, explain.RoleSetting, true, "you set surfaces from 0.37 to 0.4 at 13:06", effect)
	for _, other := range []domain.Record{byDefault, again, since} {
		p.linked(first, other, explain.RoleSetting, false, "", "")
	}
	for _, other := range []domain.Record{limit, quiet} {
		p.linked(other, under, explain.RoleSetting, false, "", "")
	}
	p.linked(back, since, explain.RoleSetting, false, "", "")
	if why := p.explained(fmt.Sprintf("pos:%d", end.Position)); !strings.Contains(strings.Join(why.Sentences, "\n"), told) {
		t.Errorf("the answer is explained by\n%s", strings.Join(why.Sentences, "\n"))
	}
}

// An interface that went away leads to the calls that reached nobody, until it is back,
// and is named.
func TestInterfaceWasAway(t *testing.T) {
	p := newPast(t)
	id := p.ids.NewID()
	tools := []domain.Tool{{Name: "print_document", Parameters: []domain.Parameter{}}}
	add(p, domain.Begin(p.ids.NewTrace(), domain.PrincipalOperator), id, domain.InterfacePaired{Name: "Printer", Host: "127.0.0.1", Port: 9000, TokenHash: strings.Repeat("bb", 32), Tools: tools}, []domain.Key{domain.InterfaceKey(id)})
	call := func() domain.Record {
		replied := then(p, p.message("print it"), domain.ModelReplied{})
		return p.usedTool(replied, 0, id, "print_document", after(p, func(id domain.ID) domain.ToolFailed {
			return domain.ToolFailed{InvocationID: id, Reason: "unreachable", Detail: "nobody answers"}
		}))
	}
	refused := func(tool string) domain.Record {
		opening := p.message("print it")
		entry, err := domain.New(domain.Continue(opening.Envelope), p.ids.NewID(), 1, "reasoning", domain.CallRejected{Tool: tool, Reason: "it is offline"})
		if err != nil {
			t.Fatal(err)
		}
		entry.Envelope.Errors = []domain.Fault{{Code: domain.CodeToolOffline, Message: "it is offline"}}
		return p.put(entry)
	}
	before := call()
	away := begin(p, domain.PrincipalCore, domain.InterfaceWentOffline{InterfaceID: id, Failures: 3, Reason: "no answer"}, domain.InterfaceKey(id))
	p.clock.Advance(10 * time.Minute)
	while, asked, other := call(), refused("print_document"), refused("scan")
	begin(p, domain.PrincipalCore, domain.InterfaceCameOnline{InterfaceID: id}, domain.InterfaceKey(id))
	since := call()

	const back = "Nobody was there to be called: at 13:00 the interface Printer stopped answering: no answer."
	p.linked(away, while, explain.RoleOffline, true, back, "calling the tool print_document of Printer failed")
	p.linked(away, asked, explain.RoleOffline, true, back, "the call to print_document was not made")
	for _, effect := range []domain.Record{before, other, since} {
		p.linked(away, effect, explain.RoleOffline, false, "", "")
	}
}

// However much was called, said and told before, as much of it is read.
func TestLinksAreBounded(t *testing.T) {
	read := func(times int) (back, forward int) {
		p := newPast(t)
		luigis := p.paired("Luigi's").Envelope.ID
		who := domain.Interface{ID: luigis}.Principal()
		var ended, told domain.Record // the first call, and the last answer
		for n := range times {
			p.clock.Advance(time.Hour)
			if _, end := p.booking(luigis, fmt.Sprintf(`{"id":"res_%d"}`, 10_000+n), "done"); n == 0 {
				ended = end
			}
			heard := begin(p, who, domain.SignalReceived{SignalType: "deposit", Content: fmt.Sprintf("res_%d is paid back", 10_000+n), Source: "x"})
			told = p.answered(domain.PrincipalOperator, fmt.Sprintf("what is with res_%d?", 10_000+n), nil,
				domain.Evidence{EnvelopeID: heard.Envelope.ID, Role: "named", Weight: domain.One}).concluded
		}
		log := &countedLog{Log: p.log}
		if _, err := explain.Why(t.Context(), log, target(t, told), nil); err != nil {
			t.Fatal(err)
		}
		back, log.records = log.records, 0
		if _, err := explain.Effects(t.Context(), log, target(t, ended), nil); err != nil {
			t.Fatal(err)
		}
		return back, log.records
	}
	back, forward := read(300)
	longBack, longForward := read(3000)
	// How far back the calls are is found by widening steps, some of which read more.
	if longBack > 2*back || longBack > 10_000 || longForward > max(2*forward, 20_000) {
		t.Errorf("of ten times as much it took %d and %d records, and %d and %d before", longBack, longForward, back, forward)
	}
}

func target(t *testing.T, rec domain.Record) replay.Target {
	t.Helper()
	parsed, err := replay.ParseTarget(rec.Envelope.ID.String())
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}
