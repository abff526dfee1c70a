package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"chalie/domain"
	"chalie/replay/explain"
	"chalie/replay/player"
)

// whyNot asks a life, with decisions made again.
func (l *life) whyNot(t testing.TB, target string) explain.NotTold {
	t.Helper()
	tail := l.log.Tail()
	q, err := explain.ParseQuestion(target)
	if err != nil {
		t.Fatal(err)
	}
	got, err := explain.WhyNot(t.Context(), l.log, q, explain.Asking{Zone: time.UTC, Trial: explain.NewTrials(l.log, sandboxes(keyframes{}).Open)})
	if err != nil {
		t.Fatal(err)
	}
	if l.log.Tail() != tail {
		t.Fatalf("the log has %d records, and had %d", l.log.Tail(), tail)
	}
	return got
}

// remedyLine is a remedy in short.
func remedyLine(r explain.Counterfactual) string {
	line := string(r.Kind)
	if r.Edit != nil {
		line += " " + r.Edit.Field + "=" + r.Edit.Value
	}
	if !r.Without.IsZero() {
		line += " without one"
	}
	for _, name := range slices.Sorted(maps.Keys(r.Set)) {
		line += " " + name + "=" + r.Set[name]
	}
	if r.Verified {
		line += ", verified"
	}
	for _, o := range r.Else {
		line += ", besides " + o.Change + ": " + o.Recorded.Text + o.Replayed.Text
	}
	return line
}

// remedies are all that an answer names, those in vain first.
func remedies(s explain.NotTold) string {
	var out []string
	for _, r := range s.Failed {
		out = append(out, "in vain: "+remedyLine(r))
	}
	if s.Change != nil {
		out = append(out, remedyLine(*s.Change))
	}
	return strings.Join(out, "; ")
}

func lastGate(s explain.NotTold) domain.Gate {
	if len(s.Considered) == 0 {
		return domain.Gate(s.Never)
	}
	return s.Considered[len(s.Considered)-1].Gate
}

const reservation = "remind me: dinner reservation at Luigi's in 4 hours"

