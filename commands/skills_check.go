package commands

import (
	"encoding/json"
	"strings"

	"chalie/domain"
)

// SkillChecker is a Skill that can tell of some calls, without doing anything, that
// nothing can come of them. Nobody is asked to approve those.
type SkillChecker interface {
	// Check returns a validation error that names what is needed. The parameters have
	// passed the declaration.
	Check(params json.RawMessage) error
}

var _ SkillChecker = skill{}

// Check implements SkillChecker.
func (s skill) Check(given json.RawMessage) error {
	if s.lacks == nil {
		return nil
	}
	p, err := params[checkedParams](SkillCall{Params: given})
	if err != nil {
		return err
	}
	if field, question := s.lacks(p); question != "" {
		return domain.Invalid("check parameters", field, s.tool.Name+": "+question)
	}
	return nil
}

// checkedParams are those of all skills that are looked at before anything is done.
type checkedParams struct{ Action, What, When, Text, Which, Item string }

func blank(texts ...string) bool { return strings.TrimSpace(strings.Join(texts, "")) == "" }

func remindLacks(p checkedParams) (field, question string) {
	if blank(p.What, p.When, p.Text) {
		return "what", "give what to be reminded of, and when; or both in one sentence as text"
	}
	return "", ""
}

func reminderLacks(p checkedParams) (field, question string) {
	if action := strings.ToLower(strings.TrimSpace(p.Action)); blank(p.When) && (action == "move" || action == "snooze") {
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
