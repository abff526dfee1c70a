package builtinmodel

import (
	"fmt"
	"slices"
	"strings"

	"chalie/commands"
	"chalie/domain"
)

// Bounds of what is shown of the world state.
const (
	maxItems      = 20 // more only with other rules than the default ones
	maxLabelBytes = 240
	maxNameBytes  = 60
)

// worldBlocks say what the world state holds, and why.
func worldBlocks(p commands.Prompt, threshold domain.PPM) []domain.Block {
	var out []domain.Block
	switch items := shown(p); {
	case len(items) > 0:
		out = append(out, domain.HeaderBlock("What matters now", 3), table(items, p.AsOf, isCrowded(p.Out), threshold))
		if more := len(p.World) - len(items); more > 0 {
			out = append(out, domain.TextBlock(fmt.Sprintf("And %s.", count(more, "item more", "items more")), domain.FormatPlain))
		}
	case len(p.Out) > 0:
		out = append(out, domain.TextBlock("Nothing I have heard matters enough now.", domain.FormatPlain))
	default:
		out = append(out, domain.TextBlock("I have heard nothing yet: no signal has come in that could matter.", domain.FormatPlain))
	}
	if len(p.Out) > 0 {
		out = append(out, domain.TextBlock(leftOut(p.Out), domain.FormatPlain))
	}
	return out
}

func shown(p commands.Prompt) []commands.InMind { return p.World[:min(len(p.World), maxItems)] }

// used are the items that are named, as evidence.
func used(p commands.Prompt) []domain.Evidence {
	items := shown(p)
	out := make([]domain.Evidence, len(items))
	for i, item := range items {
		out[i] = domain.Evidence{EnvelopeID: item.EnvelopeID, Role: "named", Weight: item.Salience}
	}
	return out
}

func table(items []commands.InMind, now domain.Millis, crowded bool, threshold domain.PPM) domain.Block {
	rows := make([][]string, len(items))
	for i, item := range items {
		rows[i] = []string{
			cut(oneLine(item.Label), maxLabelBytes), cut(oneLine(item.Source), maxNameBytes),
			item.Salience.String(), age(item.RecordedAt, now), why(item, crowded, threshold),
		}
	}
	return domain.TableBlock([]string{"What", "From", "Salience", "Age", "Why it is in"}, rows)
}

// why says what put an item in: where others had to stay out for want of room, it
// is being among the first.
func why(item commands.InMind, crowded bool, threshold domain.PPM) string {
	var out string
	switch {
	case crowded:
		out = fmt.Sprintf("at %s it is among the first; of equals the newer is", item.Salience)
	case item.Salience < domain.One:
		out = fmt.Sprintf("it weighs %s, and %s is enough", item.Salience, threshold)
	default:
		out = "it has its full weight"
	}
	if item.Bonus > 0 {
		out += fmt.Sprintf("; it is related to something else here, which adds %s", item.Bonus)
	}
	return out
}

// isCrowded reports whether something stayed out only because others came first.
func isCrowded(out []domain.SeenItem) bool {
	return slices.ContainsFunc(out, func(i domain.SeenItem) bool { return i.Gate == domain.GateNotInFive })
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
		{domain.GateOverCapacity, "because newer ones pushed it out", "because newer ones pushed them out"},
	} {
		if n := counts[gate.gate]; n > 0 {
			parts = append(parts, count(n, gate.one, gate.many))
		}
		delete(counts, gate.gate)
	}
	others := 0
	for _, n := range counts {
		others += n
	}
	if others > 0 {
		parts = append(parts, count(others, "for another reason", "for other reasons"))
	}
	return "Left out: " + strings.Join(parts, ", ") + "."
}
