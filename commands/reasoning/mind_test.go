package reasoning_test

import (
	"cmp"
	"context"
	"slices"
	"testing"

	"chalie/commands"
	"chalie/commands/commandstest"
	"chalie/commands/reasoning"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language"
)

// A program's message is in mind with its sender until the person has spoken twice, and never in the
// episode that it opens.
func TestAProgramsMessageIsInMind(t *testing.T) {
	s := commandstest.NewStage(t)
	happened(t, s, domain.SystemStarted{Over: domain.OverToday}, domain.ID{})
	scan := s.Say(commandstest.Station, "Your scan moved to 3pm")
	asked := s.Say(commandstest.Ada, "what's new?")
	for _, c := range []struct {
		rec  domain.Record
		want []domain.ID
	}{
		{scan, nil},
		{asked, []domain.ID{scan.Envelope.ID}},
		{domain.Record{}, nil},
	} {
		if c.rec.Position == 0 {
			c.rec = s.Say(commandstest.Ada, "what's new?")
		}
		s.Answer(c.rec)
		started := commandstest.Decoded[domain.ReasoningStarted](t, s.Episode(c.rec)[1])
		var got []domain.ID
		for _, item := range started.World.Items {
			got = append(got, item.EnvelopeID)
			if item.Kind != domain.ItemMessage || started.World.Over != domain.OverToday {
				t.Errorf("in mind is %+v, by %q", item, started.World.Over)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("at %d in mind is %v, want %v", c.rec.Position, got, c.want)
		}
		if len(started.Relations) != 0 {
			t.Errorf("it bears on %+v", started.Relations)
		}
	}
	world := s.Model.Asked[1].World
	if len(world) != 1 || world[0].Label != "Your scan moved to 3pm" || world[0].Source != "station" || world[0].Kind != domain.ItemMessage {
		t.Errorf("the model is shown %+v", world)
	}
	shown := domain.Words{EnvelopeID: scan.Envelope.ID, Kind: domain.WordsOfMessage, Of: tool.WhoseOf(scan.Envelope)}
	if called := commandstest.Decoded[domain.ModelCalled](t, s.Episode(asked)[2]); !slices.Contains(called.Shown, shown) {
		t.Errorf("shown are %+v", called.Shown)
	}
}

// What a program said is no reading of the person's own words, whatever is in mind.
func TestAProgramsMessageIsNoReading(t *testing.T) {
	s := commandstest.NewHandyStage(t)
	happened(t, s, domain.SystemStarted{Over: domain.OverToday}, domain.ID{})
	task := happened(t, s, domain.TaskCreated{Text: "call the clinic"}, domain.ID{})
	s.Say(commandstest.Station, "Your scan moved to 3pm")
	gate := &footings{ToolCaller: s.Tools}
	s.Gate = gate
	cfg := s.Config()
	heard := &heardWith{}
	cfg.Sentences = heard
	r, err := reasoning.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Answer(t.Context(), s.Say(commandstest.Ada, "what's new about the scan?")); err != nil {
		t.Fatal(err)
	}
	if len(gate.all) == 0 || len(heard.worlds) == 0 {
		t.Fatal("nothing was called")
	}
	for _, world := range heard.worlds {
		if len(world) > 1 || len(world) == 1 && world[0].EnvelopeID != task {
			t.Errorf("the person's words are read with %+v in mind", world)
		}
	}
	for _, f := range gate.all {
		if f.OwnReading || !slices.ContainsFunc(f.Words, func(w domain.Words) bool { return w.Kind == domain.WordsOfMessage }) {
			t.Errorf("the call rests on %+v", f)
		}
	}
}

// footings keeps what calls rest on.
type footings struct {
	reasoning.ToolCaller
	of  *domain.Interface // whose all tools are; nil for whose they are
	all []domain.Footing
}

func (f *footings) Offers() []domain.Offer {
	out := f.ToolCaller.Offers()
	for i := range out {
		out[i].Interface = cmp.Or(f.of, out[i].Interface)
	}
	return out
}

func (f *footings) Call(ctx context.Context, c commands.Caller, in tool.Invocation) (tool.Invoked, error) {
	if in.Footing != nil {
		f.all = append(f.all, *in.Footing)
	}
	return f.ToolCaller.Call(ctx, c, in)
}

// heardWith hears nothing, and keeps what was in mind.
type heardWith struct{ worlds [][]language.ContextItem }

func (h *heardWith) Hears(p language.Prompt) []domain.ToolCall {
	if p.Asked.Text != "" && len(p.Tools) > 0 {
		h.worlds = append(h.worlds, p.World)
	}
	return nil
}

// A message is private to the person and its sender: what it says goes to another program only by
// their yes, and back to the sender as it came.
func TestAProgramsMessageIsPrivate(t *testing.T) {
	for name, back := range map[string]bool{"to another": false, "to its sender": true} {
		s := commandstest.NewHandyStage(t)
		happened(t, s, domain.SystemStarted{Over: domain.OverToday}, domain.ID{})
		house := &domain.Interface{ID: s.IDs.NewID(), Name: "house"}
		from := &domain.Interface{ID: s.IDs.NewID(), Name: "hospital"}
		if back {
			from = house
		}
		scan := s.Say(commands.InterfaceCaller(*from), "Your oncology scan moved to the north wing")
		gate := &footings{ToolCaller: s.Tools, of: house}
		s.Gate = gate
		s.Model.Says = func(_ context.Context, n int, _ language.Prompt) (language.Reply, error) {
			if n > 1 {
				return commandstest.Says("done"), nil
			}
			r := commandstest.Calls("tell")
			r.ToolCalls[0].Params = []byte(`{"text":"oncology scan in the north wing"}`)
			return r, nil
		}
		s.Answer(s.Say(commandstest.Ada, "what's new? tell it"))
		if len(gate.all) != 1 || slices.Equal(gate.all[0].Carried, []domain.ID{scan.Envelope.ID}) == back || back && len(gate.all[0].Carried) > 0 {
			t.Errorf("%s: the call carries %+v", name, gate.all)
		}
	}
}
