package gist

import (
	"fmt"
	"strings"

	"chalie/domain"
)

// policyGist tells a change of what may be done.
func policyGist(e domain.Envelope) string {
	if e.Type == domain.PolicyChangedType {
		return say(e, func(p domain.PolicyChanged) string {
			return fmt.Sprintf("%s, autonomy %s", Counted(len(p.Policy.Rules), "rule", "rules"), p.Policy.Autonomy)
		})
	}
	return say(e, func(p domain.CapabilityChanged) string {
		var said []string
		if p.SideEffects != nil {
			said = append(said, fmt.Sprintf("side effects %t", *p.SideEffects))
		}
		if p.RequiresApproval != nil {
			said = append(said, fmt.Sprintf("asks for approval %t", *p.RequiresApproval))
		}
		if p.Autonomy != nil {
			said = append(said, "autonomy "+string(*p.Autonomy))
		}
		if len(said) == 0 {
			said = []string{"is what it says of itself"}
		}
		return p.CapabilityID + ": " + strings.Join(said, ", ")
	})
}
