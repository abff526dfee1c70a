package when

import (
	"strings"
	"time"

	"chalie/domain"
	"chalie/domain/language/speech"
)

const op = "understand time"

// refused is why a text is no time that can be, as the message that asks for one.
func refused(code domain.Code, id speech.ID, zone *time.Location, args speech.Args) error {
	return speech.Refuse(op, code, "when", speech.Message{ID: id, Args: args}, speech.Voice{Zone: zone})
}

// about is why words say no time that can be.
func (r *reader) about(used []expr, code domain.Code, id speech.ID) error {
	return refused(code, id, r.now.Location(), speech.Args{"said": speech.Text{Words: r.quoted(used)}})
}

// pastOnly is why a text is no time that has passed, in words alone: only programs and the command line ask for one.
func pastOnly(code domain.Code, message string) error {
	return &domain.Error{Op: op, Category: domain.Validation, Code: code, Field: "when", Message: message}
}

// refuse notes something that is a time and can't be. The first counts.
func (r *reader) refuse(why speech.Kind, from, to int) {
	if r.wrong == nil {
		r.wrong = refused(CodeNoSuch, "time.wrong", nil, speech.Args{"said": speech.Text{Words: r.said(from, to)}, "why": why})
	}
}

func noTime(text string) error {
	if text = strings.TrimSpace(text); text == "" {
		return refused(CodeNoTime, "time.none", nil, nil)
	}
	return refused(CodeNoTime, "time.not_in", nil, speech.Args{"said": speech.Text{Words: clip(text)}})
}

// clip shortens a text that an error repeats.
func clip(text string) string {
	const most = 80
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most]) + "…"
}

func (r *reader) quoted(used []expr) string {
	said := make([]string, len(used))
	for i, x := range used {
		said[i] = r.said(x.from, x.to)
	}
	return strings.Join(said, " … ")
}

// hasPassed asks whether the next such time is meant, where there is one.
func (r *reader) hasPassed(used []expr, at, next time.Time) error {
	moment := func(t time.Time) speech.Time {
		return speech.Time{At: domain.MillisOf(t), Zone: at.Location().String()}
	}
	id, args := speech.ID("time.passed"), speech.Args{"said": speech.Text{Words: r.quoted(used)}, "at": moment(at)}
	if next.After(r.now) {
		id, args["next"] = "time.meant_next", moment(next)
	}
	return refused(CodePassed, id, at.Location(), args)
}

func endsBefore() error { return refused(CodeAmbiguous, "time.ends_before", nil, nil) }

func (r *reader) ambiguous(found []expr) error {
	if len(found) == 1 {
		return r.about(found, CodeAmbiguous, "time.two_things")
	}
	said := make(speech.List, len(found))
	for i, x := range found {
		said[i] = speech.Text{Words: r.said(x.from, x.to)}
	}
	return refused(CodeAmbiguous, "time.several", nil, speech.Args{"said": said})
}

func (r *reader) tooFar(used []expr) error {
	return refused(CodeTooFar, "time.too_far", nil, speech.Args{"said": speech.Text{Words: r.quoted(used)}, "years": speech.Count(maxYears)})
}
