package domain_test

import (
	"encoding/json"
	"strings"
	"testing"

	"chalie/domain"
)

// What is judged in domain is bounded there, by whichever way it came in.
func TestWhatIsJudgedNestsNoDeeperThanTheBound(t *testing.T) {
	tool := domain.Tool{Name: "t", Parameters: []domain.Parameter{{Name: "a", Type: domain.TypeObject}}}
	for name, check := range map[string]func(json.RawMessage) error{
		"a signal's metadata": func(v json.RawMessage) error {
			return domain.SignalReceived{SignalType: "x", Content: "c", Metadata: v}.Check()
		},
		"a message's metadata": func(v json.RawMessage) error { return domain.MessageReceived{Text: "t", Metadata: v}.Check() },
		"an action's payload":  func(v json.RawMessage) error { return domain.ActionReceived{Skill: "s", Payload: v}.Check() },
		"a tool's parameters":  tool.CheckParams,
	} {
		for deep, code := range map[int]domain.Code{domain.MaxNesting: "", domain.MaxNesting + 1: domain.CodeTooNested} {
			value := json.RawMessage(strings.Repeat(`{"a":`, deep-1) + "{}" + strings.Repeat("}", deep-1))
			if err := check(value); domain.CodeOf(err) != code {
				t.Errorf("%s that nests %d deep: %v", name, deep, err)
			}
		}
	}
}
