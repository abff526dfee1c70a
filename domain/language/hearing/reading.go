package hearing

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"chalie/domain"
	"chalie/domain/language"
)

// The ways in which a sentence is understood, as they are recorded with the reply.
const (
	byPhrase  way = "by a phrase for it"
	byParts   way = "taken apart into what, which and when"
	byTool    way = "by the words of the tool"
	byTongue  way = "by a phrase of another language"
	asAnswer  way = "as an answer to the question before"
	asChange  way = "as a change of what was just done"
	asSpoken  way = "by what was last spoken of"
	asAgain   way = "as the question before, of something else"
	asOffered way = "as something that was only told"
)

// subjects are what requests for Chalie's own skills are about.
var subjects = map[string]string{
	skillRemind: "a reminder", skillReminder: "a change of reminders", skillTask: "a task", skillList: "a list", skillAppointment: "an appointment",
	skillRemember: "something to remember", skillRecall: "a question after what is remembered", skillForget: "something to forget", skillStatus: "a question how things are",
	skillPlans: "a question after plans", skillWhy: "a question for reasons", skillUndo: "a change to take back", skillMore: "an answer to what was told unasked", skillNotice: "an answer to what was told unasked", skillHeard: "a question after what was heard", skillValues: "a question after last values",
}

// way is how a sentence was understood.
type way string

// in marks intents with the way in which they were understood, unless a finer one is known.
func (way way) in(heard []intent) []intent {
	for i := range heard {
		if heard[i].way == "" {
			heard[i].way = way
		}
	}
	return heard
}

// as marks intents with the way in which they were understood.
func (way way) as(heard []intent) []intent {
	for i := range heard {
		heard[i].way = way
	}
	return heard
}

// readings are why what is asked for was taken so: of each call that was made, and of each question
// back. Words that the message doesn't have, such as those of one before, aren't named.
func (l listener) readings(wanted []intent, calls []domain.ToolCall) []domain.Reading {
	var out []domain.Reading
	asked := bareWords(l.p.Asked.Text)
	for _, in := range wanted {
		subject, own := subjects[in.tool]
		switch {
		case len(in.among) > 0 || !own && in.tool == "":
			subject = "something for one of several tools"
		case !own:
			subject = "something for " + mention(cut(in.tool, maxNameBytes))
		}
		r := domain.Reading{Rule: subject + ", " + string(in.way), Words: []domain.ReadWord{}}
		if call, ok := l.call(in); ok && in.ask == "" {
			at := slices.IndexFunc(calls, func(c domain.ToolCall) bool { return c.Tool == call.Tool && sameParams(c.Params, call.Params) })
			if at < 0 {
				continue
			}
			r.Call = calls[at].ID
		}
		for _, name := range slices.Sorted(maps.Keys(in.params)) {
			value, _ := in.params[name].(string)
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
