package explain_test

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
	"chalie/domain/relate"
	"chalie/replay"
	"chalie/replay/explain"
	"chalie/replay/narrate"
)

var rewrite = flag.Bool("rewrite", false, "write the explanations in testdata anew")

// What explanations rest on is in testdata.
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
			why := p.explained(target)
			golden(t, filepath.Join("testdata", "why", name+".golden"), facts(why))
			transcript(t, "why/"+name, why.Parts)
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

func (p *past) explained(target string) explain.Explanation {
	p.t.Helper()
	parsed, err := replay.ParseTarget(target)
	if err != nil {
		p.t.Fatal(err)
	}
	why, err := explain.Why(p.t.Context(), p.log, parsed, time.FixedZone("", 3600))
	if err != nil {
		p.t.Fatal(err)
	}
	if len(why.Nodes) == 0 || why.Nodes[0].ID != why.Target.ID || why.Nodes[0].Type != why.Target.Type || why.Nodes[0].Trace != why.Target.Trace {
		p.t.Errorf("the target is not the first node: %+v", why)
	}
	p.refers(why.Sentences, why.Parts)
	return why
}

// facts writes what an explanation rests on by positions, which are easier to read than
// ids: which records each sentence speaks of, the graph, and the numbers in it.
func facts(why explain.Explanation) string {
	var b bytes.Buffer
	for _, parts := range why.Parts {
		fmt.Fprintln(&b, spoken(parts))
	}
	at := map[domain.ID]domain.Position{}
	fmt.Fprintf(&b, "\nsaid %q\n\n", why.Target.Said)
	for _, n := range why.Nodes {
		at[n.ID] = n.Position
		fmt.Fprintf(&b, "%3d %s", n.Position, n.Type)
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

// transcribed are the stories whose words are held to as well. The others may be told
// otherwise tomorrow, as long as the facts are the same.
var transcribed = map[string]bool{"why/cycle": true, "whynot/attention": true, "led/tool": true}

// transcript holds the sentences of a story, if it is one of those.
func transcript(t *testing.T, story string, sentences [][]narrate.Part) {
	t.Helper()
	if !transcribed[story] {
		return
	}
	var prose strings.Builder
	for _, parts := range sentences {
		prose.WriteString(inParts(parts) + "\n")
	}
	golden(t, filepath.Join("testdata", "transcripts", strings.ReplaceAll(story, "/", "_")+".txt"), prose.String())
}

// golden compares with a file, which -rewrite writes anew.
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

// looked is a cycle with the pair it found and what it kept back.
type looked struct {
	plan, closure, noise, weather             domain.Record
	opening, started, replied, yielded, ended domain.Record
}

// cycleOf: the day after a plan was made, and changed, a signal bears on it and
// others don't.
func cycleOf(p *past) looked {
	p.t.Helper()
	var l looked
	l.plan = then(p, p.message("remind me: dinner at eight tomorrow"), domain.ReminderSet{Text: "dinner", Due: domain.MillisOf(p.clock.Now().Add(24 * time.Hour)), Zone: "UTC"})
	words := "dinner reservation at Luigi's"
	due := domain.MillisOf(p.clock.Now().Add(25 * time.Hour))
	change := domain.ReminderChanged{ReminderID: l.plan.Envelope.ID, Text: &words, Due: due, Zone: "UTC"}
	changed := then(p, p.message("it's at Luigi's, and an hour later"), change, change.Keys()...)
	issued := domain.TokenIssued{Name: "lab-rss", TokenHash: "aa", Signals: []string{}}
	begin(p, domain.PrincipalOperator, issued, issued.Keys()...)
	p.clock.Advance(23 * time.Hour)
	l.closure = p.closure("lab-rss")
	l.noise = begin(p, "lab-rss", domain.SignalReceived{SignalType: "stock", Content: "ACME rose by 3%", Source: "exchange", ActivationEnergy: 0.7})
	l.weather = begin(p, "lab-rss", domain.SignalReceived{SignalType: "weather", Content: "Rain at Luigi's", Source: "sky", ActivationEnergy: 0.4})
	p.clock.Advance(10 * time.Minute)
	idle, err := domain.NewSpineSignal(domain.SpineSignal{Type: domain.IdleDiscovery, Source: domain.ServiceIdle, Energy: 450_000})
	if err != nil {
		p.t.Fatal(err)
	}
	l.opening = begin(p, domain.ServiceIdle, idle, domain.SpineTypeKey(domain.IdleDiscovery))
	trace := l.opening.Envelope.Trace
	l.started = then(p, l.opening, domain.ReasoningStarted{
		AsOf: domain.MillisOf(p.clock.Now()),
		World: domain.WorldSeen{
			Items: []domain.SeenItem{{EnvelopeID: l.plan.Envelope.ID, TextID: changed.Envelope.ID, Kind: domain.ItemReminder,
				Phase: domain.PhasePending, Moment: due, Salience: 890_000, Bonus: 300_000}},
			LeftOut: []domain.SeenItem{{EnvelopeID: l.closure.Envelope.ID, Kind: domain.ItemSignal, Salience: 120_000, Gate: domain.GateBelowThreshold}},
		},
		Relations: []domain.SeenRelation{{Signal: l.closure.Envelope.ID, Commitment: l.plan.Envelope.ID, Score: 620_000}},
	}, domain.StepKey(trace, 1))
	waiting := p.message("Hello?")
	l.yielded = then(p, l.started, domain.ReasoningYielded{To: waiting.Envelope.ID}, domain.StepKey(trace, 2))
	resumed := then(p, l.yielded, domain.ReasoningResumed{}, domain.StepKey(trace, 3))
	called := then(p, resumed, domain.ModelCalled{Model: "builtin/1"}, domain.StepKey(trace, 4))
	l.replied = then(p, called, domain.ModelReplied{Model: "builtin/1", Findings: []domain.Finding{
		{Blocks: says("Rain at Luigi's tonight.").Blocks, Topic: "weather", Confidence: 400_000, Evidence: []domain.Evidence{{EnvelopeID: l.weather.Envelope.ID, Role: "heard", Weight: 400_000}}},
		{Blocks: says("Luigi's is closed tonight").Blocks, Topic: "luigis", Confidence: 800_000, Evidence: []domain.Evidence{
			{EnvelopeID: l.closure.Envelope.ID, Role: "heard", Weight: 910_000}, {EnvelopeID: l.plan.Envelope.ID, Role: "planned", Weight: 620_000},
		}},
	}}, domain.StepKey(trace, 5))
	l.ended = p.concluded(l.replied, domain.ReasoningConcluded{
		Outcome: domain.OutcomeSurfaced, Shown: domain.ShownEscalation, Reply: l.replied.Envelope.ID, Findings: []int{1},
		Evidence: []domain.Evidence{
			asked(l.opening.Envelope.ID), {EnvelopeID: l.closure.Envelope.ID, Role: "heard", Weight: 910_000}, {EnvelopeID: l.plan.Envelope.ID, Role: "planned", Weight: 620_000},
		},
		Rejected: []domain.Rejected{
			{EnvelopeID: l.weather.Envelope.ID, Because: l.plan.Envelope.ID, Score: 400_000, Gate: "cooldown", Detail: "told 12 min ago, cooldown 30 min"},
			{EnvelopeID: l.plan.Envelope.ID, Score: 400_000, Gate: "cooldown"},
			{EnvelopeID: l.noise.Envelope.ID, Gate: "unrelated"},
		},
	})
	return l
}

// cycle: what was found is told with both that it rests on; for whom it made room
// meanwhile, and what was not shown, is no cause.
func cycle(p *past) string {
	cycleOf(p)
	return "last"
}

// cycleNoise: a signal tells why it was kept back.
func cycleNoise(p *past) string { return cycleOf(p).weather.Envelope.ID.String() }

// cycleReply: what was found but not told rests on something, too, when that is
// asked for.
func cycleReply(p *past) string { return cycleOf(p).replied.Envelope.ID.String() }

func cycleYielded(p *past) string { return cycleOf(p).yielded.Envelope.ID.String() }

// cycleErased: nothing of the cycle can be read any more.
func cycleErased(p *past) string {
	other := newPast(p.t)
	cycleOf(other)
	records, err := other.log.Select(p.t.Context(), domain.Selector{}, 1, 100)
	if err != nil {
		p.t.Fatal(err)
	}
	for _, rec := range records {
		p.put(erased(rec))
	}
	return "last"
}

// inline: a conclusion that shows its own words, of something planned.
func inline(p *past) string {
	plan := p.message("water the plants at 8")
	fired, err := domain.NewSpineSignal(domain.SpineSignal{Type: domain.ScheduleFired, Source: domain.ServiceScheduler, Content: "water the plants", ContentRef: plan.Envelope.ID, Energy: 500_000})
	if err != nil {
		p.t.Fatal(err)
	}
	id := p.ids.NewID()
	due := then(p, plan, domain.SteerReceived{Text: "it is time"})
	opening := add(p, domain.Resume(due.Envelope, domain.TraceID{ID: id}), id, fired, nil)
	end := p.concluded(opening, domain.ReasoningConcluded{
		Outcome: domain.OutcomeSurfaced, Shown: domain.ShownNotification, Blocks: says("Time to water the plants.").Blocks, Topic: "plans",
		Evidence: []domain.Evidence{asked(opening.Envelope.ID)},
	})
	return end.Envelope.ID.String()
}

// unknownType: a newer version wrote an envelope with evidence, a foreign writer
// one that says it is evidence and isn't read as such.
func unknownType(p *past) string {
	heard := p.closure(domain.PrincipalOperator)
	foreign := domain.Envelope{
		ID: p.ids.NewID(), Trace: p.ids.NewTrace(), Timestamp: 1, Kind: domain.KindStream, Source: "somewhere", Principal: "stranger",
		Type: domain.ForeignMessageType, Version: 1, Payload: domain.JSONPayload([]byte(`{"evidence":[{"envelope_id":"` + heard.Envelope.ID.String() + `"}]}`)),
	}
	stored := p.put(domain.Entry{Topic: domain.TopicSystem, Envelope: foreign})
	id := p.ids.NewID()
	dreamt := domain.Envelope{
		ID: id, Trace: domain.TraceID{ID: id}, Parent: stored.Envelope.ID, Timestamp: 1, Kind: domain.KindEvent, Source: "dreams", Principal: domain.PrincipalCore,
		Type: "dream.dreamt", Version: 3, Payload: domain.JSONPayload([]byte(`{"title":"of sheep\u0007","evidence":[{"envelope_id":"` + heard.Envelope.ID.String() + `","role":"seen","weight":250000}],"used":7}`)),
	}
	return p.put(domain.Entry{Topic: "dreams", Envelope: dreamt}).Envelope.ID.String()
}

// What came of an episode is said first, and what the person was told by it.
func TestVerdicts(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(p *past, opening domain.Record) domain.ReasoningConcluded
		want string
		said string
	}{
		"held": {func(*past, domain.Record) domain.ReasoningConcluded {
			return domain.ReasoningConcluded{Outcome: domain.OutcomeHeld}
		}, `Chalie thought, and told you nothing. It had begun because you asked "What?"`, ""},
		"yielded": {func(*past, domain.Record) domain.ReasoningConcluded {
			return domain.ReasoningConcluded{Outcome: domain.OutcomeYielded}
		}, `Chalie gave up this thought to make room for you. It had begun because`, ""},
		"of a newer version": {func(*past, domain.Record) domain.ReasoningConcluded {
			return domain.ReasoningConcluded{Outcome: "postponed"}
		}, `It ended as postponed. It had begun because`, ""},
		"failed without a reason": {func(*past, domain.Record) domain.ReasoningConcluded {
			return domain.ReasoningConcluded{Outcome: domain.OutcomeFailed}
		}, `It failed. It had begun because`, ""},
		"the reply is gone": {func(p *past, _ domain.Record) domain.ReasoningConcluded {
			return domain.ReasoningConcluded{Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage, Reply: p.ids.NewID()}
		}, `Chalie answered "(not in this log)" because`, "(not in this log)"},
		"the reply is erased": {func(p *past, opening domain.Record) domain.ReasoningConcluded {
			lost := newPast(p.t)
			lost.ids = p.ids
			p.put(erased(then(lost, opening, says("secret"))))
			records, err := p.log.Select(p.t.Context(), domain.Selector{Trace: opening.Envelope.Trace}, 1, 10)
			if err != nil {
				p.t.Fatal(err)
			}
			return domain.ReasoningConcluded{Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage, Reply: records[1].Envelope.ID}
		}, `Chalie answered "(erased)" because`, "(erased)"},
		"lines and a table": {func(*past, domain.Record) domain.ReasoningConcluded {
			return domain.ReasoningConcluded{Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage, Blocks: []domain.Block{
				domain.TextBlock("I did nothing.", domain.FormatPlain), {"type": "header", "content": "In mind"},
				{"type": "table", "headers": []any{"What", "From"}, "rows": []any{[]any{"dinner", "you"}}}}}
		}, `Chalie answered "I did nothing. In mind: dinner" because`, "I did nothing.\nIn mind\nWhat | From\ndinner | you"},
		"nothing but a table": {func(*past, domain.Record) domain.ReasoningConcluded {
			return domain.ReasoningConcluded{Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage, Blocks: []domain.Block{
				{"type": "table", "headers": []any{"What"}, "rows": []any{[]any{"dinner"}}}}}
		}, `Chalie answered "dinner" because`, "What\ndinner"},
		"the tool failed": {func(p *past, opening domain.Record) domain.ReasoningConcluded {
			failure := "no such day"
			reply := p.usedTool(opening, 0, domain.ID{}, "remind", after(p, func(id domain.ID) domain.ToolCompleted {
				return domain.ToolCompleted{InvocationID: id, Error: &failure}
			}))
			return domain.ReasoningConcluded{Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage, Reply: reply.Envelope.ID}
		}, `Chalie answered "no such day" because`, "no such day"},
		"findings that aren't there": {func(p *past, opening domain.Record) domain.ReasoningConcluded {
			reply := then(p, opening, domain.ModelReplied{Findings: []domain.Finding{{Blocks: says("found").Blocks}}})
			return domain.ReasoningConcluded{Outcome: domain.OutcomeSurfaced, Shown: domain.ShownNotification, Reply: reply.Envelope.ID, Findings: []int{-1, 0, 7}}
		}, `Chalie told you "found" because`, "found"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPast(t)
			opening := p.message("What?")
			why := p.explained(p.concluded(opening, c.end(p, opening)).Envelope.ID.String())
			if !strings.HasPrefix(strings.Join(why.Sentences, " "), c.want) || why.Target.Said != c.said {
				t.Errorf("%q, said %q; want %q, %q", why.Sentences[0], why.Target.Said, c.want, c.said)
			}
		})
	}
}

