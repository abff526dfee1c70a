package builtinmodel_test

import (
	"maps"
	"testing"

	"chalie/domain"
	"chalie/domain/language"
)

// A card's buttons are pressed by their own words and, where one thing alone follows, by a yes directly behind it.
func TestAnswersToACard(t *testing.T) {
	press := func(label, skill string, params map[string]any) domain.Pressable {
		payload := map[string]any{"skill": skill}
		maps.Copy(payload, params)
		return domain.Pressable{Label: label, Payload: payload}
	}
	look := press("Look for another table?", "find_table", map[string]any{"day": "2026-03-05"})
	move := press("Move it to Thursday 5 March at 21:00", "reminder", map[string]any{"action": "move", "which": "x", "when": "on 5 March 2026 at 21:00"})
	piano := press("Move “piano, Mia” to 15:00", "appointment", map[string]any{"action": "move", "which": "m", "when": "at 15:00"})
	flute := press("Move “flute, Ben” to 15:00", "appointment", map[string]any{"action": "move", "which": "b", "when": "at 15:00"})
	of := []domain.Pressable{press("Tell me more", "more", map[string]any{"plan": "x"}), press("Not this", "notice", map[string]any{"action": "dismiss", "plan": "x"}),
		press("Nothing of this kind from Luigi's", "notice", map[string]any{"action": "silence", "signals": "y"})}
	const (
		found = `find_table {"day":"2026-03-05"}`
		moved = `reminder {"action":"move","when":"on 5 March 2026 at 21:00","which":"x"}`
	)
	for _, c := range []struct {
		said   string
		card   []domain.Pressable
		latest bool
		want   string
	}{
		{"yes", []domain.Pressable{look}, true, found},
		{"Yes please.", []domain.Pressable{look}, true, found},
		{"ja, gerne", []domain.Pressable{look}, true, found},
		{"oui", []domain.Pressable{look}, true, found},
		{"sí, claro", []domain.Pressable{look}, true, found},
		{"find another restaurant", []domain.Pressable{look}, true, found},
		{"find another restaurant", []domain.Pressable{look}, false, found},
		{"find alternatives", []domain.Pressable{look}, true, found},
		{"such ein anderes Restaurant", []domain.Pressable{look}, true, found},
		{"cherche un autre restaurant", []domain.Pressable{look}, true, found},
		{"busca otra mesa", []domain.Pressable{look}, true, found},
		{"yes", []domain.Pressable{look}, false, "? I have asked you nothing just now."},
		{"yes", []domain.Pressable{move}, true, moved},
		{"ok, move it", []domain.Pressable{move, look}, true, moved},
		{"yes", []domain.Pressable{move, look}, true, "? I have asked you nothing just now."},
		{"ok change it", []domain.Pressable{piano, flute, look}, true, "? Which one do you mean: “Move \"piano, Mia\" to 15:00”, “Move \"flute, Ben\" to 15:00”?"},
		{"ok move Mia's", []domain.Pressable{piano, flute, look}, true, `appointment {"action":"move","when":"at 15:00","which":"m"}`},
		{"ok change it", []domain.Pressable{piano, flute}, false, "-"},
		{"yes", nil, true, "? I have asked you nothing just now."},
		{"yes to both", nil, true, "-"},
		{"not this", nil, true, `notice {"action":"dismiss"}`},
		{"no", []domain.Pressable{look}, true, "? Then I leave it: “hello”."},
		{"tell me more", []domain.Pressable{look}, true, "more {}"},
		{"not this", []domain.Pressable{look}, true, `notice {"action":"dismiss"}`},
	} {
		p := offers(t, c.said)
		p.Tools = append(skillsOffered(t), language.Offered{Name: "find_table", Interface: "Tables", Description: "Find a free table.", Parameters: []domain.Parameter{text("day", false, "The day, as YYYY-MM-DD.")}})
		p.Unasked = language.Unasked{Text: "Luigi's says “Luigi's is closed tonight”, and your reminder “dinner reservation at Luigi's” is due in 2 h.", Buttons: append(c.card, of...), Latest: c.latest}
		if got := outline(reply(t, p)); got != c.want {
			t.Errorf("%q, directly behind it %t: got %s, want %s", c.said, c.latest, got, c.want)
		}
	}
}
