package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	contract "chalie/adapters/api"
	"chalie/domain"
)

// canary is a word that stands in all that its person has, and that no program may be told.
const canary = "quintavalle"

// echo is a model that answers with all that it was shown. It keeps what it was shown for
// whoever asked: a cycle of Chalie's own, between two questions, is its person's.
type echo struct {
	server *httptest.Server
	mu     sync.Mutex
	shown  []string
}

func startEcho(t *testing.T) *echo {
	e := &echo{}
	e.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		if !strings.Contains(string(body), "Nobody has asked anything.") {
			e.mu.Lock()
			e.shown = append(e.shown, string(body))
			e.mu.Unlock()
		}
		thought{text: "I was shown " + string(body)}.write(w)
	}))
	t.Cleanup(e.server.Close)
	return e
}

// since are the prompts behind so many.
func (e *echo) since(n int) []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]string(nil), e.shown[n:]...)
}

// prober is a program that looks for what it may not read.
type prober struct {
	v     *victim
	name  string
	token string
}

// tells holds an answer to what the program may be told.
func (r prober) tells(where, answer string) {
	r.v.t.Helper()
	if at := strings.Index(strings.ToLower(answer), canary); at >= 0 {
		r.v.t.Errorf("%s is told %q by %s", r.name, answer[max(0, at-120):min(len(answer), at+60)], where)
	}
}

// posts asks a route of the socket as the program.
func (r prober) posts(path string, body map[string]any) string {
	r.v.t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		r.v.t.Fatal(err)
	}
	_, answer, err := r.v.ask(http.MethodPost, "socket:"+path, string(text), "Authorization: Bearer "+r.token)
	if err != nil {
		r.v.t.Fatal(err)
	}
	r.tells(path+" "+string(text), answer)
	return answer
}

// probes are what a program asks that wants to know. None has the canary.
var probes = []string{"what is my alarm code?", "what is planned tomorrow?", "cancel the surgery", "what is on my shopping list?"}

// saidBefore asks for what another conversation has.
const saidBefore = "what did I say before?"

// onTheSocket walks all that the socket serves for programs, the n-th of which this is. What one gives
// as the source of a question names a conversation, so what was said before is asked for with each
// of them, and the rest with one. Each capability is given all inputs by the programs together.
func (r prober) onTheSocket(n int) {
	sources := []string{"", "cli", "operator", "telegram", r.name}
	for _, source := range sources {
		r.posts("/lms/chat", map[string]any{"prompt": saidBefore, "source": source})
	}
	for i, probe := range probes {
		r.posts("/lms/chat", map[string]any{"prompt": probe, "source": sources[(i+n)%len(sources)]})
	}
	for _, path := range []string{"", "notes", "notes/alarm.md", "plans", "plans/reminders.md", "memory.md", "alarm.md"} {
		r.posts("/vault/files/get", map[string]any{"file_path": path})
		r.posts("/vault/directories/list", map[string]any{"directory_path": path})
	}
	for _, query := range []string{"alarm", "surgery", "sister", "code"} {
		r.posts("/vault/files/search", map[string]any{"query": query})
	}
	there, absent := r.posts("/vault/files/remove", map[string]any{"file_path": "notes/alarm.md"}), r.posts("/vault/files/remove", map[string]any{"file_path": "notes/absent.md"})
	if !strings.Contains(there, `"not_found"`) || !strings.Contains(absent, `"not_found"`) {
		r.v.t.Errorf("%s is told whether another has a note: %s, %s", r.name, there, absent)
	}
	// One path is free for everybody: what there is of others tells nothing, and stays as it is.
	for revision, want := range map[string]string{"": `"errors":[]`, domain.ID{1}.String(): `"revision_changed"`} {
		for _, path := range []string{"notes/alarm.md", "notes/absent.md"} {
			if answer := r.posts("/vault/files/write", map[string]any{"file_path": path, "content": "of " + r.name, "revision": revision}); !strings.Contains(answer, want) {
				r.v.t.Errorf("%s writes to %s with the revision %q, and is answered %s", r.name, path, revision, answer)
			}
		}
	}
	if mine := r.posts("/vault/files/get", map[string]any{"file_path": "notes/alarm.md"}); !strings.Contains(mine, `"of `+r.name+`"`) {
		r.v.t.Errorf("%s reads at its own path %s", r.name, mine)
	}
	var listed struct {
		Capabilities []struct {
			ID string `json:"capability_id"`
		} `json:"capabilities"`
	}
	if err := json.Unmarshal([]byte(r.posts("/capabilities/describe", map[string]any{})), &listed); err != nil || len(listed.Capabilities) < 10 {
		r.v.t.Fatalf("%s may call %d capabilities, %v", r.name, len(listed.Capabilities), err)
	}
	inputs := []map[string]any{{"what": "surgery", "when": "tomorrow at 9"}, {"about": "alarm"}, {"which": "surgery"}, {"list": "shopping", "item": "milk"}}
	for i, c := range listed.Capabilities {
		for _, input := range []map[string]any{{}, inputs[(i+n)%len(inputs)]} {
			r.posts("/capabilities/invoke", map[string]any{"capability_id": c.ID, "input_payload": input, "confirmed": true})
		}
	}
	r.posts("/capabilities/next", map[string]any{"wait_seconds": 0})
}

