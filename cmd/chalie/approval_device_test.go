package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"chalie/domain"
	"chalie/domain/domaintest"
)

// counting is a model that has a tool count as far as it is told to, and says what
// came of it.
func counting(q question) thought {
	to, wanted := strings.CutPrefix(q.message, "count to ")
	switch {
	case q.cycle:
		return thought{text: nothingFound}
	case !wanted:
		return thought{text: "I don't know what you mean."}
	case len(q.results) == 0:
		return thought{calls: []calling{{"count", `{"to":` + to + `}`}}}
	}
	return thought{text: "Counting came to " + q.results[0]}
}

// startAsking is a program whose tool waits for the person's approval.
func startAsking(t *testing.T) (*victim, *program, []*device) {
	t.Helper()
	model := startMind(t, counting)
	v := startVictim(t, filepath.Join(t.TempDir(), "data"), model.flags()...)
	v.ready()
	p := startProgram(t, "abacus")
	v.pair(p)
	v.chalie("tool", "trust", "count", "--requires-approval")
	return v, p, v.listening(register(t, v.setup), 2)
}

// asks has both devices hear that something waits for approval.
func asks(t *testing.T, devices []*device, text string) proposed {
	t.Helper()
	devices[0].tells(text)
	first := devices[0].hears("escalation").wire
	for i, d := range devices[1:] {
		if other := d.hears("escalation").wire; other != first {
			t.Errorf("device %d is asked %s, and the first %s", i+1, other, first)
		}
	}
	out := read[proposed](t, first)
	out.wire = first
	return out
}

// proposed is an escalation that asks for approval.
type proposed struct {
	Token        string        `json:"proposal_token"`
	Summary      string        `json:"summary"`
	Actor        string        `json:"actor"`
	Channel      string        `json:"channel"`
	ExchangeID   domain.ID     `json:"exchange_id"`
	TraceID      domain.ID     `json:"trace_id"`
	InvocationID domain.ID     `json:"invocation_id"`
	ExpiresAt    domain.Millis `json:"expires_at"`

	wire string
}

func TestApprovalByDevice(t *testing.T) {
	t.Parallel()
	v, p, devices := startAsking(t)
	asked := asks(t, devices, "count to 7")
	checkProposal(t, v, asked)
	waits := []domain.EventType{"tool.invoked", "policy.decided", "approval.proposed"}
	undone := func(when string) {
		t.Helper()
		tools := slices.DeleteFunc(v.types(domain.TopicTools), func(e domain.EventType) bool { return e == "approval.attempt_refused" })
		if !slices.Equal(tools, waits) || p.times("/execute") > 0 {
			t.Fatalf("%s there was done %q, and the tool was called %d times", when, tools, p.times("/execute"))
		}
	}
	undone("before anybody decided")

	// A program is not the person, even one that learnt the token.
	way := "/api/approvals/" + asked.Token
	v.wants(http.StatusForbidden, http.MethodPost, way, `{"decision":"grant"}`, "Authorization: Bearer "+v.issueToken())
	v.wants(http.StatusUnauthorized, http.MethodPost, way, `{"decision":"grant"}`)
	refusals(t, v, "another_actor")
	undone("after a program tried")

	// Any device of the person's decides, and everybody gets the answer.
	reply := fmt.Sprintf(`{"type":"chat","text":"yes","reply_to_proposal_token":%q}`, asked.Token)
	devices[1].tells(reply)
	for i, d := range devices {
		answers := map[domain.ID]string{}
		for range 2 {
			m := d.hears("message")
			answers[m.ExchangeID] = domain.PlainText(m.Blocks)
			d.hears("done")
		}
		if !strings.HasPrefix(answers[asked.ExchangeID], "Counting came to ") || !strings.Contains(answers[asked.ExchangeID], "done") {
			t.Errorf("device %d gets for an answer %q", i, answers)
		}
		delete(answers, asked.ExchangeID)
		if said := slices.Collect(maps.Values(answers)); len(said) != 1 || !strings.HasPrefix(said[0], "Approved: count of abacus") {
			t.Errorf("device %d gets to its yes %q", i, said)
		}
	}
	done := slices.Concat(waits, []domain.EventType{"approval.granted", "tool.dispatched", "tool.completed"})

	// It was used.
	v.wants(http.StatusConflict, http.MethodPost, "socket:"+way, `{"decision":"refuse"}`)
	devices[0].tells(reply)
	if m := devices[0].hears("message"); !strings.Contains(domain.PlainText(m.Blocks), "decided before") {
		t.Errorf("a second yes is answered %q", domain.PlainText(m.Blocks))
	}
	refusals(t, v, "another_actor", "token_used", "token_used")
	tools := slices.DeleteFunc(v.types(domain.TopicTools), func(e domain.EventType) bool { return e == "approval.attempt_refused" })
	if !slices.Equal(tools, done) || p.times("/execute") != 1 {
		t.Errorf("in the end there was done %q, and the tool was called %d times", tools, p.times("/execute"))
	}
	v.stop()
}

