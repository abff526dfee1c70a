package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"chalie/commands"
	"chalie/commands/limit"
	"chalie/commands/screen"
	"chalie/domain"
)

// judge finds the tool and checks everything that needs no record.
func (t *Tools) judge(ctx context.Context, c commands.Caller, in Invocation) (*invoking, error) {
	if err := commands.CheckZone("invoke tool", c.Zone); err != nil {
		return nil, err
	}
	if err := t.waitForRegime(ctx); err != nil {
		return nil, err
	}
	inv := &invoking{id: in.ID, source: c.Source, zone: c.Zone, fromNowOn: in.FromNowOn}
	if inv.id.IsZero() {
		inv.id = t.cfg.IDs.NewID()
	}
	var err error
	if inv.offer, err = t.Offer(in.Tool); err != nil {
		return nil, err
	}
	if err := inv.offer.Tool.CheckSchemas(); err != nil { // it was taken in before there was a bound
		return nil, err
	}
	if err := inv.offer.Tool.CheckParams(in.Params); err != nil {
		return nil, err
	}
	if inv.params, err = domain.NormalParams(in.Params); err != nil {
		return nil, err
	}
	if err := t.checkSchema(ctx, inv.offer.Tool, inv.params); err != nil {
		return nil, err
	}
	// In an episode the skill asks back itself, in words for the person.
	if own, ok := t.own.skills[inv.offer.Tool.Name].(SkillChecker); ok && inv.offer.IsOwn() && in.CallKey == "" {
		if err := own.Check(inv.params); err != nil {
			return nil, err
		}
	}
	inv.screen()
	if in.CallKey != "" {
		if err := inv.checkSecrets(in.Withheld); err != nil {
			return nil, err
		}
	}
	_, speaksMCP := c.MCP()
	switch {
	case in.Channel == domain.ChannelMCP && in.CallKey == "" && speaksMCP:
	case !c.Operator && in.CallKey == "":
		in.Channel = domain.ChannelToken
	case in.Channel == "":
		in.Channel = string(c.Source)
	}
	if len(in.Channel) > domain.MaxNameBytes {
		return nil, domain.Invalid("invoke tool", "channel", fmt.Sprintf("channel has %d bytes, the bound is %d", len(in.Channel), domain.MaxNameBytes))
	}
	inv.question = domain.Invoking{
		InvocationID: inv.id, Actor: domain.ActorOf(c.Principal), Channel: in.Channel, Manifest: t.cfg.Regime.Manifest(inv.offer),
		Footing: in.Footing, Unconfirmed: in.Unconfirmed,
	}
	inv.lineage = domain.Begin(domain.TraceID{ID: inv.id}, c.Principal)
	if !in.Parent.IsZero() {
		if err := t.judgeCause(ctx, c, in, inv); err != nil {
			return nil, err
		}
	}
	if !in.Command.ID.IsZero() {
		inv.lineage = domain.Continue(in.Command)
	}
	return inv, nil
}

// checkSchema judges params by the tool's JSON Schema, if it has one. The validation error
// names every place that is wrong. What is no schema checks nothing.
func (t *Tools) checkSchema(ctx context.Context, of domain.Tool, params json.RawMessage) error {
	if len(of.Schema) == 0 || t.cfg.Formats == nil {
		return nil
	}
	given, err := of.WithoutNulls(params)
	if err != nil {
		return err
	}
	wrong, checked, err := t.cfg.Formats.Check(ctx, of.Schema, given)
	switch {
	case err != nil:
		return tooMuchToCheck(of, err)
	case checked && len(wrong) > 0:
		return Misfits(wrong)
	}
	return nil
}

// Misfit is a way in which a value isn't what a schema says.
type Misfit struct {
	Words string // as they are recorded, and compared in a replay: they never change
	Plain string // for people, without a full stop
}

// Misfits are those of the parameters of a call, as an error: the validation error in it is for people.
type Misfits []Misfit

// Words are those that are recorded.
func (m Misfits) Words() string { return strings.Join(m.recorded(), "; ") }

// Error is that of the validation error.
func (m Misfits) Error() string { return m.Unwrap().Error() }

// Unwrap is the validation error.
func (m Misfits) Unwrap() error {
	return domain.Invalid("check parameters", "params", strings.Join(m.plain(), "; "))
}

