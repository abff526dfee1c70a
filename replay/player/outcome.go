package player

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"chalie/domain"
	"chalie/replay/narrate"
)

// Outcome is a trace's recorded ending and its different ending in the branch.
type Outcome struct {
	Trace    domain.TraceID  `json:"trace_id"`
	Position domain.Position `json:"position" doc:"Of what opened it, in the log."`
	Recorded Ending          `json:"recorded"`
	Replayed Ending          `json:"replayed"`
	Change   string          `json:"change" doc:"What that is to the person: gone, new, different, can't be told."`
}

// Ending is the result of a trace.
type Ending struct {
	// Outcome is the conclusion's, or the end of a directly requested invocation;
	// domain.EndingWaits, domain.EndingOpen, domain.EndingUnknown or domain.EndingNone
	// otherwise.
	Outcome  domain.Outcome `json:"outcome"`
	Words    string         `json:"words" doc:"What the outcome means."`
	Shown    domain.Showing `json:"shown" doc:"How the person got to see it; empty when they didn't."`
	Text     string         `json:"text" doc:"What they were shown, or why it failed."`
	At       domain.Millis  `json:"at" doc:"When it ended; 0 when it didn't."`
	Evidence []domain.ID    `json:"evidence" doc:"What it rests on, in order."`
	Waits    []string       `json:"waits" doc:"What the person was asked to approve and didn't decide."`
	Calls    []MadeCall     `json:"calls"`
	Model    string         `json:"model,omitempty" doc:"Where nobody knows: whom it would have asked."`
}

// MadeCall is a tool call of a trace.
type MadeCall struct {
	Tool    string           `json:"tool"`
	Params  json.RawMessage  `json:"params"`
	Outcome domain.EventType `json:"outcome" doc:"Its end; empty for one without."`
	Words   string           `json:"words" doc:"What became of it."`
	// Unanswered says that the call would have been made, but has no recorded answer.
	Unanswered bool `json:"unanswered,omitempty"`
}

// same reports whether two endings are the same for the person. Times and scores don't
// count.
func (e Ending) same(o Ending) bool {
	return e.Outcome == o.Outcome && e.Shown == o.Shown && e.Text == o.Text && slices.Equal(e.Evidence, o.Evidence) && slices.Equal(e.Waits, o.Waits) &&
		slices.EqualFunc(e.Calls, o.Calls, func(a, b MadeCall) bool {
			return a.Tool == b.Tool && a.Outcome == b.Outcome && a.Unanswered == b.Unanswered && bytes.Equal(a.Params, b.Params)
		})
}

// endings folds the records of a trace.
type endings struct {
	Ending
	log     domain.Reader
	made    []domain.ID             // the invocations, in order
	calls   map[domain.ID]*MadeCall // by invocation
	waiting map[domain.ID]string    // by invocation, the proposal that waits for the person
	thought bool                    // it opened an episode
}

// endingOf is the ending of a trace in a log.
func endingOf(ctx context.Context, log domain.Reader, trace domain.TraceID) (Ending, error) {
	e := endings{log: log, calls: map[domain.ID]*MadeCall{}, waiting: map[domain.ID]string{}}
	e.Outcome, e.Evidence, e.Waits, e.Calls = domain.EndingNone, []domain.ID{}, []string{}, []MadeCall{}
	err := eachOf(ctx, log, trace, func(rec domain.Record) error { return e.fold(ctx, rec) })
	return e.result(), err
}

// eachOf reads a trace in its order.
func eachOf(ctx context.Context, log domain.Reader, trace domain.TraceID, fn func(domain.Record) error) error {
	const page = 256
	for from := domain.Position(1); ; {
		records, err := log.Select(ctx, domain.Selector{Trace: trace}, from, page)
		if err != nil {
			return err
		}
		for _, rec := range records {
			if err := fn(rec); err != nil {
				return err
			}
			from = rec.Position + 1
		}
		if len(records) < page {
			return nil
		}
	}
}

func (e *endings) fold(ctx context.Context, rec domain.Record) error {
	env := rec.Envelope
	invocation, _ := domain.InvocationOf(env)
	switch env.Type {
	case domain.MessageReceivedType, domain.ActionReceivedType, domain.SpineSignalEmittedType:
		e.thought = true
		if domain.IsSilent(env) {
			e.Outcome, e.At, e.Evidence = domain.OutcomeHeld, rec.RecordedAt, append(e.Evidence, env.ID)
		}
	case domain.ToolInvokedType:
		call := &MadeCall{}
		if p, err := domain.Decode[domain.ToolInvoked](env); err == nil {
			call.Tool, call.Params = p.Tool, p.Params
		}
		e.calls[env.ID], e.made = call, append(e.made, env.ID)
	case domain.ApprovalProposedType:
		p, err := domain.Decode[domain.ApprovalProposed](env)
		if err != nil && domain.CodeOf(err) != domain.CodeErased {
			return err
		}
		e.waiting[invocation] = p.Summary
	case domain.ApprovalGrantedType, domain.ApprovalRefusedType, domain.ApprovalExpiredType:
		delete(e.waiting, invocation)
	case domain.ToolCompletedType, domain.ToolFailedType, domain.ToolOutcomeUnknownType:
		e.ended(invocation, rec)
	case domain.ReasoningConcludedType:
		return e.conclude(ctx, rec)
	}
	return nil
}

