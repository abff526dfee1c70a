package explain

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"chalie/domain"
	"chalie/replay"
	"chalie/replay/narrate"
)

// maxSteps bounds what is read of one invocation.
const maxSteps = 64

// codeUnreachable is the end of a call to an interface that didn't answer.
const codeUnreachable domain.Code = "unreachable"

// invocation answers why a requested tool was not used.
func (s *inquiry) invocation(ctx context.Context) error {
	c, end, err := s.invoked(ctx, s.target)
	if err != nil {
		return err
	}
	s.out.Surfaced = end
	s.out.Considered = append(s.out.Considered, c)
	return nil
}

// invoked is the outcome of an invocation: the step that stopped it, or else its answer.
func (s *inquiry) invoked(ctx context.Context, rec domain.Record) (c Decision, answer domain.ID, err error) {
	steps, err := s.log.Select(ctx, domain.Selector{Key: domain.InvocationKey(rec.Envelope.ID)}, rec.Position, maxSteps)
	if err != nil {
		return c, answer, err
	}
	c = Decision{Kind: ByTool, Gate: domain.GateUnderWay, Numbers: Numbers{}}
	at := rec
	for _, step := range steps {
		switch step.Envelope.Type {
		case domain.PolicyDecidedType:
			if s.judged(&c, step.Envelope) {
				at = step
			}
		case domain.ApprovalProposedType:
			at = step
			c.Kind, c.Gate, c.Words = ByPolicy, domain.GateApproval, "it waits for you to approve it"+words(step.Envelope, s.until)
		case domain.ApprovalGrantedType:
			c.Kind, c.Gate, c.Words = ByTool, domain.GateUnderWay, ""
		case domain.ApprovalRefusedType:
			at, c.Gate, c.Words = step, domain.GateApprovalRefused, "you did not approve it"
		case domain.ApprovalExpiredType:
			at, c.Gate, c.Words = step, domain.GateApprovalExpired, "you were asked to approve it, and said nothing in time"
		case domain.ToolFailedType, domain.ToolOutcomeUnknownType, domain.ToolCompletedType:
			if c.Gate == domain.GateUnderWay || c.Gate == domain.GateApproval && step.Envelope.Type == domain.ToolCompletedType {
				at = step
				answer = s.result(&c, step.Envelope)
			}
		}
	}
	c.Decision, c.Trace, c.Position, c.At = at.Envelope.ID, at.Envelope.Trace, at.Position, at.RecordedAt
	return c, answer, nil
}

func (s *inquiry) until(p domain.ApprovalProposed) string { return ", until " + s.clock(p.ExpiresAt) }

// judged adds the policy's decision; false when it allowed the call.
func (s *inquiry) judged(c *Decision, e domain.Envelope) bool {
	p, readable := decoded[domain.PolicyDecided](e)
	if !readable {
		c.Kind, c.Gate = ByPolicy, domain.GateErased
		return true
	}
	c.Numbers["depth"], c.Codes = float64(p.Depth), narrate.Codes(p)
	if p.Verdict != domain.VerdictDenied {
		return false
	}
	c.Kind, c.Gate = ByPolicy, domain.GatePolicy
	c.Words = "the policy denied it: " + narrate.Shortened(narrate.Reasons(p), narrate.MaxLabel)
	return true
}

// result adds the end of a call. A good answer is no gate: its id is returned.
func (s *inquiry) result(c *Decision, e domain.Envelope) domain.ID {
	c.Kind, c.Gate, c.ended = ByTool, domain.GateToolFailed, e.Type
	switch e.Type {
	case domain.ToolFailedType:
		p, readable := decoded[domain.ToolFailed](e)
		if readable && p.Reason == codeUnreachable {
			c.Gate = domain.GateOffline
		}
		c.Words = "the call failed"
		if readable {
			c.Words += ": " + narrate.Fault(p.Reason, p.Detail)
		}
	case domain.ToolOutcomeUnknownType:
		c.Words = "it was called, and nobody knows what came of it"
	default:
		if len(e.Errors) == 0 {
			c.Gate, c.Words = domain.Gate(""), "it was used, and answered"
			return e.ID
		}
		c.Words = "it was used, and said that it failed" + narrate.Because(e)
	}
	c.Words = narrate.Shortened(strings.TrimSuffix(c.Words, "."), narrate.MaxLabel)
	return domain.ID{}
}

