package explain

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"chalie/domain"
	"chalie/replay/narrate"
)

// sentencesMost bounds the sentences about evidence, about tools and about candidates,
// each; the nodes hold more.
const sentencesMost = 5

// narrator puts an explanation into words.
type narrator struct {
	*walk
	zone   *time.Location // nil is UTC, and said so
	target domain.Record
}

// sentences tell the explanation to a person: first the reason, then the evidence with
// its numbers, then what is missing.
func (t *narrator) sentences(ctx context.Context) ([]narrate.Phrase, error) {
	var out []narrate.Phrase
	var err error
	switch t.target.Envelope.Type {
	case domain.ReasoningConcludedType:
		out, err = t.concluded(ctx)
	default:
		out, err = t.other(ctx)
	}
	if err != nil {
		return nil, err
	}
	return append(out, t.honest()...), nil
}

// concluded explains a conclusion.
func (t *narrator) concluded(ctx context.Context) ([]narrate.Phrase, error) {
	e := t.target.Envelope
	c, readable := decoded[domain.ReasoningConcluded](e)
	if !readable {
		return []narrate.Phrase{t.unreadableEnd()}, nil
	}
	evidence := t.ranked(c.Evidence)
	verdict, told := verdictOn(e, c, narrate.Words(inSaid(t.saying(t.target))))
	var out []narrate.Phrase
	rested := false // the reason already told the evidence
	switch {
	case !told:
		out = append(out, narrate.Sayf("%s.", verdict), narrate.Sayf("It had begun because %s.", t.opening()))
	case c.Outcome == domain.OutcomeSurfaced && t.unasked() && len(evidence) > 0:
		out = append(because(verdict, t.joined(evidence)), narrate.Sayf("Nobody had asked: it looked over what it had in mind because %s.", t.opening()))
		rested = true
	default:
		out = because(verdict, t.opening())
	}
	out = append(out, t.spoken()...)
	out = append(out, t.read()...)
	if len(evidence) > 0 && !rested {
		out = append(out, narrate.Sayf("It rests on this: %s.", t.joined(evidence)))
	}
	if more := len(evidence) - sentencesMost; more > 0 {
		out = append(out, narrate.Sayf("It rests on %s more.", counted(more, "thing", "things")))
	}
	out = append(out, t.scores(evidence)...)
	related, err := t.relations(ctx, evidence)
	if err != nil {
		return nil, err
	}
	out = append(out, related...)
	if told && t.unasked() {
		pressed, err := t.pressed(ctx, c)
		if err != nil {
			return nil, err
		}
		out = append(out, pressed...)
	}
	out = append(out, t.admissions(evidence)...)
	out = append(out, t.tools()...)
	out = append(out, t.gaps()...)
	out = append(out, t.inMind()...)
	rejected, err := t.rejected(ctx, e, c.Rejected)
	return append(out, rejected...), err
}

// because joins an outcome and its reason; after a long quotation the reason is a
// sentence of its own.
func because(verdict, reason narrate.Phrase) []narrate.Phrase {
	if utf8.RuneCountInString(verdict.String()) <= narrate.MaxQuote {
		return []narrate.Phrase{narrate.Sayf("%s because %s.", verdict, reason)}
	}
	return []narrate.Phrase{verdict.TrimRight(",").Sentence(), narrate.Sayf("That was because %s.", reason)}
}

// unreadableEnd tells a conclusion without its payload.
func (t *narrator) unreadableEnd() narrate.Phrase {
	gone := narrate.Gone(t.target.Envelope)
	if t.out.Target.Said != "" {
		return narrate.Sayf("Chalie told you something that can't be read any more %s, because %s.", gone, t.opening())
	}
	return narrate.Sayf("Chalie came to an end that can't be read any more %s. It had begun because %s.", gone, t.opening())
}

