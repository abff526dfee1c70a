package commands_test

import (
	"slices"
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

func TestWhoSpeaksMCP(t *testing.T) {
	named := []string{commands.ScopeMCP}
	for name, c := range map[string]struct {
		caller commands.Caller
		may    bool
	}{
		"the operator, who is no program": {commands.OperatorCaller("api"), false},
		"a token that names it":           {commands.TokenCaller(domain.Token{Name: "a", Signals: named}), true},
		"a token of any type":             {commands.TokenCaller(domain.Token{Name: "a"}), false},
		"a paired interface":              {commands.InterfaceCaller(domain.Interface{Name: "a", Origin: domain.OriginPaired, Signals: named}), false},
		"a registered interface":          {commands.InterfaceCaller(domain.Interface{Name: "a", Origin: domain.OriginRegistered, Approved: domain.Approval{Signals: named}}), false},
	} {
		if _, may := c.caller.MCP(); may != c.may {
			t.Errorf("%s: %v", name, may)
		}
	}
}

// TestWhoseRecordsTheyAre looks for what a program sent, also under an earlier build, which
// knew it by its name: what stood under that name before its token was issued was another's, and
// so is what stands under a name that somebody else goes by.
func TestWhoseRecordsTheyAre(t *testing.T) {
	const uuid = "019b76da-a800-7000-8000-000000000001"
	token := domain.Token{Name: "editor", Issued: domain.ID{1}, Position: 10}
	posing := domain.Token{Name: uuid, Issued: domain.ID{2}, Position: 10}
	for what, c := range map[string]struct {
		of   domain.Token
		who  domain.Principal
		at   domain.Position
		owns bool
	}{
		"its own":                             {token, token.Principal(), 20, true},
		"of before, by its name":              {token, "editor", 11, true},
		"of an earlier program of that name":  {token, "editor", 9, false},
		"of another program":                  {token, posing.Principal(), 20, false},
		"of an interface by whose id it went": {posing, uuid, 20, false},
		"of the person":                       {token, domain.PrincipalOperator, 20, false},
	} {
		rec := domain.Record{Position: c.at, Envelope: domain.Envelope{Principal: c.who}}
		if owns := commands.TokenCaller(c.of).Owns(rec); owns != c.owns {
			t.Errorf("what is %s: %v", what, owns)
		}
	}
	if who := commands.TokenCaller(posing); string(who.Source) == uuid || who.Name == uuid {
		t.Errorf("an id for a name is read as %s, from %s", who.Name, who.Source)
	}
}

// TestRightsAreGiven holds that what a program declares for itself is no right, whichever way it came in.
func TestRightsAreGiven(t *testing.T) {
	all := []string{domain.RightConsole, domain.RightContext, domain.RightMCP, domain.RightVoice, "weather"}
	given := domain.Approval{Signals: []string{domain.RightVoice}}
	more := domain.Approval{Signals: all}
	for name, c := range map[string]struct {
		caller commands.Caller
		has    []string
	}{
		"the operator":                      {commands.OperatorCaller("api"), all[:4]},
		"a token that names them":           {commands.TokenCaller(domain.Token{Name: "a", Signals: all}), all[:4]},
		"a token of any type":               {commands.TokenCaller(domain.Token{Name: "a"}), nil},
		"a paired interface that declared":  {commands.InterfaceCaller(domain.Interface{Name: "a", Origin: domain.OriginPaired, Signals: all}), nil},
		"a paired interface of any type":    {commands.InterfaceCaller(domain.Interface{Name: "a", Origin: domain.OriginPaired}), nil},
		"one that the person gave one":      {commands.InterfaceCaller(domain.Interface{Name: "a", Origin: domain.OriginPaired, Signals: all, Approved: given}), []string{domain.RightVoice}},
		"a registered one with an approval": {commands.InterfaceCaller(domain.Interface{Name: "a", Origin: domain.OriginRegistered, Approved: given}), []string{domain.RightVoice}},
		"what takes a token, approved":      {commands.InterfaceCaller(domain.Interface{Name: "a", Origin: domain.OriginRegistered, Approved: more}), []string{domain.RightContext, domain.RightVoice}},
	} {
		var has []string
		for _, right := range all[:4] {
			if c.caller.Has(right) {
				has = append(has, right)
			}
		}
		if !slices.Equal(has, c.has) {
			t.Errorf("%s has %q, want %q", name, has, c.has)
		}
		if err := c.caller.MayEmit("weather"); name == "a paired interface that declared" && err != nil {
			t.Errorf("%s may not send what it declared: %v", name, err)
		}
	}
}
