package domain_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"chalie/domain"
	"chalie/domain/domaintest"
)

func TestNaming(t *testing.T) {
	id := domaintest.NewIDs(domaintest.NewClock(), 1).NewID()
	for _, name := range []string{
		id.UUID(), strings.ToUpper(id.UUID()), id.String(), strings.ToLower(id.String()), strings.ReplaceAll(id.UUID(), "-", ""), " " + id.UUID() + " ",
		strings.Repeat("0", 32), strings.Repeat("0", 26), "00000000-0000-0000-0000-000000000000", "ABCDEFABCDEFABCDEFABCDEFABCDEFAB",
		"operator", "core", "reasoning", "interface", "program", "stream", "chalie", "Chalie", "api", "chat", "socket", "mcp", "MCP", "message", "console", "voice",
		"policy", "Tools", "cli", "you", "program:x", "Program:" + id.UUID(), "interface:x", "interface/x", "stream:x",
		"gnp.\u202efdp", "a\u2066b", "a\u200fb", // turned around
		"wea\u200bther", "weather\ufe0f", "weather\U000e0041", "wea\u00adther", "weather\u3164", "\u2060weather", "пого\u200dда", // not seen
		"оperator", "OPERATOR", "ｏｐｅｒａｔｏｒ", "0perator", "𝐜𝐨𝐫𝐞", "νoice", "too1s", "mсp", "c\u0301hat", "C h a l i e", "Сhаlіе.", "y.o.u", // looks like
		"рrogram:x", "ｉｎｔｅｒｆａｃｅ：x", strings.ReplaceAll(strings.ReplaceAll(id.UUID(), "a", "а"), "0", "０"),
	} {
		if err := domain.CheckNaming("name", "name", name); domain.CategoryOf(err) != domain.Validation {
			t.Errorf("%+q is a name: %v", name, err)
		}
		if err := domain.CheckTokenName(name); err == nil {
			t.Errorf("%+q is the name of a token", name)
		}
	}
	for _, name := range []string{"weather", "Chat room", "reasoning2", "the operator", "deadbeef", "שלום", "👩‍👩‍👧", "Погода", "می\u200cخواهم", "❤️", "sess_abc123", "aistalk_" + id.UUID(), "console_user", "default"} {
		if err := domain.CheckNaming("name", "name", name); err != nil {
			t.Errorf("%+q is none: %v", name, err)
		}
	}
	for _, name := range []string{"scheduler", "spine", "pairing"} { // services answer for what they begin
		if err := domain.CheckTokenName(name); err == nil {
			t.Errorf("%q is the name of a token", name)
		}
	}
	for name, others := range map[string]string{"Weather": "weather", "wеather": "weather", "ｗｅａｔｈｅｒ": "weather", "modern": "modem", "editor1": "editorl", "ПОГОДА": "погода", "weather": "weather"} {
		if err := domain.CheckNaming("name", "name", name, "rail", others); domain.CategoryOf(err) != domain.Validation {
			t.Errorf("%+q is a name beside %+q: %v", name, others, err)
		}
	}
	if err := domain.CheckNaming("name", "name", "weather 2", "weather", "rail"); err != nil {
		t.Error(err)
	}
}

// TestNamesOfConversations gives the names of conversations to each of the two checks: of what stands in one,
// and of what a caller gives.
func TestNamesOfConversations(t *testing.T) {
	for name, want := range map[domain.ConversationName][2]bool{
		{}:                                 {true, true},
		{Session: "work"}:                  {true, true},
		{Session: "gnp.\u202efdp"}:         {},
		{Session: "w\u200bork"}:            {},
		{Session: "x", User: "a\u200bb"}:   {},
		{Project: "\ufeffp", Session: "x"}: {},
		{Session: "operator"}:              {true, false},
		{Project: "aistalk", Session: "01890a5d-ac96-774b-bcce-b302099a8057"}: {true, false},
		{Project: "aistalk", Session: "x", User: "program:x"}:                 {true, false},
		{Project: domain.ProjectMCP, Session: "editor"}:                       {true, false},
		{Project: domain.ProjectBrain, Session: "cli"}:                        {true, false},
		{Project: "default", Session: "sess_abc123", User: "console_user"}:    {true, true},
		{Project: "aistalk", Session: "Work"}:                                 {true, false}, // beside work
		{Project: "aistalk", Session: "aistalk_sess_5", User: "aistalk_user"}: {true, true},
	} {
		if err := name.Check(); (err == nil) != want[0] || err != nil && domain.CategoryOf(err) != domain.Validation {
			t.Errorf("%+v: %v", name, err)
		}
		if err := name.CheckGiven("work"); (err == nil) != want[1] && name.Session != "work" || err != nil && domain.CategoryOf(err) != domain.Validation {
			t.Errorf("%+v is given: %v", name, err)
		}
	}
}

