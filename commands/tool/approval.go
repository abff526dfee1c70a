package tool

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"chalie/commands"
	"chalie/domain"
)

// Tokens makes the tokens by which a proposal is decided. They are stored
// nowhere, but derived from the proposal's id. It is safe for
// concurrent use.
type Tokens interface {
	// Token is the proposal's, the same every time, and nobody else can tell it.
	Token(proposal domain.ID) string
}

// maxSummaryBytes bounds what a proposal says of the parameters.
const maxSummaryBytes = 500

// proposed asks the person for approval.
func (t *Tools) proposed(inv *invoking, decided domain.Envelope, id domain.ID, hash domain.SecretHash) (domain.Entry, error) {
	now := t.cfg.Now()
	p := domain.ApprovalProposed{
		InvocationID: inv.id, ProposalToken: hash.String(),
		CapabilityID: inv.decision.CapabilityID, CapabilityVersion: inv.decision.CapabilityVersion,
		Summary: t.summaryOf(inv), Actor: inv.question.Actor, Channel: inv.question.Channel, ExpiresAt: now + t.cfg.Regime.ApprovalWithin(),
	}
	inv.stage, inv.course.Proposed, inv.course.Proposal = domain.InvocationWaiting, id, p
	entry, err := domain.New(domain.Continue(decided), id, now, policySource, p)
	entry.Envelope.Keys = []domain.Key{domain.ProposalKey(hash), domain.ProposedKey}
	return entry, err
}

// summaryOf describes the proposed call, for people.
func (t *Tools) summaryOf(inv *invoking) string {
	out := domain.ShownText(fmt.Sprintf("%s of %s", inv.offer.Tool.Name, inv.offer.Interface.Name) + t.foreignWords(inv.decision))
	if params := domain.ShownParams(inv.kept); params != "" {
		out += " with " + domain.Cut(params, maxSummaryBytes)
	}
	return out + namedBy(inv.question)
}

// namedBy says which of the person's words a call goes by, for the question to them; "" where that
// wasn't asked.
func namedBy(q domain.Invoking) string {
	switch f := q.Footing; {
	case f == nil || f.Deed == nil:
		return ""
	case len(f.Deed.Words) == 0:
		return "; no word of yours names what it does"
	case f.Said != "":
		return ", by your words " + domain.ShownText("“"+f.Said+"”")
	}
	return ""
}

// foreignWords names the sources of the words that a call rests on, for the question to
// the person; "" when they are the person's alone.
func (t *Tools) foreignWords(d domain.PolicyDecided) string {
	named := domain.NamedWords(d.Words, t.whose)
	if len(named) == 0 {
		return ""
	}
	out := " (after reading other words than yours: " + domain.Cut(strings.Join(named, ", "), maxSummaryBytes)
	if len(d.Carried) > 0 {
		out += "; it would send words of your memories, plans or conversation"
	}
	return out + ")"
}

// whose is the name of a domain.Words.Of, for people.
func (t *Tools) whose(of string) string {
	name := of
	if id, err := domain.ParseID(of); err == nil {
		name = "an interface that is gone"
		t.cfg.Book.Read(func(r *domain.Registry) {
			if face, ok := r.Interfaces[id]; ok {
				name = face.Name
			}
		})
	}
	if _, ok := domain.Principal(of).Program(); ok {
		named := t.cfg.Regime.Named(of)
		if name = strings.TrimPrefix(named, domain.ProgramNamed("")); named == "" {
			name = "a program that was shut out"
		}
	}
	if name == OwnWords {
		return domain.OwnName
	}
	return name
}

// MaxOpenProposals is how many proposals of one program, interface or cycle wait for
// the person at a time.
const MaxOpenProposals = 3

const codeTooManyProposals domain.Code = "too_many_proposals"

