package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// python runs a script of the Brain client's tests against a server.
func python(t *testing.T, data string, script string, args ...string) string {
	t.Helper()
	program, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not on this machine: install it to run the client of the Brain SDK")
	}
	folder, err := filepath.Abs("../../adapters/brain/testdata")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, append([]string{script, filepath.Join(data, "run", "chalie.sock")}, args...)...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", script, err, out)
	}
	return string(out)
}

// A client of the Brain SDK that was written from the contract alone has every call answered, and what it
// sent is found in the log by the ids that it chose.
func TestBrainClient(t *testing.T) {
	data := t.TempDir()
	v := startVictim(t, data)
	v.ready()
	if out := python(t, data, "check.py"); !strings.Contains(out, "sound") {
		t.Errorf("the client says\n%s", out)
	}
	if list := v.chalie("interfaces"); !strings.Contains(list, "Shed") || !strings.Contains(list, "Chalie's socket") {
		t.Errorf("the interfaces are\n%s", list)
	}
	if check := v.chalie("rebuild", "aliases", "--check"); !strings.Contains(check, "the log gives the same") {
		t.Errorf("the check says\n%s", check)
	}
	if check := v.chalie("rebuild", "notes", "--check"); !strings.Contains(check, "the log gives the same") {
		t.Errorf("the check says\n%s", check)
	}
	if out := v.chalie("replay", "--all"); !strings.Contains(out, "All is decided as it was") {
		t.Errorf("the replay says\n%s", out)
	}
	v.chalie("interfaces", "remove", "Shed")
	v.stop()
}

// brainAnswer is what the tests read of an answer.
type brainAnswer struct {
	Output string `json:"output_json"`
	Policy struct {
		Decision string `json:"decision_id"`
	} `json:"policy"`
	Errors []struct{ Code, Category string } `json:"errors"`
}

// A process that is killed after a command was recorded answers it when it comes again, once.
func TestBrainCommandAfterKill(t *testing.T) {
	data := t.TempDir()
	v := startVictim(t, data)
	v.ready()
	body := `{"envelope_id":"6f1c1d4e9c1f4c8b8f0f6d2f2f3f4f5a","trace_id":"0a1b2c3d4e5f60718293a4b5c6d7e8f9","parent_id":"","kind":"command","source":"cron","principal":"operator","timestamp":"2026-11-27T09:00:00+00:00","capability_id":"chalie/remember","input_payload":{"what":"The spare key is with Ada"},"actor":"operator","channel":"cron","invocation_id":"","parent_invocation_id":"","confirmed":false,"approval_token":""}`
	ask := func() (out brainAnswer) {
		t.Helper()
		text := v.wants(http.StatusOK, http.MethodPost, "socket:/capabilities/invoke", body)
		if err := json.Unmarshal([]byte(text), &out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	first := ask()
	if len(first.Errors) > 0 || !strings.Contains(first.Output, "spare key") {
		t.Fatalf("the answer is %+v", first)
	}
	v.end()
	v = startVictim(t, data)
	v.ready()
	if again := ask(); again.Output != first.Output || again.Policy != first.Policy {
		t.Errorf("the repeat is answered %+v, the first was %+v", again, first)
	}
	if n := strings.Count(v.chalie("log", "--type", "memory.remembered"), "spare key"); n != 1 {
		t.Errorf("it was remembered %d times", n)
	}
	other := strings.Replace(body, "Ada", "Bob", 1)
	if text := v.wants(http.StatusOK, http.MethodPost, "socket:/capabilities/invoke", other); !strings.Contains(text, `"category":"conflict"`) {
		t.Errorf("another body is answered %s", text)
	}
	for _, path := range []string{"/api/log/6f1c1d4e9c1f4c8b8f0f6d2f2f3f4f5a", "/api/traces/0a1b2c3d4e5f60718293a4b5c6d7e8f9", "/api/why/6f1c1d4e9c1f4c8b8f0f6d2f2f3f4f5a"} {
		if text := v.wants(http.StatusOK, http.MethodGet, "socket:"+path, ""); !strings.Contains(text, "cron") && !strings.Contains(text, "invoke") {
			t.Errorf("%s is %s", path, text)
		}
	}
	v.stop()
}

// Who sends an envelope_id again while its chat is being answered doesn't wait for the first request: another
// body is refused at once, and the same one is told the same answer.
func TestBrainChatUnderWay(t *testing.T) {
	asked, goOn := make(chan struct{}, 9), make(chan struct{})
	echo := startEcho(t)
	held := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		<-goOn
		echo.server.Config.Handler.ServeHTTP(w, r)
	}))
	t.Cleanup(held.Close)
	answers := sync.OnceFunc(func() { close(goOn) })
	t.Cleanup(answers)
	data := t.TempDir()
	v := startVictim(t, data, "--model", "openai:echo@"+held.URL+"/v1")
	v.ready()
	chat := func(prompt string) string {
		_, said, err := v.ask(http.MethodPost, "socket:/lms/chat", `{"envelope_id":"6f1c1d4e9c1f4c8b8f0f6d2f2f3f4f5c","kind":"command","source":"cli","prompt":"`+prompt+`"}`)
		if err != nil {
			t.Error(err)
		}
		return said
	}
	first := make(chan string, 1)
	go func() { first <- chat("good morning to you and the zebra") }()
	<-asked
	if other := chat("something else"); !strings.Contains(other, "envelope_id_reused") {
		t.Errorf("another body is answered %s", other)
	}
	answers()
	if said, again := <-first, chat("good morning to you and the zebra"); !strings.Contains(said, "zebra") || textIn(t, said) != textIn(t, again) {
		t.Errorf("the first is answered %s, the repeat %s", said, again)
	}
	v.stop()
}

