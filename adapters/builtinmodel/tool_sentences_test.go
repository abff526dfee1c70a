package builtinmodel_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"chalie/domain"
	"chalie/domain/language"
)

// shapes are tools that say only in their words what they do, beside some that say that they only
// look.
var shapes = []language.Offered{
	{Name: "list_shapes", Interface: "Shapes", Description: "List the shapes on the board.", SideEffects: true, Asks: domain.AskAsSaid, Parameters: []domain.Parameter{text("color", false, "red, green or blue"), of(domain.TypeInteger, "limit", false)}},
	{Name: "measure_area", Interface: "Shapes", Description: "The area of a shape.", Parameters: []domain.Parameter{text("shape", true, "Which shape"), text("unit", false, "mm, cm or inch (default cm)")}},
	{Name: "compare_shapes", Interface: "Shapes", Description: "Compare several shapes.", Parameters: []domain.Parameter{text("shapes", true, "Comma-separated shapes")}},
	{Name: "draw_shape", Interface: "Shapes", Description: "Draw a shape on the board.", SideEffects: true, Asks: domain.AskAsSaid, Parameters: []domain.Parameter{text("shape", true, "Which shape, such as circle"), text("color", true, "One of: red, green, blue"), of(domain.TypeInteger, "size", false)}},
	{Name: "erase_shape", Interface: "Shapes", Description: "Erase a shape.", SideEffects: true, Asks: domain.AskAsSaid, Parameters: []domain.Parameter{text("shape", true, "Which shape")}},
	{Name: "visitor_report", Interface: "Shapes", Description: "How many visitors the board had over a period.", Parameters: []domain.Parameter{text("period", false, "1d, 7d, 30d or 1y. Default: 7d")}},
	{Name: "start_slideshow", Interface: "Shapes", Description: "Start the slideshow.", SideEffects: true, Asks: domain.AskAsSaid, Parameters: []domain.Parameter{{Name: "seconds", Type: domain.TypeInteger, Required: true, Description: "Seconds for each shape"}}},
	{Name: "print_board", Interface: "Shapes", Description: "Print the board on paper.", SideEffects: true, Asks: domain.AskAsSaid, Parameters: []domain.Parameter{text("date", false, "Day to print it, YYYY-MM-DD")}},
	{Name: "north.gallery", Interface: "North", Description: "Show the paintings of the north.", Parameters: []domain.Parameter{}},
	{Name: "south.gallery", Interface: "South", Description: "Show the paintings of the south.", Parameters: []domain.Parameter{}},
}

// withShapes is a message with those tools on offer.
func withShapes(t testing.TB, said string) language.Prompt {
	t.Helper()
	p := offers(t, said)
	p.Tools = append(skillsOffered(t), shapes...)
	return p
}

