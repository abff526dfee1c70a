package explain_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
	"chalie/replay"
	"chalie/replay/explain"
)

// begun is a log whose oldest records were dropped.
type begun struct {
	*memlog.Log
	at domain.Position // the first that is left
}

func (b begun) Select(ctx context.Context, s domain.Selector, from domain.Position, limit int) ([]domain.Record, error) {
	return b.Log.Select(ctx, s, max(from, b.at), limit)
}

func (b begun) Find(ctx context.Context, id domain.ID) (domain.Record, error) {
	rec, err := b.Log.Find(ctx, id)
	if err == nil && rec.Position < b.at {
		return domain.Record{}, &domain.Error{Op: "find envelope", Category: domain.NotFound, Code: "not_found", Message: "there is none"}
	}
	return rec, err
}

// What came before the beginning of a log is no longer kept; what a whole log doesn't
// hold never was in it, and so is what is younger than a log's beginning.
func TestAbsence(t *testing.T) {
	p := newPast(t)
	first := p.message("What is planned?")
	p.clock.Advance(time.Hour)
	kept := then(p, first, domain.SteerReceived{Text: "only today"})
	p.clock.Advance(time.Hour)
	younger := p.ids.NewID()
	lost := domain.Envelope{ID: younger, Trace: domain.TraceID{ID: younger}, Principal: domain.PrincipalOperator}
	orphan := then(p, domain.Record{Envelope: lost}, domain.SteerReceived{Text: "and tomorrow"})

	for name, c := range map[string]struct {
		begins  domain.Position
		of      domain.Record
		label   string
		dropped bool
		told    []string
	}{
		"dropped": {2, kept, "(no longer kept)", true,
			[]string{"It began with this: something happened that is no longer kept.", "1 cause is no longer kept: the log begins after it."}},
		"never there": {1, orphan, "(not in this log)", false,
			[]string{"It began with this: something happened that is not in this log.", "1 cause is not in this log: it may have been left behind when a part of another log was imported."}},
		"never there, and the oldest dropped": {2, orphan, "(not in this log)", false,
			[]string{"something happened that is not in this log"}},
	} {
		t.Run(name, func(t *testing.T) {
			target, err := replay.ParseTarget(c.of.Envelope.ID.String())
			if err != nil {
				t.Fatal(err)
			}
			why, err := explain.Why(t.Context(), begun{p.log, c.begins}, target, nil)
			if err != nil {
				t.Fatal(err)
			}
			told := strings.Join(why.Sentences, "\n")
			for _, want := range c.told {
				if !strings.Contains(told, want) {
					t.Errorf("%q isn't in\n%s", want, told)
				}
			}
			if n := why.Nodes[1]; !n.Missing || n.Dropped != c.dropped || n.Label != c.label {
				t.Errorf("the cause is %+v", n)
			}
		})
	}
}

