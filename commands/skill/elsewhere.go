package skill

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"

	"chalie/commands/tool"
	"chalie/domain"
)

// change does something to one thing by the skill that keeps it.
func (s *skills) change(ctx context.Context, call tool.SkillCall, one planned, given map[string]any) (tool.SkillDone, error) {
	do := s.doAppointment
	switch one.Kind {
	case domain.ItemEntry, itemList:
		do = s.doList
	case domain.ItemTask:
		do = s.doTask
	case domain.ItemReminder:
		do = s.changeReminder
	}
	if one.list == "" {
		given["which"] = one.ID.UUID()
	}
	raw, err := json.Marshal(given)
	if err != nil {
		return tool.SkillDone{}, err
	}
	call.Params = raw
	return do(ctx, call)
}

// procured finds words by which something was got that may have stood on a list.
var procured = regexp.MustCompile(`(?i)^(?:bought|purchased|gotten|got|picked up|grabbed|collected|packed) `)

// offLists takes what was bought off the list on which it stands, when it is no task; false when
// nothing says that it was bought.
func (s *skills) offLists(ctx context.Context, call tool.SkillCall, said string) (tool.SkillDone, bool, error) {
	verb := procured.FindString(said)
	if verb == "" {
		return tool.SkillDone{}, false, nil
	}
	all, err := s.removable(ctx, call)
	if err != nil {
		return tool.SkillDone{}, false, err
	}
	entries := slices.DeleteFunc(all, func(p planned) bool { return p.Kind != domain.ItemEntry })
	done, err := s.removeAmong(ctx, call, entries, "done", naming{Which: said[len(verb):]})
	for i := range done.Answers { // its buttons name an entry, which is no task
		done.Answers[i].Skill = "remove"
	}
	return done, true, err
}