// codeNoTool is the refusal of a name that no tool ever had.
const codeNoTool domain.Code = "no_tool"

// Bounds of reading for a question about a tool's name.
const (
	registryPage  = 1000 // records at a time
	latestUses    = 20   // times it was asked for
	maxUsesLooked = 2000 // invocations that are searched
)

// tool answers for a tool's name: whether it is offered, the outcome of its latest
// invocations, and whether the model could have chosen it.
func (s *inquiry) tool(ctx context.Context) error {
	s.out.Target = Subject{Type: "tool", Label: "the tool " + narrate.Shortened(s.named, narrate.MaxName)}
	last, err := s.log.Select(ctx, domain.Selector{}, s.tail, 1)
	if err != nil {
		return err
	}
	if len(last) > 0 {
		s.target = domain.Record{RecordedAt: last[0].RecordedAt} // times are told relative to it
	}
	registry, err := s.registry(ctx)
	if err != nil {
		return err
	}
	known, err := s.uses(ctx, registry)
	if err != nil {
		return err
	}
	offered, err := s.thought(ctx)
	if err != nil {
		return err
	}
	domain.SortFunc(s.out.Considered, func(a, b Decision) int { return int(int64(a.Position) - int64(b.Position)) })
	if s.standing(registry, known || offered) {
		return nil
	}
	return replay.NotThere(codeNoTool, fmt.Sprintf("nothing that was heard or planned has the words %s, and no tool was ever called so: %s",
		narrate.Quoted(narrate.Shortened(s.named, narrate.MaxName)), possibleQuestions))
}

// registry is the interfaces and their tools at the log's end.
func (s *inquiry) registry(ctx context.Context) (*domain.Registry, error) {
	out := &domain.Registry{}
	return out, s.history(ctx, domain.TopicInterfaces, s.tail+1, out.Evolve)
}

// plain is the tool's name without its interface's.
func (s *inquiry) plain() string { return s.named[strings.LastIndexByte(s.named, '.')+1:] }

// uses adds the latest invocations of the tool; false when none was found within the
// bound.
func (s *inquiry) uses(ctx context.Context, registry *domain.Registry) (bool, error) {
	from, err := latest(ctx, s.log, domain.TopicTools, domain.ToolInvokedType, maxUsesLooked, 1, s.tail)
	if err != nil {
		return false, err
	}
	var found []domain.Record
	err = eachOfTopic(ctx, s.log, domain.TopicTools, from, s.tail, func(rec domain.Record) {
		if p, ok := decoded[domain.ToolInvoked](rec.Envelope); ok && rec.Envelope.Type == domain.ToolInvokedType && s.means(p, registry) {
			found = append(found, rec)
		}
	})
	if err != nil {
		return false, err
	}
	if n := len(found); n > latestUses {
		found, s.out.Cut = found[n-latestUses:], true
	}
	for _, rec := range found {
		c, answer, err := s.invoked(ctx, rec)
		if err != nil {
			return false, err
		}
		if !answer.IsZero() {
			s.out.Surfaced = answer
		}
		s.out.Considered = append(s.out.Considered, c)
	}
	return len(found) > 0, nil
}

// means reports whether an invocation is of the tool in question.
func (s *inquiry) means(p domain.ToolInvoked, registry *domain.Registry) bool {
	if p.Tool == s.named {
		return true
	}
	whose, ok := registry.Interfaces[p.InterfaceID]
	return ok && (s.named == whose.Name+"."+p.Tool || s.named == whose.ID.UUID()+"."+p.Tool)
}

