package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"chalie/adapters/api"
	"chalie/adapters/models"
	"chalie/domain"
	"chalie/replay/explain"
	"chalie/replay/player"
)

// otherwise is what would have come of a change.
func otherwise(t testing.TB, l *life, change player.Change, scope player.Scope) player.Outcomes {
	t.Helper()
	tail := l.log.Tail()
	out, err := player.WhatIf(t.Context(), l.log, sandboxes(keyframes{}).Open, change, scope, nil)
	if err != nil {
		t.Fatal(err)
	}
	if l.log.Tail() != tail {
		t.Fatalf("the log has %d records, and had %d", l.log.Tail(), tail)
	}
	return out
}

func set(pairs ...string) map[string]string {
	out := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		out[pairs[i]] = pairs[i+1]
	}
	return out
}

// restaurant is the story of a reservation and of news that spoil it.
func restaurant(t testing.TB) (l *life, news domain.ID, cycle domain.TraceID) {
	l = newLife(t)
	l.says(t, "remind me: dinner reservation at Luigi's in 4 hours")
	for _, noise := range loud {
		l.hears(t, noise, 1)
	}
	news = l.hears(t, "Luigi's is closed tonight", 0.4)
	l.clock.Advance(30 * time.Minute)
	cycle = l.thinks(t)
	l.says(t, "thank you")
	l.clock.Advance(10 * time.Minute)
	l.thinks(t)
	if told := l.told(t); len(told) != 3 || !strings.Contains(told[1], "closed tonight") {
		t.Fatalf("told was %q", told)
	}
	return l, news, cycle
}

func TestWithoutTheNews(t *testing.T) {
	l, news, cycle := restaurant(t)
	out := otherwise(t, l, player.Change{Without: []domain.ID{news}}, player.Scope{})
	if len(out.Outcomes) != 1 || out.Outcomes[0].Trace != cycle || out.Outcomes[0].Recorded.Outcome != domain.OutcomeSurfaced || out.Outcomes[0].Replayed.Outcome != domain.OutcomeHeld {
		t.Errorf("without the news: %+v", out)
	}
}

func TestNothingChanged(t *testing.T) {
	l, _, _ := restaurant(t)
	for name, change := range map[string]player.Change{"nothing": {}, "the default": {Set: set("half_life", "6h")}} {
		if out := otherwise(t, l, change, player.Scope{}); len(out.Outcomes) > 0 || out.Traces != 4 {
			t.Errorf("%s: %+v", name, out)
		}
	}
}

// listed are outcomes by trace.
func listed(out player.Outcomes) map[domain.TraceID]player.Outcome {
	all := map[domain.TraceID]player.Outcome{}
	for _, o := range out.Outcomes {
		all[o.Trace] = o
	}
	return all
}

func TestOtherParameters(t *testing.T) {
	l, _, cycle := restaurant(t)
	// The first cycle finds nothing, because all has faded.
	out := otherwise(t, l, player.Change{Set: set("half_life", "1m")}, player.Scope{})
	if o := listed(out)[cycle]; len(out.Outcomes) != 1 || o.Replayed.Outcome != domain.OutcomeHeld {
		t.Errorf("with a half-life of a minute: %+v", out)
	}
	if out = otherwise(t, l, player.Change{Set: set("surfaces", "1")}, player.Scope{}); len(out.Outcomes) != 1 {
		t.Errorf("with relations that nothing reaches: %+v", out)
	}
	if out = otherwise(t, l, player.Change{Set: set("half_life", "1m")}, player.Scope{Since: l.log.Tail()}); len(out.Outcomes) > 0 {
		t.Errorf("since now: %+v", out)
	}
	other := domain.TraceID{}
	for trace := range listed(otherwise(t, l, player.Change{Set: set("half_life", "1m")}, player.Scope{Trace: cycle})) {
		other = trace
	}
	if other != cycle {
		t.Errorf("of the one trace: %s", other)
	}
}

