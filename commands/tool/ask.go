package tool

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"chalie/commands"
	"chalie/domain"
	"chalie/domain/language/bynames"
	"chalie/domain/language/tongues"
)

// longestApproval is how far back a proposal can be that is pending: what a policy
// may set at most.
const longestApproval = 24 * time.Hour

// Ask answers a message of the person that decides a proposal: one whose metadata
// names the proposal's token (reply_to_proposal_token, reaction_to_proposal_token
// or approval_token) and that says yes or no, and a plain yes or no to what was asked
// last in the conversation, when the person themselves had asked for that. "1" and
// "approve the second one" pick from a list that was shown last, and "yes to all" decides
// all of it that the person had asked for.
//
// While anything else is pending, such as what a program wants done, or anything was
// shown or said since, such an answer is met with what it could mean, unless Chalie asked
// something else since, which it answers. So is a message that begins with a yes or no
// while a tool goes by that very word. Everything else isn't handled.
//
// Asked again for the same message it says the same: what a message decided carries
// its key, and what was pending is what was pending when it came.
func (a *Approvals) Ask(ctx context.Context, c commands.Caller, msg domain.Record, text string) (Spoken, error) {
	if !c.Operator {
		return Spoken{}, nil
	}
	said, ok := bynames.DecisionIn(text)
	if !ok {
		return a.orOrder(ctx, msg, text)
	}
	before, err := a.decisionsBy(ctx, msg.Envelope.ID)
	if err != nil {
		return Spoken{}, err
	}
	token, by, err := correlated(msg.Envelope)
	if err != nil {
		return Spoken{}, err
	}
	if len(before) > 0 && !said.Several && (said.Says != bynames.SaysNo || by != "") {
		return a.decided(ctx, before[0])
	}
	d := Deciding{Granted: said.Says == bynames.SaysYes, Channel: string(msg.Envelope.Source), MessageID: msg.Envelope.ID, Correlator: cmp.Or(by, domain.ByPlainText), byProgram: saidByProgram(msg.Envelope)}
	if by != "" && said.IsPlain() {
		_, err := a.decideNamed(ctx, c, token, d)
		return a.spoken(ctx, d, err)
	}
	pending, err := a.pendingAt(ctx, msg)
	if err != nil || len(pending) == 0 {
		return Spoken{}, err
	}
	asked, err := a.askedLast(ctx, pending[len(pending)-1], msg)
	if err != nil {
		return Spoken{}, err
	}
	if said.CallsOff && (asked.listed == nil || !pending[len(pending)-1].InConversation()) {
		return Spoken{}, nil // it calls off what was spoken of since
	}
	own := slices.DeleteFunc(slices.Clone(pending), func(p Proposal) bool { return !p.InConversation() })
	if said.Several && len(asked.listed) == 1 && len(own) > 0 && own[len(own)-1].Proposal == asked.listed[0] {
		along, err := a.askedAlong(ctx, own[len(own)-1], msg, before)
		if err != nil {
			return Spoken{}, err
		}
		if n := len(along); n > 0 {
			own, pending, asked.listed = append(own, along...), append(pending, along...), []domain.ID{along[n-1].Proposal}
		}
	}
	asked = asked.ofOneRequest(own)
	said = asked.completed(said, len(own))
	if len(before) > 0 && !said.Several {
		return a.decided(ctx, before[0])
	}
	if asked.other && by == "" && said.IsPlain() || said.Says == bynames.SaysAgain || said.Says == bynames.SaysNeither && asked.listed == nil {
		return Spoken{}, nil // it answers something else
	}
	d.Granted = said.Says == bynames.SaysYes
	if all := asked.all(said, own); len(all) > 0 && by == "" {
		return a.decideAll(ctx, c, all, pending, d)
	}
	meant, ok := asked.meant(said, pending, len(own))
	switch {
	case !ok || by != "":
		return a.askBack(said.Says, pending, own), nil
	case !meant.InConversation():
		return a.askBack(said.Says, []Proposal{meant}, nil), nil
	}
	return a.spoken(ctx, d, a.decide(ctx, c, meant, d))
}

// saidByProgram reports whether a message is what a program that speaks MCP says for its person.
func saidByProgram(msg domain.Envelope) bool {
	said, err := domain.Decode[domain.MessageReceived](msg)
	return err == nil && said.Conversation.Project == domain.ProjectMCP
}

