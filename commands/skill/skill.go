package skill

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/guard"
	"chalie/domain/language/speech"
)

// Explainer tells why something was said or done, or why not. It is named by its id or by
// words of it; a not found error says that there is no such thing.
type Explainer interface {
	// Explain returns sentences for a person, the answer first; "" is the last thing that
	// Chalie said.
	Explain(ctx context.Context, about string) (sentences []string, err error)
	// ExplainNot is about what Chalie kept to itself; "" is the last such thing. asking is
	// the answer in which it is asked.
	ExplainNot(ctx context.Context, about string, asking domain.TraceID) (sentences []string, err error)
}

// Config has the dependencies of the skills. All fields but Told, Explainer
// and Trouble are required.
type Config struct {
	commands.Env
	Plans     commands.View[domain.Plans]
	Memory    commands.View[domain.Memories]
	Notes     commands.View[domain.Notes] `optional:"yes"` // nil: notes aren't taken back
	World     commands.View[domain.World]
	Unwanted  commands.View[domain.Unwanted]
	Told      Told             `optional:"yes"` // what was told unasked; nil: nothing is known of it
	Applied   commands.Barrier // of all these
	Explainer Explainer        `optional:"yes"` // without one there is no skill why
	// Invocations and Registry tell what waits for the person; nil: nothing is known of it.
	Invocations commands.View[domain.Invocations] `optional:"yes"`
	Registry    commands.View[domain.Registry]    `optional:"yes"`
	Words       *speech.Catalogue                 `optional:"yes"` // of the answers; nil is English, which is what is recorded
	Trouble     func() []string                   `optional:"yes"` // what of Chalie doesn't work now, a sentence each; nil for nothing
}

// New are what Chalie itself can do: reminders, appointments, tasks, lists, memories, and
// questions about itself.
//
// What a skill decides rests on the folds as they are once they have seen all that
// is in the log, and on nothing having happened since to the plan it is about: the
// conditions of its answer say so.
func New(cfg Config) ([]tool.Skill, error) {
	if err := commands.Complete("configure skills", cfg); err != nil {
		return nil, err
	}
	s := &skills{cfg}
	out := []tool.Skill{s.remind(), s.reminder(), s.appointment(), s.task(), s.list(), s.remember(), s.recall(), s.forget(), s.status(), s.plans(), s.heard(), s.values(), s.undo(), s.remove(), s.more(), s.notice()}
	if cfg.Explainer != nil {
		out = append(out, s.why())
	}
	for i, one := range out {
		if one, ok := one.(skill); ok {
			one.words = cmp.Or(cfg.Words, speech.English())
			out[i] = one
		}
	}
	return out, nil
}

// skills is the state that all skills share.
type skills struct{ cfg Config }

// skill is one of them.
type skill struct {
	tool      domain.Tool
	effects   bool
	takesBack bool // it only removes things
	words     *speech.Catalogue
	do        func(context.Context, tool.SkillCall) (tool.SkillDone, error)
	lacks     func(checkedParams) (field, question string) // what a call lacks, "" for nothing; nil when that can't be told
}

var _ tool.Skill = skill{}

// Tool implements Skill.
func (s skill) Tool() domain.Tool {
	out := s.tool
	out.Returns = returns(out.Name)
	if !s.effects {
		return out
	}
	out.Parameters = append(slices.Clone(out.Parameters), domain.Parameter{Name: declinedName, Type: domain.TypeBoolean, Description: "True when the person was asked and said no: nothing is done."})
	return out
}

// SideEffects implements Skill.
func (s skill) SideEffects() bool { return s.effects }

// Do implements Skill.
func (s skill) Do(ctx context.Context, call tool.SkillCall) (tool.SkillDone, error) {
	if s.effects && declines(call) {
		return inWords(call, s.words)(tell(say("nothing_done")))
	}
	if s.effects && !s.takesBack && wouldKeepSecret(call) {
		return inWords(call, s.words)(ask(say("keeps_no_secret")))
	}
	var seen []wording
	done, err := s.do(context.WithValue(ctx, readFor{}, &seen), call)
	if err == nil {
		done, err = worded(done, call, s.words)
	}
	done.Quotes = quotedIn(done.Result, seen)
	return done, err
}

// wouldKeepSecret reports whether a text that a call wants kept has a secret in it, or had one:
// what is called by hand comes as it is, and is stored with a mark.
// What only names something that is kept already may hold a mark: it can be removed.
func wouldKeepSecret(call tool.SkillCall) bool {
	p, err := params[struct{ Action, What, Text, Item, Note, About, List, Place, With string }](call)
	if err != nil {
		return false // the skill names their mistakes
	}
	switch strings.ToLower(strings.TrimSpace(p.Action)) {
	case "remove", "drop", "show", "cancel", "done", "complete", "skip":
		return false
	}
	return slices.ContainsFunc([]string{p.What, p.Text, p.Item, p.Note, p.About, p.List, p.Place, p.With}, guard.HasSecret)
}

