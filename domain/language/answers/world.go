package answers

import (
	"fmt"
	"strings"

	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/language/sentences"
)

// maxItems bounds what is shown of the world state.
const maxItems = 20 // more only with other rules than the default ones

// worldBlocks say what the world state holds, and lead to the page that says how much
// each weighs, and why.
func worldBlocks(p language.Prompt) []domain.Block {
	var out []domain.Block
	switch items := shown(p); {
	case len(items) > 0:
		lines := make([]string, len(items))
		for i, item := range items {
			lines[i] = listed(item, p.AsOf)
		}
		out = append(out, domain.HeaderBlock("What matters now", 3), domain.ListBlock(lines...))
		if more := len(p.World) - len(items); more > 0 {
			out = append(out, domain.TextBlock(fmt.Sprintf("And %s.", sentences.Count(more, "item more", "items more")), domain.FormatPlain))
		}
	case len(p.Out) > 0:
		out = append(out, domain.TextBlock("Nothing I have heard matters enough now.", domain.FormatPlain))
	default:
		out = append(out, domain.TextBlock("Nothing has come in yet that could matter.", domain.FormatPlain))
	}
	if len(p.Out) > 0 {
		out = append(out, domain.TextBlock(leftOut(p.Out), domain.FormatPlain))
	}
	if len(p.World) > 0 {
		out = append(out, sentences.LeadsTo("/now", "How much each of it weighs, and why: see the page Now"))
	}
	return out
}

func shown(p language.Prompt) []language.ContextItem { return p.World[:min(len(p.World), maxItems)] }

// used are the items that are named, as evidence.
func used(items []language.ContextItem) []domain.Evidence {
	out := make([]domain.Evidence, len(items))
	for i, item := range items {
		out[i] = domain.Evidence{EnvelopeID: item.EnvelopeID, Role: "named", Weight: item.Salience}
	}
	return out
}

// listed is an item in a line: what it is, where it is from, and its time.
func listed(item language.ContextItem, now domain.Millis) string {
	var about []string
	if from := sentences.Cut(sentences.OneLine(item.Source), sentences.MaxNameBytes); from != "" {
		about = append(about, "from "+from)
	}
	if at := timed(item, now); at != "" {
		about = append(about, at)
	}
	if item.Bonus > 0 {
		about = append(about, "goes with something else I know")
	}
	out := sentences.Cut(sentences.OneLine(item.Label), sentences.MaxLabelBytes)
	if len(about) > 0 {
		out += " (" + strings.Join(about, ", ") + ")"
	}
	return out
}

// timed is the time of an item: of what is planned when it is due, of what is over when
// that was, and of everything else when it came. "" when that isn't known.
func timed(item language.ContextItem, now domain.Millis) string {
	switch {
	case item.Phase == domain.PhasePending:
		return sentences.DueIn(item.Moment, now)
	case item.Phase == domain.PhaseDone && item.Moment != 0 && item.Kind == domain.ItemReminder:
		return "you were reminded " + sentences.Ago(item.Moment, now)
	case item.Phase == domain.PhaseDone && item.Moment != 0:
		return "done " + sentences.Ago(item.Moment, now)
	case item.RecordedAt == 0:
		return ""
	case item.Phase == domain.PhaseOpen:
		return "put down " + sentences.Ago(item.RecordedAt, now)
	}
	return sentences.Ago(item.RecordedAt, now)
}

// leftOut counts what is not in, by the gate that kept it out.
func leftOut(items []domain.SeenItem) string {
	counts := map[domain.Gate]int{}
	for _, item := range items {
		counts[item.Gate]++
	}
	var parts []string
	for _, gate := range []struct {
		gate      domain.Gate
		one, many string
	}{
		{domain.GateNotInFive, "because others come first", "because others come first"},
		{domain.GateBelowThreshold, "because it has faded", "because they have faded"},
		{domain.GateExpired, "because it was over long ago", "because they were over long ago"},
		{domain.GateOver, "because it is over", "because they are over"},
		{domain.GateOverCapacity, "because newer ones pushed it out", "because newer ones pushed them out"},
	} {
		if n := counts[gate.gate]; n > 0 {
			parts = append(parts, sentences.Count(n, gate.one, gate.many))
		}
		delete(counts, gate.gate)
	}
	others := 0
	for _, n := range counts {
		others += n
	}
	if others > 0 {
		parts = append(parts, sentences.Count(others, "for another reason", "for other reasons"))
	}
	return "Left out: " + strings.Join(parts, ", ") + "."
}
