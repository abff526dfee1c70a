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

// Question is what WhyNot is asked about. Make one with ParseQuestion; the zero
// Question asks about the last thing that Chalie kept to itself.
type Question struct {
	target replay.Target
	named  bool   // target is set
	tool   string // a tool by its name
}

// ParseQuestion reads "last", an id in any spelling, the seq of a frame, a position
// as pos:42, or else the name of a tool. The error is a validation error that names
// them all.
func ParseQuestion(text string) (Question, error) {
	if text == "last" {
		return Question{}, nil
	}
	target, err := replay.ParseTarget(text)
	if err == nil {
		return Question{target: target, named: true}, nil
	}
	if !isToolName(text) {
		return Question{}, domain.Invalid("ask why not", "id", fmt.Sprintf("%q is nothing that could have been told: %s", narrate.Shortened(text, narrate.MaxName), possibleQuestions))
	}
	return Question{tool: text}, nil
}

// possibleQuestions is what can be asked about, for errors.
const possibleQuestions = "give last, the id of a signal, a message, a reminder, a task or a tool call, a position in the log such as pos:42, or the name of a tool"

// isToolName refuses what no tool is called, and what was meant as a place in the
// log.
func isToolName(text string) bool {
	for _, prefix := range []string{replay.PositionPrefix, replay.SeqPrefix} {
		if strings.HasPrefix(text, prefix) {
			return false
		}
	}
	begins := func(r rune) bool { return unicode.IsLetter(r) || r == '_' }
	return text != "" && len(text) <= 2*domain.MaxToolNameBytes && strings.IndexFunc(text, begins) >= 0 &&
		strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
}

// locate finds the record that is meant.
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