// Press decides the proposal of a button that the person pressed: SkillApprove or
// SkillRefuse. Any proposal is decided so, whoever wants it. Asked again for the same action
// it says the same. handled is false for any other button.
func (a *Approvals) Press(ctx context.Context, c commands.Caller, action domain.Record) (Spoken, error) {
	pressed, err := domain.Decode[domain.ActionReceived](action.Envelope)
	if err != nil {
		return Spoken{}, err
	}
	proposal, granted, ok := pressed.Decides()
	if !ok {
		return Spoken{}, nil
	}
	before, err := a.decisionsBy(ctx, action.Envelope.ID)
	if err != nil {
		return Spoken{}, err
	}
	if len(before) > 0 {
		return a.decided(ctx, before[0])
	}
	rec, err := a.cfg.Reader.Find(ctx, proposal)
	if err != nil && domain.CategoryOf(err) != domain.NotFound {
		return Spoken{}, err
	}
	if rec.Envelope.Type != domain.ApprovalProposedType {
		return Spoken{Handled: true, Blocks: []domain.Block{domain.TextBlock("Nothing that waits for your approval is known by this button any more.", domain.FormatPlain)}}, nil
	}
	p, err := a.proposal(ctx, rec, a.cfg.Now())
	if err != nil {
		return Spoken{}, err
	}
	d := Deciding{Granted: granted, Channel: string(action.Envelope.Source), Correlator: domain.ByButton, MessageID: action.Envelope.ID}
	return a.spoken(ctx, d, a.decide(ctx, c, p, d))
}

// StillWaits tells, below the answer to a message that begins with a yes or no and goes on
// with something else, what had just been asked and isn't decided by it. A no decides it where
// one thing alone had just been asked: no, I need them. It isn't handled
// when nothing had been, or it was decided meanwhile.
func (a *Approvals) StillWaits(ctx context.Context, c commands.Caller, msg domain.Record, text string) (Spoken, error) {
	word, more := bynames.BeginsWithDecision(text)
	_, answers := bynames.DecisionIn(text)
	refuses := !answers && tongues.Refuses(text)
	if !c.Operator || !more && !refuses {
		return Spoken{}, nil
	}
	before, err := a.decisionsBy(ctx, msg.Envelope.ID)
	if err != nil {
		return Spoken{}, err
	}
	pending, err := a.pendingAt(ctx, msg)
	if err != nil || len(pending) == 0 {
		return Spoken{}, err
	}
	asked, err := a.askedLast(ctx, pending[len(pending)-1], msg)
	if err != nil {
		return Spoken{}, err
	}
	own := slices.DeleteFunc(pending, func(p Proposal) bool { return !p.InConversation() })
	asked = asked.ofOneRequest(own)
	var waits []Proposal
	for _, p := range own {
		done, err := answeredBefore(ctx, a.cfg.Reader, p, 0)
		if err != nil {
			return Spoken{}, err
		}
		if slices.Contains(asked.listed, p.Proposal) && (!done || slices.ContainsFunc(before, p.isDecidedBy)) {
			waits = append(waits, p)
		}
	}
	switch {
	case refuses && (len(waits) == 1 || len(waits) > 1 && asked.together):
		d := Deciding{Channel: string(msg.Envelope.Source), MessageID: msg.Envelope.ID, Correlator: domain.ByPlainText, byProgram: saidByProgram(msg.Envelope)}
		return a.decideAll(ctx, c, waits, waits, d)
	case len(waits) == 0 || !more:
		return Spoken{}, nil
	}
	return asking(fmt.Sprintf("I took “%s” for the beginning of that, and not for an answer. %s still:%s", word, theyWait(len(waits)), listOf(waits)), waits), nil
}

// maxDecisions bounds those of one message.
const maxDecisions = 64

// decisionsBy are what a message, or a button, decided.
func (a *Approvals) decisionsBy(ctx context.Context, message domain.ID) ([]domain.Envelope, error) {
	records, err := a.cfg.Reader.Select(ctx, domain.Selector{Key: domain.DecisionKey(message)}, 1, maxDecisions)
	if err != nil {
		return nil, err
	}
	out := make([]domain.Envelope, len(records))
	for i, rec := range records {
		out[i] = rec.Envelope
	}
	return out, nil
}

