package turns

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"chalie/domain/language/hearing"
	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
	"chalie/domain/language/tools"
)

// meant is a text with what its words point at in place of them, where it sets something: that day, an hour before
// it, remind me of the other one, ask him. A question is what to ask where that isn't clear.
func (l Talk) meant(text string) (out string, question speech.Message) {
	if l.AsksOpen() {
		return text, question
	}
	if out, question = l.dated(text); !question.IsZero() {
		return text, question
	}
	if out, question = l.ofWhat(out); !question.IsZero() {
		return text, question
	}
	return l.ofWhom(out), question
}

var (
	// remindsOfIt finds a reminder of what is only pointed at.
	remindsOfIt = regexp.MustCompile(`(?i)\b(remind me|nudge me|a reminder) (?:again )?(?:of|about|for) (it|that|this|them|the other(?: one)?|that one)(?:$|[,.;!]| (?:on|at|in|the|an?|tomorrow|today|tonight|next|every|to|by|again|one|two|half|\d+|this|please|then|when|before)\b)`)
	// remindsAt finds a reminder of which only the time is said.
	remindsAt = regexp.MustCompile(`(?i)^(?:and |then |please |so |ok |okay |also )*((?:remind|nudge|alert|ping|tell) me) (.+?)(?: as well| too| please)*[.!]*$`)
	pronoun   = regexp.MustCompile(`(?i)\b(him|her)\b(?: ([a-z]+))?`)
)

// ofWhat is a reminder with the words of the plan that it is to be of.
func (l Talk) ofWhat(text string) (out string, question speech.Message) {
	at := remindsOfIt.FindStringSubmatchIndex(text)
	if at == nil || strings.HasSuffix(strings.TrimSpace(text), "?") {
		return text, question
	}
	which, _ := sentences.Read(text[at[4]:at[5]])
	chosen, ask := l.pointedAt(which, "remind")
	if len(chosen) == 0 && which.Is(1, "other") {
		return text, say("spoken.of_what", nil)
	}
	if len(chosen) != 1 {
		if !ask.IsZero() && l.sets(text) {
			return text, ask
		}
		return text, question
	}
	return text[:at[3]] + " of " + strconv.Quote(chosen[0].Text) + text[at[5]:], question
}

// ofPlan is a reminder of which only a time is said, that goes by a plan, with the plan's words.
func (l Talk) ofPlan(text string, m hearing.Mentioned) string {
	parts := remindsAt.FindStringSubmatch(text)
	if parts == nil || m.Text == "" || !l.IsOnlyTime(parts[2]) {
		return text
	}
	return parts[1] + " " + parts[2] + " of " + strconv.Quote(m.Text)
}

// behindWhom are words that follow who something is done to; any other is what is theirs: her keys.
var behindWhom = sentences.WordsIn("a an the to for about at on in that this when what if whether how by with back again tomorrow today tonight some and before after from of my our his")

// ofWhom is a text that sets something with the name of the person who was spoken of last, alone, for him and her.
func (l Talk) ofWhom(text string) string {
	s, ok := sentences.Read(text)
	if !ok || s.Question || !pronoun.MatchString(text) || len(namesIn(s)) > 0 || !sentences.HasAny(s, "remind", "task", "reminder") {
		return text
	}
	name := l.lastNamed()
	if name == "" {
		return text
	}
	return pronoun.ReplaceAllStringFunc(text, func(found string) string {
		parts := pronoun.FindStringSubmatch(found)
		if strings.EqualFold(parts[1], "her") && parts[2] != "" && !behindWhom[strings.ToLower(parts[2])] {
			return name + "'s " + parts[2]
		}
		return strings.TrimSpace(name + " " + parts[2])
	})
}

// lastNamed is the only person that was named in what was said last by the person; "" for none, or several.
func (l Talk) lastNamed() string {
	for i, turn := range slices.Backward(l.Turns()) {
		if i < len(l.Turns())-2 {
			break
		}
		s, ok := sentences.Read(turn.Prompt)
		if !ok {
			continue
		}
		if names := namesIn(s); len(names) > 0 {
			if len(names) == 1 {
				return names[0]
			}
			return ""
		}
	}
	return ""
}

// namesIn are the words of a sentence that are written as names of people within it.
func namesIn(s sentences.Said) (out []string) {
	for i := 0; i < len(s.Words); i++ {
		if s.Words[i].Quoted || i == 0 || s.Words[i-1].Stop && !(i+1 < len(s.Words) && s.Is(i+1, "has", "is", "will", "said", "wants", "was", "took")) || !isCapital(s, i) {
			continue
		}
		from := i
		for i+1 < len(s.Words) && isCapital(s, i+1) && !s.Words[i].Stop {
			i++
		}
		name := strings.TrimSuffix(s.Part(from, i+1), "'s")
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// isCapital reports whether a word may be a part of a name.
func isCapital(s sentences.Said, i int) bool {
	w := s.Words[i].Lower
	if !tools.IsNameLike(s, i) || s.Is(i, "i", "am", "pm", "ok") || strings.Contains(w, "i'") {
		return false
	}
	return !calendarWords[w]
}

// calendarWords are names of days and months.
var calendarWords = sentences.WordsIn("monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december christmas easter")
