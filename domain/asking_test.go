package domain_test

import (
	"strings"
	"testing"

	"chalie/domain"
)

// What the person chose for a tool, against what the tool is, in the rows where it counts.
func TestAsking(t *testing.T) {
	const (
		always = domain.AskAlways
		asSaid = domain.AskAsSaid
		never  = domain.AskNever

		allowed = domain.VerdictAllowed
		asks    = domain.VerdictApproval
		denied  = domain.VerdictDenied
	)
	looks := domain.Manifest{Autonomy: domain.AutonomyFull}
	changes := domain.Manifest{SideEffects: true, Autonomy: domain.AutonomyFull}
	wants := domain.Manifest{SideEffects: true, RequiresApproval: true, Autonomy: domain.AutonomyFull}
	looksAndWants := domain.Manifest{RequiresApproval: true, Autonomy: domain.AutonomyFull}
	pays := domain.Manifest{SideEffects: true, MovesMoney: true, Autonomy: domain.AutonomyFull}
	both := domain.Manifest{SideEffects: true, MovesMoney: true, RequiresApproval: true, Autonomy: domain.AutonomyFull}
	less := domain.Manifest{SideEffects: true, Autonomy: domain.AutonomySupervised}
	none := domain.Manifest{SideEffects: true, Autonomy: domain.AutonomyReadonly}
	for _, c := range []struct {
		what  string
		tool  domain.Manifest
		ask   domain.Asking
		want  domain.PolicyVerdict
		codes string
		says  string
	}{
		{"looks", looks, always, asks, "asked_in_words ask_always approval_required", "Asked each time: you chose that"},
		{"looks", looks, asSaid, allowed, "asked_in_words", "Done when you say it: it only looks"},
		{"looks", looks, never, allowed, "asked_in_words ask_never", "Done when you say it: you said it needn't ask"},
		{"looks, wants approval", looksAndWants, always, asks, "asked_in_words capability_requires_approval ask_always approval_required", "Asked each time: you chose that"},
		{"looks, wants approval", looksAndWants, asSaid, asks, "asked_in_words capability_requires_approval approval_required", "Asked each time: it wants your approval"},
		{"looks, wants approval", looksAndWants, never, allowed, "asked_in_words ask_never", "Done when you say it: you said it needn't ask"},
		{"changes", changes, always, asks, "asked_in_words has_side_effects autonomy_full ask_always approval_required", "Asked each time: you chose that"},
		{"changes", changes, asSaid, allowed, "asked_in_words has_side_effects autonomy_full", "Done when you say it"},
		{"changes", changes, never, allowed, "asked_in_words has_side_effects autonomy_full ask_never", "Done when you say it: you said it needn't ask"},
		{"wants approval", wants, always, asks, "asked_in_words capability_requires_approval has_side_effects autonomy_full ask_always approval_required", "Asked each time: you chose that"},
		{"wants approval", wants, asSaid, asks, "asked_in_words capability_requires_approval has_side_effects autonomy_full approval_required", "Asked each time: it wants your approval"},
		{"wants approval", wants, never, allowed, "asked_in_words has_side_effects autonomy_full ask_never", "Done when you say it: you said it needn't ask"},
		{"moves money", pays, always, asks, "asked_in_words has_side_effects autonomy_full ask_always approval_required", "Asked each time: you chose that"},
		{"moves money", pays, asSaid, asks, "asked_in_words moves_money has_side_effects autonomy_full approval_required", "Asked each time: it may move money"},
		{"moves money", pays, never, allowed, "asked_in_words has_side_effects autonomy_full ask_never", "Done when you say it: you said it needn't ask"},
		{"both", both, asSaid, asks, "asked_in_words capability_requires_approval moves_money has_side_effects autonomy_full approval_required", "Asked each time: it may move money"},
		{"both", both, never, allowed, "asked_in_words has_side_effects autonomy_full ask_never", "Done when you say it: you said it needn't ask"},
		{"trusted with less", less, asSaid, asks, "asked_in_words has_side_effects autonomy_supervised approval_required", "Asked each time: it is trusted no further"},
		{"trusted with less", less, never, allowed, "asked_in_words has_side_effects autonomy_full ask_never", "Done when you say it: you said it needn't ask"},
		{"trusted with nothing", none, never, denied, "asked_in_words has_side_effects autonomy_readonly", "Never done: by the rule “asked_in_words” of the policy nothing may be changed, and it may change something"},
	} {
		rules := domain.DefaultPolicy()
		for _, f := range []domain.Footing{{OwnReading: true}, {}, {OwnReading: true, Words: []domain.Words{{Of: "lab"}}}} {
			in := domain.Invoking{Actor: domain.ActorOperator, Channel: domain.ChannelChat, Manifest: c.tool, Footing: &f}
			in.Manifest.Ask = c.ask
			got := rules.Decide(in, "r")
			if got.Verdict != c.want || strings.Join(got.ReasonCodes, " ") != c.codes {
				t.Errorf("%s, %s, %+v: %s for %v, want %s for %s", c.what, c.ask, f, got.Verdict, got.ReasonCodes, c.want, c.codes)
			}
			if said := got.WhenSaid(); said != c.says {
				t.Errorf("%s, %s: %q, want %q", c.what, c.ask, said, c.says)
			}
		}
	}
}

