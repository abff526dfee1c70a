package skill_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"

	"pgregory.net/rapid"
)

// Whoever calls a skill may give anything as its words: a model, a program, a slip of the finger. Each is answered.
func TestSkillsBearAnyWords(t *testing.T) {
	p := newPlanner(t)
	p.explains = func(about string, _ bool) ([]string, error) { return []string{"Because of " + about + "."}, nil }
	p.call("remind", `{"what":"water the plants","when":"every Monday at 9"}`)
	p.call("remind", `{"what":"call Ana","when":"tomorrow at 8"}`)
	p.call("appointment", `{"what":"dentist","when":"on Friday from 3 to 4pm","place":"Main Street","with":"Ann and Bo"}`)
	p.call("appointment", `{"what":"yoga","when":"every Thursday at 10"}`)
	p.call("task", `{"what":"tax return","deadline":"on 15 December"}`)
	p.call("list", `{"action":"add","list":"shopping","item":"milk, 2 eggs"}`)
	p.call("remember", `{"what":"my sister's name is Ida"}`)
	p.hears("weather", "Rain tonight, 12 mm")
	actions := rapid.SampledFrom([]string{"add", "remove", "show", "clear", "create", "done", "complete", "cancel", "drop", "move", "skip", "pause",
		"snooze", "progress", "silence", "dismiss", "restore", "purchase"})
	words := rapid.OneOf(
		rapid.SampledFrom([]string{"", " ", "?", ".", "!", ",", "for", "at for", "'s", "’s", "-", "and", " and ", "longer", "and Bo", "in", "at", "the",
			"\"", "“”", "()", "0", "-1", "\u00a0", "\u200b", "é", "東京", "a,b", "\n", "all", "both", "everything", "it", "the first", "none"}),
		rapid.SampledFrom([]string{"plants", "dentist", "yoga", "call Ana", "tax return", "shopping", "milk", "tomorrow", "tomorrow at 9", "every day at 7",
			"on Mondays", "until Friday", "for two weeks", "next week", "2 hours", "an hour longer", "30 minutes", "from 5 to 3", "31 February"}),
		rapid.StringMatching(`[ a-z0-9:.,'?-]{0,12}`),
	)
	rapid.Check(t, func(rt *rapid.T) {
		name := rapid.SampledFrom(slices.Sorted(maps.Keys(p.tools))).Draw(rt, "skill")
		offered, given := p.tools[name].Tool(), map[string]any{}
		for _, of := range offered.Parameters {
			switch {
			case !of.Required && rapid.Bool().Draw(rt, "leaves out "+of.Name):
			case of.Type == domain.TypeBoolean:
				given[of.Name] = rapid.Bool().Draw(rt, of.Name)
			case of.Type == domain.TypeInteger:
				given[of.Name] = rapid.IntRange(-1, 101).Draw(rt, of.Name)
			case of.Name == "action":
				given[of.Name] = rapid.OneOf(actions, actions, actions, words).Draw(rt, of.Name)
			default:
				given[of.Name] = words.Draw(rt, of.Name)
			}
		}
		params, err := json.Marshal(given)
		if err != nil || offered.CheckParams(params) != nil {
			rt.Skip("the tool doesn't take that")
		}
		cause := p.ids.NewID()
		done, err := p.tools[name].Do(t.Context(), tool.SkillCall{
			Params: params, By: commands.OperatorCaller("test"), Now: p.now(), Zone: p.zone,
			Lineage: domain.Lineage{Trace: domain.TraceID{ID: cause}, Parent: cause, Principal: domain.PrincipalOperator},
		})
		if err != nil {
			rt.Fatalf("%s %s: %v", name, params, err)
		}
		if done.Result.Text == nil && len(done.Result.Blocks) == 0 && len(done.Result.Data) == 0 {
			rt.Fatalf("%s %s is answered with nothing", name, params)
		}
	})
}
