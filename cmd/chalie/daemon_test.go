package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"chalie/domain"
)

// daemon behaves on the wire as those built with the TypeScript SDK do: it
// registers, listens only when that was answered, and polls at once.
type daemon struct {
	*program

	scopes  string
	gateway string // as it was told
	id      string
	status  string
}

const daemonScopes = `{"context":{"location":"Where to look","timezone":"When","energy":"How you are"},` +
	`"signals":{"quote":"Prices","alarm":"Alarms"},"messages":{"stocks":"What you should know"}}`

// newDaemon is one with a port, at which it doesn't listen yet.
func newDaemon(t *testing.T, name string) *daemon {
	reserved, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer reserved.Close()
	d := &daemon{program: newProgram(t, name), scopes: daemonScopes}
	d.port = reserved.Addr().(*net.TCPAddr).Port
	d.on("/meta", saying(`{"name":"`+name+`","version":"1.2.0","description":"Prices","author":"","scopes":`+daemonScopes+`}`))
	d.on("/index.html", d.answers["/"])
	d.on("/capabilities", saying(`[{"name":"quote","description":"A price","documentation":"Long words","parameters":[
		{"name":"symbol","type":"string","required":true,"description":"which"},
		{"name":"days","type":"integer","required":false,"description":"how many","default":5}],
		"returns":{"type":"object","description":"the price"}}]`))
	d.on("/execute", d.execute)
	return d
}

// execute answers with what isn't set left out, and with data as text.
func (d *daemon) execute(w http.ResponseWriter, r *http.Request) {
	var call struct {
		Capability string         `json:"capability"`
		Params     map[string]any `json:"params"`
	}
	if err := json.NewDecoder(r.Body).Decode(&call); err != nil {
		d.t.Error(err)
	}
	if call.Capability != "quote" {
		saying(`{"text":null,"data":null,"error":"Unknown capability: `+call.Capability+`"}`)(w, r)
		return
	}
	text, err := json.Marshal(fmt.Sprintf(`{"symbol":%q,"price":185.5}`, call.Params["symbol"]))
	if err != nil {
		d.t.Error(err)
	}
	saying(`{"text":`+string(text)+`,"data":null,"error":null}`)(w, r)
}

// start registers and then listens. Whoever calls it before it was answered gets
// no answer, and fails the test.
func (d *daemon) start(v *victim, status int) {
	d.t.Helper()
	address := fmt.Sprintf("127.0.0.1:%d", d.port)
	closed, err := (&net.ListenConfig{}).Listen(d.t.Context(), "tcp", address)
	if err != nil {
		d.t.Fatal(err)
	}
	early := make(chan bool, 1)
	go func() {
		conn, err := closed.Accept()
		if err == nil {
			conn.Close()
		}
		early <- err == nil
	}()
	answer := v.wants(status, http.MethodPost, "/register", fmt.Sprintf(
		`{"name":%q,"version":"1.2.0","description":"Prices","author":"","scopes":%s,"port":%d}`, d.name, d.scopes, d.port), "Host: "+local(v.address))
	closed.Close()
	if <-early {
		d.t.Error("it was called before it listened")
	}
	known := read[struct {
		GatewayURL  string `json:"gateway_url"`
		InterfaceID string `json:"interface_id"`
		Status      string `json:"status"`
	}](d.t, answer)
	d.gateway, d.id, d.status = known.GatewayURL, known.InterfaceID, known.Status
	d.listen(address)
}

// local is an address under the name that daemons are started with.
func local(address string) string {
	return strings.Replace(strings.TrimPrefix(address, "http://"), "127.0.0.1", "localhost", 1)
}

// signal sends one as sendSignal does. Content is JSON.
func (d *daemon) signal(v *victim, status int, kind, content string) string {
	d.t.Helper()
	return v.wants(status, http.MethodPost, d.gateway+"/signals",
		fmt.Sprintf(`{"signal_type":%q,"content":%s,"activation_energy":0.5,"metadata":null}`, kind, content))
}

