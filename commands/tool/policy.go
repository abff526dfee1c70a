package tool

import (
	"context"

	"chalie/commands"
	"chalie/domain"
)

// PoliciesConfig has the dependencies of the policy commands. All are required.
type PoliciesConfig struct {
	commands.Env
	Book    commands.View[domain.Rulebook]
	Applied commands.Barrier // of Book
	Tools   *Tools           // for the names of tools
}

// Policies shows and changes what may be done. It is safe for concurrent use.
type Policies struct{ cfg PoliciesConfig }

// NewPolicies checks the configuration.
func NewPolicies(cfg PoliciesConfig) (*Policies, error) {
	if err := commands.Complete("configure policies", cfg); err != nil {
		return nil, err
	}
	return &Policies{cfg}, nil
}

// InForce is the policy that decides now, with the id of its regime.
func (p *Policies) InForce() (regime string, rules domain.PolicyRules) {
	p.cfg.Book.Read(func(b *domain.Rulebook) { regime, rules = b.ID(), b.Rules() })
	return regime, rules
}

// Doubts says, a sentence each, which capabilities the rules name that nothing known
// is called, offline or not, and which channels nothing is asked for through. Such
// rules are in order: what offers them may come.
func (p *Policies) Doubts(rules domain.PolicyRules) []string {
	out := rules.UnknownChannels()
	for _, u := range rules.Unknown(p.cfg.Tools.capabilities()) {
		out = append(out, u.String())
	}
	return out
}

// CodePolicyChanged is the code of a change that was written against rules that are
// no longer in force.
const CodePolicyChanged domain.Code = "policy_changed"

// Change puts a policy in force, whole. The next decision is made by it when this
// returns; nothing is recorded when it was in force already. With the regime that it
// was written against it takes the place of that one only; with "" of any. Errors:
// validation, policy for anybody but the person, conflict with CodePolicyChanged when
// another regime is in force, and what domain.Appender returns.
func (p *Policies) Change(ctx context.Context, c commands.Caller, rules domain.PolicyRules, against string) (regime string, err error) {
	if err := c.OnlyOperator("change the policy"); err != nil {
		return "", err
	}
	if err := rules.Check(); err != nil {
		return "", err
	}
	var before string
	var through domain.Position
	wanted := domain.Rulebook{Set: &rules}
	p.cfg.Book.Read(func(b *domain.Rulebook) {
		wanted.Manifests = b.Manifests
		before, regime, through = b.ID(), wanted.ID(), b.Through
	})
	if regime == before {
		return regime, nil
	}
	if against == "" {
		return regime, appendRule(ctx, p, c, domain.PolicyChanged{Policy: rules})
	}
	if against != before {
		return "", policyChanged()
	}
	err = appendRule(ctx, p, c, domain.PolicyChanged{Policy: rules}, domain.Condition{Key: domain.PolicyKey, After: through})
	if domain.CodeOf(err) == domain.CodeConditionFailed {
		return "", policyChanged()
	}
	return regime, err
}

func policyChanged() error {
	return &domain.Error{Op: "change the policy", Category: domain.Conflict, Code: CodePolicyChanged,
		Message: "the policy was changed meanwhile, so nothing was put in force: look at what is in force now, and change that"}
}

// Trust says what a tool is to be taken for, by a name that it is offered by, in
// place of what it says of itself and of what was said before; saying nothing lets
// it speak for itself again. With the regime that it was written against it is said in
// that one only; with "" in any. It returns what the tool then is. Errors: as Change's,
// and domain.ResolveOffer's.
func (p *Policies) Trust(ctx context.Context, c commands.Caller, tool string, said domain.CapabilityChanged, against string) (domain.Manifest, error) {
	if err := c.OnlyOperator("change what a tool is taken for"); err != nil {
		return domain.Manifest{}, err
	}
	offer, err := p.cfg.Tools.Offer(tool)
	if err != nil {
		return domain.Manifest{}, err
	}
	said.CapabilityID = offer.CapabilityID()
	if err := said.Check(); err != nil {
		return domain.Manifest{}, err
	}
	var unless []domain.Condition
	if against != "" {
		var now string
		var through domain.Position
		p.cfg.Book.Read(func(b *domain.Rulebook) { now, through = b.ID(), b.Through })
		if now != against {
			return domain.Manifest{}, policyChanged()
		}
		unless = append(unless, domain.Condition{Key: domain.PolicyKey, After: through})
	}
	err = appendRule(ctx, p, c, said, unless...)
	if domain.CodeOf(err) == domain.CodeConditionFailed {
		return domain.Manifest{}, policyChanged()
	}
	if err != nil {
		return domain.Manifest{}, err
	}
	return p.cfg.Tools.Manifest(offer), nil
}

func appendRule[P commands.Keyed](ctx context.Context, p *Policies, c commands.Caller, payload P, unless ...domain.Condition) error {
	id := p.cfg.IDs.NewID()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, c.Principal), id, p.cfg.Now(), c.Source, payload)
	if err != nil {
		return err
	}
	entry.Envelope.Keys = payload.Keys()
	receipt, err := p.cfg.Log.Append(ctx, domain.Batch{Entries: []domain.Entry{entry}, Conditions: unless})
	if err != nil {
		return err
	}
	return p.cfg.Applied.WaitFor(ctx, receipt.Positions[0])
}
