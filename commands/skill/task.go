package skill

import (
	"context"
	"fmt"
	"strings"
	"time"

	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/speech"
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

func (s *skills) doTask(ctx context.Context, call tool.SkillCall) (tool.SkillDone, error) {
	p, err := params[taskParams](call)
	if err != nil {
		return asksBack(err)
	}
	action := strings.ToLower(strings.TrimSpace(p.Action))
	switch action {
	case "", "create", "add", "new":
		return s.createTask(ctx, call, p)
	case "done", "finish", "complete":
		action = "complete"
	case "cancel", "drop":
		action = "drop"
	case "progress", "move":
	default:
		return ask(say("task.no_such_action", args{"action": theirOwn(p.Action)}))
	}
	all, through, err := s.open(ctx, domain.ItemTask)
	if err != nil {
		return tool.SkillDone{}, err
	}
	if strings.TrimSpace(p.Which) == "" {
		p.Which = p.What
	}
	if p.ends = action == "drop"; p.ends {
		if done, ok, err := s.endTogether(ctx, call, p.naming); ok || err != nil {
			return done, err
		}
	}
	found := choose(p.naming, "task", dated(all, call), call)
	if found.absent && action != "progress" {
		if done, ok, err := s.elsewhere(ctx, call, p.naming, domain.ItemTask, action, changedTo{when: p.Deadline}); ok || err != nil {
			return done, err
		}
		if action == "complete" {
			if done, ok, err := s.offLists(ctx, call, p.Which); ok || err != nil {
				return done, err
			}
		}
	}
	if found.namesNone() {
		return found.asks()
	}
	one := found.plans[0]
	switch action {
	case "complete", "drop":
		return s.endTasks(call, found, through, action, p.naming)
	}
	if len(found.plans) > 1 && action == "move" {
		return movingEach(call, "task", found, p.naming, func(one planned) (tool.SkillDone, error) {
			return s.moveTask(call, one, through, p.Deadline)
		})
	}
	if len(found.plans) > 1 {
		return whichOne("task", found.plans)
	}
	if action == "move" {
		return s.moveTask(call, one, through, p.Deadline)
	}
	return s.progressTask(call, one, through, p)
}

func (s *skills) createTask(ctx context.Context, call tool.SkillCall, p taskParams) (tool.SkillDone, error) {
	what, until, err := deadlineOf(call, strings.TrimSpace(p.What), p.Deadline)
	if err != nil {
		return asksBack(err)
	}
	task := domain.TaskCreated{Text: what, Deadline: until}
	if until != 0 {
		task.Zone = call.Zone.String()
	}
	if err := task.Check(); err != nil {
		return asksBack(err)
	}
	if full, err := s.full(ctx); err != nil || full {
		return noRoom(err)
	}
	if !p.Again {
		if there, err := s.alreadyPlanned(ctx, call, domain.ItemTask, what, domain.Timing{Due: until}); err != nil || !there.IsZero() {
			return orAnyway(there, "label.add_anyway", err)
		}
	}
	e, err := entry(s, call, task, nil)
	if err != nil {
		return tool.SkillDone{}, err
	}
	entries := []domain.Entry{e}
	if p.Percent != nil && *p.Percent != 0 {
		progress := domain.TaskProgressed{TaskID: e.Envelope.ID, Percent: *p.Percent, Note: p.Note}
		if err := progress.Check(); err != nil {
			return asksBack(err)
		}
		noted, err := entry(s, call, progress, progress.Keys())
		if err != nil {
			return tool.SkillDone{}, err
		}
		entries = append(entries, noted)
	}
	return confirm(say("task.made", args{"what": theirOwn(what), "until": moment(until, call)}), map[string]any{"task_id": e.Envelope.ID.UUID(), "text": what, "deadline": until}, entries...)
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

func (s *skills) endTask(one planned, through domain.Position, how ending) (tool.SkillDone, error) {
	e, err := how.end(one)
	if err != nil {
		return tool.SkillDone{}, err
	}
	said := speech.ID("done")
	if how.deed == "drop" {
		said = "task.let_go"
	}
	return resting(one.ID, through)(confirm(say(said, args{"what": one.its()}), one.ended(), e))
}

// endTasks ends one, or several when that was confirmed.
func (s *skills) endTasks(call tool.SkillCall, found selection, through domain.Position, action string, n naming) (tool.SkillDone, error) {
	how := ending{noun: "task", deed: "drop", end: func(p planned) (domain.Entry, error) {
		dropped := domain.TaskDropped{TaskID: p.ID}
		return entry(s, call, dropped, dropped.Keys())
	}}
	if action == "complete" {
		how.deed, how.end = "complete", func(p planned) (domain.Entry, error) {
			done := domain.TaskCompleted{TaskID: p.ID}
			return entry(s, call, done, done.Keys())
		}
	}
	return s.endAll(how, found, through, n, func(one planned) (tool.SkillDone, error) {
		return s.endTask(one, through, how)
	})
}

func (s *skills) moveTask(call tool.SkillCall, one planned, through domain.Position, said string) (tool.SkillDone, error) {
	moved := domain.TaskChanged{TaskID: one.ID}
	says := say("task.undated", args{"what": one.its()})
	if strings.TrimSpace(said) != "" {
		until := when.Look(strings.TrimSpace(said), call.Now, call.Zone)
		if one.Due != 0 { // what isn't said of it stays
			until = keptOf(one.Due, until, call)
		}
		at, err := untilWhen(until, call)
		if err != nil {
			return asksBack(err)
		}
		moved.Deadline, moved.Zone = at.At, call.Zone.String()
		says = say("task.made", args{"what": one.its(), "until": moment(at.At, call)})
	}
	e, err := entry(s, call, moved, moved.Keys())
	if err != nil {
		return tool.SkillDone{}, err
	}
	return resting(one.ID, through)(confirm(says, one.spokenAnew(moved.Deadline, 0, false), e))
}

func (s *skills) progressTask(call tool.SkillCall, one planned, through domain.Position, p taskParams) (tool.SkillDone, error) {
	if p.Percent == nil {
		return ask(say("task.how_far", args{"what": one.its()}))
	}
	progress := domain.TaskProgressed{TaskID: one.ID, Percent: *p.Percent, Note: strings.TrimSpace(p.Note)}
	if err := progress.Check(); err != nil {
		return asksBack(err)
	}
	e, err := entry(s, call, progress, progress.Keys())
	if err != nil {
		return tool.SkillDone{}, err
	}
	return resting(one.ID, through)(confirm(say("task.percent", args{"what": one.its(), "percent": speech.Count(*p.Percent)}), one.spoken(), e))
}