// verdictOn tells a conclusion's outcome, and whether the person was told something:
// said.
func verdictOn(e domain.Envelope, c domain.ReasoningConcluded, said narrate.Phrase) (verdict narrate.Phrase, told bool) {
	what := narrate.Shortened(c.Outcome.Sentence(), narrate.MaxName+narrate.MaxName)
	switch c.Outcome {
	case domain.OutcomeResponded:
		return narrate.Sayf("%s %s", what, said), true
	case domain.OutcomeSurfaced:
		if c.Shown == domain.ShownEscalation {
			return narrate.Sayf("%s %s at once, as something that can't wait,", what, said), true
		}
		return narrate.Sayf("%s %s", what, said), true
	case domain.OutcomeFailed:
		what += strings.TrimRight(narrate.Shortened(narrate.Because(e), narrate.MaxLabel), ". ")
	}
	return narrate.Words(what), false
}

// inSaid quotes the text that the person was told.
func inSaid(text string) string { return `"` + narrate.Shortened(text, maxSaid) + `"` }

// unasked reports whether the target's episode is a background cycle.
func (t *narrator) unasked() bool {
	opening := t.node(t.target.Envelope.Trace.ID)
	return opening == nil || opening.Type == domain.SpineSignalEmittedType
}

// opening tells the opening of the target's episode, as a clause.
func (t *narrator) opening() narrate.Phrase {
	opening := t.node(t.target.Envelope.Trace.ID)
	switch {
	case opening != nil:
		return t.reason(*opening)
	case t.out.Cut:
		return narrate.Words("something happened that is too far back to be shown")
	}
	return narrate.Words("something happened that the log doesn't hold")
}

// spoken tells that the words of the target's opening came by voice, and how surely they were
// heard.
func (t *narrator) spoken() []narrate.Phrase {
	opening := t.node(t.target.Envelope.Trace.ID)
	if opening == nil {
		return nil
	}
	heard := t.node(t.records[opening.ID].Envelope.Parent)
	if heard == nil || heard.Type != domain.STTCompletedType {
		return nil
	}
	return []narrate.Phrase{narrate.Sayf("That came by voice: %s", t.reason(*heard)).Sentence()}
}

// ranked is the evidence without the opening: plans first, then by weight, and among
// equals as recorded.
func (t *narrator) ranked(evidence []domain.Evidence) []domain.Evidence {
	trace := t.target.Envelope.Trace.ID
	out := slices.DeleteFunc(slices.Clone(evidence), func(ev domain.Evidence) bool { return ev.EnvelopeID == trace })
	planned := func(ev domain.Evidence) int {
		if t.planned[ev.EnvelopeID] {
			return 0
		}
		return 1
	}
	domain.SortStableFunc(out, func(a, b domain.Evidence) int {
		return cmp.Or(cmp.Compare(planned(a), planned(b)), cmp.Compare(b.Weight, a.Weight))
	})
	return out
}

// joined are clauses for the first pieces of evidence, each with its weight; a shared
// weight is told once.
func (t *narrator) joined(evidence []domain.Evidence) narrate.Phrase {
	first := evidence[:min(len(evidence), sentencesMost)]
	alike := len(first) > 1 && !slices.ContainsFunc(first, func(ev domain.Evidence) bool { return ev.Weight != first[0].Weight })
	var clauses []narrate.Phrase
	for _, ev := range first {
		clause := narrate.Words("something happened that is too far back to be shown")
		if n := t.node(ev.EnvelopeID); n != nil {
			clause = t.reason(*n)
		}
		if !alike {
			clause = narrate.Sayf("%s (weight %s)", clause, ev.Weight)
		}
		clauses = append(clauses, clause)
	}
	n := len(clauses)
	if n < 2 {
		return narrate.Join(clauses, "")
	}
	joined := narrate.Sayf("%s and %s", narrate.Join(clauses[:n-1], ", "), clauses[n-1])
	if alike {
		joined = narrate.Sayf("%s (weight %s each)", joined, first[0].Weight)
	}
	return joined
}

