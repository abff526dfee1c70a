package api

import "chalie/domain"

// World is the world state at a moment.
type World struct {
	AsOf      domain.Millis   `json:"as_of" doc:"When it was scored."`
	Position  domain.Position `json:"position" doc:"Through which it was folded."`
	Items     []WorldItem     `json:"items" doc:"What is in mind, in the order in which reasoning gets it."`
	LeftOut   []WorldItem     `json:"left_out" doc:"The rest."`
	Relations []WorldRelation `json:"relations" doc:"What was heard that bears on what is planned, strongest first."`
	Threshold float64         `json:"threshold" doc:"The salience below which something isn't in mind, as it was set."`
	Surfaces  float64         `json:"surfaces" doc:"The score from which a relation counts, as it was set."`
	Over      domain.OverRule `json:"over,omitempty" doc:"The version of the rule by which what is over is left out; none of the first, by which it faded."`
	Lacks     string          `json:"lacks,omitempty" doc:"What went since and is missing in the answer, in a sentence."`
	Zone      string          `json:"zone,omitempty" doc:"Where the person was, by an IANA name."`
	StepMS    int64           `json:"ahead_step_ms,omitempty" doc:"With ahead: how far apart the expected saliences are."`
}

// WorldRelation is a pair of items by envelope id, and how strongly they are related.
type WorldRelation struct {
	Signal     domain.ID `json:"signal"`
	Commitment domain.ID `json:"commitment"`
	Score      float64   `json:"score" doc:"0 to 1."`
}

// WorldItem is one item of the world state.
type WorldItem struct {
	Kind             domain.ItemKind  `json:"kind" enum:"signal|message|reminder|appointment|task|entry|question|context"`
	Label            string           `json:"label" doc:"What it says; (erased) when that was erased."`
	Cut              bool             `json:"cut,omitempty" doc:"The label is only the first 2 KiB: all of it is at /api/log/ and the envelope_id."`
	Salience         float64          `json:"salience" doc:"0 to 1."`
	Bonus            float64          `json:"bonus,omitempty" doc:"What being related to another item adds."`
	Gate             domain.Gate      `json:"gate,omitempty" doc:"Of what is left out: below_threshold, not_in_five, expired, over or over_capacity."`
	Source           string           `json:"source" doc:"Where it originated; of a message its sender."`
	EnvelopeID       domain.ID        `json:"envelope_id"`
	TraceID          domain.ID        `json:"trace_id"`
	Position         domain.Position  `json:"position"`
	RecordedAt       domain.Millis    `json:"recorded_at"`
	AgeSeconds       int64            `json:"age_seconds" doc:"At as_of."`
	Principal        domain.Principal `json:"principal" doc:"Who sent it."`
	SignalType       string           `json:"signal_type,omitempty"`
	Topic            *string          `json:"topic,omitempty"`
	ActivationEnergy float64          `json:"activation_energy" doc:"Of a signal or a message."`
	Phase            domain.Phase     `json:"phase,omitempty" doc:"Of a reminder or task: how far it is."`
	Moment           domain.Millis    `json:"moment,omitempty" doc:"When that is due, or was told or done."`
	Expected         []float64        `json:"expected,omitempty" doc:"With ahead: 49 saliences from as_of on, if nothing else happens than what is planned."`
	TurnsAt          domain.Millis    `json:"turns_at,omitempty" doc:"With ahead: when it falls out of mind by itself, or comes into it."`
}

func worldRoutes() []Route {
	return []Route{
		{Name: "world", Method: get, Path: "/api/world", Who: Operator, Summary: "What is in mind: now, later, or as it was",
			Detail: "Later means what is remembered now, scored as it will be then.",
			Query: []Param{
				{Name: "at", Kind: KindMoment, Doc: "Now without it. What is past is answered as it was then; a position such as pos:1234 may be given, too."},
				{Name: "ahead", Kind: KindSpan, Doc: "Tells how each item will fade in so long, at most 30 days."},
			}, Answers: ok(World{})},
	}
}