// textIn is the text of a chat's answer.
func textIn(t *testing.T, answer string) string {
	t.Helper()
	var in struct{ Payload struct{ Text string } }
	if err := json.Unmarshal([]byte(answer), &in); err != nil || in.Payload.Text == "" {
		t.Errorf("the answer %s has no text, %v", answer, err)
	}
	return in.Payload.Text
}

// A process that is killed while a program carries out a call doesn't know what came of it, and says so when the
// command comes again; it isn't made twice.
func TestBrainCallAfterKill(t *testing.T) {
	data := t.TempDir()
	v := startVictim(t, data)
	v.ready()
	post := func(path, body string, into any, headers ...string) {
		t.Helper()
		text := v.wants(http.StatusOK, http.MethodPost, "socket:"+path, body, headers...)
		if err := json.Unmarshal([]byte(text), into); err != nil {
			t.Fatal(err)
		}
	}
	var registered struct {
		Payload struct {
			Program string `json:"program_id"`
			Token   string `json:"token"`
		}
	}
	post("/capabilities/register", `{"pairing_key":"`+v.pairingKey()+`","name":"Shed","version":"1","capabilities":[{"capability_id":"dig","kind":"op","summary":"Digs.","side_effects":["digs"]}]}`, &registered)
	auth := "Authorization: Bearer " + registered.Payload.Token
	post("/capabilities/next", `{"wait_seconds":0}`, &struct{}{}, auth) // from now on it is there
	id := registered.Payload.Program + "/dig"
	body := `{"envelope_id":"6f1c1d4e9c1f4c8b8f0f6d2f2f3f4f5b","trace_id":"0a1b2c3d4e5f60718293a4b5c6d7e8f9","kind":"command","source":"cli","principal":"operator","capability_id":"` + id + `","input_payload":{},"confirmed":true}`
	broken := make(chan struct{})
	go func() {
		defer close(broken)
		_, _, _ = v.ask(http.MethodPost, "socket:/capabilities/invoke", body) // it is broken off
	}()
	post("/capabilities/next", `{"wait_seconds":30}`, &struct{}{}, auth)
	v.end()
	<-broken
	v = startVictim(t, data)
	v.ready()
	var again brainAnswer
	post("/capabilities/invoke", body, &again)
	if len(again.Errors) != 1 || again.Errors[0].Category != "dependency" || again.Errors[0].Code != "interrupted" {
		t.Errorf("the repeat is answered %+v", again)
	}
	if log := v.chalie("log", "--type", "tool.dispatched"); strings.Count(log, "tool.dispatched") != 1 {
		t.Errorf("it left not once:\n%s", log)
	}
	v.stop()
}