// TestPrincipalsDontMeet holds the kinds of principals apart by their form: whatever a program
// is called, its principal is none of an interface, a stream, a service or the person, and its
// actor is no interface's and no name's.
func TestPrincipalsDontMeet(t *testing.T) {
	ids := domaintest.NewIDs(domaintest.NewClock(), 1)
	rapid.Check(t, func(rt *rapid.T) {
		token := domain.Token{Name: rapid.String().Draw(rt, "name"), Issued: ids.NewID()}
		if rapid.Bool().Draw(rt, "an id") {
			token.Name = ids.NewID().UUID()
		}
		who := token.Principal()
		if _, err := domain.ParseID(string(who)); err == nil || who.IsStream() || who == domain.PrincipalOperator || who == domain.PrincipalCore || domain.CheckTokenName(string(who)) == nil {
			rt.Fatalf("%s is something else, too", who)
		}
		if issued, ok := who.Program(); !ok || issued != token.Issued {
			rt.Fatalf("%s is the program of %v, %v", who, issued, ok)
		}
		if actor := domain.ActorOf(who); actor != string(who) || domain.ActorKind(actor) != "program" || actor == domain.ProgramNamed(token.Name) {
			rt.Fatalf("%s acts as %s", who, actor)
		}
		again := domain.Token{Name: token.Name, Issued: ids.NewID()}
		if again.Principal() == who {
			rt.Fatalf("two tokens of one name are %s", who)
		}
	})
}

// TestRulesByName follows a rule that the person wrote with a program's name: it is for the
// token that has the name, not for one that had it, and not for one that is called as another's id.
func TestRulesByName(t *testing.T) {
	l := domaintest.NewIDs(domaintest.NewClock(), 1)
	var book domain.Rulebook
	add := func(payload any) domain.ID {
		t.Helper()
		id := l.NewID()
		var entry domain.Entry
		var err error
		switch p := payload.(type) {
		case domain.TokenIssued:
			entry, err = domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator), id, 0, "api", p)
		case domain.TokenRevoked:
			entry, err = domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator), id, 0, "api", p)
			entry.Envelope.Keys = p.Keys()
		}
		if err == nil {
			err = book.Evolve(domain.Record{Position: 1, Topic: entry.Topic, Envelope: entry.Envelope})
		}
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	rules := domain.DefaultPolicy()
	rules.Rules = append([]domain.PolicyRule{{Name: "trusted", Actors: []string{"program:editor"}, Verdict: domain.VerdictAllowed, Autonomy: domain.AutonomyFull, Confirmed: true}}, rules.Rules...)
	book.Set = &rules
	decides := func(actor string) string {
		return book.Decide(domain.Invoking{Actor: actor, Channel: domain.ChannelToken, Manifest: domain.Manifest{CapabilityID: "x/y", SideEffects: true}}).ReasonCodes[0]
	}
	first := domain.ActorOf(domain.ProgramPrincipal(add(domain.TokenIssued{Name: "editor"})))
	other := domain.ActorOf(domain.ProgramPrincipal(add(domain.TokenIssued{Name: "weather"})))
	regime := book.ID()
	if decides(first) != "trusted" || decides(other) == "trusted" || decides("interface:"+l.NewID().UUID()) == "trusted" {
		t.Error("the rule isn't for the program of that name alone")
	}
	add(domain.TokenRevoked{Name: "editor"})
	if decides(first) == "trusted" {
		t.Error("the rule is still for a program that was shut out")
	}
	second := domain.ActorOf(domain.ProgramPrincipal(add(domain.TokenIssued{Name: "editor"})))
	if decides(second) != "trusted" || decides(first) == "trusted" {
		t.Error("the rule isn't for the one that has the name now")
	}
	// A log of an earlier build has tokens of such names.
	posing := domain.ActorOf(domain.ProgramPrincipal(add(domain.TokenIssued{Name: strings.TrimPrefix(second, "program:")})))
	if book.Named(posing) != "" {
		t.Errorf("rules call it %s", book.Named(posing))
	}
	if book.ID() != regime || book.Through != 0 {
		t.Error("a token changes the policy")
	}
}
