package httpapi

import (
	"encoding/json"
	"net/http"
	"slices"

	"chalie/adapters/api"
	"chalie/commands/tool"
	"chalie/domain"
)

// The web chat's strip of tasks and reminders: what it lists, and what its × takes away.

// tasks is GET /system/observability/tasks: the open tasks.
func (x *exchange) tasks() error {
	x.catchUp()
	out := []api.Task{}
	open, _, _ := planned(viewOf[domain.Plans](x))
	for _, c := range open {
		if c.Kind != domain.ItemTask {
			continue
		}
		text, err := x.planText(c.TextID)
		if err != nil {
			return err
		}
		status := "accepted"
		if c.Percent > 0 {
			status = "in_progress"
		}
		out = append(out, api.Task{
			ID: c.ID, Goal: text, Status: status, Progress: api.TaskProgress{CoverageEstimate: float64(c.Percent) / 100},
			Deadline: api.TimestampOf(c.Due), CreatedAt: api.TimestampOf(c.RecordedAt),
		})
	}
	return x.answer(http.StatusOK, api.Tasks{Tasks: out})
}

// dueStatus maps a reminder's standing to the web chat's status.
var dueStatus = map[domain.Standing]string{
	domain.StandingOpen: "pending", domain.StandingTold: "fired", domain.StandingDone: "done", domain.StandingDropped: "cancelled",
}

// scheduler is GET /scheduler?status=&limit=&offset=. Without a status it includes recently
// ended ones.
func (x *exchange) scheduler() error {
	q := x.query()
	wanted, limit, offset := q.values.Get("status"), q.count("limit"), q.count("offset")
	if q.err != nil {
		return q.err
	}
	x.catchUp()
	open, ended, _ := planned(viewOf[domain.Plans](x))
	all := slices.DeleteFunc(append(open, ended...), func(c domain.Commitment) bool {
		return c.Kind != domain.ItemReminder || wanted != "" && wanted != "all" && dueStatus[c.Standing] != wanted
	})
	out := api.Schedule{Items: []api.Scheduled{}, Total: len(all), Limit: limit, Offset: offset}
	from := min(offset, uint64(len(all)))
	for _, c := range all[from:min(from+limit, uint64(len(all)))] {
		p, err := x.planBody(c, q.now)
		if err != nil {
			return err
		}
		out.Items = append(out.Items, api.Scheduled{
			ID: c.ID, ItemType: c.Kind, Message: p.Text, DueAt: p.Due, Recurrence: p.Recurrence, Status: dueStatus[c.Standing],
			CreatedAt: p.SetAt, LastFiredAt: p.ToldAt,
		})
	}
	return x.answer(http.StatusOK, out)
}

// cancelReminder is DELETE /scheduler/:id.
func (x *exchange) cancelReminder() error {
	id, err := x.dismiss(domain.ItemReminder, "reminder", "cancel")
	if err != nil {
		return err
	}
	return x.answer(http.StatusOK, api.Dismissed{Status: dueStatus[domain.StandingDropped], ID: &id})
}

// dropTask is DELETE /system/observability/tasks/:id.
func (x *exchange) dropTask() error {
	if _, err := x.dismiss(domain.ItemTask, "task", "drop"); err != nil {
		return err
	}
	return x.answer(http.StatusOK, api.Dismissed{Status: dueStatus[domain.StandingDropped]})
}

// dismiss ends a plan by the skill that a button of the conversation would ask for, so that
// it is decided about, recorded, explained and taken back alike. One that is named by its id
// leaves no doubt, so it is confirmed.
func (x *exchange) dismiss(kind domain.ItemKind, skill, action string) (domain.ID, error) {
	if x.api.cfg.Tools == nil {
		return domain.ID{}, notRunning("dismiss a " + skill)
	}
	id, err := domain.ParseID(x.params.ByName("id"))
	if err != nil {
		return id, notPending(kind)
	}
	x.catchUp()
	if !x.isOpen(kind, id) {
		return id, notPending(kind)
	}
	params, err := json.Marshal(map[string]any{"action": action, "which": id.String(), "confirmed": true})
	if err != nil {
		return id, err
	}
	done, err := x.api.cfg.Tools.Invoke(x.withRoom(), x.caller, tool.Invocation{Tool: skill, Params: params, Channel: domain.ChannelAction})
	x.invocation = done.ID
	switch {
	case err != nil:
		return id, err
	case done.Outcome == domain.ApprovalProposedType:
		return id, &domain.Error{Op: "dismiss a " + skill, Category: domain.Policy, Code: "approval_required",
			Message: "the policy wants your approval for this first, so nothing was done yet: it waits among the approvals"}
	case done.Outcome != domain.ToolCompletedType:
		return id, noAnswer(done)
	}
	x.catchUp()
	if x.isOpen(kind, id) {
		return id, &domain.Error{Op: "dismiss a " + skill, Category: domain.Conflict, Code: "not_done", Message: "it wasn't dismissed: " + saidBy(done)}
	}
	return id, nil
}

// saidBy is what a skill said, or why it failed.
func saidBy(done tool.Invoked) string {
	switch {
	case done.Result.Error != nil:
		return *done.Result.Error
	case done.Result.Text != nil:
		return *done.Result.Text
	}
	return domain.PlainText(done.Result.Blocks)
}

func (x *exchange) isOpen(kind domain.ItemKind, id domain.ID) bool {
	open, _, _ := planned(viewOf[domain.Plans](x))
	return slices.ContainsFunc(open, func(c domain.Commitment) bool { return c.ID == id && c.Kind == kind })
}

// notPending is the refusal of what can't be dismissed: 404 of a reminder and 400 of a task,
// as the web chat knows them.
func notPending(kind domain.ItemKind) error {
	if kind == domain.ItemTask {
		return &domain.Error{Op: "dismiss a task", Category: domain.Validation, Code: "not_open", Field: "id", Message: "no open task has this id: list the tasks to see theirs"}
	}
	return &domain.Error{Op: "dismiss a reminder", Category: domain.NotFound, Code: "not_pending", Message: "no reminder that is pending has this id: list them to see theirs"}
}
