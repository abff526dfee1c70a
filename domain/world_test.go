package domain

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

const noon = Millis(1_767_268_800_000)

var rules = DefaultWorldRules()

func at(d time.Duration) Millis { return noon.Add(d) }

func TestSalience(t *testing.T) {
	signal := func(energy float64) Candidate {
		return Candidate{Kind: ItemSignal, RecordedAt: noon, Energy: PPMOf(energy)}
	}
	commitment := func(kind ItemKind, phase Phase, moment time.Duration) Candidate {
		return Candidate{Kind: kind, Phase: phase, RecordedAt: noon, Moment: at(moment)}
	}
	ambient := Candidate{Kind: ItemContext, RecordedAt: noon, Energy: PPMOf(0.6)}
	for _, c := range []struct {
		name    string
		c       Candidate
		now     time.Duration
		want    PPM
		expired bool
	}{
		{"the weather", signal(0.4), 0, 800_000, false},
		{"the weather after 6 h", signal(0.4), 6 * time.Hour, 400_000, false},
		{"the weather after 12 h", signal(0.4), 12 * time.Hour, 200_000, false},
		{"the weather after 3 h", signal(0.4), 3 * time.Hour, 565_685, false},
		{"the stock", signal(0.7), 0, One, false},
		{"the stock after 6 h", signal(0.7), 6 * time.Hour, 700_000, false},
		{"the stock when it leaves the ceiling", signal(0.7), 3 * time.Hour, 989_949, false},
		{"a signal of half energy after a day", signal(0.5), 24 * time.Hour, 62_500, false},
		{"a signal without energy", signal(0), 0, 0, false},
		{"a signal before it was heard", signal(0.4), -time.Hour, 800_000, false},
		{"a reminder due now", commitment(ItemReminder, PhasePending, 0), 0, One, false},
		{"a reminder due in 12 h", commitment(ItemReminder, PhasePending, 12*time.Hour), 0, 500_000, false},
		{"a reminder due in a day", commitment(ItemReminder, PhasePending, 24*time.Hour), 0, 250_000, false},
		{"a reminder overdue", commitment(ItemReminder, PhasePending, -time.Hour), 0, One, false},
		{"a reminder for the year 10000", Candidate{Kind: ItemReminder, Phase: PhasePending, Moment: 253_402_300_800_000}, 0, 0, false},
		{"a reminder fired now", commitment(ItemReminder, PhaseDone, 0), 0, One, false},
		{"a reminder fired 12 h ago", commitment(ItemReminder, PhaseDone, -12*time.Hour), 0, 500_000, false},
		{"a reminder fired a day ago", commitment(ItemReminder, PhaseDone, -24*time.Hour), 0, 250_000, false},
		{"a reminder fired over a day ago", commitment(ItemReminder, PhaseDone, -24*time.Hour-time.Millisecond), 0, 250_000, true},
		{"a task due in 12 h", commitment(ItemTask, PhasePending, 12*time.Hour), 0, 500_000, false},
		{"a task without a deadline", commitment(ItemTask, PhaseOpen, 0), 1000 * time.Hour, 500_000, false},
		{"a task completed 12 h ago", commitment(ItemTask, PhaseDone, -12*time.Hour), 0, 500_000, false},
		{"a task completed over a day ago", commitment(ItemTask, PhaseDone, -25*time.Hour), 0, 235_969, true},
		{"context", ambient, 0, 600_000, false},
		{"context after 6 h", ambient, 6 * time.Hour, 300_000, false},
		{"context after 12 h", ambient, 12 * time.Hour, 150_000, false},
	} {
		got, expired := rules.Salience(c.c, at(c.now))
		if got != c.want || expired != c.expired {
			t.Errorf("%s: %d, expired %v, want %d, %v", c.name, got, expired, c.want, c.expired)
		}
	}
}

// heard is a signal n of an energy, heard a while before noon.
func heard(n int, energy PPM, ago time.Duration) Candidate {
	return Candidate{Kind: ItemSignal, EnvelopeID: ID{0: 1, 15: byte(n)}, Position: Position(n), RecordedAt: noon.Add(-ago), Energy: energy}
}

