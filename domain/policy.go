package domain

import (
	"fmt"
	"slices"
	"strings"
)

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
	OpenedBy Opener   `json:"opened_by"`
	RestsOn  Rest     `json:"rests_on"`
	Words    []Words  `json:"words"`          // the foreign ones that counted
	Carried  []ID     `json:"carried"`        // of the private words that a parameter carries
	Read     Position `json:"read,omitempty"` // see [ReadOf]
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
	Named              string // what rules may call the actor, too: see [ProgramNamed]; "" for nothing
	Channel            string
	Manifest           Manifest
	Unconfirmed        bool     // the caller says that the person wasn't asked, so no rule takes it as approved
	CantWait           bool     // the caller can't wait for an approval
	Footing            *Footing // of a call that a model asked for; nil of anything else
}

// Regime is a set of rules that decides what may be done. It is pure: the same
// question gets the same answer.
type Regime interface {
	Decide(Invoking) PolicyDecided
	// Manifest is the regime's manifest of a tool.
	Manifest(Offer) Manifest
	// SaidOf is what of the person's statement on a tool counts, and the last change of any
	// rule: a statement takes the place of the whole one before it.
	SaidOf(Offer) (CapabilityChanged, Position)
	// ApprovalWithin is how long a proposal waits for the person.
	ApprovalWithin() Millis
	// Named is what rules may call an actor beside its id, such as program:NAME; "" for nothing.
	Named(actor string) string
}

// Decide is the policy's answer by the rules: the first rule that matches, then
// what the capability itself wants, then how far Chalie may go by itself, and then
// what a model's call rests on, with what the person chose for that.
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

// asking is what the person chose for a tool, where that counts; "" elsewhere.
func (in Invoking) asking() Asking {
	if in.Footing == nil || in.Footing.bound(in) != BoundChosen {
		return ""
	}
	return in.Manifest.Ask
}

// restrain holds what a rule allows to what the capability asks for and to the
// ceiling. What a rule says is confirmed was approved by being asked for, and what the
// person said needn't be asked isn't.
func (p PolicyRules) restrain(d *PolicyDecided, in Invoking, rule PolicyRule) {
	chosen := in.asking()
	if rule.Confirmed && in.Unconfirmed {
		rule.Confirmed = false
		d.ReasonCodes = append(d.ReasonCodes, ReasonUnconfirmed)
	}
	if !rule.Confirmed && chosen != AskNever {
		if in.Manifest.RequiresApproval {
			d.Verdict, d.ReasonCodes = VerdictApproval, append(d.ReasonCodes, ReasonAsksFirst)
		}
		if in.Manifest.MovesMoney && chosen == AskAsSaid {
			d.Verdict, d.ReasonCodes = VerdictApproval, append(d.ReasonCodes, ReasonMovesMoney)
		}
	}
	if in.Manifest.Lapsed && !rule.Confirmed {
		d.ReasonCodes = append(d.ReasonCodes, ReasonLapsed)
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
		trusted := in.Manifest.Autonomy
		if chosen == AskNever && trusted == AutonomySupervised {
			trusted = AutonomyFull
		}
		ceiling = ceiling.lower(trusted)
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

// UnknownCapability is what a rule names and nothing known is called. It may yet be
// offered: what offers it may come later.
type UnknownCapability struct {
	Rule  string
	Named string   // as the rule has it
	Near  []string // ids that may be meant, sorted
}

// String is a sentence for the person.
func (u UnknownCapability) String() string {
	said := fmt.Sprintf("rule %s names %q, which nothing known is called, so it doesn't match anything yet", clip(u.Rule, MaxNameBytes), clip(u.Named, MaxKeyBytes))
	if len(u.Near) > 0 {
		said += "; did you mean " + strings.Join(u.Near, " or ") + "?"
	}
	return said
}

// maxNear bounds the ids that are suggested for one.
const maxNear = 3

// Unknown are the capabilities that rules name and that match none of the known
// ids, in the order of the rules.
func (p PolicyRules) Unknown(known []string) []UnknownCapability {
	known = slices.Sorted(slices.Values(known))
	var out []UnknownCapability
	for _, r := range p.Rules {
		for _, named := range r.Capabilities {
			alone := PolicyRule{Capabilities: []string{named}}
			if slices.ContainsFunc(known, alone.concerns) {
				continue
			}
			out = append(out, UnknownCapability{r.Name, named, nearTo(named, known)})
		}
	}
	return out
}

// Channels are all through which something can be asked for, as rules name them.
func Channels() []string {
	return []string{ChannelChat, ChannelMessage, ChannelAction, ChannelBackground, ChannelGateway, ChannelToken, ChannelNested, ChannelMCP, "api", "socket"}
}

// UnknownChannels says, a sentence each, which channels rules name that nothing is
// asked for through; never nil.
func (p PolicyRules) UnknownChannels() []string {
	out := []string{}
	for _, r := range p.Rules {
		for _, named := range r.Channels {
			if !slices.Contains(Channels(), named) {
				out = append(out, fmt.Sprintf("rule %s names the channel %q, through which nothing is asked for, so it doesn't match anything; the channels are %s",
					clip(r.Name, MaxNameBytes), clip(named, MaxKeyBytes), strings.Join(Channels(), ", ")))
			}
		}
	}
	return out
}

// nearTo are the ids that may be meant: those of the same name of
// any interface, or else those that are spelt nearly so.
func nearTo(named string, known []string) []string {
	own := func(id string) string { return strings.ToLower(id[strings.LastIndexByte(id, '/')+1:]) }
	name := own(strings.TrimSuffix(named, "*"))
	if name == "" {
		return nil
	}
	// A letter may be wrong in a short word, two in a long one; more is another word.
	far := 1 + len(name)/5
	least := far
	for _, id := range known {
		least = min(least, edits(name, own(id), far))
	}
	near := slices.DeleteFunc(slices.Clone(known), func(id string) bool { return edits(name, own(id), far) > least })
	return near[:min(len(near), maxNear)]
}

// edits is the number of letters to change, insert or delete to make one word
// of another; far and one when it is more than far.
func edits(a, b string, far int) int {
	if max(len(a), len(b))-min(len(a), len(b)) > far {
		return far + 1
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		above := row[0]
		row[0] = i + 1
		for j := range len(b) {
			same := above
			if a[i] != b[j] {
				same++
			}
			above = row[j+1]
			row[j+1] = min(same, row[j]+1, above+1)
		}
	}
	return min(row[len(b)], far+1)
}
