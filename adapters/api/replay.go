package api

import (
	stdjson "encoding/json"

	"chalie/domain"
	"chalie/replay/player"
)

// ReplayRequest names what to replay: one trace, or all that began since a moment.
type ReplayRequest struct {
	Trace string `json:"trace,omitempty" doc:"last, or any id of it; without it all that began since."`
	Since string `json:"since,omitempty" doc:"A span back such as 30d, a time, or a position."`
	Supposed
}

// Supposed are the changes of a what-if replay; the zero value is none.
type Supposed struct {
	Without []string           `json:"without,omitempty" nullable:"true" most:"64" doc:"Inputs, by id or position, that are left out."`
	Approve []string           `json:"approve,omitempty" nullable:"true" most:"64" doc:"Proposals, by id or position, to which the person says yes at once."`
	Edit    []SupposedEdit     `json:"edit,omitempty" nullable:"true" most:"64"`
	Set     map[string]string  `json:"set,omitempty" nullable:"true" most:"64" doc:"Parameters by name."`
	Policy  stdjson.RawMessage `json:"policy,omitempty" object:"true" doc:"In place of those that were in force: what GET /api/policy shows under policy."`
	Model   string             `json:"model,omitempty" doc:"In place of those that answered."`
	Zone    string             `json:"zone,omitempty" doc:"In which times in sentences are told; UTC without it."`
}

// IsAnything reports whether there is any change.
func (s Supposed) IsAnything() bool {
	return len(s.Without) > 0 || len(s.Approve) > 0 || len(s.Edit) > 0 || len(s.Set) > 0 || s.Policy != nil || s.Model != ""
}

// SupposedEdit changes the value of one field of an input.
type SupposedEdit struct {
	ID    string             `json:"envelope_id"`
	Field string             `json:"field"`
	Value stdjson.RawMessage `json:"value" doc:"A text, or any JSON."`
}

// DifferencesToAccept names differences of a replay of everything that are accepted.
type DifferencesToAccept struct {
	Kinds []domain.AcceptedKind `json:"kinds" most:"500" doc:"As the report has them."`
}

// AcceptedDifferences is what was accepted.
type AcceptedDifferences struct {
	EnvelopeID domain.ID `json:"envelope_id" doc:"Of the differences.accepted."`
	Kinds      int       `json:"kinds" doc:"How many."`
}

// WhatIf is the result of a what-if replay.
type WhatIf struct {
	Identical bool            `json:"identical" doc:"Nothing would have."`
	Traces    int             `json:"traces" doc:"That were decided anew."`
	Skipped   int             `json:"skipped" doc:"Taken as they were: something in them was erased, or went."`
	Aside     int             `json:"aside,omitempty" doc:"Taken as they were: with nothing changed they come otherwise, too, now that something went from the log."`
	Open      int             `json:"open" doc:"That had no end when the log ended."`
	Outcomes  []WhatIfOutcome `json:"outcomes"`
	Asked     *player.Asked   `json:"asked,omitempty" doc:"When a model was really asked."`
	player.Gap
}

// WhatIfOutcome is a trace whose outcome would have been different.
type WhatIfOutcome struct {
	player.Outcome
	Sentences []string `json:"sentences"`
}

// LookedBack is the last line while the past is folded: what the answer will be based on.
type LookedBack struct {
	AsOf AsOf `json:"as_of"`
}

// Supposable lists what a what-if replay can change.
type Supposable struct {
	Parameters []Parameter `json:"parameters"`
	Inputs     []Input     `json:"inputs" doc:"What can be left out and edited."`
	Models     []string    `json:"models" doc:"That can be named."`
}

// Parameter is a number that decisions depend on.
type Parameter struct {
	Name    string `json:"name"`
	Value   string `json:"value"`
	Unit    string `json:"unit"`
	Least   string `json:"least"`
	Most    string `json:"most"`
	Bounds  string `json:"bounds" doc:"All that it can be set to, in words."`
	Meaning string `json:"meaning"`
}

// Input is a type of event with the fields that an edit can change.
type Input struct {
	Type   domain.EventType `json:"type"`
	Fields []string         `json:"fields"`
}

func replayRoutes() []Route {
	return []Route{
		{Name: "replay", Method: post, Path: "/api/replay", Who: Operator, Summary: "Let today's code decide again, or tell what would have come otherwise",
			Detail: "A line for progress now and then, the report last. With anything that is to be otherwise it is what would have come. What fails after the first line is the last one, a refusal.",
			Body:   json(64*kib, ReplayRequest{}), Refuses: []int{404, 410},
			Answers: []Answer{{Status: 200, Lines: true, Shape: AnyOf{Progress{}, player.Report{}, WhatIf{}, Refusal{}}}}},
		{Name: "acceptDifferences", Method: post, Path: "/api/replay/accepted", Who: Operator, Summary: "Accept kinds of differences of a replay",
			Detail: "A replay counts them from then on, as long as no more decisions have one than had then. What today's own code recorded can't be accepted, and goes on being told.",
			Body:   json(64*kib, DifferencesToAccept{}), Answers: ok(AcceptedDifferences{})},
		{Name: "supposable", Method: get, Path: "/api/what-if", Who: Operator, Summary: "What can be supposed", Answers: ok(Supposable{})},
		{Name: "lookBack", Method: get, Path: "/api/as-of", Who: Operator, Summary: "Fold what an answer about the past needs, so that it comes at once",
			Detail: "A line for progress now and then, as_of last.",
			Query:  []Param{at(), text("of", "Which answer.", "world", "interfaces", "conversation", "plans", "approvals", "policy")}, Refuses: []int{404},
			Answers: []Answer{{Status: 200, Lines: true, Shape: AnyOf{Progress{}, LookedBack{}, Refusal{}}}}},
	}
}