// recorded are their words, never nil.
func (m Misfits) recorded() []string {
	out := make([]string, len(m))
	for i, one := range m {
		out[i] = one.Words
	}
	return out
}

// plain are their words for people, each once: several of which one has to be put right are
// told in one sentence.
func (m Misfits) plain() []string {
	var out []string
	for _, one := range m {
		if !slices.Contains(out, one.Plain) {
			out = append(out, one.Plain)
		}
	}
	return out
}

// tooMuchToCheck names the tool of which params took too much work to check.
func tooMuchToCheck(of domain.Tool, err error) error {
	if domain.CodeOf(err) != domain.CodeSchemaTooLarge {
		return err
	}
	return &domain.Error{Op: "check parameters", Category: domain.Validation, Code: domain.CodeSchemaTooLarge, Field: "params",
		Message: fmt.Sprintf("%s wasn't called, because its params couldn't be checked by its schema: %s", of.Name, commands.InWords(err)), Err: err}
}

// waitForRegime waits until what decides knows every change that was recorded
// before this process began. Later ones wait for it themselves.
func (t *Tools) waitForRegime(ctx context.Context) error {
	if t.cfg.Governed == nil || t.governed.Load() {
		return nil
	}
	if err := commands.CatchUp(ctx, t.cfg.Governed, t.cfg.Tail.Tail()); err != nil {
		return err
	}
	t.governed.Store(true)
	return nil
}

// judgeCause makes an invocation a part of what caused it.
func (t *Tools) judgeCause(ctx context.Context, c commands.Caller, in Invocation, inv *invoking) error {
	cause, err := t.cfg.Reader.Find(ctx, in.Parent)
	if err != nil {
		return err
	}
	var around domain.ToolInvoked
	outer, nested := domain.InvocationOf(cause.Envelope)
	if nested {
		first, err := t.cfg.Reader.Find(ctx, outer)
		if err != nil {
			return err
		}
		if around, err = domain.Decode[domain.ToolInvoked](first.Envelope); err != nil && domain.CodeOf(err) != domain.CodeErased {
			return err
		}
		inv.question.ParentInvocationID, inv.question.Depth = outer, around.Depth+1
		if !c.Owns(cause) {
			if err := t.judgeNested(ctx, c, first, around); err != nil {
				return err
			}
			inv.question.Channel = domain.ChannelNested
			if inv.isPartOf(around) {
				inv.question.Actor, inv.question.Channel, inv.question.Unconfirmed = around.Actor, around.Channel, around.Unconfirmed
			}
		}
	}
	if !nested && !c.Owns(cause) {
		return otherPrincipal(c, cause.Envelope)
	}
	inv.lineage = domain.Continue(cause.Envelope)
	if in.CallKey == "" {
		return nil
	}
	// On whose behalf an episode acts is not for its caller to say.
	opening, err := t.cfg.Reader.Find(ctx, cause.Envelope.Trace.ID)
	if err != nil {
		return err
	}
	inv.question.Actor, inv.question.Channel = domain.ActingFor(opening.Envelope)
	return nil
}

// judgeNested lets an interface invoke a tool while it carries out an invocation: the
// principal of the outer one is that of the inner one.
func (t *Tools) judgeNested(ctx context.Context, c commands.Caller, first domain.Record, around domain.ToolInvoked) error {
	who, err := domain.ParseID(string(c.Principal))
	if err != nil || around.InterfaceID != who {
		return otherPrincipal(c, first.Envelope)
	}
	course, err := t.course(ctx, first)
	if err != nil {
		return err
	}
	if course.Stage() != domain.InvocationDispatched {
		return &domain.Error{Op: "invoke tool", Category: domain.Policy, Code: "parent_not_under_way", Field: "parent_id",
			Message: "the parent invocation isn't under way: only what is being done can have something else done for it"}
	}
	return nil
}

func otherPrincipal(c commands.Caller, cause domain.Envelope) error {
	return &domain.Error{Op: "invoke tool", Category: domain.Policy, Code: "other_principal", Field: "parent_id",
		Message: fmt.Sprintf("%s is accountable for the parent, not %s: an invocation has the principal of what caused it", cause.Principal, c.Principal)}
}