// The smallest change that is named for each gate does what it says: the decision
// was made again with it.
func TestSmallestChanges(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		lives  func(*testing.T, *life) string
		gate   domain.Gate
		change string
	}{
		{"too faint", func(t *testing.T, l *life) string {
			l.says(t, reservation)
			news := l.hears(t, "Luigi's is closed tonight", 0.07)
			l.clock.Advance(30 * time.Minute)
			l.thinks(t)
			return news.String()
		}, domain.GateBelowThreshold, "energy activation_energy=0.079463, verified"},
		{"too old", func(t *testing.T, l *life) string {
			l.says(t, "remind me: dinner reservation at Luigi's in 30 hours")
			news := l.hears(t, "Luigi's is closed for ever", 0.9)
			l.clock.Advance(26 * time.Hour)
			l.thinks(t)
			return news.String()
		}, domain.GateBelowThreshold, "parameter half_life=7h16m, verified"},
		{"pushed out", func(t *testing.T, l *life) string {
			l.says(t, reservation)
			news := l.hears(t, "Luigi's is closed tonight", 0.9)
			for range 110 {
				l.hears(t, "more of it", 0.5)
			}
			l.thinks(t)
			return news.String()
		}, domain.GateOverCapacity, "parameter capacity=111, verified"},
		{"cooldown", func(t *testing.T, l *life) string {
			l.says(t, reservation)
			l.hears(t, "Luigi's is closed tonight", 0.9)
			l.thinks(t)
			l.clock.Advance(12 * time.Minute)
			news := l.hears(t, "Luigi's lost its licence for dinner after an inspection", 0.9)
			l.thinks(t)
			return news.String()
		}, domain.GateCooldown, "parameter cooldown=12m, verified"},
		{"a cooldown that was set", func(t *testing.T, l *life) string {
			l.says(t, reservation)
			l.hears(t, "Luigi's is closed tonight", 0.9)
			l.thinks(t)
			put(t, l, by(domain.PrincipalOperator), "api", domain.SettingsChanged{Name: "cooldown", From: "30m", To: "2h"}, domain.SettingsKey)
			l.clock.Advance(45 * time.Minute)
			news := l.hears(t, "Luigi's lost its licence for dinner after an inspection", 0.9)
			l.thinks(t)
			put(t, l, by(domain.PrincipalOperator), "api", domain.SettingsChanged{Name: "cooldown", From: "2h", To: "30m", Default: true}, domain.SettingsKey)
			return news.String()
		}, domain.GateCooldown, "parameter cooldown=45m, verified"},
		{"and what else it does", func(t *testing.T, l *life) string {
			l.says(t, "remind me: dinner reservation at Luigi's in 40 hours")
			l.says(t, "remind me: dinner reservation at Verde's in 40 hours")
			news := l.hears(t, "Luigi's is closed tonight", 0.9)
			l.thinks(t)
			l.clock.Advance(time.Hour)
			l.hears(t, "Verde's is closed tonight", 0.9)
			l.thinks(t)
			return news.String()
		}, domain.GateUnrelated, "parameter surfaces=0.276666, verified, besides new: Dinner reservation at Verde's: “Verde's is closed tonight”\nStation says “Verde's is closed tonight”, and your reminder “dinner reservation at Verde's” is due in 1 d 14 h."},
		{"a threshold that was set", func(t *testing.T, l *life) string {
			l.says(t, reservation)
			put(t, l, by(domain.PrincipalOperator), "api", domain.SettingsChanged{Name: "threshold", From: "0.15", To: "0.8"}, domain.SettingsKey)
			news := l.hears(t, "Luigi's is closed tonight", 0.3)
			l.clock.Advance(30 * time.Minute)
			l.thinks(t)
			return news.String()
		}, domain.GateBelowThreshold, "energy activation_energy=0.423799, verified"},
		{"focused", func(t *testing.T, l *life) string {
			l.says(t, reservation)
			state := domain.AttentionFocused
			put(t, l, by(domain.PrincipalOperator), "api", domain.ContextUpdated{Attention: &state})
			news := l.hears(t, "Luigi's is closed tonight", 0.9)
			l.thinks(t)
			return news.String()
		}, domain.GateAttention, "attention attention=ambient, verified"},
		{"said twice", func(t *testing.T, l *life) string {
			l.tells(t, "The door is open")
			l.clock.Advance(20 * time.Second)
			return l.tells(t, "The door is open").String()
		}, domain.GateAlreadyTold, "parameter directed=21s, verified"},
		{"unrelated", func(t *testing.T, l *life) string {
			l.says(t, reservation)
			noise := l.hears(t, "A comet will pass near the Moon", 0.9)
			l.thinks(t)
			return noise.String()
		}, domain.GateUnrelated, "in vain: relation content=A comet will pass near the Moon: dinner reservation at Luigi's; " +
			"relation content=A comet will pass near the Moon: dinner reservation at Luigi's is cancelled, verified"},
		{"nearly related", func(t *testing.T, l *life) string {
			l.says(t, "remind me: dinner reservation at Luigi's in 40 hours")
			news := l.hears(t, "Luigi's is closed tonight", 0.9)
			l.thinks(t)
			return news.String()
		}, domain.GateUnrelated, "parameter surfaces=0.276666, verified"},
		{"a cycle that found nothing", func(t *testing.T, l *life) string {
			l.says(t, "remind me: dinner reservation at Luigi's in 40 hours")
			l.hears(t, "Luigi's is closed tonight", 0.9)
			return l.thinks(t).String()
		}, domain.GateNothingFound, "parameter surfaces=0.276666, verified"},
		{"in the same words", func(t *testing.T, l *life) string {
			l.says(t, reservation)
			l.hears(t, "Luigi's is closed tonight", 0.9)
			l.thinks(t)
			l.clock.Advance(31 * time.Minute)
			again := l.hears(t, "Luigi's is closed tonight", 0.9)
			l.thinks(t)
			return again.String()
		}, domain.GateAlreadyTold, "parameter repeated=31m, verified"},
		{"told before", func(t *testing.T, l *life) string {
			l.says(t, reservation)
			news := l.hears(t, "Luigi's is closed tonight", 0.9)
			l.thinks(t)
			l.thinks(t)
			return news.String()
		}, domain.Gate(""), ""},
		{"never looked at", func(t *testing.T, l *life) string {
			return l.hears(t, "Luigi's is closed tonight", 0.9).String()
		}, domain.Gate(explain.NeverLooked), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			l := newLife(t)
			got := l.whyNot(t, c.lives(t, l))
			if lastGate(got) != c.gate || remedies(got) != c.change {
				t.Errorf("the gate is %q, the change %q, want %q and %q\n%s", lastGate(got), remedies(got), c.gate, c.change, strings.Join(got.Sentences, "\n"))
			}
		})
	}
}

// Another rule is tried as anything else is: the trace goes on with it, as far as a replay
// calls anything, and what else would have been done is named.
func TestOtherRules(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		verdict domain.PolicyVerdict // of the rule that denies when it is gone
		change  string
	}{{domain.VerdictAllowed, "had not had the rule"}, {domain.VerdictApproval, "have waited for your approval if the policy had not had the rule"}} {
		l, face := house(t)
		rules := domain.DefaultPolicy()
		rules.Rules = []domain.PolicyRule{{Name: "never", SideEffects: &changes, Verdict: domain.VerdictDenied}, {Name: "else", Verdict: c.verdict}}
		put(t, l, by(domain.PrincipalOperator), "api", domain.PolicyChanged{Policy: rules}, domain.PolicyKey)
		asked := l.says(t, "dim the kitchen")
		direct := l.directs(t, face, "dim_lights", `{"room":"hall"}`)
		if l.calls != 0 {
			t.Fatalf("%d calls were made", l.calls)
		}
		calls, err := l.log.Select(t.Context(), domain.Selector{Trace: asked}, 1, 100)
		if err != nil {
			t.Fatal(err)
		}
		targets := []domain.ID{direct}
		for _, rec := range calls {
			if rec.Envelope.Type == domain.ToolInvokedType {
				targets = append(targets, rec.Envelope.ID)
			}
		}
		if len(targets) != 2 {
			t.Fatalf("%d invocations", len(targets))
		}
		for _, target := range targets {
			got := l.whyNot(t, target.String())
			said := strings.Join(got.Sentences, "\n")
			if got.Change == nil || !got.Change.Verified || got.Change.Policy == nil || !strings.Contains(said, c.change) {
				t.Errorf("%s: %s\n%s", c.verdict, remedies(got), said)
			}
		}
	}
}

