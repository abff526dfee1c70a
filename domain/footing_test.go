package domain_test

import (
	"fmt"
	"slices"
	"testing"

	"chalie/domain"
)

// The table, cell by cell, as it is written down for people.
func TestFootingTable(t *testing.T) {
	want := []domain.FootingRow{
		{OpenedBy: "person", RestsOn: "own_words", Looks: domain.BoundRules, Changes: domain.BoundRules},
		{OpenedBy: "person", RestsOn: "no_foreign_words", Looks: domain.BoundRules, Changes: domain.BoundRules},
		{OpenedBy: "person", RestsOn: "foreign_words", Looks: domain.BoundPlain, Changes: domain.BoundAsked},
		{OpenedBy: "others", RestsOn: "any", Looks: domain.BoundMarked, Changes: domain.BoundAsked},
	}
	if got := domain.FootingTable(); !slices.Equal(got, want) {
		t.Errorf("the table is %+v", got)
	}
}

// Every combination of what a call can rest on, against the rules' own answer: the
// footing narrows it as the table says, and never widens it.
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
					Manifest: domain.Manifest{CapabilityID: "x/y", SideEffects: is(3), Unasked: is(4), Autonomy: domain.AutonomyFull}}
				plain := rules.Decide(in, "r")
				in.Footing = &f
				got := rules.Decide(in, "r")
				tried++
				what := fmt.Sprintf("%s, %s, %+v, changes %t, marked %t", name, actor, f, is(3), is(4))
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
	if tried != 4*4*64 {
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