// ended folds the end of an invocation. A directly requested one is its trace's ending.
func (e *endings) ended(invocation domain.ID, rec domain.Record) {
	if call := e.calls[invocation]; call != nil {
		call.Outcome = rec.Envelope.Type
	}
	if e.thought {
		return
	}
	e.Outcome, e.At, e.Text = domain.OutcomeFailed, rec.RecordedAt, faultIn(rec.Envelope)
	if rec.Envelope.Type != domain.ToolCompletedType {
		return
	}
	p, err := domain.Decode[domain.ToolCompleted](rec.Envelope)
	if err == nil && p.Error == nil {
		e.Outcome = domain.EndingDone
		if p.Text != nil {
			e.Text = *p.Text
		}
	}
}

func (e *endings) conclude(ctx context.Context, rec domain.Record) error {
	end, err := domain.ConclusionOf(rec.Envelope)
	if err != nil {
		return err
	}
	e.Outcome, e.Shown, e.At, e.Text = end.Outcome, end.Shown, rec.RecordedAt, faultIn(rec.Envelope)
	for _, used := range end.Evidence {
		e.Evidence = append(e.Evidence, used.EnvelopeID)
	}
	if end.Shown == domain.ShownNot {
		return nil
	}
	said, err := domain.SaidIn(rec.Envelope, func(id domain.ID) (domain.Envelope, error) {
		found, err := e.log.Find(ctx, id)
		return found.Envelope, err
	})
	if domain.CodeOf(err) == domain.CodeErased || domain.CategoryOf(err) == domain.NotFound {
		return nil
	}
	e.Text = domain.PlainText(said.Blocks)
	return err
}

func faultIn(env domain.Envelope) string {
	if len(env.Errors) == 0 {
		return ""
	}
	return env.Errors[0].Message
}

// result is the ending of the records folded so far.
func (e *endings) result() Ending {
	out := e.Ending
	open := false
	for _, id := range e.made {
		call := e.calls[id]
		out.Calls = append(out.Calls, *call)
		open = open || call.Outcome == ""
		if summary, waits := e.waiting[id]; waits {
			out.Waits = append(out.Waits, summary)
		}
	}
	switch {
	case out.At != 0:
	case len(out.Waits) > 0:
		out.Outcome = domain.EndingWaits
	case e.thought || open:
		out.Outcome = domain.EndingOpen
	}
	return out
}

// maxQuoted bounds the quoted text in a sentence, in characters.
const maxQuoted = 300

// Sentences describe the differences for a person, the most important first. Times are in
// zone.
func (o Outcome) Sentences(zone *time.Location) []string {
	then, now := o.Recorded, o.Replayed
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if now.Outcome == domain.EndingUnknown {
		if now.Model == "" {
			say("What would have come of it can't be told: %s.", strings.TrimSuffix(now.Text, "."))
		} else {
			say("Would have asked %s something else, and a replay asks nobody: name a model that is to answer, and what would have come of it can be told.", now.Model)
		}
	}
	for _, call := range missing(now.Calls, then.Calls) {
		say("Would have called %s.", call.words())
	}
	if now.Outcome != domain.EndingUnknown {
		for _, call := range missing(then.Calls, now.Calls) {
			say("Would not have called %s.", call.words())
		}
		out = append(out, o.shown(zone)...)
	}
	for _, what := range now.Waits {
		if !slices.Contains(then.Waits, what) {
			say("Would have waited for your approval: %s.", what)
		}
	}
	for _, what := range then.Waits {
		if !slices.Contains(now.Waits, what) && now.Outcome != domain.EndingUnknown {
			say("Would not be waiting for your approval: %s.", what)
		}
	}
	if len(out) == 0 {
		say("Would have come to %s instead of %s.", now.in(zone), then.in(zone))
	}
	return out
}

