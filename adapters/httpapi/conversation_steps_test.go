package httpapi_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"chalie/domain"
)

// way is how an answer came about, as a client reads it.
type way struct {
	said
	Kind, Stage string
	MoreSteps   bool            `json:"more_steps"`
	NextSteps   domain.Position `json:"next_steps"`
	Steps       []struct {
		Type, Text string
		ToolName   string `json:"tool_name"`
		Seq        domain.Seq
		Approval   *struct {
			Tool, Interface, State string
			Params                 map[string]any
			InvocationID           string `json:"invocation_id"`
			Withdrawn              bool
			ProposalToken          string `json:"proposal_token"`
		}
	}
}

// steps are how an exchange came about: in the conversation, and by itself.
func (b *bench) steps(id domain.ID) (out way) {
	b.t.Helper()
	var all struct{ Exchanges []way }
	b.socket("GET", "/conversation/recent?steps=true", "").wants(200).read(&all)
	b.socket("GET", "/api/exchanges/"+id.UUID(), "").wants(200).read(&out)
	for _, e := range all.Exchanges {
		if e.ID == id.UUID() {
			if fmt.Sprintf("%+v", e.tale()) != fmt.Sprintf("%+v", out.tale()) || e.Stage != out.Stage || e.Kind != out.Kind {
				b.t.Errorf("the conversation says %+v, and the exchange %+v", e, out)
			}
			return out
		}
	}
	return out
}

func (w way) tale() (out []string) {
	for _, s := range w.Steps {
		line := s.Type + " " + s.Text + s.ToolName
		if a := s.Approval; a != nil {
			line += fmt.Sprintf("%s of %s %v: %s %v", a.Tool, a.Interface, a.Params, a.State, a.ProposalToken != "")
		}
		out = append(out, strings.TrimSpace(line))
	}
	return out
}

func TestWayToAnAnswer(t *testing.T) {
	b := newBench(t, settings{})
	b.paired("Hospital", 9001, "[]")
	b.socket("PUT", "/api/policy", asks).wants(200)
	asked := b.says("cancel my appointment")
	if got := b.steps(asked.ID); got.Stage != "processing" || got.Kind != "" || len(got.Steps) != 0 {
		t.Errorf("at first: %+v", got)
	}
	started := next(b, asked, domain.ReasoningStarted{})
	called := next(b, started, domain.ModelCalled{})
	reply := next(b, called, domain.ModelReplied{ToolCalls: []domain.ToolCall{{Tool: "Hospital.cancel_appointment"}}})
	reply.Keys = []domain.Key{domain.ActsKey(1)}
	b.append(domain.TopicReasoning, started, called, reply)
	b.append(domain.TopicMessages, next(b, asked, domain.SteerReceived{Text: "the one on Monday"}))
	b.socket("POST", cancel, `{"params":{"id":"7"},"parent_id":"`+reply.ID.String()+`"}`).wants(202)
	before := b.records(domain.TopicAll)
	want := []string{"narration Using Hospital.cancel_appointment", "steer the one on Monday", "approval cancel_appointment of Hospital map[id:7]: waiting true"}
	got := b.steps(asked.ID)
	if got.Stage != "thinking" || !slices.Equal(got.tale(), want) {
		t.Errorf("while it waits: %s %q, want %q", got.Stage, got.tale(), want)
	}
	b.socket("GET", "/api/approvals", "").wants(200, `"tool":"cancel_appointment","interface":"Hospital","params":{"id":"7"}`)

	b.socket("POST", "/api/approvals/"+got.Steps[2].Approval.ProposalToken, `{"decision":"refuse"}`).wants(200)
	b.append(domain.TopicMessages, next(b, asked, domain.CancelReceived{}))
	b.ends(asked, domain.ReasoningConcluded{Outcome: domain.OutcomeCancelled, Shown: domain.ShownMessage, Blocks: []domain.Block{domain.TextBlock("Stopped.", domain.FormatPlain)}})
	want[2] = strings.Replace(want[2], "waiting true", "refused false", 1)
	want = append(want, "cancel")
	if got := b.steps(asked.ID); got.Stage != "" || got.Kind != "message" || !slices.Equal(got.tale(), want) || texts([]said{got.said})[0] != "cancel my appointment Stopped." {
		t.Errorf("in the end: %+v, want %q", got, want)
	}

	// As it was then, nothing can be decided.
	var then struct{ Exchanges []way }
	at := fmt.Sprintf("pos:%d", before[len(before)-1].Position)
	b.socket("GET", "/conversation/recent?steps=true&at="+url.QueryEscape(at), "").wants(200).read(&then)
	want = []string{want[0], want[1], strings.Replace(want[2], "refused", "waiting", 1)}
	if len(then.Exchanges) != 1 || !slices.Equal(then.Exchanges[0].tale(), want) {
		t.Errorf("then: %+v, want %q", then, want)
	}
}

