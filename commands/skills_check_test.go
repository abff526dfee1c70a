package commands_test

import (
	"encoding/json"
	"testing"

	"chalie/commands"
	"chalie/domain"
)

// What nothing can come of is refused before anybody is asked to approve it.
func TestSkillsCheck(t *testing.T) {
	h := newPlanner(t)
	checked := 0
	for _, s := range h.tools {
		for params, field := range map[string]map[string]string{
			"remind":   {`{}`: "what", `{"what":" "}`: "what", `{"text":"milk at 8"}`: ""},
			"reminder": {`{"action":"move"}`: "when", `{"action":"done"}`: ""},
			"task":     {`{}`: "what", `{"action":"create"}`: "what", `{"what":"taxes"}`: "", `{"action":"complete"}`: ""},
			"list":     {`{"action":"add"}`: "item", `{}`: ""},
		}[s.Tool().Name] {
			checked++
			err := s.(commands.SkillChecker).Check(json.RawMessage(params))
			if (err != nil) != (field != "") || err != nil && domain.CategoryOf(err) != domain.Validation {
				t.Errorf("%s %s: %v, want a word about %q", s.Tool().Name, params, err, field)
			}
		}
	}
	if checked != 11 {
		t.Errorf("%d calls were checked", checked)
	}
}

func TestNobodyApprovesTheImpossible(t *testing.T) {
	c := newCounter(t)
	c.skills = []commands.Skill{newPlanner(t).tools["remind"]}
	if _, err := c.tools().Invoke(t.Context(), ada, commands.Invocation{Tool: "remind"}); domain.CategoryOf(err) != domain.Validation {
		t.Errorf("told %v", err)
	}
	c.happened()
	if got, err := c.tools().Invoke(t.Context(), ada, commands.Invocation{Tool: "remind", Params: []byte(`{"text":"milk at 8"}`)}); err != nil || got.Outcome != "approval.proposed" {
		t.Errorf("told %+v, %v", got, err)
	}
}
