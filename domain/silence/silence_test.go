package silence_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chalie/domain"
	"chalie/domain/silence"
)

// book is a log of records by their ids.
type book map[domain.ID]domain.Record

// Find implements silence.Finder.
func (b book) Find(_ context.Context, id domain.ID) (domain.Record, error) {
	rec, ok := b[id]
	if !ok {
		return rec, &domain.Error{Op: "find", Category: domain.NotFound, Code: "not_found", Message: "it isn't there"}
	}
	return rec, nil
}

// put is a record with an id of its own.
func (b book) put(at domain.Millis, payload any) domain.Record {
	n := domain.Position(len(b) + 1)
	id := domain.ID{0, byte(n >> 8), byte(n)}
	rec := domain.Record{Position: n, RecordedAt: at, Envelope: domain.Envelope{ID: id, Trace: domain.TraceID{ID: id}, Timestamp: at}}
	if signal, ok := payload.(domain.SpineSignalEmitted); ok {
		entry, err := domain.New(domain.Begin(rec.Envelope.Trace, "idle"), id, at, "idle", signal)
		if err != nil {
			panic(err)
		}
		rec.Envelope = entry.Envelope
	}
	b[id] = rec
	return rec
}

// considered is a mind of the items that are in a world, with what relates them.
func considered(world *domain.World, related []domain.SeenRelation, held []domain.SilentFinding, at domain.Millis, through domain.Position) silence.Considered {
	params := domain.DefaultParams()
	var bonuses []domain.Relation
	for _, rel := range related {
		if rel.Score >= params.World.Surfaces {
			bonuses = append(bonuses, domain.Relation{A: rel.Signal, B: rel.Commitment, Bonus: rel.Score})
		}
	}
	seen := world.Assemble(bonuses, at)
	out := silence.Considered{Assembly: seen, Params: params, Held: held, Started: domain.ReasoningStarted{
		AsOf: at, Zone: "UTC", World: domain.SeenIn(seen, through), Recent: []domain.ID{}, Relations: related, Models: []string{"builtin"}, Limits: params.Limits,
	}, Ended: domain.ReasoningConcluded{Outcome: domain.OutcomeHeld, Rejected: []domain.Rejected{}}}
	for _, f := range held {
		out.Findings = append(out.Findings, domain.Finding{Evidence: f.Evidence})
		for _, e := range f.Evidence {
			out.Ended.Rejected = append(out.Ended.Rejected, domain.Rejected{EnvelopeID: e.EnvelopeID, Because: f.Because, Score: e.Weight, Gate: f.Gate,
				Detail: f.By.Detail(at.Sub(f.Told), params.Notices.Cooldown)})
		}
	}
	return out
}

// Whatever a mind goes through, each of its cycles reads back as it was, and its differences name
// what changed alone.
func TestLawSilentCyclesReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log, at := book{}, domain.Millis(1_800_000_000_000)
		world := domain.NewWorld()
		world.Rules.Capacity = 6
		writing, reading := silence.NewReader(log), silence.NewReader(log)
		var last *silence.List
		var records []domain.Record
		var want []silence.Considered
		for range rapid.IntRange(1, 30).Draw(t, "cycles") {
			at = at.Add(time.Duration(rapid.IntRange(0, 600).Draw(t, "minutes")) * time.Minute)
			came := rapid.IntRange(0, 4).Draw(t, "signals")
			for range came {
				rec := log.put(at, nil)
				world.Signals = append(world.Signals, domain.Heard{EnvelopeID: rec.Envelope.ID, Position: rec.Position, RecordedAt: at, Energy: domain.PPM(rapid.IntRange(0, int(domain.One)).Draw(t, "energy"))})
				if over := len(world.Signals) - 6; over > 0 {
					world.Dropped, world.Signals = append(world.Dropped, world.Signals[:over]...), world.Signals[over:]
				}
				world.Dropped = world.Dropped[max(0, len(world.Dropped)-6):]
			}
			var related []domain.SeenRelation
			var held []domain.SilentFinding
			if n := len(world.Signals); n > 1 && rapid.Bool().Draw(t, "related") {
				related = []domain.SeenRelation{{Signal: world.Signals[n-1].EnvelopeID, Commitment: world.Signals[0].EnvelopeID, Score: domain.One * 3 / 4}}
				held = []domain.SilentFinding{{Gate: domain.GateCooldown, Because: world.Signals[0].EnvelopeID, By: domain.HeldByCooldown, Told: at.Add(-time.Minute),
					Evidence: []domain.Evidence{{EnvelopeID: related[0].Signal, Role: "heard", Weight: domain.One}}}}
			}
			of := considered(&world, related, held, at, domain.Position(len(log)))
			opening := log.put(at, domain.SpineSignalEmitted{})
			of.Opening = opening.Envelope.ID
			packed, list, ok, err := writing.Pack(t.Context(), last, of)
			if err != nil || !ok {
				t.Fatalf("a cycle isn't packed: %v", err)
			}
			if packed.Rules == nil && (len(packed.Came) > came || len(packed.Pushed) > came) {
				t.Fatalf("%d signals came, and it says %+v", came, packed)
			}
			signal := domain.SpineSignalEmitted{Silent: &packed}
			entry, err := domain.New(domain.Begin(opening.Envelope.Trace, "idle"), of.Opening, at, "idle", signal)
			if err != nil {
				t.Fatal(err)
			}
			opening.Envelope = entry.Envelope
			log[of.Opening] = opening
			last, records, want = list, append(records, opening), append(want, of)
		}
		order := rapid.Permutation(records).Draw(t, "order")
		for _, rec := range order {
			i := slices.IndexFunc(records, func(r domain.Record) bool { return r.Position == rec.Position })
			got, err := reading.Cycle(t.Context(), rec)
			if err != nil || !reading.Agrees(rec, &got) || !slices.Equal(got.Started.World.Items, want[i].Started.World.Items) ||
				!slices.Equal(got.Started.World.LeftOut, want[i].Started.World.LeftOut) || !slices.Equal(got.Ended.Rejected, want[i].Ended.Rejected) {
				t.Fatalf("cycle %d reads as %+v (%v), was %+v", i, got, err, want[i])
			}
		}
	})
}