// invoking is an invocation under way: what is to be done, and its latest step.
type invoking struct {
	id       domain.ID
	lineage  domain.Lineage
	source   domain.Source
	zone     string // where its caller's device is; "" where what caused it says it
	offer    domain.Offer
	params   json.RawMessage // as they are sent
	kept     json.RawMessage // as they are stored: without secrets
	marks    *domain.Marks   // what was taken out of kept
	question domain.Invoking

	fromNowOn bool // the person's yes is for the future, too
	decision  domain.PolicyDecided
	once      *once      // of one with a Key
	callKey   domain.Key // of a tool call of an episode
	bill      *bill      // nil when it counts for no caller
	bounded   bool       // how many proposals may wait counts for it
	along     bool       // it is only asked about
	missing   error      // why it can no longer be called; of a resumed one

	stage   domain.InvocationStage
	course  domain.InvocationState // of a resumed one
	last    domain.ID              // the envelope of the latest step
	through domain.Position        // of the latest record under its key
	began   domain.Millis          // when the call left; 0 before
}

// isPartOf reports whether an invocation is no more than a part of what the person has a program
// do: it is the program's own, and changes nothing. The person asked for the whole, and the program could
// have done the part without a word.
func (inv *invoking) isPartOf(around domain.ToolInvoked) bool {
	m := inv.question.Manifest
	return around.Actor == domain.ActorOperator && !inv.offer.IsOwn() && inv.offer.Interface.ID == around.InterfaceID &&
		!m.SideEffects && !m.RequiresApproval && m.Ask != domain.AskAlways && m.Autonomy == domain.AutonomyFull
}

// begin records the invocation and the policy's decision; nothing of one that is only asked about
// and needs no approval.
func (t *Tools) begin(ctx context.Context, inv *invoking) error {
	q := inv.question
	inv.decision = t.cfg.Regime.Decide(q)
	if inv.along && inv.decision.Verdict != domain.VerdictApproval {
		return nil
	}
	bounded := inv.decision.Verdict == domain.VerdictApproval && inv.bounded && q.Actor != domain.ActorOperator
	var counted domain.Position
	if bounded {
		var err error
		if counted, err = t.countProposals(ctx, q.Actor); err != nil {
			return err
		}
	}
	invoked, err := domain.New(inv.lineage, inv.id, t.cfg.Now(), inv.source, domain.ToolInvoked{
		InterfaceID: inv.offer.Interface.ID, Tool: inv.offer.Tool.Name, Params: inv.kept, Marks: inv.marks,
		Actor: q.Actor, Channel: q.Channel, ParentInvocationID: q.ParentInvocationID, Depth: q.Depth, Unconfirmed: q.Unconfirmed, Zone: inv.zone,
	})
	if err != nil {
		return err
	}
	var first []domain.Condition
	if inv.once != nil {
		invoked.Envelope.Keys = append(invoked.Envelope.Keys, inv.once.key)
		first = append(first, inv.once.condition())
	}
	if inv.callKey != "" {
		invoked.Envelope.Keys = append(invoked.Envelope.Keys, inv.callKey)
		first = append(first, domain.Condition{Key: inv.callKey})
	}
	inv.last, inv.stage = inv.id, domain.InvocationDenied
	if inv.decision.Allowed {
		inv.stage = domain.InvocationAllowed
	}
	before, last, err := t.judged(inv, invoked)
	if err != nil {
		return err
	}
	all := with{before: before, conditions: first}
	if err := t.forGood(inv, invoked.Envelope, &all); err != nil {
		return err
	}
	if err := inv.bill.reserve(limit.Weight(before...) + limit.Weight(last) + endRoom); err != nil {
		return err
	}
	if inv.stage == domain.InvocationWaiting && inv.holdsSecret() {
		t.unstored.keep(inv.id, inv.params) // now: once it is recorded it can be approved
	}
	add := func() error { return t.step(ctx, inv, last, all) }
	if bounded {
		add = func() error { return t.addCounted(ctx, inv, last, all, counted) }
	}
	if err := add(); err != nil {
		t.unstored.drop(inv.id)
		return err
	}
	inv.last = last.Envelope.ID
	return t.waitForRules(ctx, inv, all.after)
}

