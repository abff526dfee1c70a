package skill

import (
	"context"
	"fmt"
	"strings"

	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/when"
)

// isEverything reports whether all of a period is named, whatever its kind: everything, the day, or
// the period itself.
func (n naming) isEverything() bool {
	return n.All && !blank(n.During) && (strings.EqualFold(n.Which, n.During) || containsAny(commands.PlainWords(strings.ToLower(n.Which)), []string{"everything", "day", "days"}))
}

// staying says which reminders and tasks of a period stay where its appointments go.
func (s *skills) staying(ctx context.Context, n naming, call tool.SkillCall) (string, error) {
	w, _, err := when.Narrow(n.During, call.Now, call.Zone)
	if err != nil {
		return "", err
	}
	var stay []string
	for _, kind := range []domain.ItemKind{domain.ItemReminder, domain.ItemTask} {
		open, err := s.openTimed(ctx, kind)
		if err != nil {
			return "", err
		}
		switch found := len(fitting(open, w, call)); found {
		case 0:
		case 1:
			stay = append(stay, "1 "+string(kind))
		default:
			stay = append(stay, fmt.Sprintf("%d %ss", found, kind))
		}
	}
	if len(stay) == 0 {
		return " Nothing else is planned then.", nil
	}
	return " What stays of then: " + strings.Join(stay, " and ") + ".", nil
}
