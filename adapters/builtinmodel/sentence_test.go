package builtinmodel_test

import (
	"log/slog"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"chalie/commands"
	"chalie/commands/skill"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/language"
	"chalie/domain/memlog"
)

// skillsOffered are those of Chalie as they are offered. They are only declared
// here, and never asked to do anything.
func skillsOffered(t testing.TB) []language.Offered {
	t.Helper()
	clock := domaintest.NewClock()
	log := memlog.New(clock)
	skills, err := skill.New(skill.Config{
		Plans: struct{ commands.View[domain.Plans] }{}, Memory: struct{ commands.View[domain.Memories] }{}, World: struct{ commands.View[domain.World] }{}, Unwanted: struct{ commands.View[domain.Unwanted] }{},
		Env: commands.Env{Log: log, Reader: log, Tail: log, Clock: clock, IDs: domaintest.NewIDs(clock, 1), Logger: slog.New(slog.DiscardHandler)}, Applied: struct{ commands.Barrier }{}, Explainer: struct{ skill.Explainer }{},
	})
	if err != nil {
		t.Fatal(err)
	}
	var out []language.Offered
	for _, s := range skills {
		out = append(out, language.Offered{Name: s.Tool().Name, Interface: "Chalie", Description: s.Tool().Description, Documentation: s.Tool().Documentation, Parameters: s.Tool().Parameters, SideEffects: s.SideEffects()})
	}
	return out
}

func text(name string, required bool, about string) domain.Parameter {
	return domain.Parameter{Name: name, Type: domain.TypeString, Required: required, Description: about}
}

func of(t domain.ParameterType, name string, required bool) domain.Parameter {
	return domain.Parameter{Name: name, Type: t, Required: required}
}

// house are tools of interfaces.
var house = []language.Offered{
	{Name: "weather", Interface: "Station", Description: "The weather and its forecast for a city.", Parameters: []domain.Parameter{text("city", true, "The city to report on.")}},
	{Name: "light.set", Interface: "House", Description: "Turn the light of a room on or off.", SideEffects: true, Parameters: []domain.Parameter{text("room", true, "Which room."), of(domain.TypeBoolean, "on", true)}},
	{Name: "set_thermostat", Interface: "House", Description: "Set the temperature of the heating.", SideEffects: true, Parameters: []domain.Parameter{of(domain.TypeNumber, "degrees", true), text("room", false, "")}},
	{Name: "appointments", Interface: "Hospital", Description: "The appointments of the day.", Parameters: []domain.Parameter{text("day", false, "")}},
	{Name: "orderStatus", Interface: "Shop", Description: "Where a parcel is.", Parameters: []domain.Parameter{text("order_id", true, "The order's number.")}},
	{Name: "send_message", Interface: "Phone", Description: "Send a message to somebody.", SideEffects: true, Parameters: []domain.Parameter{text("to", true, "Who gets it."), text("text", true, "What it says.")}},
	{Name: "book_table", Interface: "Dining", Description: "Book a table at a restaurant.", SideEffects: true, Parameters: []domain.Parameter{text("restaurant", true, ""), of(domain.TypeInteger, "guests", true), text("time", true, "")}},
	{Name: "news.search", Interface: "Herald", Description: "Search the headlines.", Parameters: []domain.Parameter{text("query", true, "")}},
	{Name: "lock_doors", Interface: "House", Description: "Lock all doors.", SideEffects: true},
	{Name: "Player.radio.play", Interface: "Player", Description: "Play a radio channel.", SideEffects: true, Parameters: []domain.Parameter{text("channel", true, "")}},
	{Name: "Deck.radio.play", Interface: "Deck", Description: "Play a radio channel.", SideEffects: true, Parameters: []domain.Parameter{text("channel", true, "")}},
	{Name: "scene", Interface: "House", Description: "Choose a scene.", SideEffects: true, Parameters: []domain.Parameter{of(domain.TypeObject, "scene", true)}},
}

// offers is a message with all of them on offer, in Malta.
func offers(t testing.TB, said string) language.Prompt {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Malta")
	if err != nil {
		t.Fatal(err)
	}
	p := asks(said)
	p.AsOf, p.Zone, p.Recent = domain.MillisOf(time.Date(2026, time.November, 21, 10, 0, 0, 0, zone)), zone, before
	p.Tools = append(skillsOffered(t), house...)
	return p
}

// outline is a reply in one line: its calls; or ? and its question; or - for a
// reply that only shows the world.
func outline(r language.Reply) string {
	var out []string
	for _, c := range r.ToolCalls {
		out = append(out, c.Tool+" "+string(c.Params))
	}
	if len(out) > 0 {
		return strings.Join(out, "; ")
	}
	if r.Blocks[0]["type"] == "alert" || strings.HasPrefix(domain.PlainText(r.Blocks), "Nothing has come in yet") {
		return "-"
	}
	return "? " + domain.PlainText(r.Blocks)
}

func TestSentences(t *testing.T) {
	for _, c := range tableSentences() {
		t.Run(c.said, func(t *testing.T) {
			if got := outline(reply(t, offers(t, c.said))); got != c.want && (!strings.HasSuffix(c.want, "…") || !strings.HasPrefix(got, strings.TrimSuffix(c.want, "…"))) {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
