package commands

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

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
func (a *Approvals) Ask(ctx context.Context, c Caller, msg domain.Record, text string) (Spoken, error) {
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

// askBack says what a yes or no could mean, when it isn't plain what it answers.
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

// askedBy is who wants something done, for a person.
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
	why := inWords(err)
	return Spoken{Handled: true, Blocks: []domain.Block{domain.TextBlock(strings.ToUpper(why[:1])+why[1:]+".", domain.FormatPlain)}}, nil
}

// decided says what a decision was about.
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
		{EnvelopeID: proposed.Envelope.ID, Role: roleProposed, Weight: domain.One},
		{EnvelopeID: decision.ID, Role: roleDecided, Weight: domain.One},
	}}, nil
}

// The roles in the evidence of an answer about proposals: of each proposal, and of what
// was decided.
const (
	roleProposed = "proposed"
	roleDecided  = "decided"
)

func proposals(all []Proposal) []domain.Evidence {
	out := make([]domain.Evidence, len(all))
	for i, p := range all {
		out[i] = domain.Evidence{EnvelopeID: p.Proposal, Role: roleProposed, Weight: domain.One}
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
			// What is no hash was taken in by nobody; no proposal has it.
			token, _ = domain.ParseSecretHash(text)
			return token, by, nil
		}
	}
	return token, "", nil
}

// takeTokens takes the tokens that name proposals out of a message's metadata:
// they stand nowhere in the log. rest is what is left, and hashes what stands there
// in their place, by field.
func takeTokens(metadata json.RawMessage) (rest json.RawMessage, hashes map[string]domain.SecretHash) {
	fields := map[string]json.RawMessage{}
	if json.Unmarshal(metadata, &fields) != nil {
		return metadata, nil // it is no object, and is refused for that
	}
	for _, by := range domain.Correlators() {
		var token string
		if json.Unmarshal(fields[string(by)], &token) != nil || token == "" {
			continue
		}
		if hashes == nil {
			hashes = map[string]domain.SecretHash{}
		}
		hashes[string(by)] = domain.HashSecret(token)
		delete(fields, string(by))
	}
	if hashes == nil {
		return metadata, nil
	}
	rest, _ = json.Marshal(fields) // of what was JSON
	return rest, hashes
}

// putHashes puts what takeTokens took back, as hashes.
func putHashes(metadata json.RawMessage, hashes map[string]domain.SecretHash) json.RawMessage {
	if hashes == nil {
		return metadata
	}
	fields := map[string]any{}
	dec := json.NewDecoder(bytes.NewReader(metadata))
	dec.UseNumber()
	if dec.Decode(&fields) != nil {
		return metadata // what was redacted still is an object
	}
	for name, hash := range hashes {
		fields[name] = hash
	}
	out, _ := json.Marshal(fields) // of what was JSON
	return out
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