// message sends one as sendMessage does. Topic is JSON.
func (d *daemon) message(v *victim, status int, text, topic string) string {
	d.t.Helper()
	return v.wants(status, http.MethodPost, d.gateway+"/messages", fmt.Sprintf(`{"text":%q,"topic":%s,"metadata":null}`, text, topic))
}

func (d *daemon) context(v *victim) string {
	d.t.Helper()
	return v.wants(http.StatusOK, http.MethodGet, d.gateway+"/context", "")
}

// works goes through all that an approved one may do, and leaves one signal with
// the name of the moment.
func (d *daemon) works(v *victim, moment string) {
	d.t.Helper()
	if answer := d.signal(v, http.StatusAccepted, "quote", ` { "moment" : "`+moment+`", "ticker":"AAPL" , "price": 185.50 } `); answer != `{"ok":true}` {
		d.t.Errorf("%s: a signal was answered %s", moment, answer)
	}
	if answer := d.message(v, http.StatusAccepted, "AAPL at "+moment, `"stocks"`); answer != `{"ok":true}` {
		d.t.Errorf("%s: a message was answered %s", moment, answer)
	}
	if answer := d.message(v, http.StatusAccepted, "and more at "+moment, "null"); answer != `{"ok":true}` {
		d.t.Errorf("%s: a message without topic was answered %s", moment, answer)
	}
	d.signal(v, http.StatusForbidden, "gossip", `"x"`)
	d.message(v, http.StatusForbidden, "x", `"gossip"`)
	if got, want := d.context(v), `{"location":{"lat":35.9,"lon":14.5178,"name":"Valletta"},"energy":0.7}`; got != want {
		d.t.Errorf("%s: the context is %s, want %s", moment, got, want)
	}
	page := map[string]any{"blocks": []any{map[string]any{"type": "text", "content": "hello"}}, "gateway": "/gw/" + d.id}
	if answer := v.wants(http.StatusOK, http.MethodGet, d.gateway+"/render", ""); !reflect.DeepEqual(read[map[string]any](d.t, answer), page) {
		d.t.Errorf("%s: it renders %s", moment, answer)
	}
	call := `{"capability":"quote","params":{"symbol":"AAPL"}}`
	if answer := v.wants(http.StatusOK, http.MethodPost, d.gateway+"/execute", call); answer != `{"text":"{\"symbol\":\"AAPL\",\"price\":185.5}","data":null,"error":null}` {
		d.t.Errorf("%s: it executes %s", moment, answer)
	}
	v.wants(http.StatusBadRequest, http.MethodPost, "socket:/api/tools/quote/invoke", `{"params":{"symbol":"AAPL","days":1.5}}`)
	done := read[map[string]any](d.t, v.wants(http.StatusOK, http.MethodPost, "socket:/api/tools/quote/invoke", `{"params":{"symbol":"AAPL","days":5}}`))
	if done["text"] != `{"symbol":"AAPL","price":185.5}` || done["error"] != nil || done["blocks"] != nil {
		d.t.Errorf("%s: invoked it answers %v", moment, done)
	}
}