// What the person's own rules say of asking, no setting of a tool takes back.
func TestAskingWithinTheRules(t *testing.T) {
	rule := func(r domain.PolicyRule) domain.PolicyRules {
		r.Name = "mine"
		return domain.PolicyRules{Autonomy: domain.AutonomySupervised, MaxDepth: 4, ApprovalMinutes: 15, Rules: []domain.PolicyRule{r}}
	}
	pays := domain.Manifest{CapabilityID: "x/pay", SideEffects: true, MovesMoney: true, RequiresApproval: true, Autonomy: domain.AutonomyFull}
	for _, c := range []struct {
		what  string
		rules domain.PolicyRules
		ask   domain.Asking
		says  string
	}{
		{"a rule that asks", rule(domain.PolicyRule{Verdict: domain.VerdictApproval}), domain.AskNever, "Asked each time: the rule \"mine\""},
		{"a rule that denies", rule(domain.PolicyRule{Verdict: domain.VerdictDenied}), domain.AskNever, "Never done: the rule “mine” of the policy forbids it"},
		{"the ceiling", rule(domain.PolicyRule{Verdict: domain.VerdictAllowed}), domain.AskNever, "Asked each time: it is trusted no further"},
		{"saying it is approving it", rule(domain.PolicyRule{Verdict: domain.VerdictAllowed, Autonomy: domain.AutonomyFull, Confirmed: true}), domain.AskAsSaid, "Done when you say it"},
		{"saying it is approving it", rule(domain.PolicyRule{Verdict: domain.VerdictAllowed, Autonomy: domain.AutonomyFull, Confirmed: true}), domain.AskAlways, "Asked each time: you chose that"},
	} {
		pays.Ask = c.ask
		if got := domain.AskedInWords(&domain.Rulebook{Set: &c.rules}, pays).WhenSaid(); got != c.says {
			t.Errorf("%s, %s: %q, want %q", c.what, c.ask, got, c.says)
		}
	}
}

func TestCapabilityChangedAsk(t *testing.T) {
	never, other := domain.AskNever, domain.Asking("perhaps")
	said := domain.CapabilityChanged{CapabilityID: "x/pay", Ask: &never}
	if err := said.Check(); err != nil || said.IsEmpty() {
		t.Errorf("%v, empty %t", err, said.IsEmpty())
	}
	said.Ask = &other
	if err := said.Check(); domain.CategoryOf(err) != domain.Validation || !strings.Contains(err.Error(), "always, as_said, never") {
		t.Errorf("%v", err)
	}
	var b domain.Rulebook
	before := b.ID()
	pay := domain.Offer{Tool: domain.Tool{Name: "pay"}, Interface: &domain.Interface{ID: domain.ID{15: 7}}}
	changed(t, &b, 1, domain.CapabilityChanged{CapabilityID: pay.CapabilityID(), Ask: &never})
	if m := b.Manifest(pay); m.Ask != domain.AskNever || !m.MovesMoney || b.ID() == before {
		t.Errorf("it is taken for %+v by %s", m, b.ID())
	}
	if said, through := b.Said(pay.CapabilityID()); through != 1 || said.Ask == nil || *said.Ask != never {
		t.Errorf("said is %+v, through %d", said, through)
	}
}
