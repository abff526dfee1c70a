package skill

import (
	"cmp"
	"slices"

	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/speech"
)

// doing is what a call does.
type doing struct {
	*skills

	call       tool.SkillCall
	at         domain.Position // what is known is known as of here or later
	entries    []domain.Entry
	conditions []domain.Condition
	err        error // the first one: nothing is done then
}

// fails keeps the first error.
func (d *doing) fails(err error) { d.err = cmp.Or(d.err, err) }

// rests has it rest on nothing with a key happening meanwhile.
func (d *doing) rests(key domain.Key) {
	if one := (domain.Condition{Key: key, After: d.at}); !slices.Contains(d.conditions, one) {
		d.conditions = append(d.conditions, one)
	}
}

// does adds an effect, which rests on nothing with a key happening meanwhile, and returns its id.
func (d *doing) does(key domain.Key, payload any) domain.ID {
	d.rests(key)
	var keys []domain.Key
	if keyed, ok := payload.(commands.Keyed); ok {
		keys = keyed.Keys()
	}
	e, err := entry(d.skills, d.call, payload, keys)
	d.fails(err)
	d.entries = append(d.entries, e)
	return e.Envelope.ID
}

// did is the answer to what is done, with what it points at.
func (d *doing) did(m speech.Message, points map[string]any) (tool.SkillDone, error) {
	done, err := confirm(m, points, d.entries...)
	done.Conditions = d.conditions
	return done, cmp.Or(d.err, err)
}