// countProposals is the last position that a look at the proposals of an actor took in; an
// error when one more would be too many. The person's own have no bound: they come one
// after the other.
func (t *Tools) countProposals(ctx context.Context, actor string) (through domain.Position, err error) {
	const page = 256
	now := t.cfg.Now()
	from, err := t.cfg.Reader.Since(ctx, now.Add(-longestApproval))
	if err != nil {
		return 0, err
	}
	through = from - 1
	open := 0
	for n := page; n == page; {
		records, err := t.cfg.Reader.Select(ctx, domain.Selector{Key: domain.ProposedKey}, from, page)
		if err != nil {
			return 0, err
		}
		for _, rec := range records {
			from, through = rec.Position+1, rec.Position
			p, err := proposalOf(ctx, t.cfg.Reader, rec, now)
			if err != nil {
				return 0, err
			}
			if p.Actor != actor || p.ExpiresAt <= now {
				continue
			}
			answered, err := answeredBefore(ctx, t.cfg.Reader, p, 0)
			if err != nil {
				return 0, err
			}
			if !answered {
				open++
			}
		}
		n = len(records)
	}
	if open < MaxOpenProposals {
		return through, nil
	}
	return 0, &domain.Error{Op: "invoke tool", Category: domain.Policy, Code: codeTooManyProposals,
		Message: fmt.Sprintf("%d proposals of %s wait for the person, which is the bound: wait until one of them is decided or expires", open, actor)}
}

// wait tells that an invocation waits for the person, or ends it when they
// can no longer decide.
func (t *Tools) wait(ctx context.Context, inv *invoking) (Invoked, error) {
	proposed, err := t.cfg.Reader.Find(ctx, inv.course.Proposed)
	if err != nil {
		return Invoked{ID: inv.id}, err
	}
	expires, err := expiry(ctx, t.cfg.Reader, proposed, inv.course.Proposal.ExpiresAt, t.cfg.Now())
	if err != nil {
		return Invoked{ID: inv.id}, err
	}
	if t.cfg.Now() < expires {
		return Invoked{ID: inv.id, Outcome: domain.ApprovalProposedType, ExpiresAt: expires}, nil
	}
	expired, err := domain.New(inv.next(), t.cfg.IDs.NewID(), t.cfg.Now(), policySource, domain.ApprovalExpired{InvocationID: inv.id, ExpiresAt: expires})
	if err != nil {
		return Invoked{ID: inv.id}, err
	}
	return t.turnDown(ctx, inv, expired, notApproved(inv, domain.CodeApprovalExpired, "nobody approved it in time"))
}

// turnDown records a no and the end that follows from it, both or neither. The
// error is CodeConditionFailed when another decision came first.
func (t *Tools) turnDown(ctx context.Context, inv *invoking, no domain.Entry, e callEnd) (Invoked, error) {
	no.Envelope.Keys = append(no.Envelope.Keys, domain.InvocationKey(inv.id))
	inv.last = no.Envelope.ID
	end, err := t.entry(inv, e)
	if err != nil {
		return Invoked{ID: inv.id}, err
	}
	if err := t.step(ctx, inv, end, with{before: []domain.Entry{no}}); err != nil {
		return Invoked{ID: inv.id}, err
	}
	return invokedOf(inv.id, end.Envelope)
}

// notApproved is the end of an invocation that the person, or the clock, said no to.
func notApproved(inv *invoking, code domain.Code, why string) callEnd {
	e := failed(inv, code, fmt.Sprintf("%s was not approved: %s; nothing was sent", inv.offer.Tool.Name, why), false, 0)
	e.fault.Category, e.fault.Retryable = domain.Policy, false
	return e
}

// ApprovalsConfig has the dependencies of the approval commands. All are required.
type ApprovalsConfig struct {
	commands.Env
	Invocations commands.View[domain.Invocations]
	Applied     commands.Barrier // of Invocations
	Tokens      Tokens
	Tools       *Tools
}

// Approvals lets the person decide what the policy asks them about. It is safe for
// concurrent use.
//
// A proposal is decided once: granted, refused or expired, whatever is recorded
// first. A granted call is then dispatched: by its
// episode, or Follow.
type Approvals struct {
	cfg   ApprovalsConfig
	again chan struct{} // a proposal was made, or a program shut out: look what is to end, and when
}