// checkProposal holds what a device is asked to what it may hold, and to the list.
func checkProposal(t *testing.T, v *victim, asked proposed) {
	t.Helper()
	want := []string{
		"action", "actor", "blocks", "capability_id", "capability_version", "channel", "content", "epoch", "exchange_id", "expires_at",
		"invocation_id", "proposal_token", "seq", "summary", "topic", "trace_id", "type",
	}
	fields := read[map[string]json.RawMessage](t, asked.wire)
	if got := slices.Sorted(maps.Keys(fields)); !slices.Equal(got, want) {
		t.Errorf("it has the fields %q", got)
	}
	if got, want := string(fields["action"]), `{"method":"POST","url":"/api/approvals/`+asked.Token+`","decisions":["grant","refuse"]}`; got != want {
		t.Errorf("its action is %s, want %s", got, want)
	}
	if asked.Token == "" || asked.Actor != "operator" || asked.Channel != "chat" || asked.TraceID != asked.ExchangeID || !strings.Contains(asked.Summary, " with to: 7") {
		t.Errorf("it is %s", asked.wire)
	}
	listed := read[struct{ Approvals []map[string]json.RawMessage }](t, v.wants(http.StatusOK, http.MethodGet, "socket:/api/approvals", "")).Approvals
	if len(listed) != 1 {
		t.Fatalf("there are listed %d", len(listed))
	}
	// What the summary says in words the list has by itself, too.
	for name, want := range map[string]string{
		"tool": `"count"`, "interface": `"abacus"`, "description": `"Counts"`, "params": `{"to":7}`, "foreign_words": "[]", "carries_private_words": "false",
	} {
		if got := string(listed[0][name]); got != want {
			t.Errorf("its %s is listed as %s, want %s", name, got, want)
		}
		delete(listed[0], name)
	}
	for name, value := range listed[0] {
		if string(fields[name]) != string(value) {
			t.Errorf("%s is listed as %s, and the device was told %s", name, value, fields[name])
		}
	}
	if found := standingIn(t, v.data, []string{asked.Token, "abacus"}); !slices.Equal(found, []string{"abacus"}) {
		t.Errorf("the data directory holds %q", found)
	}
}

// refusals expects the attempts that were refused, in order.
func refusals(t *testing.T, v *victim, want ...domain.Code) {
	t.Helper()
	var got []domain.Code
	for _, rec := range v.awaits("approval.attempt_refused", len(want)) {
		got = append(got, decode[domain.AttemptRefused](t, rec.Envelope).Reason)
	}
	if !slices.Equal(got, want) {
		t.Errorf("refused were attempts by %q, want %q", got, want)
	}
}

