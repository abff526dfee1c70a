package web

import (
	"cmp"
	"encoding/json"
	"net/url"
	"strings"

	"chalie/adapters/api"
	"chalie/domain"
	"chalie/replay/narrate"
)

// proposal is a proposal that waits for the person, or waited.
type proposal struct{ api.Proposal }

// decided is a proposal that was decided.
type decided struct{ api.Decided }

type approvalsPage struct {
	past
	Open    []proposal
	Decided []decided
	Next    domain.Position
	Begins  bool
}

// Older is the address of earlier proposals.
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

// fillApprovals requests the waiting and the decided proposals at the page's moment.
func (v *visit) fillApprovals(page *approvalsPage) error {
	var open struct {
		Approvals []proposal `json:"approvals"`
	}
	if err := v.askThen(&page.past, "/api/approvals", nil, &open); err != nil || page.Pending {
		return err
	}
	page.Open = open.Approvals
	query := url.Values{}
	before := v.r.URL.Query().Get("before")
	if page.Begins = before == ""; !page.Begins {
		query.Set("before", before)
	}
	var known struct {
		api.DecidedPage
		Approvals []decided `json:"approvals"`
	}
	err := v.askThen(&page.past, "/api/approvals/decided", query, &known)
	page.Decided, page.Next = known.Approvals, known.Next
	return err
}

// Asks names its actor and channel.
func (p proposal) Asks() string { return asks(cmp.Or(p.ActorName, p.Actor), p.Channel) }

// Asks names its actor and channel.
func (d decided) Asks() string { return asks(cmp.Or(d.ActorName, d.Actor), d.Channel) }

func asks(actor, channel string) string {
	who := narrate.Actor(actor)
	if channel == "" {
		return who
	}
	return who + " " + narrate.Channel(channel)
}

// argument is an argument of a tool's call.
type argument struct{ Name, Value string }

// With are the arguments, by name.
func (p proposal) With() []argument {
	var params map[string]json.RawMessage
	if json.Unmarshal(p.Params, &params) != nil {
		return nil
	}
	var out []argument
	for _, name := range sortedKeys(params) {
		out = append(out, argument{domain.ShownText(name), argumentText(params[name])})
	}
	return out
}

// argumentText is a text as it reads, line by line, and anything else in words.
func argumentText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		lines := strings.Split(text, "\n")
		for i, line := range lines {
			lines[i] = domain.ShownText(line)
		}
		return strings.Join(lines, "\n")
	}
	return domain.ShownParam(raw)
}

// Answer is the decision in words.
func (d decided) Answer() string {
	switch d.Decision {
	case "granted":
		return "Approved"
	case "refused":
		if d.Correlator == domain.ByCancel {
			return "Cancelled"
		}
		return "Refused"
	}
	return "Nobody answered in time"
}

// Way tells how it was decided.
func (d decided) Way() string {
	if d.Decision == "expired" || d.DecidedBy == "" {
		return ""
	}
	by := "by " + narrate.Actor(d.DecidedBy)
	switch d.Correlator {
	case domain.ByReply:
		return by + ", in a reply"
	case domain.ByReaction:
		return by + ", by a reaction"
	case domain.ByPlainText:
		return by + ", by a yes or no in the conversation"
	case domain.ByButton:
		return by + ", by a button in the conversation"
	case domain.ByForm:
		return by + ", in a form of the program that asked"
	case domain.ByCancel:
		return "since what it was for was cancelled"
	case domain.ByRevocation:
		return "since the program that asked was shut out"
	case domain.ByRemoval:
		return "since the interface that asked or was to do it was removed"
	}
	if d.DecidedThrough == "" {
		return by
	}
	return by + ", " + narrate.Channel(d.DecidedThrough)
}

// Result is the call's outcome in words.
func (d decided) Result() string {
	switch d.CameTo {
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
