package commands

import (
	"fmt"
	"slices"
	"strings"

	"chalie/domain"
)

// said is what opened an episode: a message or an action.
type said struct {
	message domain.MessageReceived
	action  domain.ActionReceived
	erased  bool // neither can be read any more
}

// openingOf reads what opened an episode. The error is CodeUndecodable.
func openingOf(ep *domain.Episode) (said, error) {
	var out said
	var err error
	if env := ep.Opening.Envelope; env.Type == "action.received" {
		out.action, err = domain.Decode[domain.ActionReceived](env)
	} else {
		out.message, err = domain.Decode[domain.MessageReceived](env)
	}
	if domain.CodeOf(err) == domain.CodeErased {
		return said{erased: true}, nil
	}
	return out, err
}

// noSkill is what comes of an action as long as nothing runs skills.
func (r *Reasoner) noSkill(s said) domain.Fault {
	if s.erased {
		return domain.Fault{Code: domain.CodeErased, Category: domain.NotFound,
			Message: "what was asked for was erased before it was done: ask again if it still matters"}
	}
	fault := domain.Fault{Code: "unknown_skill", Category: domain.NotFound}
	name := s.action.Skill
	switch {
	case slices.Contains(r.cfg.Skills, name):
		fault.Code, fault.Category = "skill_not_run", domain.Dependency
		fault.Message = fmt.Sprintf("the skill %q is known, but this build can't run skills yet: say what you want as a message", name)
	case len(r.cfg.Skills) == 0:
		fault.Message = fmt.Sprintf("there is no skill %q, since there are no skills yet: say what you want as a message", name)
	default:
		fault.Message = fmt.Sprintf("there is no skill %q: the skills are %s", name, someOf(r.cfg.Skills))
	}
	return fault
}

// someOf names the first few of a list.
func someOf(names []string) string {
	const few = 10
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
}
