package api

import (
	"chalie/domain"
	"chalie/replay/explain"
)

// Trace is the summary of one trace.
type Trace struct {
	TraceID    domain.ID       `json:"trace_id"`
	Root       TraceRoot       `json:"root" doc:"Its first envelope."`
	Kind       string          `json:"kind" doc:"What it is called in a list: Message, Signal."`
	Envelopes  uint64          `json:"envelopes" doc:"How many there are."`
	Commands   uint64          `json:"commands"`
	Events     uint64          `json:"events"`
	Results    uint64          `json:"results"`
	Streams    uint64          `json:"streams"`
	Errors     uint64          `json:"errors" doc:"How many they carry together."`
	First      domain.Position `json:"first"`
	Last       domain.Position `json:"last"`
	StartedAt  domain.Millis   `json:"started_at"`
	UpdatedAt  domain.Millis   `json:"updated_at"`
	Outcome    string          `json:"outcome" enum:"open|done|failed" doc:"open while something waits for its answer."`
	Concluded  domain.Outcome  `json:"concluded,omitempty" doc:"What its last reasoning came to: responded, surfaced, held, yielded, cancelled or failed."`
	Standing   string          `json:"standing" doc:"How it stands, in a word or two: going on, told you, failed."`
	Tools      []string        `json:"tools" doc:"The names of those that were invoked, 16 at most."`
	Tokens     uint64          `json:"tokens" doc:"What models read and wrote for it."`
	CostMicros uint64          `json:"cost_micros" doc:"What that cost, in millionths of a US dollar; 0 when the price isn't known."`

	*TraceTexts
	Matched *Matched `json:"matched,omitempty" doc:"With texts and words: which of its records say them all."`
}

// TraceTexts are the words of a trace's first envelope and of its result, at most 300
// bytes each.
type TraceTexts struct {
	CameIn string `json:"came_in" doc:"With texts: what its first envelope says."`
	CameTo string `json:"came_to" doc:"With texts: what the person was told, or what its last envelope says."`
}

// TraceRoot is the first envelope of a trace.
type TraceRoot struct {
	EnvelopeID domain.ID        `json:"envelope_id"`
	ParentID   *domain.ID       `json:"parent_id" doc:"In an earlier trace; null for none."`
	Type       domain.EventType `json:"type"`
	Source     domain.Source    `json:"source"`
	Principal  domain.Principal `json:"principal"`
}

// Matched is the place where a trace contains the words of a search.
type Matched struct {
	Records int    `json:"records"`
	Gist    string `json:"gist" doc:"Of the first of them."`
}

// TracePage is a page of traces, the latest first.
type TracePage struct {
	Traces []Trace         `json:"traces"`
	Next   domain.Position `json:"next" doc:"What to give as before to look further back; 0 when there is nothing."`
	Back   domain.Millis   `json:"back,omitempty" doc:"When the trace that was looked at last began: there may be more, though fewer than limit were found."`
}

// WholeTrace is a trace with its records.
type WholeTrace struct {
	Trace   Trace           `json:"trace"`
	Records []Entry         `json:"records"`
	Next    domain.Position `json:"next,omitempty" doc:"The position to go on from; missing when the last record is among them."`

	Considered *explain.Considered `json:"considered,omitempty" doc:"Of a cycle that told nothing, whose one record has only what differs from the cycle before: what it looked at."`
}

// TraceSteps is a trace as the pages show it.
type TraceSteps struct {
	Trace Trace           `json:"trace"`
	At    domain.Position `json:"at,omitempty" doc:"Of the envelope that was named in place of the trace."`
	Steps []TraceStep     `json:"steps"`
	Next  domain.Position `json:"next,omitempty" doc:"The position to go on from; missing at the end. Rows of a later page stand below what caused them only if that is on it, too."`

	Considered *explain.Considered `json:"considered,omitempty" doc:"Of a cycle that told nothing, whose one record has only what differs from the cycle before: what it looked at."`
}

// TraceStep is one row of a trace.
type TraceStep struct {
	Record  domain.Record   `json:"record"`
	Depth   int             `json:"depth" doc:"How many causes of it stand above."`
	Until   domain.Millis   `json:"until" doc:"When the last of all that it caused, of what is shown, was recorded."`
	Like    int             `json:"like,omitempty" doc:"How many more like it share the row: at least four of one type, source, principal and cause that follow each other, carry no error and caused nothing."`
	Through domain.Position `json:"through,omitempty" doc:"Where the last of those stands."`
	Gist    string          `json:"gist" doc:"What it says, 300 bytes at most."`
}

// MaxTracePage bounds the traces, or the records of one trace, of a page.
const MaxTracePage = 1000

func traceRoutes() []Route {
	const which = "The trace's, or that of any of its envelopes, or pos: and a position."
	return []Route{
		{Name: "traces", Method: get, Path: "/api/traces", Who: Operator, Summary: "Traces, the newest first",
			Detail: "There is no index of the filters. One request looks at 50,000 traces, or with words at about 20,000 records, from the newest back.",
			Query: []Param{
				count("limit", 50, 1, MaxTracePage, "How many."), count("before", 0, 0, noEnd, "Only those that began before this position."),
				text("outcome", "How it stands, or what its reasoning came to.", "open", "done", "failed", "responded", "surfaced", "held", "yielded", "cancelled"),
				text("root", "The type of the first envelope, or what it begins with before its dot: message."),
				text("source", "Who sent the first envelope, or answers for it: an id, or the name of an interface or a stream in any case."),
				text("tool", "The name of a tool that was invoked."), flag("errors", false, "Only what carries any."),
				flag("mattered", false, "Leaves out signals and thoughts of Chalie's own that led to nothing: no answer, no notification, no tool, no error."),
				{Name: "since", Kind: KindMoment, Doc: "Began from then on; a span without a sign goes back."}, {Name: "until", Kind: KindMoment, Doc: "Began before then."},
				text("words", "At most 8, in any case: each stands in the texts of one of its envelopes."), flag("texts", false, "With what each began with and what came of it."),
			}, Answers: ok(TracePage{})},
		{Name: "trace", Method: get, Path: "/api/traces/{id}", Who: Operator, Summary: "A trace with its records", ID: which, Detail: "A page ends when its records take 2 MiB, too.", Query: []Param{
			count("from", 1, 0, noEnd, "The first position."), count("limit", MaxTracePage, 1, MaxTracePage, "How many."), gist(),
		}, Answers: ok(WholeTrace{})},
		{Name: "steps", Method: get, Path: "/api/traces/{id}/steps", Who: Operator, Summary: "A trace row by row, each under what caused it", ID: which,
			Detail: "One request reads 10,000 records or 16 MiB of payloads.",
			Query: []Param{
				count("from", 0, 0, noEnd, "The first position."), count("limit", 200, 1, MaxTracePage, "How many rows."), count("through", 0, 0, noEnd, "The last position; 0 is the end."),
				count("keep", 0, 0, noEnd, "A position that has a row of its own."), count("alike", 0, 0, noEnd, "The position of the first of those that share a row: gives them one by one."),
			}, Answers: ok(TraceSteps{})},
	}
}
