package reasoning_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"chalie/commands/commandstest"
	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/language/concern"
	"chalie/domain/language/speech"
)

// bearing is Concerns that finds what it was told to, and notes what it was asked.
type bearing struct {
	plan  domain.ID
	asked []string
	of    []domain.ID
}

func (b *bearing) Of(_ context.Context, m concern.Message, of domain.ID) ([]speech.Said, []domain.Block, []domain.Evidence, error) {
	b.asked, b.of = append(b.asked, m.Text+" | "+m.Sender+" | "+m.Zone.String()), append(b.of, of)
	plan := speech.Message{ID: "concern.plan", Args: speech.Args{"kind": speech.Kind("reminder"), "what": speech.Text{Words: "dinner"}}}
	return []speech.Said{
			{As: speech.Noted, Says: []speech.Message{{ID: "concern.about", Args: speech.Args{"how": speech.Kind("sure"), "plan": plan}}}}, {As: speech.Label, Says: []speech.Message{{ID: "label.word", Args: speech.Args{"on": speech.Kind("leave")}}}},
		}, []domain.Block{domain.ActionsBlock(domain.Button{Skill: "appointment"})},
		[]domain.Evidence{{EnvelopeID: b.plan, Role: "planned", Weight: domain.One}}, nil
}

// Behind what an interface says stands what it means for the plans, in words of Chalie's own; what
// isn't told has none, and what the person says isn't checked.
func TestConcernBehindAnInterfacesWords(t *testing.T) {
	s := commandstest.NewStage(t)
	b := &bearing{plan: s.Remind("dinner", time.Hour)}
	s.Concerns = b
	s.Notices = &gatekeeper{pass: []bool{true, false}}
	rec := s.Say(commandstest.Station, "dinner moved to nine")
	s.Answer(rec)
	end, _ := s.Concluded(rec)
	if len(end.Blocks) != 2 || end.Reply.IsZero() || !slices.ContainsFunc(end.Evidence, func(e domain.Evidence) bool { return e.EnvelopeID == b.plan && e.Role == "planned" }) {
		t.Errorf("concluded %+v", end)
	}
	if frames := s.Frames(rec); len(frames) == 0 || domain.PlainText(frames[0].Blocks) != "answer 1\nThis is about your reminder “dinner”." {
		t.Errorf("the person gets %+v", frames)
	}
	if len(b.asked) != 1 || !strings.HasPrefix(b.asked[0], "dinner moved to nine | ") || !b.of[0].IsZero() {
		t.Errorf("asked %q", b.asked)
	}
	held := s.Say(commandstest.Station, "dinner moved to ten")
	s.Answer(held)
	if end, _ := s.Concluded(held); len(end.Blocks) != 0 || len(b.asked) != 1 {
		t.Errorf("held back, it is concluded %+v", end)
	}
	own := s.Say(commandstest.Ada, "dinner moved to ten")
	s.Answer(own)
	if end, _ := s.Concluded(own); len(end.Blocks) != 0 || len(b.asked) != 1 {
		t.Errorf("the person's words are concluded %+v", end)
	}
}

// It is said in the language of the person's conversation, whatever the interface speaks, and recorded with it.
func TestConcernInTongue(t *testing.T) {
	s := commandstest.NewStage(t)
	s.Concerns = &bearing{plan: s.Remind("dinner", time.Hour)}
	s.Answer(s.Say(commandstest.Ada, "erinnere mich bitte heute Abend an das Essen"))
	rec := s.Say(commandstest.Station, "dinner moved to nine")
	s.Answer(rec)
	end, _ := s.Concluded(rec)
	if got := domain.PlainText(end.Blocks[:1]); got != "Das betrifft die Erinnerung „dinner“." || end.Spoken == nil || end.Spoken.Language != "de" || len(end.Spoken.Said) != 2 {
		t.Errorf("it says %q, recorded as %+v", got, end.Spoken)
	}
	if got := domain.PressablesIn(end.Blocks); len(got) != 1 || got[0].Label != "So lassen" {
		t.Errorf("its buttons are %+v", got)
	}
}

// Behind a finding stands what its signal means for its plan.
func TestConcernBehindAFinding(t *testing.T) {
	s := commandstest.NewStage(t)
	s.Model.Says = related
	b := &bearing{plan: s.Remind("dinner reservation at Luigi's", 2*time.Hour)}
	s.Concerns = b
	s.Hear("Luigi's is closed tonight")
	rec := s.Notice()
	s.Cycle(rec)
	end, _ := s.Concluded(rec)
	if len(end.Blocks) != 2 || len(b.of) != 1 || b.of[0] != b.plan || !strings.HasPrefix(b.asked[0], "Luigi's is closed tonight | ") {
		t.Errorf("concluded %+v, asked %q of %v", end, b.asked, b.of)
	}
	if frames := s.Frames(rec); len(frames) != 1 || !strings.Contains(domain.PlainText(frames[0].Blocks), "This is about your reminder “dinner”.") {
		t.Errorf("the person gets %+v", frames)
	}
}

// What a cycle told is what the person may answer next, with its buttons, and while nothing was said since
// a bare yes may be meant for it.
func TestACardMayBeAnswered(t *testing.T) {
	s := commandstest.NewStage(t)
	look := domain.Button{Label: "Look for another table?", Skill: "find_table"}
	s.Model.Says = func(ctx context.Context, n int, p language.Prompt) (language.Reply, error) {
		r, err := related(ctx, n, p)
		for i := range r.Findings {
			r.Findings[i].Blocks = append(r.Findings[i].Blocks, domain.ActionsBlock(look))
		}
		return r, err
	}
	s.Remind("dinner reservation at Luigi's", 2*time.Hour)
	s.Hear("Luigi's is closed tonight")
	s.Cycle(s.Notice())
	for n, latest := range []bool{true, false, false} {
		var got language.Unasked
		s.Model.Says = func(_ context.Context, _ int, p language.Prompt) (language.Reply, error) {
			got = p.Unasked
			return commandstest.Says("All right."), nil
		}
		s.Answer(s.Say(commandstest.Ada, "well"))
		if len(got.Buttons) != 1 || got.Buttons[0].Label != look.Label || got.Latest != latest || !strings.Contains(got.Text, "Luigi's is closed tonight") {
			t.Errorf("turn %d has %+v", n, got)
		}
	}
}
