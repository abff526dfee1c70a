package tongues

import "strings"

// Kind is what a request asks for.
type Kind string

// The kinds of requests. Some have a time of their own, which the sentence is read
// without.
const (
	Remind        Kind = "remind"         // *what
	RemindOdd     Kind = "remind odd"     // *odd words where a time is expected, *what
	RemindBefore  Kind = "remind before"  // *much before *plan, *what
	Alarm         Kind = "alarm"          // *what
	Timer         Kind = "timer"          // *what
	Wake          Kind = "wake"           // *what
	Move          Kind = "move"           // *which
	MoveIt        Kind = "move it"        // *which; only with a time it is about a plan
	Again         Kind = "again"          // what was told just now
	CancelAlarm   Kind = "cancel alarm"   // *what
	Task          Kind = "task"           // *what
	Must          Kind = "must"           // *what
	Plans         Kind = "plans"          //
	PlanReminders Kind = "plan reminders" //
	PlanTasks     Kind = "plan tasks"     //
	Appoint       Kind = "appoint"        // *what begins with a word for an appointment
	AppointBare   Kind = "appoint bare"   // *what is all that is said
	AppointTold   Kind = "appoint told"   // *what there is, which isn't asked for
	AppointAsked  Kind = "appoint asked"  // *what may be there
	Enter         Kind = "enter"          // *what, whatever it is, goes into the calendar
	Title         Kind = "title"          // *what is nothing else
	HaveTold      Kind = "have told"      // *what is what somebody has, which no word need say to be an appointment
	MeetTold      Kind = "meet told"      // *what is who will be met
	Free          Kind = "free"           // whether there is time
	PlanWhen      Kind = "plan when"      // *which
	PlanDates     Kind = "plan dates"     // appointments
	Shift         Kind = "shift"          // *all: an appointment and when it is moved to
	CancelDate    Kind = "cancel date"    // *which begins with a word for an appointment
	CancelAll     Kind = "cancel all"     //
	CancelAlarms  Kind = "cancel alarms"  //
	CancelThat    Kind = "cancel that"    // what was spoken of
	CancelBoth    Kind = "cancel both"    //
	MoveThat      Kind = "move that"      //
	SkipThat      Kind = "skip that"      //
	Skip          Kind = "skip"           // *which is left out once
	TakeBack      Kind = "take back"      // the last change
	Undo          Kind = "undo"           // what was said or done just now
	Cancel        Kind = "cancel"         // *which
	Done          Kind = "done"           // *which
	Progress      Kind = "progress"       // *which, *n percent
	Complete      Kind = "complete"       // *which
	DropTask      Kind = "drop task"      // *which
	DropTasks     Kind = "drop tasks"     // all of them
	Scrap         Kind = "scrap"          // *which, of whatever kind it is
	Lists         Kind = "lists"          //
	Add           Kind = "add"            // *item, *list
	AddBare       Kind = "add bare"       // *item, *list, without a word that asks for it
	Remove        Kind = "remove"         // *item, *list
	Show          Kind = "show"           // *list
	Drop          Kind = "drop"           // *list
	Remember      Kind = "remember"       // *what
	Recall        Kind = "recall"         // *about
	Values        Kind = "values"         // *about
	Fact          Kind = "fact"           // *what is to be remembered, though nothing says so
	Forget        Kind = "forget"         // *what
	Status        Kind = "status"         //
	Missed        Kind = "missed"         // what came in
	Did           Kind = "did"            // what was done today
	Why           Kind = "why"            // *about
	WhyNot        Kind = "why not"        // *about
	ClockIn       Kind = "clock in"       // *place
	Sum           Kind = "sum"            // *sum
	SayYes        Kind = "say yes"
	SayNo         Kind = "say no"
	SayAllRight   Kind = "say all_right"
)

// timed are the kinds that have a time of their own.
var timed = map[Kind]bool{Remind: true, RemindOdd: true, Alarm: true, Timer: true, Wake: true, Move: true, MoveIt: true, Again: true, CancelAlarm: true,
	Task: true, Must: true, Plans: true, PlanReminders: true, PlanTasks: true,
	Appoint: true, AppointBare: true, AppointTold: true, AppointAsked: true, Enter: true, HaveTold: true, MeetTold: true, Title: true, Free: true, Values: true, PlanWhen: true, PlanDates: true, CancelDate: true,
	MoveThat: true, Skip: true, CancelAll: true, CancelAlarms: true}

// HasTime reports whether the phrases of a kind are those of a sentence without its time.
func (k Kind) HasTime() bool { return timed[k] }

// Says is what answers a kind that is only talk: a greeting, thanks, a question for the time.
func (k Kind) Says() (Says, bool) {
	switch k {
	case Undo:
		return AllRight, true
	case SayYes:
		return Yes, true
	case SayNo:
		return No, true
	}
	says, ok := strings.CutPrefix(string(k), "say ")
	return Says(says), ok
}

// Request is a kind with the phrases that ask for it, in the form that the built-in
// model's phrases have.
type Request struct {
	Kind    Kind
	Phrases []string
}

// Requests are what can be asked for. The first that fits is meant.
func (t *Tongue) Requests() []Request { return t.tables().requests }

// requestsOf reads a table of requests: a kind, two colons, a phrase. The phrases of a kind
// may stand in several places. {macros} are put in their place.
func requestsOf(table string, macros map[string]string) []Request {
	var pairs []string
	for name, words := range macros {
		pairs = append(pairs, "{"+name+"}", words)
	}
	expand := strings.NewReplacer(pairs...)
	var out []Request
	for line := range strings.Lines(table) {
		kind, phrase, ok := strings.Cut(strings.TrimSpace(line), " :: ")
		if !ok {
			continue
		}
		if n := len(out); n == 0 || out[n-1].Kind != Kind(kind) {
			out = append(out, Request{Kind: Kind(kind)})
		}
		last := &out[len(out)-1]
		last.Phrases = append(last.Phrases, expand.Replace(phrase))
	}
	return out
}

// Says is what small talk is answered with, as package speech names it, or a pattern of the language.
type Says string

// What is said.
const (
	AllRight Says = "all_right"
	Yes      Says = "asked_nothing"
	No       Says = "otherwise"
	Clock    Says = "clock"   // with the time and the date
	Lasting  Says = "lasting" // %s, which is a length
)

// Says is a sentence of the language.
func (t *Tongue) Says(s Says) string { return t.tables().says[s] }
