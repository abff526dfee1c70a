package tools

import (
	"maps"
	"slices"
	"strings"

	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
)

// say is a message, and args are its arguments.
var say = speech.New

type args = speech.Args

// Intent is what a sentence asks for: a call, or a question back.
type Intent struct {
	Tool   string // as it was offered
	Params map[string]any
	// subject and moment are the parameters that "no, the bread" and "no, tomorrow"
	// change; "" for none.
	Subject, Moment string
	Whole           string           // the sentence it was heard in
	Ask             speech.Message   // what is missing, as a question; no call is made then
	Behind          []speech.Message // what is said behind the question
	unnamed         bool             // of a tool that would be used by a value alone: no word names what it does
	Offer           bool             // nothing is missing: the question is whether it should be done
	Missing         string           // the parameter that is asked for, when an answer can give it
	Weak            bool             // only the whole of what was said, never a part of it
	Way             way              // how it was understood
	Label           speech.Message   // what a button for it says
	Among           []Intent         // what it may be, each offered by a button
	Late            bool             // a tool's, which may as well be meant for Chalie
	Theirs          bool             // a tool's that has all it needs, of a request that has no word for what Chalie keeps
	FromNowOn       bool             // a yes to it is for the future, too
}

// Cloned are intents of which nothing is shared.
func Cloned(all []Intent) []Intent {
	out := slices.Clone(all)
	for i, in := range out {
		out[i].Params, out[i].Among = maps.Clone(in.Params), Cloned(in.Among)
	}
	return out
}

// way is how a sentence was understood.
type way string

// The ways in which a sentence is understood, as they are recorded with the reply.
const (
	ByPhrase  way = "by a phrase for it"
	ByParts   way = "taken apart into what, which and when"
	ByTool    way = "by the words of the tool"
	ByTongue  way = "by a phrase of another language"
	AsAnswer  way = "as an answer to the question before"
	AsChange  way = "as a change of what was just done"
	AsSpoken  way = "by what was last spoken of"
	AsAgain   way = "as the question before, of something else"
	AsOffered way = "as something that was only told"
)

// In marks intents with the way in which they were understood, unless a finer one is known.
func (way way) In(heard []Intent) []Intent {
	for i := range heard {
		if heard[i].Way == "" {
			heard[i].Way = way
		}
	}
	return heard
}

// As marks intents with the way in which they were understood.
func (way way) As(heard []Intent) []Intent {
	for i := range heard {
		heard[i].Way = way
	}
	return heard
}

// Says is a message: the name of an argument and its value by turns. A string is a text of the person's, as it is
// mentioned.
func Says(id speech.ID, args ...any) speech.Message {
	m := speech.Message{ID: id}
	for i := 0; i+1 < len(args); i += 2 {
		if m.Args == nil {
			m.Args = speech.Args{}
		}
		name, _ := args[i].(string)
		switch v := args[i+1].(type) {
		case string:
			m.Args[name] = speech.Text{Words: sentences.Cut(sentences.OneLine(v), sentences.MaxLabelBytes)}
		case speech.Value:
			m.Args[name] = v
		}
	}
	return m
}

// With is an intent with another value.
func (in Intent) With(param string, value any) Intent {
	params := make(map[string]any, len(in.Params)+1)
	maps.Copy(params, in.Params)
	params[param] = value
	in.Params = params
	return in
}

// TaskEnded is that a task is done, or not wanted any more.
func TaskEnded(which, action string) Intent {
	return Intent{Tool: SkillTask, Weak: true, Params: map[string]any{"action": action, "which": which}, Subject: "which"}
}

// Joined is what is to be told with what leads to it.
func Joined(lead, text string) string { return strings.TrimSpace(lead + " " + text) }

// Ended is what is to happen to a reminder; without its name to the last one.
func Ended(which, action string) (Intent, bool) {
	out := Intent{Tool: SkillReminder, Params: map[string]any{"action": action}, Subject: "which"}
	if which != "" {
		out.Params["which"] = which
	}
	return out, true
}

// LookForAnother begins the label of the button that looks for another of what is gone.
const LookForAnother = "Look for another "