// The whole life of a daemon: it comes, is approved, works, and goes on working
// over restarts of either side.
func TestDaemon(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	v := startVictim(t, data)
	v.ready()
	address := strings.TrimPrefix(v.address, "http://")
	chat := "Cookie: " + register(t, v.setup)
	d := newDaemon(t, "Stocks")
	d.start(v, http.StatusCreated)
	if d.status != "pending" || d.gateway != "http://"+local(v.address)+"/gw/"+d.id {
		t.Errorf("it is registered as %s at %s", d.status, d.gateway)
	}
	d.awaitsApproval(v, chat)
	// Some seconds after it came it is asked what it offers.
	v.awaits("interface.capabilities_changed", 1)
	if names := v.offered(); len(names) != 0 {
		t.Errorf("of one that is pending there are the tools %v", names)
	}
	body := `{"approved_scopes":{"context":{"location":true,"energy":true},"signals":{"quote":true},"messages":{"stocks":true}}}`
	if answer := v.wants(http.StatusOK, http.MethodPut, "/api/apps/"+d.id+"/scopes", body, chat); answer != `{"ok":true,"status":"online"}` {
		t.Errorf("approving was answered %s", answer)
	}
	d.isRefused(v)
	v.wants(http.StatusOK, http.MethodPost, "/health", `{"location":{"lat":35.89972,"lon":14.51472,"name":"Valletta"},"timezone":"Europe/Malta",
		"device":{"class":"desktop","platform":"linux"},"energy":0.7,"attention":"focused"}`, chat)
	d.works(v, "first")

	d.close()
	d.start(v, http.StatusOK)
	if d.status != "online" {
		t.Errorf("when it starts again it is %s", d.status)
	}
	d.works(v, "second")

	v.end()
	v = startVictim(t, data, "--addr", address)
	v.ready()
	d.works(v, "third") // it knows nothing of that

	d.close()
	d.name = "Stocks and Bonds"
	id := d.id
	d.start(v, http.StatusOK)
	if d.status != "pending" || d.id != id {
		t.Errorf("under another name it is %s, %s instead of %s", d.status, d.id, id)
	}
	d.signal(v, http.StatusForbidden, "quote", `"x"`)
	if answer := d.context(v); answer != "{}" {
		t.Errorf("under another name it reads %s", answer)
	}
	v.awaits("interface.capabilities_changed", 2) // it may be another program
	if told := v.chalie("interfaces", "list"); !strings.Contains(told, "pending") || !strings.Contains(told, "chalie interfaces approve") {
		t.Errorf("the list is\n%s", told)
	}
	if told := v.chalie("interfaces", "approve", d.name, "--context", "location,energy", "--signals", "quote", "--messages", "stocks"); !strings.Contains(told, "online") {
		t.Errorf("approving says %s", told)
	}
	d.works(v, "fourth")
	d.left(v)
	v.stop()
}

// awaitsApproval is what it may do before anything was decided: nothing.
func (d *daemon) awaitsApproval(v *victim, chat string) {
	d.t.Helper()
	if answer := d.context(v); answer != "{}" {
		d.t.Errorf("it reads %s", answer)
	}
	d.signal(v, http.StatusForbidden, "quote", `"x"`)
	d.message(v, http.StatusForbidden, "x", `"stocks"`)
	d.message(v, http.StatusForbidden, "x", "null")
	v.wants(http.StatusForbidden, http.MethodPost, d.gateway+"/signals", "{}") // before the body is looked at
	apps := read[[]map[string]any](d.t, v.wants(http.StatusOK, http.MethodGet, "/api/apps", "", chat))
	if len(apps) != 1 {
		d.t.Fatalf("there are %v", apps)
	}
	app := apps[0]
	if app["id"] != d.id || app["name"] != "Stocks" || app["host"] != "127.0.0.1" || app["status"] != "pending" || app["author"] != "" || app["last_seen_at"] == nil {
		d.t.Errorf("it is listed as %v", app)
	}
	for field, want := range map[string]string{
		"requested_scopes": daemonScopes, "approved_scopes": `{"context":{},"signals":{},"messages":{}}`,
	} {
		text, err := json.Marshal(app[field])
		if err != nil || fmt.Sprint(read[any](d.t, string(text))) != fmt.Sprint(read[any](d.t, want)) {
			d.t.Errorf("%s are %s, %v", field, text, err)
		}
	}
	v.wants(http.StatusUnauthorized, http.MethodPut, "/api/apps/"+d.id+"/scopes", `{"approved_scopes":{}}`)
	v.wants(http.StatusBadRequest, http.MethodPut, "/api/apps/"+d.id+"/scopes", `{}`, chat)
	v.wants(http.StatusNotFound, http.MethodPut, "/api/apps/01890000-0000-7000-8000-000000000000/scopes", `{"approved_scopes":{}}`, chat)
}

