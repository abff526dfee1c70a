package api

import "chalie/domain"

// Proposal is a call of a tool that needs the person's decision.
type Proposal struct {
	ProposalToken     string        `json:"proposal_token" doc:"To decide it with; empty of the past, which can't be decided."`
	CapabilityID      string        `json:"capability_id"`
	CapabilityVersion string        `json:"capability_version"`
	Summary           string        `json:"summary"`
	Actor             string        `json:"actor"`
	ActorName         string        `json:"actor_name,omitzero" doc:"As rules name a program, such as program:weather."`
	Channel           string        `json:"channel"`
	TraceID           UUID          `json:"trace_id"`
	InvocationID      UUID          `json:"invocation_id"`
	ExpiresAt         domain.Millis `json:"expires_at"`
	Call
}

// Proposals are the proposals that wait for a decision, or waited at a past moment,
// oldest first.
type Proposals struct {
	AsOf      *AsOf      `json:"as_of,omitempty" doc:"When at was asked."`
	Approvals []Proposal `json:"approvals"`
}

// Decided is a proposal with the decision on it and the result.
type Decided struct {
	CapabilityID      string          `json:"capability_id" doc:"Empty when the proposal was erased."`
	CapabilityVersion string          `json:"capability_version"`
	Summary           string          `json:"summary"`
	Actor             string          `json:"actor"`
	ActorName         string          `json:"actor_name,omitzero" doc:"As rules name a program, such as program:weather."`
	Channel           string          `json:"channel"`
	TraceID           UUID            `json:"trace_id"`
	InvocationID      UUID            `json:"invocation_id"`
	EnvelopeID        domain.ID       `json:"envelope_id"`
	Position          domain.Position `json:"position"`
	ProposedAt        domain.Millis   `json:"proposed_at"`
	ExpiresAt         domain.Millis   `json:"expires_at"`

	Decision       string            `json:"decision" enum:"granted|refused|expired"`
	DecidedAt      domain.Millis     `json:"decided_at"`
	DecidedBy      string            `json:"decided_by,omitempty" doc:"Nobody when it expired."`
	DecidedThrough string            `json:"decided_through,omitempty" doc:"The channel."`
	Correlator     domain.Correlator `json:"correlator,omitempty"`

	CameTo  string        `json:"came_to" enum:"done|failed|unknown|not_done|under_way"`
	EndedAt domain.Millis `json:"ended_at,omitempty"`
	Detail  string        `json:"detail,omitempty" doc:"What went wrong."`
}

// DecidedPage is a page of decided proposals, the newest first.
type DecidedPage struct {
	AsOf      *AsOf           `json:"as_of,omitempty" doc:"When at was asked."`
	Approvals []Decided       `json:"approvals" doc:"It may hold less than limit, also when there is more."`
	Next      domain.Position `json:"next" doc:"What to give as before to go on; 0 when there is nothing further back."`
}

// Decision is the person's decision on a proposal.
type Decision struct {
	Decision string `json:"decision" enum:"grant|granted|approve|approved|yes|refuse|refused|deny|denied|no"`
}

// DecisionTaken confirms a decision.
type DecisionTaken struct {
	InvocationID UUID   `json:"invocation_id"`
	Decision     string `json:"decision" enum:"granted|refused"`
	Summary      string `json:"summary"`
}

func approvalRoutes() []Route {
	return []Route{
		{Name: "approvals", Method: get, Path: "/api/approvals", Who: Operator, Summary: "What waits for the person, oldest first", Query: []Param{at()}, Answers: ok(Proposals{})},
		{Name: "decided", Method: get, Path: "/api/approvals/decided", Who: Operator, Summary: "What doesn't wait any more, the newest first", Query: []Param{
			count("before", 0, 1, 1<<63-1, "Leaves out this position and what is later."), count("limit", 20, 1, 100, "How many."), at(),
		}, Answers: ok(DecidedPage{})},
		{Name: "decideApproval", Method: post, Path: "/api/approvals/{token}", Who: Callers, Summary: "Grant or refuse what waits", Detail: "Only the person may. Strict: a name that isn't listed is a 400.",
			ID: "The proposal_token.", Body: json(16*kib, Decision{}), Answers: ok(DecisionTaken{}), Refuses: []int{409}},
	}
}
