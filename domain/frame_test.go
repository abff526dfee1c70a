package domain_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"chalie/domain"
)

var everyone = []domain.Principal{domain.PrincipalOperator, domain.PrincipalCore, "hospital-portal"}

// frameEnvelope is an envelope as it is appended.
func frameEnvelope[P any](t rapid.TB, who domain.Principal, payload P) domain.Envelope {
	t.Helper()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: domain.ID{1}}, who), domain.ID{2}, 1, "test", payload)
	if err != nil {
		t.Fatal(err)
	}
	return entry.Envelope
}

// conclusion carries the keys that reasoning gives it.
func conclusion(t rapid.TB, who domain.Principal, c domain.ReasoningConcluded, faults ...domain.Fault) domain.Envelope {
	t.Helper()
	e := frameEnvelope(t, who, c)
	e.Keys = []domain.Key{domain.StepKey(e.Trace, 4), domain.ConcludedKey(e.Trace), c.ShownKey()}
	e.Errors = faults
	return e
}

// erased is what is left of an envelope whose payload's key is gone. Its errors
// went with the payload.
func erased(e domain.Envelope) domain.Envelope {
	e.Payload, e.Errors = domain.Payload{Encoding: domain.EncodingErased, KeyID: "lost"}, nil
	return e
}

func frameTypes(t rapid.TB, e domain.Envelope) []domain.FrameType {
	t.Helper()
	got, err := domain.FrameTypes(e)
	if err != nil {
		t.Fatalf("%s: %v", e.Type, err)
	}
	return got
}

// What Chalie does of its own accord shows in what it tells, and in nothing else, even
// where the person is accountable for it.
func TestUnaskedFrames(t *testing.T) {
	for _, c := range []struct {
		shown   domain.Showing
		outcome domain.Outcome
		want    []domain.FrameType
	}{
		{domain.ShownNot, domain.OutcomeHeld, nil},
		{domain.ShownNot, domain.OutcomeFailed, nil},
		{domain.ShownNotification, domain.OutcomeSurfaced, []domain.FrameType{domain.FrameNotification}},
		{domain.ShownEscalation, domain.OutcomeSurfaced, []domain.FrameType{domain.FrameEscalation}},
	} {
		e := conclusion(t, domain.PrincipalOperator, domain.ReasoningConcluded{Outcome: c.outcome, Shown: c.shown})
		e.Keys = append(e.Keys, domain.UnaskedKey)
		if got := frameTypes(t, e); !slices.Equal(got, c.want) {
			t.Errorf("%s gives %q, want %q", c.outcome, got, c.want)
		}
	}
	for _, e := range []domain.Envelope{
		frameEnvelope(t, domain.PrincipalOperator, domain.ReasoningStarted{}), frameEnvelope(t, domain.PrincipalOperator, domain.ModelReplied{}),
	} {
		e.Keys = []domain.Key{domain.UnaskedKey, domain.ActsKey(1)}
		if got := frameTypes(t, e); len(got) > 0 {
			t.Errorf("%s gives %q", e.Type, got)
		}
	}
}

// TestFrameTypes covers every type of the catalogue: one that isn't in the table
// gives no frames, whoever is accountable.
func TestFrameTypes(t *testing.T) {
	const (
		status, image, done, task = domain.FrameStatus, domain.FrameImageReady, domain.FrameDone, domain.FrameTask
		exchange                  = domain.FrameExchange
		operator, others          = true, false
	)
	table := map[domain.EventType]map[bool][]domain.FrameType{
		"message.received":  {operator: {status}},
		"message.queued":    {operator: {status}},
		"reasoning.started": {operator: {status, status}},
		"model.called":      {operator: {status}},
		"model.replied":     {operator: {status}},
		"model.streamed":    {operator: {domain.FrameDelta}},
		"image.uploaded":    {operator: {image}, others: {image}},
		"approval.proposed": {operator: {domain.FrameEscalation}, others: {domain.FrameEscalation}},
		"approval.granted":  {operator: {exchange}, others: {exchange}},
		"approval.refused":  {operator: {exchange}, others: {exchange}},
		"approval.expired":  {operator: {exchange}, others: {exchange}},
		"steer.received":    {operator: {exchange}, others: {exchange}},
		"cancel.received":   {operator: {exchange}, others: {exchange}},
		"task.created":      {operator: {task}, others: {task}},
		"task.changed":      {operator: {task}, others: {task}},
		"task.progressed":   {operator: {task}, others: {task}},
		"task.completed":    {operator: {task}, others: {task}},
		"task.dropped":      {operator: {task}, others: {task}},
		// An empty conclusion: nothing was shown.
		"reasoning.concluded": {operator: {done}},
	}
	for _, d := range domain.Events().Definitions() {
		for _, who := range everyone {
			e := domain.Envelope{ID: domain.ID{2}, Trace: domain.TraceID{ID: domain.ID{1}}, Kind: d.Kind, Source: "test",
				Principal: who, Type: d.Type, Version: d.Version, Payload: domain.JSONPayload([]byte(`{}`))}
			if got, want := frameTypes(t, e), table[d.Type][who == domain.PrincipalOperator]; !slices.Equal(got, want) {
				t.Errorf("%s of %s gives %v, want %v", d.Type, who, got, want)
			}
		}
		delete(table, d.Type)
	}
	for missing := range table {
		t.Errorf("%s is not in the catalogue", missing)
	}
}