// An exchange from far back, and one that is no part of the conversation, are found.
func TestOneExchange(t *testing.T) {
	b := newBench(t, settings{})
	first := b.says("the first")
	b.answers(first, domain.ShownMessage, "an answer", "t")
	for range 100 {
		b.says("another")
	}
	if got := b.steps(first.ID); got.Prompt != "the first" || got.Kind != "message" || domain.PlainText(got.Blocks) != "an answer" {
		t.Errorf("the first is %+v", got)
	}
	heard := next(b, first, domain.MessageReceived{Text: "the server is down", ImageIDs: []domain.ID{}})
	heard.ID = b.ids.NewID()
	heard.Trace.ID, heard.Parent, heard.Principal, heard.Source = heard.ID, domain.ID{}, "monitor", "monitor"
	b.append(domain.TopicMessages, heard)
	if got := b.steps(heard.ID); got.Prompt != "" || got.Kind != "" {
		t.Errorf("what an interface said is %+v", got)
	}
	b.answers(heard, domain.ShownEscalation, "a server of yours is down", "work")
	if got := b.steps(heard.ID); got.Kind != "escalation" || domain.PlainText(got.Blocks) != "a server of yours is down" {
		t.Errorf("what Chalie made of it is %+v", got)
	}
	b.socket("GET", "/api/exchanges/"+b.ids.NewID().UUID(), "").wants(404, "no_exchange")
	b.socket("GET", "/api/exchanges/x", "").wants(400)
	b.socket("GET", "/conversation/recent?steps=perhaps", "").wants(400, "steps")
}

// What was stopped while it waited for approval was not refused by an answer to it.
func TestWithdrawnApproval(t *testing.T) {
	for by, want := range map[domain.Correlator]bool{domain.ByCancel: true, domain.ByApprovalToken: false} {
		b := newBench(t, settings{})
		b.paired("Hospital", 9001, "[]")
		b.socket("PUT", "/api/policy", asks).wants(200)
		asked := b.says("cancel my appointment")
		reply := next(b, asked, domain.ModelReplied{})
		b.append(domain.TopicReasoning, reply)
		b.socket("POST", cancel, `{"params":{"id":"7"},"parent_id":"`+reply.ID.String()+`"}`).wants(202)
		id, err := domain.ParseID(b.steps(asked.ID).Steps[0].Approval.InvocationID)
		if err != nil {
			t.Fatal(err)
		}
		no := next(b, reply, domain.ApprovalRefused{InvocationID: id, Actor: domain.ActorOperator, Channel: "api", Correlator: by})
		no.Keys = []domain.Key{domain.InvocationKey(id)}
		b.append(domain.TopicPolicy, no)
		if a := b.steps(asked.ID).Steps[0].Approval; a.State != "refused" || a.Withdrawn != want {
			t.Errorf("refused by %s it is %+v", by, a)
		}
	}
}

