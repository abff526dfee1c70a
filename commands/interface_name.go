package commands

import (
	"fmt"
	"strings"

	"chalie/domain"
	"chalie/domain/guard"
)

// checkName refuses a name that passes for Chalie's own, or for the one of an
// interface elsewhere without being the same. Two of one name are told apart
// wherever a name stands, by where they listen and by their ids; nobody looks for a
// second one behind a name that seems to be there once. What listens at the place
// already may go on under its name.
func checkName(r *domain.Registry, name, host string, port int) error {
	const op = "check interface"
	here, known := r.At(host, port)
	switch {
	case guard.IsUnseen(name):
		return domain.Invalid(op, "name", "name is required: say what the interface is called, with something that can be seen")
	case guard.HasUnseen(name):
		return domain.Invalid(op, "name", fmt.Sprintf("the name %+q has characters that aren't seen or turn the writing around, so it would be read otherwise than it is written: leave them out", name))
	case guard.PassesFor(name, domain.OwnName), guard.PassesFor(name, strings.ToUpper(domain.OwnName)):
		return domain.Invalid(op, "name", fmt.Sprintf("the name %+q looks like %s, which is taken by what Chalie itself can do: choose another", name, domain.OwnName))
	case guard.PassesFor(strings.ToLower(name), "you"), guard.PassesFor(strings.ToLower(name), string(domain.PrincipalOperator)):
		return domain.Invalid(op, "name", fmt.Sprintf("the name %+q is how Chalie speaks of its person: choose another", name))
	case known && here.Name == name:
		return nil
	}
	for _, other := range r.Interfaces {
		if other.Name != name && (here == nil || other.ID != here.ID) && guard.LookAlike(name, other.Name) {
			return domain.Invalid(op, "name", fmt.Sprintf(
				"the name %+q looks like that of another interface without being the same: choose one that people can tell apart", name))
		}
	}
	return nil
}
