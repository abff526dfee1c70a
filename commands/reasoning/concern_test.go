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
)

// bearing is Concerns that finds what it was told to, and notes what it was asked.
type bearing struct {
	plan  domain.ID
	asked []string
	of    []domain.ID
}

func (b *bearing) Of(_ context.Context, m concern.Message, of domain.ID) ([]domain.Block, []domain.Evidence, error) {
	b.asked, b.of = append(b.asked, m.Text+" | "+m.Sender+" | "+m.Zone.String()), append(b.of, of)
	return []domain.Block{domain.AlertBlock("This is about dinner.", domain.VariantInfo), domain.ActionsBlock(domain.Button{Label: "Leave it", Skill: "appointment"})},
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
	if frames := s.Frames(rec); len(frames) == 0 || domain.PlainText(frames[0].Blocks) != "answer 1\nThis is about dinner." {
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
	if frames := s.Frames(rec); len(frames) != 1 || !strings.Contains(domain.PlainText(frames[0].Blocks), "This is about dinner.") {
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
