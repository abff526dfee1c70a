package demo_test

import (
	"errors"
	"go/parser"
	"go/token"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"chalie/adapters/demo"

	"github.com/gobwas/ws"
)

// The interfaces know Chalie only by its protocol: a demo that took a short cut
// would show nothing.
func TestKnowsNothingOfChaliesProgram(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range file.Imports {
			if strings.HasPrefix(spec.Path.Value, `"chalie/`) {
				t.Errorf("%s imports %s", name, spec.Path.Value)
			}
		}
	}
}

func TestShapes(t *testing.T) {
	r, h := start(t, "restaurant"), start(t, "hospital")
	for _, c := range []struct {
		name, addr      string
		tools           []string
		signals, topics []string
	}{
		{r.Name, r.Addr(), []string{"cancel_reservation", "list_reservations"}, []string{"opening_hours"}, nil},
		{h.Name, h.Addr(), []string{"cancel_appointment", "list_appointments"}, []string{"visitor_notice"}, []string{"health"}},
	} {
		health := get[struct{ Status, Name, Version string }](t, c.addr, "/health")
		if health.Status != "ok" || health.Name != c.name || health.Version == "" {
			t.Errorf("%s: %+v", c.name, health)
		}
		meta := get[struct {
			Name, Version, Description, Author string
			Scopes                             struct{ Signals, Messages map[string]string }
		}](t, c.addr, "/meta")
		if meta.Name != c.name || meta.Description == "" || !sameKeys(meta.Scopes.Signals, c.signals) || !sameKeys(meta.Scopes.Messages, c.topics) {
			t.Errorf("%s: %+v", c.name, meta)
		}
		if page := get[struct{ Blocks []map[string]any }](t, c.addr, "/"); len(page.Blocks) == 0 {
			t.Errorf("%s shows nothing", c.name)
		}
		checkTools(t, c.name, c.addr, c.tools)
	}
}

func sameKeys(m map[string]string, want []string) bool {
	for _, key := range want {
		if m[key] == "" {
			return false
		}
	}
	return len(m) == len(want)
}

func checkTools(t *testing.T, name, addr string, want []string) {
	t.Helper()
	tools := get[[]struct {
		Name, Description, Documentation string
		Parameters                       []struct {
			Name, Type, Description string
			Required                bool
		}
		Returns          map[string]any
		SideEffects      *bool `json:"side_effects"`
		RequiresApproval bool  `json:"requires_approval"`
	}](t, addr, "/capabilities")
	if tools == nil {
		t.Errorf("%s: its capabilities are null and no array", name)
	}
	var names []string
	for _, tool := range tools {
		names = append(names, tool.Name)
		if tool.Description == "" || tool.Parameters == nil {
			t.Errorf("%s: %+v", name, tool)
		}
		if asks := tool.Name == "cancel_reservation"; tool.RequiresApproval != asks {
			t.Errorf("that %s wants to be approved is not %v", tool.Name, asks)
		}
		if harmless := tool.Name == "list_reservations"; (tool.SideEffects != nil && !*tool.SideEffects) != harmless {
			t.Errorf("that %s says it changes nothing is not %v", tool.Name, harmless)
		}
		for _, p := range tool.Parameters {
			if p.Name == "" || p.Description == "" || !slices.Contains([]string{"string", "number", "integer", "boolean", "object"}, p.Type) {
				t.Errorf("%s, %s: %+v", name, tool.Name, p)
			}
		}
	}
	if !slices.Equal(names, want) {
		t.Errorf("%s offers %v", name, names)
	}
}

// TestTools goes through the state of one hospital and one restaurant.
func TestTools(t *testing.T) {
	h, r := start(t, "hospital"), start(t, "restaurant")
	const teeth = `{"appointment_id":"apt_2077","clinic":"Dentistry","doctor":"Dr. Lind","when":"next week at 9:30"}`
	for _, c := range []struct{ addr, body, want string }{
		{h.Addr(), `{"capability":"cancel_appointment","params":{"appointment_id":"apt_2041","reason":"a cold"}}`, "Your appointment with Dr. Okafor is cancelled."},
		{h.Addr(), `{"capability":"cancel_appointment","params":{"appointment_id":"apt_2041"}}`, "error: there is no appointment apt_2041"},
		{h.Addr(), `{"capability":"list_appointments","params":{}}`, `{"appointments":[` + teeth + `]}`},
		{h.Addr(), `{"capability":"operate","params":{}}`, "error: there is no tool operate here"},
		{r.Addr(), `{"capability":"list_reservations"}`, `{"reservations":[{"people":"two","reservation_id":"res_801","when":"tonight"}]}`},
		{r.Addr(), `{"capability":"cancel_reservation","params":{"reservation_id":"res_801"}}`, "The table for tonight is given back."},
		{r.Addr(), `{"capability":"cancel_reservation","params":{"reservation_id":"res_801"}}`, "error: there is no reservation res_801"},
		{r.Addr(), `{"capability":"list_reservations","params":{}}`, `{"reservations":[]}`},
	} {
		if got := execute(t, c.addr, "", c.body).String(); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.body, got, c.want)
		}
	}
	resp, err := http.Post("http://"+h.Addr()+"/execute", "application/json", strings.NewReader("cancel"))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusBadRequest {
		t.Errorf("no JSON is answered %s", resp.Status)
	}
}

