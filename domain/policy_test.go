package domain_test

import (
	"reflect"
	"strings"
	"testing"

	"chalie/domain"
)

func TestPolicyTable(t *testing.T) {
	const (
		operator  = domain.ActorOperator
		reasoning = domain.ActorReasoning
		lab       = "interface:01890000-0000-7000-8000-000000000001"
		script    = "program:script"
	)
	const (
		readonly   = domain.AutonomyReadonly
		supervised = domain.AutonomySupervised
		full       = domain.AutonomyFull
	)
	const (
		allowed = domain.VerdictAllowed
		denied  = domain.VerdictDenied
		asks    = domain.VerdictApproval
	)
	type asked struct {
		actor, channel string
		effects        bool // it has side effects
		asksFirst      bool // it wants to be approved
		trusted        domain.Autonomy
	}
	plain := func(actor, channel string, effects bool) asked { return asked{actor, channel, effects, false, full} }
	for _, c := range []struct {
		asked
		ceiling domain.Autonomy
		want    domain.PolicyVerdict
		codes   string
	}{
		// The person's own hand: nothing stands in its way.
		{plain(operator, "api", true), supervised, allowed, "own_hand has_side_effects autonomy_full"},
		{plain(operator, "socket", true), readonly, allowed, "own_hand has_side_effects autonomy_full"},
		{plain(operator, "api", false), readonly, allowed, "own_hand"},
		{plain(operator, domain.ChannelAction, true), supervised, allowed, "own_hand has_side_effects autonomy_full"},
		{asked{operator, "api", true, true, readonly}, supervised, allowed, "own_hand has_side_effects autonomy_full"},

		// What they ask for in words: what the capability itself wants counts.
		{plain(operator, domain.ChannelChat, false), supervised, allowed, "asked_in_words"},
		{plain(operator, domain.ChannelChat, true), supervised, allowed, "asked_in_words has_side_effects autonomy_full"},
		{plain(operator, domain.ChannelChat, true), readonly, allowed, "asked_in_words has_side_effects autonomy_full"},
		{asked{operator, domain.ChannelChat, true, true, full}, full, asks, "asked_in_words capability_requires_approval has_side_effects autonomy_full approval_required"},
		{asked{operator, domain.ChannelChat, false, true, full}, full, asks, "asked_in_words capability_requires_approval approval_required"},
		{asked{operator, domain.ChannelChat, true, false, supervised}, full, asks, "asked_in_words has_side_effects autonomy_supervised approval_required"},
		{asked{operator, domain.ChannelChat, true, false, readonly}, full, denied, "asked_in_words has_side_effects autonomy_readonly"},
		{asked{operator, domain.ChannelChat, false, false, readonly}, full, allowed, "asked_in_words"},

		// What nobody asked for: as far as the ceiling goes.
		{plain(reasoning, domain.ChannelBackground, false), readonly, allowed, "harmless"},
		{plain(reasoning, domain.ChannelBackground, true), readonly, denied, "of_its_own_accord has_side_effects autonomy_readonly"},
		{plain(reasoning, domain.ChannelBackground, true), supervised, asks, "of_its_own_accord has_side_effects autonomy_supervised approval_required"},
		{plain(reasoning, domain.ChannelBackground, true), full, allowed, "of_its_own_accord has_side_effects autonomy_full"},
		{asked{reasoning, domain.ChannelBackground, true, true, full}, full, asks, "of_its_own_accord capability_requires_approval has_side_effects autonomy_full approval_required"},
		{asked{reasoning, domain.ChannelBackground, true, false, supervised}, full, asks, "of_its_own_accord has_side_effects autonomy_supervised approval_required"},
		{asked{reasoning, domain.ChannelBackground, true, true, readonly}, full, denied, "of_its_own_accord capability_requires_approval has_side_effects autonomy_readonly"},

		// What an interface's message leads to.
		{plain(lab, domain.ChannelMessage, false), supervised, allowed, "harmless"},
		{plain(lab, domain.ChannelMessage, true), readonly, denied, "of_its_own_accord has_side_effects autonomy_readonly"},
		{plain(lab, domain.ChannelMessage, true), supervised, asks, "of_its_own_accord has_side_effects autonomy_supervised approval_required"},
		{plain(lab, domain.ChannelMessage, true), full, allowed, "of_its_own_accord has_side_effects autonomy_full"},
		{plain(script, domain.ChannelMessage, true), supervised, asks, "of_its_own_accord has_side_effects autonomy_supervised approval_required"},

		// Its page, to itself; and what it wants of others.
		{plain(lab, domain.ChannelGateway, true), readonly, allowed, "own_page has_side_effects autonomy_full"},
		{plain(lab, domain.ChannelNested, false), full, asks, "through_a_token approval_required"},
		{plain(lab, domain.ChannelToken, true), full, asks, "through_a_token approval_required"},
		{plain(script, domain.ChannelToken, false), full, asks, "through_a_token approval_required"},
	} {
		rules := domain.DefaultPolicy()
		rules.Autonomy = c.ceiling
		in := domain.Invoking{InvocationID: domain.ID{15: 1}, Actor: c.actor, Channel: c.channel, Manifest: domain.Manifest{
			CapabilityID: "x/y", Version: "3", SideEffects: c.effects, RequiresApproval: c.asksFirst, Autonomy: c.trusted}}
		got := rules.Decide(in, "r")
		if got.Verdict != c.want || strings.Join(got.ReasonCodes, " ") != c.codes {
			t.Errorf("%+v under %s: %s for %v, want %s for %s", c.asked, c.ceiling, got.Verdict, got.ReasonCodes, c.want, c.codes)
		}
		if got.Allowed != (got.Verdict == allowed) || (len(got.Obligations) == 1) != (got.Verdict == asks) {
			t.Errorf("%+v under %s: %+v", c.asked, c.ceiling, got)
		}
		if got.RegimeID != "r" || got.CapabilityID != "x/y" || got.CapabilityVersion != "3" || got.Actor != c.actor || got.Channel != c.channel || got.SideEffects != c.effects {
			t.Errorf("the audit of %+v is %+v", c.asked, got)
		}
		in.CantWait = true
		alone := rules.Decide(in, "r")
		if want := map[domain.PolicyVerdict]domain.PolicyVerdict{allowed: allowed, denied: denied, asks: denied}[c.want]; alone.Verdict != want {
			t.Errorf("%+v with nobody to ask: %s, want %s", c.asked, alone.Verdict, want)
		}
		in.CantWait, in.Depth = false, rules.MaxDepth+1
		if deep := rules.Decide(in, "r"); deep.Verdict != denied || strings.Join(deep.ReasonCodes, " ") != domain.ReasonTooDeep || deep.Depth != in.Depth {
			t.Errorf("%+v nested too deep: %+v", c.asked, deep)
		}
	}
}