// TestTools reaches tools by what their names and descriptions say.
func TestTools(t *testing.T) {
	for _, c := range []struct{ said, want string }{
		{"what is the area of the hexagon?", `measure_area {"shape":"hexagon"}`},
		{"what's the hexagon's area?", `measure_area {"shape":"hexagon"}`},
		{"area of the triangle in mm please", `measure_area {"shape":"triangle","unit":"mm"}`},
		{"show me the area of the small circle", `measure_area {"shape":"small circle"}`},
		{"compare the circle, the square and the hexagon", `compare_shapes {"shapes":"circle, square, hexagon"}`},
		{"Compare circle vs square", `compare_shapes {"shapes":"circle, square"}`},
		{"list the shapes", `list_shapes {}`},
		{"show me the 5 latest shapes", `list_shapes {"limit":5}`},
		{"list red shapes", `list_shapes {"color":"red"}`},
		{"which shapes are there?", "? May I ask Shapes this from now on? Say yes."},
		{"draw a red circle", `draw_shape {"color":"red","shape":"circle"}`},
		{"draw a circle", "? I would use “draw_shape” of Shapes, and need to know: color (One of: red, green, blue). What should it be? Say it alone, or all of it, such as: use draw_shape color: red"},
		{"draw a purple circle", "? I would use “draw_shape” of Shapes, and need to know: color…"},
		{"don't draw a red circle", "-"},
		{"I drew a red circle", "-"},
		{"should I draw a red circle?", "-"},
		{"erase the blue square shape", `erase_shape {"shape":"blue square"}`},
		{"erase the square", "? Shall I use “erase_shape” of Shapes with shape “square”? Say yes."},
		{"is the square erased?", "-"},
		{"how many visitors did the board have over the last 30 days?", `visitor_report {"period":"30d"}`},
		{"visitors this week", `visitor_report {"period":"7d"}`},
		{"visitors in the last 1 year", `visitor_report {"period":"1y"}`},
		{"show the visitor report", `visitor_report {}`},
		{"start the slideshow with 20 seconds", `start_slideshow {"seconds":20}`},
		{"start the slideshow, 2 minutes each", "? I would use “start_slideshow” of Shapes, but I don't know what “each” means for it.…"},
		{"start the slideshow with 2 minutes", `start_slideshow {"seconds":120}`},
		{"start the slideshow", "? I would use “start_slideshow” of Shapes, and need to know: seconds (Seconds for each shape).…"},
		{"print the board on Friday", `print_board {"date":"2026-11-27"}`},
		{"show the gallery", "? More than one tool fits: “north.gallery” of North, “south.gallery” of South. Which one? Say its name with what it needs."},
		{"remind me tomorrow at 9 to erase the square", `remind {"what":"erase the square","when":"tomorrow at 9"}`},
		{"put a red circle on the shopping list", `list {"action":"add","item":"a red circle","list":"shopping"}`},
	} {
		t.Run(c.said, func(t *testing.T) {
			if got := outline(reply(t, withShapes(t, c.said))); got != c.want && (!strings.HasSuffix(c.want, "…") || !strings.HasPrefix(got, strings.TrimSuffix(c.want, "…"))) {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// strangers are tools as careless authors describe them.
var strangers = []language.Offered{
	{Name: "stars", Interface: "Sky", Description: "Stars that are visible at a place", SideEffects: true, Parameters: []domain.Parameter{text("place", true, "town, e.g. Oslo"), text("from", false, "YYYY-MM-DD, today if omitted"), text("until", false, "YYYY-MM-DD")}},
	{Name: "moon", Interface: "Sky", Description: "Phase of the moon", SideEffects: true, Parameters: []domain.Parameter{text("day", false, "DD.MM.YYYY; today unless given")}},
	{Name: "observe", Interface: "Sky", Description: "Points the telescope at something", SideEffects: true, Parameters: []domain.Parameter{text("target", true, "object like NGC 224"), text("eyepiece", false, "wide, medium or narrow; wide by default"), of(domain.TypeInteger, "minutes", false)}},
	{Name: "telescope.park", Interface: "Sky", Description: "Parks the telescope", SideEffects: true},
	{Name: "dome-set", Interface: "Sky", Description: "Moves the dome", SideEffects: true, Parameters: []domain.Parameter{{Name: "position", Type: domain.TypeInteger, Required: true, Description: "0 = closed, 100 = open"}}},
	{Name: "heater", Interface: "Sky", Description: "Turns the heater of a room on or off", SideEffects: true, Parameters: []domain.Parameter{text("room", true, "dome, library, control room"), text("state", true, "on | off")}},
	{Name: "roomTemperature", Interface: "Sky", Description: "How warm it is", SideEffects: true, Parameters: []domain.Parameter{text("room", true, "the room")}},
	{Name: "invite_observer", Interface: "Sky", Description: "Invite an observer", SideEffects: true, Parameters: []domain.Parameter{text("email", true, "e-mail address")}},
	{Name: "convert_distance", Interface: "Sky", Description: "Converts distances", SideEffects: true, Parameters: []domain.Parameter{of(domain.TypeNumber, "value", true), text("from_unit", true, "such as parsec"), text("to_unit", true, "such as parsec")}},
	{Name: "plan_session", Interface: "Sky", Description: "Plan a regular session", SideEffects: true, Parameters: []domain.Parameter{text("time", true, "HH:MM, 24h"), text("days", false, "daily, weekdays or weekends")}},
}

// TestToolsOfStrangers reads what is said in prose: values, ways of writing a day, and what numbers
// are called.
func TestToolsOfStrangers(t *testing.T) {
	for _, c := range []struct{ said, want string }{
		{"show me the visible stars in Bergen", `stars {"place":"Bergen"}`},
		{"visible stars in Bergen from 3 December to 5 December", `stars {"from":"2026-12-03","place":"Bergen","until":"2026-12-05"}`},
		{"phase of the moon tomorrow", `moon {"day":"22.11.2026"}`},
		{"what phase does the moon have?", "? May I ask Sky this from now on? Say yes."},
		{"point the telescope at M 31 with the narrow eyepiece", `observe {"eyepiece":"narrow","target":"M 31"}`},
		{"observe NGC 7000 for half an hour", `observe {"minutes":30,"target":"NGC 7000"}`},
		{"park the telescope", `telescope.park {}`},
		{"open the dome", `dome-set {"position":100}`},
		{"close the dome please", `dome-set {"position":0}`},
		{"move the dome to 40 percent", `dome-set {"position":40}`},
		{"move the dome by 10", "? I would use “dome-set” of Sky,…"},
		{"turn on the heater in the control room", `heater {"room":"control room","state":"on"}`},
		{"turn on the heater in the cellar", "? I would use “heater” of Sky,…"},
		{"how warm is it in the library?", "? May I ask Sky this from now on? Say yes."},
		{"invite ida@example.org as an observer", `invite_observer {"email":"ida@example.org"}`},
		{"invite my sister as an observer", "? I would use “invite_observer” of Sky,…"},
		{"convert 3 parsecs to lightyears", `convert_distance {"from_unit":"parsecs","to_unit":"lightyears","value":3}`},
		{"plan a session at 5:30 pm on weekdays", `plan_session {"days":"weekdays","time":"17:30"}`},
		{"plan a session every day at 21:00", `plan_session {"days":"daily","time":"21:00"}`},
		{"start observing NGC 7000", `observe {"target":"NGC 7000"}`},
		{"how do I park the telescope?", "-"},
		{"park the telescope with me", "-"},
		{"observe nothing", "-"},
		{"who parked the telescope?", "-"},
		{"remind me at 9 to park the telescope", `remind {"what":"park the telescope","when":"at 9"}`},
	} {
		t.Run(c.said, func(t *testing.T) {
			p := offers(t, c.said)
			p.Tools = append(skillsOffered(t), strangers...)
			if got := outline(reply(t, p)); got != c.want && (!strings.HasSuffix(c.want, "…") || !strings.HasPrefix(got, strings.TrimSuffix(c.want, "…"))) {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// What fits is offered by buttons: whose it is, or what each does.
func TestToolsAreOffered(t *testing.T) {
	for _, c := range []struct {
		said string
		want []domain.Button
	}{
		{"which red shapes are there?", []domain.Button{{Label: "Ask Shapes?", Skill: "list_shapes", Params: map[string]any{"color": "red"}, FromNowOn: true}}},
		{"show the gallery", []domain.Button{{Label: "Show the paintings of the north", Skill: "north.gallery"}, {Label: "Show the paintings of the south", Skill: "south.gallery"}}},
	} {
		blocks := reply(t, withShapes(t, c.said)).Blocks
		if got, want := blocks[len(blocks)-1], domain.ActionsBlock(c.want...); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %v, want %v", c.said, got, want)
		}
	}
}

// What is offered or asked is taken by the next message.
func TestToolsTakeAnswers(t *testing.T) {
	for _, c := range []struct{ before, said, want string }{
		{"which shapes are there?", "yes", `list_shapes {}`},
		{"which shapes are there?", "no", leaves("which shapes are there?")},
		{"which shapes are there?", "draw a red circle", `draw_shape {"color":"red","shape":"circle"}`},
		{"draw a circle", "red", `draw_shape {"color":"red","shape":"circle"}`},
		{"draw a circle", "remind me tomorrow at 9 to buy paper", `remind {"what":"buy paper","when":"tomorrow at 9"}`},
		{"show the gallery", "the first one", `north.gallery {}`},
		{"show the gallery", "south", `south.gallery {}`},
		{"show the gallery", "the second", `south.gallery {}`},
	} {
		p := withShapes(t, c.said)
		p.Recent = []language.Turn{answered(t, withShapes(t, c.before))}
		if got := outline(reply(t, p)); got != c.want {
			t.Errorf("%q, then %q: %s, want %s", c.before, c.said, got, c.want)
		}
	}
}

// A question to a tool that doesn't say that it only looks is asked about once: the yes is for the
// future, and what the person chose is kept to.
func TestToolsAreAskedAboutOnce(t *testing.T) {
	chosen := func(said string, asks domain.Asking) language.Prompt {
		p := withShapes(t, said)
		p.Tools = slices.Clone(p.Tools)
		for i := range p.Tools {
			if p.Tools[i].Name == "list_shapes" {
				p.Tools[i].Asks = asks
			}
		}
		return p
	}
	const question = "which shapes are there?"
	for asks, want := range map[domain.Asking]string{
		domain.AskAsSaid: "? May I ask Shapes this from now on? Say yes.",
		domain.AskNever:  "list_shapes {}",
		domain.AskAlways: "list_shapes {}", // the policy asks
	} {
		if got := outline(reply(t, chosen(question, asks))); got != want {
			t.Errorf("%s: %s, want %s", asks, got, want)
		}
	}
	asked := answered(t, chosen(question, domain.AskAsSaid))
	for _, c := range []struct {
		said      string
		asks      domain.Asking // before the call, and once the yes is recorded
		fromNowOn bool
	}{
		{"yes", domain.AskAsSaid, true},
		{"yes", domain.AskNever, true},
		{"list the shapes", domain.AskAsSaid, false},
	} {
		p := chosen(c.said, c.asks)
		p.Recent = []language.Turn{asked}
		calls := reply(t, p).ToolCalls
		if len(calls) != 1 || calls[0].Tool != "list_shapes" || calls[0].FromNowOn != c.fromNowOn {
			t.Errorf("%s, %s: %+v", c.said, c.asks, calls)
		}
	}
}
