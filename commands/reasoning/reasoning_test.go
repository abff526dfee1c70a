package reasoning_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"chalie/commands/commandstest"
	"chalie/commands/reasoning"
	"chalie/domain"
	"chalie/domain/language"
)

func TestAnswer(t *testing.T) {
	s := commandstest.NewStage(t)
	signals := s.Signals(0)
	faded, err := signals.Submit(t.Context(), commandstest.Station, domain.SignalReceived{SignalType: "weather", Content: "snow", ActivationEnergy: 0.4})
	if err != nil {
		t.Fatal(err)
	}
	before := s.Say(commandstest.Ada, "hello")
	s.Answer(before)
	s.Clock.Advance(24 * time.Hour)
	topic := "weather"
	heard, err := signals.Submit(t.Context(), commandstest.Station, domain.SignalReceived{SignalType: "weather", Content: "rain", Topic: &topic, ActivationEnergy: 0.4})
	if err != nil {
		t.Fatal(err)
	}
	rec := s.Say(commandstest.Ada, "what's up?")
	asOf := domain.MillisOf(s.Clock.Advance(500 * time.Millisecond))
	s.Model.Says = func(context.Context, int, language.Prompt) (language.Reply, error) {
		s.Clock.Advance(time.Second)
		r := commandstest.Says("rain")
		r.Used = []domain.Evidence{{EnvelopeID: heard, Role: "named", Weight: 800_000}}
		r.Urgent, r.Usage = true, domain.Usage{InputTokens: 3, OutputTokens: 4}
		return r, nil
	}
	s.Answer(rec)

	records := s.Happened(rec, commandstest.WholeAnswer...)
	for i, r := range records[1:] {
		e := r.Envelope
		if e.Parent != records[i].Envelope.ID || e.Principal != domain.PrincipalOperator || e.Source != "reasoning" || e.Trace != rec.Envelope.Trace {
			t.Errorf("%s comes from %s, %s by %s", e.Type, e.Parent, e.Source, e.Principal)
		}
		if !slices.Contains(e.Keys, domain.StepKey(e.Trace, i+1)) {
			t.Errorf("%s carries %v", e.Type, e.Keys)
		}
	}
	started := commandstest.Decoded[domain.ReasoningStarted](t, records[1])
	wantStarted := domain.ReasoningStarted{AsOf: asOf, Recent: []domain.ID{before.Envelope.ID}, Models: []string{"oracle"}, Relations: []domain.SeenRelation{}, Limits: domain.DefaultReasoningLimits(), Rules: "rules", Build: "test",
		World: domain.WorldSeen{
			Position: rec.Position,
			Items:    []domain.SeenItem{{EnvelopeID: heard, Kind: domain.ItemSignal, Salience: domain.Decay(800_000, 500*time.Millisecond, 6*time.Hour)}},
			LeftOut: []domain.SeenItem{{EnvelopeID: faded, Kind: domain.ItemSignal, Gate: domain.GateBelowThreshold,
				Salience: domain.Decay(800_000, 24*time.Hour+500*time.Millisecond, 6*time.Hour)}},
		}}
	if !reflect.DeepEqual(started, wantStarted) {
		t.Errorf("started\n%+v\nwant\n%+v", started, wantStarted)
	}
	wantPrompt := language.Prompt{Kind: language.AskedMessage, AsOf: asOf, Zone: time.UTC,
		Asked: language.Asked{ID: rec.Envelope.ID, Text: "what's up?", Source: "operator", From: domain.PrincipalOperator, Via: "api"},
		World: []language.ContextItem{{SeenItem: wantStarted.World.Items[0], Label: "rain", Source: "station", SignalType: "weather", Topic: "weather", RecordedAt: rec.RecordedAt}},
		Out:   wantStarted.World.LeftOut, Recent: []language.Turn{{Prompt: "hello", Reply: "answer 1", Foreign: true, RecordedAt: before.RecordedAt}}}
	if got := s.Model.Asked[1]; !reflect.DeepEqual(got, wantPrompt) {
		t.Errorf("it was asked\n%+v\nwant\n%+v", got, wantPrompt)
	}
	if got := commandstest.Decoded[domain.ModelReplied](t, records[3]); got.Model != "oracle" || domain.PlainText(got.Blocks) != "rain" || got.Topic != "general" ||
		got.Mode != domain.ModeRespond || got.Confidence != domain.One/2 || !got.Urgent || got.Usage.OutputTokens != 4 {
		t.Errorf("replied %+v", got)
	}
	wantEnd := domain.ReasoningConcluded{Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage, Reply: records[3].Envelope.ID,
		DurationMS: 1500, Rejected: []domain.Rejected{}, Findings: []int{}, Blocks: []domain.Block{}, Evidence: []domain.Evidence{
			{EnvelopeID: rec.Envelope.ID, Role: "asked", Weight: domain.One}, {EnvelopeID: heard, Role: "named", Weight: 800_000}}}
	if got, e := s.Concluded(rec); !reflect.DeepEqual(got, wantEnd) || !slices.Contains(e.Keys, domain.ConcludedKey(e.Trace)) || len(e.Errors) > 0 {
		t.Errorf("concluded\n%+v\nwant\n%+v\nwith keys %v and errors %v", got, wantEnd, e.Keys, e.Errors)
	}
}

