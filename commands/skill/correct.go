package skill

import (
	"slices"
	"strings"

	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/speech"
	"chalie/domain/language/timing"
)

// exceptHelp describes the parameter by which days are left out of a plan that comes back.
const exceptHelp = `For move: days of the week on which one that comes back isn't to come any more, such as: "Wednesdays", "weekends".`

// resting makes the period of plans that are to rest for a while of what was said; a question asks
// for it. To skip for a week is as much as pausing.
func (n *naming) resting(action string, call tool.SkillCall) (question speech.Message) {
	if action == "skip" && !timing.Lasts(n.During, call.Now, call.Zone) {
		return question
	}
	if blank(n.During) {
		return say("rest.how_long")
	}
	pause := timing.Rest(n.During, call.Now, call.Zone)
	if n.During = pause.During; pause.Short {
		return say("rest.whole_days")
	}
	return question
}

// comingBack are the plans that come back, which alone can be skipped.
func comingBack(all []planned) []planned {
	return slices.DeleteFunc(slices.Clone(all), func(p planned) bool { return p.recurrence == nil })
}

// chooseSkipped finds the plans of which a time is to be left out: among those that come back, and
// where none is meant, among the others, of which it can be said that they don't. With all those
// are meant, too.
func chooseSkipped(n naming, noun string, all []planned, call tool.SkillCall) selection {
	first, _, several := strings.Cut(strings.TrimSpace(n.Which), " and ")
	if _, err := domain.ParseID(first); n.All || several && err == nil {
		return choose(n, noun, all, call)
	}
	again := comingBack(all)
	found := choose(n, noun, again, call)
	if !found.absent {
		return found
	}
	named := strings.TrimSpace(n.Which)
	nothing := args{"period": periodSaid(n.During, call)}
	if named != "" {
		nothing["which"] = theirOwn(named)
	}
	found.none, found.question = speech.Message{}, say("skip.nothing", nothing)
	anytime := n
	anytime.During = ""
	if of := choose(anytime, noun, again, call); !blank(n.During) && len(of.plans) == 1 {
		one := of.plans[0]
		found.question = say("plan.not_then", args{"what": one.its(), "period": periodSaid(n.During, call), "again": one.returns()})
	} else if of := choose(n, noun, all, call); len(of.plans) == 1 {
		of.absent = true
		return of
	}
	return found
}
