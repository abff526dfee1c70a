package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"

	"chalie/domain"
)

// consoleEvent is an event as a console reads it.
type consoleEvent struct {
	V         int             `json:"v"`
	Type      string          `json:"type"`
	TS        string          `json:"ts"`
	ProjectID *string         `json:"project_id"`
	SessionID *string         `json:"session_id"`
	UserID    *string         `json:"user_id"`
	Data      json.RawMessage `json:"data"`
	ID        domain.Seq      `json:"id"`
}

// voiceProgram is a client of /ws/events.
type voiceProgram struct {
	t    testing.TB
	conn net.Conn
	rest io.Reader
	last domain.Seq
	had  []consoleEvent // all with an id
}

// console opens a socket of events. query may name the last event; key may be "".
func (v *victim) console(query, key string) *voiceProgram {
	v.t.Helper()
	dialer := ws.Dialer{Timeout: patience}
	if key != "" {
		dialer.Header = ws.HandshakeHeaderHTTP(http.Header{"X-Api-Key": {key}})
	}
	conn, early, _, err := dialer.Dial(v.t.Context(), "ws"+strings.TrimPrefix(v.address, "http")+"/ws/events"+query)
	if err != nil {
		v.t.Fatal(err)
	}
	p := &voiceProgram{t: v.t, conn: conn, rest: conn}
	if early != nil {
		p.rest = io.MultiReader(io.LimitReader(early, int64(early.Buffered())), conn)
	}
	v.t.Cleanup(func() { _ = conn.Close() })
	return p
}

// pings waits for the pong, so that from here on nothing is missed.
func (p *voiceProgram) pings() *voiceProgram {
	p.t.Helper()
	if err := wsutil.WriteClientText(p.conn, []byte(`{"type":"ping"}`)); err != nil {
		p.t.Fatal(err)
	}
	if e := p.hears("pong"); e.TS == "" {
		p.t.Error("a pong has no ts")
	}
	return p
}

// hears reads events through the first of a type, and returns that.
func (p *voiceProgram) hears(kind string) consoleEvent {
	p.t.Helper()
	for {
		_ = p.conn.SetReadDeadline(time.Now().Add(patience))
		text, err := wsutil.ReadServerText(struct {
			io.Reader
			io.Writer
		}{p.rest, p.conn})
		if err != nil {
			p.t.Fatalf("there is no %s after %q: %v", kind, p.types(), err)
		}
		var e consoleEvent
		if err := json.Unmarshal(text, &e); err != nil {
			p.t.Fatalf("%s: %v", text, err)
		}
		if e.Type != "pong" && (e.V != 1 || e.TS == "" || e.ProjectID == nil || e.SessionID == nil || e.UserID == nil || len(e.Data) == 0) {
			p.t.Errorf("%s lacks a field of the envelope", text)
		}
		if e.ID != 0 {
			if e.ID <= p.last {
				p.t.Errorf("%s came after %d", text, p.last)
			}
			p.last, p.had = e.ID, append(p.had, e)
		}
		if e.Type == kind {
			return e
		}
	}
}

func (p *voiceProgram) types() (out []string) {
	for _, e := range p.had {
		out = append(out, e.Type)
	}
	return out
}

// says fills in the data of an event.
func (e consoleEvent) says(t *testing.T, into any) {
	t.Helper()
	if err := json.Unmarshal(e.Data, into); err != nil {
		t.Fatal(err)
	}
}

