package domain

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Bounds of a policy.
const (
	MaxPolicyRules  = 200
	MaxPolicyDepth  = 32
	maxRuleElements = 64
)

// PolicyRules is the rules for who may have what done. The first rule that matches
// decides; what none matches is denied.
type PolicyRules struct {
	// Autonomy is the ceiling for side effects, unless a rule has another.
	Autonomy Autonomy `json:"autonomy"`
	// MaxDepth bounds how many invocations may be around one.
	MaxDepth int `json:"max_depth"`
	// ApprovalMinutes is how long a proposal waits for the person.
	ApprovalMinutes int          `json:"approval_minutes"`
	Rules           []PolicyRule `json:"rules"`
}

// PolicyRule is one rule. What it doesn't name matches anything.
type PolicyRule struct {
	Name string `json:"name"` // the reason code of its decisions
	// Actors are operator, reasoning, interface, program, interface:ID, program:ID for the
	// program of one token, or program:NAME for the one whose token has that name now.
	Actors       []string      `json:"actors,omitempty"`
	Channels     []string      `json:"channels,omitempty"`
	Capabilities []string      `json:"capabilities,omitempty"` // ids; one that ends in * stands for all that begin so
	SideEffects  *bool         `json:"side_effects,omitempty"`
	Verdict      PolicyVerdict `json:"verdict"`
	Autonomy     Autonomy      `json:"autonomy,omitempty"` // in place of the policy's
	// Confirmed says that asking is approving: neither the capability's own wish to
	// be approved nor its autonomy counts.
	Confirmed   bool     `json:"confirmed,omitempty"`
	Obligations []string `json:"obligations,omitempty"`
}

// DefaultApprovalMinutes is how long a proposal waits unless a policy says another.
const DefaultApprovalMinutes = 15

// DefaultPolicy is the one in force until the person sets another. What the person
// does themselves or asks for in words is done. What nobody asked for is done when
// it changes nothing, and otherwise proposed to them. What others want done is
// proposed in any case: interfaces don't hear of each other by themselves.
func DefaultPolicy() PolicyRules {
	harmless := false
	return PolicyRules{
		Autonomy: AutonomySupervised, MaxDepth: 4, ApprovalMinutes: DefaultApprovalMinutes,
		Rules: []PolicyRule{
			{Name: "asked_in_words", Actors: []string{ActorOperator}, Channels: []string{ChannelChat}, Verdict: VerdictAllowed, Autonomy: AutonomyFull},
			{Name: "own_hand", Actors: []string{ActorOperator}, Verdict: VerdictAllowed, Autonomy: AutonomyFull, Confirmed: true},
			{Name: "own_page", Actors: []string{"interface"}, Channels: []string{ChannelGateway}, Verdict: VerdictAllowed, Autonomy: AutonomyFull, Confirmed: true},
			{Name: "through_a_token", Actors: []string{"interface", "program"}, Channels: []string{ChannelToken, ChannelNested}, Verdict: VerdictApproval},
			{Name: "harmless", SideEffects: &harmless, Verdict: VerdictAllowed},
			{Name: "of_its_own_accord", Verdict: VerdictAllowed},
		},
	}
}

// ApprovalWithin is how long a proposal waits.
func (p PolicyRules) ApprovalWithin() Millis {
	return Millis((time.Duration(p.ApprovalMinutes) * time.Minute).Milliseconds())
}

// match is the first rule for a question.
func (p PolicyRules) match(in Invoking) (PolicyRule, bool) {
	for _, r := range p.Rules {
		if r.matches(in) {
			return r, true
		}
	}
	return PolicyRule{}, false
}

func (r PolicyRule) matches(in Invoking) bool {
	return oneOf(r.Actors, in.Actor, ActorKind(in.Actor), cmp.Or(in.Named, in.Actor)) && oneOf(r.Channels, in.Channel) &&
		(r.SideEffects == nil || *r.SideEffects == in.Manifest.SideEffects) && r.concerns(in.Manifest.CapabilityID)
}

func oneOf(named []string, values ...string) bool {
	return len(named) == 0 || slices.ContainsFunc(values, func(v string) bool { return slices.Contains(named, v) })
}

func (r PolicyRule) concerns(capability string) bool {
	return len(r.Capabilities) == 0 || slices.ContainsFunc(r.Capabilities, func(pattern string) bool {
		begin, open := strings.CutSuffix(pattern, "*")
		return pattern == capability || open && strings.HasPrefix(capability, begin)
	})
}

