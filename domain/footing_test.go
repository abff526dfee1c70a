package domain_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"chalie/domain"
)

// The table, cell by cell, as it is written down for people.
func TestFootingTable(t *testing.T) {
	want := []domain.FootingRow{
		{OpenedBy: "person", RestsOn: "own_words", Looks: domain.BoundChosen, Changes: domain.BoundChosen},
		{OpenedBy: "person", RestsOn: "no_foreign_words", Looks: domain.BoundChosen, Changes: domain.BoundChosen},
		{OpenedBy: "person", RestsOn: "foreign_words", Looks: domain.BoundPlain, Changes: domain.BoundAsked},
		{OpenedBy: "others", RestsOn: "any", Looks: domain.BoundMarked, Changes: domain.BoundAsked},
	}
	if got := domain.FootingTable(); !slices.Equal(got, want) {
		t.Errorf("the table is %+v", got)
	}
}

// What changes something for the person has to be named by their words, whatever they said of the tool; the
// contrary is denied. What only looks, what others ask for and what nobody's model asks for has no such words.
func TestFootingOfDeeds(t *testing.T) {
	named, none, contrary := &domain.Deed{Words: []domain.DeedWords{{To: 1}}}, &domain.Deed{}, &domain.Deed{Against: []domain.DeedWords{{To: 1}}}
	for _, c := range []struct {
		what    string
		actor   string
		changes bool
		deed    *domain.Deed
		ask     domain.Asking
		cant    bool
		want    domain.PolicyVerdict
		code    string
	}{
		{"named", domain.ActorOperator, true, named, domain.AskAsSaid, false, domain.VerdictAllowed, ""},
		{"from before", domain.ActorOperator, true, nil, domain.AskAsSaid, false, domain.VerdictAllowed, ""},
		{"unnamed", domain.ActorOperator, true, none, domain.AskAsSaid, false, domain.VerdictApproval, domain.ReasonNoDeed},
		{"unnamed, needn't ask", domain.ActorOperator, true, none, domain.AskNever, false, domain.VerdictApproval, domain.ReasonNoDeed},
		{"unnamed, nobody to ask", domain.ActorOperator, true, none, domain.AskAsSaid, true, domain.VerdictDenied, domain.ReasonNobodyToAsk},
		{"the contrary", domain.ActorOperator, true, contrary, domain.AskNever, false, domain.VerdictDenied, domain.ReasonContrary},
		{"only looks", domain.ActorOperator, false, contrary, domain.AskAsSaid, false, domain.VerdictAllowed, ""},
		{"named, always asks", domain.ActorOperator, true, named, domain.AskAlways, false, domain.VerdictApproval, domain.ReasonAskAlways},
		{"of others", domain.ActorReasoning, true, none, domain.AskAsSaid, false, domain.VerdictApproval, domain.ReasonNobodyAsked},
	} {
		rules := domain.PolicyRules{Autonomy: domain.AutonomyFull, MaxDepth: 4, ApprovalMinutes: 15, Rules: []domain.PolicyRule{{Name: "any", Verdict: domain.VerdictAllowed, Confirmed: true, Autonomy: domain.AutonomyFull}}}
		got := rules.Decide(domain.Invoking{Actor: c.actor, Channel: domain.ChannelChat, CantWait: c.cant, Footing: &domain.Footing{OwnReading: true, Deed: c.deed},
			Manifest: domain.Manifest{CapabilityID: "x/y", SideEffects: c.changes, Unasked: true, Autonomy: domain.AutonomyFull, Ask: c.ask}}, "r")
		if got.Verdict != c.want || c.code != "" && !slices.Contains(got.ReasonCodes, c.code) {
			t.Errorf("%s: %s, by %v", c.what, got.Verdict, got.ReasonCodes)
		}
		// No rule of the policy's forbids what lacks a word.
		if said := got.Denial("unlock"); got.Verdict == domain.VerdictDenied && (strings.Contains(said, "rule") || !strings.Contains(said, "what unlock does")) {
			t.Errorf("%s: it is denied because %s", c.what, said)
		}
	}
}

// askings are the settings, and none, of manifests from before there were any.
var askings = append(domain.Askings(), "")

