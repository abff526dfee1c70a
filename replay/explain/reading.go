package explain

import (
	"cmp"
	"slices"

	"chalie/domain"
	"chalie/replay/narrate"
)

// read tells how the built-in model took what was said in the target's own episode, as far as
// that was recorded. What an interface says isn't read so: how the plans came about that it is held against is another story.
func (t *narrator) read() []narrate.Phrase {
	opening := t.records[t.target.Envelope.Trace.ID].Envelope
	if opening.Type == domain.MessageReceivedType && opening.Principal != domain.PrincipalOperator {
		return nil
	}
	var rules []string
	for _, n := range slices.SortedFunc(slices.Values(t.out.Nodes), func(a, b Node) int { return cmp.Compare(a.Position, b.Position) }) {
		e := t.records[n.ID].Envelope
		reply, ok := decoded[domain.ModelReplied](e)
		if n.Type != domain.ModelRepliedType || !ok || e.Trace != t.target.Envelope.Trace {
			continue
		}
		for _, r := range reply.Readings {
			if !slices.Contains(rules, r.Rule) && len(rules) < sentencesMost {
				rules = append(rules, r.Rule)
			}
		}
	}
	out := make([]narrate.Phrase, len(rules))
	for i, rule := range rules {
		out[i] = narrate.Sayf("It read that as %s.", rule)
	}
	return out
}
