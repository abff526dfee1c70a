package web

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"chalie/adapters/api"
	"chalie/domain"
)

// ahead is what comes next by itself.
type ahead struct {
	Plans   []api.Plan // those with a time, the next first
	More    int        // further ones
	Idle    string     // after how long of nothing Chalie looks over what it knows; "" when it doesn't
	Busy    bool       // it thinks by itself just now
	Waiting int        // things that it will think about after that
}

// nextPlans is how many plans the page names.
const nextPlans = 5

// ahead asks what comes next. Where only the log can be read nothing does.
func (v *visit) ahead() (ahead, error) {
	var out ahead
	var plans api.Plans
	var spine api.Spine
	for path, into := range map[string]any{"/api/plans": &plans, "/api/spine": &spine} {
		err := v.ask(path, nil, into)
		if refused, ok := errors.AsType[*refusal](err); ok && refused.status == http.StatusServiceUnavailable {
			continue
		}
		if err != nil {
			return out, err
		}
	}
	for _, list := range [][]api.Plan{plans.Reminders, plans.Tasks} {
		for _, p := range list {
			if p.Due != nil {
				out.Plans = append(out.Plans, p)
			}
		}
	}
	sortByDue(out.Plans)
	if out.More = len(out.Plans) - nextPlans; out.More > 0 {
		out.Plans = out.Plans[:nextPlans]
	}
	for _, s := range spine.Services {
		if s.Name == domain.ServiceIdle && s.State == "alive" {
			out.Idle = spanInWords(time.Duration(s.CycleMS) * time.Millisecond)
		}
	}
	for _, c := range spine.Consumers {
		out.Busy = out.Busy || c.Running != nil
		out.Waiting += c.Waiting
	}
	return out, nil
}

// spanInWords is a span as one says it.
func spanInWords(d time.Duration) string {
	for _, unit := range []struct {
		size time.Duration
		name string
	}{{24 * time.Hour, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}, {time.Second, "second"}} {
		if d >= unit.size && d%unit.size == 0 {
			return severalOf(int(d/unit.size), unit.name)
		}
	}
	return d.String()
}

// severalOf is a number with what it counts.
func severalOf(n int, name string) string {
	if n == 1 {
		return "1 " + name
	}
	return strconv.Itoa(n) + " " + name + "s"
}
