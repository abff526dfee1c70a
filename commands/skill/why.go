package skill

import (
	"context"
	"strings"

	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/guard"
	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
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
	var reasons []string
	if p.Not {
		reasons, err = s.cfg.Explainer.ExplainNot(ctx, about, call.Lineage.Trace)
	} else {
		reasons, err = s.cfg.Explainer.Explain(ctx, about)
	}
	if domain.CategoryOf(err) == domain.NotFound {
		return ask(nothingFound(domain.Cut(about, maxAboutBytes), p.Not))
	}
	if err != nil {
		return tool.SkillDone{}, err
	}
	for i, reason := range reasons {
		reasons[i] = harmless(reason)
	}
	// These are the explainer's own texts: they say what was so in the log, in English, and are no messages.
	text := strings.Join(reasons, "\n")
	return tool.SkillDone{Result: commands.Result{Text: &text, Blocks: []domain.Block{domain.ListBlock(reasons...)}}}, nil
}

// harmless is a sentence without others' words that try something with whoever reads them: an
// answer of Chalie's own isn't to be taken for such.
func harmless(sentence string) string {
	const instead = "words that try something with whoever reads them"
	if len(guard.Threats(sentence)) == 0 {
		return sentence
	}
	out := sentences.Requoted(sentence, func(words string) string {
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
func nothingFound(about string, not bool) speech.Message {
	_, err := domain.ParseID(about)
	switch {
	case about == "" || err == nil:
		return say("why.nothing")
	case not:
		return say("why.never_heard", args{"about": theirOwn(about)})
	}
	return say("why.never_said", args{"about": theirOwn(about)})
}