// NewApprovals checks the configuration.
func NewApprovals(cfg ApprovalsConfig) (*Approvals, error) {
	if err := commands.Complete("configure approvals", cfg); err != nil {
		return nil, err
	}
	return &Approvals{cfg: cfg, again: make(chan struct{}, 1)}, nil
}

// Proposal is one that waits for the person.
type Proposal struct {
	domain.Notification
	Token    string
	Position domain.Position
}

// Pending are the proposals that can be decided now, oldest first.
func (a *Approvals) Pending(ctx context.Context) ([]Proposal, error) {
	now := a.cfg.Now()
	all, err := a.open(ctx, now)
	return slices.DeleteFunc(all, func(p Proposal) bool { return p.ExpiresAt <= now }), err
}

// Waiting are what waits for the person's approval as of now, oldest first, to be told of: none has
// the token that decides it. Errors are those of the log.
func Waiting(ctx context.Context, log domain.Reader, book commands.View[domain.Invocations], now domain.Millis) ([]Proposal, error) {
	records, err := proposed(ctx, log, book)
	var out []Proposal
	for _, rec := range records {
		p, wrong := proposalOf(ctx, log, rec, now)
		if wrong != nil {
			return nil, wrong
		}
		if p.ExpiresAt > now {
			out = append(out, p)
		}
	}
	return out, err
}