func TestDoesWhatComesTwiceOnce(t *testing.T) {
	h := start(t, "hospital")
	const cancel = `{"capability":"cancel_appointment","params":{"appointment_id":"apt_2041"}}`
	first, again := execute(t, h.Addr(), "k1", cancel), execute(t, h.Addr(), "k1", cancel)
	if first.Error != nil || !reflect.DeepEqual(first, again) {
		t.Errorf("first %s, again %s", first, again)
	}
	if other := execute(t, h.Addr(), "k2", cancel); other.Error == nil {
		t.Errorf("under another key: %s", other)
	}
}

func TestBroadcastsToAll(t *testing.T) {
	x := start(t, "exchange")
	first, second := listen(t, x.StreamURL()), listen(t, x.StreamURL())
	x.Broadcast(append(demo.Prices(120), x.News)...)
	heard := first.hear(121)
	if !reflect.DeepEqual(heard, second.hear(121)) {
		t.Error("two that listen heard two things")
	}
	for i, s := range heard {
		if s.Kind != "signal" || s.Content == "" || s.Source != x.Name || s.Energy <= 0 || s.Energy > 1 ||
			(s.Type == "price_alert") != (i == 120) || (s.Content == x.News.Content) != (i == 120) {
			t.Errorf("signal %d is %+v", i, s)
		}
	}
}

func TestListenersComeAndGo(t *testing.T) {
	r := start(t, "restaurant")
	stays, leaves := listen(t, r.StreamURL()), listen(t, r.StreamURL())
	if err := ws.WriteFrame(stays.conn, ws.MaskFrame(ws.NewPingFrame([]byte("there?")))); err != nil {
		t.Fatal(err)
	}
	if code, payload := stays.frame(); code != ws.OpPong || string(payload) != "there?" {
		t.Fatalf("%v %s", code, payload)
	}
	leaves.conn.Close()
	for range 3 {
		r.Broadcast(r.News)
		if got := stays.hear(1)[0]; got.Type != "opening_hours" || got.Content != r.News.Content {
			t.Errorf("%+v", got)
		}
	}
}

func TestPairsAndSpeaks(t *testing.T) {
	base, told := standIn(t, map[string]string{
		"/api/interfaces/pair": `{"interface_id":"i1","signal_token":"t1","status":"online","capabilities":["a","b"]}`,
		"/api/signals":         `{"ok":true,"signal_id":"s1"}`,
	})
	h := start(t, "hospital")
	if err := h.Send(t.Context(), "/api/signals", h.News, nil); err == nil {
		t.Error("it spoke without knowing to whom")
	}
	paired, err := h.Pair(t.Context(), base+"/", "the key")
	if err != nil || paired.ID != "i1" || !slices.Equal(paired.Tools, []string{"a", "b"}) {
		t.Fatal(paired, err)
	}
	var answer struct {
		ID string `json:"signal_id"`
	}
	if err := h.Send(t.Context(), "/api/signals", h.News, &answer); err != nil || answer.ID != "s1" {
		t.Fatal(answer, err)
	}
	_, err = h.Pair(t.Context(), base+"/elsewhere", "no key")
	refusal, ok := errors.AsType[*demo.Refusal](err)
	if !ok || *refusal != (demo.Refusal{Status: http.StatusForbidden, Words: "not this one"}) {
		t.Errorf("%v", err)
	}
	all := told()
	host, _, _ := net.SplitHostPort(h.Addr())
	pair, signal := all[0], all[1]
	if pair.path != "/api/interfaces/pair" || pair.auth != "" || pair.body["pairing_key"] != "the key" || pair.body["host"] != host ||
		pair.body["name"] != h.Name || pair.body["port"].(float64) < 1 {
		t.Errorf("%+v", pair)
	}
	if signal.path != "/api/signals" || signal.auth != "Bearer t1" || signal.body["content"] != h.News.Content || signal.body["source"] != h.Name {
		t.Errorf("%+v", signal)
	}
}

func TestEndsClean(t *testing.T) {
	x, err := demo.Open("exchange")
	if err != nil {
		t.Fatal(err)
	}
	l := listen(t, x.StreamURL())
	x.Close()
	if n, err := io.Copy(io.Discard, l.conn); n > 0 || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the listener was kept: %d, %v", n, err)
	}
	if conn, err := net.Dial("tcp", x.Addr()); err == nil {
		conn.Close()
		t.Error("it still listens")
	}
	x.Broadcast(x.News) // to nobody
}

// A program that keeps one thing alone needs no number of it.
func TestForOne(t *testing.T) {
	p, err := demo.OpenForOne("restaurant")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	for _, want := range []string{"The table for tonight is given back.", "error: there is no reservation <nil>"} {
		if got := execute(t, p.Addr(), "", `{"capability":"cancel_reservation"}`).String(); got != want {
			t.Errorf("it answers %q, want %q", got, want)
		}
	}
}