func TestFrameTypesOfConclusions(t *testing.T) {
	type frames = []domain.FrameType
	for _, c := range []struct {
		shown          domain.Showing
		outcome        domain.Outcome
		asked, unasked frames
	}{
		{domain.ShownMessage, domain.OutcomeResponded, frames{"message", "done"}, frames{"message"}},
		{domain.ShownMessage, domain.OutcomeFailed, frames{"message", "done"}, frames{"message"}},
		{domain.ShownNotification, domain.OutcomeSurfaced, frames{"notification"}, frames{"notification"}},
		{domain.ShownEscalation, domain.OutcomeSurfaced, frames{"escalation", "done"}, frames{"escalation"}},
		{domain.ShownNot, domain.OutcomeFailed, frames{"error", "done"}, nil},
		{domain.ShownNot, domain.OutcomeHeld, frames{"done"}, nil},
		{domain.ShownNot, domain.OutcomeYielded, frames{"done"}, nil},
		{domain.ShownNot, domain.OutcomeCancelled, frames{"done"}, nil},
	} {
		for _, who := range everyone {
			want := c.unasked
			if who == domain.PrincipalOperator {
				want = c.asked
			}
			e := conclusion(t, who, domain.ReasoningConcluded{Outcome: c.outcome, Shown: c.shown})
			if got := frameTypes(t, e); !slices.Equal(got, want) {
				t.Errorf("%s, shown as %q, of %s gives %v, want %v", c.outcome, c.shown, who, got, want)
			}
		}
	}
}

// TestErasingChangesNoNumber is the law that lets a client's last number stay
// true: an envelope gives the same frames before and after its payload is erased.
func TestErasingChangesNoNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		who := rapid.SampledFrom(everyone).Draw(t, "principal")
		d := rapid.SampledFrom(domain.Events().Definitions()).Draw(t, "type")
		e := domain.Envelope{ID: domain.ID{2}, Trace: domain.TraceID{ID: domain.ID{1}}, Kind: d.Kind, Source: "test",
			Principal: who, Type: d.Type, Version: d.Version, Payload: domain.JSONPayload([]byte(`{}`))}
		if d.Type == "reasoning.concluded" || rapid.Bool().Draw(t, "conclusion") {
			e = conclusion(t, who, drawConclusion(t), domain.Fault{Code: "broken", Message: "it broke"})
		}
		before, after := frameTypes(t, e), frameTypes(t, erased(e))
		if !slices.Equal(before, after) {
			t.Fatalf("%s gives %v, and %v once it is erased", e.Type, before, after)
		}
		if len(before) > domain.FramesPerRecord {
			t.Fatalf("%s gives %d frames, there is room for %d", e.Type, len(before), domain.FramesPerRecord)
		}
	})
}

func drawConclusion(t *rapid.T) domain.ReasoningConcluded {
	return domain.ReasoningConcluded{
		Outcome: rapid.SampledFrom([]domain.Outcome{domain.OutcomeResponded, domain.OutcomeSurfaced, domain.OutcomeHeld,
			domain.OutcomeYielded, domain.OutcomeCancelled, domain.OutcomeFailed}).Draw(t, "outcome"),
		Shown: rapid.SampledFrom([]domain.Showing{domain.ShownNot, domain.ShownMessage, domain.ShownNotification,
			domain.ShownEscalation}).Draw(t, "shown"),
		Reply: domain.ID{3}, DurationMS: 7,
	}
}

