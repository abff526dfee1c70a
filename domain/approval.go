package domain

// ApprovalProposed asks the person whether an invocation may be made. It waits
// until they say so, or until the proposal expires. Its id is the proposal's.
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

// ApprovalGranted says that the invocation may be made. Its parent is what the
// person said, or the proposal.
type ApprovalGranted struct {
	InvocationID ID         `json:"invocation_id"`
	Actor        string     `json:"actor"`
	Channel      string     `json:"channel"`
	Correlator   Correlator `json:"correlator"`
	MessageID    ID         `json:"message_id"` // what the person said; none when they pressed a button
}

// ApprovalRefused says that the invocation must not be made.
type ApprovalRefused struct {
	InvocationID ID         `json:"invocation_id"`
	Actor        string     `json:"actor"`
	Channel      string     `json:"channel"`
	Correlator   Correlator `json:"correlator"`
	MessageID    ID         `json:"message_id"` // what the person said; none when they pressed a button
}

// ApprovalExpired says that nobody decided in time, which counts as a no.
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
	CodeTokenUsed    Code = "token_used"    // the proposal was decided before
	CodeTokenExpired Code = "token_expired" // it came too late
	CodeAnotherActor Code = "another_actor" // only the person may decide
)

// Correlator is how a decision was matched with its proposal.
type Correlator string

// The correlators.
const (
	ByApprovalToken Correlator = "approval_token"
	ByReply         Correlator = "reply_to_proposal_token"
	ByReaction      Correlator = "reaction_to_proposal_token"
	ByPlainText     Correlator = "plain_text" // a yes or no while only one was pending
)

// ProposalKey is carried by a proposal, so that it is found by the hash of its
// token.
func ProposalKey(hash SecretHash) Key { return "proposal/" + Key(hash.String()) }