// isRefused is in which order it is told what is wrong.
func (d *daemon) isRefused(v *victim) {
	d.t.Helper()
	for _, body := range []string{"{}", `{"signal_type":"gossip"}`, `{"content":"x"}`, `{"signal_type":"quote","content":["x"]}`, "nonsense"} {
		v.wants(http.StatusBadRequest, http.MethodPost, d.gateway+"/signals", body)
	}
	v.wants(http.StatusBadRequest, http.MethodPost, d.gateway+"/messages", `{"topic":"gossip"}`)
	unknown := strings.Replace(d.gateway, d.id, "01890000-0000-7000-8000-000000000000", 1)
	for _, path := range []string{"/signals", "/messages", "/execute"} {
		if answer := v.wants(http.StatusNotFound, http.MethodPost, unknown+path, "{}"); !strings.HasPrefix(answer, `{"error":"Unknown interface"`) {
			d.t.Errorf("%s of an unknown one was answered %s", path, answer)
		}
	}
	for _, body := range []string{`{"port":1}`, `{"name":"","port":1}`, `{"name":"x"}`, `{"name":"x","port":"many"}`} {
		v.wants(http.StatusBadRequest, http.MethodPost, "/register", body)
	}
	legacy := "<!doctype html><html><head><script>go()</script></head><body><p>AAPL is at 185.50</p></body></html>"
	usual := d.answers["/"]
	d.on("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, legacy)
	})
	if answer := v.wants(http.StatusOK, http.MethodGet, d.gateway+"/render", ""); !strings.Contains(answer, `<script>window.CHALIE_GW_BASE="/gw/`+d.id+`";</script>`) ||
		!strings.Contains(answer, "<p>AAPL is at 185.50</p>") || strings.Contains(answer, "go()") {
		d.t.Errorf("a page is passed on as %s", answer)
	}
	d.on("/", usual)
}

// left is what stands in the log of it in the end.
func (d *daemon) left(v *victim) {
	d.t.Helper()
	var signals, messages []string
	var comings []domain.EventType
	for _, rec := range v.records() {
		e := rec.Envelope
		switch {
		case rec.Topic == domain.TopicInterfaces:
			comings = append(comings, e.Type)
		case e.Type == "signal.received":
			s := decode[domain.SignalReceived](d.t, e)
			signals = append(signals, s.Content)
			if string(e.Principal) != d.id || len(s.Metadata) > 0 && string(s.Metadata) != "null" {
				d.t.Errorf("%s is answerable for %+v", e.Principal, s)
			}
		case e.Type == "message.received":
			m := decode[domain.MessageReceived](d.t, e)
			messages = append(messages, m.Text)
			if string(e.Principal) != d.id {
				d.t.Errorf("%s is answerable for %+v", e.Principal, m)
			}
		}
	}
	var wantSignals, wantMessages []string
	for _, moment := range []string{"first", "second", "third", "fourth"} {
		wantSignals = append(wantSignals, `{"moment":"`+moment+`","ticker":"AAPL","price":185.50}`)
		wantMessages = append(wantMessages, "AAPL at "+moment, "and more at "+moment)
	}
	if !slices.Equal(signals, wantSignals) || !slices.Equal(messages, wantMessages) {
		d.t.Errorf("the log has the signals %q and the messages %q", signals, messages)
	}
	coming := []domain.EventType{"interface.registered", "interface.capabilities_changed", "interface.scopes_approved"}
	want := slices.Concat(coming, coming)
	if !slices.Equal(comings, want) {
		d.t.Errorf("the log has %v of it", comings)
	}
}