// A cooldown that is over sooner lets more be told.
func TestOtherCooldown(t *testing.T) {
	l := newLife(t)
	l.says(t, "remind me: dinner reservation at Luigi's in 4 hours")
	l.hears(t, "Luigi's is closed tonight", 0.9)
	l.thinks(t)
	l.hears(t, "Luigi's lost its licence for dinner after an inspection", 0.9)
	held := l.thinks(t)
	told := l.told(t)
	out := otherwise(t, l, player.Change{Set: set("cooldown", "0s")}, player.Scope{})
	if o := listed(out)[held]; len(told) != 2 || len(out.Outcomes) != 1 || o.Recorded.Outcome != domain.OutcomeHeld || o.Replayed.Outcome != domain.OutcomeSurfaced || !strings.Contains(o.Replayed.Text, "licence") {
		t.Errorf("without a cooldown: %+v, after %q", out, told)
	}
}

func TestEdited(t *testing.T) {
	l, news, cycle := restaurant(t)
	edit := func(field, value string) player.Change {
		return player.Change{Edits: []player.Edit{{ID: news, Field: field, Value: value}}}
	}
	if o := listed(otherwise(t, l, edit("content", "Mario's is closed tonight"), player.Scope{}))[cycle]; o.Replayed.Outcome != domain.OutcomeHeld {
		t.Errorf("of another house: %+v", o)
	}
	if o := listed(otherwise(t, l, edit("content", "Luigi's is closed for ever"), player.Scope{}))[cycle]; !strings.Contains(o.Replayed.Text, "for ever") {
		t.Errorf("for ever: %+v", o)
	}
	if o := listed(otherwise(t, l, edit("activation_energy", "0.01"), player.Scope{}))[cycle]; o.Replayed.Outcome != domain.OutcomeHeld {
		t.Errorf("of no weight: %+v", o)
	}
	// Heard only after the first cycle it is told by the second.
	rec, err := l.log.Find(t.Context(), news)
	if err != nil {
		t.Fatal(err)
	}
	late := rec.RecordedAt.Time().Add(35 * time.Minute).Format(time.RFC3339Nano)
	out := otherwise(t, l, edit("recorded_at", late), player.Scope{})
	if o := listed(out); len(o) != 2 || o[cycle].Replayed.Outcome != domain.OutcomeHeld || out.Outcomes[1].Replayed.Outcome != domain.OutcomeSurfaced {
		t.Errorf("heard later: %+v", out)
	}
	early := rec.RecordedAt.Time().Add(-time.Minute).Format(time.RFC3339Nano)
	if out := otherwise(t, l, edit("recorded_at", early), player.Scope{}); len(out.Outcomes) > 1 {
		t.Errorf("heard earlier: %+v", out)
	}
}

var (
	changes, onlyAsks = true, false
	dimmer            = domain.Tool{Name: "dim_lights", Description: "Dims the lights of a room", SideEffects: &changes,
		Parameters: []domain.Parameter{{Name: "room", Type: "string", Required: true, Description: "which room"}}}
	gauge = domain.Tool{Name: "read_temperature", Description: "Reads the temperature of a room", SideEffects: &onlyAsks,
		Parameters: []domain.Parameter{{Name: "room", Type: "string", Required: true, Description: "which room"}}}
)

// house is a story with an interface, and a model that isn't part of the program.
func house(t testing.TB) (l *life, face domain.ID) {
	l = newLife(t)
	face = l.pairs(t, "house", dimmer, gauge)
	l.models = []string{"oracle:1", "builtin/9"}
	turn := 0
	l.replies = func(string) domain.ModelReplied {
		turn++
		out := domain.ModelReplied{Topic: "lights", Mode: domain.ModeRespond, Confidence: domain.One, Blocks: []domain.Block{}, Used: []domain.Evidence{}, ToolCalls: []domain.ToolCall{}, Findings: []domain.Finding{}}
		if turn%2 == 1 {
			out.Mode = domain.ModeAct
			out.ToolCalls = []domain.ToolCall{{ID: "c1", Tool: "dim_lights", Params: []byte(`{"room":"kitchen"}`)}}
			return out
		}
		out.Blocks = []domain.Block{domain.TextBlock("The kitchen is dim now.", domain.FormatPlain)}
		return out
	}
	return l, face
}

