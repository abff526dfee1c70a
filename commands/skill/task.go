package skill

import (
	"context"
	"fmt"
	"strings"
	"time"

	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/when"
)

// task makes a task, notes how far it is and ends it.
func (s *skills) task() tool.Skill {
	return skill{effects: true, do: s.doTask, lacks: taskLacks, tool: domain.Tool{
		Name:        "task",
		Description: "Keep a task: something to be done, with or without a deadline, until it is completed or dropped.",
		Documentation: "action is create, progress, complete, drop or move. create needs what and takes a deadline; progress needs percent, from 0 to 100, and takes a note; " +
			"move gives another deadline, or none when deadline is left out. All but create find the task by words of it in which, or by its id; when several fit, the answer asks which one. " +
			"complete and drop end several with all, when confirmed is given too. " +
			"At the deadline the person is told, and the task stays open.",
		Parameters: append([]domain.Parameter{
			{Name: "action", Type: domain.TypeString, Description: "create, progress, complete, drop or move. Left out: create."},
			{Name: "what", Type: domain.TypeString, Description: "What is to be done, for create. A deadline in it is understood."},
			{Name: "deadline", Type: domain.TypeString, Description: "Until when. " + whenHelp},
			{Name: "percent", Type: domain.TypeInteger, Description: "How far it has come, from 0 to 100, for progress."},
			{Name: "note", Type: domain.TypeString, Description: "What was done, for progress."},
			{Name: "again", Type: domain.TypeBoolean, Description: againHelp},
		}, namingParameters("task")...),
	}}
}

type taskParams struct {
	naming
	Action, What, Deadline, Note string
	Percent                      *int
	Again                        bool
}

// taskActions are the words by which the skill is asked for what happens to tasks.
var taskActions = map[string]domain.PlanVerb{
	"": domain.PlanMade, "create": domain.PlanMade, "add": domain.PlanMade, "new": domain.PlanMade,
	"progress": domain.PlanProgressed, "move": domain.PlanChanged,
	"done": domain.PlanDone, "finish": domain.PlanDone, "complete": domain.PlanDone,
	"cancel": domain.PlanDropped, "drop": domain.PlanDropped,
}

func (s *skills) doTask(ctx context.Context, call tool.SkillCall) (tool.SkillDone, error) {
	p, err := params[taskParams](call)
	if err != nil {
		return asksBack(err)
	}
	verb, known := taskActions[strings.ToLower(strings.TrimSpace(p.Action))]
	switch {
	case !known:
		return ask(say("task.no_such_action", args{"action": theirOwn(p.Action)}))
	case verb == domain.PlanMade:
		return s.createTask(ctx, call, p)
	case blank(p.Which):
		p.Which = p.What
	}
	return s.changePlans(ctx, call, request{naming: p.naming, moving: moving{When: p.Deadline}, kind: domain.ItemTask, verb: verb, percent: p.Percent, note: p.Note})
}

func (s *skills) createTask(ctx context.Context, call tool.SkillCall, p taskParams) (tool.SkillDone, error) {
	what, until, err := deadlineOf(call, strings.TrimSpace(p.What), p.Deadline)
	if err != nil {
		return asksBack(err)
	}
	task := domain.Plan{Text: what, Time: domain.Appointment{Start: until}}
	if until != 0 {
		task.Time.Zone = call.Zone.String()
	}
	done, err := s.begin(ctx, call, domain.ItemTask, task, p.Again, say("task.made", args{"what": theirOwn(what), "until": moment(until, call)}), map[string]any{"deadline": until})
	if err != nil || refuses(done) || p.Percent == nil || *p.Percent == 0 {
		return done, err
	}
	made := domain.Commitment{ID: done.Entries[0].Envelope.ID, Kind: domain.ItemTask, Standing: domain.StandingOpen}
	noted, err := s.happens(call, made, domain.PlanProgressed, domain.Plan{Percent: *p.Percent, Note: p.Note})
	if err != nil {
		return asksBack(err)
	}
	done.Entries = append(done.Entries, noted)
	return done, nil
}

// deadline is the one to which a task is moved; none when none is said.
func (r request) deadline(one planned, call tool.SkillCall) (when.Time, error) {
	if blank(r.When) {
		return when.Time{}, nil
	}
	until := when.Look(strings.TrimSpace(r.When), call.Now, call.Zone)
	if one.Due != 0 { // what isn't said of it stays
		until = keptOf(one.Due, until, call)
	}
	return untilWhen(until, call)
}

// deadlineOf is what is to be done and until when. A deadline within what is taken
// out of it only where none is given beside it, and only where it says one.
func deadlineOf(call tool.SkillCall, what, said string) (string, domain.Millis, error) {
	if strings.TrimSpace(said) != "" {
		at, err := untilWhen(when.Look(strings.TrimSpace(said), call.Now, call.Zone), call)
		return what, at.At, err
	}
	at, err := when.Parse(what, call.Now, call.Zone)
	switch domain.CodeOf(err) {
	case "":
	case when.CodePassed:
		return what, 0, err
	default: // it says no deadline, and needs none
		return what, 0, nil
	}
	if rest := at.Rest(what); rest != "" && at.Recurrence == nil {
		return rest, at.At, nil
	}
	return what, 0, nil
}

// untilWhen reads a deadline. Before the end of something is by its end, and six or seven
// o'clock alone are in the evening: nothing is due at dawn.
func untilWhen(said *when.Text, call tool.SkillCall) (when.Time, error) {
	const before = "before the end"
	if text := said.String(); len(text) > len(before) && strings.EqualFold(text[:len(before)], before) {
		said = said.Saying("by" + text[len("before"):])
	}
	at, err := said.Parse()
	if err != nil {
		return at, err
	}
	if at.Recurrence != nil {
		return at, onlyOnce(said.String())
	}
	lower := strings.ToLower(said.String())
	if hour := at.At.Time().In(call.Zone).Hour(); (hour == 6 || hour == 7) && (strings.HasSuffix(lower, " 6") || strings.HasSuffix(lower, " 7") || strings.HasSuffix(lower, " six") || strings.HasSuffix(lower, " seven")) {
		if late, err := said.InHalf(when.Evening).Parse(); err == nil && late.At.Sub(at.At) == 12*time.Hour {
			return late, nil
		}
	}
	return at, nil
}

func onlyOnce(said string) error {
	return domain.Invalid("understand time", "deadline", fmt.Sprintf("%q comes again and again, and a task has one deadline: give one time, or set a reminder for what comes back", said))
}
