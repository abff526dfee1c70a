package api

import "chalie/domain"

// Policy is the policy in force. Its regime is also its entity tag.
type Policy struct {
	AsOf     *AsOf              `json:"as_of,omitempty" doc:"When at was asked."`
	RegimeID string             `json:"regime_id"`
	Policy   domain.PolicyRules `json:"policy"`
	Warnings []string           `json:"warnings" doc:"About rules that match nothing known; none of the past."`
}

// PolicyCheck is the result of checking a policy without setting it.
type PolicyCheck struct {
	OK       bool               `json:"ok" enum:"true"`
	InForce  bool               `json:"in_force" doc:"It is what decides already."`
	Warnings []string           `json:"warnings"`
	Policy   domain.PolicyRules `json:"policy"`
}

// PolicyMistake is the refusal of a policy with mistakes.
type PolicyMistake struct {
	OK      bool    `json:"ok" enum:"false"`
	Mistake Mistake `json:"mistake"`
}

// Mistake is a fault in a text with its line and column.
type Mistake struct {
	Error  string `json:"error"`
	Field  string `json:"field,omitempty" doc:"Such as rules[2]."`
	Line   int    `json:"line" doc:"From 1."`
	Column int    `json:"column" doc:"From 1, in characters."`
}

// Regime is a policy together with the person's statements on capabilities, and the
// change that put both in force.
type Regime struct {
	ID         string           `json:"regime_id"`
	Since      domain.Millis    `json:"since" doc:"0 for what was in force from the beginning."`
	Until      domain.Millis    `json:"until" doc:"0 for the one in force."`
	Position   domain.Position  `json:"position"`
	EnvelopeID domain.ID        `json:"envelope_id" empty:"true" doc:"Of the change; empty for what Chalie came with."`
	Principal  domain.Principal `json:"principal" doc:"Who changed it."`
	Source     domain.Source    `json:"source" doc:"Through what."`
	Change     string           `json:"change" enum:"policy|capability|default" doc:"default is what Chalie came with."`

	Policy    domain.PolicyRules                  `json:"policy"`
	Manifests map[string]domain.CapabilityChanged `json:"manifests" doc:"What the person says of capabilities."`
}

// Regimes is a page of all regimes, the newest first.
type Regimes struct {
	AsOf    *AsOf           `json:"as_of,omitempty" doc:"When at was asked."`
	Regimes []Regime        `json:"regimes"`
	Next    domain.Position `json:"next" doc:"What to give as before to go on; 0 when there is nothing further back."`
}

func policyRoutes() []Route {
	tagged := []Answer{{Status: 200, Shape: Policy{}, ETag: true}}
	return []Route{
		{Name: "policy", Method: get, Path: "/api/policy", Who: Operator, Summary: "The policy in force", Query: []Param{at()}, Answers: tagged},
		{Name: "changePolicy", Method: put, Path: "/api/policy", Who: Operator, Fresh: true, Summary: "Put a policy in force, whole",
			Detail:  "Strict: a name that isn't listed is a 400. 412 with policy_changed when another regime is in force than If-Match names.",
			Headers: against(), Body: json(1024*kib, domain.PolicyRules{}), Answers: tagged, Refuses: []int{409, 412}},
		{Name: "checkPolicy", Method: post, Path: "/api/policy/check", Who: Operator, Summary: "What changing the policy would say", Detail: "It changes nothing, and a mistake is no failure of the check.",
			Body: json(1024*kib, domain.PolicyRules{}), Answers: ok(AnyOf{PolicyCheck{}, PolicyMistake{}})},
		{Name: "policyHistory", Method: get, Path: "/api/policy/history", Who: Operator, Summary: "Every regime there was, the newest first", Query: []Param{
			count("before", 0, 1, 1<<63-1, "Leaves out this position and what is later."), count("limit", 20, 1, 100, "How many."), at(),
		}, Answers: ok(Regimes{})},
	}
}