// What a record differs from may be gone, or something else: then it can't be read, and says so.
func TestWhatACycleDiffersFromIsGone(t *testing.T) {
	log := book{}
	heard := log.put(1, nil)
	world := domain.NewWorld()
	world.Signals = append(world.Signals, domain.Heard{EnvelopeID: heard.Envelope.ID, Position: heard.Position, RecordedAt: 1, Energy: domain.One})
	for name, silent := range map[string]*domain.SilentCycle{
		"gone":            {Since: domain.ID{9}},
		"no silent cycle": {Since: log.put(1, domain.SpineSignalEmitted{}).Envelope.ID},
		"no such place":   {Since: log.put(1, domain.SpineSignalEmitted{Silent: &domain.SilentCycle{}}).Envelope.ID, Went: []int{3}},
		"pushed outside":  {Since: log.put(1, domain.SpineSignalEmitted{Silent: &domain.SilentCycle{}}).Envelope.ID, Pushed: []int{-1}},
		"none":            nil,
	} {
		rec := log.put(2, domain.SpineSignalEmitted{Silent: silent})
		if _, err := silence.NewReader(log).Cycle(t.Context(), rec); domain.CodeOf(err) != domain.CodeErased {
			t.Errorf("%s: %v", name, err)
		}
	}
	itself := log.put(2, domain.SpineSignalEmitted{})
	entry, err := domain.New(domain.Begin(itself.Envelope.Trace, "idle"), itself.Envelope.ID, 2, "idle", domain.SpineSignalEmitted{Silent: &domain.SilentCycle{Since: itself.Envelope.ID}})
	if err != nil {
		t.Fatal(err)
	}
	itself.Envelope = entry.Envelope
	log[itself.Envelope.ID] = itself
	if _, err := silence.NewReader(log).Cycle(t.Context(), itself); domain.CodeOf(err) != domain.CodeErased {
		t.Errorf("one that differs from itself: %v", err)
	}
}

// What stored cycles come to follows from today's code: another sum says that what was decided then
// would be told otherwise. Then the rules need a version that old records keep.
func TestStoredCyclesStayWhatTheyWere(t *testing.T) {
	log, at := book{}, domain.Millis(1_800_000_000_000)
	world := domain.NewWorld()
	for i, energy := range []domain.PPM{100_000, 400_000, 900_000, 1_000_000, 700_000, 300_000, 650_000, 20_000} {
		rec := log.put(at.Add(time.Duration(i)*time.Hour), nil)
		world.Signals = append(world.Signals, domain.Heard{EnvelopeID: rec.Envelope.ID, Position: rec.Position, RecordedAt: rec.RecordedAt, Energy: energy})
	}
	world.Dropped, world.Signals = world.Signals[:2:2], world.Signals[2:]
	related := []domain.SeenRelation{{Signal: world.Signals[5].EnvelopeID, Commitment: world.Signals[0].EnvelopeID, Score: 600_000}}
	held := []domain.SilentFinding{{Gate: domain.GateCooldown, Because: world.Signals[1].EnvelopeID, By: domain.HeldByCooldown, Told: at.Add(9 * time.Hour),
		Evidence: []domain.Evidence{{EnvelopeID: related[0].Signal, Role: "heard", Weight: 600_000}}}}
	of := considered(&world, related, held, at.Add(10*time.Hour), 8)
	of.Opening = log.put(of.Started.AsOf, domain.SpineSignalEmitted{}).Envelope.ID
	packed, _, ok, err := silence.NewReader(log).Pack(t.Context(), nil, of)
	const was = 1039343443
	if err != nil || !ok || packed.Sum != was {
		t.Errorf("a stored cycle comes to %d, and was %d (%v)", packed.Sum, was, err)
	}
}
