package replay

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"chalie/domain"
	"chalie/replay/narrate"
)

// use is one tool call among the causes, and how far it is known what came of it.
type use struct {
	invoked, decided, granted, end domain.Record // zero when it is not among them
}

// tools tell which tools were used on the way, what the policy said and what came
// of each; then which calls and models came to nothing.
func (t *teller) tools() []narrate.Phrase {
	var out []narrate.Phrase
	uses := t.uses()
	allowed := map[string]bool{}
	for _, u := range uses[:min(len(uses), sentencesMost)] {
		out = append(out, t.used(u, allowed))
	}
	if more := len(uses) - sentencesMost; more > 0 {
		out = append(out, narrate.Sayf("Chalie used %s more.", counted(more, "tool", "tools")))
	}
	inOrder := slices.SortedFunc(slices.Values(t.out.Nodes), func(a, b Node) int { return cmp.Compare(a.Position, b.Position) })
	for _, n := range inOrder {
		if (n.Type == domain.ModelFailedType || n.Type == domain.CallRejectedType || n.Type == domain.AnswerVerifiedType) && n.ID != t.target.Envelope.ID && len(out) < 2*sentencesMost {
			rec := t.records[n.ID]
			out = append(out, narrate.Sayf("On the way: %s", narrate.About(rec, narrate.Subject(rec.Envelope)+n.Label)).Sentence())
		}
	}
	return out
}

// uses are the tool calls among the causes, the earliest first.
func (t *teller) uses() []use {
	told := t.toldAlready()
	byID := map[domain.ID]*use{}
	var out []*use
	for _, rec := range t.records {
		id, ok := domain.InvocationOf(rec.Envelope)
		if !ok || id == told {
			continue
		}
		u := byID[id]
		if u == nil {
			u = &use{}
			byID[id] = u
			out = append(out, u)
		}
		switch rec.Envelope.Type {
		case domain.ToolInvokedType:
			u.invoked = rec
		case domain.PolicyDecidedType:
			if u.decided.Position < rec.Position { // it may be asked again after an approval
				u.decided = rec
			}
		case domain.ApprovalGrantedType:
			u.granted = rec
		case domain.ToolCompletedType, domain.ToolFailedType, domain.ToolOutcomeUnknownType:
			u.end = rec
		}
	}
	kept := make([]use, 0, len(out))
	for _, u := range out {
		if u.invoked.Position > 0 {
			kept = append(kept, *u)
		}
	}
	slices.SortFunc(kept, func(a, b use) int { return cmp.Compare(a.invoked.Position, b.invoked.Position) })
	return kept
}

// toldAlready is the invocation that the headline tells all of: the target, when it is
// the invocation itself or what the policy said to it. None otherwise.
func (t *teller) toldAlready() domain.ID {
	e := t.target.Envelope
	if e.Type != domain.ToolInvokedType && e.Type != domain.PolicyDecidedType {
		return domain.ID{}
	}
	id, _ := domain.InvocationOf(e)
	return id
}

// used tells one tool call, and for what. Why the policy allowed it is told once for
// all calls that it allowed for the same reasons: allowed has those told so far.
func (t *teller) used(u use, allowed map[string]bool) narrate.Phrase {
	tool := t.toolNamed(u.invoked.Envelope)
	told := narrate.Sayf("%s used %s%s", t.by(u.invoked), tool, words(u.invoked.Envelope, narrate.Given))
	if p, err := domain.Decode[domain.PolicyDecided](u.decided.Envelope); err == nil {
		verdict, reasons := "the policy "+narrate.Verdict(p, ""), narrate.Shortened(narrate.Reasons(p), narrate.MaxLabel)
		undone := p.Verdict != domain.VerdictApproval || u.granted.Position == 0 && u.end.Position == 0
		if !p.Allowed && undone {
			return narrate.Sayf("%s wanted to use %s, which %s (%s).", t.by(u.invoked), tool, narrate.About(u.decided, verdict), reasons)
		}
		if why := verdict + reasons; !allowed[why] {
			allowed[why] = true
			told = narrate.Sayf("%s, which %s (%s)", told, narrate.About(u.decided, verdict), reasons)
		}
	}
	if u.granted.Position > 0 {
		told = narrate.Sayf("%s, and you %s at %s", told, narrate.About(u.granted, "approved"), t.clock(u.granted.RecordedAt))
	}
	n := t.node(u.end.Envelope.ID)
	if n == nil || u.end.Position == 0 {
		return narrate.Sayf("%s.", told)
	}
	end := narrate.About(u.end, strings.TrimSuffix(n.Label, "."))
	if n.Type == domain.ToolCompletedType {
		end = narrate.Sayf("it answered %s", t.quotedOf(u.end))
	}
	if ms := n.Numbers["duration_ms"]; ms > 0 {
		end = narrate.Sayf("after %s %s", narrate.Span(time.Duration(ms)*time.Millisecond), end)
	}
	return narrate.Sayf("%s: %s", told, end).Sentence()
}

// by is who called a tool, and when it was in another episode: what the target rests on
// came to be in that.
func (t *teller) by(invoked domain.Record) string {
	who := narrate.Invoker(invoked.Envelope)
	if invoked.Envelope.Trace == t.target.Envelope.Trace {
		return who
	}
	if who == "You" {
		who = "you"
	}
	return "Earlier, at " + t.clock(invoked.RecordedAt) + ", " + who
}

// toolNamed names the tool of an invocation by any of its records.
func (t *teller) toolNamed(e domain.Envelope) narrate.Phrase {
	id, _ := domain.InvocationOf(e)
	invoked := t.records[id]
	if rec, ok := t.beside[id]; ok {
		invoked = rec
	}
	if named := words(invoked.Envelope, func(p domain.ToolInvoked) string { return narrate.Tool(p, t.called[id]) }); named != "" {
		return narrate.About(invoked, named)
	}
	return narrate.Words("a tool")
}