// The least energy is the least: with a millionth less it would not have been told.
func TestLeastEnergy(t *testing.T) {
	t.Parallel()
	l := newLife(t)
	l.says(t, reservation)
	news := l.hears(t, "Luigi's is closed tonight", 0.07)
	l.clock.Advance(30 * time.Minute)
	cycle := l.thinks(t)
	least := l.whyNot(t, news.String()).Change
	if least == nil || !least.Verified || least.Edit == nil {
		t.Fatalf("the change is %+v", least)
	}
	var energy float64
	if _, err := fmt.Sscan(least.Edit.Value, &energy); err != nil {
		t.Fatal(err)
	}
	for value, want := range map[float64]domain.Outcome{energy: domain.OutcomeSurfaced, energy - 0.000_001: ""} {
		edit := player.Edit{ID: news, Field: "activation_energy", Value: fmt.Sprintf("%.6f", value)}
		out := listed(otherwise(t, l, player.Change{Edits: []player.Edit{edit}}, player.Scope{}))
		if got := out[cycle].Replayed.Outcome; got != want {
			t.Errorf("with %s the cycle ends as %q, want %q", edit.Value, got, want)
		}
	}
}

// What another model would have said to something else isn't made up.
func TestOtherModelsAreNotAsked(t *testing.T) {
	t.Parallel()
	l := newLife(t)
	l.says(t, reservation)
	l.models = []string{"oracle:1"}
	l.replies = func(string) domain.ModelReplied {
		return domain.ModelReplied{Topic: "news", Mode: domain.ModeRespond, Confidence: domain.One, Blocks: []domain.Block{}, Used: []domain.Evidence{}, ToolCalls: []domain.ToolCall{}, Findings: []domain.Finding{}}
	}
	news := l.hears(t, "Luigi's is closed tonight", 0.07)
	l.thinks(t)
	calls := l.calls
	got := l.whyNot(t, news.String())
	if said := strings.Join(got.Sentences, "\n"); got.Change != nil || len(got.Failed) > 0 || !strings.Contains(said, "can't be told") || l.calls != calls {
		t.Errorf("%s, after %d calls more\n%s", remedies(got), l.calls-calls, strings.Join(got.Sentences, "\n"))
	}
}

// goldenText compares a text with what a file holds.
func goldenText(t *testing.T, path, got string) {
	t.Helper()
	if *rewrite {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s holds\n%s\nand this is told\n%s\nrun with -rewrite if that is meant", path, want, got)
	}
}

// Of the noise of Luigi's story each has a gate, and what would have helped: nothing
// but another content, which was tried.
func TestLuigisNoise(t *testing.T) {
	l, news, cycle := restaurant(t)
	records, err := l.log.Select(t.Context(), domain.Selector{Topic: domain.TopicSignals}, 1, 100)
	if err != nil {
		t.Fatal(err)
	}
	var told strings.Builder
	for _, rec := range records {
		got := l.whyNot(t, rec.Envelope.ID.String())
		if rec.Envelope.ID == news {
			if got.Surfaced.IsZero() || got.Change != nil {
				t.Errorf("the news: %+v", got)
			}
			continue
		}
		if len(got.Considered) == 0 || !got.Surfaced.IsZero() || got.Change == nil || got.Change.Kind != explain.ChangeRelation || !got.Change.Verified {
			t.Errorf("%s: %+v", got.Target.Label, got)
		}
		if !slices.ContainsFunc(got.Considered, func(c explain.Decision) bool {
			return c.Trace == cycle && (c.Gate == domain.GateUnrelated || c.Gate == domain.GateNotInFive)
		}) {
			t.Errorf("%s: the cycle is not among %+v", got.Target.Label, got.Considered)
		}
		for _, tried := range got.Failed {
			if tried.Verified {
				t.Errorf("%s: tried in vain is %+v", got.Target.Label, tried)
			}
		}
		for _, c := range got.Considered {
			fmt.Fprintf(&told, "%s gate=%s\n", c.Kind, c.Gate)
		}
		fmt.Fprintf(&told, "(%s)\n\n", remedies(got))
	}
	goldenText(t, filepath.Join("testdata", "whynot", "luigis.golden"), told.String())
}
