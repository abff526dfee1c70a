package replay

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"chalie/domain"
	"chalie/replay/wording"
)

// use is one tool call among the causes, and how far it is known what came of it.
type use struct {
	invoked, decided, granted, end domain.Record // zero when it is not among them
}

// tools tell which tools were used on the way, what the policy said and what came
// of each; then which calls and models came to nothing.
func (t *teller) tools() []string {
	var out []string
	uses := t.uses()
	allowed := map[string]bool{}
	for _, u := range uses[:min(len(uses), sentencesMost)] {
		out = append(out, t.used(u, allowed))
	}
	if more := len(uses) - sentencesMost; more > 0 {
		out = append(out, fmt.Sprintf("Chalie used %s more.", counted(more, "tool", "tools")))
	}
	inOrder := slices.SortedFunc(slices.Values(t.out.Nodes), func(a, b Node) int { return cmp.Compare(a.Position, b.Position) })
	for _, n := range inOrder {
		if (n.Type == domain.ModelFailedType || n.Type == domain.CallRejectedType || n.Type == domain.AnswerVerifiedType) && n.ID != t.target.Envelope.ID && len(out) < 2*sentencesMost {
			who, _ := subjectOf(t.records[n.ID].Envelope)
			out = append(out, "On the way: "+sentence(t.mark(t.records[n.ID], who+n.Label)))
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

// invoker is who called a tool: the person, when they did it themselves.
func invoker(invoked domain.Envelope) string {
	if _, _, byModel := domain.CallOf(invoked); !byModel && invoked.Principal == domain.PrincipalOperator && invoked.Trace.ID == invoked.ID {
		return "You"
	}
	return "Chalie"
}

// used tells one tool call, and for what. Why the policy allowed it is told once for
// all calls that it allowed for the same reasons: allowed has those told so far.
func (t *teller) used(u use, allowed map[string]bool) string {
	told := t.by(u.invoked) + " used " + t.toolNamed(u.invoked.Envelope) + words(u.invoked.Envelope, withValues)
	if p, err := domain.Decode[domain.PolicyDecided](u.decided.Envelope); err == nil {
		reasons := reasonWords(p)
		if !p.Allowed && p.Verdict != domain.VerdictApproval {
			return fmt.Sprintf("%s wanted to use %s, which %s (%s).", t.by(u.invoked), t.toolNamed(u.invoked.Envelope), t.mark(u.decided, "the policy denied"), reasons)
		}
		if p.Verdict == domain.VerdictApproval && u.granted.Position == 0 && u.end.Position == 0 {
			return fmt.Sprintf("%s wanted to use %s, which %s (%s).", t.by(u.invoked), t.toolNamed(u.invoked.Envelope), t.mark(u.decided, "the policy left to you"), reasons)
		}
		if verdict := fmt.Sprintf("%s (%s)", wording.Verdict(p, ""), reasons); !allowed[verdict] {
			allowed[verdict] = true
			told += fmt.Sprintf(", which %s (%s)", t.mark(u.decided, "the policy "+wording.Verdict(p, "")), reasons)
		}
	}
	if u.granted.Position > 0 {
		told += ", and you " + t.mark(u.granted, "approved") + " at " + t.clock(u.granted.RecordedAt)
	}
	n := t.node(u.end.Envelope.ID)
	if n == nil || u.end.Position == 0 {
		return told + "."
	}
	end := t.mark(u.end, strings.TrimSuffix(n.Label, "."))
	if n.Type == domain.ToolCompletedType {
		end = "it answered " + t.quotedOf(u.end)
	}
	if ms := n.Numbers["duration_ms"]; ms > 0 {
		end = "after " + took(time.Duration(ms)*time.Millisecond) + " " + end
	}
	return sentence(told + ": " + end)
}

// by is who called a tool, and when it was in another episode: what the target rests on
// came to be in that.
func (t *teller) by(invoked domain.Record) string {
	who := invoker(invoked.Envelope)
	if invoked.Envelope.Trace == t.target.Envelope.Trace {
		return who
	}
	if who == "You" {
		who = "you"
	}
	return "Earlier, at " + t.clock(invoked.RecordedAt) + ", " + who
}

func took(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return span(d)
}

// toolNamed names the tool of an invocation by any of its records.
func (t *teller) toolNamed(e domain.Envelope) string {
	id, _ := domain.InvocationOf(e)
	invoked := t.records[id]
	if rec, ok := t.beside[id]; ok {
		invoked = rec
	}
	if named := words(invoked.Envelope, func(p domain.ToolInvoked) string { return toolOf(p, t.called[id]) }); named != "" {
		return t.mark(invoked, named)
	}
	return "a tool"
}
