package commands_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"chalie/commands"
	"chalie/domain"
)

func TestAnswer(t *testing.T) {
	s := newStage(t)
	signals := s.signals(0)
	faded, err := signals.Submit(t.Context(), station, domain.SignalReceived{SignalType: "weather", Content: "snow", ActivationEnergy: 0.4})
	if err != nil {
		t.Fatal(err)
	}
	before := s.say(ada, "hello")
	s.answer(before)
	s.clock.Advance(24 * time.Hour)
	topic := "weather"
	heard, err := signals.Submit(t.Context(), station, domain.SignalReceived{SignalType: "weather", Content: "rain", Topic: &topic, ActivationEnergy: 0.4})
	if err != nil {
		t.Fatal(err)
	}
	rec := s.say(ada, "what's up?")
	asOf := domain.MillisOf(s.clock.Advance(500 * time.Millisecond))
	s.model.reply = func(context.Context, int, commands.Prompt) (commands.Reply, error) {
		s.clock.Advance(time.Second)
		r := says("rain")
		r.Used = []domain.Evidence{{EnvelopeID: heard, Role: "named", Weight: 800_000}}
		r.Urgent, r.Usage = true, domain.Usage{InputTokens: 3, OutputTokens: 4}
		return r, nil
	}
	s.answer(rec)

	records := s.happened(rec, wholeAnswer...)
	for i, r := range records[1:] {
		e := r.Envelope
		if e.Parent != records[i].Envelope.ID || e.Principal != domain.PrincipalOperator || e.Source != "reasoning" || e.Trace != rec.Envelope.Trace {
			t.Errorf("%s comes from %s, %s by %s", e.Type, e.Parent, e.Source, e.Principal)
		}
		if !slices.Contains(e.Keys, domain.StepKey(e.Trace, i+1)) {
			t.Errorf("%s carries %v", e.Type, e.Keys)
		}
	}
	started := decoded[domain.ReasoningStarted](t, records[1])
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
	wantPrompt := commands.Prompt{Kind: commands.AskedMessage, AsOf: asOf, Zone: time.UTC,
		Asked: commands.Asked{ID: rec.Envelope.ID, Text: "what's up?", Source: "operator", From: domain.PrincipalOperator, Via: "api"},
		World: []commands.InMind{{SeenItem: wantStarted.World.Items[0], Label: "rain", Source: "station", SignalType: "weather", Topic: "weather", RecordedAt: rec.RecordedAt}},
		Out:   wantStarted.World.LeftOut, Recent: []commands.Turn{{Prompt: "hello", Reply: "answer 1", Foreign: true, RecordedAt: before.RecordedAt}}}
	if got := s.model.asked[1]; !reflect.DeepEqual(got, wantPrompt) {
		t.Errorf("it was asked\n%+v\nwant\n%+v", got, wantPrompt)
	}
	if got := decoded[domain.ModelReplied](t, records[3]); got.Model != "oracle" || domain.PlainText(got.Blocks) != "rain" || got.Topic != "general" ||
		got.Mode != domain.ModeRespond || got.Confidence != domain.One/2 || !got.Urgent || got.Usage.OutputTokens != 4 {
		t.Errorf("replied %+v", got)
	}
	wantEnd := domain.ReasoningConcluded{Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage, Reply: records[3].Envelope.ID,
		DurationMS: 1500, Rejected: []domain.Rejected{}, Findings: []int{}, Blocks: []domain.Block{}, Evidence: []domain.Evidence{
			{EnvelopeID: rec.Envelope.ID, Role: "asked", Weight: domain.One}, {EnvelopeID: heard, Role: "named", Weight: 800_000}}}
	if got, e := s.concluded(rec); !reflect.DeepEqual(got, wantEnd) || !slices.Contains(e.Keys, domain.ConcludedKey(e.Trace)) || len(e.Errors) > 0 {
		t.Errorf("concluded\n%+v\nwant\n%+v\nwith keys %v and errors %v", got, wantEnd, e.Keys, e.Errors)
	}
}

// decoded is the payload of a record.
func decoded[P any](t *testing.T, rec domain.Record) P {
	t.Helper()
	p, err := domain.Decode[P](rec.Envelope)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPromptCarriesTheWholeMessage(t *testing.T) {
	s := newStage(t)
	image := s.upload()
	topic := "health"
	id, err := s.messages.Say(t.Context(), station, domain.MessageReceived{
		Text: "look", Source: "ward B", Topic: &topic, Metadata: []byte(`{"severity":"low"}`), ImageIDs: []domain.ID{image.Envelope.ID},
	})
	if err != nil {
		t.Fatal(err)
	}
	s.answer(s.find(id))
	want := commands.Asked{ID: id, Text: "look", Source: "ward B", Topic: "health", Metadata: []byte(`{"severity":"low"}`), Images: 1, From: "station", Via: "station"}
	if got := s.model.asked[0].Asked; !reflect.DeepEqual(got, want) {
		t.Errorf("it was asked\n%+v\nwant\n%+v", got, want)
	}
}

// upload records an image.
func (s *stage) upload() domain.Record {
	s.t.Helper()
	id := s.ids.NewID()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator), id, 1, "api",
		domain.ImageUploaded{Hash: "h", MediaType: "image/png", Bytes: 1, Width: 1, Height: 1})
	if err != nil {
		s.t.Fatal(err)
	}
	if _, err := s.log.Append(context.Background(), domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
		s.t.Fatal(err)
	}
	return s.find(id)
}