// How a tool call ended is told, whatever that was.
func TestToolsThatDidNotAnswer(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(p *past) func(domain.ID) domain.Record
		want string
	}{
		"failed": {func(p *past) func(domain.ID) domain.Record {
			return after(p, func(id domain.ID) domain.ToolFailed {
				return domain.ToolFailed{InvocationID: id, Reason: "unreachable", DurationMS: 2000}
			})
		}, `the tool remind with day today, which the policy allowed (the rule "regime allows everything"): after 2 s the call failed: unreachable.`},
		"nobody knows": {func(p *past) func(domain.ID) domain.Record {
			return after(p, func(id domain.ID) domain.ToolOutcomeUnknown {
				return domain.ToolOutcomeUnknown{InvocationID: id, Reason: domain.CodeInterrupted, Detail: "Chalie ended meanwhile"}
			})
		}, `: nobody knows what came of the call: Chalie ended meanwhile.`},
		"only data": {func(p *past) func(domain.ID) domain.Record {
			return after(p, func(id domain.ID) domain.ToolCompleted {
				return domain.ToolCompleted{InvocationID: id, Data: []byte(`{"a":1}`)}
			})
		}, `: it answered "a 1".`},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPast(t)
			opening := p.message("remind me")
			called := then(p, opening, domain.ModelCalled{})
			replied := then(p, called, domain.ModelReplied{ToolCalls: []domain.ToolCall{{Tool: "remind"}}})
			end := p.usedTool(replied, 0, domain.ID{}, "remind", c.end(p))
			why := p.explained(p.concluded(end, domain.ReasoningConcluded{Outcome: domain.OutcomeHeld}).Envelope.ID.String())
			if told := strings.Join(why.Sentences, "\n"); !strings.Contains(told, c.want) {
				t.Errorf("told\n%s\nwant %s", told, c.want)
			}
		})
	}
}

