package builtinmodel_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"chalie/commands/reasoning"
	"chalie/domain"
)

// shapes are tools that say only in their words what they do, beside some that say that they only
// look.
var shapes = []reasoning.Offered{
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
func withShapes(t testing.TB, said string) reasoning.Prompt {
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
		{"erase the square", `erase_shape {"shape":"square"}`},
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
		{"which shapes are there?", "no", "? All right: nothing was done."},
		{"which shapes are there?", "draw a red circle", `draw_shape {"color":"red","shape":"circle"}`},
		{"draw a circle", "red", `draw_shape {"color":"red","shape":"circle"}`},
		{"draw a circle", "remind me tomorrow at 9 to buy paper", `remind {"what":"buy paper","when":"tomorrow at 9"}`},
		{"show the gallery", "the first one", `north.gallery {}`},
		{"show the gallery", "south", `south.gallery {}`},
		{"show the gallery", "the second", `south.gallery {}`},
	} {
		p := withShapes(t, c.said)
		p.Recent = []reasoning.Turn{{Prompt: c.before, Reply: domain.PlainText(reply(t, withShapes(t, c.before)).Blocks)}}
		if got := outline(reply(t, p)); got != c.want {
			t.Errorf("%q, then %q: %s, want %s", c.before, c.said, got, c.want)
		}
	}
}

// A question to a tool that doesn't say that it only looks is asked about once: the yes is for the
// future, and what the person chose is kept to.
func TestToolsAreAskedAboutOnce(t *testing.T) {
	chosen := func(said string, asks domain.Asking) reasoning.Prompt {
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
	asked := reasoning.Turn{Prompt: question, Reply: domain.PlainText(reply(t, chosen(question, domain.AskAsSaid)).Blocks)}
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
		p.Recent = []reasoning.Turn{asked}
		calls := reply(t, p).ToolCalls
		if len(calls) != 1 || calls[0].Tool != "list_shapes" || calls[0].FromNowOn != c.fromNowOn {
			t.Errorf("%s, %s: %+v", c.said, c.asks, calls)
		}
	}
}