// thought adds how often the model could have called the tool lately, and its refused
// calls; false when there is neither.
func (s *inquiry) thought(ctx context.Context) (bool, error) {
	from, err := latestDecided(ctx, s.log, 1, s.tail)
	if err != nil {
		return false, err
	}
	offered := 0
	r := episodes{walk: s.walk, through: s.tail, asking: s.asker, visit: func(d *episode) (going, error) {
		could := false
		for _, rec := range d.calls {
			if p, ok := decoded[domain.ModelCalled](rec.Envelope); ok && rec.Envelope.Type == domain.ModelCalledType {
				could = could || slices.ContainsFunc(p.Tools, s.isNamed)
			}
			if p, ok := decoded[domain.CallRejected](rec.Envelope); ok && rec.Envelope.Type == domain.CallRejectedType && s.isNamed(p.Tool) {
				s.out.Considered = append(s.out.Considered, s.turnedDown(rec, p))
			}
		}
		if could {
			offered++
		}
		return goOn, nil
	}}
	cut, err := r.read(ctx, from)
	s.out.Cut = s.out.Cut || cut
	if offered > 0 {
		s.before = append(s.before, narrate.Words("Lately the model could have called it "+oneOf(offered, "once", fmt.Sprintf("%d times", offered))+"."))
	}
	return offered > 0 || len(s.out.Considered) > 0, err
}

func (s *inquiry) isNamed(tool string) bool {
	return tool == s.named || tool == s.plain() || strings.HasSuffix(tool, "."+s.named)
}

func (s *inquiry) turnedDown(rec domain.Record, p domain.CallRejected) Decision {
	c := Decision{Decision: rec.Envelope.ID, Trace: rec.Envelope.Trace, Position: rec.Position, At: rec.RecordedAt, Kind: ByTool, Gate: domain.GateCallRejected, Numbers: Numbers{}}
	if len(rec.Envelope.Errors) > 0 {
		c.Gate = gateOf(rec.Envelope.Errors[0].Code)
	}
	c.Words = "the model asked for it, and that was turned down: " + narrate.Shortened(strings.TrimSuffix(p.Reason, "."), narrate.MaxLabel)
	return c
}

// gateOf is the gate of a call that was refused with a code.
func gateOf(code domain.Code) domain.Gate {
	switch code {
	case domain.CodeToolOffline:
		return domain.GateOffline
	case domain.CodeToolPending:
		return domain.GateScope
	case domain.CodeNoTool:
		return domain.GateNoTool
	case domain.CodeAmbiguousTool:
		return domain.GateAmbiguousTool
	}
	return domain.GateCallRejected
}

// standing adds whether the tool can be used at the log's end, and what prevents it;
// false when the tool is unknown.
func (s *inquiry) standing(registry *domain.Registry, known bool) bool {
	offer, err := registry.ResolveOffer(s.named)
	gate := gateOf(domain.CodeOf(err))
	switch {
	case err == nil:
		s.after = append(s.after, narrate.Sayf("It is offered by %s, and could be used now.", narrate.Quoted(offer.Interface.Name)))
		if len(s.out.Considered) == 0 {
			s.out.Never = NeverAsked
		}
		return true
	case gate == domain.GateNoTool && known:
		return true // a skill, or a tool of a removed interface
	case gate == domain.GateNoTool:
		return false
	}
	c := Decision{Position: registry.Through, Kind: ByTool, Gate: gate, Numbers: Numbers{}, At: s.target.RecordedAt}
	for _, i := range registry.Listed() {
		if slices.ContainsFunc(i.Tools, func(t domain.Tool) bool { return t.Name == s.plain() || t.Name == s.named }) {
			c.Decision, c.because = i.ID, i.ID
			if why := strings.TrimSpace(i.OfflineWhy); gate == domain.GateOffline && why != "" {
				c.Words = " (" + narrate.Shortened(why, narrate.MaxName) + ")"
			}
		}
	}
	c.Words = narrate.Shortened(messageOf(err), narrate.MaxLabel) + c.Words
	s.out.Considered = append(s.out.Considered, c)
	return true
}

// maxHistory bounds the records of a topic that are folded up to a position.
const maxHistory = 100_000