// Check returns a validation error that names the first thing that is wrong; its
// field is as in JSON, such as rules[2].
func (p PolicyRules) Check() error {
	const op = "check policy"
	switch {
	case !p.Autonomy.Known():
		return Invalid(op, "autonomy", fmt.Sprintf("autonomy is %q: give readonly, supervised or full", clip(string(p.Autonomy), MaxNameBytes)))
	case p.MaxDepth < 0 || p.MaxDepth > MaxPolicyDepth:
		return Invalid(op, "max_depth", fmt.Sprintf("max_depth is %d: give 0 to %d", p.MaxDepth, MaxPolicyDepth))
	case p.ApprovalMinutes < 1 || p.ApprovalMinutes > 24*60:
		return Invalid(op, "approval_minutes", fmt.Sprintf("approval_minutes is %d: give 1 to %d", p.ApprovalMinutes, 24*60))
	case len(p.Rules) == 0 || len(p.Rules) > MaxPolicyRules:
		return Invalid(op, "rules", fmt.Sprintf("there are %d rules: give 1 to %d", len(p.Rules), MaxPolicyRules))
	}
	seen := map[string]bool{}
	for n, r := range p.Rules {
		if seen[r.Name] {
			return Invalid(op, fmt.Sprintf("rules[%d]", n), fmt.Sprintf("two rules are named %s: each needs a name of its own", r.Name))
		}
		seen[r.Name] = true
		if why := r.wrong(); why != "" {
			return Invalid(op, fmt.Sprintf("rules[%d]", n), fmt.Sprintf("rule %d of %d, %q: %s", n+1, len(p.Rules), clip(r.Name, MaxNameBytes), why))
		}
	}
	return nil
}

// wrong is the mistake in a rule; "" when there is none.
func (r PolicyRule) wrong() string {
	switch {
	case !isSlug(r.Name):
		return fmt.Sprintf("its name is no reason code: give 1 to %d of a-z, 0-9 and _", MaxNameBytes)
	case r.Verdict != VerdictAllowed && r.Verdict != VerdictDenied && r.Verdict != VerdictApproval:
		return "its verdict is none of allowed, denied, approval_required"
	case r.Autonomy != "" && !r.Autonomy.Known():
		return "its autonomy is none of readonly, supervised, full"
	}
	for _, list := range [][]string{r.Actors, r.Channels, r.Capabilities, r.Obligations} {
		if len(list) > maxRuleElements {
			return fmt.Sprintf("it lists %d names in one place, the bound is %d", len(list), maxRuleElements)
		}
		for _, name := range list {
			if name == "" || len(name) > MaxKeyBytes || hasControl(name) {
				return fmt.Sprintf("a name in it has not 1 to %d printable bytes", MaxKeyBytes)
			}
		}
	}
	for _, actor := range r.Actors {
		if !slices.Contains([]string{ActorOperator, ActorReasoning, "interface", "program"}, ActorKind(actor)) {
			return fmt.Sprintf("%q is no actor: give operator, reasoning, interface, program, interface:ID or program:NAME", actor)
		}
	}
	return ""
}

