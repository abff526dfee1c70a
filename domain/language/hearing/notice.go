package hearing

import (
	"strings"

	"chalie/domain/language/sentences"
	"chalie/domain/language/tools"
)

// Noticed hears answers to a card: what they mean is what was told last, which the skill finds.
func (l Listener) Noticed(s sentences.Said) (tools.Intent, bool) {
	if asked := strings.ToLower(strings.TrimSpace(l.P.Asked.Text)); strings.HasPrefix(asked, "no") && BehindAnswer(asked) != "" {
		return tools.Intent{}, false // it answers something else
	}
	if _, ok := l.Offered(tools.SkillNotice); !ok {
		return tools.Intent{}, false
	}
	for _, way := range []struct {
		action string
		says   []sentences.Phrase
	}{
		{"", []sentences.Phrase{"tell|give me more", "tell|give me more about|on that|this|it", "tell me more about|on that|this|the card|news|message|notice", "more? details please?", "more about|on that|this", "i want|need to know more? about? that|this?", "what else do you know about it|that|this"}},
		{"dismiss", []sentences.Phrase{
			"not this|that please?", "not interested", "i am not interested", "i am not interested in it|that|this", "it|that|this is not relevant|important|interesting to|for? me?", "not relevant|important", "irrelevant",
			"do not tell|show me that|this again", "do not tell|show me about? that|this again", "never tell|show me that|this again", "stop telling|showing me about? that|this", "i do not want|need to hear|know|see about? that|this again?",
			"dismiss it|that|this?", "do not bring it|that|this up again", "hide it|that|this",
		}},
		{"silence", []sentences.Phrase{
			"nothing of? like? this|that|the kind? from *which again|anymore", "nothing of? like? this|that|the kind? from *which any more", "nothing like that|this again|anymore", "nothing of this|that kind from *which", "nothing of this|that kind again?", "nothing like that|this from *which",
			"nothing more? from *which again|anymore|please", "nothing more? from *which any more", "no more *which news", "no more news|messages|updates|notices from|about|of *which", "stop telling me about *which", "stop showing me *which news", "stop the *which news",
			"do not tell me about *which any more", "do not tell me about *which again|anymore", "do not tell me anything|things from|of *which again|anymore?", "do not show me *which news again|anymore?", "do not show me news from|of|about *which again|anymore?",
			"i do not want to hear from|about *which any more", "i do not want to hear from|about *which again|anymore", "i do not want any? news from|about|of *which again|anymore?", "i do not want any? *which news again|anymore?",
		}},
		{"restore", []sentences.Phrase{
			"show|tell|give me? the? *which news|messages|updates again", "show|tell|give me? the? news|messages|updates from|about|of *which again", "show|tell me what *which says again", "let me hear from|about *which again", "i want to hear from|about *which again",
			"i want the? *which news again", "i want the? news from|about|of *which again", "i want the? news from|about|of *which back", "i want the? *which news back", "what|which news? do you not tell me", "show|tell me everything again", "tell|show me that|this again", "tell|show me about that|this again", "bring that|this|it up again",
		}},
	} {
		c, ok := s.Any(way.says...)
		if !ok {
			continue
		}
		in := tools.Intent{Tool: tools.SkillNotice, Way: tools.ByPhrase, Params: map[string]any{"action": way.action}}
		if way.action == "" {
			in = tools.Intent{Tool: tools.SkillMore, Way: tools.ByPhrase, Params: map[string]any{}}
		}
		if which := c.Get("which"); which != "" {
			in.Params["which"] = which
		}
		return in, true
	}
	return tools.Intent{}, false
}

// BehindAnswer is what stands behind a yes or no at the beginning of a text, which may be a
// request of its own; "" for nothing. "No alarm tomorrow" is one without a comma.
func BehindAnswer(text string) string {
	s, ok := sentences.Read(text)
	if !ok || !s.Is(0, "yes", "yeah", "yep", "yup", "sure", "no", "nope", "nah") {
		return ""
	}
	n := 1
	for n < len(s.Words) && s.Is(n, "please", "thanks", "and", "but") {
		n++
	}
	if n+1 >= len(s.Words) || s.Is(0, "no", "nope", "nah") && !strings.ContainsAny(s.Text[s.Words[0].Start:s.Words[n].Start], ",.!;:") {
		return ""
	}
	return s.Text[s.Words[n].Start:]
}
