package replay_test

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"chalie/domain"
	"chalie/replay"
)

var rewrite = flag.Bool("rewrite", false, "write the explanations in testdata anew")

// The explanations in testdata are what is told today.
func TestExplanations(t *testing.T) {
	for name, story := range map[string]func(*past) string{
		"luigis":         luigis,
		"passed_on":      passedOn,
		"steered":        steered,
		"failed":         failed,
		"erased":         erasedPast,
		"missing":        missingCause,
		"circle":         circle,
		"later_episode":  laterEpisode,
		"under_way":      underWay,
		"another_name":   anotherName,
		"tools":          throughTools,
		"pressed":        pressed,
		"second_try":     secondTry,
		"cancelled":      cancelled,
		"cycle":          cycle,
		"cycle_noise":    cycleNoise,
		"cycle_reply":    cycleReply,
		"cycle_yielded":  cycleYielded,
		"cycle_erased":   cycleErased,
		"inline":         inline,
		"unknown_type":   unknownType,
		"image_and_wait": imageAndWait,
		"reminded":       reminded,
		"planned":        plannedKinds,
		"approved":       approved,
	} {
		t.Run(name, func(t *testing.T) {
			p := newPast(t)
			target := story(p)
			golden(t, filepath.Join("testdata", "why", name+".golden"), told(p.explained(target)))
		})
	}
}

// luigis: a signal of a paired interface and what the person planned make the
// answer.
func luigis(p *past) string {
	plan := begin(p, domain.PrincipalOperator, domain.MessageReceived{Text: "remind me: dinner at Luigi's in 2 hours", Source: "text", ImageIDs: []domain.ID{}})
	heard := p.closure(domain.Interface{ID: p.paired("Luigi's").Envelope.ID}.Principal())
	p.clock.Advance(5 * time.Minute)
	p.answered(domain.PrincipalOperator, "Can we go to Luigi's tonight?",
		[]domain.SeenItem{
			{EnvelopeID: heard.Envelope.ID, Kind: domain.ItemSignal, Salience: 820_000, Bonus: 300_000},
			{EnvelopeID: plan.Envelope.ID, Kind: domain.ItemReminder, Salience: 910_000, Bonus: 300_000},
			{EnvelopeID: p.ids.NewID(), Kind: domain.ItemSignal, Salience: 800_000},
		},
		domain.Evidence{EnvelopeID: plan.Envelope.ID, Role: "named", Weight: 700_000},
		domain.Evidence{EnvelopeID: heard.Envelope.ID, Role: "named", Weight: 950_000})
	return "last"
}

// passedOn: what a program with a token says reaches the person.
func passedOn(p *past) string {
	issued := domain.TokenIssued{Name: "hospital", TokenHash: "aa", Signals: []string{}}
	begin(p, domain.PrincipalOperator, issued, issued.Keys()...)
	a := p.answered("hospital", "Your appointment moved to three", nil)
	return a.opening.Envelope.ID.UUID()
}

// steered: what the person added is a cause of the call that took it up.
func steered(p *past) string {
	asked := begin(p, domain.PrincipalOperator, domain.MessageReceived{Text: "Any news?", Source: "text", ImageIDs: []domain.ID{}})
	steer := then(p, asked, domain.SteerReceived{Text: "only of today"})
	called := then(p, asked, domain.ModelCalled{Model: "builtin/1", Steers: []domain.ID{steer.Envelope.ID}})
	return fmt.Sprintf("pos:%d", called.Position)
}

func failed(p *past) string {
	asked := begin(p, domain.PrincipalOperator, domain.ActionReceived{Skill: "dance", Payload: []byte(`{"skill":"dance"}`)})
	end := domain.ReasoningConcluded{Outcome: domain.OutcomeFailed, Evidence: []domain.Evidence{{EnvelopeID: asked.Envelope.ID, Role: "asked", Weight: domain.One}}}
	entry, err := domain.New(domain.Continue(asked.Envelope), p.ids.NewID(), 1, "reasoning", end)
	if err != nil {
		p.t.Fatal(err)
	}
	entry.Envelope.Keys = []domain.Key{domain.ConcludedKey(asked.Envelope.Trace), end.ShownKey()}
	entry.Envelope.Errors = []domain.Fault{{Code: "unknown_skill", Message: "there is no skill \"dance\""}}
	p.put(entry)
	return asked.Envelope.ID.String()
}

// erasedPast: what was heard and what was concluded are gone; parents and keys
// still lead on.
func erasedPast(p *past) string {
	other := newPast(p.t)
	heard := other.closure("weather")
	a := other.answered(domain.PrincipalOperator, "Can we go?", []domain.SeenItem{{EnvelopeID: heard.Envelope.ID, Kind: domain.ItemSignal, Salience: 820_000}},
		domain.Evidence{EnvelopeID: heard.Envelope.ID, Role: "named", Weight: 950_000})
	p.put(erased(heard))
	for _, rec := range []domain.Record{a.opening, a.started, a.called, a.replied} {
		p.put(domain.Entry{Topic: rec.Topic, Envelope: rec.Envelope})
	}
	p.put(erased(a.concluded))
	return "last"
}