func TestPolicyInstead(t *testing.T) {
	l, face := house(t)
	asked := l.says(t, "dim the kitchen")
	direct := l.directs(t, face, "dim_lights", `{"room":"hall"}`)
	if l.calls != 2 {
		t.Fatalf("%d calls were made", l.calls)
	}
	none := domain.DefaultPolicy()
	if out := otherwise(t, l, player.Change{Policy: &none}, player.Scope{}); len(out.Outcomes) > 0 || out.Traces != 2 {
		t.Errorf("with the same policy: %+v", out)
	}
	none.Rules = []domain.PolicyRule{{Name: "never", Verdict: domain.VerdictDenied}}
	out := listed(otherwise(t, l, player.Change{Policy: &none}, player.Scope{}))
	if o := out[domain.TraceID{ID: direct}]; o.Recorded.Outcome != domain.EndingDone || o.Replayed.Outcome != domain.OutcomeFailed || !strings.Contains(o.Replayed.Text, "forbids") {
		t.Errorf("by hand, denied: %+v", o)
	}
	if o := out[asked]; o.Replayed.Outcome != domain.EndingUnknown || o.Replayed.Model != "oracle:1" || len(o.Replayed.Calls) != 1 || o.Replayed.Calls[0].Outcome != "tool.failed" {
		t.Errorf("in words, denied: %+v", o)
	}
	none.Rules[0].Verdict = domain.VerdictApproval
	out = listed(otherwise(t, l, player.Change{Policy: &none}, player.Scope{}))
	for trace, o := range out {
		if o.Replayed.Outcome != domain.EndingWaits || len(o.Replayed.Waits) != 1 || o.Replayed.Calls[0].Outcome != "" {
			t.Errorf("%s, proposed: %+v", trace, o)
		}
	}
	if len(out) != 2 || l.calls != 2 {
		t.Errorf("%d differ after %d calls", len(out), l.calls)
	}
}

// A model was asked the same, whether or not the steps say how far they had read: under load
// some can't.
func TestTheSameQuestionUnread(t *testing.T) {
	l, _ := house(t)
	l.hears(t, "It rains", 0.9)
	l.says(t, "dim the kitchen")
	l.says(t, "and again")
	for _, rec := range recordsOf(t, l.log) {
		read := domain.ReadOf(rec.Envelope)
		if read == 0 {
			continue
		}
		log := edited(t, l.log, rec.Envelope.ID, fmt.Sprintf(`,"read":%d`, read), "")
		out, err := player.WhatIf(t.Context(), log, sandboxes(keyframes{}).Open, player.Change{}, player.Scope{}, nil)
		if err != nil || len(out.Outcomes) > 0 || out.Traces != 2 {
			t.Errorf("with nothing changed, and %s unread: %+v, %v", rec.Envelope.Type, out, err)
		}
	}
}

// What a model was told otherwise it would have answered otherwise, and nobody knows
// how. Asked the same it says the same.
func TestAnotherQuestion(t *testing.T) {
	l, _ := house(t)
	rain := l.hears(t, "It rains", 0.9)
	first := l.says(t, "dim the kitchen")
	second := l.says(t, "and again")
	out := listed(otherwise(t, l, player.Change{Without: []domain.ID{rain}}, player.Scope{}))
	if o := out[first]; len(out) != 2 || o.Replayed.Outcome != domain.EndingUnknown || len(o.Replayed.Calls) != 0 {
		t.Errorf("without the rain: %+v", out)
	}
	out = listed(otherwise(t, l, player.Change{Edits: []player.Edit{{ID: second.ID, Field: "text", Value: "and once more"}}}, player.Scope{}))
	if o := out[second]; len(out) != 1 || o.Replayed.Outcome != domain.EndingUnknown {
		t.Errorf("asked otherwise: %+v", out)
	}
	// The built-in one is free to answer anew. It calls what wasn't called then.
	out = listed(otherwise(t, l, player.Change{Model: "builtin/9", Edits: []player.Edit{{ID: first.ID, Field: "text", Value: "dim lights in the hall"}}}, player.Scope{}))
	if o := out[first]; len(o.Replayed.Calls) != 1 || !o.Replayed.Calls[0].Unanswered || o.Replayed.Calls[0].Outcome != "tool.failed" || !strings.Contains(string(o.Replayed.Calls[0].Params), "hall") || !strings.Contains(o.Replayed.Text, "a replay calls nothing") {
		t.Errorf("by the built-in model: %+v", out)
	}
	out = listed(otherwise(t, l, player.Change{Model: "builtin/9"}, player.Scope{Trace: first}))
	if o := out[first]; len(out) != 1 || o.Replayed.Outcome != domain.OutcomeResponded {
		t.Errorf("by the built-in model, unchanged: %+v", out)
	}
	// The second is asked about: it follows up on an answer that others' words are in.
	if l.calls != 1 {
		t.Errorf("%d calls were made", l.calls)
	}
}