// A conclusion that somebody else wrote may lack the key.
func TestErasedConclusionWithoutItsKey(t *testing.T) {
	for who, want := range map[domain.Principal][]domain.FrameType{
		domain.PrincipalOperator: {domain.FrameMessage, domain.FrameDone},
		"hospital-portal":        {domain.FrameNotification},
	} {
		e := erased(frameEnvelope(t, who, domain.ReasoningConcluded{}))
		if got := frameTypes(t, e); !slices.Equal(got, want) {
			t.Errorf("of %s: %v, want %v", who, got, want)
		}
	}
}

func TestUndecodableConclusionGivesNoFrames(t *testing.T) {
	e := frameEnvelope(t, domain.PrincipalOperator, domain.ReasoningConcluded{})
	for _, payload := range []domain.Payload{
		domain.JSONPayload([]byte(`7`)),
		{Encoding: domain.EncodingOpaque, Bytes: []byte{0}},
	} {
		e.Payload = payload
		types, err := domain.FrameTypes(e)
		if len(types) != 0 || domain.CodeOf(err) != domain.CodeUndecodable {
			t.Errorf("FrameTypes: %v, %v", types, err)
		}
		frames, err := domain.Frames(domain.Record{Position: 1, Envelope: e}, nil)
		if len(frames) != 0 || domain.CodeOf(err) != domain.CodeUndecodable {
			t.Errorf("Frames: %v, %v", frames, err)
		}
	}
}

func TestFrameContent(t *testing.T) {
	const who = domain.PrincipalOperator
	reply := domain.ModelReplied{Model: "m", Blocks: []domain.Block{domain.TextBlock("hello", domain.FormatPlain)},
		Topic: "weather", Mode: domain.ModeAct, Confidence: 900_000}
	answer := domain.ReasoningConcluded{Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage, Reply: domain.ID{3}, DurationMS: 42}
	failed := domain.ReasoningConcluded{Outcome: domain.OutcomeFailed, DurationMS: 5}
	notice := domain.ReasoningConcluded{Outcome: domain.OutcomeSurfaced, Shown: domain.ShownNotification, Reply: domain.ID{3}}
	urgent := domain.ReasoningConcluded{Outcome: domain.OutcomeSurfaced, Shown: domain.ShownEscalation, Reply: domain.ID{3}}
	said := func(as domain.FrameType) domain.Frame {
		return domain.Frame{Type: as, Blocks: reply.Blocks, Topic: "weather", Mode: domain.ModeAct, Confidence: 900_000, ExchangeID: domain.ID{1}}
	}
	gone := func(as domain.FrameType) domain.Frame {
		return domain.Frame{Type: as, Blocks: domain.ErasedBlocks(), Mode: domain.ModeRespond, ExchangeID: domain.ID{1}}
	}
	done := func(ms int64) domain.Frame { return domain.Frame{Type: domain.FrameDone, DurationMS: ms} }
	replied := frameEnvelope(t, who, reply)
	image := domain.Frame{Type: domain.FrameImageReady, ImageID: domain.ID{2}, Status: "success"}
	for _, c := range []struct {
		name  string
		e     domain.Envelope
		reply domain.Envelope
		want  []domain.Frame
	}{
		{"a message", frameEnvelope(t, who, domain.MessageReceived{Text: "hi"}), replied,
			[]domain.Frame{{Type: domain.FrameStatus, Stage: domain.StageProcessing}}},
		{"the thinking", frameEnvelope(t, who, domain.ReasoningStarted{}), replied,
			[]domain.Frame{{Type: domain.FrameStatus, Stage: domain.StageThinking}, {Type: domain.FrameStatus, Stage: domain.StageRetrieving}}},
		{"the model is asked", frameEnvelope(t, who, domain.ModelCalled{}), replied,
			[]domain.Frame{{Type: domain.FrameStatus, Stage: domain.StageThinking}}},
		{"the model has answered", replied, replied,
			[]domain.Frame{{Type: domain.FrameStatus, Stage: domain.StageResponding}}},
		{"an erased answer of the model", erased(replied), replied,
			[]domain.Frame{{Type: domain.FrameStatus, Stage: domain.StageResponding}}},
		{"an erased message", erased(frameEnvelope(t, who, domain.MessageReceived{Text: "hi"})), replied,
			[]domain.Frame{{Type: domain.FrameStatus, Stage: domain.StageProcessing}}},
		{"an erased steer", erased(frameEnvelope(t, who, domain.SteerReceived{Text: "no"})), replied, []domain.Frame{{Type: domain.FrameExchange}}},
		{"an image", frameEnvelope(t, who, domain.ImageUploaded{}), replied, []domain.Frame{image}},
		{"an erased image", erased(frameEnvelope(t, who, domain.ImageUploaded{})), replied, []domain.Frame{image}},
		{"an answer", conclusion(t, who, answer), replied, []domain.Frame{said(domain.FrameMessage), done(42)}},
		{"an erased reply", conclusion(t, who, answer), erased(replied), []domain.Frame{gone(domain.FrameMessage), done(42)}},
		{"an erased end", erased(conclusion(t, who, answer)), replied, []domain.Frame{gone(domain.FrameMessage), done(0)}},
		{"a failure", conclusion(t, who, failed, domain.Fault{Code: "a", Message: "no such skill"}, domain.Fault{Code: "b", Message: "later"}), replied,
			[]domain.Frame{{Type: domain.FrameError, Message: "no such skill", Recoverable: true}, done(5)}},
		{"a failure that says nothing", conclusion(t, who, failed), replied,
			[]domain.Frame{{Type: domain.FrameError, Message: "it did not work out", Recoverable: true}, done(5)}},
		{"an erased failure", erased(conclusion(t, who, failed, domain.Fault{Code: "a", Message: "no such skill"})), replied,
			[]domain.Frame{{Type: domain.FrameError, Message: "it did not work out", Recoverable: true}, done(0)}},
		{"a task", erased(frameEnvelope(t, who, domain.TaskCreated{})), replied, []domain.Frame{{Type: domain.FrameTask}}},
		{"a reminder", conclusion(t, who, notice), replied, []domain.Frame{said(domain.FrameNotification)}},
		{"a notification", conclusion(t, "hospital-portal", notice), replied, []domain.Frame{said(domain.FrameNotification)}},
		{"an escalation", conclusion(t, "hospital-portal", urgent), replied, []domain.Frame{said(domain.FrameEscalation)}},
		{"an erased escalation", erased(conclusion(t, "hospital-portal", urgent)), replied, []domain.Frame{gone(domain.FrameEscalation)}},
		{"nothing to see", conclusion(t, domain.PrincipalCore, failed), replied, nil},
	} {
		const at = 9
		for i := range c.want {
			c.want[i].Seq = domain.SeqOf(at, i)
			if c.want[i].Type != domain.FrameImageReady && c.want[i].Type != domain.FrameTask {
				c.want[i].ExchangeID = domain.ID{1} // the trace's
			}
		}
		got, err := domain.Frames(domain.Record{Position: at, Envelope: c.e}, func(id domain.ID) (domain.Envelope, error) {
			if id != answer.Reply {
				return domain.Envelope{}, fmt.Errorf("asked for %s", id)
			}
			return c.reply, nil
		})
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s gives\n%+v, %v, want\n%+v", c.name, got, err, c.want)
		}
	}
}

