package replay_test

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chalie/domain"
	"chalie/replay"
)

func TestExplanationAsJSON(t *testing.T) {
	p := newPast(t)
	cycleOf(p)
	text, err := json.MarshalIndent(p.explained("last"), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, filepath.Join("testdata", "why", "cycle.json"), string(text)+"\n")
}

// A chain as long as a long-lived daemon's trace is told from its near end, and
// that there is more.
func TestLongChain(t *testing.T) {
	p := newPast(t)
	rec := p.message("begin")
	for range 5000 {
		rec = then(p, rec, domain.SteerReceived{Text: "more"})
	}
	why := p.explained(rec.Envelope.ID.String())
	if len(why.Nodes) != replay.MaxNodes || !why.Cut || len(why.Edges) != replay.MaxNodes-1 {
		t.Errorf("%d nodes, %d edges, cut %t", len(why.Nodes), len(why.Edges), why.Cut)
	}
	if last := why.Sentences[len(why.Sentences)-1]; !strings.Contains(last, "more causes than the 500 envelopes") {
		t.Errorf("the last sentence is %q", last)
	}
	for _, e := range why.Edges {
		if !slices.ContainsFunc(why.Nodes, func(n replay.Node) bool { return n.ID == e.From }) {
			t.Fatalf("an edge from %s, which is no node", e.From)
		}
	}
}

// Of much evidence the nearest is followed, and the sentences stay few.
func TestMuchEvidence(t *testing.T) {
	p := newPast(t)
	var used []domain.Evidence
	for range 700 {
		used = append(used, domain.Evidence{EnvelopeID: p.closure(domain.PrincipalOperator).Envelope.ID, Role: "named", Weight: domain.One})
	}
	p.answered(domain.PrincipalOperator, "What is new?", nil, used...)
	why := p.explained("last")
	if len(why.Nodes) != replay.MaxNodes || !why.Cut || len(why.Sentences) > 20 {
		t.Errorf("%d nodes, cut %t, %d sentences", len(why.Nodes), why.Cut, len(why.Sentences))
	}
	if told := strings.Join(why.Sentences, "\n"); !strings.Contains(told, "695 things more") {
		t.Error(told)
	}
}

// What is told fits on lines, and steers no terminal.
func TestHostileTexts(t *testing.T) {
	p := newPast(t)
	issued := domain.TokenIssued{Name: "evil\x1b[2Jname\u202e" + strings.Repeat("x", 80), TokenHash: "aa", Signals: []string{}}
	begin(p, domain.PrincipalOperator, issued, issued.Keys()...)
	heard := begin(p, domain.Principal(issued.Name), domain.SignalReceived{SignalType: "a\nb", Content: "line\r\nline\x1b]0;x\x07" + strings.Repeat("y", 5000), ActivationEnergy: 1})
	p.answered(domain.PrincipalOperator, "tell\x00 me", nil, domain.Evidence{EnvelopeID: heard.Envelope.ID, Role: "named", Weight: 1})
	why := p.explained("last")
	lines := slices.Clone(why.Sentences)
	for _, n := range why.Nodes {
		lines = append(lines, n.Label)
	}
	for _, line := range lines {
		if strings.ContainsAny(line, "\x00\x1b\x07\r\n\u202e") || len([]rune(line)) > 700 {
			t.Errorf("%q", line)
		}
	}
}

func TestLastIsTheLatestShown(t *testing.T) {
	p := newPast(t)
	// One of each way of being shown, with much between and after them.
	for _, end := range []domain.ReasoningConcluded{
		{Outcome: domain.OutcomeSurfaced, Shown: domain.ShownEscalation},
		{Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage},
		{Outcome: domain.OutcomeSurfaced, Shown: domain.ShownNotification},
		{Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage},
	} {
		for range 50 {
			p.closure(domain.PrincipalOperator)
		}
		shown := p.concluded(p.message("?"), end)
		for range 7 {
			p.concluded(p.message("?"), domain.ReasoningConcluded{Outcome: domain.OutcomeHeld})
			if got := p.explained("last").Target.ID; got != shown.Envelope.ID {
				t.Fatalf("after %s the last is %s, want %s", end.Shown, got, shown.Envelope.ID)
			}
		}
	}
}

func TestNothingToExplain(t *testing.T) {
	p := newPast(t)
	unknown := p.ids.NewID()
	why := func(target string) error {
		parsed, err := replay.ParseTarget(target)
		if err == nil {
			_, err = replay.Explain(t.Context(), p.log, parsed, nil)
		}
		return err
	}
	if err := why("last"); domain.CodeOf(err) != "nothing_said" || domain.CategoryOf(err) != domain.NotFound {
		t.Errorf("last of an empty log: %v", err)
	}
	held := p.concluded(p.message("?"), domain.ReasoningConcluded{Outcome: domain.OutcomeHeld})
	for target, want := range map[string]struct {
		code domain.Code
		says string
	}{
		"last":                          {"nothing_said", "said nothing yet"},
		unknown.String():                {"no_envelope", unknown.String()},
		unknown.UUID():                  {"no_envelope", "the id of an envelope or an exchange"},
		"16000":                         {"no_frame", "16000"},
		"33":                            {"no_frame", "seq 33"}, // a conclusion that is held gives one frame
		"pos:3":                         {"no_envelope", "ends at 2"},
		"15":                            {"invalid", "15"},
		"0":                             {"invalid", "last"},
		"seq:15":                        {"invalid", "15"},
		"seq:16000":                     {"no_frame", "16000"},
		"pos:0":                         {"invalid", "pos:0"},
		"pos:":                          {"invalid", "pos:42"},
		"pos:-1":                        {"invalid", "pos:"},
		"-1":                            {"invalid", "seq"},
		"":                              {"invalid", "last"},
		"LAST":                          {"invalid", "LAST"},
		"99999999999999999999":          {"invalid", "99999999999999999999"},
		strings.Repeat("z", 5000):       {"invalid", "zzz…"},
		"00000000000000000000000000":    {"invalid", "0000"},
		"\x1b[2J01KB2V7WYQC3V8P0J6R4T5": {"invalid", "01KB2V7WYQC3V8P0J6R4T5"},
	} {
		err := why(target)
		if domain.CodeOf(err) != want.code || !strings.Contains(err.Error(), want.says) || strings.Contains(err.Error(), "\x1b") || len(err.Error()) > 300 {
			t.Errorf("%q: %v", target, err)
		}
	}
	for _, target := range []string{"32", "seq:32", "pos:2"} {
		if err := why(target); err != nil {
			t.Errorf("%s, which is %s: %v", target, held.Envelope.Type, err)
		}
	}
}

// Without a zone times say that they are UTC.
func TestTimesWithoutAZone(t *testing.T) {
	p := newPast(t)
	p.answered(domain.PrincipalOperator, "hi", nil)
	why, err := replay.Explain(t.Context(), p.log, replay.Target{}, nil)
	if err != nil || !strings.Contains(why.Sentences[0], "12:00 UTC") {
		t.Errorf("%q, %v", why.Sentences, err)
	}
}

// A log that fails is not taken for one that knows nothing.
func TestFailingLog(t *testing.T) {
	p := newPast(t)
	cycleOf(p)
	if err := p.log.Close(); err != nil {
		t.Fatal(err)
	}
	for _, target := range []string{"last", "pos:3", p.ids.NewID().String()} {
		parsed, err := replay.ParseTarget(target)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := replay.Explain(t.Context(), p.log, parsed, nil); domain.CodeOf(err) != domain.CodeClosed {
			t.Errorf("%s: %v", target, err)
		}
	}
}
