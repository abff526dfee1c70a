package skill

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/guard"
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
		return asks(nothingFound(domain.Cut(about, maxAboutBytes), p.Not, err))
	}
	if err != nil {
		return tool.SkillDone{}, err
	}
	for i, sentence := range sentences {
		sentences[i] = harmless(sentence)
	}
	return answered(strings.Join(sentences, "\n"), []domain.Block{domain.ListBlock(sentences...)}, nil)
}

// quoted finds what a sentence repeats of others.
var quoted = regexp.MustCompile(`"[^"]*"|“[^”]*”`)

// harmless is a sentence without others' words that try something with whoever reads them: an
// answer of Chalie's own isn't to be taken for such.
func harmless(sentence string) string {
	const instead = "words that try something with whoever reads them"
	if len(guard.Threats(sentence)) == 0 {
		return sentence
	}
	out := quoted.ReplaceAllStringFunc(sentence, func(words string) string {
		if len(guard.Threats(words)) > 0 {
			return instead
		}
		return words
	})
	if len(guard.Threats(out)) > 0 {
		return "One reason has " + instead + ": the page Why has it as it came."
	}
	return out
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
