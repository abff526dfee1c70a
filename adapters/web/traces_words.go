package web

import (
	"fmt"

	"chalie/domain"
	"chalie/replay/narrate"
)

// Kind is what a trace began with, in a word.
func (e episode) Kind() string { return narrate.Kind(e.Root.Type) }

// Lead is the beginning of what came in, in words.
func (e episode) Lead() string { return narrate.Lead(e.Root.Type, e.Who, e.CameIn) }

// outcome is what came of the trace, also of one that came to no conclusion.
func (e episode) outcome() domain.Outcome {
	return domain.EndingOf(e.Outcome == "open", e.Outcome == "failed", e.Concluded)
}

// Standing is how it stands, in a word or two.
func (e episode) Standing() string { return e.outcome().Brief() }

// looks are the classes of the badges that say so.
var looks = map[domain.Outcome]string{
	domain.EndingOpen: "info", domain.OutcomeFailed: "error", domain.OutcomeCancelled: "warning", domain.OutcomeYielded: "warning",
	domain.OutcomeResponded: "success", domain.OutcomeSurfaced: "success",
}

// Look is the class of the badge that says how it stands.
func (e episode) Look() string {
	if look, ok := looks[e.outcome()]; ok {
		return look
	}
	return "plain-badge"
}

// Came is what came of it, in a sentence; its quote is a text of the log, and may be
// empty.
func (e episode) Came() (said struct{ Says, Quote string }) {
	says := e.outcome().Sentence()
	switch e.outcome() {
	case domain.OutcomeResponded, domain.OutcomeSurfaced, domain.OutcomeFailed:
		said.Quote = e.CameTo
	case domain.EndingDone:
		said.Quote = e.CameTo
		says = e.cameOf()
	}
	switch {
	case said.Quote != "":
		said.Says = says + ":"
	case says != "":
		said.Says = says + "."
	}
	return said
}

// cameOf is what came of a trace without reasoning.
func (e episode) cameOf() string {
	switch {
	case e.CameTo != "":
		return "In the end"
	case e.Root.Type == domain.SignalReceivedType:
		return "Chalie heard it, and keeps it in mind while it matters"
	case e.Root.Type == domain.ContextUpdatedType:
		return "Chalie takes it into account"
	}
	return "" // it was recorded, and that is all
}

// Cost is what models took for it; "" for nothing.
func (e episode) Cost() string {
	switch {
	case e.CostMicros > 0 && e.CostMicros < 10_000:
		return fmt.Sprintf("%.2f ¢", float64(e.CostMicros)/10_000)
	case e.CostMicros > 0:
		return fmt.Sprintf("$%.2f", float64(e.CostMicros)/1_000_000)
	case e.Tokens > 0:
		return grouped(e.Tokens) + " tokens"
	}
	return ""
}

// Steps is how many envelopes it has.
func (e episode) Steps() string {
	if e.Envelopes == 1 {
		return "1 step"
	}
	return grouped(e.Envelopes) + " steps"
}