func TestNothingToAnswer(t *testing.T) {
	s := newStage(t)
	image := s.upload()
	s.answer(image)
	s.happened(image, "image.uploaded")

	var steer domain.ID
	s.model.reply = func(context.Context, int, commands.Prompt) (commands.Reply, error) {
		if steer.IsZero() {
			if _, err := s.messages.Steer(t.Context(), ada, "no, tomorrow"); err != nil {
				t.Error(err)
			}
			records := s.records(domain.TopicMessages)
			steer = records[len(records)-1].Envelope.ID
		}
		return says("ok"), nil
	}
	rec := s.say(ada, "today")
	s.answer(rec)
	tail := s.log.Tail()
	s.answer(s.find(steer))
	s.answer(rec)
	if s.log.Tail() != tail || s.model.times() != 2 {
		t.Errorf("answered again: %d records more, %d questions", s.log.Tail()-tail, s.model.times())
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
			s := newStage(t)
			s.model.reply = func(context.Context, int, commands.Prompt) (commands.Reply, error) {
				r := says("moved")
				r.Urgent = c.urgent
				return r, nil
			}
			rec := s.say(station, "your appointment moved")
			s.answer(rec)
			for _, r := range s.happened(rec, wholeAnswer...) {
				if r.Envelope.Principal != "station" {
					t.Errorf("%s is accountable to %s", r.Envelope.Type, r.Envelope.Principal)
				}
			}
			if got, _ := s.concluded(rec); got.Outcome != domain.OutcomeSurfaced || got.Shown != c.shown {
				t.Errorf("concluded %+v", got)
			}
			if frames := s.frames(rec); len(frames) != 1 || frames[0].Type != c.frame || domain.PlainText(frames[0].Blocks) != "moved" {
				t.Errorf("the person gets %+v", frames)
			}
		})
	}
}

// failedBecause answers rec and expects a failure that the person is told of.
func (s *stage) failedBecause(rec domain.Record, code domain.Code, says string, parent domain.ID, want ...domain.EventType) {
	s.t.Helper()
	s.answer(rec)
	s.happened(rec, want...)
	got, e := s.concluded(rec)
	if got.Outcome != domain.OutcomeFailed || got.Shown != domain.ShownNot || !got.Reply.IsZero() || len(got.Evidence) != 1 || e.Parent != parent {
		s.t.Errorf("concluded %+v, as a child of %s, want %s", got, e.Parent, parent)
	}
	if len(e.Errors) != 1 || e.Errors[0].Code != code || !strings.Contains(e.Errors[0].Message, says) || e.Errors[0].Retryable {
		s.t.Fatalf("the fault is %+v, want %q and %q", e.Errors, code, says)
	}
	frames := s.frames(rec)
	if len(frames) != 2 || frames[0].Type != domain.FrameError || !frames[0].Recoverable || frames[0].Message != e.Errors[0].Message || frames[1].Type != domain.FrameDone {
		s.t.Errorf("the person gets %+v", frames)
	}
}

func TestDurationIsNeverNegative(t *testing.T) {
	s := newStage(t)
	rec := s.say(ada, "hi")
	s.clock.Advance(-time.Hour)
	s.answer(rec)
	if got, _ := s.concluded(rec); got.DurationMS != 0 {
		t.Errorf("it took %d ms", got.DurationMS)
	}
}

func TestRecentIsWorkingMemory(t *testing.T) {
	s := newStage(t)
	var said []domain.ID
	for range 6 {
		rec := s.say(ada, "hi")
		s.answer(rec)
		said = append(said, rec.Envelope.ID)
	}
	s.say(ada, "never answered")
	for range 100 { // more than a page of what nobody asked for
		s.answer(s.say(station, "news"))
	}
	rec := s.say(ada, "now")
	s.answer(s.say(ada, "said later, and answered before"))
	if err := s.mind.WaitFor(t.Context(), s.log.Tail()); err != nil {
		t.Fatal(err)
	}
	s.answer(rec)
	got := decoded[domain.ReasoningStarted](t, s.episode(rec)[1]).Recent
	if want := said[len(said)-domain.WorkingMemory:]; !slices.Equal(got, want) {
		t.Errorf("it looks back on %v, want %v", got, want)
	}
}

func TestWaitsForTheFolds(t *testing.T) {
	s := newStage(t)
	rec := s.say(ada, "hi")
	s.mind.broken = errors.New("the projection stopped")
	if err := s.reasoner().Answer(t.Context(), rec); !errors.Is(err, s.mind.broken) {
		t.Errorf("the error is %v", err)
	}
	s.happened(rec, "message.received")
	s.mind.broken = nil
	s.answer(rec)
	s.happened(rec, wholeAnswer...)
}

func TestReasonerConfig(t *testing.T) {
	s := newStage(t)
	for i := range reflect.TypeFor[commands.ReasonerConfig]().NumField() {
		cfg := s.config()
		field := reflect.ValueOf(&cfg).Elem().Field(i)
		field.SetZero()
		_, err := commands.NewReasoner(cfg)
		name := reflect.TypeFor[commands.ReasonerConfig]().Field(i).Name
		if wrong := domain.CategoryOf(err) == domain.Validation; wrong == (slices.Contains([]string{"Approvals", "Notices", "Verifier", "Sentences", "Limits", "Memory"}, name)) {
			t.Errorf("without %s: %v", name, err)
		}
	}
}