// What came over a broadcast leads back to the stream that was added.
func TestHeardOverAStream(t *testing.T) {
	p := newPast(t)
	stream := begin(p, domain.PrincipalOperator, domain.StreamAdded{URL: "ws://127.0.0.1:9000/feed", Source: "exchange"})
	who := domain.Stream{ID: stream.Envelope.ID}.Principal()
	why := p.explained(p.closure(who).Envelope.ID.String())
	if len(why.Nodes) != 2 || why.Nodes[1].ID != stream.Envelope.ID || !strings.Contains(why.Nodes[0].Label, "from exchange: ") {
		t.Errorf("%+v", why)
	}
	for _, unknown := range []domain.Principal{domain.Stream{ID: p.ids.NewID()}.Principal(), "stream:x", domain.Interface{ID: p.ids.NewID()}.Principal()} {
		if why := p.explained(p.closure(unknown).Envelope.ID.String()); len(why.Nodes) != 1 || !strings.Contains(why.Nodes[0].Label, "Luigi's is closed tonight") {
			t.Errorf("%s: %+v", unknown, why)
		}
	}
}

// Whatever is asked about is told so that somebody who never saw a log understands it:
// one of each kind, to be read from the top.
func TestEachKindIsTold(t *testing.T) {
	type kind struct {
		name   string
		target func(p *past) string
	}
	at := func(story func(*past) string, position string) func(*past) string {
		return func(p *past) string { story(p); return position }
	}
	var out strings.Builder
	for _, k := range []kind{
		{"an answered message", luigis},
		{"a notice that nobody asked for", noticed},
		{"one that can't wait", cycle},
		{"a message that was passed on", passedOn},
		{"a reminder that fell due, as it was told", reminded},
		{"its falling due", at(reminded, "pos:5")},
		{"a reminder", at(reminded, "pos:2")},
		{"a reminder that was moved", at(reminded, "pos:4")},
		{"the result of a tool", at(throughTools, "pos:11")},
		{"a tool's call, by its id", invokedByID(throughTools, 0)},
		{"a call that was denied, by its id", invokedByID(throughTools, 1)},
		{"the denial", at(throughTools, "pos:13")},
		{"the permission", at(throughTools, "pos:9")},
		{"a call that was no call", at(throughTools, "pos:15")},
		{"a tool that the person used themselves", usedDirectly},
		{"a question for approval", at(approved, "pos:9")},
		{"an approval", at(approved, "pos:11")},
		{"something held back", heldBack},
		{"a signal that was held back", cycleNoise},
		{"a signal that was told of", at(cycle, "pos:6")},
		{"a signal alone", func(p *past) string { return p.closure("lab").Envelope.ID.String() }},
		{"a pairing", at(luigis, "pos:4")},
		{"a pairing key", at(luigis, "pos:2")},
		{"a token", at(passedOn, "pos:1")},
		{"a message without an answer yet", underWay},
		{"a message that had to wait", imageAndWait},
		{"a failure", failed},
		{"a cancelled answer", cancelled},
		{"the cancel", at(cancelled, "pos:3")},
		{"the beginning of a thought", at(cycle, "pos:10")},
		{"room that was made", cycleYielded},
		{"a call to the model", steered},
		{"what the model said", at(luigis, "pos:9")},
		{"an answer that was checked", at(secondTry, "pos:7")},
		{"what Chalie noticed", at(cycle, "pos:9")},
		{"something erased", at(erasedPast, "pos:1")},
	} {
		p := newPast(t)
		why := p.explained(k.target(p))
		out.WriteString("== " + k.name + "\n")
		for _, parts := range why.Parts {
			out.WriteString(spoken(parts) + "\n")
		}
	}
	golden(t, filepath.Join("testdata", "why", "kinds.golden"), out.String())
}