// What somebody said to a question that is never put isn't said.
func TestWithoutTheQuestion(t *testing.T) {
	l, face := house(t)
	rules := domain.DefaultPolicy()
	rules.Rules = []domain.PolicyRule{{Name: "ask", SideEffects: &changes, Verdict: domain.VerdictApproval}, {Name: "harmless", Verdict: domain.VerdictAllowed}}
	put(t, l, by(domain.PrincipalOperator), "api", domain.PolicyChanged{Policy: rules}, domain.PolicyKey)
	asked := l.says(t, "dim the kitchen")
	l.models = nil
	yes := l.says(t, "yes")
	l.models = []string{"oracle:1", "builtin/9"}
	l.goesOn(t, asked)
	direct := l.directs(t, face, "dim_lights", `{"room":"hall"}`)
	if l.calls != 1 {
		t.Fatalf("%d calls were made: %q", l.calls, l.told(t))
	}
	if out := otherwise(t, l, player.Change{}, player.Scope{}); len(out.Outcomes) > 0 || out.Traces != 3 {
		t.Errorf("nothing changed: %+v", out)
	}
	// Without the yes it waits to this day.
	out := listed(otherwise(t, l, player.Change{Without: []domain.ID{yes.ID}}, player.Scope{}))
	if o := out[asked]; len(out) != 2 || o.Replayed.Outcome != domain.EndingWaits || out[yes].Replayed.Outcome != domain.EndingNone {
		t.Errorf("without the yes: %+v", out)
	}
	// Nobody is asked, so the yes is a yes to nothing; and the direct one is answered by nobody.
	free := domain.DefaultPolicy()
	out = listed(otherwise(t, l, player.Change{Policy: &free}, player.Scope{}))
	if o := out[asked]; o.Replayed.Outcome != "" {
		t.Errorf("allowed at once it comes to the same: %+v", o)
	}
	if o := out[domain.TraceID{ID: direct}]; o.Recorded.Outcome != domain.EndingWaits || o.Replayed.Outcome != domain.OutcomeFailed || !o.Replayed.Calls[0].Unanswered {
		t.Errorf("allowed by hand: %+v", o)
	}
	if o := out[yes]; strings.Contains(o.Replayed.Text, "Approved") || o.Replayed.Outcome == "" {
		t.Errorf("the yes: %+v", o)
	}
}

// Who was never let in says nothing and asks for nothing: what they sent goes with what
// let them in, until something else lets them in.
func TestWithoutTheSender(t *testing.T) {
	for name, enters := range map[string]func(*life) (let domain.ID, who domain.Principal){
		"a pairing": func(l *life) (domain.ID, domain.Principal) {
			id := l.pairs(t, "Luigi's")
			return id, domain.Interface{ID: id}.Principal()
		},
		"a token": func(l *life) (domain.ID, domain.Principal) {
			return put(t, l, by(domain.PrincipalOperator), "api", domain.TokenIssued{Name: "luigis", TokenHash: "aa", Signals: []string{}}), "luigis"
		},
		"a stream": func(l *life) (domain.ID, domain.Principal) {
			id := put(t, l, by(domain.PrincipalOperator), "api", domain.StreamAdded{URL: "ws://127.0.0.1:9", Source: "luigis"})
			return id, domain.Stream{ID: id}.Principal()
		},
	} {
		l := newLife(t)
		let, who := enters(l)
		l.says(t, "remind me: dinner reservation at Luigi's in 4 hours")
		put(t, l, by(who), "luigis", domain.SignalReceived{SignalType: "news", Content: "Luigi's is closed tonight", Source: "Luigi's", ActivationEnergy: 0.9})
		l.clock.Advance(30 * time.Minute)
		cycle := l.thinks(t)
		if told := l.told(t); len(told) != 2 {
			t.Fatalf("%s: told was %q", name, told)
		}
		out := listed(otherwise(t, l, player.Change{Without: []domain.ID{let}}, player.Scope{}))
		if o := out[cycle]; o.Recorded.Shown == domain.ShownNot || o.Replayed.Shown != domain.ShownNot {
			t.Errorf("without %s: %+v", name, o)
		}
		if name != "a token" {
			continue
		}
		put(t, l, by(domain.PrincipalOperator), "api", domain.TokenIssued{Name: "luigis", TokenHash: "bb", Signals: []string{}})
		l.clock.Advance(time.Hour)
		put(t, l, by(who), "luigis", domain.SignalReceived{SignalType: "news", Content: "Luigi's has a table tonight after all", Source: "Luigi's", ActivationEnergy: 0.9})
		again := l.thinks(t)
		out = listed(otherwise(t, l, player.Change{Without: []domain.ID{let}}, player.Scope{}))
		if o := out[again]; o.Replayed.Shown == domain.ShownNot && o.Recorded.Shown != domain.ShownNot {
			t.Errorf("let in again: %+v", o)
		}
	}
}

