package domain

// PolicyDecided is the policy's answer to one invocation, with all that an audit
// asks for. Its envelope's id is the decision's.
type PolicyDecided struct {
	DecisionID         ID            `json:"policy_decision_id"` // none where it wasn't written yet: the envelope has it
	InvocationID       ID            `json:"invocation_id"`
	ParentInvocationID ID            `json:"parent_invocation_id"` // none unless a tool invoked this one
	Depth              int           `json:"depth"`                // of invocations around this one
	Actor              string        `json:"actor"`                // the actor that wants it done
	Channel            string        `json:"channel"`              // through what they said so
	CapabilityID       string        `json:"capability_id"`
	CapabilityVersion  string        `json:"capability_version"`
	SideEffects        bool          `json:"side_effects"` // it may change something
	Autonomy           Autonomy      `json:"autonomy"`     // how far it was trusted; "" when that wasn't asked
	RegimeID           string        `json:"policy_regime_id"`
	Verdict            PolicyVerdict `json:"verdict"`
	Allowed            bool          `json:"allowed"` // at once, without asking anybody
	ReasonCodes        []string      `json:"reason_codes"`
	Obligations        []string      `json:"obligations"`
	ProposalToken      string        `json:"proposal_token"` // hash, when approval is needed; "" otherwise

	// What a call that a model asked for rests on; "" of anything else.
	OpenedBy Opener  `json:"opened_by"`
	RestsOn  Rest    `json:"rests_on"`
	Words    []Words `json:"words"`   // the foreign ones that counted
	Carried  []ID    `json:"carried"` // of the private words that a parameter carries
}

// Autonomy is how far Chalie may go by itself.
type Autonomy string

// The levels, from the least.
const (
	AutonomyReadonly   Autonomy = "readonly"   // nothing with side effects
	AutonomySupervised Autonomy = "supervised" // that with the person's approval
	AutonomyFull       Autonomy = "full"
)

// rank orders the levels; 0 is none of them.
func (a Autonomy) rank() int {
	switch a {
	case AutonomyReadonly:
		return 1
	case AutonomySupervised:
		return 2
	case AutonomyFull:
		return 3
	}
	return 0
}

// Known reports whether it is one of the levels.
func (a Autonomy) Known() bool { return a.rank() > 0 }

// lower is the lesser of two levels.
func (a Autonomy) lower(b Autonomy) Autonomy {
	if b.rank() < a.rank() {
		return b
	}
	return a
}

// Invoking is the invocation that a policy judges.
type Invoking struct {
	InvocationID       ID
	ParentInvocationID ID
	Depth              int
	Actor              string
	Channel            string
	Manifest           Manifest
	CantWait           bool     // the caller can't wait for an approval
	Footing            *Footing // of a call that a model asked for; nil of anything else
}

// Regime is a set of rules that decides what may be done. It is pure: the same
// question gets the same answer.
type Regime interface {
	Decide(Invoking) PolicyDecided
	// Manifest is the regime's manifest of a tool.
	Manifest(Offer) Manifest
	// ApprovalWithin is how long a proposal waits for the person.
	ApprovalWithin() Millis
}

// Decide is the policy's answer by the rules: the first rule that matches, then
// what the capability itself wants, then how far Chalie may go by itself, and then
// what a model's call rests on.
func (p PolicyRules) Decide(in Invoking, regime string) PolicyDecided {
	d := PolicyDecided{
		InvocationID: in.InvocationID, ParentInvocationID: in.ParentInvocationID, Depth: in.Depth, Actor: in.Actor, Channel: in.Channel,
		CapabilityID: in.Manifest.CapabilityID, CapabilityVersion: in.Manifest.Version, SideEffects: in.Manifest.SideEffects,
		RegimeID: regime, Obligations: []string{}, Words: []Words{}, Carried: []ID{},
	}
	rule, found := p.match(in)
	switch {
	case in.Depth > p.MaxDepth:
		d.Verdict, d.ReasonCodes = VerdictDenied, []string{ReasonTooDeep}
	case !found:
		d.Verdict, d.ReasonCodes = VerdictDenied, []string{ReasonNoRule}
	default:
		d.Verdict, d.ReasonCodes = rule.Verdict, []string{rule.Name}
		d.Obligations = append(d.Obligations, rule.Obligations...)
	}
	if d.Verdict == VerdictAllowed {
		p.restrain(&d, in, rule)
	}
	if in.Footing != nil {
		in.Footing.ground(&d, in)
	}
	if d.Verdict == VerdictApproval {
		d.ReasonCodes = append(d.ReasonCodes, ReasonApproval)
		if in.CantWait {
			d.Verdict, d.ReasonCodes = VerdictDenied, append(d.ReasonCodes, ReasonNobodyToAsk)
		} else {
			d.Obligations = append(d.Obligations, ObligationAsk)
		}
	}
	d.Allowed = d.Verdict == VerdictAllowed
	return d
}

// restrain holds what a rule allows to what the capability asks for and to the
// ceiling. What a rule says is confirmed was approved by being asked for.
func (p PolicyRules) restrain(d *PolicyDecided, in Invoking, rule PolicyRule) {
	if in.Manifest.RequiresApproval && !rule.Confirmed {
		d.Verdict, d.ReasonCodes = VerdictApproval, append(d.ReasonCodes, ReasonAsksFirst)
	}
	if !in.Manifest.SideEffects {
		return
	}
	d.ReasonCodes = append(d.ReasonCodes, ReasonSideEffects)
	ceiling := p.Autonomy
	if rule.Autonomy != "" {
		ceiling = rule.Autonomy
	}
	if !rule.Confirmed {
		ceiling = ceiling.lower(in.Manifest.Autonomy)
	}
	d.Autonomy = ceiling
	d.ReasonCodes = append(d.ReasonCodes, reasonAutonomy+string(ceiling))
	switch ceiling {
	case AutonomyReadonly:
		d.Verdict = VerdictDenied
	case AutonomySupervised:
		d.Verdict = VerdictApproval
	}
}