func missingCause(p *past) string {
	gone := domain.Envelope{ID: p.ids.NewID(), Trace: p.ids.NewTrace(), Principal: domain.PrincipalOperator}
	asked := add(p, domain.Resume(gone, p.ids.NewTrace()), p.ids.NewID(), domain.MessageReceived{Text: "And now?", Source: "text", ImageIDs: []domain.ID{}}, nil)
	return asked.Envelope.Trace.UUID() // its envelope has another id
}

// circle: two envelopes of a foreign writer name each other.
func circle(p *past) string {
	one, two := p.ids.NewID(), p.ids.NewID()
	lin := domain.Lineage{Trace: p.ids.NewTrace(), Parent: two, Principal: "stranger"}
	add(p, lin, one, domain.SteerReceived{Text: "one"}, nil)
	lin.Parent = one
	add(p, lin, two, domain.ReasoningConcluded{Outcome: domain.OutcomeHeld, Evidence: []domain.Evidence{{EnvelopeID: one, Role: "named"}, {EnvelopeID: two, Role: "named"}}}, nil)
	return two.String()
}

// laterEpisode: the causes lead into an earlier trace, and each conclusion's
// evidence has the numbers of its own thinking.
func laterEpisode(p *past) string {
	heard := p.closure(domain.PrincipalOperator)
	seen := func(salience domain.PPM) []domain.SeenItem {
		return []domain.SeenItem{{EnvelopeID: heard.Envelope.ID, Kind: domain.ItemSignal, Salience: salience}}
	}
	first := p.answered(domain.PrincipalOperator, "What is new?", seen(900_000), domain.Evidence{EnvelopeID: heard.Envelope.ID, Role: "named", Weight: 900_000})
	p.clock.Advance(time.Hour)
	second := p.answered(domain.PrincipalOperator, "Tell me again", seen(300_000), domain.Evidence{EnvelopeID: first.replied.Envelope.ID, Role: "named", Weight: 500_000})
	return second.concluded.Envelope.ID.String()
}

// underWay: nothing came of it yet, and the exchange's id is the message's.
func underWay(p *past) string {
	asked := begin(p, domain.PrincipalOperator, domain.MessageReceived{Text: "Still there?", Source: "text", ImageIDs: []domain.ID{}})
	then(p, asked, domain.ReasoningStarted{})
	return strings.ReplaceAll(asked.Envelope.ID.UUID(), "-", "")
}

// anotherName: what listens at a place was three programs; the second sent it.
func anotherName(p *past) string {
	id := p.ids.NewID()
	who := domain.Interface{ID: id}.Principal()
	var heard domain.Record
	for i, name := range []string{"One", "Two", "Three"} {
		begin(p, who, domain.InterfaceRegistered{InterfaceID: id, Name: name, Host: "127.0.0.1", Port: 9000}, domain.InterfaceKey(id))
		begin(p, who, domain.InterfaceWentOffline{InterfaceID: id, Reason: "no answer"}, domain.InterfaceKey(id))
		if i == 1 {
			heard = p.closure(who)
		}
	}
	return heard.Envelope.ID.String()
}

func (p *past) explained(target string) replay.Explanation {
	p.t.Helper()
	parsed, err := replay.ParseTarget(target)
	if err != nil {
		p.t.Fatal(err)
	}
	why, err := replay.Explain(p.t.Context(), p.log, parsed, time.FixedZone("", 3600))
	if err != nil {
		p.t.Fatal(err)
	}
	if len(why.Nodes) == 0 || why.Nodes[0].ID != why.Target.ID || why.Nodes[0].Type != why.Target.Type || why.Nodes[0].Trace != why.Target.Trace {
		p.t.Errorf("the target is not the first node: %+v", why)
	}
	p.refers(why.Sentences, why.Parts)
	return why
}

// told writes an explanation by positions, which are easier to read than ids.
func told(why replay.Explanation) string {
	var b bytes.Buffer
	for _, parts := range why.Parts {
		fmt.Fprintln(&b, inParts(parts))
	}
	at := map[domain.ID]domain.Position{}
	fmt.Fprintf(&b, "\nsaid %q\n\n", why.Target.Said)
	for _, n := range why.Nodes {
		at[n.ID] = n.Position
		fmt.Fprintf(&b, "%3d %s | %s", n.Position, n.Type, n.Label)
		for _, name := range slices.Sorted(maps.Keys(n.Numbers)) {
			fmt.Fprintf(&b, " %s=%v", name, n.Numbers[name])
		}
		if n.Gate != "" {
			fmt.Fprintf(&b, " gate=%s", n.Gate)
		}
		if n.Missing {
			b.WriteString(" missing")
		}
		if n.Dropped {
			b.WriteString(" dropped")
		}
		if len(n.Codes) > 0 {
			fmt.Fprintf(&b, " codes=%s", strings.Join(n.Codes, ","))
		}
		if n.Erased {
			b.WriteString(" erased")
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
	for _, e := range why.Edges {
		weight := ""
		if e.Weight != nil {
			weight = fmt.Sprintf(" %v", *e.Weight)
		}
		fmt.Fprintf(&b, "%3d -> %d %s %s%s\n", at[e.From], at[e.To], e.Kind, e.Role, weight)
	}
	return b.String()
}

func golden(t *testing.T, path, got string) {
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