// show writes items as "position:gate+bonus".
func show(items []Item) []string {
	out := []string{}
	for _, i := range items {
		s := fmt.Sprint(i.Position)
		if i.Gate != "" {
			s += ":" + string(i.Gate)
		}
		if i.Bonus != 0 {
			s += fmt.Sprintf("+%d", i.Bonus)
		}
		out = append(out, s)
	}
	return out
}

func TestAssemble(t *testing.T) {
	weak, half := rules.Threshold/2, One/4
	pair := func(a, b Candidate, bonus PPM) Relation { return Relation{a.EnvelopeID, b.EnvelopeID, bonus} }
	loud := []Candidate{heard(1, One, 0), heard(2, One, 0), heard(3, One, 0), heard(4, One, 0), heard(5, One, 0)}
	quiet, quieter, faint := heard(6, half, 0), heard(7, half/2, 0), heard(8, weak-1, 0)
	fired := Candidate{Kind: ItemReminder, EnvelopeID: ID{9}, Position: 9, Phase: PhaseDone, Moment: noon.Add(-30 * time.Hour)}
	for _, c := range []struct {
		name      string
		in        []Candidate
		relations []Relation
		items     []string
		out       []string
	}{
		{"nothing", nil, nil, []string{}, []string{}},
		{"the most salient first", []Candidate{quieter, quiet, loud[0]}, nil, []string{"1", "6", "7"}, []string{}},
		{"newest first on ties", loud, nil, []string{"5", "4", "3", "2", "1"}, []string{}},
		{"five slots", append(slices.Clone(loud), quiet, quieter), nil,
			[]string{"5", "4", "3", "2", "1"}, []string{"6:not_in_five", "7:not_in_five"}},
		{"at the threshold is in, below is out", []Candidate{heard(1, rules.Threshold/2, 0), faint}, nil, []string{"1"}, []string{"8:below_threshold"}},
		{"a commitment long done is out", []Candidate{fired}, nil, []string{}, []string{"9:expired"}},
		{"a related pair goes first", append(slices.Clone(loud), quiet, quieter), []Relation{pair(quiet, quieter, 1000)},
			[]string{"6+1000", "7+1000", "5", "4", "3"}, []string{"2:not_in_five", "1:not_in_five"}},
		{"the largest bonus counts", []Candidate{loud[0], quiet, quieter}, []Relation{pair(quiet, quieter, 1000), pair(loud[0], quiet, 2000), pair(quiet, loud[0], 500)},
			[]string{"1+2000", "6+2000", "7+1000"}, []string{}},
		{"bonus adds to salience among the related", []Candidate{quiet, quieter, loud[0], loud[1]},
			[]Relation{pair(quiet, quieter, 900_000), pair(loud[0], loud[1], 1)}, []string{"6+900000", "7+900000", "2+1", "1+1"}, []string{}},
		{"what has faded relates to nothing", []Candidate{loud[0], quiet, faint}, []Relation{pair(quiet, faint, 1000)},
			[]string{"1", "6"}, []string{"8:below_threshold"}},
		{"nor does what is unknown", []Candidate{loud[0], quiet}, []Relation{pair(quiet, quieter, 1000)}, []string{"1", "6"}, []string{}},
		{"nor anything to itself", []Candidate{loud[0], quiet}, []Relation{pair(quiet, quiet, 1000)}, []string{"1", "6"}, []string{}},
	} {
		got := rules.Assemble(c.in, c.relations, noon)
		if items, out := show(got.Items), show(got.LeftOut); !slices.Equal(items, c.items) || !slices.Equal(out, c.out) || got.AsOf != noon {
			t.Errorf("%s: in %v, left out %v, want %v and %v", c.name, items, out, c.items, c.out)
		}
	}
}

func TestAssembleLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var in []Candidate
		for i := range rapid.IntRange(0, 12).Draw(t, "candidates") {
			in = append(in, Candidate{
				Kind:       rapid.SampledFrom([]ItemKind{ItemSignal, ItemReminder, ItemTask, ItemContext}).Draw(t, "kind"),
				Phase:      rapid.SampledFrom([]Phase{PhasePending, PhaseOpen, PhaseDone}).Draw(t, "phase"),
				EnvelopeID: ID{byte(i + 1)},
				// Two candidates of one envelope share its position.
				Position:   Position(rapid.IntRange(1, 6).Draw(t, "position")),
				RecordedAt: noon.Add(-time.Duration(rapid.IntRange(0, 30).Draw(t, "age")) * time.Hour),
				Moment:     noon.Add(time.Duration(rapid.IntRange(-30, 30).Draw(t, "moment")) * time.Hour),
				Energy:     PPM(rapid.SampledFrom([]int64{0, 75_000, 250_000, 1_000_000}).Draw(t, "energy")),
			})
		}
		var relations []Relation
		if len(in) > 0 {
			for range rapid.IntRange(0, 4).Draw(t, "relations") {
				pick := rapid.IntRange(0, len(in)-1)
				relations = append(relations, Relation{in[pick.Draw(t, "a")].EnvelopeID, in[pick.Draw(t, "b")].EnvelopeID, PPM(rapid.Int64Range(0, 100).Draw(t, "bonus"))})
			}
		}
		got := rules.Assemble(in, relations, noon)
		shuffled := rules.Assemble(rapid.Permutation(in).Draw(t, "shuffled"), rapid.Permutation(relations).Draw(t, "relations shuffled"), noon)
		if !reflect.DeepEqual(got, shuffled) {
			t.Fatalf("the order matters: %+v and %+v", got, shuffled)
		}
		if len(got.Items) > rules.Slots || len(got.Items)+len(got.LeftOut) != len(in) {
			t.Fatalf("%d in, %d left out, of %d", len(got.Items), len(got.LeftOut), len(in))
		}
		for _, item := range got.Items {
			if item.Gate != "" || item.Salience < rules.Threshold {
				t.Fatalf("%+v is in", item)
			}
		}
		for _, item := range got.LeftOut {
			if item.Gate == "" || (item.Gate == GateNotInFive && len(got.Items) < rules.Slots) {
				t.Fatalf("%+v is out, with %d in", item, len(got.Items))
			}
		}
	})
}

func signalRecord(t testing.TB, pos Position, energy float64) Record {
	entry, err := New(Begin(TraceID{ID{byte(pos)}}, "sky"), ID{1, 15: byte(pos)}, noon, "http",
		SignalReceived{SignalType: "weather_update", Content: "rain", ActivationEnergy: energy})
	if err != nil {
		t.Fatal(err)
	}
	return Record{Position: pos, Topic: entry.Topic, RecordedAt: noon, Envelope: entry.Envelope}
}

func TestTheHundredAndFirstSignalDropsTheOldest(t *testing.T) {
	w := NewWorld()
	for pos := Position(1); pos <= 101; pos++ {
		if err := w.Evolve(signalRecord(t, pos, 0.4)); err != nil {
			t.Fatal(err)
		}
	}
	if len(w.Signals) != 100 || w.Signals[0].Position != 2 || w.Signals[99].Position != 101 {
		t.Fatalf("%d signals from %d", len(w.Signals), w.Signals[0].Position)
	}
	got := w.Assemble(nil, noon)
	if items := show(got.Items); !slices.Equal(items, []string{"101", "100", "99", "98", "97"}) {
		t.Errorf("in: %v", items)
	}
	last := got.LeftOut[len(got.LeftOut)-1]
	if len(got.LeftOut) != 96 || last.Position != 1 || last.Gate != GateOverCapacity || last.Salience != 800_000 {
		t.Errorf("%d left out, the last is %+v", len(got.LeftOut), last)
	}
	for pos := Position(102); pos <= 350; pos++ {
		if err := w.Evolve(signalRecord(t, pos, 0.4)); err != nil {
			t.Fatal(err)
		}
	}
	if len(w.Signals) != 100 || len(w.Dropped) != 100 || w.Dropped[0].Position != 151 || w.Dropped[99].Position != 250 {
		t.Errorf("after 350: %d signals, %d dropped from %d", len(w.Signals), len(w.Dropped), w.Dropped[0].Position)
	}
	left := w.Assemble(nil, noon).LeftOut
	if first := left[95]; first.Position != 250 || first.Gate != GateOverCapacity {
		t.Errorf("the newest that was dropped comes first, not %+v", first)
	}
}

