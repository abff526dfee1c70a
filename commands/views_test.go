package commands_test

import (
	"testing"

	"chalie/commands"
	"chalie/domain"
)

// toldPlace is a client's word of where the person is.
type toldPlace struct{ zone *string }

func (p toldPlace) Now() domain.ContextUpdated { return domain.ContextUpdated{Timezone: p.zone} }

func TestAtHomeUntilAClientSaysOtherwise(t *testing.T) {
	malta := "Europe/Malta"
	if got := (commands.AtHome{ContextView: toldPlace{}, Zone: "Asia/Tokyo"}).Now().Timezone; got == nil || *got != "Asia/Tokyo" {
		t.Errorf("nobody said where, and it is %v", got)
	}
	if got := (commands.AtHome{ContextView: toldPlace{&malta}, Zone: "Asia/Tokyo"}).Now().Timezone; *got != malta {
		t.Errorf("a client says Malta, and it is %s", *got)
	}
	if got := (commands.AtHome{ContextView: toldPlace{}, Zone: ""}).Now().Timezone; got != nil {
		t.Errorf("nobody knows, and it is %s", *got)
	}
}