// invokedByID is the n-th tool call of a story.
func invokedByID(story func(*past) string, n int) func(*past) string {
	return func(p *past) string {
		story(p)
		records, err := p.log.Select(p.t.Context(), domain.Selector{Topic: domain.TopicTools}, 1, 1000)
		if err != nil {
			p.t.Fatal(err)
		}
		for _, rec := range records {
			if rec.Envelope.Type != "tool.invoked" {
				continue
			}
			if n == 0 {
				return rec.Envelope.ID.UUID()
			}
			n--
		}
		p.t.Fatal("there is no such call")
		return ""
	}
}

// noticed: a cycle finds that a signal bears on a reminder, by rules that find the same
// today.
func noticed(p *past) string {
	who := domain.Interface{ID: p.paired("Luigi's").Envelope.ID}.Principal()
	due := domain.MillisOf(p.clock.Now().Add(98 * time.Minute))
	plan := then(p, p.message("remind me: dinner reservation at Luigi's at 14:38"), domain.ReminderSet{Text: "dinner reservation at Luigi's", Due: due, Zone: "UTC"})
	heard := p.closure(who)
	return p.tells(heard, plan, due, 820_000, domain.ShownNotification)
}

// scoreOf is by how much a signal bears on a reminder.
func scoreOf(p *past, heard, plan domain.Record, due domain.Millis) domain.PPM {
	said, err := domain.Decode[domain.SignalReceived](heard.Envelope)
	if err != nil {
		p.t.Fatal(err)
	}
	text, err := domain.PlanText(plan.Envelope)
	if err != nil {
		p.t.Fatal(err)
	}
	return relate.Between(
		relate.Read(relate.Text{ID: heard.Envelope.ID, Kind: relate.Signal, Text: said.Content, Source: said.Source, At: heard.RecordedAt}, time.UTC),
		relate.Read(relate.Text{ID: plan.Envelope.ID, Kind: relate.Reminder, Text: text, At: plan.RecordedAt, Due: due}, time.UTC),
	).Score
}

