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

// What the person says of a tool holds for the tool as it is. Of another by its name it counts only
// as far as they are asked more, until they say it again.
func TestTrustGoesWithTheTool(t *testing.T) {
	yes, no := true, false
	never, full, least := domain.AskNever, domain.AutonomyFull, domain.AutonomyReadonly
	greet := domain.Tool{Name: "greet", Description: "Greets somebody.", Parameters: []domain.Parameter{{Name: "name", Type: domain.TypeString}},
		Hints: &domain.ToolHints{ReadOnly: &yes}, SideEffects: &no, Autonomy: domain.AutonomySupervised}
	with := func(change func(*domain.Tool)) domain.Tool {
		out := greet
		change(&out)
		return out
	}
	id := domain.ID{15: 7}
	for what, after := range map[string]domain.Tool{
		"it drops that it only looks": with(func(t *domain.Tool) { t.Hints, t.SideEffects = nil, nil }),
		"a parameter comes": with(func(t *domain.Tool) {
			t.Parameters = append(t.Parameters[:1:1], domain.Parameter{Name: "password", Type: domain.TypeString, Required: true})
		}),
		"a parameter says otherwise": with(func(t *domain.Tool) {
			t.Parameters = []domain.Parameter{{Name: "name", Type: domain.TypeString, Description: "The password."}}
		}),
		"it is described otherwise":    with(func(t *domain.Tool) { t.Description = "Pays." }),
		"it is documented otherwise":   with(func(t *domain.Tool) { t.Documentation = "Pays." }),
		"its schema is another":        with(func(t *domain.Tool) { t.Schema = []byte(`{"type":"object"}`) }),
		"it has effects":               with(func(t *domain.Tool) { t.Effects = []string{"pays"} }),
		"it trusts itself with more":   with(func(t *domain.Tool) { t.Autonomy = domain.AutonomyFull }),
		"it returns something else":    with(func(t *domain.Tool) { t.Returns = []byte(`{"type":"string"}`) }),
		"it takes another state first": with(func(t *domain.Tool) { t.StateSnapshot = "password" }),
	} {
		t.Run(what, func(t *testing.T) {
			var r domain.Registry
			var b domain.Rulebook
			at := domain.Position(0)
			offer := func() domain.Offer {
				return domain.Offer{Name: "greet", Tool: r.Interfaces[id].Tools[0], Interface: r.Interfaces[id]}
			}
			fold := func(entry domain.Entry, err error) {
				t.Helper()
				at++
				rec := domain.Record{Position: at, Topic: entry.Topic, Envelope: entry.Envelope}
				for _, wrong := range []error{err, r.Evolve(rec), b.Evolve(rec)} {
					if wrong != nil {
						t.Fatal(wrong)
					}
				}
			}
			begins := domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator)
			offers := func(tool domain.Tool) {
				fold(domain.New(begins, domain.ID{14: byte(at + 1)}, 1, "test", domain.CapabilitiesChanged{InterfaceID: id, Version: "1", Tools: []domain.Tool{tool}}))
			}
			says := func(c domain.CapabilityChanged) {
				c.CapabilityID = id.UUID() + "/greet"
				fold(domain.New(begins, domain.ID{14: byte(at + 1)}, 1, "test", c))
			}
			fold(domain.New(begins, id, 1, "test", domain.InterfacePaired{Name: "x", Version: "1", TokenHash: domain.HashSecret("x").String(), Tools: []domain.Tool{greet}}))
			trust := domain.CapabilityChanged{SideEffects: &no, RequiresApproval: &no, Unasked: &yes, Autonomy: &full, Ask: &never}
			says(trust)
			trusted := b.Manifest(offer())
			if trusted.Lapsed || trusted.SideEffects || !trusted.Unasked || trusted.Autonomy != full || trusted.Ask != never {
				t.Fatalf("it is taken for %+v", trusted)
			}
			offers(greet)
			if got := b.Manifest(offer()); got != trusted {
				t.Errorf("offered again as it was it is taken for %+v", got)
			}
			offers(after)
			own := domain.DefaultManifest(offer())
			got := b.Manifest(offer())
			if want := own; got.SideEffects != want.SideEffects || got.RequiresApproval != want.RequiresApproval || got.Unasked || got.Autonomy != want.Autonomy || got.Ask != domain.AskAsSaid || !got.Lapsed {
				t.Errorf("changed it is taken for %+v, and by itself for %+v", got, want)
			}
			if said, _ := b.SaidOf(offer()); !said.IsEmpty() {
				t.Errorf("of that counts %+v", said)
			}
			offers(greet)
			if !b.Manifest(offer()).Lapsed {
				t.Error("changed back it is trusted without a word")
			}
			says(trust)
			if got := b.Manifest(offer()); got != trusted {
				t.Errorf("said again it is taken for %+v", got)
			}
			always := domain.AskAlways
			says(domain.CapabilityChanged{SideEffects: &yes, RequiresApproval: &yes, Autonomy: &least, Ask: &always})
			careful := b.Manifest(offer())
			offers(after)
			if got := b.Manifest(offer()); got.Lapsed || !got.SideEffects || !got.RequiresApproval || got.Autonomy != least || got.Ask != always || careful.Lapsed {
				t.Errorf("what asks more is %+v for another tool", got)
			}
		})
	}
}

func TestLapsedIsSaid(t *testing.T) {
	lapsed := domain.Manifest{SideEffects: true, RequiresApproval: true, Autonomy: domain.AutonomyFull, Ask: domain.AskAsSaid, Lapsed: true}
	if got := domain.AskedInWords(&domain.Rulebook{}, lapsed).WhenSaid(); got != "Asked each time: it has changed since you trusted it" {
		t.Error(got)
	}
}