func TestEvolve(t *testing.T) {
	raw := func(text string) func(*Record) {
		return func(r *Record) { r.Envelope.Payload = JSONPayload([]byte(text)) }
	}
	for _, c := range []struct {
		name   string
		change func(*Record)
		want   []PPM // energies remembered
		code   Code
	}{
		{"a signal", func(*Record) {}, []PPM{400_000}, ""},
		{"another event", func(r *Record) { r.Envelope.Type = "system.stopped" }, []PPM{}, ""},
		{"an erased payload", func(r *Record) { r.Envelope.Payload = Payload{Encoding: EncodingErased} }, []PPM{}, ""},
		{"a sealed payload", func(r *Record) { r.Envelope.Payload.Encoding = EncodingSealed }, []PPM{}, ""},
		{"opaque bytes", func(r *Record) { r.Envelope.Payload.Encoding = EncodingOpaque }, []PPM{}, CodeUndecodable},
		{"a later version", func(r *Record) { r.Envelope.Version = 2 }, []PPM{}, CodeUndecodable},
		{"an energy in text", raw(`{"activation_energy":"0.4"}`), []PPM{}, CodeUndecodable},
		{"content that is no text", raw(`{"content":{},"activation_energy":0.4}`), []PPM{}, CodeUndecodable},
		{"a list", raw(`[]`), []PPM{}, CodeUndecodable},
		{"null", raw(`null`), []PPM{0}, ""},
		{"no energy", raw(`{"content":"x"}`), []PPM{0}, ""},
		{"an energy of null", raw(`{"activation_energy":null}`), []PPM{0}, ""},
		{"an energy above one", raw(`{"activation_energy":1e300}`), []PPM{One}, ""},
		{"an energy below none", raw(`{"activation_energy":-3}`), []PPM{0}, ""},
		{"an energy beyond numbers", raw(`{"activation_energy":1e400}`), []PPM{}, CodeUndecodable},
		{"a third", raw(`{"activation_energy":0.333333333333}`), []PPM{333_333}, ""},
		{"two energies", raw(`{"activation_energy":0.1,"content":"","activation_energy":0.2}`), []PPM{200_000}, ""},
		{"a name in other letters", raw(`{"Activation_Energy":0.3}`), []PPM{300_000}, ""},
		{"an energy inside metadata", raw(`{"signal_type":"a","content":"b","source":"c","topic":null,"activation_energy":0.25,"metadata":{"activation_energy":0.9,"s":"}\""}}`), []PPM{250_000}, ""},
		{"a second energy after metadata", raw(`{"signal_type":"a","content":"b","source":"c","topic":null,"activation_energy":0.25,"metadata":{"a":1},"activation_energy":0.5}`), []PPM{500_000}, ""},
		{"quotes in the content", raw(`{"signal_type":"a","content":"b\",\"activation_energy\":0.9,\\","source":"c","topic":"d","activation_energy":0.25,"metadata":null}`), []PPM{250_000}, ""},
		{"an escaped name", raw(`{"activation\u005fenergy":0.6}`), []PPM{600_000}, ""},
		{"space everywhere", raw(" { \"activation_energy\" : 0.6 } "), []PPM{600_000}, ""},
	} {
		w := NewWorld()
		rec := signalRecord(t, 7, 0.4)
		c.change(&rec)
		err := w.Evolve(rec)
		got := []PPM{}
		for _, s := range w.Signals {
			got = append(got, s.Energy)
		}
		if !slices.Equal(got, c.want) || CodeOf(err) != c.code {
			t.Errorf("%s: energies %v, %v, want %v, %q", c.name, got, err, c.want, c.code)
		}
	}
}

// One erasure erases: no text of a signal is copied into the world.
func TestEvolveRemembersReferencesOnly(t *testing.T) {
	w := NewWorld()
	rec := signalRecord(t, 7, 0.4)
	if err := w.Evolve(rec); err != nil {
		t.Fatal(err)
	}
	want := Heard{EnvelopeID: rec.Envelope.ID, Position: 7, RecordedAt: noon, Energy: 400_000}
	if w.Signals[0] != want {
		t.Errorf("%+v, want %+v", w.Signals[0], want)
	}
	text, err := json.Marshal(w)
	if err != nil || strings.Contains(string(text), "rain") {
		t.Errorf("the world holds %s, %v", text, err)
	}
}

