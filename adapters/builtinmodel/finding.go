package builtinmodel

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"chalie/commands/reasoning"
	"chalie/domain"
)

// Bounds and rules of what a cycle proposes to tell.
const (
	maxNamed  = 3 // signals that a finding names
	maxShared = 3 // reasons given for each

	// A finding is urgent when the commitment is due within urgentWithin and the
	// relation is at least urgentScore: a later cycle may come too late.
	urgentWithin = time.Hour
	urgentScore  = domain.PPM(800_000)
)

// erased is the label of what can no longer be read.
const erased = "(erased)"

// bearing is what was heard that bears on one commitment, strongest first.
type bearing struct {
	on    reasoning.ContextItem
	heard []reasoning.Related
}

// findings are the pairs that surface, one for each commitment, strongest first.
// Of a commitment that several signals bear on, the strongest are named and all
// are evidence: what is no news any more is then known.
func findings(p reasoning.Prompt, surfaces domain.PPM) []domain.Finding {
	all := bearings(p.Related, surfaces)
	out := make([]domain.Finding, 0, min(len(all), reasoning.MaxFindings))
	for _, b := range all[:min(len(all), reasoning.MaxFindings)] {
		out = append(out, b.finding(p.AsOf))
	}
	return out
}

// bearings puts the pairs that surface together by commitment.
func bearings(related []reasoning.Related, surfaces domain.PPM) []bearing {
	var pairs []reasoning.Related
	for _, r := range related {
		if r.Score >= surfaces && isReadable(r.Signal) && isReadable(r.Commitment) {
			pairs = append(pairs, r)
		}
	}
	slices.SortStableFunc(pairs, func(a, b reasoning.Related) int { return cmp.Compare(b.Score, a.Score) })
	place := map[domain.ID]int{}
	var out []bearing
	for _, r := range pairs {
		at, ok := place[r.Commitment.EnvelopeID]
		if !ok {
			at = len(out)
			place[r.Commitment.EnvelopeID] = at
			out = append(out, bearing{on: r.Commitment})
		}
		out[at].heard = append(out[at].heard, r)
	}
	return out
}

// isReadable reports whether an item says anything that a person could be told.
func isReadable(item reasoning.ContextItem) bool {
	label := oneLine(item.Label)
	return label != "" && label != erased
}

// finding says what bears on what, and why. Its confidence is the score of the
// strongest signal.
func (b bearing) finding(now domain.Millis) domain.Finding {
	strongest := b.heard[0]
	out := domain.Finding{Topic: topicOf(cmp.Or(b.on.Topic, strongest.Signal.Topic)), Confidence: min(strongest.Score, domain.One)}
	if left := b.on.Moment.Sub(now); b.on.Moment != 0 && left >= 0 && left <= urgentWithin {
		out.Urgent = strongest.Score >= urgentScore
	}
	for i, r := range b.heard {
		if i == reasoning.MaxEvidence-1 {
			break
		}
		out.Evidence = append(out.Evidence, domain.Evidence{EnvelopeID: r.Signal.EnvelopeID, Role: "heard", Weight: r.Score})
		if i < maxNamed {
			out.Blocks = append(out.Blocks, b.named(i, now)...)
		}
	}
	if more := len(b.heard) - maxNamed; more > 0 {
		out.Blocks = append(out.Blocks, plain("And "+count(more, "signal more.", "signals more.")))
	}
	out.Evidence = append(out.Evidence, domain.Evidence{EnvelopeID: b.on.EnvelopeID, Role: "planned", Weight: strongest.Score})
	return out
}

// named is the i-th signal in words; the first says what it bears on.
func (b bearing) named(i int, now domain.Millis) []domain.Block {
	r := b.heard[i]
	text := mention(r.Signal.Label)
	if source := cut(oneLine(r.Signal.Source), maxNameBytes); source != "" {
		text += " (from " + source + ")"
	}
	if i == 0 {
		text += fmt.Sprintf(" bears on your %s %s", kindWord(b.on.Kind), mention(b.on.Label))
		if due := dueIn(b.on.Moment, now); due != "" {
			text += " (" + due + ")"
		}
	} else {
		text += " bears on it too"
	}
	if shared := sharedWords(r.Shared); shared != "" {
		text += ": " + shared
	}
	out := []domain.Block{plain(text + ".")}
	if len(r.Signal.Flags) > 0 {
		out = append(out, flagged("What was heard", r.Signal.Flags))
	}
	return out
}

// sharedWords are the strongest reasons, in order.
func sharedWords(shared []string) string {
	var out []string
	for _, s := range shared[:min(len(shared), maxShared)] {
		out = append(out, cut(oneLine(s), maxLabelBytes))
	}
	return strings.Join(out, "; ")
}

// kindWord is what a person calls a commitment.
func kindWord(kind domain.ItemKind) string {
	switch kind {
	case domain.ItemReminder:
		return "reminder"
	case domain.ItemTask:
		return "task"
	}
	return "plan"
}

// dueIn is how far away a moment is; "" for none.
func dueIn(moment, now domain.Millis) string {
	switch left := moment.Sub(now); {
	case moment == 0:
		return ""
	case left < 0:
		return "was due " + span(-left) + " ago"
	default:
		return "due in " + span(left)
	}
}