func TestExplanationAsJSON(t *testing.T) {
	p := newPast(t)
	cycleOf(p)
	why := p.explained("last")
	for i := range why.Sentences {
		why.Sentences[i] = "…" // their words are another test's
	}
	for i := range why.Parts {
		why.Parts[i] = nil
	}
	for i := range why.Nodes {
		why.Nodes[i].Label = "…"
	}
	text, err := json.MarshalIndent(why, "", "  ")
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
	if len(why.Nodes) != explain.MaxNodes || !why.Cut || len(why.Edges) != explain.MaxNodes-1 {
		t.Errorf("%d nodes, %d edges, cut %t", len(why.Nodes), len(why.Edges), why.Cut)
	}
	if last := why.Sentences[len(why.Sentences)-1]; !strings.Contains(last, "more causes than the 500 envelopes") {
		t.Errorf("the last sentence is %q", last)
	}
	for _, e := range why.Edges {
		if !slices.ContainsFunc(why.Nodes, func(n explain.Node) bool { return n.ID == e.From }) {
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
	if len(why.Nodes) != explain.MaxNodes || !why.Cut || len(why.Sentences) > 20 {
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
			_, err = explain.Why(t.Context(), p.log, parsed, nil)
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
	why, err := explain.Why(t.Context(), p.log, replay.Target{}, nil)
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
		if _, err := explain.Why(t.Context(), p.log, parsed, nil); domain.CodeOf(err) != domain.CodeClosed {
			t.Errorf("%s: %v", target, err)
		}
	}
}

// Whatever stands in a log, also what no honest writer would store, is explained:
// with each envelope once, edges between those only, everything that is known of a
// cause reached from the target, and the same every time.
func TestAnyLogIsExplained(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := newPast(t)
		ids := make([]domain.ID, rapid.IntRange(1, 30).Draw(rt, "envelopes"))
		for i := range ids {
			ids[i] = p.ids.NewID()
		}
		id := rapid.OneOf(rapid.SampledFrom(ids), rapid.Just(domain.ID{}), rapid.Just(domain.ID{15: 1}))
		types := domain.Events().Definitions()
		for _, own := range ids {
			d := rapid.SampledFrom(types).Draw(rt, "type")
			var evidence []domain.Evidence
			for range rapid.IntRange(0, 4).Draw(rt, "evidence") {
				evidence = append(evidence, domain.Evidence{EnvelopeID: id.Draw(rt, "cited"), Role: "named", Weight: domain.PPM(rapid.Int64().Draw(rt, "weight"))})
			}
			text, err := json.Marshal(map[string]any{
				"evidence": evidence, "used": evidence, "reply_id": id.Draw(rt, "reply"), "outcome": rapid.SampledFrom([]string{"surfaced", "cancelled", "responded"}).Draw(rt, "outcome"),
				"shown": rapid.SampledFrom([]string{"", "message", "notification"}).Draw(rt, "shown"), "findings": []any{}, "steers": []domain.ID{id.Draw(rt, "steer")},
				"instead_id": id.Draw(rt, "instead"), "to": id.Draw(rt, "to"), "message_id": id.Draw(rt, "message"), "text": "x",
				"rejected": []domain.Rejected{{EnvelopeID: id.Draw(rt, "rejected"), Because: id.Draw(rt, "because"), Gate: "cooldown"}},
			})
			if err != nil {
				rt.Fatal(err)
			}
			parent := id.Draw(rt, "parent")
			if parent == own {
				parent = domain.ID{}
			}
			e := domain.Envelope{
				ID: own, Trace: domain.TraceID{ID: rapid.SampledFrom(ids).Draw(rt, "trace")}, Parent: parent, Timestamp: 1, Kind: d.Kind, Source: "test",
				Principal: rapid.SampledFrom([]domain.Principal{domain.PrincipalOperator, "lab", "stream:x", domain.PrincipalCore}).Draw(rt, "who"),
				Type:      d.Type, Version: d.Version, Payload: domain.JSONPayload(text),
			}
			other, trace := id.Draw(rt, "key"), e.Trace
			e.Keys = []domain.Key{rapid.SampledFrom([]domain.Key{
				domain.CallKey(other, 0), domain.InvocationKey(other), domain.PlanKey(other), domain.ConcludedKey(trace), domain.CancelKey(trace),
				domain.StepKey(trace, 1), domain.ReasoningConcluded{Shown: domain.ShownMessage}.ShownKey(), domain.TokenIssued{Name: "lab"}.Keys()[0],
			}).Draw(rt, "as")}
			p.put(domain.Entry{Topic: d.Topic, Envelope: e})
		}
		target := rapid.SampledFrom(ids).Draw(rt, "target").String()
		why := p.explained(target)
		known := map[domain.ID]bool{why.Target.ID: true}
		for _, e := range why.Edges {
			if !known[e.To] {
				rt.Fatalf("an edge leads to %s before it was reached", e.To)
			}
			known[e.From] = true
		}
		if len(known) != len(why.Nodes) || len(why.Sentences) == 0 || why.Cut {
			rt.Fatalf("%d nodes, %d reached: %+v", len(why.Nodes), len(known), why)
		}
		for i, n := range why.Nodes {
			if !known[n.ID] || slices.ContainsFunc(why.Nodes[:i], func(o explain.Node) bool { return o.ID == n.ID }) {
				rt.Fatalf("%s stands twice, or nothing leads to it", n.ID)
			}
		}
		if again := p.explained(target); facts(again) != facts(why) || !slices.Equal(again.Sentences, why.Sentences) {
			rt.Fatalf("told twice:\n%s\n%s", facts(why), facts(again))
		}
	})
}

// past is a log that a test writes by hand, one envelope after the other.
type past struct {
	t     testing.TB
	clock *domaintest.Clock
	ids   *domaintest.IDs
	log   *memlog.Log
}

func newPast(t testing.TB) *past {
	clock := domaintest.NewClock()
	return &past{t: t, clock: clock, ids: domaintest.NewIDs(clock, 1), log: memlog.New(clock)}
}