// InWords is the outcome with the words for its codes.
func (o Outcome) InWords() Outcome {
	o.Recorded, o.Replayed = o.Recorded.inWords(), o.Replayed.inWords()
	then, now := o.Recorded.Shown != domain.ShownNot, o.Replayed.Shown != domain.ShownNot
	switch {
	case o.Replayed.Outcome == domain.EndingUnknown:
		o.Change = "can't be told"
	case then && !now:
		o.Change = "gone"
	case !then && now:
		o.Change = "new"
	default:
		o.Change = "different"
	}
	return o
}

func (e Ending) inWords() Ending {
	e.Words = e.Outcome.Sentence()
	e.Calls = slices.Clone(e.Calls)
	for i := range e.Calls {
		e.Calls[i].Words = e.Calls[i].became()
	}
	return e
}

// became tells the outcome of a call, to follow its tool's name.
func (c MadeCall) became() string {
	switch {
	case c.Unanswered:
		return "would have been called"
	case c.Outcome == "":
		return "came to no end"
	}
	return narrate.Became(c.Outcome)
}

// shown tells how the texts shown to the person differ.
func (o Outcome) shown(zone *time.Location) []string {
	then, now := o.Recorded, o.Replayed
	told, tells := then.Shown != domain.ShownNot, now.Shown != domain.ShownNot
	switch {
	case told && !tells && now.Outcome == domain.OutcomeFailed:
		return []string{fmt.Sprintf("Would have failed (%s), and so not have %s: %s", inQuotes(now.Text), then.verb(), inQuotes(then.Text))}
	case told && !tells:
		return []string{fmt.Sprintf("Would not have %s: %s", then.verb(), inQuotes(then.Text))}
	case !told && tells:
		return []string{fmt.Sprintf("Would have %s at %s: %s", now.verb(), clockTime(now.At, zone), inQuotes(now.Text))}
	case told && then.Text != now.Text:
		return []string{fmt.Sprintf("Would have %s %s instead of %s", now.spoken(), inQuotes(now.Text), inQuotes(then.Text))}
	case told && !slices.Equal(then.Evidence, now.Evidence):
		return []string{fmt.Sprintf("Would have %s the same, resting on other things: %s", now.spoken(), inQuotes(now.Text))}
	case !told && (then.Outcome != now.Outcome || then.Text != now.Text) && now.Outcome != domain.EndingWaits && then.Outcome != domain.EndingWaits:
		return []string{fmt.Sprintf("Would have come to %s instead of %s.", now.in(zone), then.in(zone))}
	}
	return nil
}

// verb tells how an ending was shown to the person.
func (e Ending) verb() string {
	switch {
	case e.Outcome == domain.OutcomeResponded:
		return "answered"
	case e.Shown == domain.ShownEscalation:
		return "told you at once"
	case e.Shown == domain.ShownNotification:
		return "told you"
	}
	return "said"
}

func (e Ending) spoken() string {
	if e.Shown == domain.ShownMessage {
		return "answered"
	}
	return "told you"
}

// in is an ending in words, to follow "come to".
func (e Ending) in(zone *time.Location) string {
	switch e.Outcome {
	case domain.EndingDone, domain.OutcomeFailed:
		return e.Outcome.Noun() + ", " + inQuotes(e.Text)
	case domain.OutcomeResponded, domain.OutcomeSurfaced:
		return fmt.Sprintf("%s at %s, %s", e.Outcome, clockTime(e.At, zone), inQuotes(e.Text))
	}
	return e.Outcome.Noun()
}

// missing are the calls of one list that another doesn't have, counting repeats.
func missing(of, in []MadeCall) []MadeCall {
	in = slices.Clone(in)
	var out []MadeCall
	for _, call := range of {
		i := slices.IndexFunc(in, func(c MadeCall) bool { return c.Tool == call.Tool && sameJSON(c.Params, call.Params) })
		if i < 0 {
			out = append(out, call)
			continue
		}
		in = slices.Delete(in, i, i+1)
	}
	return out
}

func (c MadeCall) words() string {
	out := c.Tool
	if values := narrate.Values(c.Params); values != "" {
		out += " with " + narrate.Shortened(values, maxQuoted)
	}
	if c.Outcome == "" {
		out += ", had it been approved"
	}
	return out
}

// inQuotes is a text on one line, between quotes.
func inQuotes(text string) string {
	if text = strings.Join(strings.Fields(text), " "); text == "" {
		return "nothing"
	}
	if strings.ContainsAny(text, "“”") { // it contains quotation marks
		return `"` + narrate.Shortened(text, maxQuoted) + `"`
	}
	return "“" + narrate.Shortened(text, maxQuoted) + "”"
}

func clockTime(at domain.Millis, zone *time.Location) string {
	return at.Time().In(zone).Format("15:04 on 2 January 2006")
}