func TestPolicyRules(t *testing.T) {
	no := false
	rules := domain.DefaultPolicy()
	rules.Rules = []domain.PolicyRule{
		{Name: "never_pay", Capabilities: []string{"bank/*", "shop/buy"}, Verdict: domain.VerdictDenied},
		{Name: "that_lab", Actors: []string{"interface:lab"}, Channels: []string{"message", "nested"}, SideEffects: &no, Verdict: domain.VerdictAllowed, Obligations: []string{"tell_the_person"}},
		{Name: "ask", Actors: []string{"operator"}, Verdict: domain.VerdictApproval},
	}
	for _, c := range []struct {
		actor, channel, capability string
		effects                    bool
		want                       domain.PolicyVerdict
		codes                      string
		obligations                string
	}{
		{"operator", "api", "bank/pay", true, domain.VerdictDenied, "never_pay", ""},
		{"interface:lab", "message", "shop/buy", false, domain.VerdictDenied, "never_pay", ""},
		{"operator", "api", "shop/buyer", true, domain.VerdictApproval, "ask approval_required", "ask_the_person"},
		{"interface:lab", "message", "shop/look", false, domain.VerdictAllowed, "that_lab", "tell_the_person"},
		{"interface:lab", "message", "shop/look", true, domain.VerdictDenied, domain.ReasonNoRule, ""},
		{"interface:lab", "api", "shop/look", false, domain.VerdictDenied, domain.ReasonNoRule, ""},
		{"interface:bank", "message", "shop/look", false, domain.VerdictDenied, domain.ReasonNoRule, ""},
	} {
		got := rules.Decide(domain.Invoking{Actor: c.actor, Channel: c.channel,
			Manifest: domain.Manifest{CapabilityID: c.capability, SideEffects: c.effects, Autonomy: domain.AutonomyFull}}, "r")
		if got.Verdict != c.want || strings.Join(got.ReasonCodes, " ") != c.codes || strings.Join(got.Obligations, " ") != c.obligations {
			t.Errorf("%+v: %s for %v, to %v", c, got.Verdict, got.ReasonCodes, got.Obligations)
		}
	}
}

