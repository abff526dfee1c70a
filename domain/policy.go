package domain

// PolicyDecided is the policy's answer to one invocation, allowed or denied, with
// all that an audit asks for. Its envelope's id is the decision's.
type PolicyDecided struct {
	InvocationID       ID       `json:"invocation_id"`
	ParentInvocationID ID       `json:"parent_invocation_id"` // none unless a tool invoked this one
	Actor              string   `json:"actor"`                // who wants it done
	Channel            string   `json:"channel"`              // through what they said so
	CapabilityID       string   `json:"capability_id"`
	CapabilityVersion  string   `json:"capability_version"`
	RegimeID           string   `json:"policy_regime_id"` // of the rules it was decided by
	Allowed            bool     `json:"allowed"`
	ReasonCodes        []string `json:"reason_codes"`
	Obligations        []string `json:"obligations"`
	ProposalToken      string   `json:"proposal_token"` // hash, when approval is needed; "" otherwise
}

// Invoking is what a policy is asked about.
type Invoking struct {
	InvocationID       ID
	ParentInvocationID ID
	Actor              string
	Channel            string
	CapabilityID       string
	CapabilityVersion  string
}

// Regime is a set of rules that decides what may be done. It is pure: the same
// question gets the same answer.
type Regime interface {
	Decide(Invoking) PolicyDecided
}

// OpenRegime allows everything, and says so in every decision.
type OpenRegime struct{}

var _ Regime = OpenRegime{}

// OpenRegimeID names the rules of OpenRegime.
const OpenRegimeID = "open/1"

// Decide allows.
func (OpenRegime) Decide(in Invoking) PolicyDecided {
	return PolicyDecided{
		InvocationID: in.InvocationID, ParentInvocationID: in.ParentInvocationID, Actor: in.Actor, Channel: in.Channel,
		CapabilityID: in.CapabilityID, CapabilityVersion: in.CapabilityVersion,
		RegimeID: OpenRegimeID, Allowed: true, ReasonCodes: []string{"regime_allows_everything"}, Obligations: []string{},
	}
}
