package sentences

import "strings"

// Act is what is to happen.
type Act int

// The acts.
const (
	Unsaid Act = iota
	Making
	Ending
	Asking
)

// Noun is a kind of plan, or what holds them.
type Noun int

// The nouns.
const (
	NoNoun Noun = iota
	AnAlarm
	AReminder
	ATask
	AnEvent    // an appointment, whatever it is called
	ACalendar  // what holds appointments
	ASchedule  // all that is planned
	AnOccasion // a word that is a title by itself: a party, dinner
)

// actWords are words for an act.
type actWords struct {
	Words string
	Act   Act
}

// Acts are the words that a sentence says its act with, the longer before the shorter.
var Acts = []actWords{
	{"i do not need", Ending}, {"i no longer need", Ending}, {"i am not going to", Ending}, {"get rid of", Ending}, {"turn off", Ending}, {"shut off", Ending}, {"switch off", Ending}, {"take off", Ending}, {"take out", Ending}, {"clear off", Ending},
	{"clear out", Ending}, {"clear up", Ending}, {"clean out", Ending}, {"call off", Ending}, {"cross out", Ending}, {"throw away", Ending}, {"throw out", Ending}, {"take away", Ending}, {"put away", Ending}, {"do away with", Ending}, {"back out of", Ending}, {"pull out of", Ending}, {"i want to cancel", Ending}, {"i need to cancel", Ending}, {"i have to cancel", Ending},
	{"cancel", Ending}, {"delete", Ending}, {"remove", Ending}, {"clear", Ending}, {"erase", Ending}, {"drop", Ending}, {"wipe", Ending}, {"empty", Ending}, {"clean", Ending}, {"unset", Ending}, {"disable", Ending},
	{"deactivate", Ending}, {"destroy", Ending}, {"trash", Ending}, {"scratch", Ending}, {"scrap", Ending}, {"kill", Ending}, {"nix", Ending}, {"abort", Ending}, {"unschedule", Ending}, {"unbook", Ending}, {"ditch", Ending}, {"lose", Ending}, {"uncheck", Ending}, {"axe", Ending}, {"revoke", Ending}, {"stop", Ending}, {"quit", Ending}, {"forget", Ending}, {"dismiss", Ending}, {"silence", Ending}, {"strike", Ending}, {"take", Ending},
	{"set up", Making}, {"turn on", Making}, {"switch on", Making}, {"note down", Making}, {"write down", Making}, {"pencil in", Making}, {"jot down", Making}, {"pencil me in for", Making}, {"sign me up for", Making},
	{"i want to have", Making}, {"i would like to have", Making}, {"i would like to schedule", Making}, {"i want to schedule", Making}, {"i need to schedule", Making}, {"i would like to set", Making}, {"i want to set", Making}, {"i need to set", Making},
	{"i would like", Making}, {"i want", Making}, {"i need", Making}, {"please arrange", Making}, {"put me down for", Making},
	{"set", Making}, {"add", Making}, {"create", Making}, {"make", Making}, {"schedule", Making}, {"put", Making}, {"book", Making}, {"plan", Making}, {"arrange", Making}, {"place", Making}, {"start", Making}, {"begin", Making},
	{"enter", Making}, {"include", Making}, {"insert", Making}, {"write", Making}, {"note", Making}, {"organize", Making}, {"organise", Making}, {"record", Making}, {"enable", Making}, {"activate", Making},
	{"let me know about", Asking}, {"let me know", Asking}, {"let me see", Asking}, {"let me hear", Asking}, {"tell me about", Asking}, {"tell me", Asking}, {"give me", Asking}, {"show me", Asking}, {"read me", Asking}, {"read out", Asking}, {"list out", Asking},
	{"pull up", Asking}, {"look up", Asking}, {"go through", Asking}, {"let us go through", Asking}, {"i would like to know", Asking}, {"i want to know", Asking}, {"would like to know", Asking}, {"may i know", Asking}, {"find out", Asking}, {"check if", Asking}, {"check whether", Asking}, {"check out", Asking},
	{"show", Asking}, {"list", Asking}, {"tell", Asking}, {"read", Asking}, {"check", Asking}, {"find", Asking}, {"display", Asking}, {"review", Asking}, {"confirm", Asking}, {"evaluate", Asking}, {"report", Asking}, {"view", Asking}, {"open", Asking}, {"search", Asking}, {"see", Asking}, {"provide", Asking},
	{"what", Asking}, {"which", Asking}, {"when", Asking}, {"where", Asking}, {"how many", Asking}, {"how often", Asking}, {"how", Asking}, {"why", Asking}, {"at what time", Asking}, {"is", Asking}, {"are", Asking}, {"am", Asking}, {"do", Asking}, {"does", Asking}, {"did", Asking}, {"have", Asking}, {"has", Asking}, {"will", Asking}, {"any", Asking}, {"who", Asking},
}

// Nouns are the words for what is acted on.
var Nouns = map[string]Noun{
	"alarm": AnAlarm, "alarms": AnAlarm, "timer": AnAlarm, "timers": AnAlarm, "alerts": AnAlarm, "wake-up": AnAlarm, "wakeup": AnAlarm,
	"reminder": AReminder, "reminders": AReminder, "notification": AReminder, "notifications": AReminder,
	"task": ATask, "tasks": ATask, "todo": ATask, "todos": ATask, "to-do": ATask, "to-dos": ATask, "chores": ATask,
	"event": AnEvent, "events": AnEvent, "appointment": AnEvent, "appointments": AnEvent, "meeting": AnEvent, "meetings": AnEvent, "appt": AnEvent, "appts": AnEvent, "engagements": AnEvent, "engagement": AnEvent,
	"calendar": ACalendar, "calender": ACalendar, "cal": ACalendar, "diary": ACalendar, "planner": ACalendar, "schedule": ASchedule, "schedules": ASchedule, "agenda": ASchedule, "plans": ASchedule, "plan": ASchedule, "openings": ASchedule,
	"party": AnOccasion, "birthday": AnOccasion, "birthdays": AnOccasion, "dinner": AnOccasion, "lunch": AnOccasion, "breakfast": AnOccasion, "brunch": AnOccasion, "wedding": AnOccasion, "anniversary": AnOccasion, "interview": AnOccasion,
	"conference": AnOccasion, "practice": AnOccasion, "class": AnOccasion, "classes": AnOccasion, "lesson": AnOccasion, "concert": AnOccasion, "rsvp": AnOccasion, "dentist": AnOccasion, "doctor": AnOccasion, "doctor's": AnOccasion, "reunion": AnOccasion,
	"checkup": AnOccasion, "haircut": AnOccasion, "rehearsal": AnOccasion, "recital": AnOccasion, "workshop": AnOccasion, "seminar": AnOccasion, "webinar": AnOccasion, "ceremony": AnOccasion, "barbecue": AnOccasion,
}

// IsPlural reports whether a noun says several.
func IsPlural(word string) bool {
	return Nouns[word] != NoNoun && strings.HasSuffix(word, "s") && Nouns[strings.TrimSuffix(word, "s")] != NoNoun
}