// addCounted appends a proposal on the condition that there is none that wasn't counted,
// and counts again when there is.
func (t *Tools) addCounted(ctx context.Context, inv *invoking, last domain.Entry, more with, counted domain.Position) error {
	for {
		now := more
		now.conditions = append(slices.Clone(more.conditions), domain.Condition{Key: domain.ProposedKey, After: counted})
		failed := t.step(ctx, inv, last, now)
		if domain.CodeOf(failed) != domain.CodeConditionFailed {
			return failed
		}
		again, err := t.countProposals(ctx, inv.question.Actor)
		if err != nil {
			return err
		}
		if again == counted {
			return failed // it was another condition
		}
		counted = again
	}
}

// judged is the invocation and its decision, and the proposal if the person has to
// approve it.
func (t *Tools) judged(inv *invoking, invoked domain.Entry) (before []domain.Entry, last domain.Entry, err error) {
	waits := inv.decision.Verdict == domain.VerdictApproval
	var proposal domain.ID
	var hash domain.SecretHash
	if waits {
		proposal = t.cfg.IDs.NewID()
		hash = domain.HashSecret(t.cfg.Tokens.Token(proposal))
		inv.decision.ProposalToken = hash.String()
	}
	inv.decision.DecisionID = t.cfg.IDs.NewID()
	decided, err := domain.New(domain.Continue(invoked.Envelope), inv.decision.DecisionID, t.cfg.Now(), policySource, inv.decision)
	if err != nil || !waits {
		return []domain.Entry{invoked}, decided, err
	}
	decided.Envelope.Keys = []domain.Key{domain.InvocationKey(inv.id)}
	proposed, err := t.proposed(inv, decided.Envelope, proposal, hash)
	return []domain.Entry{invoked, decided}, proposed, err
}

// dispatch records that the call leaves now, and the state before it; nil for none.
func (t *Tools) dispatch(ctx context.Context, inv *invoking, state *domain.StateTaken) error {
	var before []domain.Entry
	last := inv.last
	if state != nil {
		taken, err := domain.New(inv.next(), t.cfg.IDs.NewID(), t.cfg.Now(), toolsSource, *state)
		if err != nil {
			return err
		}
		taken.Envelope.Keys = []domain.Key{domain.InvocationKey(inv.id)}
		before, inv.last = []domain.Entry{taken}, taken.Envelope.ID
	}
	entry, err := domain.New(inv.next(), t.cfg.IDs.NewID(), t.cfg.Now(), toolsSource, domain.ToolDispatched{InvocationID: inv.id})
	if err != nil {
		return err
	}
	if err := t.step(ctx, inv, entry, with{before: before}); err != nil {
		inv.last = last
		return err
	}
	inv.began = t.cfg.Now()
	return nil
}

// next is the lineage of the next step.
func (inv *invoking) next() domain.Lineage {
	return domain.Lineage{Trace: inv.lineage.Trace, Parent: inv.last, Principal: inv.lineage.Principal}
}

// with is the entries that go into one batch with a step.
type with struct {
	before     []domain.Entry
	after      []domain.Entry
	conditions []domain.Condition
}

// step appends the next step, with what goes with it, on the condition that
// nobody has made it. When nobody knows whether it is in the log it is appended
// once more, with the same ids.
func (t *Tools) step(ctx context.Context, inv *invoking, entry domain.Entry, more with) error {
	const attempts = 3
	ctx, cancel := context.WithTimeout(ctx, t.cfg.Within)
	defer cancel()
	key := domain.InvocationKey(inv.id)
	entry.Envelope.Keys = append(entry.Envelope.Keys, key)
	batch := domain.Batch{
		Entries:    slices.Concat(more.before, []domain.Entry{entry}, more.after),
		Conditions: append(slices.Clone(more.conditions), domain.Condition{Key: key, After: inv.through}),
	}
	var receipt domain.Receipt
	var err error
	for range attempts {
		receipt, err = t.cfg.Log.Append(ctx, batch)
		if domain.CodeOf(err) != domain.CodeOutcomeUnknown || ctx.Err() != nil {
			break
		}
	}
	if err == nil || domain.CodeOf(err) == domain.CodeOutcomeUnknown {
		inv.bill.spend(limit.Weight(batch.Entries...))
	}
	if err != nil {
		return err
	}
	if entry.Envelope.Kind == domain.KindResult {
		t.unstored.drop(inv.id)
	}
	inv.last, inv.through = batch.Entries[len(batch.Entries)-1].Envelope.ID, receipt.Positions[len(receipt.Positions)-1]
	return nil
}

