package skill

import (
	"context"
	"strings"

	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/speech"
	"chalie/domain/language/timing"
)

// task makes a task, notes how far it is and ends it.
func (s *skills) task() tool.Skill {
	return skill{effects: true, do: s.doTask, lacks: taskLacks, tool: domain.Tool{
		Name:        "task",
		Description: "Keep a task: something to be done, with or without a deadline, until it is completed or dropped.",
		Documentation: "action is create, progress, complete, drop or move. create needs what and takes a deadline; progress needs percent, " +
			"from 0 to 100, and takes a note; " +
			"move gives another deadline, or none when deadline is left out. All but create find the task by words of it in which, or by its " +
			"id; when several fit, the answer asks which one. " +
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
		return ask(say("none_of_them", args{"of": speech.Kind("task"), "said": theirOwn(p.Action)}))
	case verb == domain.PlanMade:
		return s.createTask(ctx, call, p)
	case blank(p.Which):
		p.Which = p.What
	}
	to := moving{When: strings.TrimSpace(p.Deadline)}
	return s.changePlans(ctx, call, request{naming: p.naming, moving: to, kind: domain.ItemTask, verb: verb, percent: p.Percent, note: p.Note})
}

func (s *skills) createTask(ctx context.Context, call tool.SkillCall, p taskParams) (tool.SkillDone, error) {
	what, until, err := timing.Deadline(strings.TrimSpace(p.What), p.Deadline, call.Now, call.Zone)
	if err != nil {
		return asksBack(err)
	}
	task := domain.Plan{Text: what, Time: domain.Appointment{Start: until}}
	if until != 0 {
		task.Time.Zone = call.Zone.String()
	}
	made := say("task.made", args{"what": theirOwn(what), "until": moment(until, call)})
	done, err := s.begin(ctx, call, domain.ItemTask, task, p.Again, map[string]any{"deadline": until}, made)
	if err != nil || refuses(done) || p.Percent == nil || *p.Percent == 0 {
		return done, err
	}
	begun := domain.Commitment{ID: done.Entries[0].Envelope.ID, Kind: domain.ItemTask, Standing: domain.StandingOpen}
	noted, err := s.happens(call, begun, domain.PlanProgressed, domain.Plan{Percent: *p.Percent, Note: p.Note})
	if err != nil {
		return asksBack(err)
	}
	done.Entries = append(done.Entries, noted)
	return done, nil
}