// open are the proposals that nobody decided and whose expiry isn't recorded, with
// when they expire as of now.
func (a *Approvals) open(ctx context.Context, now domain.Millis) ([]Proposal, error) {
	records, err := proposed(ctx, a.cfg.Reader, a.cfg.Invocations)
	if err != nil {
		return nil, err
	}
	out := make([]Proposal, 0, len(records))
	for _, rec := range records {
		p, err := a.proposal(ctx, rec, now)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// proposal reads a proposal, with the token to decide it by.
func (a *Approvals) proposal(ctx context.Context, rec domain.Record, now domain.Millis) (Proposal, error) {
	p, err := proposalOf(ctx, a.cfg.Reader, rec, now)
	if err == nil {
		p.Token = a.cfg.Tokens.Token(rec.Envelope.ID)
	}
	return p, err
}

// Deciding is a decision on a proposal.
type Deciding struct {
	Granted    bool
	Channel    string // through what they say so
	Correlator domain.Correlator
	MessageID  domain.ID // the message they say it with; none without

	byProgram bool   // the message is what a program said for them
	because   string // why it is a no that nobody said; "" of what was said
}

// Decide decides the proposal with a token, and returns it. Errors: not found,
// no_proposal; policy, another_actor, for anybody but the person, and own_yes_needed, for a
// yes through the program that asked where that doesn't count; conflict, token_used,
// token_expired and asker_revoked; and those of the log. An attempt to decide one that
// can't be decided is recorded.
func (a *Approvals) Decide(ctx context.Context, c commands.Caller, token string, d Deciding) (Proposal, error) {
	return a.decideNamed(ctx, c, domain.HashSecret(token), d)
}

// decideNamed is Decide for a caller that knows the token's hash, as a message does that was
// recorded.
func (a *Approvals) decideNamed(ctx context.Context, c commands.Caller, token domain.SecretHash, d Deciding) (Proposal, error) {
	records, err := a.cfg.Reader.Select(ctx, domain.Selector{Key: domain.ProposalKey(token)}, 1, 1)
	if err != nil {
		return Proposal{}, err
	}
	if len(records) == 0 {
		return Proposal{}, &domain.Error{Op: "decide proposal", Category: domain.NotFound, Code: "no_proposal", Field: "token",
			Message: "no proposal has this token: list the proposals that wait to see theirs"}
	}
	p, err := a.proposal(ctx, records[0], a.cfg.Now())
	if err != nil {
		return Proposal{}, err
	}
	return p, a.decide(ctx, c, p, d)
}

func (a *Approvals) decide(ctx context.Context, c commands.Caller, p Proposal, d Deciding) error {
	if !c.Operator {
		return a.refuse(ctx, c, p, d, domain.Policy, domain.CodeAnotherActor, "only the person may decide, and "+c.Name+" isn't them")
	}
	first, err := a.cfg.Reader.Find(ctx, p.InvocationID)
	if err != nil {
		return err
	}
	over, err := a.shutOut(ctx, p)
	if err != nil {
		return err
	}
	for range callAttempts {
		inv, err := a.cfg.Tools.resumed(ctx, first)
		if err != nil {
			return err
		}
		switch {
		case inv.course.Answered() == domain.ApprovalExpiredType:
			return a.tooLate(ctx, c, p, d)
		case inv.stage != domain.InvocationWaiting:
			return a.refuse(ctx, c, p, d, domain.Conflict, domain.CodeTokenUsed, "this was decided before; it can't be decided again")
		case a.cfg.Now() >= p.ExpiresAt:
			_, err = a.cfg.Tools.goOn(ctx, first) // which ends it
		case d.Granted && over.is():
			if err = a.endWith(ctx, first, over); err == nil {
				return a.refuse(ctx, c, p, d, domain.Conflict, domain.CodeAskerRevoked,
					over.why+", so nothing was done: let what should be done be asked for again")
			}
		case d.Granted && (d.byProgram || d.Channel == domain.ChannelMCP) && !a.cfg.Tools.byForm(ctx, inv):
			return a.refuse(ctx, c, p, d, domain.Policy, domain.CodeOwnYesNeeded,
				"this needs the person's yes in Chalie's own chat or pages, and it waits for them there: a yes by way of a program doesn't count for it")
		default:
			err = a.record(ctx, c, inv, d)
			if err == nil {
				return nil
			}
		}
		if err != nil && domain.CodeOf(err) != domain.CodeConditionFailed {
			return err
		}
	}
	return &domain.Error{Op: "decide proposal", Category: domain.Conflict, Code: "proposal_changed", Retriable: true,
		Message: "others decided at the same moment: look at what came of it, and try once more"}
}

// byForm reports whether a yes counts that comes through the program which asked.
func (t *Tools) byForm(ctx context.Context, inv *invoking) bool {
	return inv.missing == nil && t.cfg.Params(ctx).Forms.Decide(inv.question.Manifest)
}

// ByForm reports whether the person may decide a call by a form of the program's that asked
// for it. Errors: not found, and those of the log.
func (a *Approvals) ByForm(ctx context.Context, invocation domain.ID) (bool, error) {
	first, err := a.cfg.Reader.Find(ctx, invocation)
	if err != nil {
		return false, err
	}
	inv, err := a.cfg.Tools.resumed(ctx, first)
	if err != nil {
		return false, err
	}
	return a.cfg.Tools.byForm(ctx, inv), nil
}

func (a *Approvals) tooLate(ctx context.Context, c commands.Caller, p Proposal, d Deciding) error {
	return a.refuse(ctx, c, p, d, domain.Conflict, domain.CodeTokenExpired, "this came too late, so nothing was done: ask for it again")
}

// record appends a decision on the condition that there is none since inv was read,
// when it waited.
func (a *Approvals) record(ctx context.Context, c commands.Caller, inv *invoking, d Deciding) error {
	actor := domain.ActorOf(c.Principal)
	if d.Granted {
		yes, err := domain.New(inv.next(), a.cfg.IDs.NewID(), a.cfg.Now(), policySource, domain.ApprovalGranted{
			InvocationID: inv.id, Actor: actor, Channel: d.Channel, Correlator: d.Correlator, MessageID: d.MessageID})
		if err != nil {
			return err
		}
		yes.Envelope.Keys = keysOf(d)
		return a.cfg.Tools.step(ctx, inv, yes, with{})
	}
	no, err := domain.New(inv.next(), a.cfg.IDs.NewID(), a.cfg.Now(), policySource, domain.ApprovalRefused{
		InvocationID: inv.id, Actor: actor, Channel: d.Channel, Correlator: d.Correlator, MessageID: d.MessageID})
	if err != nil {
		return err
	}
	no.Envelope.Keys = keysOf(d)
	why := "the answer was no"
	if d.because != "" {
		why = d.because
	}
	_, err = a.cfg.Tools.turnDown(ctx, inv, no, notApproved(inv, domain.CodeApprovalRefused, why))
	return err
}

func keysOf(d Deciding) []domain.Key {
	if d.MessageID.IsZero() {
		return nil
	}
	return []domain.Key{domain.DecisionKey(d.MessageID)}
}

// maxAttempts bounds how many refused attempts at one proposal are recorded.
const maxAttempts = 8

// refuse records an attempt that did nothing, and returns the refusal.
func (a *Approvals) refuse(ctx context.Context, c commands.Caller, p Proposal, d Deciding, category domain.Category, code domain.Code, why string) error {
	refusal := &domain.Error{Op: "decide proposal", Category: category, Code: code, Message: why}
	key := domain.AttemptKey(p.Proposal)
	before, err := a.cfg.Reader.Select(ctx, domain.Selector{Key: key}, p.Position, maxAttempts)
	if err != nil {
		return err
	}
	if len(before) == maxAttempts {
		return refusal
	}
	proposed, err := a.cfg.Reader.Find(ctx, p.Proposal)
	if err != nil {
		return err
	}
	entry, err := domain.New(domain.Continue(proposed.Envelope), a.cfg.IDs.NewID(), a.cfg.Now(), policySource, domain.AttemptRefused{
		InvocationID: p.InvocationID, Reason: code, Actor: domain.ActorOf(c.Principal), Channel: d.Channel, Correlator: d.Correlator})
	if err != nil {
		return err
	}
	entry.Envelope.Keys = []domain.Key{key}
	if _, err := a.cfg.Log.Append(ctx, domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
		return err
	}
	return refusal
}

// listOf lists proposals by what they are about.
func listOf(all []Proposal) string {
	domain.SortFunc(all, func(x, y Proposal) int { return cmp.Compare(x.Position, y.Position) })
	var out strings.Builder
	for i, p := range all {
		_, _ = fmt.Fprintf(&out, "\n%d. %s", i+1, p.Summary)
	}
	return out.String()
}

// Withdraw takes back what waits for the person's approval, because they cancelled
// what it was for: cancel is the envelope with which they said so. One that was
// decided meanwhile is a CodeConditionFailed.
func (a *Approvals) Withdraw(ctx context.Context, c commands.Caller, invocation domain.ID, cancel domain.Envelope) error {
	first, err := a.cfg.Reader.Find(ctx, invocation)
	if err != nil {
		return err
	}
	inv, err := a.cfg.Tools.resumed(ctx, first)
	if err != nil {
		return err
	}
	if inv.stage != domain.InvocationWaiting {
		return &domain.Error{Op: "withdraw proposal", Category: domain.Conflict, Code: domain.CodeConditionFailed, Retriable: true,
			Message: "this was decided at the same moment"}
	}
	return a.record(ctx, c, inv, Deciding{Channel: string(cancel.Source), Correlator: domain.ByCancel, MessageID: cancel.ID})
}

// GiveUp takes back what waits for the person's approval, because the program that asked
// for it no longer wants it, and has a call broken off that is under way. What was decided
// meanwhile, or ended, is left as it is. Errors:
// not found; policy, for what another asked for; and those of the log.
func (a *Approvals) GiveUp(ctx context.Context, c commands.Caller, invocation domain.ID, channel string) error {
	first, err := a.cfg.Reader.Find(ctx, invocation)
	if err != nil {
		return err
	}
	if !c.Owns(first) {
		return otherPrincipal(c, first.Envelope)
	}
	inv, err := a.cfg.Tools.resumed(ctx, first)
	if err == nil && inv.stage == domain.InvocationDispatched {
		a.cfg.Tools.stopCall(invocation)
	}
	if err != nil || inv.stage != domain.InvocationWaiting {
		return err
	}
	err = a.record(ctx, c, inv, Deciding{Channel: channel, Correlator: domain.ByCancel})
	if domain.CodeOf(err) == domain.CodeConditionFailed {
		return nil // the person was faster
	}
	return err
}

// ending is why a question is over before anybody answers it; the zero ending is that of none.
type ending struct {
	by         domain.Envelope
	correlator domain.Correlator
	why        string
}

func (e ending) is() bool { return e.correlator != "" }

// shutOut is whether a proposal is over, because the program that made it was shut out, or an interface
// removed that made it or is to do it.
func (a *Approvals) shutOut(ctx context.Context, p Proposal) (ending, error) {
	revoked, err := a.revocation(ctx, p)
	if err != nil || revoked.Position > 0 {
		return ending{revoked.Envelope, domain.ByRevocation, "the program that asked was shut out"}.unless(err)
	}
	kind, asks, _ := strings.Cut(p.Actor, ":")
	does, _, _ := strings.Cut(p.CapabilityID, "/")
	for _, of := range []struct{ id, why string }{{asks, "the interface that asked was removed"}, {does, "the interface that was to do it was removed"}} {
		id, err := domain.ParseID(of.id)
		if err != nil || of.id == asks && kind != domain.ActorKind(domain.InterfaceActor(domain.ID{})) {
			continue
		}
		removed, err := a.removal(ctx, id, p.Position)
		if err != nil || removed.Position > 0 {
			return ending{removed.Envelope, domain.ByRemoval, of.why}.unless(err)
		}
	}
	return ending{}, nil
}

func (e ending) unless(err error) (ending, error) {
	if err != nil {
		return ending{}, err
	}
	return e, nil
}

// removal is the record that removed an interface after a position; zero for none.
func (a *Approvals) removal(ctx context.Context, id domain.ID, after domain.Position) (domain.Record, error) {
	const page = 64
	for {
		records, err := a.cfg.Reader.Select(ctx, domain.Selector{Key: domain.InterfaceKey(id)}, after+1, page)
		if err != nil {
			return domain.Record{}, err
		}
		for _, rec := range records {
			if t := rec.Envelope.Type; t == domain.InterfaceRemovedType || t == domain.InterfaceExpiredType {
				return rec, nil
			}
			after = rec.Position
		}
		if len(records) < page {
			return domain.Record{}, nil
		}
	}
}

// endWith takes back what is over. What was decided meanwhile is left as it is.
func (a *Approvals) endWith(ctx context.Context, first domain.Record, over ending) error {
	inv, err := a.cfg.Tools.resumed(ctx, first)
	if err != nil || inv.stage != domain.InvocationWaiting {
		return err
	}
	return a.record(ctx, commands.Caller{Principal: over.by.Principal}, inv, Deciding{Channel: string(over.by.Source), Correlator: over.correlator, because: over.why})
}

// revocation is the record that revoked the token of the program which made a proposal; zero while
// it is in force, and of a proposal that no program made.
func (a *Approvals) revocation(ctx context.Context, p Proposal) (domain.Record, error) {
	keys, from := []domain.Key(nil), p.Position
	if issued, ok := domain.Principal(p.Actor).Program(); ok {
		rec, err := a.cfg.Reader.Find(ctx, issued)
		if domain.CategoryOf(err) == domain.NotFound {
			return domain.Record{}, nil
		}
		if err != nil {
			return domain.Record{}, err
		}
		keys, from = rec.Envelope.Keys, rec.Position
	} else if name, ok := strings.CutPrefix(p.Actor, domain.ProgramNamed("")); ok {
		keys = []domain.Key{domain.TokenKey(name)} // an earlier build told programs by their names
	}
	for _, key := range keys {
		// The next that happens to the name: no other token has it until this one is revoked.
		records, err := a.cfg.Reader.Select(ctx, domain.Selector{Key: key}, from+1, 1)
		if err != nil {
			return domain.Record{}, err
		}
		if len(records) > 0 && records[0].Envelope.Type == domain.TokenRevokedType {
			return records[0], nil
		}
	}
	return domain.Record{}, nil
}

// approvalsGroup is the consumer group that dispatches granted calls. Its
// positions are durable: a granted call that wasn't made yet is made after a restart.
const approvalsGroup = "approvals"

// Run ends proposals that expire, or whose program or interface is shut out, and dispatches granted calls, until
// ctx ends or one of these can't go on. What fails for a reason of its own is passed over; the next
// start ends it if it was dispatched.
func (a *Approvals) Run(ctx context.Context, from commands.Listener) error {
	all, cancel := context.WithCancel(ctx)
	defer cancel()
	listen := func(topic domain.Topic) func() error {
		return func() error { return from.Listen(all, approvalsGroup, topic, a.follow) }
	}
	parts := []func() error{func() error { return a.WatchExpiry(all) }, listen(domain.TopicTools), listen(domain.TopicAccounts), listen(domain.TopicInterfaces)}
	ended := make(chan error, len(parts))
	for _, part := range parts {
		go func() {
			ended <- part()
			cancel()
		}()
	}
	var err error
	for range parts {
		err = errors.Join(err, <-ended)
	}
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// follow is Follow, but what can't be gone on with for good is told and passed over.
func (a *Approvals) follow(ctx context.Context, rec domain.Record) error {
	err := a.Follow(ctx, rec)
	switch {
	case err == nil || ctx.Err() != nil:
		return err
	case domain.IsPermanent(err):
		a.cfg.Logger.Error("what was granted can't be gone on with", "position", uint64(rec.Position), "trace", rec.Envelope.Trace.String(), "err", err)
		return nil
	}
	a.cfg.Logger.Warn("what was granted has to wait", "position", uint64(rec.Position), "err", err)
	return err
}

// WatchExpiry records the expiry of proposals, each when it falls due, and refuses those whose
// program or interface was shut out, also where that was while no process ran. It sleeps until the next does. It ends with ctx,
// or when the fold of the open invocations can't be read.
func (a *Approvals) WatchExpiry(ctx context.Context) error {
	if err := commands.CatchUp(ctx, a.cfg.Applied, a.cfg.Tail.Tail()); err != nil {
		return err
	}
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-timer.C:
		case <-a.again:
		}
		timer.Stop()
		if wait, some := a.expire(ctx); some {
			timer.Reset(wait)
		}
	}
}

// expiryRetry is the pause before an expiry that can't be recorded now is tried
// again. Nothing depends on it: what has expired can't be granted.
const expiryRetry = 5 * time.Second

// expiryLook is how long it sleeps at most: a clock that is put right moves what
// expires, and nobody tells.
const expiryLook = time.Minute

// expire ends what is due, and says how long it is until the next is.
func (a *Approvals) expire(ctx context.Context) (wait time.Duration, some bool) {
	open, err := a.open(ctx, a.cfg.Now())
	if err != nil {
		return expiryRetry, true
	}
	for _, p := range open {
		left := p.ExpiresAt.Sub(a.cfg.Now())
		over, err := a.shutOut(ctx, p)
		due := left <= 0 || err != nil || over.is()
		if due && err == nil && a.end(ctx, p, over) == nil {
			continue
		}
		if due {
			left = expiryRetry
		}
		if !some || left < wait {
			wait, some = min(left, expiryLook), true
		}
	}
	return wait, some
}

// end ends an invocation whose proposal has expired, or is over.
func (a *Approvals) end(ctx context.Context, p Proposal, over ending) error {
	first, err := a.cfg.Reader.Find(ctx, p.InvocationID)
	if err != nil {
		return err
	}
	if p.ExpiresAt <= a.cfg.Now() {
		_, err = a.cfg.Tools.goOn(ctx, first)
	} else {
		err = a.endWith(ctx, first, over)
	}
	if domain.CodeOf(err) == domain.CodeConditionFailed {
		return nil // it was decided at the last moment
	}
	return err
}

// Follow is to be given every record of the topics tools, accounts and interfaces, in order, and one that it
// returns a retriable error for again. It goes on with what was granted outside an
// episode, and takes note of what has to expire, and of who is shut out.
//
// A record given again, after a crash, does nothing a second time.
func (a *Approvals) Follow(ctx context.Context, rec domain.Record) error {
	switch rec.Envelope.Type {
	case domain.ApprovalProposedType, domain.TokenRevokedType, domain.InterfaceRemovedType, domain.InterfaceExpiredType:
		if err := commands.CatchUp(ctx, a.cfg.Applied, rec.Position); err != nil {
			return err
		}
		select {
		case a.again <- struct{}{}:
		default:
		}
	case domain.ApprovalGrantedType:
		id, ok := domain.InvocationOf(rec.Envelope)
		if !ok {
			return nil
		}
		first, err := a.cfg.Reader.Find(ctx, id)
		if err != nil {
			return err
		}
		if _, _, called := domain.CallOf(first.Envelope); called {
			return nil // its episode continues it
		}
		_, err = a.cfg.Tools.goOn(ctx, first)
		return err
	}
	return nil
}

// PendingThen are the proposals that could be decided at a moment, oldest first,
// when book is the fold of the invocations through it. They have no tokens: what
// was can't be decided.
func PendingThen(ctx context.Context, reader domain.Reader, book commands.View[domain.Invocations], at domain.Millis) ([]Proposal, error) {
	records, err := proposed(ctx, reader, book)
	if err != nil {
		return nil, err
	}
	out := make([]Proposal, 0, len(records))
	for _, rec := range records {
		p, err := proposalOf(ctx, reader, rec, at)
		if err != nil {
			return nil, err
		}
		if p.ExpiresAt > at {
			out = append(out, p)
		}
	}
	return out, nil
}

// proposed are the proposals that a fold of the invocations knows as open, oldest
// first.
func proposed(ctx context.Context, reader domain.Reader, book commands.View[domain.Invocations]) ([]domain.Record, error) {
	var at []domain.Position
	commands.Asked(ctx, book)
	book.Read(func(s *domain.Invocations) {
		for _, o := range s.Open {
			if o.Pending > 0 {
				at = append(at, o.Pending)
			}
		}
	})
	slices.Sort(at)
	out := []domain.Record{}
	for _, pos := range at {
		records, err := reader.Select(ctx, domain.Selector{}, pos, 1)
		if err != nil {
			return nil, err
		}
		if len(records) == 0 || records[0].Position != pos {
			continue // the log no longer keeps it
		}
		out = append(out, records[0])
	}
	return out, nil
}

// proposalOf reads a proposal, without a token, as it is at now. One that was erased
// has expired: its subject can no longer be known.
func proposalOf(ctx context.Context, log domain.Reader, rec domain.Record, now domain.Millis) (Proposal, error) {
	notice, err := domain.ApprovalNotice(rec.Envelope)
	if err != nil && domain.CodeOf(err) != domain.CodeErased {
		return Proposal{}, err
	}
	notice.ExpiresAt, err = expiry(ctx, log, rec, notice.ExpiresAt, now)
	return Proposal{Notification: notice, Position: rec.Position}, err
}

// expiry is when a proposal expires, which was to expire at a moment. One that was
// made by a clock that was ahead isn't open for as much longer.
func expiry(ctx context.Context, log domain.Reader, rec domain.Record, at, now domain.Millis) (domain.Millis, error) {
	since, err := domain.CountsSince(ctx, log, rec, math.MaxInt64, now)
	return at - (rec.Clock() - since), err
}