func TestPromptCarriesTheWholeMessage(t *testing.T) {
	s := commandstest.NewStage(t)
	image := s.Upload()
	topic := "health"
	id, err := s.Messages.Say(t.Context(), commandstest.Station, domain.MessageReceived{
		Text: "look", Source: "ward B", Topic: &topic, Metadata: []byte(`{"severity":"low"}`), ImageIDs: []domain.ID{image.Envelope.ID},
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Answer(s.Find(id))
	want := language.Asked{ID: id, Text: "look", Source: "ward B", Topic: "health", Metadata: []byte(`{"severity":"low"}`), Images: 1, From: commandstest.Station.Principal, Via: "station"}
	if got := s.Model.Asked[0].Asked; !reflect.DeepEqual(got, want) {
		t.Errorf("it was asked\n%+v\nwant\n%+v", got, want)
	}
}

func TestNothingToAnswer(t *testing.T) {
	s := commandstest.NewStage(t)
	image := s.Upload()
	s.Answer(image)
	s.Happened(image, "image.uploaded")

	var steer domain.ID
	s.Model.Says = func(context.Context, int, language.Prompt) (language.Reply, error) {
		if steer.IsZero() {
			if _, err := s.Messages.Steer(t.Context(), commandstest.Ada, "no, tomorrow"); err != nil {
				t.Error(err)
			}
			records := s.Records(domain.TopicMessages)
			steer = records[len(records)-1].Envelope.ID
		}
		return commandstest.Says("ok"), nil
	}
	rec := s.Say(commandstest.Ada, "today")
	s.Answer(rec)
	tail := s.Log.Tail()
	s.Answer(s.Find(steer))
	s.Answer(rec)
	if s.Log.Tail() != tail || s.Model.Times() != 2 {
		t.Errorf("answered again: %d records more, %d questions", s.Log.Tail()-tail, s.Model.Times())
	}
}

func TestAnInterfaceIsPassedOn(t *testing.T) {
	for _, c := range []struct {
		name   string
		urgent bool
		shown  domain.Showing
		frame  domain.FrameType
	}{
		{"at leisure", false, domain.ShownNotification, domain.FrameNotification},
		{"at once", true, domain.ShownEscalation, domain.FrameEscalation},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := commandstest.NewStage(t)
			s.Model.Says = func(context.Context, int, language.Prompt) (language.Reply, error) {
				r := commandstest.Says("moved")
				r.Urgent = c.urgent
				return r, nil
			}
			rec := s.Say(commandstest.Station, "your appointment moved")
			s.Answer(rec)
			for _, r := range s.Happened(rec, commandstest.WholeAnswer...) {
				if r.Envelope.Principal != commandstest.Station.Principal {
					t.Errorf("%s is accountable to %s", r.Envelope.Type, r.Envelope.Principal)
				}
			}
			if got, _ := s.Concluded(rec); got.Outcome != domain.OutcomeSurfaced || got.Shown != c.shown {
				t.Errorf("concluded %+v", got)
			}
			if frames := s.Frames(rec); len(frames) != 1 || frames[0].Type != c.frame || domain.PlainText(frames[0].Blocks) != "moved" {
				t.Errorf("the person gets %+v", frames)
			}
		})
	}
}

func TestDurationIsNeverNegative(t *testing.T) {
	s := commandstest.NewStage(t)
	rec := s.Say(commandstest.Ada, "hi")
	s.Clock.Advance(-time.Hour)
	s.Answer(rec)
	if got, _ := s.Concluded(rec); got.DurationMS != 0 {
		t.Errorf("it took %d ms", got.DurationMS)
	}
}