func (p Proposal) isDecidedBy(decision domain.Envelope) bool {
	id, ok := domain.InvocationOf(decision)
	return ok && id == p.InvocationID
}

// decideAll decides several proposals by one message, and says what became of each and what
// else waits. What the message decided before it was asked again stays as it is.
func (a *Approvals) decideAll(ctx context.Context, c commands.Caller, all, pending []Proposal, d Deciding) (Spoken, error) {
	before, err := a.decisionsBy(ctx, d.MessageID)
	if err != nil {
		return Spoken{}, err
	}
	out := Spoken{Handled: true}
	for _, p := range all {
		var failed error
		if !slices.ContainsFunc(before, p.isDecidedBy) {
			failed = a.decide(ctx, c, p, d)
			if before, err = a.decisionsBy(ctx, d.MessageID); err != nil {
				return Spoken{}, err
			}
		}
		var one Spoken
		switch i := slices.IndexFunc(before, p.isDecidedBy); {
		case i >= 0:
			one, err = a.decided(ctx, before[i])
		case failed == nil:
			continue // the log no longer has it
		default:
			one, err = a.spoken(ctx, d, failed)
			if err == nil {
				one.Blocks = []domain.Block{domain.TextBlock(p.Summary+": "+domain.PlainText(one.Blocks), domain.FormatPlain)}
			}
		}
		if err != nil {
			return Spoken{}, err
		}
		out.Blocks, out.Evidence = append(out.Blocks, one.Blocks...), append(out.Evidence, one.Evidence...)
	}
	rest := slices.DeleteFunc(slices.Clone(pending), func(p Proposal) bool {
		return slices.ContainsFunc(all, func(o Proposal) bool { return o.Proposal == p.Proposal })
	})
	if len(rest) > 0 {
		left := waiting(theyWait(len(rest))+" still. You didn't ask for that here, so only a button decides it:", rest)
		out.Blocks = append(out.Blocks, left...)
	}
	return out, nil
}

// orOrder asks what is meant by a message that begins with a yes or no and goes on,
// while something is pending and a tool goes by that word.
func (a *Approvals) orOrder(ctx context.Context, msg domain.Record, text string) (Spoken, error) {
	offers := slices.DeleteFunc(a.cfg.Tools.Offers(), domain.Offer.IsOwn)
	names := make([]string, len(offers))
	for i, o := range offers {
		names[i] = o.Tool.Name
	}
	at, word, ok := bynames.ToolForAnswer(text, names)
	if !ok {
		return Spoken{}, nil
	}
	offer := offers[at]
	pending, err := a.pendingAt(ctx, msg)
	if err != nil || len(pending) == 0 {
		return Spoken{}, err
	}
	return asking(fmt.Sprintf("Is “%s” your answer, or do you mean the tool %s of %s? %s:%s\nApprove or refuse each by its button, or reply to it. If you mean the tool, say “use %s” with all it needs.",
		word, offer.Tool.Name, offer.Interface.Name, theyWait(len(pending)), listOf(pending), offer.Name), pending), nil
}

// askBack asks which proposal a yes or no answers, when that isn't plain.
func (a *Approvals) askBack(says bynames.Saying, pending, own []Proposal) Spoken {
	const press = "Press a button, or reply to the one you mean."
	switch {
	case len(pending) > 1 && len(own) > 0:
		for i, p := range pending {
			if !p.InConversation() {
				pending[i].Summary += " (asked for by " + a.askedBy(p.Actor) + ": only a button decides it)"
			}
		}
		how := "“approve the first one”, “refuse the second one” or “yes to all”"
		switch says {
		case bynames.SaysYes:
			how = "“1” to approve the first one, “refuse the second one” or “yes to all”"
		case bynames.SaysNo:
			how = "“1” to refuse the first one, “approve the second one” or “no to all”"
		}
		return asking("Which one? "+theyWait(len(pending))+":"+listOf(pending)+"\nPress a button, or say "+how+".", pending)
	case len(pending) > 1:
		return asking("Which one? "+theyWait(len(pending))+", and you didn't ask for them here, so a plain yes or no doesn't decide them:"+listOf(pending)+"\n"+press, pending)
	case len(own) == 1:
		return asking("Do you mean this? "+theyWait(1)+":"+listOf(own)+"\nSay yes or no to it now, or press a button.", pending)
	}
	return asking(fmt.Sprintf("This waits for your approval, and it was asked for by %s, so a plain yes or no doesn't decide it:%s\n%s",
		a.askedBy(pending[0].Actor), listOf(pending), press), pending)
}

