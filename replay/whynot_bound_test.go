package replay_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode"

	"chalie/domain"
)

// What there isn't says so, and what to ask instead.
func TestNothingToAskAbout(t *testing.T) {
	p := newPast(t)
	unknown := p.ids.NewID()
	for target, want := range map[string]struct {
		code domain.Code
		says string
	}{
		"last":                         {"nothing_kept", "the id of a signal"},
		unknown.String():               {"no_envelope", "the name of a tool"},
		unknown.UUID():                 {"no_envelope", "the id of a signal"},
		"pos:3":                        {"no_envelope", "pos:42"},
		"pos:0":                        {"invalid", "pos:42"},
		"seq:1":                        {"invalid", "pos:42"},
		"160":                          {"no_frame", "160"},
		"":                             {"invalid", "the name of a tool"},
		"sing":                         {"no_tool", "nothing is called \"sing\""},
		"line\nbreak":                  {"invalid", "line break"},
		"\x1b[2J":                      {"invalid", "the name of a tool"},
		strings.Repeat("z", 5000):      {"invalid", "zzz…"},
		"<script>alert(1)</script>":    {"no_tool", "<script>"},
		"00000000000000000000000000.x": {"no_tool", "0000"},
	} {
		_, err := p.whyNot(target, nil)
		if domain.CodeOf(err) != want.code || !strings.Contains(err.Error(), want.says) || strings.Contains(err.Error(), "\x1b") || len(err.Error()) > 400 {
			t.Errorf("%q: %v", target, err)
		}
	}
	token := begin(p, domain.PrincipalOperator, domain.TokenIssued{Name: "house", TokenHash: "aa", Signals: []string{}})
	if _, err := p.whyNot(token.Envelope.ID.String(), nil); domain.CodeOf(err) != "nothing_to_tell" || !strings.Contains(err.Error(), "ask about a signal") {
		t.Errorf("of a token: %v", err)
	}
}

// Any record of an episode asks about what opened it, and any step of an invocation
// about that.
func TestAsksAboutTheWhole(t *testing.T) {
	p := newPast(t)
	heard := p.signal("A comet will pass near the Moon", 0.7)
	opening, ended := p.idled(p.mind(), nil, domain.ReasoningConcluded{})
	invoked, decided := p.wanted(p.paired("hospital").Envelope.ID)
	steps, err := p.log.Select(t.Context(), domain.Selector{Trace: opening.Envelope.Trace}, 1, 100)
	if err != nil {
		t.Fatal(err)
	}
	want := map[domain.ID]domain.ID{heard.Envelope.ID: heard.Envelope.ID, ended.Envelope.ID: opening.Envelope.ID, decided.Envelope.ID: invoked.Envelope.ID}
	for _, rec := range steps {
		want[rec.Envelope.ID] = opening.Envelope.ID
	}
	for id, about := range want {
		got, err := p.whyNot(id.String(), nil)
		if err != nil || got.Target.ID != about || len(got.Considered) != 1 {
			t.Errorf("%s asks about %s with %d decisions, want %s: %v", id, got.Target.ID, len(got.Considered), about, err)
		}
	}
}

// Of a signal that is in mind in very many decisions some are looked at, and it is
// said that there are more.
func TestManyDecisions(t *testing.T) {
	p := newPast(t)
	heard := p.signal("A comet will pass near the Moon", 0.7)
	started := p.mind()
	for range 600 {
		p.answered(domain.PrincipalOperator, "And now?", started.World.Items)
	}
	got, err := p.whyNot(heard.Envelope.ID.String(), nil)
	if err != nil || !got.Cut || len(got.Considered) != 500 || len(got.Sentences) > 20 || !strings.Contains(strings.Join(got.Sentences, "\n"), "more decisions than were looked at") {
		t.Errorf("%d decisions, cut %t, %q: %v", len(got.Considered), got.Cut, got.Sentences, err)
	}
}

// Of a plan the latest decisions count.
func TestLatestOfAPlan(t *testing.T) {
	p := newPast(t)
	task := then(p, p.message("I have to hand in the report"), domain.TaskCreated{Text: "hand in the report"})
	for range 100 {
		p.clock.Advance(time.Minute)
		p.noise(40)
		p.idled(p.mind(), nil, domain.ReasoningConcluded{})
	}
	last := p.log.Tail()
	got, err := p.whyNot(task.Envelope.ID.String(), nil)
	n := len(got.Considered)
	if err != nil || !got.Cut || n != 61 || got.Considered[n-2].Position != last || got.Considered[n-1].Gate != domain.GateNoDeadline {
		t.Errorf("%d decisions, cut %t: %v", n, got.Cut, err)
	}
}

// What is told fits on lines, and steers no terminal.
func TestHostileSilences(t *testing.T) {
	p := newPast(t)
	begin(p, domain.PrincipalOperator, domain.MessageReceived{Text: "x", Source: "text", ImageIDs: []domain.ID{}})
	plan := then(p, p.message("evil"), domain.TaskCreated{Text: "buy\x1b[2J\u202e milk " + strings.Repeat("z", 3000)})
	heard := begin(p, "evil\x1b[2Jname\u202e", domain.SignalReceived{SignalType: "a\nb", Content: "line\r\nline\x1b]0;x\x07" + strings.Repeat("y", 5000), ActivationEnergy: 1})
	p.idled(p.mind(bears(heard, plan, 400_000)), nil, domain.ReasoningConcluded{Rejected: []domain.Rejected{{EnvelopeID: heard.Envelope.ID, Gate: "sp\x1b[31mooky", Detail: "\x1b"}}})
	p.idled(p.mind(bears(heard, plan, 400_000)), nil, domain.ReasoningConcluded{})
	got, err := p.whyNot(heard.Envelope.ID.String(), nil)
	if err != nil || len(got.Considered) != 2 {
		t.Fatalf("%+v, %v", got, err)
	}
	lines := append([]string{got.Target.Label}, got.Sentences...)
	for _, c := range got.Considered {
		lines = append(lines, c.Words)
	}
	for _, line := range lines {
		if strings.IndexFunc(line, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }) >= 0 || len([]rune(line)) > 900 {
			t.Errorf("%q", line)
		}
	}
}

// Lists are never null, so that whoever reads them needs no special case.
func TestSilenceAsJSON(t *testing.T) {
	p := newPast(t)
	got, err := p.whyNot(p.signal("A comet", 0.7).Envelope.ID.String(), nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(got)
	if err != nil || !strings.Contains(string(text), `"considered":[]`) || !strings.Contains(string(text), `"smallest_change":`) || !strings.Contains(string(text), `"never":"no_cycle"`) {
		t.Errorf("%s, %v", text, err)
	}
}

// A log that fails is not taken for one that knows nothing.
func TestFailingLogOfASilence(t *testing.T) {
	p := newPast(t)
	heard := p.signal("A comet", 0.7)
	if err := p.log.Close(); err != nil {
		t.Fatal(err)
	}
	for _, target := range []string{"last", heard.Envelope.ID.String(), "ring"} {
		if _, err := p.whyNot(target, nil); domain.CodeOf(err) != domain.CodeClosed {
			t.Errorf("%s: %v", target, err)
		}
	}
}