// How long the person took to say yes doesn't count against an answer, in a branch as then.
func TestLateYes(t *testing.T) {
	for _, wait := range []time.Duration{time.Minute, 7 * time.Minute} {
		l, _ := house(t)
		rules := domain.DefaultPolicy()
		rules.Rules = []domain.PolicyRule{{Name: "ask", SideEffects: &changes, Verdict: domain.VerdictApproval}, {Name: "harmless", Verdict: domain.VerdictAllowed}}
		put(t, l, by(domain.PrincipalOperator), "api", domain.PolicyChanged{Policy: rules}, domain.PolicyKey)
		noise := l.hears(t, "A comet passes", 0.1)
		asked := l.says(t, "dim the kitchen")
		l.clock.Advance(wait)
		l.models = nil
		l.says(t, "yes")
		l.models = []string{"oracle:1", "builtin/9"}
		l.goesOn(t, asked)
		if l.calls != 1 {
			t.Fatalf("%d calls were made: %q", l.calls, l.told(t))
		}
		free := domain.DefaultPolicy()
		for name, change := range map[string]player.Change{
			"nothing changed": {}, "without the comet": {Without: []domain.ID{noise}, Model: "builtin/9"}, "allowed at once": {Policy: &free},
		} {
			if o := listed(otherwise(t, l, change, player.Scope{}))[asked]; o.Replayed.Outcome == domain.OutcomeFailed || o.Replayed.Outcome == domain.EndingOpen {
				t.Errorf("%s, after %s: %+v", name, wait, o.Replayed)
			}
		}
	}
}

