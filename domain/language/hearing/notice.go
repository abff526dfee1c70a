package hearing

import (
	"strings"

	"chalie/domain/cards"
)

// skillMore and skillNotice are the skills by which one answers to what was told unasked.
const (
	skillMore   = cards.SkillMore
	skillNotice = cards.SkillNotice
)

// noticed hears answers to a card: what they mean is what was told last, which the skill finds.
func (l listener) noticed(s said) (intent, bool) {
	if asked := strings.ToLower(strings.TrimSpace(l.p.Asked.Text)); strings.HasPrefix(asked, "no") && behindAnswer(asked) != "" {
		return intent{}, false // it answers something else
	}
	if _, ok := l.offered(skillNotice); !ok {
		return intent{}, false
	}
	for _, way := range []struct {
		action string
		says   []phrase
	}{
		{"", []phrase{"tell|give me more", "tell|give me more about|on that|this|it", "tell me more about|on that|this|the card|news|message|notice", "more? details please?", "more about|on that|this", "i want|need to know more? about? that|this?", "what else do you know about it|that|this"}},
		{"dismiss", []phrase{
			"not this|that please?", "not interested", "i am not interested", "i am not interested in it|that|this", "it|that|this is not relevant|important|interesting to|for? me?", "not relevant|important", "irrelevant",
			"do not tell|show me that|this again", "do not tell|show me about? that|this again", "never tell|show me that|this again", "stop telling|showing me about? that|this", "i do not want|need to hear|know|see about? that|this again?",
			"dismiss it|that|this?", "do not bring it|that|this up again", "hide it|that|this",
		}},
		{"silence", []phrase{
			"nothing of? like? this|that|the kind? from *which again|anymore", "nothing of? like? this|that|the kind? from *which any more", "nothing like that|this again|anymore", "nothing of this|that kind from *which", "nothing of this|that kind again?", "nothing like that|this from *which",
			"nothing more? from *which again|anymore|please", "nothing more? from *which any more", "no more *which news", "no more news|messages|updates|notices from|about|of *which", "stop telling me about *which", "stop showing me *which news", "stop the *which news",
			"do not tell me about *which any more", "do not tell me about *which again|anymore", "do not tell me anything|things from|of *which again|anymore?", "do not show me *which news again|anymore?", "do not show me news from|of|about *which again|anymore?",
			"i do not want to hear from|about *which any more", "i do not want to hear from|about *which again|anymore", "i do not want any? news from|about|of *which again|anymore?", "i do not want any? *which news again|anymore?",
		}},
		{"restore", []phrase{
			"show|tell|give me? the? *which news|messages|updates again", "show|tell|give me? the? news|messages|updates from|about|of *which again", "show|tell me what *which says again", "let me hear from|about *which again", "i want to hear from|about *which again",
			"i want the? *which news again", "i want the? news from|about|of *which again", "i want the? news from|about|of *which back", "i want the? *which news back", "what|which news? do you not tell me", "show|tell me everything again", "tell|show me that|this again", "tell|show me about that|this again", "bring that|this|it up again",
		}},
	} {
		c, ok := s.any(way.says...)
		if !ok {
			continue
		}
		in := intent{tool: skillNotice, way: byPhrase, params: map[string]any{"action": way.action}}
		if way.action == "" {
			in = intent{tool: skillMore, way: byPhrase, params: map[string]any{}}
		}
		if which := c.get("which"); which != "" {
			in.params["which"] = which
		}
		return in, true
	}
	return intent{}, false
}