// Steps with long texts are shown some mebibytes at a time, all of them once.
func TestLargeSteps(t *testing.T) {
	b := newBench(t, settings{})
	asked := b.says("go on and on")
	long := strings.Repeat("w", 60<<10)
	for i := range 100 {
		b.append(domain.TopicMessages, next(b, asked, domain.SteerReceived{Text: fmt.Sprint(i, " ", long)}))
	}
	n, parts := 0, 0
	for from := domain.Position(1); from != 0; parts++ {
		answer := b.socket("GET", fmt.Sprintf("/api/exchanges/%s?from=%d", asked.ID.UUID(), from), "").wants(200)
		if len(answer.body) > 3<<20 {
			t.Fatalf("from %d the answer takes %d KiB", from, len(answer.body)>>10)
		}
		var part way
		answer.read(&part)
		for _, s := range part.Steps {
			if s.Type != "steer" || !strings.HasPrefix(s.Text, fmt.Sprint(n, " ")) {
				t.Fatalf("step %d is a %s, %.20q", n, s.Type, s.Text)
			}
			n++
		}
		if part.MoreSteps != (part.NextSteps != 0) || part.NextSteps != 0 && part.NextSteps <= from {
			t.Fatalf("from %d: more is %v at %d", from, part.MoreSteps, part.NextSteps)
		}
		from = part.NextSteps
	}
	if n != 100 || parts < 3 {
		t.Errorf("%d steps in %d parts", n, parts)
	}
}

// A long trace is shown a part at a time, and what waits in it is shown at once.
func TestManySteps(t *testing.T) {
	b := newBench(t, settings{})
	b.paired("Hospital", 9001, "[]")
	b.socket("PUT", "/api/policy", asks).wants(200)
	asked := b.says("go on and on")
	ask := func(id string) {
		reply := next(b, asked, domain.ModelReplied{})
		b.append(domain.TopicReasoning, reply)
		b.socket("POST", cancel, `{"params":{"id":"`+id+`"},"parent_id":"`+reply.ID.String()+`"}`).wants(202)
	}
	ask("early")
	for i := range 450 {
		b.append(domain.TopicMessages, next(b, asked, domain.SteerReceived{Text: fmt.Sprint(i)}))
	}
	ask("late")
	waits := func(w way) (out []string) {
		for _, s := range w.Steps {
			if s.Approval != nil {
				out = append(out, fmt.Sprint(s.Approval.Params["id"], " ", s.Approval.State, " ", s.Approval.ProposalToken != ""))
			}
		}
		return out
	}
	first := b.steps(asked.ID)
	if want := []string{"early waiting true", "late waiting true"}; !first.MoreSteps || first.NextSteps == 0 || !slices.Equal(waits(first), want) {
		t.Fatalf("at first %q, more: %v at %d", waits(first), first.MoreSteps, first.NextSteps)
	}
	b.socket("POST", "/api/approvals/"+first.Steps[0].Approval.ProposalToken, `{"decision":"refuse"}`).wants(200)

	var steers []string
	seen := map[domain.Seq]string{}
	parts := 0
	for from := domain.Position(1); from != 0; parts++ {
		var part way
		b.socket("GET", fmt.Sprintf("/api/exchanges/%s?from=%d", asked.ID.UUID(), from), "").wants(200).read(&part)
		if part.MoreSteps != (part.NextSteps != 0) || part.NextSteps != 0 && part.NextSteps <= from || len(part.Steps) > 202 {
			t.Fatalf("from %d: %d steps, more: %v at %d", from, len(part.Steps), part.MoreSteps, part.NextSteps)
		}
		if got := waits(part); from == 1 && !slices.Equal(got, []string{"early refused false", "late waiting true"}) {
			t.Errorf("after the decision %q", got)
		}
		if part.Stage != "responding" {
			t.Errorf("from %d the stage is %q", from, part.Stage)
		}
		for i, s := range part.Steps {
			if i > 0 && s.Seq <= part.Steps[i-1].Seq {
				t.Errorf("step %d comes after %d", s.Seq, part.Steps[i-1].Seq)
			}
			if s.Type == "steer" {
				steers = append(steers, s.Text)
			}
			if told, again := seen[s.Seq]; again && (told != s.Type || s.Type != "approval") {
				t.Errorf("%d is told as %s and as %s", s.Seq, told, s.Type)
			}
			seen[s.Seq] = s.Type
		}
		from = part.NextSteps
	}
	if parts < 3 || len(steers) != 450 {
		t.Errorf("%d parts, %d steers", parts, len(steers))
	}
	for i, text := range steers {
		if text != fmt.Sprint(i) {
			t.Fatalf("steer %d is %q", i, text)
		}
	}
	for _, from := range []string{"0", "x", "-1"} {
		b.socket("GET", "/api/exchanges/"+asked.ID.UUID()+"?from="+from, "").wants(400, "from")
	}
}