// cutSentence says that there are more causes than were followed.
func (t *narrator) cutSentence() narrate.Phrase {
	if t.out.Direction == Forward {
		return narrate.Sayf("There may be more than the %d envelopes shown, which came first: only so much is looked through.", len(t.out.Nodes))
	}
	return narrate.Sayf("There are more causes than the %d envelopes shown, which are the nearest.", len(t.out.Nodes))
}

// honest tells what the explanation lacks.
func (t *narrator) honest() []narrate.Phrase {
	absent, dropped, erased := 0, 0, 0
	for _, n := range t.out.Nodes {
		switch {
		case n.Dropped:
			dropped++
		case n.Missing:
			absent++
		case n.Erased:
			erased++
		}
	}
	var out []narrate.Phrase
	if dropped > 0 {
		out = append(out, narrate.Sayf("%s no longer kept: the log begins after %s.", counted(dropped, "cause is", "causes are"), oneOf(dropped, "it", "them")))
	}
	if absent > 0 {
		out = append(out, narrate.Sayf("%s not in this log: %s may have been left behind when a part of another log was imported.", counted(absent, "cause is", "causes are"), oneOf(absent, "it", "they")))
	}
	if erased > 0 {
		out = append(out, narrate.Sayf("%s erased: nothing but when it happened is known any more.", counted(erased, "step was", "steps were")))
	}
	if t.out.Cut {
		out = append(out, t.cutSentence())
	}
	return out
}

// other explains a target that is no conclusion: what it is, its opening, and its other
// causes.
func (t *narrator) other(ctx context.Context) ([]narrate.Phrase, error) {
	out := []narrate.Phrase{t.headline()}
	began := t.began()
	if len(began) > 0 {
		out = append(out, began)
	}
	more := append(t.more(), t.admissions(nil)...)
	out = append(out, more...)
	if len(began)+len(more) == 0 {
		out = append(out, narrate.Words(nobodyCaused(t.target.Envelope)))
	}
	waiting, err := t.waiting(ctx)
	if err != nil {
		return nil, err
	}
	out = append(out, waiting...)
	out = append(out, t.tools()...)
	out = append(out, t.gaps()...)
	considered, err := t.considered(ctx)
	return append(out, considered...), err
}

// headline tells what the target is, with its time.
func (t *narrator) headline() narrate.Phrase {
	n, e := t.out.Nodes[0], t.target.Envelope
	at := t.clock(n.RecordedAt)
	switch {
	case narrate.Unreadable(e) != "":
		return narrate.Sayf("At %s something happened that can't be read any more %s.", at, narrate.Gone(e))
	case e.Type == domain.ReasoningConcludedType:
		return narrate.Sayf("At %s %s", at, t.ended(t.target)).Sentence()
	case e.Type == domain.ModelRepliedType:
		return narrate.Sayf("At %s %s", at, narrate.About(t.target, n.Label)).Sentence()
	}
	return narrate.Sayf("At %s %s", at, t.clause(n)).Sentence()
}

// proposed tells the call that the person was asked to approve.
func (t *narrator) proposed(decision domain.Envelope) narrate.Phrase {
	id, _ := domain.InvocationOf(decision)
	for _, n := range t.out.Nodes {
		e := t.records[n.ID].Envelope
		if about, ok := domain.InvocationOf(e); !ok || about != id || e.Type != domain.ApprovalProposedType {
			continue
		}
		if summary := words(e, func(p domain.ApprovalProposed) string { return narrate.Summary(p.Summary) }); summary != "" {
			return narrate.About(t.records[n.ID], narrate.Quoted(summary))
		}
	}
	return t.toolNamed(decision)
}