// The answers of tools and models can be supposed, too, also of the built-in one.
func TestEditedAnswers(t *testing.T) {
	l, _ := house(t)
	asked := l.says(t, "dim the kitchen")
	l.models = nil
	hello := l.says(t, "hello")
	answers := map[domain.TraceID][]domain.ID{}
	ends := map[domain.TraceID]domain.ID{}
	records, err := l.log.Select(t.Context(), domain.Selector{}, 1, 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range records {
		switch env := rec.Envelope; env.Type {
		case domain.ModelRepliedType:
			answers[env.Trace] = append(answers[env.Trace], env.ID)
		case domain.ToolCompletedType:
			ends[env.Trace] = env.ID
		}
	}
	edit := func(id domain.ID, field, value string) player.Change {
		return player.Change{Edits: []player.Edit{{ID: id, Field: field, Value: value}}}
	}
	out := listed(otherwise(t, l, edit(answers[asked][1], "blocks[0].content", "It is dark now."), player.Scope{}))
	if o := out[asked]; len(out) != 1 || o.Replayed.Text != "It is dark now." {
		t.Errorf("a model's reply: %+v", out)
	}
	out = listed(otherwise(t, l, edit(answers[hello][0], "blocks[0].content", "Good evening."), player.Scope{}))
	if o := out[hello]; len(out) != 1 || !strings.HasPrefix(o.Replayed.Text, "Good evening.") {
		t.Errorf("the built-in model's reply: %+v", out)
	}
	out = listed(otherwise(t, l, edit(ends[asked], "text", "the lamp is broken"), player.Scope{}))
	if o := out[asked]; o.Replayed.Outcome != domain.EndingUnknown || o.Replayed.Model != "oracle:1" || len(o.Replayed.Calls) != 1 || o.Replayed.Calls[0].Outcome != domain.ToolCompletedType {
		t.Errorf("a tool's answer: %+v", out)
	}
	_, err = player.WhatIf(t.Context(), l.log, sandboxes(keyframes{}).Open, edit(ends[asked], "recorded_at", "2026-01-01T00:00:00Z"), player.Scope{}, nil)
	if domain.CodeOf(err) != "invalid" || !strings.Contains(err.Error(), "comes when it is asked for") {
		t.Errorf("moving an answer: %v", err)
	}
}

// A yes that the person never gave is given: the call is made, as far as a replay makes any.
func TestYesAfterAll(t *testing.T) {
	l, face := house(t)
	rules := domain.DefaultPolicy()
	rules.Rules = []domain.PolicyRule{{Name: "ask", SideEffects: &changes, Verdict: domain.VerdictApproval}, {Name: "harmless", Verdict: domain.VerdictAllowed}}
	put(t, l, by(domain.PrincipalOperator), "api", domain.PolicyChanged{Policy: rules}, domain.PolicyKey)
	asked := l.says(t, "dim the kitchen")
	direct := domain.TraceID{ID: l.directs(t, face, "dim_lights", `{"room":"hall"}`)}
	l.models = nil
	l.clock.Advance(time.Minute)
	l.says(t, "no")
	if l.calls != 0 {
		t.Fatalf("%d calls were made", l.calls)
	}
	proposals := map[domain.TraceID]domain.ID{}
	records, err := l.log.Select(t.Context(), domain.Selector{Topic: domain.TopicTools}, 1, 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range records {
		if rec.Envelope.Type == domain.ApprovalProposedType {
			proposals[rec.Envelope.Trace] = rec.Envelope.ID
		}
	}
	for _, trace := range []domain.TraceID{asked, direct} {
		o := listed(otherwise(t, l, player.Change{Approve: []domain.ID{proposals[trace]}}, player.Scope{}))[trace]
		if len(o.Replayed.Calls) != 1 || !o.Replayed.Calls[0].Unanswered || len(o.Replayed.Waits) > 0 {
			t.Errorf("a yes in %s: %+v", trace, o)
		}
	}
	// Once it has lapsed the person's own yes is the first that why-not offers, and it helps.
	l.clock.Advance(time.Hour)
	l.goesOn(t, asked)
	invocation := domain.ID{}
	for _, rec := range records {
		if rec.Envelope.Type == domain.ToolInvokedType && rec.Envelope.Trace == asked {
			invocation = rec.Envelope.ID
		}
	}
	if got := l.whyNot(t, invocation.String()); got.Change == nil || got.Change.Kind != explain.ChangeApproval || !got.Change.Verified {
		t.Errorf("why not is %q, and it offers %+v", got.Sentences, got.Change)
	}
	if _, err := player.WhatIf(t.Context(), l.log, sandboxes(keyframes{}).Open, player.Change{Approve: []domain.ID{asked.ID}}, player.Scope{}, nil); domain.CodeOf(err) != "invalid" || !strings.Contains(err.Error(), "approval.proposed") {
		t.Errorf("of a message: %v", err)
	}
}

// A yes that is a no refuses.
func TestTheOppositeAnswer(t *testing.T) {
	l, _ := house(t)
	rules := domain.DefaultPolicy()
	rules.Rules = []domain.PolicyRule{{Name: "ask", SideEffects: &changes, Verdict: domain.VerdictApproval}, {Name: "harmless", Verdict: domain.VerdictAllowed}}
	put(t, l, by(domain.PrincipalOperator), "api", domain.PolicyChanged{Policy: rules}, domain.PolicyKey)
	asked := l.says(t, "dim the kitchen")
	l.models = nil
	yes := l.says(t, "yes")
	l.models = []string{"oracle:1", "builtin/9"}
	l.goesOn(t, asked)
	out := listed(otherwise(t, l, player.Change{Edits: []player.Edit{{ID: yes.ID, Field: "text", Value: "no"}}}, player.Scope{}))
	if o := out[yes]; !strings.HasPrefix(o.Replayed.Text, "Refused") {
		t.Errorf("the no: %+v", o)
	}
	if o := out[asked]; len(o.Replayed.Calls) != 1 || o.Replayed.Calls[0].Outcome != "tool.failed" || o.Replayed.Outcome != domain.EndingUnknown {
		t.Errorf("what was refused: %+v", o)
	}
}

// What is planned for another time falls due then, and not when it did.
func TestDueAtAnotherTime(t *testing.T) {
	l := newLife(t)
	asked := l.says(t, "remind me: dinner reservation at Luigi's in 4 hours")
	l.says(t, "hello")
	l.clock.Advance(4 * time.Hour)
	l.falls(t)
	l.says(t, "thank you")
	if told := l.told(t); len(told) != 4 || !strings.Contains(told[2], "Luigi") {
		t.Fatalf("told was %q", told)
	}
	if out := otherwise(t, l, player.Change{}, player.Scope{}); len(out.Outcomes) > 0 || out.Traces != 4 {
		t.Errorf("nothing changed: %+v", out)
	}
	out := otherwise(t, l, player.Change{Edits: []player.Edit{{ID: asked.ID, Field: "text", Value: "remind me: dinner reservation at Mario's in 2 hours"}}}, player.Scope{})
	if len(out.Outcomes) != 4 { // "hello" is answered with what is in mind
		t.Fatalf("two hours: %+v", out)
	}
	answered, gone, early := out.Outcomes[0], out.Outcomes[3], out.Outcomes[2]
	if gone.Replayed.Outcome != domain.EndingNone {
		gone, early = early, gone
	}
	if answered.Trace != asked || gone.Recorded.Outcome != domain.OutcomeSurfaced || gone.Replayed.Outcome != domain.EndingNone {
		t.Errorf("two hours: %+v", out)
	}
	if words := early.Sentences(time.UTC); len(words) != 1 || !strings.HasPrefix(words[0], "Would have told you at 14:00 on 1 January 2026: ") || !strings.Contains(words[0], "Mario") {
		t.Errorf("it says %q of %+v", words, early)
	}
	// Without the wish nothing falls due.
	if out := otherwise(t, l, player.Change{Without: []domain.ID{asked.ID}}, player.Scope{}); len(out.Outcomes) < 2 || out.Outcomes[len(out.Outcomes)-1].Replayed.Outcome != domain.EndingNone {
		t.Errorf("without the wish: %+v", out)
	}
}

// priced chooses a mind in the file of models, as a person does, at 2 dollars for a
// million tokens in and 10 for a million out.
func (m *mind) priced(data string) {
	m.t.Helper()
	if err := os.MkdirAll(data, 0o700); err != nil {
		m.t.Fatal(err)
	}
	file := fmt.Sprintf(`{"models":[{"model":"openai:scripted@%s/v1","key":"sk-notakey","input_price":2,"output_price":10}]}`, m.server.URL)
	if err := os.WriteFile(filepath.Join(data, models.FileName), []byte(file), 0o600); err != nil {
		m.t.Fatal(err)
	}
}

// secondThoughts is another answer to everything than counting gives.
func secondThoughts(q question) thought {
	switch {
	case q.cycle:
		return thought{text: nothingFound}
	case q.message != "count to 3":
		return thought{text: "I know what you mean."}
	case len(q.results) == 0:
		return thought{calls: []calling{{"count", `{"to":4}`}}}
	}
	return thought{text: "It came to nothing."}
}

// fails runs a command that must end with an exit code, and returns what it says.
func (v *victim) fails(code int, args ...string) string {
	v.t.Helper()
	cmd := exec.CommandContext(v.t.Context(), "chalie", append(args, "--data", v.data)...)
	cmd.Env = v.cmd.Env
	out, err := cmd.CombinedOutput()
	if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != code {
		v.t.Errorf("chalie %s: %v, want exit code %d\n%s", strings.Join(args, " "), err, code, out)
	}
	return string(out)
}

// TestWhatIfReallyAsks lets a model on the network answer in place of what was
// answered: it is asked, its tools aren't called, nothing is written, and what it took
// is told. What can't be asked ends it, in words.
func TestWhatIfReallyAsks(t *testing.T) {
	r := newReader(t)
	model := startMind(t, counting)
	data := filepath.Join(t.TempDir(), "data")
	model.priced(data)
	v := startVictim(t, data)
	v.ready()
	p := startProgram(t, "abacus")
	v.pair(p)
	v.chalie("say", "how is it?")
	v.chalie("say", "count to 3")
	before := len(model.questions())
	if p.times("/execute") != 1 || before != 3 {
		t.Fatalf("the tool was called %d times, and the model %d", p.times("/execute"), before)
	}
	tail := len(v.records())

	model.says(secondThoughts)
	var out api.WhatIf
	if err := json.Unmarshal([]byte(v.chalie("replay", "--all", "--model", "openai/scripted", "--json")), &out); err != nil {
		t.Fatal(err)
	}
	if out.Traces != 2 || len(out.Outcomes) != 2 || out.Outcomes[0].Recorded.Text != "I don't know what you mean." || out.Outcomes[0].Replayed.Text != "I know what you mean." {
		t.Fatalf("it would have been %+v", out)
	}
	if second := out.Outcomes[1]; second.Replayed.Text != "It came to nothing." || !strings.Contains(strings.Join(second.Sentences, "\n"), `count`) {
		t.Errorf("the count would have been %+v", second)
	}
	// Three questions of 12 tokens in and 3 out: 36 × 2 + 9 × 10 millionths.
	want := player.Asked{Model: "openai/scripted", Questions: 3, Usage: domain.Usage{InputTokens: 36, OutputTokens: 9, CostMicros: 162}}
	if out.Asked == nil || *out.Asked != want {
		t.Errorf("asked was %+v, want %+v", out.Asked, want)
	}
	if told := v.chalie("replay", "--all", "--model", "openai/scripted"); !strings.Contains(told, "Asked openai/scripted 3 questions: 36 tokens in, 9 out, $0.000162.") || !strings.Contains(told, "I know what you mean.") {
		t.Errorf("it tells\n%s", told)
	}
	if asked := len(model.questions()); asked != before+6 {
		t.Errorf("the model was asked %d questions, want %d", asked-before, 6)
	}
	if told := v.fails(exitUsage, "replay", "--all", "--model", "openai/none"); !strings.Contains(told, `there is no model "openai/none" here: give one of openai/scripted, builtin/`) {
		t.Errorf("of an unknown model it tells\n%s", told)
	}
	v.interrupts(model)
	model.says(func(q question) thought {
		if q.message == "count to 3" {
			return thought{locked: true}
		}
		return secondThoughts(q)
	})
	told := strings.Join(strings.Fields(v.fails(exitFailed, "replay", "--all", "--model", "openai/scripted")), " ")
	if !strings.Contains(told, "nobody can tell what would have come: openai/scripted does not accept its key") || !strings.Contains(told, "after it had answered 1 question") || strings.Contains(told, "notakey") {
		t.Errorf("where it fails it tells\n%s", told)
	}
	if p.times("/execute") != 1 || len(v.records()) != tail {
		t.Errorf("the tool was called %d times, and the log has %d records, had %d", p.times("/execute"), len(v.records()), tail)
	}
	model.says(secondThoughts)
	r.asks(v, model)
	v.stop()
}

// interrupts a what-if while its model is asked: it says so, and the program stops
// asking.
func (v *victim) interrupts(model *mind) {
	v.t.Helper()
	begun, given := make(chan struct{}), make(chan struct{})
	model.says(func(q question) thought {
		close(begun)
		<-q.Context().Done()
		close(given)
		return thought{}
	})
	cmd := exec.CommandContext(v.t.Context(), "chalie", "replay", "--all", "--model", "openai/scripted", "--data", v.data)
	cmd.Env = v.cmd.Env
	var told strings.Builder
	cmd.Stderr = &told
	if err := cmd.Start(); err != nil {
		v.t.Fatal(err)
	}
	<-begun
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		v.t.Fatal(err)
	}
	err := cmd.Wait()
	if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != exitInterrupted || !strings.Contains(told.String(), "the replay was interrupted") || !strings.Contains(told.String(), "nothing was changed") {
		v.t.Errorf("interrupted it ends with %v and tells %s", err, told.String())
	}
	<-given
}

// asks fills in the form: what it says of money stands there before anybody
// is asked, also when the address has the whole question.
func (r *reader) asks(v *victim, model *mind) {
	t := r.t
	t.Helper()
	r.setsUp(v)
	before := len(model.questions())
	r.does(chromedp.Navigate(v.address + "/what-if?model=openai%2Fscripted"))
	r.sees("[data-part=model] .alert", "it may cost money")
	r.sees("[data-part=model] select", "openai/scripted")
	if asked := len(model.questions()); asked != before {
		t.Errorf("the model was asked %d times before anybody pressed anything", asked-before)
	}
	r.presses("#ask")
	r.sees("#answer", "If openai/scripted had answered")
	r.sees("#answer", "openai/scripted was asked 3 questions: 36 tokens in, 9 out, $0.000162.")
	r.sees(".end", "I know what you mean.")
	r.keeps("whatif-asked")
	model.says(func(question) thought { return thought{locked: true} })
	r.forgives("status of 503")
	r.forgives("was answered 503")
	r.presses("#ask")
	r.sees("#refused", "openai/scripted does not accept its key")
	r.complaints()
}
