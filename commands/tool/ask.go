package tool

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"chalie/commands"
	"chalie/domain"
)

// longestApproval is how far back a proposal can be that is pending: what a policy
// may set at most.
const longestApproval = 24 * time.Hour

// Ask answers a message of the person that decides a proposal: one whose metadata
// names the proposal's token (reply_to_proposal_token, reaction_to_proposal_token
// or approval_token) and that says yes or no, and a plain yes or no to what was asked
// last in the conversation, when the person themselves had asked for that. "Approve
// the second one" picks from a list that was shown last.
//
// While anything else is pending, such as what a program wants done, or anything was
// shown or said since, such an answer is met with what it could mean. So is a message
// that begins with a yes or no while a tool goes by that very word. Everything else
// isn't handled.
//
// Asked again for the same message it says the same: what a message decided carries
// its key, and what was pending is what was pending when it came.
func (a *Approvals) Ask(ctx context.Context, c commands.Caller, msg domain.Record, text string) (Spoken, error) {
	if !c.Operator {
		return Spoken{}, nil
	}
	said, ok := readAnswer(text)
	if !ok {
		return a.orOrder(ctx, msg, text)
	}
	before, err := a.cfg.Reader.Select(ctx, domain.Selector{Key: domain.DecisionKey(msg.Envelope.ID)}, msg.Position, 1)
	if err != nil {
		return Spoken{}, err
	}
	if len(before) > 0 {
		return a.decided(ctx, before[0].Envelope)
	}
	token, by, err := correlated(msg.Envelope)
	if err != nil {
		return Spoken{}, err
	}
	d := Deciding{Granted: said.says == sayYes, Channel: string(msg.Envelope.Source), MessageID: msg.Envelope.ID, Correlator: cmp.Or(by, domain.ByPlainText)}
	if by != "" && said.isPlain() {
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
	if said.says == sayNeither && asked.listed == nil || said.says == sayAgain && asked.says == sayNeither {
		return Spoken{}, nil // it answers something else
	}
	if said.says == sayAgain {
		d.Granted = asked.says == sayYes
	}
	own := slices.DeleteFunc(slices.Clone(pending), func(p Proposal) bool { return !inConversation(p) })
	meant, ok := asked.meant(said, pending, len(own))
	switch {
	case !ok || by != "":
		return a.askBack(pending, own), nil
	case !inConversation(meant):
		return a.askBack([]Proposal{meant}, nil), nil
	}
	return a.spoken(ctx, d, a.decide(ctx, c, meant, d))
}

// orOrder asks what is meant by a message that begins with a yes or no and goes on,
// while something is pending and a tool goes by that word.
func (a *Approvals) orOrder(ctx context.Context, msg domain.Record, text string) (Spoken, error) {
	offer, word, ok := a.namedByAnswer(text)
	if !ok {
		return Spoken{}, nil
	}
	pending, err := a.pendingAt(ctx, msg)
	if err != nil || len(pending) == 0 {
		return Spoken{}, err
	}
	return asking(fmt.Sprintf("Is “%s” your answer, or do you mean the tool %s of %s? %s:%s\nApprove or refuse each where it is shown, or reply to it. If you mean the tool, say “use %s” with all it needs.",
		word, offer.Tool.Name, offer.Interface.Name, theyWait(len(pending)), listOf(pending), offer.Name), pending), nil
}

// inConversation reports whether a proposal is about what the person asked for in the
// conversation: that alone they answer by a plain yes or no.
func inConversation(p Proposal) bool {
	return p.Actor == domain.ActorOperator && (p.Channel == domain.ChannelChat || p.Channel == domain.ChannelAction)
}

// askBack asks which proposal a yes or no answers, when that isn't plain.
func (a *Approvals) askBack(pending, own []Proposal) Spoken {
	const shown = "pprove or refuse each where it is shown, or reply to it."
	switch {
	case len(pending) > 1 && len(own) > 0:
		return asking("Which one? "+theyWait(len(pending))+":"+listOf(pending)+"\nSay “approve the first one” or “refuse the second one”, or a"+shown, pending)
	case len(pending) > 1:
		return asking("Which one? "+theyWait(len(pending))+":"+listOf(pending)+"\nA"+shown, pending)
	case len(own) == 1:
		return asking("Do you mean this? "+theyWait(1)+":"+listOf(own)+"\nSay yes or no to it now.", pending)
	}
	return asking(fmt.Sprintf("This waits for your approval, and it was asked for by %s, so a plain yes or no doesn't decide it:%s\nApprove or refuse it where it is shown, or reply to it.",
		a.askedBy(pending[0].Actor), listOf(pending)), pending)
}

func theyWait(n int) string {
	if n == 1 {
		return "It waits for your approval"
	}
	return "These wait for your approval"
}

// asking is a question about proposals.
func asking(text string, about []Proposal) Spoken {
	return Spoken{Handled: true, Evidence: proposals(about), Blocks: []domain.Block{domain.TextBlock(text, domain.FormatPlain)}}
}

// askedBy names the actor of a proposal, for a person.
func (a *Approvals) askedBy(actor string) string {
	kind, name, _ := strings.Cut(actor, ":")
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
		records, err := a.cfg.Reader.Select(ctx, domain.Selector{Key: domain.DecisionKey(d.MessageID)}, 1, 1)
		if err != nil || len(records) == 0 {
			return Spoken{}, err
		}
		return a.decided(ctx, records[0].Envelope)
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
	listed []domain.ID // the proposals, in the order they were shown; nil: nothing was just asked
	isList bool        // they were listed, so that one can be picked
	says   saying      // of a list: the yes or no that it asks back about
}

// meant is the pending proposal that an answer decides: the only one that was asked
// about, when the person asked for no other, or the one picked from a list.
func (q question) meant(said answer, pending []Proposal, own int) (Proposal, bool) {
	var id domain.ID
	switch {
	case said.says == sayNeither || said.several:
		return Proposal{}, false
	case said.which == 0 && len(q.listed) == 1 && own == 1:
		id = q.listed[0]
	case said.which == lastListed && q.isList:
		id = q.listed[len(q.listed)-1]
	case said.which > 0 && said.which <= len(q.listed) && q.isList:
		id = q.listed[said.which-1]
	default:
		return Proposal{}, false
	}
	i := slices.IndexFunc(pending, func(p Proposal) bool { return p.Proposal == id })
	if i < 0 || said.which == 0 && !inConversation(pending[i]) {
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
			if said, ok := readAnswer(received.Text); ok {
				q.says = said.says
			}
		}
	}
	if moved, err := a.spokenSince(ctx, since, msg.Position, itself); err != nil || moved {
		return question{}, err
	}
	return q, nil
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
