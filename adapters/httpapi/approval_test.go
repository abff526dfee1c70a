package httpapi_test

import (
	"strings"
	"testing"
)

const asks = `{"autonomy":"supervised","max_depth":4,"approval_minutes":15,"rules":[{"name":"ask","verdict":"approval_required"}]}`

type pendingList struct {
	Approvals []struct {
		ProposalToken string `json:"proposal_token"`
		InvocationID  string `json:"invocation_id"`
		Summary       string `json:"summary"`
	} `json:"approvals"`
}

func (b *bench) pending() (out pendingList) {
	b.t.Helper()
	b.socket("GET", "/api/approvals", "").wants(200).read(&out)
	return out
}

func TestApprovals(t *testing.T) {
	b := newBench(t, settings{})
	b.paired("Hospital", 9001, "[]")
	b.socket("GET", "/api/approvals", "").wants(200, `{"approvals":[]}`)
	b.socket("PUT", "/api/policy", asks).wants(200)
	for range 2 {
		b.socket("POST", cancel, `{"params":{"id":"7"}}`).wants(202, `"invocation_id":"0`, `"approval":"pending"`, `"expires_at":1`)
	}
	pending := b.pending()
	if len(pending.Approvals) != 2 || pending.Approvals[0].Summary != `cancel_appointment of Hospital with id: "7"` {
		t.Fatalf("pending %+v", pending)
	}
	// What waits is told beside every answer to the person, and to nobody else.
	b.socket("GET", "/api/approvals", "").wants(200, `"description":"Cancels an appointment."`)
	if waiting := b.socket("GET", "/api/world", "").wants(200).header.Get("Chalie-Approvals-Waiting"); waiting != "2" {
		t.Errorf("%q are said to wait, want 2", waiting)
	}
	for _, a := range []told{b.call("GET", "/auth/status", ""), b.call("GET", "/api/world", ""), b.socket("GET", "/health", "")} {
		if waiting, ok := a.header["Chalie-Approvals-Waiting"]; ok {
			t.Errorf("a stranger hears that %q wait", waiting)
		}
	}
	first, second := "/api/approvals/"+pending.Approvals[0].ProposalToken, "/api/approvals/"+pending.Approvals[1].ProposalToken
	b.socket("POST", first, `{"decision":"perhaps"}`).wants(400, "neither grant nor refuse")
	b.socket("POST", first, `{}`).wants(400)
	b.socket("POST", first, `{"decision":"grant"}`).wants(200, `"decision":"granted"`, pending.Approvals[0].InvocationID)
	b.socket("POST", first, `{"decision":"grant"}`).wants(409, `"code":"token_used"`)
	b.socket("POST", second, `{"decision":"refuse"}`).wants(200, `"decision":"refused"`)
	b.socket("POST", second, `{"decision":"grant"}`).wants(409, `"code":"token_used"`)
	b.socket("POST", "/api/approvals/apr_nothing", `{"decision":"grant"}`).wants(404, `"code":"no_proposal"`)
	b.call("POST", first, `{"decision":"grant"}`).wants(401)
	b.call("GET", "/api/approvals", "").wants(401)
	if waiting := b.socket("GET", "/api/approvals", "").wants(200, `{"approvals":[]}`).header.Get("Chalie-Approvals-Waiting"); waiting != "0" {
		t.Errorf("%q are said to wait, want none", waiting)
	}
	if len(b.far.calls) != 0 {
		t.Errorf("called %+v", b.far.calls)
	}
}

// What a token asks for waits for the person, and the token can't decide it.
func TestApprovalByToken(t *testing.T) {
	b := newBench(t, settings{})
	b.paired("Hospital", 9001, "[]")
	_, token := b.paired("Lab", 9002, "[]")
	b.call("POST", "/api/tools/Hospital.cancel_appointment/invoke", `{"params":{"id":"7"}}`, bearer(token)).wants(202, `"approval":"pending"`, `"text":"Nothing was sent yet: it waits until `, "chalie approvals", "don't ask for it again")
	pending := b.pending()
	if len(pending.Approvals) != 1 {
		t.Fatalf("pending %+v", pending)
	}
	b.call("POST", "/api/approvals/"+pending.Approvals[0].ProposalToken, `{"decision":"grant"}`, bearer(token)).wants(403, `"code":"another_actor"`)
	b.call("GET", "/api/approvals", "", bearer(token)).wants(403, "operator_only")
	b.call("POST", "/api/tools/Hospital.cancel_appointment/invoke", `{"params":{"id":"7"},"parent_id":"`+pending.Approvals[0].InvocationID+`"}`, bearer(token)).
		wants(202, `"approval":"pending"`)
	b.call("POST", "/api/tools/Hospital.cancel_appointment/invoke", `{"params":{"id":"7"},"parent_id":"x"}`, bearer(token)).wants(400, "parent_id")
	if len(b.far.calls) != 0 {
		t.Errorf("called %+v", b.far.calls)
	}
	if !strings.HasPrefix(pending.Approvals[0].ProposalToken, "apr_") {
		t.Errorf("pending %+v", pending)
	}
}
