package web

import (
	"bytes"
	"encoding/json"
	"net/url"

	"chalie/domain"
	"chalie/replay/narrate"
)

// proposal is what waits for the person, or waited, as GET /api/approvals and
// GET /api/approvals/decided have it.
type proposal struct {
	Token          string            `json:"proposal_token"`
	CapabilityID   string            `json:"capability_id"`
	Summary        string            `json:"summary"`
	Actor          string            `json:"actor"`
	Channel        string            `json:"channel"`
	TraceID        string            `json:"trace_id"`
	InvocationID   string            `json:"invocation_id"`
	ExpiresAt      domain.Millis     `json:"expires_at"`
	Tool           string            `json:"tool"`
	Interface      string            `json:"interface"`
	Does           string            `json:"description"`
	Params         json.RawMessage   `json:"params"`
	ForeignWords   []string          `json:"foreign_words"`
	Carries        bool              `json:"carries_private_words"`
	EnvelopeID     domain.ID         `json:"envelope_id"`
	ProposedAt     domain.Millis     `json:"proposed_at"`
	Decision       string            `json:"decision"`
	DecidedAt      domain.Millis     `json:"decided_at"`
	DecidedBy      string            `json:"decided_by"`
	DecidedThrough string            `json:"decided_through"`
	Correlator     domain.Correlator `json:"correlator"`
	CameTo         string            `json:"came_to"`
	EndedAt        domain.Millis     `json:"ended_at"`
	Detail         string            `json:"detail"`
}

type approvalsPage struct {
	past
	Open    []proposal
	Decided []proposal
	Next    domain.Position
	Begins  bool
}

// Older is the address of what was proposed before these.
func (p approvalsPage) Older() string { return p.alsoBefore(p.Next) }

// approvals is GET /system/approvals?before=&at=. With part=list it is only what changes.
func (v *visit) approvals() error {
	page := approvalsPage{past: past{Path: "/system/approvals", Of: "approvals", Heading: "Approvals"}}
	if err := v.lookBack(&page.past, func() error { return v.fillApprovals(&page) }); err != nil {
		return err
	}
	switch {
	case page.Then != nil:
		return v.showThen("system_approvals", &page.past, &page)
	case v.wantsPart("list"):
		return v.part("system_approvals", "list", page)
	}
	return v.systemPage("system_approvals", page.Heading, []string{"system_approvals.js"}, page)
}

// fillApprovals asks what waits and what was decided at the moment of a page.
func (v *visit) fillApprovals(page *approvalsPage) error {
	var known struct {
		Approvals []proposal      `json:"approvals"`
		Next      domain.Position `json:"next"`
	}
	if err := v.askThen(&page.past, "/api/approvals", nil, &known); err != nil || page.Pending {
		return err
	}
	page.Open, known.Approvals = known.Approvals, nil
	query := url.Values{}
	before := v.r.URL.Query().Get("before")
	if page.Begins = before == ""; !page.Begins {
		query.Set("before", before)
	}
	err := v.askThen(&page.past, "/api/approvals/decided", query, &known)
	page.Decided, page.Next = known.Approvals, known.Next
	return err
}

// Asks is who wants it, and through what.
func (p proposal) Asks() string {
	who := narrate.Actor(p.Actor)
	if p.Channel == "" {
		return who
	}
	return who + " " + narrate.Channel(p.Channel)
}

// argument is one of what a tool is to be called with.
type argument struct{ Name, Value string }

// With are the arguments, by name.
func (p proposal) With() []argument {
	var params map[string]json.RawMessage
	if json.Unmarshal(p.Params, &params) != nil {
		return nil
	}
	var out []argument
	for _, name := range sortedKeys(params) {
		out = append(out, argument{name, argumentText(params[name])})
	}
	return out
}

// argumentText is a text as it is, and anything else as JSON.
func argumentText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return string(raw)
	}
	return b.String()
}

// Answer is what was said to it, in words.
func (p proposal) Answer() string {
	switch p.Decision {
	case "granted":
		return "Approved"
	case "refused":
		if p.Correlator == domain.ByCancel {
			return "Cancelled"
		}
		return "Refused"
	}
	return "Nobody answered in time"
}

// Way is how the answer came.
func (p proposal) Way() string {
	if p.Decision == "expired" || p.DecidedBy == "" {
		return ""
	}
	by := "by " + narrate.Actor(p.DecidedBy)
	switch p.Correlator {
	case domain.ByReply:
		return by + ", in a reply"
	case domain.ByReaction:
		return by + ", by a reaction"
	case domain.ByPlainText:
		return by + ", by a yes or no in the conversation"
	case domain.ByCancel:
		return "since what it was for was cancelled"
	}
	if p.DecidedThrough == "" {
		return by
	}
	return by + ", " + narrate.Channel(p.DecidedThrough)
}

// Result is what came of it, in words.
func (p proposal) Result() string {
	switch p.CameTo {
	case "done":
		return "It was done."
	case "failed":
		return "It failed."
	case "unknown":
		return "Nobody knows what came of it."
	case "under_way":
		return "It is under way."
	}
	return "Nothing was done."
}