// begin opens a trace, and records are given its id.
func begin[P any](p *past, who domain.Principal, payload P, keys ...domain.Key) domain.Record {
	p.t.Helper()
	id := p.ids.NewID()
	return add(p, domain.Begin(domain.TraceID{ID: id}, who), id, payload, keys)
}

// then records what an earlier envelope caused in the same trace.
func then[P any](p *past, cause domain.Record, payload P, keys ...domain.Key) domain.Record {
	p.t.Helper()
	return add(p, domain.Continue(cause.Envelope), p.ids.NewID(), payload, keys)
}

func add[P any](p *past, lin domain.Lineage, id domain.ID, payload P, keys []domain.Key) domain.Record {
	p.t.Helper()
	entry, err := domain.New(lin, id, domain.MillisOf(p.clock.Now()), domain.Source(lin.Principal), payload)
	if err != nil {
		p.t.Fatal(err)
	}
	entry.Envelope.Keys = keys
	return p.put(entry)
}

func (p *past) put(entry domain.Entry) domain.Record {
	p.t.Helper()
	if _, err := p.log.Append(context.Background(), domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
		p.t.Fatal(err)
	}
	rec, err := p.log.Find(context.Background(), entry.Envelope.ID)
	if err != nil {
		p.t.Fatal(err)
	}
	return rec
}

// answer is a message with all steps to its end, resting on the items given.
type answer struct {
	opening, started, called, replied, concluded domain.Record
}

func (p *past) answered(who domain.Principal, text string, items []domain.SeenItem, used ...domain.Evidence) answer {
	p.t.Helper()
	var a answer
	a.opening = begin(p, who, domain.MessageReceived{Text: text, Source: "text", ImageIDs: []domain.ID{}})
	trace := a.opening.Envelope.Trace
	p.clock.Advance(time.Second)
	var relations []domain.SeenRelation
	if len(items) > 1 && items[1].Bonus > 0 {
		relations = append(relations, domain.SeenRelation{Signal: items[0].EnvelopeID, Commitment: items[1].EnvelopeID, Score: 880_000})
	}
	a.started = then(p, a.opening, domain.ReasoningStarted{
		AsOf: domain.MillisOf(p.clock.Now()), Relations: relations,
		World: domain.WorldSeen{Items: items, LeftOut: []domain.SeenItem{{EnvelopeID: p.ids.NewID(), Kind: domain.ItemSignal, Salience: 10_000, Gate: domain.GateBelowThreshold}}},
	}, domain.StepKey(trace, 1))
	a.called = then(p, a.started, domain.ModelCalled{Model: "builtin/1"}, domain.StepKey(trace, 2))
	a.replied = then(p, a.called, domain.ModelReplied{
		Model: "builtin/1", Blocks: []domain.Block{domain.TextBlock("Luigi's is closed tonight.", domain.FormatPlain)},
		Topic: "general", Mode: domain.ModeRespond, Confidence: 800_000, Used: used, Usage: domain.Usage{InputTokens: 12, OutputTokens: 5},
	}, domain.StepKey(trace, 3))
	end := domain.ReasoningConcluded{
		Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage, Reply: a.replied.Envelope.ID, DurationMS: 40,
		Evidence: append([]domain.Evidence{{EnvelopeID: a.opening.Envelope.ID, Role: "asked", Weight: domain.One}}, used...),
		Rejected: []domain.Rejected{{EnvelopeID: p.ids.NewID(), Gate: "cooldown"}},
	}
	if who != domain.PrincipalOperator {
		end.Outcome, end.Shown = domain.OutcomeSurfaced, domain.ShownNotification
	}
	a.concluded = then(p, a.replied, end, domain.ConcludedKey(trace), end.ShownKey(), domain.StepKey(trace, 4))
	return a
}

// paired is an interface that was let in with a key.
func (p *past) paired(name string) domain.Record {
	p.t.Helper()
	issued := begin(p, domain.PrincipalOperator, domain.PairingKeyIssued{KeyHash: "aa", ExpiresAt: 1})
	used := then(p, issued, domain.PairingKeyUsed{KeyHash: "aa", Name: name, Host: "127.0.0.1", Port: 9000})
	id := p.ids.NewID()
	return add(p, domain.Continue(used.Envelope), id, domain.InterfacePaired{Name: name, Host: "127.0.0.1", Port: 9000, TokenHash: "bb"}, []domain.Key{domain.InterfaceKey(id)})
}