// overHTTP walks every route of the contract: with each body where it is for one thing, or for
// one by its name, and with one of them for each id.
func (r prober) overHTTP(ids []string) {
	bodies := []string{``, `{}`, `{"text":"what is my alarm code?"}`, `{"message":"what is my alarm code?"}`, `{"params":{"what":"surgery","when":"tomorrow at 9"}}`, `{"params":{"about":"alarm"}}`,
		`{"signal_type":"rain","content":"what is my alarm code?"}`, `{"name":"x","signals":["mcp"]}`}
	for _, route := range contract.Routes() {
		if route.Path == "/mcp" || route.Path == "/mcp/stdio" {
			continue // its right reads
		}
		paths := []string{route.Path}
		if at := strings.IndexByte(route.Path, '{'); at >= 0 {
			paths = nil
			for _, id := range append(ids, "plans", "recall", "remind", "last", "alarm") {
				paths = append(paths, route.Path[:at]+id+route.Path[strings.IndexByte(route.Path, '}')+1:])
			}
		}
		closed := !route.Who.Tokens() && route.Who != contract.Anyone // one try shows that it is
		for n, path := range paths {
			for m, body := range bodies {
				switch {
				case (body == "") != (route.Body.Most == 0), closed && (n > 0 || m > 1):
					continue
				case body != "" && n > 0 && n < len(ids) && m != 1+n%(len(bodies)-1):
					continue
				}
				_, answer, err := r.v.ask(route.Method, path, body, "Authorization: Bearer "+r.token)
				if err != nil {
					r.v.t.Fatal(err)
				}
				r.tells(route.Method+" "+path+" "+body, answer)
			}
		}
	}
}

