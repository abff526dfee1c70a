package demo_test

import (
	"context"
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
	"testing/synctest"
	"time"

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
	r, h, x := startRestaurant(t), startHospital(t), startExchange(t, 1)
	for _, c := range []struct {
		name, addr      string
		tools           []string
		signals, topics []string
	}{
		{r.Name(), r.Addr(), []string{"cancel_reservation", "list_reservations"}, []string{"opening_hours"}, nil},
		{h.Name(), h.Addr(), []string{"cancel_appointment", "list_appointments", "move_appointment"}, []string{"visitor_notice"}, []string{"health"}},
		{x.Name(), x.Addr(), nil, []string{"price_alert", "price_update"}, nil},
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
	h, r := startHospital(t), startRestaurant(t)
	const heart = `{"appointment_id":"apt_2041","at":"2026-01-02T14:00:00Z","clinic":"Cardiology","doctor":"Dr. Okafor"}`
	for _, c := range []struct{ addr, body, want string }{
		{h.Addr(), `{"capability":"list_appointments","params":{"limit":1}}`, `{"appointments":[` + heart + `]}`},
		{h.Addr(), `{"capability":"list_appointments","params":{"clinic":"Surgery"}}`, `{"appointments":[]}`},
		{h.Addr(), `{"capability":"list_appointments","params":{"limit":0}}`, "error: limit is 0: give 1 or more"},
		{h.Addr(), `{"capability":"move_appointment","params":{"appointment_id":"apt_2041","hours":1.5,"confirm":false}}`, "It could be moved by 1h30m0s; nothing was changed."},
		{h.Addr(), `{"capability":"move_appointment","params":{"appointment_id":"apt_2041","hours":1.5,"confirm":true}}`, "Dr. Okafor sees you at 15:30."},
		{h.Addr(), `{"capability":"move_appointment","params":{"appointment_id":"apt_2041","hours":13,"confirm":true}}`, "error: hours is 13: give -12 to 12"},
		{h.Addr(), `{"capability":"move_appointment","params":{"appointment_id":"apt_1","hours":1,"confirm":true}}`, "error: there is no appointment apt_1"},
		{h.Addr(), `{"capability":"cancel_appointment","params":{"appointment_id":"apt_2041"}}`, "Your appointment with Dr. Okafor is cancelled."},
		{h.Addr(), `{"capability":"cancel_appointment","params":{"appointment_id":"apt_2041"}}`, "error: there is no appointment apt_2041"},
		{h.Addr(), `{"capability":"list_appointments","params":{"clinic":"Cardiology"}}`, `{"appointments":[]}`},
		{h.Addr(), `{"capability":"operate","params":{}}`, "error: there is no tool operate here"},
		{r.Addr(), `{"capability":"list_reservations"}`, `{"reservations":[{"people":2,"reservation_id":"res_801","when":"tonight"}]}`},
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
	h := startHospital(t)
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
	x := startExchange(t, 3)
	first, second := listen(t, x.StreamURL()), listen(t, x.StreamURL())
	if err := x.Trade(t.Context(), 120, 0); err != nil {
		t.Fatal(err)
	}
	words, err := x.Jump(10)
	if err != nil {
		t.Fatal(err)
	}
	heard := first.hear(121)
	if !reflect.DeepEqual(heard, second.hear(121)) {
		t.Error("two that listen heard two things")
	}
	for i, s := range heard {
		if s.Kind != "signal" || s.Content == "" || s.Source != x.Name() || s.Energy <= 0 || s.Energy > 1 || s.Metadata["ticker"] == "" ||
			(s.Type == "price_alert") != (i == 120) || (s.Content == words) != (i == 120) {
			t.Errorf("signal %d is %+v", i, s)
		}
	}
	same, other := startExchange(t, 3), startExchange(t, 4)
	for exchange, want := range map[*demo.Exchange]bool{same: true, other: false} {
		l := listen(t, exchange.StreamURL())
		if err := exchange.Trade(t.Context(), 120, 0); err != nil {
			t.Fatal(err)
		}
		if reflect.DeepEqual(l.hear(120), heard[:120]) != want {
			t.Errorf("the same seed says the same is not %v", want)
		}
	}
}

func TestListenersComeAndGo(t *testing.T) {
	r := startRestaurant(t)
	stays, leaves := listen(t, r.StreamURL()), listen(t, r.StreamURL())
	if err := ws.WriteFrame(stays.conn, ws.MaskFrame(ws.NewPingFrame([]byte("there?")))); err != nil {
		t.Fatal(err)
	}
	if code, payload := stays.frame(); code != ws.OpPong || string(payload) != "there?" {
		t.Fatalf("%v %s", code, payload)
	}
	leaves.conn.Close()
	for range 3 {
		words, err := r.CloseTonight()
		if err != nil {
			t.Fatal(err)
		}
		if got := stays.hear(1)[0]; got.Type != "opening_hours" || got.Content != words {
			t.Errorf("%+v", got)
		}
	}
}

func TestPairsAndSpeaks(t *testing.T) {
	base, told := standIn(t, map[string]string{
		"/api/interfaces/pair": `{"interface_id":"i1","signal_token":"t1","status":"online","capabilities":["a","b"]}`,
		"/api/signals":         `{"ok":true,"signal_id":"s1"}`,
		"/api/messages":        `{"ok":true,"message_id":"m1"}`,
	})
	h := startHospital(t)
	if _, err := h.CloseWing(t.Context(), "B"); err == nil {
		t.Error("it spoke without knowing to whom")
	}
	paired, err := h.Pair(t.Context(), base+"/", "the key")
	if err != nil || paired.ID != "i1" || !slices.Equal(paired.Tools, []string{"a", "b"}) {
		t.Fatal(paired, err)
	}
	if _, err := h.CloseWing(t.Context(), "B"); err != nil {
		t.Fatal(err)
	}
	if id, _, err := h.Postpone(t.Context(), "apt_2041", time.Hour); err != nil || id != "m1" {
		t.Fatal(id, err)
	}
	if _, _, err := h.Postpone(t.Context(), "apt_1", time.Hour); err == nil {
		t.Error("it moved an appointment that isn't there")
	}
	if _, _, err := h.Alarm(t.Context()); err != nil {
		t.Fatal(err)
	}
	all := told()
	host, port, _ := net.SplitHostPort(h.Addr())
	pair := all[0]
	if pair.path != "/api/interfaces/pair" || pair.auth != "" || pair.body["pairing_key"] != "the key" || pair.body["host"] != host ||
		pair.body["name"] != h.Name() || port == "" || pair.body["port"].(float64) < 1 {
		t.Errorf("%+v", pair)
	}
	for i, want := range []string{"/api/signals", "/api/messages", "/api/messages"} {
		if got := all[i+1]; got.path != want || got.auth != "Bearer t1" {
			t.Errorf("%+v", got)
		}
	}
	moved, _ := all[2].body["metadata"].(map[string]any)
	if moved["original_time"] != "2026-01-02T14:00:00Z" || moved["new_time"] != "2026-01-02T15:00:00Z" {
		t.Errorf("%+v", moved)
	}
	if urgent, _ := all[3].body["metadata"].(map[string]any); urgent["severity"] != "critical" {
		t.Errorf("%+v", urgent)
	}
}

func TestIsToldWhyItIsRefused(t *testing.T) {
	base, _ := standIn(t, nil)
	r := startRestaurant(t)
	_, err := r.Pair(t.Context(), base, "no key")
	refusal, ok := errors.AsType[*demo.Refusal](err)
	if !ok || *refusal != (demo.Refusal{Status: http.StatusForbidden, Words: "not this one"}) {
		t.Errorf("%v", err)
	}
}

func TestEndsClean(t *testing.T) {
	x, err := demo.NewExchange(demo.Config{})
	if err != nil {
		t.Fatal(err)
	}
	stop := running(t, x.Run)
	l := listen(t, x.StreamURL())
	stop()
	if n, err := io.Copy(io.Discard, l.conn); n > 0 || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the listener was kept: %d, %v", n, err)
	}
	if conn, err := net.Dial("tcp", x.Addr()); err == nil {
		conn.Close()
		t.Error("it still listens")
	}
	if err := x.Trade(t.Context(), 1, 0); err != nil {
		t.Errorf("with nobody there: %v", err)
	}
	x.Close() // once more is nothing
}

func TestNeverRan(t *testing.T) {
	h, err := demo.NewHospital(demo.Config{})
	if err != nil {
		t.Fatal(err)
	}
	h.Close()
	if conn, err := net.Dial("tcp", h.Addr()); err == nil {
		conn.Close()
		t.Error("its address is not free")
	}
}

// TestPace runs on a clock of its own: what takes a market seconds is at once.
func TestPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x, err := demo.NewExchange(demo.Config{})
		if err != nil {
			t.Fatal(err)
		}
		defer x.Close()
		began := time.Now()
		if err := x.Trade(t.Context(), 1000, 12_000); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took != 5*time.Second {
			t.Errorf("1000 at 12,000 a minute took %s", took)
		}
		why := errors.New("the bell")
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, why)
		defer cancel()
		if err := x.Trade(ctx, 1000, 12_000); !errors.Is(err, why) {
			t.Errorf("it ended with %v", err)
		}
	})
}