// TestConsoleHelloWorld is the contract's first steps: listen, send, hear both events. Then the
// program is killed, and a console that names its last event gets what it missed.
func TestConsoleHelloWorld(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	v := startVictim(t, data, "--aistalk")
	v.ready()
	p := v.console("", "").pings()
	send := func(text string) string {
		return v.wants(http.StatusOK, "POST", "/api/chat/send",
			fmt.Sprintf(`{"message":%q,"model":"ollama:glm-4.7-flash:32k","project_id":"aistalk","session_id":"test_001","user_id":"aistalk_user"}`, text))
	}
	answer := send("add milk to the shopping list")
	for _, want := range []string{`"ok":true`, `"project_id":"aistalk"`, `"session_id":"test_001"`, `"user_id":"aistalk_user"`, "milk", `"model":"builtin:`, `"backend":"router"`, `"instead_of":"ollama:glm-4.7-flash:32k"`} {
		if !strings.Contains(answer, want) {
			t.Errorf("the answer %s doesn't say %s", answer, want)
		}
	}
	reply := p.hears("chat.reply")
	if got, want := p.types(), []string{"chat.message", "tool.called", "tool.result", "chat.reply"}; !slices.Equal(got, want) {
		t.Errorf("it hears %q, want %q", got, want)
	}
	for _, e := range p.had {
		if *e.ProjectID != "aistalk" || *e.SessionID != "test_001" || *e.UserID != "aistalk_user" {
			t.Errorf("%s is of %s/%s by %s", e.Type, *e.ProjectID, *e.SessionID, *e.UserID)
		}
	}
	var said struct {
		Text      string
		Provider  string
		Model     string
		LatencyMS *int64 `json:"latency_ms"`
	}
	if reply.says(t, &said); !strings.Contains(said.Text, "milk") || said.Provider != "router" || !strings.HasPrefix(said.Model, "builtin:") || said.LatencyMS == nil {
		t.Errorf("the reply is %s", reply.Data)
	}
	ops := make(chan consoleEvent, 1)
	go func() { ops <- p.hears("ops.run") }()
	v.wants(http.StatusOK, "GET", "socket:/api/export", "")
	if e := <-ops; e.ID != 0 || !strings.Contains(string(e.Data), `"name":"export","ok":true,"elapsed_ms":`) {
		t.Errorf("an export is told as %s", e.Data)
	}
	send("what is on the shopping list?")
	v.kill()

	v = startVictim(t, data, "--aistalk")
	v.ready()
	again := v.console(fmt.Sprintf("?id=%d", reply.ID), "")
	missed := again.hears("chat.reply")
	if missed.says(t, &said); !strings.Contains(said.Text, "milk") || missed.ID <= reply.ID {
		t.Errorf("after a restart it hears %d %s", missed.ID, missed.Data)
	}
	if got := again.types(); got[0] != "chat.message" || slices.Contains(got, "gap") {
		t.Errorf("it missed %q", got)
	}
	all := v.console("?id=0", "")
	for all.hears("chat.reply"); all.last < missed.ID; {
		all.hears("chat.reply")
	}
	if want := len(p.had) + len(again.had); len(all.had) != want {
		t.Errorf("from the beginning there are %d events, want %d", len(all.had), want)
	}
	v.wants(http.StatusBadRequest, "GET", "/ws/events?id=x", "", upgrading...)
	v.wants(http.StatusBadRequest, "GET", "/ws/events?id=999999999", "", upgrading...)
	v.stop()
}

// upgrading are the headers of a request to become a socket.
var upgrading = []string{"Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="}

// TestConsoleHearsWordsAsTheyAreMade: what is streamed comes as chat.delta, and a console with
// a key names the model that answers.
func TestConsoleHearsWordsAsTheyAreMade(t *testing.T) {
	t.Parallel()
	h := &halting{pieces: []string{"It is at seven, ", "in the hall."}, goOn: make(chan struct{})}
	model, data := startMind(t, h.think), filepath.Join(t.TempDir(), "data")
	v := startVictim(t, data, model.flags()...)
	v.ready()
	own := registerKeyed(t, v.setup)
	var issued struct{ Token string }
	if err := json.Unmarshal([]byte(v.wants(http.StatusCreated, "POST", "/api/tokens", `{"name":"aistalk","signals":["console"]}`, own...)), &issued); err != nil {
		t.Fatal(err)
	}
	v.wants(http.StatusUnauthorized, "POST", "/api/chat/send", `{"message":"hi"}`)
	p := v.console("", issued.Token).pings()
	answers := make(chan string, 1)
	go func() {
		_, answer, err := v.ask("POST", "/api/chat/send", `{"message":"when is it?","project_id":"aistalk","session_id":"s"}`, "X-API-Key: "+issued.Token)
		if err != nil {
			answer = err.Error()
		}
		answers <- answer
	}()
	p.hears("chat.delta")
	h.goOn <- struct{}{}
	h.goOn <- struct{}{}
	if answer := <-answers; !strings.Contains(answer, `"response":"It is at seven, in the hall."`) || !strings.Contains(answer, `"meta":{`) || strings.Contains(answer, "instead_of") {
		t.Errorf("the answer is %s", answer)
	}
	p.hears("chat.reply")
	v.wants(http.StatusOK, "DELETE", "/api/tokens/aistalk", "", own...)
	_ = p.conn.SetReadDeadline(time.Now().Add(patience))
	for {
		if _, err := wsutil.ReadServerText(p.conn); err != nil {
			break // the token is revoked: so the socket is closed
		}
	}
	v.stop()
}