func TestCheckPolicy(t *testing.T) {
	if err := domain.DefaultPolicy().Check(); err != nil {
		t.Errorf("the default policy: %v", err)
	}
	for name, spoil := range map[string]func(*domain.PolicyRules){
		"autonomy is":     func(p *domain.PolicyRules) { p.Autonomy = "total" },
		"max_depth":       func(p *domain.PolicyRules) { p.MaxDepth = -1 },
		"approval_min":    func(p *domain.PolicyRules) { p.ApprovalMinutes = 0 },
		"0 rules":         func(p *domain.PolicyRules) { p.Rules = nil },
		"two rules":       func(p *domain.PolicyRules) { p.Rules[1].Name = p.Rules[0].Name },
		"reason code":     func(p *domain.PolicyRules) { p.Rules[1].Name = "With Spaces" },
		"its verdict":     func(p *domain.PolicyRules) { p.Rules[1].Verdict = "perhaps" },
		"its autonomy":    func(p *domain.PolicyRules) { p.Rules[1].Autonomy = "none" },
		"no actor":        func(p *domain.PolicyRules) { p.Rules[1].Actors = []string{"everybody"} },
		"printable":       func(p *domain.PolicyRules) { p.Rules[1].Channels = []string{""} },
		"in one place":    func(p *domain.PolicyRules) { p.Rules[1].Capabilities = make([]string, 65) },
		"rule 2 of 6, \"": func(p *domain.PolicyRules) { p.Rules[1].Verdict = "" },
	} {
		rules := domain.DefaultPolicy()
		spoil(&rules)
		if err := rules.Check(); domain.CategoryOf(err) != domain.Validation || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func changed[P any](t *testing.T, b *domain.Rulebook, pos domain.Position, payload P) {
	t.Helper()
	id := domain.ID{15: byte(pos)}
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator), id, 1, "test", payload)
	if err == nil {
		err = b.Evolve(domain.Record{Position: pos, Topic: entry.Topic, Envelope: entry.Envelope})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// The same rules have the same regime, other rules another one.
func TestRegime(t *testing.T) {
	var b domain.Rulebook
	first := b.ID()
	strict := domain.DefaultPolicy()
	strict.Autonomy = domain.AutonomyReadonly
	changed(t, &b, 1, domain.PolicyChanged{Policy: strict})
	second := b.ID()
	yes, no, some := true, false, domain.AutonomySupervised
	changed(t, &b, 2, domain.CapabilityChanged{CapabilityID: "chalie/note", SideEffects: &no, RequiresApproval: &yes, Autonomy: &some})
	third := b.ID()
	if first == second || second == third || !strings.HasPrefix(first, "sha256:") || b.Through != 2 {
		t.Errorf("the regimes are %s, %s, %s", first, second, third)
	}
	own := domain.Offer{Name: "note", Tool: domain.Tool{Name: "note"}, Interface: &domain.Interface{Name: "Chalie", Version: "1"}}
	if got, want := b.Manifest(own), (domain.Manifest{CapabilityID: "chalie/note", Version: "1", RequiresApproval: true, Autonomy: domain.AutonomySupervised, Ask: domain.AskAsSaid}); got != want {
		t.Errorf("it is taken for %+v, want %+v", got, want)
	}
	changed(t, &b, 3, domain.CapabilityChanged{CapabilityID: "chalie/note"})
	changed(t, &b, 4, domain.PolicyChanged{Policy: domain.DefaultPolicy()})
	if !reflect.DeepEqual(b.Rules(), domain.DefaultPolicy()) {
		t.Errorf("in force is %+v", b.Rules())
	}
	own.Tool.SideEffects, own.Tool.Autonomy, own.Tool.RequiresApproval = &no, domain.AutonomyReadonly, true
	if got, want := b.Manifest(own), (domain.Manifest{CapabilityID: "chalie/note", Version: "1", RequiresApproval: true, Autonomy: domain.AutonomyReadonly, Ask: domain.AskAsSaid}); got != want {
		t.Errorf("it is taken for %+v, want %+v", got, want)
	}
}

func TestUnknownCapabilities(t *testing.T) {
	known := []string{"chalie/remind", "chalie/reminder", "chalie/task", "0198/pay", "0199/pay"}
	for named, near := range map[string]string{
		"chalie/remind": "known", "chalie/*": "known", "*": "known", "0198/pay": "known",
		"remind": "chalie/remind", "chali/remind": "chalie/remind", "chalie/remnd": "chalie/remind", "Task": "chalie/task",
		"pay": "0198/pay 0199/pay", "bank/*": "", "weather": "", "": "",
	} {
		rules := domain.PolicyRules{Rules: []domain.PolicyRule{{Name: "any"}, {Name: "ask", Capabilities: []string{named}}}}
		got := rules.Unknown(known)
		if near == "known" {
			if len(got) != 0 {
				t.Errorf("%q is taken for unknown: %+v", named, got)
			}
			continue
		}
		if len(got) != 1 || got[0].Rule != "ask" || got[0].Named != named || strings.Join(got[0].Near, " ") != near {
			t.Errorf("%q: %+v, want near %q", named, got, near)
			continue
		}
		if said := got[0].String(); !strings.Contains(said, "rule ask") || strings.Contains(said, "did you mean") != (near != "") {
			t.Errorf("%q is told as %s", named, said)
		}
	}
}
