package skill

import (
	"context"
	"strings"

	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/bynames"
	"chalie/domain/language/speech"
	"chalie/domain/language/tongues"
)

// isEverything reports whether all of a period is named, whatever its kind: everything, the day, or
// the period itself.
func (n naming) isEverything() bool {
	if !n.All || blank(n.During) {
		return false
	}
	return strings.EqualFold(n.Which, n.During) || bynames.MeansDay(tongues.PlainWords(strings.ToLower(n.Which)))
}

// staying says which plans of other kinds stay where all of one kind go, of a period.
func (s *skills) staying(ctx context.Context, r request, call tool.SkillCall) (speech.Message, error) {
	then, err := bynames.During(r.During, call.Now, call.Zone)
	if err != nil {
		return speech.Message{}, err
	}
	var stay speech.List
	for _, k := range domain.Events().Kinds() {
		if k.Kind == r.kind {
			continue
		}
		open, err := s.openTimed(ctx, k.Kind)
		if err != nil {
			return speech.Message{}, err
		}
		if found := len(fitting(open, then.Window, call)); found > 0 {
			stay = append(stay, say("plan.counted", args{"n": speech.Count(found), "kind": speech.Kind(k.Kind)}))
		}
	}
	if len(stay) == 0 {
		return say("stays.nothing_else"), nil
	}
	return say("stays.others", args{"plans": stay}), nil
}