// usable are the changes with which a tool would have been used.
func (s *inquiry) usable(ctx context.Context, c Decision) ([]Counterfactual, error) {
	switch c.Gate {
	case domain.GatePolicy:
		return s.permitted(ctx, c)
	case domain.GateApprovalRefused, domain.GateApprovalExpired:
		yes, err := s.approved(ctx, c)
		if err != nil {
			return nil, err
		}
		more, err := s.permitted(ctx, c)
		return append(yes, more...), err
	}
	return nil, nil
}

// approved is the person's own yes to the proposal of an invocation; none where the log
// has no proposal.
func (s *inquiry) approved(ctx context.Context, c Decision) (out []Counterfactual, err error) {
	rec, err := s.log.Find(ctx, c.Decision)
	if err != nil {
		return nil, err
	}
	invocation, _ := domain.InvocationOf(rec.Envelope)
	steps, err := s.log.Select(ctx, domain.Selector{Key: domain.InvocationKey(invocation)}, 1, maxSteps)
	for _, step := range steps {
		if step.Envelope.Type == domain.ApprovalProposedType {
			out = []Counterfactual{{Kind: ChangeApproval, Words: "you had approved it", Approve: step.Envelope.ID}}
		}
	}
	return out, err
}

// permitted are other rules with which the policy of that time would have had an invocation
// made, or have asked the person, the smallest change first: one rule less, or else one
// more. The policy decides again with each: its decision depends on the question alone.
func (s *inquiry) permitted(ctx context.Context, c Decision) ([]Counterfactual, error) {
	decision, book, in, err := s.asked(ctx, c)
	if err != nil || in.InvocationID.IsZero() {
		return nil, err
	}
	rules := book.Rules()
	if again := rules.Decide(in, decision.RegimeID); again.Verdict != decision.Verdict {
		return nil, nil // today's code decides otherwise by the policy of then
	}
	var out []Counterfactual
	suppose := func(p domain.PolicyRules, words string) {
		again := p.Decide(in, decision.RegimeID)
		if asks := again.Verdict == domain.VerdictApproval; again.Allowed || asks && decision.Verdict == domain.VerdictDenied {
			out = append(out, Counterfactual{Kind: ChangePolicy, Words: words, Policy: &p, asks: asks})
		}
	}
	if in.Depth > rules.MaxDepth {
		deeper := rules
		deeper.MaxDepth = in.Depth
		suppose(deeper, fmt.Sprintf("the policy's max_depth had been %d instead of %d", in.Depth, rules.MaxDepth))
		return out, nil
	}
	for i, rule := range rules.Rules {
		if slices.Contains(decision.ReasonCodes, rule.Name) {
			fewer := rules
			fewer.Rules = slices.Delete(slices.Clone(rules.Rules), i, i+1)
			suppose(fewer, fmt.Sprintf("the policy had not had the rule %s", narrate.Quoted(rule.Name)))
		}
	}
	lets := rules
	lets.Rules = append([]domain.PolicyRule{{Name: "why_not", Actors: []string{in.Actor}, Capabilities: []string{in.Manifest.CapabilityID},
		Verdict: domain.VerdictAllowed, Autonomy: domain.AutonomyFull, Confirmed: true}}, rules.Rules...)
	suppose(lets, fmt.Sprintf("the policy's first rule had been one that lets %s use %s", actorNamed(cmp.Or(in.Named, in.Actor)), narrate.Quoted(in.Manifest.CapabilityID[strings.LastIndexByte(in.Manifest.CapabilityID, '/')+1:])))
	return out, nil
}

// calledBy is what rules may call an actor beside its id; "" for nothing.
func (s *inquiry) calledBy(ctx context.Context, actor string) (string, error) {
	issued, ok := domain.Principal(actor).Program()
	if !ok {
		return "", nil
	}
	rec, err := s.log.Find(ctx, issued)
	if err != nil {
		if domain.CategoryOf(err) == domain.NotFound {
			err = nil
		}
		return "", err
	}
	token, readable := decoded[domain.TokenIssued](rec.Envelope)
	if !readable {
		return "", nil
	}
	return domain.ProgramNamed(token.Name), nil
}

