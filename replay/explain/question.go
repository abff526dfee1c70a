package explain

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	"chalie/domain"
	"chalie/replay"
	"chalie/replay/narrate"
)

// Question names the subject of WhyNot. Make one with ParseQuestion; the zero Question is
// about the last thing that was rejected.
type Question struct {
	target replay.Target
	named  bool            // target is set
	name   string          // of a tool, or else words of something
	others []domain.Record // what the same words fit, and isn't meant
}

// ParseQuestion reads "last", an id in any spelling, the seq of a frame, a position
// as pos:42, or else the name of a tool or words of what was heard or planned. The
// error is a validation error that names them all.
func ParseQuestion(text string) (Question, error) {
	if text == "last" {
		return Question{}, nil
	}
	target, err := replay.ParseTarget(text)
	if err == nil {
		return Question{target: target, named: true}, nil
	}
	if !canBeName(text) {
		return Question{}, domain.Invalid("ask why not", "id", fmt.Sprintf("%q is nothing that could have been told: %s", narrate.Shortened(text, narrate.MaxName), possibleQuestions))
	}
	return Question{name: text}, nil
}

// possibleQuestions lists the possible subjects, for errors.
const possibleQuestions = "give last, the id of a signal, a message, a reminder, an appointment, a task or a tool call, a position in the log such as pos:42, the name of a tool, or words of what it said"

// maxNameBytes bounds the words by which something is named.
const maxNameBytes = 400

// canBeName reports whether a text can be words of something, or a tool's name, and isn't
// a misspelt position.
func canBeName(text string) bool {
	for _, prefix := range []string{replay.PositionPrefix, replay.SeqPrefix} {
		if strings.HasPrefix(text, prefix) {
			return false
		}
	}
	begins := func(r rune) bool { return unicode.IsLetter(r) || r == '_' }
	return text != "" && len(text) <= maxNameBytes && strings.IndexFunc(text, begins) >= 0 &&
		strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
}

// locate finds the record that the question names.
func (q Question) locate(ctx context.Context, log replay.Log) (domain.Record, error) {
	if q.named {
		rec, err := q.target.Locate(ctx, log)
		if domain.CodeOf(err) == "no_envelope" {
			return rec, replay.NotThere("no_envelope", "the log holds nothing by that id or position: "+possibleQuestions)
		}
		return rec, err
	}
	rec, err := replay.LastOf(ctx, log, domain.ReasoningConcluded{}.ShownKey(), 1, log.Tail())
	if err == nil && rec.Position == 0 {
		err = replay.NotThere("nothing_kept", "Chalie has kept nothing to itself yet: "+possibleQuestions)
	}
	return rec, err
}