// isSlug reports whether a name can be a reason code.
func isSlug(name string) bool {
	return name != "" && len(name) <= MaxNameBytes && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// PolicyChanged puts a policy in force, whole, in place of the one before.
type PolicyChanged struct {
	Policy PolicyRules `json:"policy"`
}

// PolicyKey marks every change of the policy and of manifests.
const PolicyKey Key = "policy"

// Keys go onto the event's envelope.
func (PolicyChanged) Keys() []Key { return []Key{PolicyKey} }

// Keys go onto the event's envelope.
func (CapabilityChanged) Keys() []Key { return []Key{PolicyKey} }

// Rulebook is the fold of the policy in force: its rules, and what the person says
// of capabilities. The zero Rulebook is the default policy.
type Rulebook struct {
	Set       *PolicyRules                 `json:"set"` // nil for the default
	Manifests map[string]CapabilityChanged `json:"manifests"`
	SaidAt    map[string]Position          `json:"said_at"` // of each of them, where it was said
	Through   Position                     `json:"through"` // the last change
	// Programs are the names of the programs with a token, by their actors: rules go by them.
	Programs map[string]string `json:"programs,omitempty"`
}

var _ Regime = (*Rulebook)(nil)

// IsRule reports whether a record is one that a Rulebook folds.
func IsRule(rec *Record) bool {
	return rec.Topic == TopicPolicy || rec.Envelope.Type == TokenIssuedType || rec.Envelope.Type == TokenRevokedType
}

// Evolve folds a change, and the names of programs. Other records pass it by. The error is
// CodeUndecodable. An erased change changes nothing: the rules are no personal matter; an
// erased token has no name.
func (b *Rulebook) Evolve(rec Record) error {
	env := rec.Envelope
	switch env.Type {
	case TokenIssuedType:
		issued, err := Decode[TokenIssued](env)
		if err != nil {
			return unlessErased(err)
		}
		if b.Programs == nil {
			b.Programs = map[string]string{}
		}
		b.Programs[ActorOf(ProgramPrincipal(env.ID))] = issued.Name
		return nil
	case TokenRevokedType:
		for _, key := range env.Keys {
			name, ok := strings.CutPrefix(string(key), tokenPrefix)
			maps.DeleteFunc(b.Programs, func(_, other string) bool { return ok && other == name })
		}
		return nil
	case PolicyChangedType:
		p, err := Decode[PolicyChanged](env)
		if err == nil {
			b.Set = &p.Policy
		} else if CodeOf(err) != CodeErased {
			return err
		}
	case CapabilityChangedType:
		c, err := Decode[CapabilityChanged](env)
		switch {
		case CodeOf(err) == CodeErased:
		case err != nil:
			return err
		case c.IsEmpty():
			delete(b.Manifests, c.CapabilityID)
			delete(b.SaidAt, c.CapabilityID)
		default:
			if b.Manifests == nil {
				b.Manifests = map[string]CapabilityChanged{}
			}
			if b.SaidAt == nil {
				b.SaidAt = map[string]Position{}
			}
			b.Manifests[c.CapabilityID], b.SaidAt[c.CapabilityID] = c, rec.Position
		}
	default:
		return nil
	}
	b.Through = rec.Position
	return nil
}

func unlessErased(err error) error {
	if CodeOf(err) == CodeErased {
		return nil
	}
	return err
}

// Rules are the rules in force.
func (b *Rulebook) Rules() PolicyRules {
	if b.Set == nil {
		return DefaultPolicy()
	}
	return *b.Set
}

// ID is the regime's: a hash of the policy in force and of what the person says of
// capabilities. The same rules have the same id, on every machine.
func (b *Rulebook) ID() string {
	text, err := marshal(struct {
		Policy    PolicyRules                  `json:"policy"`
		Manifests map[string]CapabilityChanged `json:"manifests"` // written in the order of their names
	}{b.Rules(), b.Manifests})
	if err != nil {
		return "sha256:unknown" // texts, numbers and lists of them: it can't fail
	}
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Decide is the policy's answer.
func (b *Rulebook) Decide(in Invoking) PolicyDecided {
	in.Named = b.Named(in.Actor)
	return b.Rules().Decide(in, b.ID())
}

// Named is what rules may call an actor beside its id; "" for nothing.
func (b *Rulebook) Named(actor string) string {
	name, ok := b.Programs[actor]
	if !ok || isAnID(name) { // an earlier build took such names: they would be read as another's id
		return ""
	}
	return ProgramNamed(name)
}

// Manifest is a tool's own, with what the person says of it.
func (b *Rulebook) Manifest(o Offer) Manifest {
	own := DefaultManifest(o)
	said, ok := b.Manifests[own.CapabilityID]
	m := own
	if ok {
		counts := b.counts(said, o)
		m = own.said(counts)
		m.Lapsed = m != own.said(said)
	}
	m.MovesMoney = m.SideEffects && !o.IsOwn() && o.Tool.movesMoney()
	return m
}

// counts is what of a statement on a tool counts: all of it while the tool is the one that it
// was said of, and of another what has it asked about more.
func (b *Rulebook) counts(said CapabilityChanged, o Offer) CapabilityChanged {
	if at, known := b.SaidAt[said.CapabilityID]; !known || at >= o.Interface.Became[o.Tool.Name].At {
		return said
	}
	return said.careful(DefaultManifest(o))
}

// Loosens reports whether the person's statement on a tool has it asked about less than by itself,
// and so wouldn't count in full for a changed one.
func (b *Rulebook) Loosens(o Offer) bool {
	own := DefaultManifest(o)
	said, ok := b.Manifests[own.CapabilityID]
	return ok && own.said(said) != own.said(said.careful(own))
}

// SaidOf is what of the person's statement on a tool counts, and the last change of any rule.
func (b *Rulebook) SaidOf(o Offer) (said CapabilityChanged, through Position) {
	said, through = b.Said(o.CapabilityID())
	return b.counts(said, o), through
}

// Said is what the person says of a capability, whatever has become of it, and the last change
// of any rule.
func (b *Rulebook) Said(capability string) (said CapabilityChanged, through Position) {
	said = b.Manifests[capability]
	said.CapabilityID = capability
	return said, b.Through
}

// ApprovalWithin is how long a proposal waits.
func (b *Rulebook) ApprovalWithin() Millis { return b.Rules().ApprovalWithin() }
