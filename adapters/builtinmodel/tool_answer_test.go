package builtinmodel_test

import (
	"strings"
	"testing"

	"chalie/domain"
	"chalie/domain/language"
)

// What a tool lacks is asked for one after the other, and each bare answer goes with all before it.
func TestAnswersToTools(t *testing.T) {
	send := language.Offered{Name: "send_money", Interface: "Bank", Description: "Transfer money to somebody", SideEffects: true, Asks: domain.AskAsSaid, Parameters: []domain.Parameter{
		of(domain.TypeNumber, "amount", true), text("recipient", true, "Name of the recipient"), text("reference", false, "What for"),
	}}
	for _, c := range []struct {
		name string
		said []string
		want string
	}{
		{"who is asked", []string{"transfer 3 euros", "Eve"}, `send_money {"amount":3,"recipient":"Eve"}`},
		{"with a word before", []string{"transfer 3 euros", "to Eve"}, `send_money {"amount":3,"recipient":"Eve"}`},
		{"both are asked", []string{"transfer money", "5 euros", "Jonas Lind"}, `send_money {"amount":5,"recipient":"Jonas Lind"}`},
		{"all at once", []string{"transfer money", "5 euros to Jonas"}, `send_money {"amount":5,"recipient":"Jonas"}`},
		{"a name that is a time", []string{"transfer 5 euros to Eve"}, `send_money {"amount":5,"recipient":"Eve"}`},
		{"what only points is no value", []string{"transfer 3 euros", "the first one"}, "-"},
		{"nor is a place", []string{"transfer 3 euros", "it"}, "-"},
		{"something else", []string{"transfer 3 euros", "what's on the shopping list?"}, `list {"action":"show","list":"shopping"}`},
	} {
		p := offers(t, "")
		p.Tools = append(p.Tools, send)
		got := ""
		for _, line := range c.said {
			p.Asked.Text = line
			got = outline(reply(t, p))
			p.Recent = append(p.Recent, answered(t, p))
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// Two programs that offer the same are never chosen between silently, however they describe it.
func TestTwins(t *testing.T) {
	add := func(whose, name, about string, side bool, params ...domain.Parameter) language.Offered {
		return language.Offered{Name: name, Interface: whose, Description: about, SideEffects: side, Asks: domain.AskAsSaid, Parameters: params}
	}
	p := offers(t, "")
	p.Tools = append(p.Tools,
		add("Cornershop", "add_to_cart", "Add a product to the cart", true, text("product", true, "Product")),
		add("Megastore", "cart_add", "Puts an item into your shopping basket, for later checkout", true, text("item", true, "What to put in")),
		add("Cornershop", "track_order", "Where an order is", false, text("order_id", true, "e.g. C-1234")),
		add("Megastore", "order_tracking", "Track an order", false, text("order", true, "e.g. M-77")),
		add("Work Calendar", "create_event", "Creates a new event.", true, text("title", true, "Title of the event"), text("start", true, "Start, YYYY-MM-DDTHH:MM")),
		add("Home Calendar", "addEvent", "Add something to the calendar", true, text("summary", true, "Event title"), text("startTime", true, "Start time (ISO 8601)")),
	)
	for said, want := range map[string]string{
		"add oat milk to the cart":                      "? More than one tool fits: “add_to_cart” of Cornershop, “cart_add” of Megastore.…",
		"add oat milk to the Megastore cart":            `cart_add {"item":"oat milk"}`,
		"add oat milk to the cart at Cornershop":        `add_to_cart {"product":"oat milk"}`,
		"create an event called Retro on Friday at 2pm": "? More than one tool fits: “create_event” of Work Calendar, “addEvent” of Home Calendar.…",
		"track order C-1234":                            `track_order {"order_id":"C-1234"}`,
	} {
		p.Asked.Text = said
		if got := outline(reply(t, p)); got != want && (!strings.HasSuffix(want, "…") || !strings.HasPrefix(got, strings.TrimSuffix(want, "…"))) {
			t.Errorf("%s: %s, want %s", said, got, want)
		}
	}
}

// What a description shows of a parameter's form is how it is filled in.
func TestFormsOfParameters(t *testing.T) {
	p := offers(t, "")
	p.Tools = append(p.Tools,
		language.Offered{Name: "find_table", Interface: "Tables", Description: "Find a free table at a restaurant", Parameters: []domain.Parameter{
			text("restaurant", false, "Name of a restaurant"), text("date", false, "Date: 'today', 'tomorrow' or YYYY-MM-DD")}},
		language.Offered{Name: "get_history", Interface: "Exchange", Description: "Get the price history of a stock", Parameters: []domain.Parameter{
			text("symbol", true, "Ticker symbol, e.g. AAPL"), text("range", false, "How far back, e.g. '7d', '30d', '1y', default '30d'")}})
	for said, want := range map[string]string{
		"find a table at Luigi's today":                        `find_table {"date":"2026-11-21","restaurant":"Luigi's"}`,
		"is there a table free at Luigi's tomorrow?":           `find_table {"date":"2026-11-22","restaurant":"Luigi's"}`,
		"get the history of AAPL for the last 30 days":         `get_history {"range":"30d","symbol":"AAPL"}`,
		"get the price history of AAPL for 2 weeks":            `get_history {"range":"2w","symbol":"AAPL"}`,
		"show me the price history of AAPL over the past year": `get_history {"range":"1y","symbol":"AAPL"}`,
		"get the price history of AAPL":                        `get_history {"symbol":"AAPL"}`,
	} {
		p.Asked.Text = said
		if got := outline(reply(t, p)); got != want {
			t.Errorf("%q: %s, want %s", said, got, want)
		}
	}
}

// What a schema says beyond the types is kept to: the values that it lists are all there are, and an array is said
// with commas between.
func TestSchemasOfTools(t *testing.T) {
	p := offers(t, "")
	p.Tools = append(p.Tools,
		language.Offered{Name: "paint_fence", Interface: "Garden", Description: "Paints the fence", SideEffects: true, Asks: domain.AskAsSaid,
			Parameters: []domain.Parameter{text("color", true, "Which color")}, Schema: []byte(`{"type":"object","properties":{"color":{"type":"string","enum":["Blue","DarkBlue","light_green","off-white"]}},"required":["color"]}`)},
		language.Offered{Name: "set_scene", Interface: "Lights", Description: "Set the scene of the lights", SideEffects: true, Asks: domain.AskAsSaid,
			Parameters: []domain.Parameter{text("scene", true, "")}, Schema: []byte(`{"type":"object","properties":{"scene":{"type":"string","enum":["Dinner","movie"]}},"required":["scene"]}`)},
		language.Offered{Name: "tag_photo", Interface: "Album", Description: "Add tags to the latest photo", SideEffects: true, Asks: domain.AskAsSaid,
			Parameters: []domain.Parameter{of(domain.TypeArray, "tags", true)}, Schema: []byte(`{"type":"object","properties":{"tags":{"type":"array","items":{"type":"string"}}},"required":["tags"]}`)},
		language.Offered{Name: "draw_chart", Interface: "Charts", Description: "Draw a chart", SideEffects: true, Asks: domain.AskAsSaid,
			Parameters: []domain.Parameter{of(domain.TypeArray, "points", true)}, Schema: []byte(`{"type":"object","properties":{"points":{"type":"array","items":{"type":"object"}}},"required":["points"]}`)})
	for said, want := range map[string]string{
		"set the scene of the lights to dinner":             `set_scene {"scene":"Dinner"}`,
		"use set_scene scene: movie":                        `set_scene {"scene":"movie"}`,
		"paint the fence dark blue":                         `paint_fence {"color":"DarkBlue"}`,
		"paint the fence Dark-Blue":                         `paint_fence {"color":"DarkBlue"}`,
		"paint the fence darkblue":                          `paint_fence {"color":"DarkBlue"}`,
		"paint the fence blue":                              `paint_fence {"color":"Blue"}`,
		"paint the fence light green":                       `paint_fence {"color":"light_green"}`,
		"use paint_fence color: dark_blue":                  `paint_fence {"color":"DarkBlue"}`,
		"use paint_fence color: dark blue":                  `paint_fence {"color":"DarkBlue"}`,
		"use paint_fence color: off white":                  `paint_fence {"color":"off-white"}`,
		"use tag_photo tags: beach, sunset":                 `tag_photo {"tags":["beach","sunset"]}`,
		"use tag_photo tags: beach":                         `tag_photo {"tags":["beach"]}`,
		"add the tags beach and sunset to the latest photo": `tag_photo {"tags":["beach","sunset"]}`,
	} {
		p.Asked.Text = said
		if got := outline(reply(t, p)); got != want {
			t.Errorf("%q: %s, want %s", said, got, want)
		}
	}
	for said, wants := range map[string]string{
		"set the scene of the lights to disco": "need to know: scene (one of: Dinner, movie).",
		"paint the fence":                      "need to know: color (Which color; one of: Blue, DarkBlue, light_green, off-white).",
		"paint the fence pink":                 "need to know: color (Which color; one of: Blue, DarkBlue, light_green, off-white).",
		"draw a chart":                         "points, which can't be said in words",
	} {
		p.Asked.Text = said
		if got := domain.PlainText(reply(t, p).Blocks); !strings.Contains(got, wants) {
			t.Errorf("%q: %s, want %s", said, got, wants)
		}
	}
}
