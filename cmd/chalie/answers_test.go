package main

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"chalie/domain"
)

// counterTools is what the program counter offers: each tool answers in another way.
const counterTools = `[
	{"name":"list_trades","description":"Lists the trades","side_effects":false},
	{"name":"open_chart","description":"Opens the chart","side_effects":false},
	{"name":"open_router","description":"Opens the router","side_effects":false},
	{"name":"get_forecast","description":"Gets the forecast","side_effects":false,"returns":{"type":"object","required":["degrees"]}},
	{"name":"check_engine","description":"Checks the engine","side_effects":false},
	{"name":"pizza_menu","description":"Shows the pizza menu","side_effects":false},
	{"name":"order","description":"Orders a pizza","parameters":[
		{"name":"size","type":"string","required":true,"description":"s or l"},{"name":"count","type":"integer","required":false,"description":"how many"},
		{"name":"gift","type":"boolean","required":false,"description":"wrapped"}]}]`

// counterAnswers is what they answer, by name.
var counterAnswers = map[string]string{
	"list_trades":  `{"text":"[{\"ticker\":\"AAPL\",\"quantity\":3,\"price\":185.50},{\"ticker\":\"MSFT\",\"quantity\":1}]"}`,
	"open_chart":   `{"text":"Here it is.","openUrl":"https://charts.example.com/aapl"}`,
	"open_router":  `{"text":"Here it is.","openUrl":"http://127.0.0.1:9999/admin"}`,
	"get_forecast": `{"text":"18 degrees and rain."}`,
	"check_engine": `{"text":"Oil is at 2.1 bar.","error":"The engine is off"}`,
	"pizza_menu": `{"text":"Choose.","blocks":[{"type":"form","id":"pizza","blocks":[
		{"type":"select","name":"size","options":[{"label":"Small","value":"s"},{"label":"Large","value":"l"}],"value":"s"},
		{"type":"input","name":"count","placeholder":"How many","inputType":"number","value":"2"},
		{"type":"input","name":"note","placeholder":"A note"},
		{"type":"toggle","name":"gift","label":"Wrapped","value":true},
		{"type":"input","name":"code","placeholder":"Code","inputType":"password"},
		{"type":"actions","buttons":[{"label":"Order it","execute":"order","style":"primary"}]}]},
		{"type":"actions","buttons":[{"label":"The trades","execute":"list_trades"},{"label":"Order from afar","payload":{"skill":"order"},"collect":"pizza"},
			{"label":"Add a task","payload":{"skill":"task","what":"eat pizza"}},{"label":"Its page","openUrl":"https://pizza.example.com/"}]}]}`,
	"order": `{"text":"Ordered."}`,
}

// startCounter is that program, let in, and what it was asked with.
func startCounter(v *victim) (asked func(capability string) []string) {
	p := startProgram(v.t, "counter")
	p.on("/capabilities", saying(counterTools))
	var mu sync.Mutex
	calls := map[string][]string{}
	p.on("/execute", func(w http.ResponseWriter, r *http.Request) {
		var call struct {
			Capability string          `json:"capability"`
			Params     json.RawMessage `json:"params"`
		}
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = json.Unmarshal(body, &call)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		mu.Lock()
		calls[call.Capability] = append(calls[call.Capability], string(call.Params))
		mu.Unlock()
		saying(counterAnswers[call.Capability])(w, r)
	})
	v.pair(p)
	return func(capability string) []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(calls[capability])
	}
}

// blocksOf are all blocks of a type, whatever they stand in.
func blocksOf(blocks any, kind string) (out []map[string]any) {
	switch v := blocks.(type) {
	case []domain.Block:
		for _, b := range v {
			out = append(out, blocksOf(map[string]any(b), kind)...)
		}
	case []any:
		for _, b := range v {
			out = append(out, blocksOf(b, kind)...)
		}
	case map[string]any:
		if v["type"] == kind {
			out = append(out, v)
		}
		for _, name := range []string{"blocks"} {
			out = append(out, blocksOf(v[name], kind)...)
		}
	}
	return out
}