// A program without the right to read is told nothing of what its person has, on any way in: not in
// what a model is shown for it, and not in what comes back.
func TestNothingIsReadWithoutTheRight(t *testing.T) {
	t.Parallel()
	m := startEcho(t)
	v := startVictim(t, filepath.Join(t.TempDir(), "data"), "--model", "openai:echo@"+m.server.URL+"/v1")
	v.ready()
	ids := v.hides()
	shown := len(m.since(0))
	if said := v.wants(http.StatusOK, http.MethodPost, "socket:/lms/chat", `{"prompt":"what is my alarm code?","source":"cli"}`); !strings.Contains(said, canary) || !strings.Contains(strings.Join(m.since(shown), ""), canary) {
		t.Fatalf("the person isn't told themselves: %s", said)
	}
	readers := []prober{{v, "plain", v.mcpToken("plain")}}
	for _, right := range []string{"rain", "voice", "context_update", "mcp"} {
		readers = append(readers, prober{v, "with-" + strings.ReplaceAll(right, "_", "-"), v.mcpToken("with-"+strings.ReplaceAll(right, "_", "-"), right)})
	}
	var registered struct{ Payload struct{ Token string } }
	if err := json.Unmarshal([]byte(v.wants(http.StatusOK, http.MethodPost, "socket:/capabilities/register", `{"pairing_key":"`+v.pairingKey()+
		`","name":"Shed","version":"1","capabilities":[{"capability_id":"dig","kind":"op","summary":"Digs.","side_effects":["digs"]}]}`)), &registered); err != nil {
		t.Fatal(err)
	}
	readers = append(readers, prober{v, "Shed", registered.Payload.Token})
	for n, r := range readers {
		shown := len(m.since(0))
		secret := fmt.Sprintf("zebra%d", n)
		r.posts("/lms/chat", map[string]any{"prompt": "My word is " + secret + ".", "source": "cli"})
		if said := r.posts("/lms/chat", map[string]any{"prompt": "what is my word?", "source": "elsewhere"}); !strings.Contains(said, secret) {
			t.Errorf("%s isn't told what it said itself: %s", r.name, said)
		}
		r.onTheSocket(n)
		prompts := m.since(shown)
		if len(prompts) == 0 {
			t.Errorf("no model was asked for %s", r.name)
		}
		for _, prompt := range prompts {
			r.tells("what a model is shown", prompt)
			for other := range readers {
				if other != n && strings.Contains(prompt, fmt.Sprintf("zebra%d", other)) {
					t.Errorf("a model is shown for %s what %s said", r.name, readers[other].name)
				}
			}
		}
	}
	if own := v.wants(http.StatusOK, http.MethodPost, "socket:/vault/files/get", `{"file_path":"notes/alarm.md"}`); !strings.Contains(own, canary) {
		t.Errorf("the person reads at their own path %s", own)
	}
	for _, r := range readers {
		r.overHTTP(ids)
	}
	v.stop()
}

// hides has the canary stand in plans, lists, memories, notes, the world, names and conversations. It returns the
// ids of all of it.
func (v *victim) hides() (ids []string) {
	v.t.Helper()
	does := func(tool, params string) {
		v.t.Helper()
		v.wants(http.StatusOK, http.MethodPost, "socket:/api/tools/"+tool+"/invoke", `{"params":`+params+`}`)
	}
	does("remind", `{"what":"surgery at the `+canary+` clinic","when":"tomorrow at 9"}`)
	does("appointment", `{"what":"dinner with `+canary+`","when":"tomorrow at 20:00","place":"`+canary+`"}`)
	does("task", `{"what":"call `+canary+`"}`)
	does("list", `{"action":"add","list":"shopping","item":"`+canary+` milk"}`)
	does("remember", `{"what":"my alarm code is `+canary+`","about":"`+canary+`"}`)
	does("remember", `{"what":"my sister is called `+canary+`"}`)
	v.wants(http.StatusOK, http.MethodPost, "socket:/vault/files/write", `{"file_path":"notes/alarm.md","content":"the alarm code is `+canary+`"}`)
	v.wants(http.StatusAccepted, http.MethodPost, "socket:/api/signals", `{"signal_type":"news","content":"the alarm of `+canary+` went off","source":"alarm"}`)
	v.wants(http.StatusOK, http.MethodPost, "socket:/lms/chat", `{"prompt":"my alarm code is `+canary+`","source":"cli"}`)
	v.wants(http.StatusOK, http.MethodPost, "socket:/lms/chat", `{"prompt":"my alarm code is `+canary+`","source":"operator"}`)
	v.wants(http.StatusAccepted, http.MethodPost, "socket:/api/messages", `{"text":"the alarm code of `+canary+`"}`)
	v.awaits(domain.ReasoningConcludedType, 3)
	for _, rec := range v.records() {
		if len(ids) < 12 && !strings.HasPrefix(string(rec.Envelope.Type), "system.") {
			ids = append(ids, rec.Envelope.ID.UUID())
		}
	}
	return ids
}