// actorNamed names an actor for a person.
func actorNamed(actor string) string {
	switch actor {
	case domain.ActorOperator:
		return "you"
	case domain.ActorReasoning:
		return "Chalie by itself"
	}
	return narrate.Shortened(narrate.Actor(actor), narrate.MaxLabel)
}

// asked is the recorded question to the policy, and the policy of that time; no question
// when it can't be read any more.
func (s *inquiry) asked(ctx context.Context, c Decision) (decision domain.PolicyDecided, book domain.Rulebook, in domain.Invoking, err error) {
	rec, err := s.log.Find(ctx, c.Decision)
	if err != nil {
		return decision, book, in, err
	}
	invocation, _ := domain.InvocationOf(rec.Envelope)
	steps, err := s.log.Select(ctx, domain.Selector{Key: domain.InvocationKey(invocation)}, 1, maxSteps)
	if err != nil {
		return decision, book, in, err
	}
	var decided domain.Record
	for _, step := range steps {
		if step.Envelope.Type == domain.PolicyDecidedType {
			decided = step
		}
	}
	decision, readable := decoded[domain.PolicyDecided](decided.Envelope)
	if decided.Position == 0 || !readable {
		return decision, book, in, nil
	}
	if err := s.history(ctx, domain.TopicPolicy, decided.Position, book.Evolve); err != nil {
		return decision, book, in, err
	}
	named, err := s.calledBy(ctx, decision.Actor)
	if err != nil {
		return decision, book, in, err
	}
	manifest := domain.Manifest{CapabilityID: decision.CapabilityID, Version: decision.CapabilityVersion, SideEffects: decision.SideEffects, Autonomy: decision.Autonomy}
	if manifest.Autonomy == "" {
		manifest.Autonomy = domain.AutonomyFull
	}
	manifest.Ask = domain.AskAsSaid
	said, _ := book.Said(decision.CapabilityID)
	if said.RequiresApproval != nil {
		manifest.RequiresApproval = *said.RequiresApproval
	}
	if said.Ask != nil && (*said.Ask == domain.AskAlways || !slices.Contains(decision.ReasonCodes, domain.ReasonLapsed)) {
		manifest.Ask = *said.Ask
	}
	in = domain.Invoking{InvocationID: decision.InvocationID, ParentInvocationID: decision.ParentInvocationID, Depth: decision.Depth,
		Actor: decision.Actor, Named: named, Channel: decision.Channel, Manifest: manifest}
	if decision.OpenedBy != "" {
		in.Footing = &domain.Footing{OwnReading: decision.RestsOn == domain.RestOwnWords, Words: decision.Words, Carried: decision.Carried}
	}
	for _, code := range decision.ReasonCodes {
		if in.Footing != nil && code == domain.ReasonNoDeed {
			in.Footing.Deed = &domain.Deed{}
		}
		if in.Footing != nil && code == domain.ReasonContrary {
			in.Footing.Deed = &domain.Deed{Against: []domain.DeedWords{{}}}
		}
		in.Unconfirmed = in.Unconfirmed || code == domain.ReasonUnconfirmed
		in.CantWait = in.CantWait || code == domain.ReasonNobodyToAsk
		in.Manifest.RequiresApproval = in.Manifest.RequiresApproval || code == domain.ReasonAsksFirst
		in.Manifest.MovesMoney = in.Manifest.MovesMoney || code == domain.ReasonMovesMoney
		in.Manifest.Lapsed = in.Manifest.Lapsed || code == domain.ReasonLapsed
	}
	return decision, book, in, nil
}

// history folds the records of a topic before a position.
func (s *inquiry) history(ctx context.Context, topic domain.Topic, end domain.Position, evolve func(domain.Record) error) error {
	read := 0
	for from := domain.Position(1); from < end && read < maxHistory; {
		page, err := s.log.Select(ctx, domain.Selector{Topic: topic}, from, registryPage)
		if err != nil {
			return err
		}
		for _, rec := range page {
			if rec.Position >= end {
				return nil
			}
			if err := evolve(rec); err != nil {
				return err
			}
		}
		if read += len(page); len(page) < registryPage {
			return nil
		}
		from = page[len(page)-1].Position + 1
	}
	return nil
}
