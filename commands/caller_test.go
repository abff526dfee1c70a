package commands_test

import (
	"testing"

	"chalie/commands"
	"chalie/domain"
)

func TestWhoIsAConsole(t *testing.T) {
	named := []string{commands.ScopeConsole}
	for name, c := range map[string]struct {
		caller commands.Caller
		is     bool
	}{
		"the operator":                  {commands.OperatorCaller("api"), true},
		"a token that names it":         {commands.TokenCaller(domain.Token{Name: "a", Signals: named}), true},
		"a token of any type":           {commands.TokenCaller(domain.Token{Name: "a"}), false},
		"a paired interface":            {commands.InterfaceCaller(domain.Interface{Name: "a", Origin: domain.OriginPaired, Signals: named}), false},
		"a registered interface":        {commands.InterfaceCaller(domain.Interface{Name: "a", Origin: domain.OriginRegistered, Approved: domain.Approval{Signals: named}}), false},
		"a program that needs no token": {commands.ConsoleCaller(), true},
	} {
		console, ok := c.caller.Console()
		if ok != c.is || ok && console.Principal != domain.PrincipalOperator {
			t.Errorf("%s: %v, %+v", name, ok, console)
		}
		if ok && c.caller.Operator != console.Operator {
			t.Errorf("%s may do more as a console than by itself", name)
		}
	}
}