// Every combination of what a call can rest on, against the rules' own answer: the
// footing narrows it as the table says, and never widens it. What the person chose for the
// tool counts in the first two rows, and nowhere else.
func TestFootingLaw(t *testing.T) {
	words := []domain.Words{{EnvelopeID: domain.ID{1}, Kind: domain.WordsOfSignal, Of: "lab"}}
	policies := map[string]domain.PolicyRules{"default": domain.DefaultPolicy()}
	for _, verdict := range []domain.PolicyVerdict{domain.VerdictAllowed, domain.VerdictApproval, domain.VerdictDenied} {
		policies[string(verdict)] = domain.PolicyRules{Autonomy: domain.AutonomyFull, MaxDepth: 4, ApprovalMinutes: 15, Rules: []domain.PolicyRule{
			{Name: "any", Verdict: verdict, Confirmed: true, Autonomy: domain.AutonomyFull}}}
	}
	rank := map[domain.PolicyVerdict]int{domain.VerdictAllowed: 0, domain.VerdictApproval: 1, domain.VerdictDenied: 2}
	tried := 0
	for name, rules := range policies {
		for _, asks := range askings {
			for _, actor := range []string{domain.ActorOperator, domain.ActorReasoning, "interface:x", "program:x"} {
				for n := range 64 {
					is := func(bit int) bool { return n>>bit&1 == 1 }
					f := domain.Footing{OwnReading: is(0)}
					if is(1) {
						f.Words = words
					}
					if is(2) {
						f.Carried = []domain.ID{{2}}
					}
					in := domain.Invoking{Actor: actor, Channel: domain.ChannelChat, CantWait: is(5),
						Manifest: domain.Manifest{CapabilityID: "x/y", SideEffects: is(3), Unasked: is(4), Autonomy: domain.AutonomyFull, Ask: asks}}
					plain := rules.Decide(in, "r")
					in.Footing = &f
					got := rules.Decide(in, "r")
					tried++
					what := fmt.Sprintf("%s, %s, %+v, changes %t, marked %t, %s", name, actor, f, is(3), is(4), asks)
					if rank[got.Verdict] < rank[plain.Verdict] {
						t.Errorf("%s: %s became %s", what, plain.Verdict, got.Verdict)
					}
					want := plain.Verdict
					ask := domain.VerdictApproval
					if in.CantWait {
						ask = domain.VerdictDenied
					}
					switch person := actor == domain.ActorOperator; {
					case plain.Verdict == domain.VerdictDenied:
					case person && (f.OwnReading || f.Words == nil):
						if asks == domain.AskAlways {
							want = ask
						}
					case person && is(3), person && is(2):
						want = ask
					case person:
					case is(3):
						want = ask
					case !is(4) || is(2):
						want = domain.VerdictDenied
					}
					if got.Verdict != want {
						t.Errorf("%s: %s %v, want %s", what, got.Verdict, got.ReasonCodes, want)
					}
					if counted := len(got.Words) > 0; counted != (f.Words != nil && !(actor == domain.ActorOperator && f.OwnReading)) {
						t.Errorf("%s: the words that counted are %v", what, got.Words)
					}
				}
			}
		}
	}
	if tried != 4*4*4*64 {
		t.Errorf("%d were tried", tried)
	}
}

// What a source says of its own tools counts for a call to them only when that carries
// private words.
func TestForeignTo(t *testing.T) {
	own := domain.Words{Kind: domain.WordsOfTool, Of: "a"}
	other := domain.Words{Kind: domain.WordsOfTool, Of: "b"}
	signal := domain.Words{Kind: domain.WordsOfSignal, Of: "a"}
	shown := []domain.Words{own, other, signal}
	for _, c := range []struct {
		source  string
		carries bool
		want    []domain.Words
	}{{"a", false, []domain.Words{other, signal}}, {"a", true, shown}, {"", false, shown}, {"c", false, shown}, {"b", false, []domain.Words{own, signal}}} {
		if got := domain.ForeignTo(shown, c.source, c.carries); !slices.Equal(got, c.want) {
			t.Errorf("to %q, carrying %t: %v", c.source, c.carries, got)
		}
	}
}

// Beyond the first two rows of the table a call gets the same whatever the person chose,
// and so does one that rests on nothing.
func TestChoiceCountsInTwoRows(t *testing.T) {
	words := []domain.Words{{EnvelopeID: domain.ID{1}, Kind: domain.WordsOfSignal, Of: "lab"}}
	rules := domain.DefaultPolicy()
	for _, actor := range []string{domain.ActorOperator, domain.ActorReasoning, "interface:x", "program:x"} {
		for _, channel := range domain.Channels() {
			for _, f := range []*domain.Footing{nil, {Words: words}, {Words: words, Carried: []domain.ID{{2}}}, {OwnReading: true}, {}} {
				if f != nil && actor == domain.ActorOperator && f.Words == nil {
					continue // the first two rows
				}
				for n := range 32 {
					is := func(bit int) bool { return n>>bit&1 == 1 }
					in := domain.Invoking{Actor: actor, Channel: channel, Footing: f, Manifest: domain.Manifest{CapabilityID: "x/y",
						SideEffects: is(0), RequiresApproval: is(1), Unasked: is(2), MovesMoney: is(3), Autonomy: domain.AutonomySupervised}}
					if is(4) {
						in.Manifest.Autonomy = domain.AutonomyFull
					}
					want := rules.Decide(in, "r")
					for _, in.Manifest.Ask = range domain.Askings() {
						if got := rules.Decide(in, "r"); !reflect.DeepEqual(got, want) {
							t.Errorf("%s, %s, %+v, %+v: %s %v, want %s %v", actor, channel, f, in.Manifest, got.Verdict, got.ReasonCodes, want.Verdict, want.ReasonCodes)
						}
					}
				}
			}
		}
	}
}