// callAttempts bounds how often a call is looked at again because somebody else
// made a step of it at the same moment.
const callAttempts = 8

// Call makes a tool call of an episode, or continues it from where the log says
// it is. It is for callers who ask until it has ended, also after a crash:
//
//	what the log holds           what Call does
//	nothing                      judges, and records the invocation and its decision
//	decided, not dispatched      dispatches and calls: nothing has left so far; when
//	                             it is Cancelled or GivenUp, ends it as tool.failed
//	waits for the person         returns Invoked with Outcome approval.proposed
//	dispatched, without an end   asks again what changes nothing, with the same
//	                             Idempotency-Key; does what Chalie itself can do, for
//	                             had it been done, it had an end; and ends anything
//	                             else as tool.outcome_unknown. What Chalie itself can do
//	                             ends as tool.failed when it is Cancelled or GivenUp, and
//	                             what is GivenUp isn't asked again
//	ended                        tells the end
//
// Two at once for the same CallKey wait for each other. When ctx ends before the
// call has left, it doesn't, and the error is retriable; a call that left is waited for. One
// that Until breaks off is left as it is, with a retriable error.
//
// Errors: as Invoke's. Unlike there, an invocation whose next step can't be
// recorded stays as it is, for the next Call.
func (t *Tools) Call(ctx context.Context, c commands.Caller, in Invocation) (Invoked, error) {
	if in.CallKey == "" || in.Key != "" {
		return Invoked{}, domain.Invalid("call tool", "call_key", "a tool call of an episode has a CallKey, and no Key of its caller's")
	}
	if err := ctx.Err(); err != nil {
		return Invoked{}, notBegun(err)
	}
	done, err := t.requests.Enter(ctx, in.CallKey)
	if err != nil {
		return Invoked{}, err
	}
	defer done()
	var out Invoked
	for range callAttempts {
		if out, err = t.call(ctx, c, in); domain.CodeOf(err) != domain.CodeConditionFailed {
			return out, err
		}
	}
	return out, err
}

func (t *Tools) call(ctx context.Context, c commands.Caller, in Invocation) (Invoked, error) {
	records, err := t.cfg.Reader.Select(ctx, domain.Selector{Key: in.CallKey}, 1, 1)
	if err != nil {
		return Invoked{}, err
	}
	if len(records) == 0 {
		return t.invoke(ctx, c, in, nil)
	}
	return t.goOnUnless(ctx, records[0], in.stopped())
}

// goOn takes an invocation from where the log says it is. Two at once wait for
// each other.
func (t *Tools) goOn(ctx context.Context, first domain.Record) (Invoked, error) {
	return t.goOnUnless(ctx, first, "")
}

// Why a call isn't gone on with.
const (
	wasCancelled = "it was cancelled"
	wasGivenUp   = "it was given up"
)

// stopped is why a call isn't gone on with; "" when it is.
func (in Invocation) stopped() string {
	switch {
	case in.GivenUp:
		return wasGivenUp
	case in.Cancelled:
		return wasCancelled
	}
	return ""
}

// goOnUnless is goOn, unless there is a reason not to: then what hasn't left doesn't, what
// Chalie itself was doing isn't done, and of what was given up nothing is asked again.
func (t *Tools) goOnUnless(ctx context.Context, first domain.Record, why string) (Invoked, error) {
	ctx = t.cfg.Act(ctx)
	done, err := t.requests.Enter(ctx, domain.InvocationKey(first.Envelope.ID))
	if err != nil {
		return Invoked{ID: first.Envelope.ID}, err
	}
	defer done()
	defer t.hold(first.Envelope.ID)()
	inv, err := t.resumed(ctx, first)
	if err != nil {
		return Invoked{ID: first.Envelope.ID}, err
	}
	if why == "" {
		return t.carry(ctx, inv)
	}
	work := context.WithoutCancel(ctx)
	switch own := inv.offer.IsOwn(); {
	case inv.stage == domain.InvocationAllowed:
		return t.end(work, inv, notDispatched(inv, why+" before the call was made"))
	case inv.stage == domain.InvocationDispatched && own && inv.missing == nil:
		return t.end(work, inv, failed(inv, domain.CodeInterrupted, why+" before it was done; nothing was changed", false, 0))
	case inv.stage == domain.InvocationDispatched && why == wasGivenUp:
		return t.end(work, inv, unknown(inv, domain.CodeInterrupted, why+" while the call was under way"+domain.PerhapsDone, 0))
	}
	return t.carry(ctx, inv)
}

