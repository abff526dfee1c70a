package api

import (
	stdjson "encoding/json"

	"chalie/domain"
)

// Tool is a tool that can be invoked now.
type Tool struct {
	Name          string             `json:"name" doc:"By which it is invoked: its own, or where several interfaces offer one name, with the interface's name and a dot before it."`
	InterfaceID   *UUID              `json:"interface_id" doc:"Null for what Chalie itself can do."`
	Interface     string             `json:"interface" doc:"The name of what offers it."`
	Tool          string             `json:"tool" doc:"The interface's own name for it."`
	Description   string             `json:"description"`
	Documentation string             `json:"documentation"`
	Parameters    []domain.Parameter `json:"parameters"`
	Schema        stdjson.RawMessage `json:"schema,omitempty" doc:"The JSON Schema of params, where the parameters don't say all; they are its first level."`
	Hints         *domain.ToolHints  `json:"hints,omitempty" doc:"What an MCP server says of the tool. Nothing is allowed by it."`
	Returns       stdjson.RawMessage `json:"returns" doc:"As the interface describes it; null without."`
	Manifest      domain.Manifest    `json:"manifest" doc:"What the policy takes it for."`
	Said          Trust              `json:"said" doc:"What of that the person says, in place of what it says of itself."`
	WhenSaid      WhenSaid           `json:"when_said"`
	Flags         []domain.Flag      `json:"flags" doc:"What its own texts try with a model; none for most."`
}

// WhenSaid is what comes of it when the person's own sentence asks for a tool.
type WhenSaid struct {
	Verdict     domain.PolicyVerdict `json:"verdict" enum:"allowed|denied|approval_required" doc:"Of the policy in force, when the person's own sentence asks for the tool."`
	ReasonCodes []string             `json:"reason_codes"`
	Words       string               `json:"words" doc:"The same for a person, such as: Asked each time: it may move money."`
}

// Tools are the tools that can be invoked now.
type Tools struct {
	Tools []Tool `json:"tools"`
}

// Invocation is a call of a tool.
type Invocation struct {
	Params   stdjson.RawMessage `json:"params,omitempty" object:"true" doc:"With what the tool's parameters declare; leaving it out is the same as an empty one."`
	ParentID string             `json:"parent_id,omitempty" doc:"The invocation_id or envelope_id that this is done for."`
	Timezone string             `json:"timezone,omitempty" doc:"Where the device is, by an IANA name: times in params are read there."`
}

// Invoked is a tool's answer. Members that the tool didn't give are null.
type Invoked struct {
	InvocationID UUID               `json:"invocation_id"`
	Text         *string            `json:"text"`
	Data         stdjson.RawMessage `json:"data" doc:"An object or null."`
	Error        *string            `json:"error" doc:"The tool ran, and says that it failed."`
	Blocks       []domain.Block     `json:"blocks" nullable:"true"`
	OpenURL      *string            `json:"open_url"`
}

// Pending is the answer while an invocation waits for the person: nothing was sent, and it
// goes on, or ends, by itself.
type Pending struct {
	InvocationID UUID          `json:"invocation_id"`
	Text         string        `json:"text" doc:"What it waits for, and what to do meanwhile, for a person."`
	Approval     string        `json:"approval" enum:"pending"`
	ExpiresAt    domain.Millis `json:"expires_at"`
}

// Trust overrides what a tool declares of itself; a missing or null field keeps its
// declaration.
type Trust struct {
	SideEffects      *bool            `json:"side_effects,omitempty" doc:"It may change something."`
	RequiresApproval *bool            `json:"requires_approval,omitempty" doc:"Whoever asks, unless the person does it with their own hand."`
	Autonomy         *domain.Autonomy `json:"autonomy,omitempty" doc:"The most it is trusted with."`
	Unasked          *bool            `json:"unasked,omitempty" doc:"It is safe to use when the person didn't ask. It counts only while the tool changes nothing."`
	Ask              *domain.Asking   `json:"ask,omitempty" enum:"always|as_said|never" doc:"Whether the person is asked before what they say themselves is done: each time; as they say it, so only of what the tool wants approved or may move money; or never."`
}

// TrustOf is what the person says of a tool.
func TrustOf(c domain.CapabilityChanged) Trust {
	return Trust{SideEffects: c.SideEffects, RequiresApproval: c.RequiresApproval, Autonomy: c.Autonomy, Unasked: c.Unasked, Ask: c.Ask}
}

// Statement is it as it is recorded; the capability isn't known here.
func (t Trust) Statement() domain.CapabilityChanged {
	return domain.CapabilityChanged{SideEffects: t.SideEffects, RequiresApproval: t.RequiresApproval, Autonomy: t.Autonomy, Unasked: t.Unasked, Ask: t.Ask}
}

func toolRoutes() []Route {
	const which = "The tool's name; a slash in it is written %2F."
	return []Route{
		{Name: "tools", Method: get, Path: "/api/tools", Who: Operator, Summary: "What can be invoked now", Answers: ok(Tools{})},
		{Name: "invokeTool", Method: post, Path: "/api/tools/{name}/invoke", Who: Callers, Summary: "Have a tool do something",
			Detail: "A program whose token doesn't name mcp is told 404 of a tool that isn't there and of parameters that are wrong alike. A tool that answered is a 200, also when error says that it failed. 202 when the person has to approve it first. 400 names parameters that are missing, unknown or of a wrong type; 403 when the policy denies it, or it wasn't approved; 502 when the interface can't be reached or doesn't answer as it should; 503 when it could not be recorded, so nothing was sent; 504 when the call left and nobody knows what came of it.",
			ID:     which, Headers: append(once(), device()), Body: json(512*kib, Invocation{}),
			Answers: append(ok(Invoked{}), Answer{Status: 202, Shape: Pending{}}), Refuses: []int{409, 429, 502, 504}},
		{Name: "trustTool", Method: put, Path: "/api/tools/{name}/manifest", Who: Operator, Fresh: true, Summary: "Say what a tool is to be taken for",
			Detail: "Strict: a name that isn't listed is a 400.", ID: which, Headers: against(), Body: json(64*kib, Trust{}), Answers: ok(domain.Manifest{}), Refuses: []int{409, 412}},
	}
}
