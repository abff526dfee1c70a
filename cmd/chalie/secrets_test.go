package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"chalie/adapters/api"
	"chalie/adapters/apiclient"
	"chalie/adapters/pebblelog"
	"chalie/adapters/sysclock"
	"chalie/adapters/unixsocket"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// planted is a secret, and words in which it is said. A shaped one is known by itself.
type planted struct {
	secret, said string
	shaped       bool
}

// plantedSecrets are put together here: none stands in a file.
func plantedSecrets() []planted {
	body := "4eC39HqLyjWDarjtT1zdp7dc"
	return []planted{
		{"sk" + "_live_" + body, "the key is sk" + "_live_" + body, true},
		{"sk-" + "live-" + body, "use sk-" + "live-" + body, true},
		{"Hunter" + "2" + "Rabbit", "password: Hunter" + "2" + "Rabbit", false},
		{"Badger" + "7" + "x", "my wifi password is Badger" + "7" + "x", false},
		{strings.Repeat("4242", 4), "card " + strings.Repeat("4242", 4), true},
		{strings.TrimSpace(strings.Repeat("4242 ", 4)), "card " + strings.TrimSpace(strings.Repeat("4242 ", 4)), true},
	}
}

// sayings are what the person and programs say with a secret in it.
var secretSayings = []string{
	"remember that %s", "note to self: %s", "%s, remember that", "jot down that %s", "put %s on the shopping list", "shopping list: %s", "put milk and %s on the shopping list",
	"make a list called %s", "remind me to %s tomorrow at 8", "remind me tomorrow at 8: %s", "set an alarm for 6am called %s", "task: %s", "I have to %s by Friday",
	"put dinner at %s in my calendar on Saturday at 7", "schedule a call with %s tomorrow at 3", "is %s on the shopping list?", "forget %s", "who is %s?", "what did %s say?", "delete %s",
	"how's my %s?", "what about my %s?", "why did you tell me about %s?", "cancel %s", "move %s to Friday", "%s", "my dentist is %s", "note: “%s”", "Erinnere mich morgen um 8 daran: %s",
	"Setz %s auf die Einkaufsliste", "my appointment moved to 15:00: %s",
}

// secretFinder holds what is stored and told against the planted secrets.
type secretFinder struct {
	t       *testing.T
	secrets []planted
	found   map[string]bool
	turn    int
}

// next are the secrets in turn.
func (f *secretFinder) next() planted {
	f.turn++
	return f.secrets[f.turn%len(f.secrets)]
}

// in fails for each secret in a text, once for each place.
func (f *secretFinder) in(where string, text []byte) {
	f.t.Helper()
	for _, p := range f.secrets {
		if bytes.Contains(text, []byte(p.secret)) && !f.found[where] {
			f.found[where] = true
			f.t.Errorf("%s has %q: %.400s", where, p.secret, text)
		}
	}
}