// carry makes the remaining steps of a decided invocation, until it ends or waits for
// the person.
func (t *Tools) carry(ctx context.Context, inv *invoking) (Invoked, error) {
	// From here on it must get an end, even if the caller goes away.
	work := context.WithoutCancel(ctx)
	switch inv.stage {
	case domain.InvocationEnded:
		return toldAgain(inv)
	case domain.InvocationDenied:
		return t.end(work, inv, denied(inv))
	case domain.InvocationWaiting:
		return t.wait(work, inv)
	case domain.InvocationDispatched:
		return t.interrupted(ctx, inv)
	}
	if inv.missing != nil {
		return t.end(work, inv, notDispatched(inv, commands.InWords(inv.missing)))
	}
	before := t.state(ctx, inv, domain.BeforeCall)
	if err := ctx.Err(); err != nil {
		if inv.goesOn() {
			return Invoked{ID: inv.id}, notBegun(err)
		}
		return t.end(work, inv, notDispatched(inv, "whoever asked for it went away before the call was made"))
	}
	if err := t.dispatch(work, inv, before); err != nil {
		if inv.goesOn() && domain.CodeOf(err) != domain.CodeOutcomeUnknown {
			return Invoked{ID: inv.id}, err
		}
		return t.abandon(work, inv, err)
	}
	if inv.offer.IsOwn() {
		return t.perform(ctx, inv)
	}
	calling, stop := t.cancellable(ctx, work, inv)
	e := t.execute(calling, inv)
	stop()
	if !e.left {
		e.state = t.state(work, inv, domain.AfterCall)
	}
	return t.end(work, inv, e)
}

// interrupted settles an invocation that was dispatched and has no end.
func (t *Tools) interrupted(asking context.Context, inv *invoking) (Invoked, error) {
	ctx := context.WithoutCancel(asking)
	switch {
	case inv.missing != nil:
	case inv.offer.IsOwn():
		return t.perform(asking, inv)
	case !inv.decision.SideEffects && inv.decision.Allowed && !inv.question.Manifest.SideEffects:
		inv.began = t.cfg.Now()
		return t.end(ctx, inv, t.execute(ctx, inv))
	}
	return t.end(ctx, inv, interruptedCall(inv, 0))
}

// goesOn reports whether somebody will ask for it again, so that it may be left
// where it is.
func (inv *invoking) goesOn() bool { return inv.callKey != "" || !inv.course.Proposed.IsZero() }

// Formats checks what tools take and answer against what they declare. It is safe
// for concurrent use.
type Formats interface {
	// Check returns where a value isn't what a schema says; checked is false
	// when the text is no schema. It asks nothing of the network. The error says that it
	// takes too much work, and that always of the same two; or it is the context's, with
	// which the work ends.
	Check(ctx context.Context, schema, value json.RawMessage) (wrong []Misfit, checked bool, err error)
}

// stateWithin bounds the call that takes a state.
const stateWithin = 5 * time.Second

// state asks for the state that a tool acts on, as the entry that keeps it; nil for
// a tool that doesn't offer it. That it can't be had is recorded, and stops nothing.
func (t *Tools) state(ctx context.Context, inv *invoking, when domain.Moment) *domain.StateTaken {
	if inv.offer.Tool.StateSnapshot == "" {
		return nil
	}
	defer commands.Anew(ctx)
	ctx, cancel := t.bounded(ctx, min(stateWithin, t.cfg.Within))
	defer cancel()
	at := commands.EndpointOf(inv.offer.Interface)
	out := &domain.StateTaken{InvocationID: inv.id, When: when}
	back := commands.Outside(ctx)
	result, err := t.cfg.Peer.Execute(ctx, at, commands.Call{
		Capability: inv.offer.Tool.StateSnapshot, Params: inv.params, Key: inv.id.UUID() + "-" + string(when)})
	back()
	switch {
	case err != nil:
		out.Problem = domain.Cut(commands.InWords(err), commands.MaxFaultBytes)
	case result.Error != nil && *result.Error != "":
		out.Problem = domain.Cut(screen.Text(*result.Error), commands.MaxFaultBytes)
	case len(result.Data) > domain.MaxStateBytes:
		out.Problem = fmt.Sprintf("it takes %d bytes, the bound is %d", len(result.Data), domain.MaxStateBytes)
	case inv.bill.reserve(len(result.Data)) != nil:
		out.Problem = "so much was recorded for the caller in the last minute that it has no room"
	default:
		out.State = result.Data
	}
	if result.Text != nil && out.Problem == "" {
		out.Description = domain.Cut(screen.Text(*result.Text), commands.MaxFaultBytes)
	}
	return out
}