// pressable are the buttons of a frame, by their labels.
func (h heard) pressable() map[string]map[string]any {
	out := map[string]map[string]any{}
	for _, row := range blocksOf(h.Blocks, "actions") {
		for _, b := range row["buttons"].([]any) {
			button := b.(map[string]any)
			out[button["label"].(string)] = button
		}
	}
	return out
}

// presses sends a button's payload, with what was filled in around it.
func (d *device) presses(button map[string]any, fields map[string]any) heard {
	d.t.Helper()
	payload := map[string]any{}
	for _, from := range []map[string]any{fields, button["payload"].(map[string]any)} {
		maps.Copy(payload, from)
	}
	text, err := json.Marshal(map[string]any{"type": "action", "payload": payload, "label": button["label"]})
	if err != nil {
		d.t.Fatal(err)
	}
	d.frames = nil
	d.tells(string(text))
	d.hears("done")
	return d.frames[len(d.frames)-2]
}

// asks says something and returns the answer.
func (d *device) asks(text string) heard {
	d.t.Helper()
	d.frames = nil
	d.tells(text)
	d.hears("done")
	return d.frames[len(d.frames)-2]
}

// TestAnswersOfTools: what a tool answers is shown as what it is, in the conversation, on
// the command line, and by its buttons.
func TestAnswersOfTools(t *testing.T) {
	t.Parallel()
	v := startVictim(t, filepath.Join(t.TempDir(), "data"))
	v.ready()
	asked := startCounter(v)
	d := v.listening(register(t, v.setup), 1)[0]

	// JSON in a text is a table.
	const table = `[{"headers":["ticker","quantity","price"],"rows":[["AAPL","3","185.50"],["MSFT","1",""]],"type":"table"}]`
	shown := d.asks("list trades")
	if got, _ := json.Marshal(blocksOf(shown.Blocks, "table")); string(got) != table {
		t.Errorf("a list in a text is shown as %s", shown.wire)
	}

	// An address is a button, unless it leads to this machine.
	chart := d.asks("open the chart")
	if b := chart.pressable()["Open https://charts.example.com/aapl"]; b == nil || b["openUrl"] != "https://charts.example.com/aapl" || b["payload"] != nil {
		t.Errorf("what is to be opened is %s", chart.wire)
	}
	router := d.asks("open the router")
	if len(router.pressable()) > 0 || !strings.Contains(domain.PlainText(router.Blocks), "It would open http://127.0.0.1:9999/admin (not a link: it leads to this machine)") {
		t.Errorf("what leads to this machine is %s", router.wire)
	}

	// Words are no failure of a tool that declares an object.
	if got := domain.PlainText(d.asks("get the forecast").Blocks); got != "“get_forecast” of counter answers:\n> 18 degrees and rain." {
		t.Errorf("words are told as %q", got)
	}
	if types := v.types(domain.TopicTools); slices.Contains(types, "tool.verified") {
		t.Errorf("words were checked: %v", types)
	}

	// What a tool says beside its failure is told, too.
	if got := domain.PlainText(d.asks("check the engine").Blocks); !strings.Contains(got, "> The engine is off") || !strings.Contains(got, "> Oil is at 2.1 bar.") {
		t.Errorf("a failure and a text are told as %q", got)
	}

	// Buttons and forms of an answer work, and know whose they are.
	shownMenu := d.asks("show the pizza menu")
	menu := shownMenu.pressable()
	if !strings.Contains(shownMenu.wire, `"name":"code.typed-password"`) || strings.Contains(shownMenu.wire, `"inputType":"password"`) {
		t.Errorf("a field hides what is typed: %s", shownMenu.wire)
	}
	form := map[string]any{"size": "l", "count": "3", "note": "for the page", "gift": true}
	if menu["Order it"]["execute"] != nil || menu["Its page"]["openUrl"] != "https://pizza.example.com/" || menu["Order from afar"]["collect"] != "pizza" {
		t.Errorf("the buttons are %v", menu)
	}
	for label, fields := range map[string]map[string]any{"Order it": form, "Order from afar": {"size": "s"}} {
		if said := d.presses(menu[label], fields); said.Type != "message" || domain.PlainText(said.Blocks) != "Ordered." {
			t.Errorf("%s: %s", label, said.wire)
		}
	}
	if got := asked("order"); !slices.Contains(got, `{"count":3,"gift":true,"size":"l"}`) || !slices.Contains(got, `{"size":"s"}`) || len(got) != 2 {
		t.Errorf("it was ordered with %q", got)
	}
	if got, _ := json.Marshal(blocksOf(d.presses(menu["The trades"], nil).Blocks, "table")); string(got) != table {
		t.Errorf("a button shows %s", got)
	}
	if said := d.presses(menu["Order it"], map[string]any{"count": "3"}); said.Type != "error" || !strings.Contains(said.Message, "size is required") {
		t.Errorf("an order without a size: %s", said.wire)
	}
	// What is typed where a secret is asked for is neither kept nor passed on.
	const secret = "tr0ub4dor-and-3"
	if said := d.presses(menu["Order it"], map[string]any{"size": "l", "code.typed-password": secret}); said.Type != "error" || !strings.Contains(said.Message, "none can be passed through a conversation") {
		t.Errorf("an order with a secret: %s", said.wire)
	}
	if found := standingIn(t, v.data, []string{secret}); len(found) > 0 || len(asked("order")) != 2 {
		t.Errorf("the secret stands in the data, or was sent: %q, %q", found, asked("order"))
	}
	// What changes something elsewhere waits, however it is called.
	text, err := json.Marshal(map[string]any{"type": "action", "payload": menu["Add a task"]["payload"]})
	if err != nil {
		t.Fatal(err)
	}
	d.tells(string(text))
	d.hears("escalation")
	v.wants(http.StatusOK, http.MethodGet, "socket:/api/approvals", "")
	if plans := v.chalie("plans", "list"); strings.Contains(plans, "eat pizza") {
		t.Errorf("it did more than it may:\n%s", plans)
	}
	for _, args := range [][]string{{"say", "list trades"}, {"tool", "invoke", "list_trades"}} {
		if got := v.chalie(args...); !strings.Contains(got, "TICKER  QUANTITY  PRICE") || !strings.Contains(got, "AAPL    3         185.50") {
			t.Errorf("%q says\n%s", args, got)
		}
	}
	v.stop()
}

