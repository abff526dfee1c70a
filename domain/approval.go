package domain

import (
	"encoding/json"
	"strings"
)

// ApprovalProposed asks the person whether an invocation may be made. It waits
// until they say so, or until the proposal expires. Its envelope's id is the
// proposal's.
type ApprovalProposed struct {
	InvocationID      ID     `json:"invocation_id"`
	ProposalToken     string `json:"proposal_token"` // hash
	CapabilityID      string `json:"capability_id"`
	CapabilityVersion string `json:"capability_version"`
	Summary           string `json:"summary"` // what would be done, for people
	Actor             string `json:"actor"`
	Channel           string `json:"channel"`
	ExpiresAt         Millis `json:"expires_at"`
}

// ApprovalGranted says that the invocation may be made.
type ApprovalGranted struct {
	InvocationID ID         `json:"invocation_id"`
	Actor        string     `json:"actor"`
	Channel      string     `json:"channel"`
	Correlator   Correlator `json:"correlator"`
	MessageID    ID         `json:"message_id"` // what the person said; none when they said it by a token
}

// ApprovalRefused says that the invocation must not be made. The tool.failed that
// follows from it is appended with it.
type ApprovalRefused struct {
	InvocationID ID         `json:"invocation_id"`
	Actor        string     `json:"actor"`
	Channel      string     `json:"channel"`
	Correlator   Correlator `json:"correlator"`
	MessageID    ID         `json:"message_id"` // what the person said; none when they said it by a token
}

// ApprovalExpired says that nobody decided in time, which counts as a no. The
// tool.failed that follows from it is appended with it.
type ApprovalExpired struct {
	InvocationID ID     `json:"invocation_id"`
	ExpiresAt    Millis `json:"expires_at"`
}

// AttemptRefused says that a proposal's token was used and did nothing.
type AttemptRefused struct {
	InvocationID ID         `json:"invocation_id"`
	Reason       Code       `json:"reason"` // one of the codes below
	Actor        string     `json:"actor"`
	Channel      string     `json:"channel"`
	Correlator   Correlator `json:"correlator"`
}

// Codes of why a proposal's token did nothing.
const (
	CodeTokenUsed    Code = "token_used"     // the proposal was decided before
	CodeTokenExpired Code = "token_expired"  // it came too late
	CodeAnotherActor Code = "another_actor"  // only the person may decide
	CodeOwnYesNeeded Code = "own_yes_needed" // it was a yes through the program that asked, and doesn't count: see Forms
	CodeAskerRevoked Code = "asker_revoked"  // the token of the program that asked was revoked
)

// Codes of how an invocation fails that was not approved.
const (
	CodeApprovalRefused Code = "approval_refused"
	CodeApprovalExpired Code = "approval_expired"
)

// Correlator is how a decision was matched with its proposal.
type Correlator string

// The correlators.
const (
	ByApprovalToken Correlator = "approval_token"
	ByReply         Correlator = "reply_to_proposal_token"
	ByReaction      Correlator = "reaction_to_proposal_token"
	ByPlainText     Correlator = "plain_text" // a yes or no to the last question
	ByButton        Correlator = "button"     // a button of the question
	ByForm          Correlator = "form"       // a form that the program which asked showed them
	ByCancel        Correlator = "cancel"     // what it was for was cancelled, which is a no
	ByRevocation    Correlator = "revocation" // the token of the program that asked was revoked, which is a no
	ByRemoval       Correlator = "removal"    // the interface that asked, or that was asked for it, was removed, which is a no
)

// Correlators are the fields of a message's metadata that name a proposal.
func Correlators() []Correlator { return []Correlator{ByApprovalToken, ByReply, ByReaction} }

// Forms are the calls that a yes decides which comes through the very program that asked for
// them: by a form of its own, or by what it says for its person. A no always counts.
type Forms int64

// The settings, the most careful first.
const (
	FormsOfNone Forms = iota // a yes counts in Chalie's own chat and pages only
	FormsOfMost              // of what neither always asks nor may move money
	FormsOfAll
)

// formsMean says what each of formsWords means.
const formsMean = "none (only in Chalie's own chat and pages), most (also when the program itself shows you the question, unless the tool always asks or may move money) or all (also then, whatever the tool)"

// formsWords are the settings as they are written.
var formsWords = []string{"none", "most", "all"}

// Decide reports whether such a yes decides a call of a tool.
func (f Forms) Decide(m Manifest) bool {
	return f == FormsOfAll || f == FormsOfMost && m.Asks() != AskAlways && !m.MovesMoney
}