// began tells the opening of the target's episode, or its cause in an earlier one; none
// when the target is the opening.
func (t *narrator) began() narrate.Phrase {
	e := t.target.Envelope
	if opening := t.node(e.Trace.ID); opening != nil && opening.ID != e.ID {
		return narrate.Sayf("It began with this: %s", t.reason(*opening)).Sentence()
	}
	if cause := t.node(e.Parent); cause != nil {
		return narrate.Sayf("It came of this: %s", t.reason(*cause)).Sentence()
	}
	return nil
}

// nobodyCaused tells that a target has no cause in the log.
func nobodyCaused(e domain.Envelope) string {
	switch {
	case e.Principal == domain.PrincipalOperator:
		return "That was you: nothing before it in the log led to it."
	case sentFromOutside(domain.Record{Topic: topicOf(e.Type), Envelope: e}):
		return "It came from outside: nothing before it in the log led to it."
	}
	return "It came by itself: nothing before it in the log led to it."
}

func topicOf(name domain.EventType) domain.Topic {
	d, _ := domain.Events().Lookup(name)
	return d.Topic
}

// before are the words that introduce a cause of a role; "" for roles that other
// sentences tell.
func before(role string) string {
	switch role {
	case RoleSteer:
		return "Meanwhile "
	case RoleInstead, RoleVerified:
		return "Before that, "
	case RoleCall:
		return "It knew of this: "
	case RoleRoom:
		return "This came first: "
	case RoleCancelled:
		return "It ended because "
	case RoleReply:
		return "It shows this: "
	case RoleImage:
		return "With it came this: "
	case RoleProposal:
		return "The question was this: "
	case RoleDecision:
		return "It was decided by this: "
	case RoleWithin:
		return "Another tool asked for it: "
	case RoleWords:
		return "It had read words that aren't yours: "
	case RoleAbout:
		return "It is about this: "
	}
	return ""
}

// opening is before for a cause of a given type.
func opening(role string, of domain.EventType) string {
	if role == RoleWords && of == domain.ReasoningConcludedType {
		return "It had read an answer that rests on others' words: "
	}
	return before(role)
}

// more tells the target's other causes: neither its parent nor the record that let its
// sender in.
func (t *narrator) more() []narrate.Phrase {
	var out []narrate.Phrase
	var evidence []domain.Evidence
	for _, edge := range t.out.Edges {
		if edge.To != t.target.Envelope.ID {
			continue
		}
		if edge.Weight != nil {
			evidence = append(evidence, domain.Evidence{EnvelopeID: edge.From, Role: edge.Role, Weight: domain.PPMOf(*edge.Weight)})
		} else if line := t.gap(edge); len(line) > 0 && len(out) < sentencesMost {
			out = append(out, line)
		} else if begin := opening(edge.Role, t.node(edge.From).Type); begin != "" && len(out) < sentencesMost {
			out = append(out, narrate.Sayf("%s%s", begin, t.reason(*t.node(edge.From))).Sentence())
		}
	}
	if len(evidence) > 0 {
		out = append(out, narrate.Sayf("It rests on this: %s.", t.joined(t.ranked(evidence))))
	}
	return out
}

// gap tells an edge that the log doesn't record, as what it is: something that came
// before, and what both have. None for another edge.
func (t *narrator) gap(edge Edge) narrate.Phrase {
	effect, cause := t.records[edge.To], t.node(edge.From)
	if cause == nil || cause.Missing {
		return nil
	}
	shared := narrate.Quoted(narrate.Shortened(t.shares[edgeKey{edge.From, edge.To, edge.Role}], narrate.MaxName))
	switch edge.Role {
	case RoleTold:
		return narrate.Sayf("Before you said %s, you had been told %s at %s: both are about %s.",
			t.itself(effect, "that"), t.quotedOf(t.records[edge.From]), t.clock(cause.RecordedAt), shared)
	case RoleCode:
		return narrate.Sayf("An earlier call has %s, as %s does: %s", shared, t.itself(effect, "it"), t.reason(*cause)).Sentence()
	case RoleRecalled:
		return narrate.Sayf("%s goes back to %s: %s", t.itself(effect, "It"), t.clock(cause.RecordedAt), t.reason(*cause)).Sentence()
	case RoleRegime:
		return narrate.Sayf("That has been the policy since %s.", t.reason(*cause))
	case RoleSetting:
		return narrate.Sayf("This was decided under a setting: %s", t.reason(*cause)).Sentence()
	case RoleOffline:
		return narrate.Sayf("Nobody was there to be called: %s", t.reason(*cause)).Sentence()
	}
	return nil
}