// heldBack is the same, and it was told before.
func heldBack(p *past) string {
	who := domain.Interface{ID: p.paired("Luigi's").Envelope.ID}.Principal()
	due := domain.MillisOf(p.clock.Now().Add(98 * time.Minute))
	plan := then(p, p.message("remind me: dinner reservation at Luigi's at 14:38"), domain.ReminderSet{Text: "dinner reservation at Luigi's", Due: due, Zone: "UTC"})
	heard := p.closure(who)
	p.tells(heard, plan, due, 820_000, domain.ShownNotification)
	p.clock.Advance(20 * time.Minute)
	return p.tells(heard, plan, due, 787_000, domain.ShownNot)
}

// tells is a cycle that relates a signal to a reminder, and shows that or keeps it back.
func (p *past) tells(heard, plan domain.Record, due domain.Millis, salience domain.PPM, shown domain.Showing) string {
	p.t.Helper()
	idle, err := domain.NewSpineSignal(domain.SpineSignal{Type: domain.IdleDiscovery, Source: domain.ServiceIdle, Energy: 500_000})
	if err != nil {
		p.t.Fatal(err)
	}
	opening := begin(p, domain.ServiceIdle, idle, domain.SpineTypeKey(domain.IdleDiscovery))
	trace := opening.Envelope.Trace
	score := scoreOf(p, heard, plan, due)
	started := then(p, opening, domain.ReasoningStarted{
		AsOf: domain.MillisOf(p.clock.Now()), Zone: "UTC",
		World: domain.WorldSeen{Items: []domain.SeenItem{
			{EnvelopeID: heard.Envelope.ID, Kind: domain.ItemSignal, Salience: salience, Bonus: score},
			{EnvelopeID: plan.Envelope.ID, Kind: domain.ItemReminder, Phase: domain.PhasePending, Moment: due, Salience: 910_000, Bonus: score},
		}},
		Relations: []domain.SeenRelation{{Signal: heard.Envelope.ID, Commitment: plan.Envelope.ID, Score: score}},
	}, domain.StepKey(trace, 1))
	rests := []domain.Evidence{{EnvelopeID: heard.Envelope.ID, Role: "heard", Weight: score}, {EnvelopeID: plan.Envelope.ID, Role: "planned", Weight: score}}
	replied := then(p, started, domain.ModelReplied{Model: "builtin/1", Findings: []domain.Finding{{Blocks: says("Luigi's is closed tonight").Blocks, Topic: "luigis", Evidence: rests}}}, domain.StepKey(trace, 2))
	end := domain.ReasoningConcluded{Outcome: domain.OutcomeHeld, Evidence: []domain.Evidence{asked(opening.Envelope.ID)},
		Rejected: []domain.Rejected{{EnvelopeID: heard.Envelope.ID, Because: plan.Envelope.ID, Score: score, Gate: domain.GateAlreadyTold, Detail: "told 20 min ago"}}}
	if shown != domain.ShownNot {
		end = domain.ReasoningConcluded{Outcome: domain.OutcomeSurfaced, Shown: shown, Reply: replied.Envelope.ID, Findings: []int{0}, Evidence: append(end.Evidence, rests...)}
	}
	return p.concluded(replied, end).Envelope.ID.String()
}

