package reckon

import (
	"fmt"
	"strings"
	"time"

	"chalie/domain"
	"chalie/domain/language/speech"
)

// Answer is what there is to say to a question.
type Answer struct {
	Says speech.Message
	// Open says that it tells what is missing, or who can do it, rather than a result: who
	// can do more goes first.
	Open bool
}

// Read answers a question that can be worked out; false for any other text.
func Read(question string, now domain.Millis, zone *time.Location) (Answer, bool) {
	a, ok := askerOf(question, now, zone)
	if !ok {
		return none()
	}
	for _, read := range []func() (Answer, bool){a.zoneSet, a.clocks, a.clock, a.zoned, a.elsewhere, a.day, a.dateNamed, a.span, a.calendar, a.money, a.measure, a.sum} {
		if out, ok := read(); ok {
			return out, true
		}
	}
	return Answer{}, false
}

const maxQuestionBytes = 300

// askerOf is a question as it is read; false where there is nothing to read.
func askerOf(question string, now domain.Millis, zone *time.Location) (asker, bool) {
	if len(question) > maxQuestionBytes {
		return asker{}, false
	}
	lower := strings.ToLower(question)
	a := asker{now: now, at: now.Time().In(zone), said: plainly(question), forMe: forMe.in(lower), toTell: toTell.in(lower) && !asksWhat.in(lower)}
	if a.said == "" {
		return asker{}, false
	}
	a.said = a.rearranged()
	return a, true
}

// asker is a question, with when and where it is asked.
type asker struct {
	now  domain.Millis
	at   time.Time // in the zone of the person
	said string    // as plainly makes it
	// forMe says that it ended in "for me", which may tell where, or be a courtesy.
	forMe bool
	// toTell says that something is to be told once a time has come, which is no question.
	toTell bool
}

var (
	forMe    = matching(`\bfor (?:me|us)[ ?.!]*$`)
	toTell   = matching(`\b(?:tell|let|inform|give) (?:me|us)(?: know| a (?:call|shout|sign))? (?:when|once|if|at|as soon as) (?:it|the|\d|` + hourWord + `)`)
	asksWhat = matching(`\b(?:what|which|how)\b`)
)

// told is an answer in words alone.
func told(format string, args ...any) (Answer, bool) {
	return Answer{Says: speech.InWords(fmt.Sprintf(format, args...))}, true
}

// say is an answer that is a message.
func say(id speech.ID, args speech.Args) (Answer, bool) {
	return Answer{Says: speech.Message{ID: id, Args: args}}, true
}

// unworked is an answer that tells what is missing, or who can do it.
func unworked(why speech.Kind) (Answer, bool) {
	return Answer{Says: speech.Message{ID: "beyond", Args: speech.Args{"why": why}}, Open: true}, true
}

// onDay is an answer that is a day.
func onDay(day time.Time) (Answer, bool) {
	return say("clock", speech.Args{"where": speech.Kind("day"), "at": onlyDay(day)})
}

// onlyDay is a day, without a time of it.
func onlyDay(day time.Time) speech.Time {
	return speech.Time{At: domain.MillisOf(day), Grain: speech.Day}
}

// clockNow is the time where the person is.
func (a asker) clockNow() (Answer, bool) {
	return say("clock", speech.Args{"where": speech.Kind("here"), "at": speech.Time{At: a.now, Zone: a.at.Location().String()}})
}

func none() (Answer, bool) { return Answer{}, false }

// plain is the question without commas, which only sums need.
func (a asker) plain() string {
	return strings.Join(strings.Fields(strings.ReplaceAll(a.said, " , ", " ")), " ")
}