func (p *past) closure(who domain.Principal) domain.Record {
	p.t.Helper()
	return begin(p, who, domain.SignalReceived{SignalType: "closure", Content: "Luigi's is closed tonight", Source: "luigis", ActivationEnergy: 0.5})
}

// erased is a record with its payload gone.
func erased(rec domain.Record) domain.Entry {
	env := rec.Envelope
	env.Payload = domain.Payload{Encoding: domain.EncodingErased, KeyID: "gone"}
	return domain.Entry{Topic: rec.Topic, Envelope: env}
}

// countedLog is a log that counts what is read of it.
type countedLog struct {
	replay.Log
	calls, records int
}

func (c *countedLog) Select(ctx context.Context, s domain.Selector, from domain.Position, limit int) ([]domain.Record, error) {
	found, err := c.Log.Select(ctx, s, from, limit)
	c.calls, c.records = c.calls+1, c.records+len(found)
	return found, err
}

func (c *countedLog) Find(ctx context.Context, id domain.ID) (domain.Record, error) {
	rec, err := c.Log.Find(ctx, id)
	c.calls, c.records = c.calls+1, c.records+1
	return rec, err
}

// What is read follows from how much is told, and not from how long the log or the
// trace is: ten times as much takes as many reads.
func TestReadsAreBounded(t *testing.T) {
	type reads struct{ calls, records int }
	read := func(steps int, target string, ask func(context.Context, replay.Log, replay.Target) (explain.Explanation, error)) (reads, explain.Explanation) {
		p := newPast(t)
		issued := domain.TokenIssued{Name: "lab", TokenHash: "aa", Signals: []string{}}
		begin(p, domain.PrincipalOperator, issued, issued.Keys()...)
		opening := p.message("begin")
		heard := p.closure("lab")
		last := opening
		for range steps {
			last = then(p, last, domain.SteerReceived{Text: "and then"})
			p.closure("lab")
		}
		reply := then(p, last, says("done"))
		p.concluded(reply, domain.ReasoningConcluded{Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage, Reply: reply.Envelope.ID,
			Evidence: []domain.Evidence{asked(opening.Envelope.ID), {EnvelopeID: heard.Envelope.ID, Role: "named", Weight: domain.One}}})
		parsed, err := replay.ParseTarget(target)
		if err != nil {
			t.Fatal(err)
		}
		log := &countedLog{Log: p.log}
		out, err := ask(t.Context(), log, parsed)
		if err != nil {
			t.Fatal(err)
		}
		return reads{log.calls, log.records}, out
	}
	back := func(ctx context.Context, log replay.Log, target replay.Target) (explain.Explanation, error) {
		return explain.Why(ctx, log, target, nil)
	}
	forward := func(ctx context.Context, log replay.Log, target replay.Target) (explain.Explanation, error) {
		return explain.Effects(ctx, log, target, nil)
	}
	for name, c := range map[string]struct {
		target string
		ask    func(context.Context, replay.Log, replay.Target) (explain.Explanation, error)
		most   reads
		scans  bool // some of it is looked for up to a bound
	}{
		// Each of the 500 envelopes is found once; beside them come the sender, the target and
		// the thinking that the conclusion rests on.
		"the end":            {target: "last", ask: back, most: reads{explain.MaxNodes + 60, explain.MaxNodes + 60}},
		"a signal":           {target: "pos:3", ask: back, most: reads{20, 20}},
		"what a signal did":  {target: "pos:3", ask: forward, most: reads{20, 20}},
		"what a message did": {target: "pos:2", ask: forward, most: reads{2*explain.MaxNodes + 60, 2*explain.MaxNodes + 60}},
		"what a token did":   {target: "pos:1", ask: forward, most: reads{2*explain.MaxNodes + 60, 22_000}, scans: true},
	} {
		t.Run(name, func(t *testing.T) {
			short, _ := read(600, c.target, c.ask)
			long, out := read(6000, c.target, c.ask)
			if long.calls > c.most.calls || long.records > c.most.records {
				t.Errorf("it took %+v, at most %+v is enough for %d envelopes", long, c.most, len(out.Nodes))
			}
			// The last word is searched for by halves, so the length counts by its logarithm.
			if !c.scans && (long.calls > short.calls+10 || long.records > short.records+10) {
				t.Errorf("of ten times as much it took %+v, and %+v before", long, short)
			}
		})
	}
}