func theyWait(n int) string {
	if n == 1 {
		return "It waits for your approval"
	}
	return "These wait for your approval"
}

// asking is a question about proposals, with buttons to decide each.
func asking(text string, about []Proposal) Spoken {
	return Spoken{Handled: true, Evidence: proposals(about), Blocks: []domain.Block{domain.TextBlock(text, domain.FormatPlain), buttonsFor(about)}}
}

// buttonsFor decide proposals, in their order. They are numbered as in listOf.
func buttonsFor(about []Proposal) domain.Block {
	var out []domain.Button
	for i, p := range about {
		of := ""
		if len(about) > 1 {
			of = strconv.Itoa(i + 1)
		}
		out = append(out, domain.DecisionButtons(p.Proposal, of)...)
	}
	return domain.ActionsBlock(out...)
}

// waiting lists proposals below a sentence, with buttons to decide each.
func waiting(sentence string, about []Proposal) []domain.Block {
	return []domain.Block{domain.TextBlock(sentence+listOf(about), domain.FormatPlain), buttonsFor(about)}
}

// askedBy names the actor of a proposal, for a person.
func (a *Approvals) askedBy(actor string) string {
	kind, name, _ := strings.Cut(cmp.Or(a.cfg.Tools.cfg.Regime.Named(actor), actor), ":")
	if _, unnamed := domain.Principal(kind + ":" + name).Program(); unnamed {
		return "a program that was shut out"
	}
	switch kind {
	case domain.ActorOperator:
		return "you outside of this conversation"
	case domain.ActorReasoning:
		return "nobody"
	case domain.ActorKind(domain.InterfaceActor(domain.ID{})):
		return a.cfg.Tools.whose(name)
	}
	return strings.TrimSpace(kind + " " + name)
}

// spoken is the answer to a decision that a message made, or could not make.
func (a *Approvals) spoken(ctx context.Context, d Deciding, err error) (Spoken, error) {
	if err == nil {
		decisions, err := a.decisionsBy(ctx, d.MessageID)
		if err != nil || len(decisions) == 0 {
			return Spoken{}, err
		}
		return a.decided(ctx, decisions[0])
	}
	if category := domain.CategoryOf(err); domain.IsRetriable(err) || category == domain.Dependency || category == "" {
		return Spoken{}, err
	}
	why := commands.InWords(err)
	return Spoken{Handled: true, Blocks: []domain.Block{domain.TextBlock(strings.ToUpper(why[:1])+why[1:]+".", domain.FormatPlain)}}, nil
}

// decided names the subject of a decision.
func (a *Approvals) decided(ctx context.Context, decision domain.Envelope) (Spoken, error) {
	what := "it"
	proposed, err := a.cfg.Reader.Find(ctx, decision.Parent)
	if err != nil {
		return Spoken{}, err
	}
	if p, err := domain.Decode[domain.ApprovalProposed](proposed.Envelope); err == nil {
		what = p.Summary
	}
	text := "Approved: " + what + "."
	if decision.Type == domain.ApprovalRefusedType {
		text = "Refused, so it isn't done: " + what + "."
	}
	return Spoken{Handled: true, Blocks: []domain.Block{domain.TextBlock(text, domain.FormatPlain)}, Evidence: []domain.Evidence{
		{EnvelopeID: proposed.Envelope.ID, Role: RoleProposed, Weight: domain.One},
		{EnvelopeID: decision.ID, Role: roleDecided, Weight: domain.One},
	}}, nil
}

// The roles in the evidence of an answer about proposals: of each proposal, and of what
// was decided.
const (
	RoleProposed = "proposed"
	roleDecided  = "decided"
)

func proposals(all []Proposal) []domain.Evidence {
	out := make([]domain.Evidence, len(all))
	for i, p := range all {
		out[i] = domain.Evidence{EnvelopeID: p.Proposal, Role: RoleProposed, Weight: domain.One}
	}
	return out
}