func TestRecentIsWorkingMemory(t *testing.T) {
	s := commandstest.NewStage(t)
	var said []domain.ID
	for range 6 {
		rec := s.Say(commandstest.Ada, "hi")
		s.Answer(rec)
		said = append(said, rec.Envelope.ID)
	}
	s.Say(commandstest.Ada, "never answered")
	for range 100 { // more than a page of what nobody asked for
		s.Answer(s.Say(commandstest.Station, "news"))
	}
	rec := s.Say(commandstest.Ada, "now")
	s.Answer(s.Say(commandstest.Ada, "said later, and answered before"))
	if err := s.Mind.WaitFor(t.Context(), s.Log.Tail()); err != nil {
		t.Fatal(err)
	}
	s.Answer(rec)
	got := commandstest.Decoded[domain.ReasoningStarted](t, s.Episode(rec)[1]).Recent
	if want := said[len(said)-domain.WorkingMemory:]; !slices.Equal(got, want) {
		t.Errorf("it looks back on %v, want %v", got, want)
	}
}

func TestWaitsForTheFolds(t *testing.T) {
	s := commandstest.NewStage(t)
	rec := s.Say(commandstest.Ada, "hi")
	s.Mind.Broken = errors.New("the projection stopped")
	if err := s.Reasoner().Answer(t.Context(), rec); !errors.Is(err, s.Mind.Broken) {
		t.Errorf("the error is %v", err)
	}
	s.Happened(rec, "message.received")
	s.Mind.Broken = nil
	s.Answer(rec)
	s.Happened(rec, commandstest.WholeAnswer...)
}

func TestReasonerConfig(t *testing.T) {
	s := commandstest.NewStage(t)
	for i := range reflect.TypeFor[reasoning.Config]().NumField() {
		cfg := s.Config()
		field := reflect.ValueOf(&cfg).Elem().Field(i)
		field.SetZero()
		_, err := reasoning.New(cfg)
		name := reflect.TypeFor[reasoning.Config]().Field(i).Name
		if wrong := domain.CategoryOf(err) == domain.Validation; wrong == (slices.Contains([]string{"Approvals", "Notices", "Concerns", "Verifier", "Sentences", "Params"}, name)) {
			t.Errorf("without %s: %v", name, err)
		}
	}
}

// Whatever the person has planned, a message is answered: what doesn't fit into
// the record of the ground is counted.
func TestVeryManyPlans(t *testing.T) {
	s := commandstest.NewStage(t)
	const plans = 4000
	for i := range plans {
		s.Remind(fmt.Sprintf("water plant %d", i), time.Duration(i+1)*10*time.Second)
	}
	rec := s.Say(commandstest.Ada, "hello")
	s.Answer(rec)
	s.Happened(rec, commandstest.WholeAnswer...)
	seen := commandstest.Decoded[domain.ReasoningStarted](t, s.Episode(rec)[1]).World
	if len(seen.LeftOut) != domain.MaxLeftOut || len(seen.Items)+len(seen.LeftOut)+seen.Unlisted != plans {
		t.Errorf("%d in mind, %d left out and %d unlisted of %d", len(seen.Items), len(seen.LeftOut), seen.Unlisted, plans)
	}
}

// An interface that offers more than a model takes hides nobody else's tools.
func TestVeryManyTools(t *testing.T) {
	w, _ := commandstest.Able(t)
	for n, crowd := range []string{"aardvark", "abacus"} {
		tools := make([]domain.Tool, 200)
		for i := range tools {
			tools[i] = domain.Tool{Name: fmt.Sprintf("%s%03d", crowd, i)}
		}
		w.Pair(crowd, 9100+n, tools...)
	}
	s := commandstest.StageOn(t, w.Bench)
	s.Gate = w.Tools()
	rec := s.Say(commandstest.Ada, "hello")
	s.Answer(rec)
	offered := commandstest.Decoded[domain.ModelCalled](t, s.Episode(rec)[2]).Tools
	if len(offered) != reasoning.MaxOffered || !slices.IsSorted(offered) {
		t.Errorf("%d are offered: %v", len(offered), offered)
	}
	for _, name := range []string{"note", "cancel", "status", "aardvark062", "abacus061"} {
		if !slices.Contains(offered, name) {
			t.Errorf("%s isn't offered among %v", name, offered)
		}
	}
}

// What is planned for next week counts now, though it isn't in mind yet.
func TestNewsOfAFarPlanIsTold(t *testing.T) {
	s := commandstest.NewStage(t)
	s.Model.Says = related
	planned := s.Remind("fly to Valletta", 6*24*time.Hour)
	heard := s.Hear("All flights to Valletta are cancelled next week")
	rec := s.Notice()
	s.Cycle(rec)
	end, _ := s.Concluded(rec)
	if end.Outcome != domain.OutcomeSurfaced || len(end.Evidence) != 3 || end.Evidence[1].EnvelopeID != heard || end.Evidence[2].EnvelopeID != planned {
		t.Errorf("concluded %+v", end)
	}
}