func BenchmarkEvolve(b *testing.B) {
	entry, err := New(Begin(TraceID{ID{1}}, "sky"), ID{2}, noon, "http", SignalReceived{SignalType: "weather_update",
		Content: "Rain is expected from five in the afternoon, heavy at times, with gusts of up to sixty kilometres an hour.",
		Source:  "weather", ActivationEnergy: 0.4, Metadata: json.RawMessage(`{"location":"home","mm":3.5,"hours":[17,18,19]}`)})
	if err != nil {
		b.Fatal(err)
	}
	w := NewWorld()
	rec := Record{Topic: entry.Topic, RecordedAt: noon, Envelope: entry.Envelope}
	b.SetBytes(int64(len(entry.Envelope.Payload.Bytes)))
	b.ReportAllocs()
	for b.Loop() {
		rec.Position++
		if err := w.Evolve(rec); err != nil {
			b.Fatal(err)
		}
	}
}

func TestTurns(t *testing.T) {
	rules := DefaultWorldRules()
	soon, later := noon.Add(2*time.Hour), noon.Add(1000*time.Hour)
	never := Millis(0)
	for _, c := range []struct {
		name string
		in   Candidate
		want Millis
	}{
		// 2 · 0.3 is a quarter after two half-lives.
		{"a signal fades", Candidate{Kind: ItemSignal, RecordedAt: noon, Energy: 300_000}, noon.Add(12*time.Hour + time.Second)},
		{"a faded one stays out", Candidate{Kind: ItemSignal, RecordedAt: noon, Energy: 1000}, never},
		{"a reminder is told, and fades", Candidate{Kind: ItemReminder, Phase: PhasePending, Moment: soon}, soon.Add(24*time.Hour + time.Millisecond)},
		{"one for later comes to mind", Candidate{Kind: ItemReminder, Phase: PhasePending, Moment: later}, later.Add(-32*time.Hour - 50*time.Minute)},
		{"a task that is due stays", Candidate{Kind: ItemTask, Phase: PhasePending, Moment: soon}, never},
		{"so does one without a deadline", Candidate{Kind: ItemTask, Phase: PhaseOpen}, never},
		{"what was done expires", Candidate{Kind: ItemTask, Phase: PhaseDone, Moment: noon}, noon.Add(24*time.Hour + time.Millisecond)},
	} {
		got, turns := rules.Turns(c.in, noon)
		if turns != (c.want != never) || turns && (got < c.want.Add(-time.Minute) || got > c.want.Add(time.Minute)) {
			t.Errorf("%s: at %v, %v, want %v", c.name, got.Time(), turns, c.want.Time())
		}
	}
}

// Just before it turns a thing is as it is now, and then it isn't.
func TestTurnsExactly(t *testing.T) {
	rules := DefaultWorldRules()
	rapid.Check(t, func(t *rapid.T) {
		c := Candidate{
			Kind:       rapid.SampledFrom([]ItemKind{ItemSignal, ItemReminder, ItemTask, ItemContext}).Draw(t, "kind"),
			Phase:      rapid.SampledFrom([]Phase{PhasePending, PhaseOpen, PhaseDone}).Draw(t, "phase"),
			RecordedAt: noon.Add(-time.Duration(rapid.Int64Range(0, 1e14).Draw(t, "age"))),
			Moment:     noon.Add(time.Duration(rapid.Int64Range(-1e15, 1e15).Draw(t, "moment"))),
			Energy:     PPM(rapid.Int64Range(0, 1_000_000).Draw(t, "energy")),
		}
		in := func(at Millis) bool {
			salience, expired := rules.Ahead(c, at)
			return !expired && salience >= rules.Threshold
		}
		at, turns := rules.Turns(c, noon)
		if turns && (at <= noon || in(at-1) != in(noon) || in(at) == in(noon)) {
			t.Fatalf("%+v is said to turn at %v", c, at.Time())
		}
		if !turns && in(noon) && !in(noon.Add(turnWithin)) {
			t.Fatalf("%+v is said to stay", c)
		}
	})
}