// TestFramesOfAnAnswer is the order that clients rely on, over a whole episode.
func TestFramesOfAnAnswer(t *testing.T) {
	const who = domain.PrincipalOperator
	replied := frameEnvelope(t, who, domain.ModelReplied{Mode: domain.ModeRespond})
	episode := []domain.Envelope{
		frameEnvelope(t, who, domain.MessageReceived{Text: "hi"}),
		frameEnvelope(t, who, domain.ReasoningStarted{}),
		frameEnvelope(t, who, domain.ModelCalled{}),
		frameEnvelope(t, who, domain.SteerReceived{Text: "no, the other one"}),
		frameEnvelope(t, who, domain.ModelCalled{}),
		replied,
		conclusion(t, who, domain.ReasoningConcluded{Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage, Reply: domain.ID{3}}),
	}
	var got []string
	var last domain.Seq
	for i, e := range episode {
		frames, err := domain.Frames(domain.Record{Position: domain.Position(i + 1), Envelope: e},
			func(domain.ID) (domain.Envelope, error) { return replied, nil })
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range frames {
			if f.Seq <= last || f.Seq.Position() != domain.Position(i+1) {
				t.Errorf("frame %d of position %d comes after %d", f.Seq, i+1, last)
			}
			last = f.Seq
			got = append(got, string(f.Type)+string(f.Stage))
		}
	}
	if want := []string{"statusprocessing", "statusthinking", "statusretrieving_memory", "statusthinking", "exchange", "statusthinking", "statusresponding", "message", "done"}; !slices.Equal(got, want) {
		t.Errorf("the frames are %v, want %v", got, want)
	}
}

