package explain

import (
	"context"
	"time"

	"chalie/domain"
	"chalie/replay"
	"chalie/replay/narrate"
)

// MaxNodes bounds an explanation: so many causes are followed, the nearest first.
const MaxNodes = 500

// maxPayloadBytes bounds the payloads that are read for one explanation, beside MaxNodes.
const maxPayloadBytes = 32 << 20

// Explanation is the causes of one envelope back to their roots, over all traces, or its
// effects.
type Explanation struct {
	Target    Focus            `json:"target"`
	Direction Direction        `json:"direction" doc:"Back to the causes, or forward to the effects."`
	Sentences []string         `json:"sentences" doc:"For a person, the answer first."`
	Nodes     []Node           `json:"nodes" doc:"The target first, then the nearest causes, or the earliest effects."`
	Edges     []Edge           `json:"edges" doc:"Those of a node together, in the order of Nodes."`
	Cut       bool             `json:"cut" doc:"There are more causes than were followed."`
	Parts     [][]narrate.Part `json:"parts" doc:"Of each sentence, with the records it speaks of."`
}

// Focus is the envelope that is explained.
type Focus struct {
	ID    domain.ID        `json:"envelope_id"`
	Trace domain.TraceID   `json:"trace_id"`
	Type  domain.EventType `json:"type"`
	Said  string           `json:"said" doc:"What the person was told by it; empty for nothing."`
}

// Node is one envelope of an explanation. A missing envelope has only its id.
type Node struct {
	ID         domain.ID        `json:"envelope_id"`
	Trace      domain.TraceID   `json:"trace_id"`
	Position   domain.Position  `json:"position"`
	Type       domain.EventType `json:"type"`
	RecordedAt domain.Millis    `json:"recorded_at"`
	Source     domain.Source    `json:"source"`
	Principal  domain.Principal `json:"principal"`
	Label      string           `json:"label" doc:"What it is, in one short line."`
	Numbers    Numbers          `json:"numbers" doc:"What was measured then, by name. Scores go from 0 to 1, and what ends in _ms is in milliseconds. Of evidence salience, bonus, relation and age_ms, as the episode saw them that rests on it."`
	Codes      []string         `json:"codes,omitempty" doc:"What the log has where the label has words: of a decision of the policy its verdict, reasons, obligations and regime."`
	Gate       domain.Gate      `json:"gate,omitempty" doc:"What kept it out of the context it is evidence of."`
	Missing    bool             `json:"missing,omitempty" doc:"The log doesn't hold it; then only envelope_id and label are known."`
	Dropped    bool             `json:"dropped,omitempty" doc:"It is missing because the log begins after it."`
	Erased     bool             `json:"erased,omitempty" doc:"Its payload can't be read any more."`
}

// Numbers are recorded numbers by name: scores from 0 to 1, counts, milliseconds where
// the name ends in _ms. They are for reading; no decision uses them.
type Numbers map[string]float64

// EdgeKind is the kind of an edge.
type EdgeKind string

// The kinds.
const (
	EdgeCaused   EdgeKind = "caused"   // made it necessary, or possible
	EdgeEvidence EdgeKind = "evidence" // it rests on that, with a weight
)

// The roles of causes other than evidence, which has its recorded roles.
const (
	RoleParent    = "parent"       // caused it directly
	RoleSteer     = "steer"        // was added by the person meanwhile
	RoleCall      = "call"         // is the result of a tool that the model had called
	RoleVerified  = "verified"     // found that the answer before was not good enough
	RoleInstead   = "instead"      // is the model that failed before
	RoleRoom      = "room_for"     // was waiting, so that it made room
	RoleCancelled = "cancelled_by" // ended it
	RoleReply     = "reply"        // is what was shown
	RoleImage     = "image"        // was sent along
	RoleProposal  = "proposal"     // asked the person for approval
	RoleDecision  = "decision"     // is what the person said to that
	RoleWithin    = "within"       // is the invocation that asked for it
	RoleAbout     = "about"        // is what it is about
	RoleWords     = "words"        // are others' words that were read before it
	RoleSentBy    = "sent_by"      // let its sender in
	RoleTold      = "told_before"  // told the person of the same before they said it
	RoleCode      = "same_code"    // is a call that has a code of it, such as a booking's
	RoleRecalled  = "recalled"     // is a memory or a plan that it names
	RoleRegime    = "policy"       // is the change of the policy by which it was denied
	RoleOffline   = "offline"      // took away the interface that it wanted
	RoleSetting   = "setting"      // set a parameter that it was decided by
)

// Edge goes from a cause to its effect.
type Edge struct {
	From   domain.ID `json:"from"`
	To     domain.ID `json:"to"`
	Kind   EdgeKind  `json:"kind" enum:"evidence|caused" doc:"evidence for what something rests on."`
	Role   string    `json:"role" doc:"Of evidence as it was recorded, such as asked or named; otherwise parent, or what else it was: steer, call, verified, instead, proposal, decision, room_for, cancelled_by, reply, image, within, about, words, sent_by, told_before, same_code, recalled, policy, offline, or setting."`
	Weight *float64  `json:"weight,omitempty" doc:"Of evidence, 0 to 1; null otherwise."`
}

// Why explains the target by its causes, with times in a zone; nil is UTC, and then they
// say so. It reads each cause by its id, so the cost depends on the number of causes, not
// on the length of the log or of a trace.
//
// A cause whose payload is erased is followed by its header; one that the log doesn't
// hold is marked as missing.
//
// Errors: not found when the log doesn't hold the target, with code "nothing_said"
// when the last word was asked for and there is none; otherwise the log's.
func Why(ctx context.Context, log replay.Log, target replay.Target, zone *time.Location) (Explanation, error) {
	rec, err := target.Locate(ctx, log)
	if err != nil {
		return Explanation{}, err
	}
	w := newWalk(log)
	if err := w.from(ctx, rec); err != nil {
		return Explanation{}, err
	}
	if err := w.score(ctx); err != nil {
		return Explanation{}, err
	}
	if err := w.label(ctx); err != nil {
		return Explanation{}, err
	}
	t := narrator{walk: w, zone: zone, target: rec}
	w.out.Target = Focus{ID: rec.Envelope.ID, Type: rec.Envelope.Type, Trace: rec.Envelope.Trace, Said: w.said(rec)}
	told, err := t.sentences(ctx)
	if err != nil {
		return Explanation{}, err
	}
	w.out.Sentences, w.out.Parts = narrate.Sentences(told)
	return w.out, nil
}