// usedDirectly: the person calls a tool without a word.
func usedDirectly(p *past) string {
	hospital := p.paired("hospital").Envelope.ID
	invoked := begin(p, domain.PrincipalOperator, domain.ToolInvoked{InterfaceID: hospital, Tool: "appointments", Params: []byte(`{}`), Actor: "operator"})
	id := invoked.Envelope.ID
	decided := then(p, invoked, domain.PolicyDecided{InvocationID: id, RegimeID: "sha256:0123456789abcdef0123456789abcdef", Allowed: true, Verdict: domain.VerdictAllowed, ReasonCodes: []string{"asked_directly"}}, domain.InvocationKey(id))
	then(p, decided, domain.ToolDispatched{InvocationID: id}, domain.InvocationKey(id))
	return answers(p, "At three.")(id).Envelope.ID.String()
}

// refers fails unless the parts are the sentences, and each
// reference is to a record that the log has.
func (p *past) refers(sentences []string, parts [][]narrate.Part) {
	p.t.Helper()
	if len(sentences) != len(parts) {
		p.t.Fatalf("%d sentences have %d lists of parts", len(sentences), len(parts))
	}
	for i, sentence := range sentences {
		joined := ""
		for _, part := range parts[i] {
			joined += part.Text
			if part.About == nil {
				continue
			}
			rec, err := p.log.Find(p.t.Context(), part.About.ID)
			if err != nil || rec.Position != part.About.Position || rec.Envelope.Trace != part.About.Trace {
				p.t.Errorf("%q leads to %+v, which is %+v, %v", part.Text, part.About, rec, err)
			}
		}
		if joined != sentence {
			p.t.Errorf("the parts are %q, and the sentence is %q", joined, sentence)
		}
	}
}

