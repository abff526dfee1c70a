package reasoning_test

import (
	"testing"

	"chalie/commands/commandstest"
	"chalie/domain"
)

// A button that was pressed since the last exchange is told with it, and only with it.
func TestPressedButtonsAreTold(t *testing.T) {
	s := commandstest.NewStage(t)
	s.Tools.Offered = []string{"look"}
	s.Answer(s.Say(commandstest.Ada, "hello"))
	id, err := s.Messages.Act(t.Context(), commandstest.Ada, domain.ActionReceived{Skill: "look", Payload: []byte(`{"skill":"look"}`)})
	if err != nil {
		t.Fatal(err)
	}
	s.Answer(s.Find(id))
	s.Answer(s.Say(commandstest.Ada, "and now?"))
	asked := s.Model.Asked[len(s.Model.Asked)-1]
	last := asked.Recent[len(asked.Recent)-1]
	if len(last.Pressed) != 1 {
		t.Fatalf("it is told of %+v", last.Pressed)
	}
	s.Answer(s.Say(commandstest.Ada, "and then?"))
	asked = s.Model.Asked[len(s.Model.Asked)-1]
	for _, turn := range asked.Recent {
		if len(turn.Pressed) != 0 {
			t.Errorf("%q is still told with %+v", turn.Prompt, turn.Pressed)
		}
	}
}
