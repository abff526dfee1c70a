package answers

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/language/sentences"
	"chalie/domain/language/tools"
	"chalie/domain/language/turns"
)

// subjects are what requests for Chalie's own skills are about.
var subjects = map[string]string{
	tools.SkillRemind: "a reminder", tools.SkillReminder: "a change of reminders", tools.SkillTask: "a task", tools.SkillList: "a list", tools.SkillAppointment: "an appointment",
	tools.SkillRemember: "something to remember", tools.SkillRecall: "a question after what is remembered", tools.SkillForget: "something to forget", tools.SkillStatus: "a question how things are",
	tools.SkillPlans: "a question after plans", tools.SkillWhy: "a question for reasons", tools.SkillUndo: "a change to take back", tools.SkillMore: "an answer to what was told unasked", tools.SkillNotice: "an answer to what was told unasked", tools.SkillHeard: "a question after what was heard", tools.SkillValues: "a question after last values",
}

// readings are why what is asked for was taken so: of each call that was made, and of each question
// back. Words that the message doesn't have, such as those of one before, aren't named.
func readings(l turns.Talk, wanted []tools.Intent, calls []domain.ToolCall) []domain.Reading {
	var out []domain.Reading
	asked := bareWords(l.P.Asked.Text)
	for _, in := range wanted {
		subject, own := subjects[in.Tool]
		switch {
		case len(in.Among) > 0 || !own && in.Tool == "":
			subject = "something for one of several tools"
		case !own:
			subject = "something for " + sentences.Mention(sentences.Cut(in.Tool, sentences.MaxNameBytes))
		}
		r := domain.Reading{Rule: subject + ", " + string(in.Way), Words: []domain.ReadWord{}}
		if call, ok := l.Call(in); ok && in.Ask.IsZero() {
			at := slices.IndexFunc(calls, func(c domain.ToolCall) bool { return c.Tool == call.Tool && turns.SameParams(c.Params, call.Params) })
			if at < 0 {
				continue
			}
			r.Call = calls[at].ID
		}
		for _, name := range slices.Sorted(maps.Keys(in.Params)) {
			value, _ := in.Params[name].(string)
			words := bareWords(value)
			if from := wordsAt(asked, words); from >= 0 && len(r.Words) < language.MaxReadings {
				r.Words = append(r.Words, domain.ReadWord{As: name, From: from, To: from + len(words)})
			}
		}
		if out = append(out, r); len(out) == language.MaxReadings {
			break
		}
	}
	return out
}

// bareWords are the words of a text in lower case, without the signs about them.
func bareWords(text string) []string {
	words := strings.Fields(strings.ToLower(text))
	for i, w := range words {
		words[i] = strings.TrimFunc(w, unicode.IsPunct)
	}
	return words
}

// wordsAt is where words stand in a row among others; -1 when they don't, or are none.
func wordsAt(all, words []string) int {
	for from := 0; len(words) > 0 && from+len(words) <= len(all); from++ {
		if slices.Equal(all[from:from+len(words)], words) {
			return from
		}
	}
	return -1
}