// spoken is which records a sentence speaks of, by position.
func spoken(parts []narrate.Part) string {
	out := "speaks of"
	for _, part := range parts {
		if part.About != nil {
			out += fmt.Sprintf(" %d", part.About.Position)
		}
	}
	return out
}

// inParts writes a sentence with the positions of the records it speaks of.
func inParts(parts []narrate.Part) string {
	var out strings.Builder
	for _, part := range parts {
		if part.About == nil {
			out.WriteString(part.Text)
			continue
		}
		fmt.Fprintf(&out, "[%s](%d)", part.Text, part.About.Position)
	}
	return out.String()
}

// What somebody outside says can't lead anywhere, whatever characters it is made of.
func TestNobodyElseLeads(t *testing.T) {
	p := newPast(t)
	heard := p.signal("Rain\U00100000 at\U0010FFFD noon\U00100005 \U0010FFFC", 0.7)
	plan := begin(p, domain.PrincipalOperator, domain.MessageReceived{Text: "\U00100001\U00100002what\U0010FFFD?", Source: "text", ImageIDs: []domain.ID{}})
	for _, rec := range []domain.Record{heard, plan} {
		why := p.explained(rec.Envelope.ID.String())
		if told := strings.Join(why.Sentences, " "); !strings.Contains(told, "Rain at noon") && !strings.Contains(told, `asked "what?"`) {
			t.Errorf("it is told as %q", told)
		}
		p.effects(rec.Envelope.ID.String())
		if _, err := p.whyNot(rec.Envelope.ID.String(), nil); err != nil {
			t.Error(err)
		}
	}
}
