package tools

// What Chalie itself can do, by the names it is offered by.
const (
	SkillRemind      = "remind"
	SkillReminder    = "reminder"
	SkillAppointment = "appointment" // keeps appointments
	SkillTask        = "task"
	SkillList        = "list"
	SkillRemove      = "remove" // removes what some words name, whatever it is
	SkillRemember    = "remember"
	SkillRecall      = "recall"
	SkillForget      = "forget"
	SkillStatus      = "status"
	SkillPlans       = "plans"
	SkillWhy         = "why"
	SkillUndo        = "undo"   // takes back the last change
	SkillHeard       = "heard"  // tells what signals said
	SkillValues      = "values" // sums up what was heard of the names on a list
	SkillMore        = "more"   // answers to what was told unasked, as the next does
	SkillNotice      = "notice"
)

// IsSkill reports whether Chalie itself does something under a name.
func IsSkill(name string) bool {
	switch name {
	case SkillRemind, SkillReminder, SkillAppointment, SkillTask, SkillList, SkillRemember, SkillRecall, SkillForget, SkillStatus, SkillPlans, SkillWhy, SkillUndo, SkillRemove, SkillValues, SkillMore, SkillNotice:
		return true
	}
	return false
}

// OwnInterface is whose tools those are.
const OwnInterface = "Chalie"