// No secret that has a shape or a name is kept, whichever skill or route it comes by, nor told or
// answered again: every record of the log is looked through, bytes for bytes.
func TestNoSecretIsKept(t *testing.T) {
	clock := domaintest.NewClockAt(time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC))
	s := beginWith(t, t.TempDir(), clock, func(c *Config) { c.SignalRate = 10_000 })
	find := &secretFinder{t: t, secrets: plantedSecrets(), found: map[string]bool{}}
	client := unixsocket.Client(s.data)
	defer client.CloseIdleConnections()
	ask := func(method, path, body string, headers ...string) (int, []byte) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, unixsocket.BaseURL+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		for _, h := range headers {
			name, value, _ := strings.Cut(h, ": ")
			req.Header.Set(name, value)
		}
		resp, err := client.Do(req)
		if err != nil {
			t.Fatalf("%s %s: %v", method, path, err)
		}
		defer resp.Body.Close()
		var out bytes.Buffer
		if _, err := out.ReadFrom(resp.Body); err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, out.Bytes()
	}
	_, answer := ask(http.MethodPost, "/api/tokens", `{"name":"house"}`)
	issued := read[struct{ Token string }](t, string(answer))

	// Every skill, with a secret in every parameter that is a text.
	_, answer = ask(http.MethodGet, "/api/tools", "")
	tools := read[struct {
		Tools []struct {
			Name        string
			InterfaceID *string `json:"interface_id"`
			Parameters  []domain.Parameter
		}
	}](t, string(answer))
	called := 0
	for _, tool := range tools.Tools {
		for _, param := range tool.Parameters {
			if tool.InterfaceID != nil || param.Type != domain.TypeString {
				continue
			}
			for _, params := range secretCalls(tool.Name, param.Name) {
				params[param.Name] = find.next().said
				body, err := json.Marshal(map[string]any{"params": params})
				if err != nil {
					t.Fatal(err)
				}
				status, answer := ask(http.MethodPost, "/api/tools/"+tool.Name+"/invoke", string(body))
				if status != http.StatusOK && status != http.StatusBadRequest {
					t.Fatalf("%s %s is answered %d %s", tool.Name, body, status, answer)
				}
				find.in(fmt.Sprintf("the answer of %s to %s", tool.Name, param.Name), answer)
				called++
			}
		}
	}
	if called < 100 {
		t.Fatalf("only %d calls of skills were tried", called)
	}

	// Every route that takes a body, with a secret in each of its texts.
	for _, route := range api.Routes() {
		if route.Body.Shape == nil || strings.HasPrefix(route.Path, "/auth") || route.Name == "changePassword" || route.Name == "replay" {
			continue
		}
		for _, p := range find.secrets {
			for _, text := range []string{p.said, p.secret} {
				if text == p.secret && !p.shaped {
					continue // by itself nothing tells it from another word
				}
				path := strings.NewReplacer("{id}", "01K00000000000000000000000", "{token}", "apr_1", "{name}", url.PathEscape(text)).Replace(route.Path)
				body, err := json.Marshal(filled(reflect.TypeOf(route.Body.Shape), text, 0).Interface())
				if err != nil {
					t.Fatal(err)
				}
				ask(route.Method, path, string(body))
			}
		}
	}

	// What the person and a program say, signal and have done.
	said := 0
	for i, saying := range secretSayings {
		for _, headers := range [][]string{nil, nil, {"Authorization: Bearer " + issued.Token}} {
			p := find.next()
			message, err := json.Marshal(map[string]any{"text": fmt.Sprintf(saying, p.said), "topic": p.said, "source": p.said, "metadata": map[string]any{"a": p.said, p.said: []string{p.said}}})
			if err != nil {
				t.Fatal(err)
			}
			status, answer := ask(http.MethodPost, "/api/messages", string(message), headers...)
			if status != http.StatusAccepted {
				t.Fatalf("%s is answered %d %s", message, status, answer)
			}
			said++
		}
		p := find.secrets[i%len(find.secrets)]
		signal, err := json.Marshal(map[string]any{"signal_type": p.said, "content": fmt.Sprintf(saying, p.said), "topic": p.said, "source": p.said, "metadata": map[string]any{"value": p.said, p.said: 1}})
		if err != nil {
			t.Fatal(err)
		}
		if status, answer := ask(http.MethodPost, "/api/signals", string(signal)); status != http.StatusAccepted {
			t.Fatalf("%s is answered %d %s", signal, status, answer)
		}
	}
	awaitAnswers(t, s, said)
	for _, path := range []string{"/api/plans", "/api/world", "/conversation/recent?limit=200"} {
		_, answer := ask(http.MethodGet, path, "")
		find.in(path, answer)
	}
	s.api.Close()
	s.end()
	if err := <-s.ended; err != nil {
		t.Fatal(err)
	}
	find.in("the program's own log", []byte(s.logs.String()))
	log, err := pebblelog.Open(pebblelog.Config{Dir: logFolder(s.data), Clock: sysclock.Clock{}, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	for _, rec := range recordsOf(t, log) {
		e := rec.Envelope
		find.in(string(e.Type)+", payload", e.Payload.Bytes)
		find.in(string(e.Type)+", source and principal", []byte(string(e.Source)+" "+string(e.Principal)))
		for _, key := range e.Keys {
			find.in(string(e.Type)+", key", []byte(key))
		}
		for _, subject := range e.Subjects {
			find.in(string(e.Type)+", subject", []byte(subject))
		}
		for _, fault := range e.Errors {
			find.in(string(e.Type)+", error", []byte(fault.Message))
		}
	}
}

// awaitAnswers waits until so many messages are.
func awaitAnswers(t *testing.T, s *story, n int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	for from, got := domain.Position(1), 0; got < n; {
		page, err := s.api.Log(ctx, apiclient.LogQuery{Type: string(domain.ReasoningConcludedType), From: from, Wait: 10 * time.Second})
		if err != nil {
			t.Fatalf("of %d messages %d are answered: %v", n, got, err)
		}
		got, from = got+len(page.Records), page.Next
	}
}

// secretCalls are the calls of a skill that have a text in a parameter, with what else each takes.
func secretCalls(tool, param string) []map[string]any {
	base := map[string]any{"what": "tea", "when": "tomorrow at 8", "list": "shopping", "item": "milk", "which": "tea", "about": "tea", "of": "portfolio"}
	takes := map[string][]string{
		"remind": {"what", "when"}, "remember": {"what"}, "forget": {"what"}, "values": {"of"},
	}
	var out []map[string]any
	for _, action := range map[string][]string{
		"appointment": {"add", "move", "cancel", "skip"}, "task": {"create", "progress", "complete", "drop", "move"}, "list": {"add", "show", "remove", "create", "clear", "drop"},
		"reminder": {"done", "cancel", "move", "skip", "pause", "snooze"}, "remove": {"remove", "done", "skip"},
	}[tool] {
		params := map[string]any{"action": action}
		switch action {
		case "add", "create":
			needs := map[string][]string{"appointment": {"what", "when"}, "task": {"what"}, "list": {"list", "item"}}
			for _, name := range needs[tool] {
				params[name] = base[name]
			}
		}
		out = append(out, params)
	}
	if len(out) == 0 {
		params := map[string]any{}
		for _, name := range takes[tool] {
			params[name] = base[name]
		}
		out = append(out, params)
	}
	return out
}

// filled is a value of a type with a text in all of its texts.
func filled(of reflect.Type, text string, depth int) reflect.Value {
	out := reflect.New(of).Elem()
	const deepest = 6
	if depth > deepest {
		return out
	}
	switch of.Kind() {
	case reflect.String:
		out.SetString(text)
	case reflect.Pointer:
		out.Set(reflect.New(of.Elem()))
		out.Elem().Set(filled(of.Elem(), text, depth+1))
	case reflect.Slice:
		if of == reflect.TypeFor[json.RawMessage]() {
			raw, _ := json.Marshal(map[string]any{"a": text, text: text})
			out.SetBytes(raw)
			break
		}
		out.Set(reflect.Append(out, filled(of.Elem(), text, depth+1)))
	case reflect.Map:
		out.Set(reflect.MakeMap(of))
		if of.Key().Kind() == reflect.String {
			out.SetMapIndex(reflect.ValueOf(text).Convert(of.Key()), filled(of.Elem(), text, depth+1))
		}
	case reflect.Struct:
		for i := range of.NumField() {
			if of.Field(i).IsExported() {
				out.Field(i).Set(filled(of.Field(i).Type, text, depth+1))
			}
		}
	case reflect.Int, reflect.Int64:
		out.SetInt(1)
	}
	return out
}