// correlated is the hash of the token of a proposal that a message names, and how;
// "" for one that names none.
func correlated(msg domain.Envelope) (token domain.SecretHash, by domain.Correlator, err error) {
	said, err := domain.Decode[domain.MessageReceived](msg)
	if err != nil && domain.CodeOf(err) != domain.CodeErased {
		return token, "", err
	}
	named := map[string]json.RawMessage{}
	// It was an object or null when it was taken in.
	_ = json.Unmarshal(said.Metadata, &named)
	for _, by := range domain.Correlators() {
		var text string
		if json.Unmarshal(named[string(by)], &text) == nil && text != "" {
			// Only hashes are stored: no proposal has another text.
			token, _ = domain.ParseSecretHash(text)
			return token, by, nil
		}
	}
	return token, "", nil
}

// pendingAt are the proposals that were pending when a message came, whatever has
// become of them since, oldest first.
func (a *Approvals) pendingAt(ctx context.Context, msg domain.Record) ([]Proposal, error) {
	const page = 256
	from, err := a.cfg.Reader.Since(ctx, msg.Clock().Add(-longestApproval))
	if err != nil {
		return nil, err
	}
	var out []Proposal
	for {
		records, err := a.cfg.Reader.Select(ctx, domain.Selector{Key: domain.ProposedKey}, from, page)
		if err != nil {
			return nil, err
		}
		for _, rec := range records {
			if from = rec.Position + 1; rec.Position > msg.Position {
				return out, nil
			}
			p, err := a.proposal(ctx, rec, msg.Clock())
			if err != nil {
				return nil, err
			}
			if p.ExpiresAt <= msg.Clock() {
				continue
			}
			elsewhere, err := a.askedElsewhere(ctx, p, msg)
			if err != nil {
				return nil, err
			}
			if elsewhere {
				continue
			}
			answered, err := answeredBefore(ctx, a.cfg.Reader, p, msg.Position)
			if err != nil {
				return nil, err
			}
			if !answered {
				out = append(out, p)
			}
		}
		if len(records) < page {
			return out, nil
		}
	}
}