// While two wait, a plain yes is no answer: it is asked back which.
func TestPlainYesToTwo(t *testing.T) {
	t.Parallel()
	v, p, devices := startAsking(t)
	one, other := asks(t, devices, "count to 8"), asks(t, devices, "count to 9")
	d := devices[0]
	d.tells("yes")
	if m := domain.PlainText(d.hears("message").Blocks); !strings.Contains(m, one.Summary) || !strings.Contains(m, other.Summary) || !strings.Contains(m, "?") {
		t.Errorf("a plain yes is answered %q", m)
	}
	d.hears("done")
	if n := len(v.types(domain.TopicTools)); n != 6 || p.times("/execute") > 0 {
		t.Fatalf("it did something: %q", v.types(domain.TopicTools))
	}

	// One that is decided where it is shown leaves one. What came of it was told last, so a
	// plain no is an answer once it was asked again.
	v.wants(http.StatusOK, http.MethodPost, "socket:/api/approvals/"+one.Token, `{"decision":"grant"}`)
	if m := d.hears("message"); m.ExchangeID != one.ExchangeID {
		t.Errorf("granting the first is followed by %+v", m)
	}
	d.hears("done")
	d.tells("no")
	if m := domain.PlainText(d.hears("message").Blocks); !strings.Contains(m, other.Summary) || strings.Contains(m, one.Summary) {
		t.Errorf("a plain no is answered %q", m)
	}
	d.hears("done")
	d.tells("no")
	said := map[domain.ID]string{}
	for range 2 {
		m := d.hears("message")
		said[m.ExchangeID] = domain.PlainText(m.Blocks)
		d.hears("done")
	}
	if !strings.Contains(said[other.ExchangeID], "the answer was no") {
		t.Errorf("refused, it is answered %q", said)
	}
	if failed := v.awaits("tool.failed", 1); len(failed) != 1 || failed[0].Envelope.Errors[0].Code != domain.CodeApprovalRefused || p.times("/execute") != 1 {
		t.Errorf("it ends as %+v, and the tool was called %d times", failed, p.times("/execute"))
	}
	v.stop()
}

// Of two that wait one is picked by where it stands in the list that was shown last.
func TestApprovedByItsPlace(t *testing.T) {
	t.Parallel()
	v, p, devices := startAsking(t)
	one, other := asks(t, devices, "count to 8"), asks(t, devices, "count to 9")
	d := devices[0]
	for _, order := range []string{"approve the second one", "yes"} { // there is no list yet, and then one
		d.tells(order)
		if m := domain.PlainText(d.hears("message").Blocks); !strings.HasPrefix(m, "Which one?") || strings.Index(m, one.Summary) > strings.Index(m, other.Summary) {
			t.Errorf("%q is answered %q", order, m)
		}
		d.hears("done")
	}
	d.tells("the second one")
	said := map[domain.ID]string{}
	for range 2 {
		m := d.hears("message")
		said[m.ExchangeID] = domain.PlainText(m.Blocks)
		d.hears("done")
	}
	if !strings.HasPrefix(said[other.ExchangeID], "Counting came to ") || said[one.ExchangeID] != "" || p.times("/execute") != 1 {
		t.Errorf("picked, it is answered %q, and the tool was called %d times", said, p.times("/execute"))
	}
	v.stop()
}

// A proposal that nobody decided in time is over, whoever comes too late.
func TestApprovalExpires(t *testing.T) {
	t.Parallel()
	clock := domaintest.NewClock()
	s := begin(t, filepath.Join(t.TempDir(), "data"), clock, 0)
	v := &victim{t: t, data: s.data, address: "http://" + s.app.Addr(), api: s.api}
	p := startProgram(t, "abacus")
	v.pair(p)
	token := "Authorization: Bearer " + v.issueToken()
	want := func(status int, method, path, body string, headers ...string) {
		v.wants(status, method, path, body, headers...)
	}
	want(http.StatusAccepted, http.MethodPost, "/api/tools/count/invoke", `{"params":{}}`, token)
	listed := read[struct{ Approvals []proposed }](t, v.wants(http.StatusOK, http.MethodGet, "socket:/api/approvals", "")).Approvals
	if len(listed) != 1 || listed[0].ExpiresAt.Sub(domain.MillisOf(clock.Now())) != 15*time.Minute {
		t.Fatalf("there waits %+v", listed)
	}
	clock.Advance(15 * time.Minute)
	if none := v.wants(http.StatusOK, http.MethodGet, "socket:/api/approvals", ""); none != `{"approvals":[]}` {
		t.Errorf("what can't be granted any more is listed: %s", none)
	}
	for range 2 {
		want(http.StatusConflict, http.MethodPost, "socket:/api/approvals/"+listed[0].Token, `{"decision":"grant"}`)
	}
	refusals(t, v, "token_expired", "token_expired")
	ends := []domain.EventType{"tool.invoked", "policy.decided", "approval.proposed", "approval.expired", "tool.failed", "approval.attempt_refused", "approval.attempt_refused"}
	if types := v.types(domain.TopicTools); !slices.Equal(types, ends) || p.times("/execute") > 0 {
		t.Errorf("there was done %q, and the tool was called %d times", types, p.times("/execute"))
	}
	s.stop()
}
