package tools

import (
	"encoding/json"
	"slices"

	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/language/sentences"
)

// Chooser finds the tool that a text asks for.
type Chooser struct {
	sentences.Reader
	Known *Lexicon
	deeds map[string][]Intent // what texts ask for by a tool's deed
	// Anew hears a sentence again, with another chooser: who hears stands above it.
	Anew func(Chooser, sentences.Said) []Intent
}

// NewChooser is one for a prompt.
func NewChooser(p language.Prompt) Chooser {
	return Chooser{Reader: sentences.NewReader(p), Known: &Lexicon{}, deeds: map[string][]Intent{}}
}

// Takes reports whether a tool takes these parameters, and needs no others.
func Takes(o language.Offered, params map[string]any) bool {
	raw, err := json.Marshal(params)
	return err == nil && (domain.Tool{Name: o.Name, Parameters: o.Parameters, Schema: o.Schema}).CheckParams(raw) == nil
}

// Completed is the outcome of a call that was answered.
const Completed domain.EventType = domain.ToolCompletedType

// Offered is a tool by its name. What an interface offers under the name of
// something that Chalie does is another tool.
func (l Chooser) Offered(name string) (language.Offered, bool) {
	for _, o := range l.P.Tools {
		if o.Name == name && (o.Interface == OwnInterface || !IsSkill(name)) {
			return o, true
		}
	}
	return language.Offered{}, false
}

// IsOwn reports whether a tool is one of Chalie's.
func (l Chooser) IsOwn(name string) bool {
	for _, o := range l.P.Tools {
		if o.Name == name {
			return o.Interface == OwnInterface
		}
	}
	return false
}

// UndoOf are the parameters by which what the last turn changed is taken back, and nothing that was
// changed elsewhere since.
func (l Chooser) UndoOf(last language.Turn) map[string]any {
	for _, d := range slices.Backward(last.Done) {
		if l.HasChanged(d) && !d.End.IsZero() {
			return map[string]any{"of": d.End.String()}
		}
	}
	return map[string]any{}
}

// HasChanged reports whether a call of a skill changed something.
func (l Chooser) HasChanged(d language.Done) bool {
	o, known := l.Offered(d.Call.Tool)
	return known && d.Own && d.Error == "" && d.Outcome == Completed && o.SideEffects && d.Call.Tool != SkillUndo
}

// MaxCalls bounds the tool calls of one answer: two things, and a change of each.
const MaxCalls = 4