// askedAlong are the proposals of one request behind a proposal of it that were made while an answer to
// several was on its way: who says both knows of both. What the message decided bounds them.
func (a *Approvals) askedAlong(ctx context.Context, of Proposal, msg domain.Record, before []domain.Envelope) ([]Proposal, error) {
	const most = 64 // records of the request since
	records, err := a.cfg.Reader.Select(ctx, domain.Selector{Trace: of.Trace}, msg.Position+1, most)
	if err != nil {
		return nil, err
	}
	var out []Proposal
	for _, rec := range records {
		if slices.ContainsFunc(before, func(e domain.Envelope) bool { return e.ID == rec.Envelope.ID }) {
			break
		}
		if rec.Envelope.Type != domain.ApprovalProposedType {
			continue
		}
		p, err := a.proposal(ctx, rec, msg.Clock())
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// answeredBefore reports whether a proposal was granted, refused or had expired
// when the log was at a position; 0 is its end.
func answeredBefore(ctx context.Context, reader domain.Reader, p Proposal, at domain.Position) (bool, error) {
	const enough = 16 // of what happens to one invocation after it was proposed
	records, err := reader.Select(ctx, domain.Selector{Key: domain.InvocationKey(p.InvocationID)}, p.Position+1, enough)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(records, func(rec domain.Record) bool {
		switch rec.Envelope.Type {
		case domain.ApprovalGrantedType, domain.ApprovalRefusedType, domain.ApprovalExpiredType:
			return at == 0 || rec.Position < at
		}
		return false
	}), nil
}

// question is what the person was asked last about proposals, if nothing else was
// shown or said since.
type question struct {
	listed []domain.ID    // the proposals, in the order they were shown; nil: nothing was just asked
	isList bool           // they were listed, so that one can be picked
	says   bynames.Saying //  of a list: the yes or no that it asks back about
	other  bool           // Chalie asked something else last, which has answers of its own
	// together says that they were just asked about one after the other, for one request, and
	// that nothing else waits which the person had asked for.
	together bool
}

// ofOneRequest is the question with all that was just asked about for the same request.
func (q question) ofOneRequest(own []Proposal) question {
	if q.isList || len(q.listed) != 1 || len(own) < 2 || own[len(own)-1].Proposal != q.listed[0] ||
		slices.ContainsFunc(own, func(p Proposal) bool { return p.Trace != own[0].Trace }) {
		return q
	}
	q.listed, q.together = nil, true
	for _, p := range own {
		q.listed = append(q.listed, p.Proposal)
	}
	return q
}

// completed is an answer that says only which one is meant ("1") with what it says about
// it: what the list was asked back about, and of what was just asked about yes. It stays SaysAgain where
// that can't be told. A no to what was asked about together is one to all of it.
func (q question) completed(said bynames.Decision, own int) bynames.Decision {
	switch {
	case said.Says == bynames.SaysNo && q.together && said.Which == 0:
		said.Several = true
	case said.Says != bynames.SaysAgain:
	case q.isList && q.says != bynames.SaysNeither:
		said.Says = q.says
	case q.together && said.Which != 0, !q.isList && q.listed != nil && own > 1 && said.Several:
		said.Says = bynames.SaysYes
	case !q.isList && len(q.listed) == 1 && said.Which == 1:
		said.Says, said.Which = bynames.SaysYes, 0
	}
	return said
}

// all are the proposals that an answer to several decides: those of a list that was just shown that
// the person had asked for, or all that they had asked for when the last of it was just asked about.
// Both are never more than two.
func (q question) all(said bynames.Decision, own []Proposal) []Proposal {
	if !said.Several || said.Says != bynames.SaysYes && said.Says != bynames.SaysNo || q.listed == nil {
		return nil
	}
	out := slices.DeleteFunc(slices.Clone(own), func(p Proposal) bool { return q.isList && !slices.Contains(q.listed, p.Proposal) })
	if len(out) == 0 || said.Two && len(out) > 2 || !q.isList && !slices.Contains(q.listed, own[len(own)-1].Proposal) {
		return nil
	}
	return out
}

// meant is the pending proposal that an answer decides: the only one that was asked
// about, when the person asked for no other, or the one picked from a list.
func (q question) meant(said bynames.Decision, pending []Proposal, own int) (Proposal, bool) {
	var id domain.ID
	switch {
	case said.Says == bynames.SaysNeither || said.Several:
		return Proposal{}, false
	case said.Which == 0 && len(q.listed) == 1 && own == 1:
		id = q.listed[0]
	case said.Which == bynames.LastListed && (q.isList || q.together):
		id = q.listed[len(q.listed)-1]
	case said.Which > 0 && said.Which <= len(q.listed) && (q.isList || q.together):
		id = q.listed[said.Which-1]
	default:
		return Proposal{}, false
	}
	i := slices.IndexFunc(pending, func(p Proposal) bool { return p.Proposal == id })
	if i < 0 || said.Which == 0 && !pending[i].InConversation() {
		return Proposal{}, false
	}
	return pending[i], true
}

// askedLast is the last question before a message: the latest pending proposal, when
// it was shown, or the question which is meant. What was shown or said since the
// message that the question answers makes it old, too: nobody can tell what a yes is
// to that was typed meanwhile.
func (a *Approvals) askedLast(ctx context.Context, latest Proposal, msg domain.Record) (question, error) {
	q, since, itself := question{listed: []domain.ID{latest.Proposal}}, latest.Position, domain.Position(0)
	back, err := a.lastBefore(ctx, domain.ReasoningConcluded{Shown: domain.ShownMessage}.ShownKey(), latest.Position, msg.Position)
	if err != nil {
		return question{}, err
	}
	if listed := listedIn(back.Envelope); listed != nil {
		opening, err := a.cfg.Reader.Find(ctx, back.Envelope.Trace.ID)
		if err != nil {
			return question{}, err
		}
		q, since = question{listed: listed, isList: true}, opening.Position
		itself = back.Position
		if received, err := domain.Decode[domain.MessageReceived](opening.Envelope); err == nil {
			if said, ok := bynames.DecisionIn(received.Text); ok {
				q.says = said.Says
			}
		}
	}
	moved, err := a.spokenSince(ctx, since, msg.Position, itself)
	if err != nil || !moved {
		return q, err
	}
	other, err := a.asksElse(ctx, back, msg)
	return question{other: other}, err
}

// asksElse reports whether the last thing that the person was shown before a message is a
// question of Chalie's own about something else, with its answers as buttons.
func (a *Approvals) asksElse(ctx context.Context, conclusion, msg domain.Record) (bool, error) {
	if conclusion.Position == 0 || listedIn(conclusion.Envelope) != nil {
		return false, nil
	}
	moved, err := a.spokenSince(ctx, conclusion.Position, msg.Position, 0)
	if err != nil || moved {
		return false, err
	}
	said, err := domain.SaidIn(conclusion.Envelope, func(id domain.ID) (domain.Envelope, error) {
		rec, err := a.cfg.Reader.Find(ctx, id)
		return rec.Envelope, err
	})
	if domain.CategoryOf(err) == domain.NotFound || domain.CodeOf(err) == domain.CodeErased {
		return false, nil
	}
	return len(domain.ButtonsIn(said.Blocks)) > 0, err
}

// listedIn are the proposals that a conclusion asks about, in order; nil when it asks
// about none.
func listedIn(conclusion domain.Envelope) []domain.ID {
	end, err := domain.Decode[domain.ReasoningConcluded](conclusion)
	if err != nil {
		return nil
	}
	var out []domain.ID
	for _, ev := range end.Evidence {
		switch ev.Role {
		case RoleProposed:
			out = append(out, ev.EnvelopeID)
		case roleDecided:
			return nil
		}
	}
	return out
}

// maxLookedBack bounds the records of each topic that are looked through for what was
// shown or said. Behind more than that nothing was just asked.
const maxLookedBack = 1024

// spokenSince reports whether the person was shown or said anything between two
// positions, but for one record.
func (a *Approvals) spokenSince(ctx context.Context, after, before, but domain.Position) (bool, error) {
	const page = 128
	for _, topic := range []domain.Topic{domain.TopicMessages, domain.TopicReasoning, domain.TopicTools} {
		for from, seen := after+1, 0; ; {
			records, err := a.cfg.Reader.Select(ctx, domain.Selector{Topic: topic}, from, page)
			if err != nil {
				return false, err
			}
			records = slices.DeleteFunc(records, func(rec domain.Record) bool { return rec.Position >= before })
			if slices.ContainsFunc(records, func(rec domain.Record) bool { return rec.Position != but && isSpoken(rec.Envelope) }) {
				return true, nil
			}
			if len(records) < page {
				break
			}
			from = records[len(records)-1].Position + 1
			if seen += page; seen >= maxLookedBack {
				return true, nil
			}
		}
	}
	return false, nil
}

// isSpoken reports whether the person said something by an envelope, or read something
// that it gave them. That an answer is being thought about is nothing to read.
func isSpoken(e domain.Envelope) bool {
	switch e.Type {
	case domain.MessageReceivedType, domain.ActionReceivedType, domain.SteerReceivedType:
		return e.Principal == domain.PrincipalOperator
	}
	types, err := domain.FrameTypes(e)
	return err != nil || slices.ContainsFunc(types, func(t domain.FrameType) bool {
		switch t {
		case domain.FrameNarration, domain.FrameCard, domain.FrameMessage, domain.FrameNotification, domain.FrameEscalation, domain.FrameError:
			return true
		}
		return false
	})
}

// askedElsewhere reports whether a proposal is about what the person asked for in another
// conversation than a message's: no words here mean it.
func (a *Approvals) askedElsewhere(ctx context.Context, p Proposal, msg domain.Record) (bool, error) {
	if !p.InConversation() {
		return false, nil
	}
	opening, err := a.cfg.Reader.Find(ctx, p.Trace.ID)
	if domain.CategoryOf(err) == domain.NotFound {
		return false, nil
	}
	return domain.ConversationOf(opening.Envelope) != domain.ConversationOf(msg.Envelope), err
}

// lastBefore is the last record with a key between two positions; the zero record
// without one.
func (a *Approvals) lastBefore(ctx context.Context, key domain.Key, after, before domain.Position) (last domain.Record, err error) {
	const page = 64
	for from, n := after+1, page; n == page; {
		records, err := a.cfg.Reader.Select(ctx, domain.Selector{Key: key}, from, page)
		if err != nil {
			return last, err
		}
		for _, rec := range records {
			if from = rec.Position + 1; rec.Position >= before {
				return last, nil
			}
			last = rec
		}
		n = len(records)
	}
	return last, nil
}

// Spoken is an answer without a model.
type Spoken struct {
	Handled  bool // there is one
	Blocks   []domain.Block
	Evidence []domain.Evidence
}