// ProposalKey is carried by a proposal, so that it is found by the hash of its
// token.
func ProposalKey(hash SecretHash) Key { return "proposal/" + Key(hash.String()) }

// ProposedKey is carried by every proposal: those of a time are found without
// reading what tools did meanwhile.
const ProposedKey Key = "proposed"

// DecisionKey is carried by what a message of the person decided: each decides
// once.
func DecisionKey(message ID) Key { return "decision/" + Key(message.String()) }

// AttemptKey marks the refused attempts to decide a proposal.
func AttemptKey(proposal ID) Key { return "attempt/" + Key(proposal.String()) }

// Notification is all that leaves the policy about a proposal. Its token goes
// with it and isn't in the log: the sender derives it from the proposal's id.
type Notification struct {
	Proposal          ID // the envelope of the proposal
	CapabilityID      string
	CapabilityVersion string
	Summary           string
	Actor             string
	Channel           string
	Trace             TraceID
	InvocationID      ID
	ExpiresAt         Millis
}

// ApprovalNotice is the notification about a proposal, from its envelope. The
// error is that of Decode: CodeErased for one that can no longer be read, which
// then has no more than its ids.
func ApprovalNotice(e Envelope) (Notification, error) {
	out := Notification{Proposal: e.ID, Trace: e.Trace}
	out.InvocationID, _ = InvocationOf(e)
	p, err := Decode[ApprovalProposed](e)
	if err != nil {
		return out, err
	}
	out.CapabilityID, out.CapabilityVersion, out.Summary = p.CapabilityID, p.CapabilityVersion, p.Summary
	out.Actor, out.Channel, out.ExpiresAt = p.Actor, p.Channel, p.ExpiresAt
	return out, nil
}

// The skills that the buttons of a question for approval ask for. They are no tools: nothing
// but such a button, pressed by the person, has them done.
const (
	SkillApprove = "approve_proposal"
	SkillRefuse  = "refuse_proposal"
)

// proposalParam is the member of their payload with the proposal's id.
const proposalParam = "proposal_id"

// DecisionButtons are the buttons that decide a proposal. of tells it from others in a list
// ("1"); "" for the only one.
func DecisionButtons(proposal ID, of string) []Button {
	params := map[string]any{proposalParam: proposal.String()}
	return []Button{
		{Label: strings.TrimSpace("Approve " + of), Skill: SkillApprove, Params: params},
		{Label: strings.TrimSpace("Refuse " + of), Skill: SkillRefuse, Params: params},
	}
}

// Decides is the proposal that a button decides, and how; ok is false of any other button.
func (b Button) Decides() (proposal ID, granted, ok bool) {
	if b.Skill != SkillApprove && b.Skill != SkillRefuse {
		return ID{}, false, false
	}
	text, _ := b.Params[proposalParam].(string)
	proposal, err := ParseID(text)
	if err != nil {
		proposal = ID{} // there is none of the zero id
	}
	return proposal, b.Skill == SkillApprove, true
}

// Decides is the proposal that a pressed button decides, and how; ok is false of any other
// button, and of one that stood in a tool's answer.
func (a ActionReceived) Decides() (proposal ID, granted, ok bool) {
	if _, ofTool := a.AnswerOf(); ofTool {
		return ID{}, false, false
	}
	pressed := Button{Skill: a.Skill}
	// What is no object names no proposal.
	_ = json.Unmarshal(a.Payload, &pressed.Params)
	return pressed.Decides()
}

// InConversation reports whether a proposal is about what the person asked for in the
// conversation: that alone they answer by a plain yes or no.
func (n Notification) InConversation() bool {
	return n.Actor == ActorOperator && (n.Channel == ChannelChat || n.Channel == ChannelAction)
}

// propose asks the person for approval. A proposal that was erased shows that it
// was, and can still be decided by its token.
func (f *Frame) propose(e Envelope) error {
	notice, err := ApprovalNotice(e)
	f.Proposal = &notice
	if CodeOf(err) == CodeErased {
		f.Blocks = ErasedBlocks()
		return nil
	}
	if err != nil {
		return err
	}
	f.Topic = "approval"
	how := "This waits for your approval: press a button, or answer yes or no."
	if !notice.InConversation() {
		how = "This waits for your approval: press a button. You didn't ask for it here, so a plain yes or no doesn't decide it."
	}
	f.Blocks = []Block{AlertBlock(notice.Summary, VariantWarning), TextBlock(how, FormatPlain), ActionsBlock(DecisionButtons(e.ID, "")...)}
	return nil
}