// followUps are the entries recorded together with an answer: the state after the call,
// and whether the answer is what the tool declares to return.
func (t *Tools) followUps(ctx context.Context, inv *invoking, e callEnd, end domain.Envelope) (more []domain.Entry, issues []string, err error) {
	lineage := domain.Continue(end)
	add := func(entry domain.Entry, failure error) {
		entry.Envelope.Keys = []domain.Key{domain.InvocationKey(inv.id)}
		lineage.Parent = entry.Envelope.ID
		if more = append(more, entry); err == nil {
			err = failure
		}
	}
	if e.state != nil {
		add(domain.New(lineage, t.cfg.IDs.NewID(), t.cfg.Now(), toolsSource, *e.state))
	}
	if end.Type != domain.ToolCompletedType || e.completed == nil || e.completed.Error != nil || t.cfg.Formats == nil || len(inv.offer.Tool.Returns) == 0 {
		return more, nil, err
	}
	answer, isData := AnswerOf(*e.completed)
	if !isData && !declaresText(inv.offer.Tool.Returns) {
		return more, nil, err // words for the person, beside what is declared
	}
	found, checked, tooMuch := t.cfg.Formats.Check(ctx, inv.offer.Tool.Returns, answer)
	if tooMuch != nil { // the answer is there, whatever is known of it
		why := "it couldn't be checked: " + commands.InWords(tooMuch)
		found = []Misfit{{Words: "at /: " + why, Plain: why}}
	}
	wrong := Misfits(found)
	issues = wrong.recorded()
	if checked {
		add(domain.New(lineage, t.cfg.IDs.NewID(), t.cfg.Now(), toolsSource, domain.ToolVerified{
			InvocationID: inv.id, Passed: len(wrong) == 0, Errors: issues, Plain: wrong.plain()}))
	}
	return more, issues, err
}

// AnswerOf is what of an answer is checked: its data, or its text, which some tools
// write their data in. Otherwise it is words, or blocks of them.
func AnswerOf(c domain.ToolCompleted) (answer json.RawMessage, isData bool) {
	switch {
	case len(c.Data) > 0 && !bytes.Equal(c.Data, []byte("null")):
		return c.Data, true
	case c.Text == nil || strings.TrimSpace(*c.Text) == "":
		return json.RawMessage("null"), len(c.Blocks) == 0
	}
	if text := bytes.TrimSpace([]byte(*c.Text)); (text[0] == '{' || text[0] == '[') && domain.Nesting(text) <= domain.MaxNesting && json.Valid(text) {
		return text, true
	}
	text, err := json.Marshal(*c.Text)
	if err != nil {
		return json.RawMessage("null"), true // a text can always be written
	}
	return text, false
}

// declaresText reports whether a tool declares to return a text, of which words can be more
// or less than was declared. Beside anything else they are the answer in other words.
func declaresText(schema json.RawMessage) bool {
	var s struct {
		Type                any   `json:"type"`
		Const               any   `json:"const"`
		Enum                []any `json:"enum"`
		AnyOf, OneOf, AllOf []json.RawMessage
	}
	if json.Unmarshal(schema, &s) != nil {
		return false
	}
	for _, v := range append(s.Enum, s.Const) {
		if _, ok := v.(string); ok {
			return true
		}
	}
	if types, ok := s.Type.([]any); s.Type == "string" || ok && slices.Contains(types, "string") {
		return true
	}
	return slices.ContainsFunc(slices.Concat(s.AnyOf, s.OneOf, s.AllOf), declaresText)
}