// itself is the target by a pronoun, and another record by its words.
func (t *narrator) itself(rec domain.Record, pronoun string) narrate.Phrase {
	if rec.Envelope.ID == t.target.Envelope.ID {
		return narrate.Words(pronoun)
	}
	return t.quotedOf(rec)
}

// gaps tell such edges to causes of the target's, the nearest first; more tells those to
// the target itself.
func (t *narrator) gaps() []narrate.Phrase {
	var out []narrate.Phrase
	for _, edge := range t.out.Edges {
		if edge.To == t.target.Envelope.ID || len(out) == sentencesMost {
			continue
		}
		if line := t.gap(edge); len(line) > 0 {
			out = append(out, line)
		}
	}
	return out
}

// waiting says that the target hasn't been answered yet, if it will be.
func (t *narrator) waiting(ctx context.Context) ([]narrate.Phrase, error) {
	e := t.target.Envelope
	if !domain.OpensReasoning(e.Type) {
		return nil, nil
	}
	// An ended exchange is explained by its end, unless the target was named by its
	// position.
	end, err := t.log.Select(ctx, domain.Selector{Key: domain.ConcludedKey(e.Trace)}, 1, 1)
	if err != nil || len(end) > 0 {
		return nil, err
	}
	return []narrate.Phrase{narrate.Words("Nothing has come of it yet.")}, nil
}

// admissions tell how the senders of the evidence and the opening were admitted: by
// pairing, registration, token or broadcast, each once.
func (t *narrator) admissions(evidence []domain.Evidence) []narrate.Phrase {
	spoke := []domain.ID{t.target.Envelope.ID, t.target.Envelope.Trace.ID}
	for _, ev := range evidence[:min(len(evidence), sentencesMost)] {
		spoke = append(spoke, ev.EnvelopeID)
	}
	var out []narrate.Phrase
	told := map[domain.ID]bool{}
	for _, id := range spoke {
		for _, edge := range t.out.Edges {
			if edge.To != id || edge.Role != RoleSentBy || told[edge.From] {
				continue
			}
			told[edge.From] = true
			if line := t.admission(edge.From); len(line) > 0 {
				out = append(out, line)
			}
		}
	}
	return out
}

// admission tells how a sender was admitted; none when that isn't known.
func (t *narrator) admission(id domain.ID) narrate.Phrase {
	rec, ok := t.records[id]
	if !ok {
		return nil
	}
	e, at := rec.Envelope, t.clock(rec.RecordedAt)
	name := cmp.Or(narrate.Shortened(narrate.NameIn(e), narrate.MaxName), "Who sent it")
	switch e.Type {
	case domain.InterfacePairedType:
		if issued, ok := t.keyFor(e); ok {
			return narrate.Sayf("%s may speak to Chalie because you %s at %s, and it %s with that at %s.", name, narrate.About(issued, "made a pairing key"), t.clock(issued.RecordedAt), narrate.About(rec, "was paired"), at)
		}
		return narrate.Sayf("%s may speak to Chalie because it %s at %s.", name, narrate.About(rec, "was paired"), at)
	case domain.InterfaceRegisteredType:
		return narrate.Sayf("%s may speak to Chalie because it %s at %s.", name, narrate.About(rec, "registered by itself"), at)
	case domain.TokenIssuedType:
		return narrate.Sayf("%s may speak to Chalie because you %s at %s.", name, narrate.About(rec, "gave it a token"), at)
	case domain.MCPServerAddedType:
		return narrate.Sayf("Chalie may use %s because you %s at %s.", name, narrate.About(rec, "added it as an MCP server"), at)
	case domain.StreamAddedType:
		return narrate.Sayf("Chalie listens to %s because you %s at %s.", cmp.Or(narrate.Shortened(narrate.NameIn(e), narrate.MaxName), "it"), narrate.About(rec, "added its broadcast"), at)
	}
	return nil
}

