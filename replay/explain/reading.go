package explain

import (
	"cmp"
	"slices"
	"strings"

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
	var named []narrate.Phrase
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
		for _, call := range reply.ToolCalls {
			if told := t.namedBy(call); len(told) > 0 && len(named) < sentencesMost {
				named = append(named, told)
			}
		}
	}
	out := make([]narrate.Phrase, 0, len(rules)+len(named))
	for _, rule := range rules {
		out = append(out, narrate.Sayf("It read that as %s.", rule))
	}
	return append(out, named...)
}

// namedBy tells which of the person's words named what a call does, or that none did; none of a call of
// which that wasn't asked, and where a whole sentence was read as a request.
func (t *narrator) namedBy(call domain.ToolCall) narrate.Phrase {
	if call.Deed == nil {
		return nil
	}
	said := func(all []domain.DeedWords) string {
		var out []string
		for _, w := range all {
			e := t.records[w.EnvelopeID].Envelope
			if words := w.In(e); words != "" && words != (domain.DeedWords{To: domain.WordsIn(e)}).In(e) {
				out = append(out, words)
			}
		}
		return strings.Join(out, " … ")
	}
	tool := narrate.Shortened(call.Tool, narrate.MaxName)
	by, against := said(call.Deed.Words), said(call.Deed.Against)
	switch {
	case by != "":
		return narrate.Sayf("You named what %s does by %s.", tool, narrate.Quoted(by))
	case against != "":
		return narrate.Sayf("You said the contrary of what %s does by %s.", tool, narrate.Quoted(against))
	case len(call.Deed.Words) == 0 && len(call.Deed.Against) == 0:
		return narrate.Sayf("No word of yours named what %s does.", tool)
	}
	return nil
}