// TestDecidingInTheConversation: what waits for approval has buttons wherever it is asked, is
// decided by a number and all at once, and keeps nothing else from being done.
func TestDecidingInTheConversation(t *testing.T) {
	t.Parallel()
	v := startVictim(t, filepath.Join(t.TempDir(), "data"))
	v.ready()
	asked := startCounter(v)
	for _, name := range []string{"check_engine", "open_chart"} {
		v.chalie("tool", "trust", name, "--requires-approval")
	}
	d := v.listening(register(t, v.setup), 1)[0]
	// wants has something wait, and returns what the person is asked.
	wants := func(text string) heard {
		t.Helper()
		d.tells(text)
		return d.hears("escalation")
	}
	// waits is what a question lists.
	waits := func(h heard, lines ...string) {
		t.Helper()
		for _, line := range lines {
			if !strings.Contains(domain.PlainText(h.Blocks), line) {
				t.Errorf("%q isn't in %s", line, h.wire)
			}
		}
	}
	// decided waits until so many decisions are there, and returns their types.
	decided := func(event domain.EventType, n int) {
		t.Helper()
		if got := v.awaits(event, n); len(got) != n {
			t.Fatalf("there are %d %s, want %d", len(got), event, n)
		}
	}

	// By a button of the frame, as a client does that knows blocks alone.
	question := wants("check the engine")
	waits(question, "press a button, or answer yes or no")
	if question.pressable()["Refuse"] == nil || !strings.Contains(question.Content, "check_engine of counter") {
		t.Errorf("it is asked by %s", question.wire)
	}
	d.presses(question.pressable()["Approve"], nil)
	d.hears("done") // and the answer that waited
	decided("approval.granted", 1)
	if why := v.chalie("why", v.awaits("approval.granted", 1)[0].Envelope.ID.String()); !strings.Contains(why, "It was decided by this: you pressed") {
		t.Errorf("why it was granted:\n%s", why)
	}
	if said := d.presses(question.pressable()["Refuse"], nil); !strings.HasPrefix(domain.PlainText(said.Blocks), "This was decided before") {
		t.Errorf("decided once more: %s", said.wire)
	}

	// A request is done while a question waits, also one that begins with an answer.
	wants("check the engine")
	if got := domain.PlainText(d.asks("add eggs to the shopping list").Blocks); got != "On the list shopping: eggs" {
		t.Errorf("while something waits a request is answered %q", got)
	}
	wants("open the chart")
	both := d.asks("yes, add milk to the shopping list")
	waits(both, "On the list shopping: milk", "I took “yes” for the beginning of that, and not for an answer. It waits for your approval still:\n1. open_chart of counter")
	if len(both.pressable()) != 2 {
		t.Errorf("it has the buttons %v", both.pressable())
	}
	decided("approval.granted", 1)

	// All at once, and by number.
	which := d.asks("yes")
	waits(which, "Which one?", "1. check_engine of counter", "2. open_chart of counter", "“yes to all”")
	if len(which.pressable()) != 4 {
		t.Errorf("the list has the buttons %v", which.pressable())
	}
	said := d.asks("2")
	waits(said, "Approved: open_chart of counter.")
	d.hears("done")
	decided("approval.granted", 2)
	wants("open the chart")
	waits(d.asks("no"), "Which one?", "“no to all”")
	d.tells("no to all")
	for range 3 { // it, and both that waited
		d.hears("done")
	}
	decided("approval.refused", 2)
	wants("open the chart")
	d.tells("1")
	for range 2 {
		d.hears("done")
	}
	decided("approval.granted", 3)

	// What a program wants stays by its buttons.
	token := v.issueToken()
	v.wants(http.StatusAccepted, http.MethodPost, "/api/tools/check_engine/invoke", `{"params":{}}`, "Authorization: Bearer "+token)
	question = d.hears("escalation")
	waits(question, "You didn't ask for it here, so a plain yes or no doesn't decide it.")
	if said := v.chalie("say", "yes"); !strings.Contains(said, "  1  Approve") || !strings.Contains(said, "  2  Refuse") {
		t.Errorf("the command line says\n%s", said)
	}
	d.hears("done")
	waits(d.asks("yes to all"), "a plain yes or no doesn't decide it")
	decided("approval.granted", 3)
	said = d.presses(question.pressable()["Refuse"], nil)
	waits(said, "Refused, so it isn't done: check_engine of counter.")
	decided("approval.refused", 3)
	if n := len(asked("check_engine")); n != 1 {
		t.Errorf("the engine was checked %d times", n)
	}
	var exchanges struct {
		Exchanges []struct {
			Action *struct {
				Skill  string          `json:"skill"`
				Label  string          `json:"label"`
				Params json.RawMessage `json:"params"`
			} `json:"action"`
		} `json:"exchanges"`
	}
	if err := json.Unmarshal([]byte(v.wants(http.StatusOK, http.MethodGet, "/conversation/recent?limit=1", "", "Cookie: "+d.cookie)), &exchanges); err != nil {
		t.Fatal(err)
	}
	if a := exchanges.Exchanges[0].Action; a == nil || a.Label != "Refuse" || string(a.Params) != "{}" {
		t.Errorf("the conversation tells of the button %+v", a)
	}
	v.stop()
}
