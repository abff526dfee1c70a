package commands_test

import (
	"testing"

	"chalie/commands"
	"chalie/domain"
)

// toldPlace is a client's word of where the person is.
type toldPlace struct{ zone *string }

func (p toldPlace) Read(fn func(*domain.ContextUpdated)) {
	fn(&domain.ContextUpdated{Timezone: p.zone})
}

func TestAtHomeUntilAClientSaysOtherwise(t *testing.T) {
	malta := "Europe/Malta"
	if got := commands.Copy(commands.AtHome{View: toldPlace{}, Zone: "Asia/Tokyo"}).Timezone; got == nil || *got != "Asia/Tokyo" {
		t.Errorf("nobody said where, and it is %v", got)
	}
	if got := commands.Copy(commands.AtHome{View: toldPlace{&malta}, Zone: "Asia/Tokyo"}).Timezone; *got != malta {
		t.Errorf("a client says Malta, and it is %s", *got)
	}
	if got := commands.Copy(commands.AtHome{View: toldPlace{}, Zone: ""}).Timezone; got != nil {
		t.Errorf("nobody knows, and it is %s", *got)
	}
}