// keyFor is the record that issued an interface's pairing key, when it is among the
// causes.
func (t *narrator) keyFor(paired domain.Envelope) (domain.Record, bool) {
	used, ok := t.records[paired.Parent]
	if !ok {
		return domain.Record{}, false
	}
	issued, ok := t.records[used.Envelope.Parent]
	return issued, ok && issued.Envelope.Type == domain.PairingKeyIssuedType
}

// use is one tool call among the causes, with the steps that are known of it.
type use struct {
	invoked, decided, granted, end domain.Record // zero when it is not among the causes
}

// tools tell which tools were used, with the policy's decision and the result of each;
// then the failed calls and models.
func (t *narrator) tools() []narrate.Phrase {
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
func (t *narrator) uses() []use {
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
			if u.decided.Position < rec.Position { // the policy may decide again after an approval
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
	domain.SortFunc(kept, func(a, b use) int { return cmp.Compare(a.invoked.Position, b.invoked.Position) })
	return kept
}

// toldAlready is the invocation that the headline tells: that of the target, when it is a
// tool.invoked or the policy's decision on it. None otherwise.
func (t *narrator) toldAlready() domain.ID {
	e := t.target.Envelope
	if e.Type != domain.ToolInvokedType && e.Type != domain.PolicyDecidedType {
		return domain.ID{}
	}
	id, _ := domain.InvocationOf(e)
	return id
}

// used tells one tool call and its purpose. The policy's reasons are told once for all
// calls that were allowed for the same ones: allowed has those already told.
func (t *narrator) used(u use, allowed map[string]bool) narrate.Phrase {
	tool := t.toolNamed(u.invoked.Envelope)
	told := narrate.Sayf("%s used %s%s", t.by(u.invoked), tool, words(u.invoked.Envelope, narrate.Given))
	if p, err := domain.Decode[domain.PolicyDecided](u.decided.Envelope); err == nil {
		verdict, reasons := "the policy "+narrate.Verdict(p, ""), narrate.Shortened(narrate.Reasons(p), narrate.MaxLabel)
		undone := p.Verdict != domain.VerdictApproval || u.granted.Position == 0 && u.end.Position == 0
		if !p.Allowed && undone {
			return narrate.Sayf("%s wanted to use %s, which %s (%s).", t.by(u.invoked), tool, narrate.About(u.decided, verdict), reasons)
		}
		failed, _ := decoded[domain.ToolFailed](u.end.Envelope)
		if no := narrate.Unmade(failed.Reason); no != "" {
			return narrate.Sayf("%s wanted to use %s, which %s (%s), and %s.", t.by(u.invoked), tool, narrate.About(u.decided, verdict), reasons, narrate.About(u.end, no))
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

// by tells who called a tool, and when, if it was in an earlier episode that the target
// rests on.
func (t *narrator) by(invoked domain.Record) string {
	who := narrate.Invoker(invoked.Envelope)
	if invoked.Envelope.Trace == t.target.Envelope.Trace {
		return who
	}
	if who == "You" {
		who = "you"
	}
	return "Earlier, at " + t.clock(invoked.RecordedAt) + ", " + who
}

// toolNamed names the tool of the invocation that a record belongs to.
func (t *narrator) toolNamed(e domain.Envelope) narrate.Phrase {
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
