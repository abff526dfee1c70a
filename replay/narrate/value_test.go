package narrate_test

import (
	"encoding/json"
	"strings"
	"testing"

	"chalie/domain"
	"chalie/replay/narrate"
)

func TestValues(t *testing.T) {
	for raw, want := range map[string]string{
		`{"people":2,"time":"19:30"}`:                       "people 2, time 19:30",
		`{"time":"19:30","people":2}`:                       "time 19:30, people 2",
		`{"party_size":2,"name":"Ada Lovelace"}`:            `party size 2, name "Ada Lovelace"`,
		`{"note":"by the window, please","outside":false}`:  `note "by the window, please", outside no`,
		`{"quiet":true,"name":"","who":null}`:               `quiet yes, name "", who nothing`,
		`{"where":{"lat":1,"lon":2,"alt":3},"tags":["a"]}`:  "where 3 fields, tags 1 entry",
		`{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8}`: "a 1, b 2, c 3, d 4, e 5, f 6, and 2 more",
		`{"said":"so \"loud\""}`:                            `said "so "loud""`,
		`{"price":12.50,"big":12345678901234567890}`:        "price 12.50, big 12345678901234567890",
		`{"twice":1,"twice":2}`:                             "twice 1, twice 2",
		"{}":                                                "",
		"null":                                              "",
		"":                                                  "",
		`["a"]`:                                             "",
		`{"cut":"of`:                                        "",
	} {
		if got := narrate.Values(json.RawMessage(raw)); got != want {
			t.Errorf("%s is told as %q, want %q", raw, got, want)
		}
	}
}

// However long names and values are, they are told in a few characters.
func TestValuesAreBounded(t *testing.T) {
	long := strings.Repeat("ä", 5000)
	raw, err := json.Marshal(map[string]string{long: long, "b" + long: long})
	if err != nil {
		t.Fatal(err)
	}
	if got := narrate.Values(raw); len([]rune(got)) > 4*60+10 || !strings.Contains(got, "…") {
		t.Errorf("it takes %d characters: %s", len([]rune(got)), got)
	}
}

func TestAnswer(t *testing.T) {
	for raw, want := range map[string]string{
		`{"table":7}`: "table 7", `[1,2]`: "2 entries", `"yes, sir"`: `"yes, sir"`, `4`: "4", `true`: "yes",
		`null`: "", `{}`: "", `[]`: "", ``: "", `""`: "",
	} {
		if got := narrate.Answer(json.RawMessage(raw)); got != want {
			t.Errorf("%s is told as %q, want %q", raw, got, want)
		}
	}
}

func TestSummary(t *testing.T) {
	for text, want := range map[string]string{
		`book of restaurant with {"people":2}`:           "book of restaurant with people 2",
		`book of restaurant with {"people":2,"note":"a…`: "book of restaurant with more values than fit here",
		`book of restaurant`:                             "book of restaurant",
		`cancel the appointment with the dentist`:        "cancel the appointment with the dentist",
	} {
		if got := narrate.Summary(text); got != want {
			t.Errorf("%q is told as %q, want %q", text, got, want)
		}
	}
}

// That Chalie may change things by itself is no reason for asking.
func TestReasonsOfANo(t *testing.T) {
	p := domain.PolicyDecided{Verdict: domain.VerdictApproval, ReasonCodes: []string{"asked_in_words", domain.ReasonAsksFirst, domain.ReasonSideEffects, "autonomy_full", domain.ReasonApproval}}
	if got, want := narrate.Reasons(p), `the rule "asked in words", the tool asks for approval each time, it changes something`; got != want {
		t.Errorf("it is told as %q, want %q", got, want)
	}
}

// What the policy decides by its own rules is told without a code.
func TestReasons(t *testing.T) {
	for codes, want := range map[string]string{
		"harmless": `the rule "harmless"`,
		"asked_in_words has_side_effects autonomy_full":        `the rule "asked in words", it changes something, Chalie may change things by itself`,
		"of_its_own_accord has_side_effects approval_required": `the rule "of its own accord", it changes something`,
		"approval_required": "your approval is needed",
		"no_rule_matches":   "no rule allows it",
		"nested_too_deep":   "too many tools had asked for each other",
		"own capability_requires_approval approval_required": `the rule "own", the tool asks for approval each time`,
		"autonomy_readonly":           "Chalie may only look",
		"autonomy_supervised":         "what changes something needs your yes",
		"nobody_to_ask":               "nobody could be asked",
		"autonomy_of_a_newer_version": "how far it is trusted: of a newer version",
		"":                            "",
	} {
		if got := narrate.Reasons(domain.PolicyDecided{Allowed: true, ReasonCodes: strings.Fields(codes)}); got != want {
			t.Errorf("%q is told as %q, want %q", codes, got, want)
		}
	}
}

func TestDecision(t *testing.T) {
	for _, c := range []struct {
		p          domain.PolicyDecided
		what, want string
	}{
		{domain.PolicyDecided{Verdict: domain.VerdictAllowed, Allowed: true, ReasonCodes: []string{"harmless"}, RegimeID: "sha256:1"}, "", `allowed: the rule "harmless"`},
		{domain.PolicyDecided{Verdict: domain.VerdictDenied, ReasonCodes: []string{domain.ReasonNoRule}}, "the tool book", "denied the tool book: no rule allows it"},
		{domain.PolicyDecided{Verdict: domain.VerdictApproval, ReasonCodes: []string{domain.ReasonApproval}, Obligations: []string{domain.ObligationAsk, "tell_ada"}}, "it", "left it to you: your approval is needed; it asks for: tell ada"},
		{domain.PolicyDecided{}, "", "denied"},
	} {
		if got := narrate.Decision(c.p, c.what); got != c.want {
			t.Errorf("%+v is told as %q, want %q", c.p, got, c.want)
		}
	}
}

func TestWay(t *testing.T) {
	for by, want := range map[domain.Correlator]string{
		domain.ByApprovalToken: "you, with its token", domain.ByReply: "you, in a reply", domain.ByReaction: "you, with a reaction",
		domain.ByPlainText: "you, in words", domain.ByCancel: "you, by stopping what it was for", "by_letter": "you, by letter",
	} {
		if got := narrate.Way(domain.ActorOperator, by); got != want {
			t.Errorf("%s is told as %q, want %q", by, got, want)
		}
	}
	if got := narrate.Way("program:door", domain.ByReply); got != "the program door, in a reply" {
		t.Errorf("another is told as %q", got)
	}
}