// A card says what it is about: what the model called its tool for, or the skill that
// a button names.
func TestTopicOfACard(t *testing.T) {
	const who = domain.PrincipalOperator
	title := "Valletta"
	card := domain.Card{HTML: "<p>21°</p>", ScopeID: "c1", Title: &title}
	completed := frameEnvelope(t, who, domain.ToolCompleted{InvocationID: domain.ID{5}, Card: &card})
	completed.Keys = []domain.Key{domain.CardKey}
	replied := frameEnvelope(t, who, domain.ModelReplied{Topic: "weather", ToolCalls: []domain.ToolCall{{Tool: "forecast"}}})
	for _, c := range []struct {
		name   string
		caller domain.Envelope // none: a program called
		want   string
	}{
		{"the model called", replied, "weather"},
		{"the model's answer is erased", erased(replied), ""},
		{"a button called", frameEnvelope(t, who, domain.ActionReceived{Skill: "forecast"}), "forecast"},
		{"a program called", domain.Envelope{}, ""},
		{"another tool called", frameEnvelope(t, who, domain.ToolDispatched{}), ""},
	} {
		invoked := frameEnvelope(t, who, domain.ToolInvoked{Tool: "forecast"})
		if c.caller.Type != "" {
			invoked.Parent = domain.ID{6}
		}
		log := map[domain.ID]domain.Envelope{{5}: invoked, {6}: c.caller}
		frames, err := domain.Frames(domain.Record{Position: 9, Envelope: completed}, func(id domain.ID) (domain.Envelope, error) { return log[id], nil })
		want := domain.Frame{Seq: domain.SeqOf(9, 0), Type: domain.FrameCard, ExchangeID: domain.ID{1}, Card: card, Tool: "forecast",
			OutputID: completed.ID, Topic: c.want}
		if err != nil || len(frames) != 1 || !reflect.DeepEqual(frames[0], want) {
			t.Errorf("%s: %+v, %v, want %+v", c.name, frames, err, want)
		}
	}
	lost := errors.New("the disk is gone")
	invoked := frameEnvelope(t, who, domain.ToolInvoked{Tool: "forecast"})
	invoked.Parent = domain.ID{6}
	_, err := domain.Frames(domain.Record{Position: 9, Envelope: completed}, func(id domain.ID) (domain.Envelope, error) {
		if id == invoked.Parent {
			return domain.Envelope{}, lost
		}
		return invoked, nil
	})
	if !errors.Is(err, lost) {
		t.Errorf("a caller that can't be read: %v", err)
	}
}

func TestFramesWithoutTheirReply(t *testing.T) {
	e := conclusion(t, domain.PrincipalOperator, domain.ReasoningConcluded{Shown: domain.ShownMessage, Reply: domain.ID{3}})
	broken := errors.New("the disk is gone")
	for _, c := range []struct {
		name  string
		reply domain.Envelope
		err   error
		want  func(error) bool
	}{
		{"it can't be read", domain.Envelope{}, broken, func(err error) bool { return errors.Is(err, broken) }},
		{"it is no reply", frameEnvelope(t, domain.PrincipalOperator, domain.ModelCalled{}), nil,
			func(err error) bool { return domain.CodeOf(err) == domain.CodeUndecodable }},
	} {
		frames, err := domain.Frames(domain.Record{Position: 1, Envelope: e}, func(domain.ID) (domain.Envelope, error) { return c.reply, c.err })
		if len(frames) != 0 || !c.want(err) {
			t.Errorf("%s: %v, %v", c.name, frames, err)
		}
	}
}

// TestSeqRises is the law of numbering, up to the last position there is room for.
func TestSeqRises(t *testing.T) {
	const most = math.MaxUint64/domain.FramesPerRecord - 1
	rapid.Check(t, func(t *rapid.T) {
		pos := domain.Position(rapid.Uint64Range(0, most).Draw(t, "position"))
		i := rapid.IntRange(0, domain.FramesPerRecord-1).Draw(t, "index")
		seq := domain.SeqOf(pos, i)
		if seq.Position() != pos {
			t.Fatalf("frame %d of position %d has position %d", i, pos, seq.Position())
		}
		if i > 0 && domain.SeqOf(pos, i-1) != seq-1 {
			t.Fatalf("frame %d of position %d is not the next after the one before", i, pos)
		}
		if end := domain.EndOf(pos); seq > end || end.Position() != pos || domain.SeqOf(pos+1, 0) != end+1 {
			t.Fatalf("position %d ends at %d, its frame %d is %d, the next begins at %d", pos, end, i, seq, domain.SeqOf(pos+1, 0))
		}
	})
}