// caughtUp waits until the folds have seen all that is in the log, so that a skill
// sees what the one before it did.
func (s *skills) caughtUp(ctx context.Context) error {
	return commands.CatchUp(ctx, s.cfg.Applied, s.cfg.Tail.Tail())
}

// params reads a call's parameters, which have passed the tool's declaration.
func params[P any](call tool.SkillCall) (P, error) {
	var p P
	if len(call.Params) == 0 {
		return p, nil
	}
	if err := json.Unmarshal(call.Params, &p); err != nil {
		return p, domain.Invalid("read parameters", "params", "the parameters can't be read: give an object with the declared ones")
	}
	return p, nil
}

// entry makes an envelope of a skill's effect.
func entry[P any](s *skills, call tool.SkillCall, payload P, keys []domain.Key) (domain.Entry, error) {
	e, err := domain.New(call.Lineage, s.cfg.IDs.NewID(), call.Now, skillsSource, payload)
	e.Envelope.Keys = keys
	return e, err
}

// skillsSource emits what skills change.
const skillsSource domain.Source = "skills"

// yes is the answer that a question for confirmation waits for.
func yes() tool.Answer {
	return tool.Answer{Label: "Yes", Says: say("label.word", args{"on": speech.Kind("yes")}), With: map[string]any{"confirmed": true}}
}

// no is the other: nothing is done then.
func no() tool.Answer {
	return tool.Answer{Label: "No", Says: say("label.word", args{"on": speech.Kind("no")}), With: map[string]any{declinedName: true}}
}

// declinedName is the parameter of every skill with effects by which its question is answered
// with no.
const declinedName = "declined"

// declines reports whether a call is the no to a question.
func declines(call tool.SkillCall) bool {
	p, err := params[struct{ Declined bool }](call)
	return err == nil && p.Declined
}

// asksBack makes a refusal of a validation error; any other stays an error.
func asksBack(err error) (tool.SkillDone, error) {
	if m, ok := speech.RefusalOf(err); ok {
		return ask(m)
	}
	if domain.CategoryOf(err) == domain.Validation {
		// Of a mistake in what a model or a program calls with: its words are for them.
		text := asSentence(commands.InWords(err))
		return tool.SkillDone{Result: commands.Result{Text: &text, Error: &text, Blocks: []domain.Block{domain.AlertBlock(text, domain.VariantWarning)}}}, nil
	}
	return tool.SkillDone{}, err
}

// asSentence is a message of an error as a sentence of its own.
func asSentence(message string) string {
	first, size := utf8.DecodeRuneInString(message)
	message = string(unicode.ToUpper(first)) + message[size:]
	if !strings.HasSuffix(message, ".") && !strings.HasSuffix(message, "?") {
		message += "."
	}
	return message
}

var _ tool.SkillChecker = skill{}

// Check implements SkillChecker.
func (s skill) Check(given json.RawMessage) error {
	if s.lacks == nil {
		return nil
	}
	p, err := params[checkedParams](tool.SkillCall{Params: given})
	if err != nil {
		return err
	}
	if field, question := s.lacks(p); question != "" {
		return domain.Invalid("check parameters", field, s.tool.Name+": "+question)
	}
	return nil
}

// checkedParams are those of all skills that are looked at before anything is done.
type checkedParams struct{ Action, What, When, Text, Which, Item, Except string }

func blank(texts ...string) bool { return strings.TrimSpace(strings.Join(texts, "")) == "" }

func remindLacks(p checkedParams) (field, question string) {
	if blank(p.What, p.When, p.Text) {
		return "what", "give what to be reminded of, and when; or both in one sentence as text"
	}
	return "", ""
}

func reminderLacks(p checkedParams) (field, question string) {
	if action := strings.ToLower(strings.TrimSpace(p.Action)); blank(p.When, p.Except) && action == "move" {
		return "when", "give the time that the reminder is to be moved to as when"
	}
	return "", ""
}

func taskLacks(p checkedParams) (field, question string) {
	switch strings.ToLower(strings.TrimSpace(p.Action)) {
	case "", "create", "add", "new":
		if blank(p.What) {
			return "what", "give what is to be done as what, or an action for a task that there is"
		}
	}
	return "", ""
}

func listLacks(p checkedParams) (field, question string) {
	switch strings.ToLower(strings.TrimSpace(p.Action)) {
	case "add", "remove":
		if blank(p.Item) {
			return "item", "give the entry, or several separated by commas, as item"
		}
	}
	return "", ""
}
