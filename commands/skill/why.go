package skill

import (
	"context"
	"fmt"
	"strings"

	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
)

func (s *skills) doWhy(ctx context.Context, call tool.SkillCall) (tool.SkillDone, error) {
	p, err := params[struct {
		About string
		Not   bool
	}](call)
	if err != nil {
		return asksBack(err)
	}
	about := strings.TrimSpace(p.About)
	if strings.EqualFold(about, "last") {
		about = ""
	}
	var sentences []string
	if p.Not {
		sentences, err = s.cfg.Explainer.ExplainNot(ctx, about, call.Lineage.Trace)
	} else {
		sentences, err = s.cfg.Explainer.Explain(ctx, about)
	}
	if domain.CategoryOf(err) == domain.NotFound {
		return asks(nothingFound(commands.Cut(about, maxAboutBytes), p.Not, err))
	}
	if err != nil {
		return tool.SkillDone{}, err
	}
	return answered(strings.Join(sentences, "\n"), []domain.Block{domain.ListBlock(sentences...)}, nil)
}

// maxAboutBytes bounds what is repeated of a question.
const maxAboutBytes = 80

// nothingFound tells the person that what they ask about isn't there.
func nothingFound(about string, not bool, err error) string {
	if _, notAnID := domain.ParseID(about); about == "" || notAnID == nil {
		return "There is nothing to explain: " + commands.InWords(err) + "."
	}
	if not {
		return fmt.Sprintf("I heard nothing about %q, and nothing of it was planned.", about)
	}
	return fmt.Sprintf("I said nothing about %q lately. Ask without it for the last thing that was said, or give an id.", about)
}
