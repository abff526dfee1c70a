package main

import (
	"encoding/json"
	"net/http"
	"net/url"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	contract "chalie/adapters/api"
)

// nameBodies are the bodies that give a name, by route and member. KEY is a pairing key. A member
// without a body isn't what anybody is known by.
var nameBodies = map[string]string{
	"POST /api/tokens name":                      `{"name":NAME}`,
	"POST /api/interfaces/pair name":             `{"name":NAME,"host":"127.0.0.1","port":9,"pairing_key":"KEY"}`,
	"POST /register name":                        `{"name":NAME,"port":4003}`,
	"POST /api/mcp name":                         `{"name":NAME,"url":"http://127.0.0.1:9/mcp"}`,
	"POST /api/streams source":                   `{"url":"ws://127.0.0.1:9/x","source":NAME}`,
	"POST /api/messages conversation.project_id": `{"text":"x","conversation":{"project_id":NAME,"session_id":"x","user_id":""}}`,
	"POST /api/messages conversation.session_id": `{"text":"x","conversation":{"project_id":"","session_id":NAME,"user_id":""}}`,
	"POST /api/messages conversation.user_id":    `{"text":"x","conversation":{"project_id":"","session_id":"x","user_id":NAME}}`,
	"POST /api/chat/send project_id":             `{"message":"x","project_id":NAME,"session_id":"x"}`,
	"POST /api/chat/send session_id":             `{"message":"x","project_id":"x","session_id":NAME}`,
	"POST /api/chat/send user_id":                `{"message":"x","project_id":"x","session_id":"x","user_id":NAME}`,
	"POST /api/voice/tts project_id":             `{"text":"x","project_id":NAME}`,
	"POST /api/voice/tts session_id":             `{"text":"x","session_id":NAME}`,
	"POST /voice/synthesize project_id":          `{"text":"x","project_id":NAME}`,
	"POST /voice/synthesize session_id":          `{"text":"x","session_id":NAME}`,
	"POST /capabilities/register name":           `{"pairing_key":"KEY","name":NAME,"version":"1","capabilities":[{"capability_id":"dig","kind":"op","summary":"Digs."}]}`,
	"POST /health location.name":                 "", // a place
	"POST /api/mcp headers.name":                 "", // of HTTP
	"PUT /api/policy rules.name":                 "",
	"POST /api/policy/check rules.name":          "",
	"POST /api/models/check name":                "", // of a model that was chosen
	"POST /api/messages session_id":              "", // finds what was heard
	"POST /api/signals source":                   "", // of these who it is isn't said by them: see below
	"POST /api/signals/batch source":             "",
	"POST /gw/{id}/signals source":               "",
	"POST /gw/{id}/messages source":              "",
	"POST /api/messages source":                  "",
}

// namesIn are the members of a body that may give a name.
func namesIn(shape reflect.Type, under string) (out []string) {
	for shape != nil && (shape.Kind() == reflect.Pointer || shape.Kind() == reflect.Slice) {
		shape = shape.Elem()
	}
	if shape == nil || shape.Kind() != reflect.Struct {
		return nil
	}
	for _, f := range reflect.VisibleFields(shape) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		if slices.Contains([]string{"name", "source", "session_id", "project_id", "user_id"}, name) {
			out = append(out, under+name)
		}
		out = append(out, namesIn(f.Type, under+name+".")...)
	}
	return out
}

// TestNamesOnEveryWayIn gives unfit names wherever a caller gives one: over HTTP, on the
// socket and on the command line. A WebSocket takes none.
func TestNamesOnEveryWayIn(t *testing.T) {
	t.Parallel()
	v := startVictim(t, filepath.Join(t.TempDir(), "data"), "--tts", "openai:kokoro@http://127.0.0.1:9", "--stt", "openai:whisper@http://127.0.0.1:9")
	v.ready()
	for _, route := range contract.Routes() {
		for _, member := range namesIn(reflect.TypeOf(route.Body.Shape), "") {
			if _, known := nameBodies[route.Method+" "+route.Path+" "+member]; !known {
				t.Errorf("%s %s takes %s: is it a name?", route.Method, route.Path, member)
			}
		}
	}
	unseen := []string{"gnp.\u202efdp", "wea\u200bther", "weather\ufe0f", "weather\U000e0041", "weather\u3164", "wea\u00adther"}
	unfit := append(slices.Clone(unseen), "operator", "оperator", "Сhalie", "ｍｃｐ", v.records()[0].Envelope.ID.UUID())
	key := v.pairingKey()
	gives := func(way, body, name string) {
		t.Helper()
		text, err := json.Marshal(name)
		if err != nil {
			t.Fatal(err)
		}
		method, path, _ := strings.Cut(way, " ")
		path, _, _ = strings.Cut(path, " ")
		if path != "/register" {
			path = "socket:" + path
		}
		status, answer, err := v.ask(method, path, strings.NewReplacer("NAME", string(text), "KEY", key).Replace(body))
		if err != nil {
			t.Fatal(err)
		}
		if status != http.StatusBadRequest && !strings.Contains(answer, `"category":"validation"`) || !saysWhatInstead(answer) {
			t.Errorf("%s takes %+q: %d %s", way, name, status, answer)
		}
	}
	for way, body := range nameBodies {
		for _, name := range unfit {
			told := name == "operator" && way == "POST /api/chat/send user_id" // what answers and events call who left it out
			if body != "" && !told {
				gives(way, body, name)
			}
		}
	}
	for _, name := range unseen {
		gives("POST /api/signals", `{"signal_type":"rain","content":"x","source":NAME}`, name)
		gives("POST /api/messages", `{"text":"x","source":NAME}`, name)
		gives("POST /lms/chat", `{"prompt":"x","source":NAME}`, name)
	}
	v.mcpToken("weather")
	for _, name := range []string{"weather", "Weather", "wеather", "ｗeather"} {
		gives("POST /register", `{"name":NAME,"port":4003}`, name)
		gives("POST /api/interfaces/pair", nameBodies["POST /api/interfaces/pair name"], name)
	}
	v.wants(http.StatusCreated, http.MethodPost, "/register", `{"name":"Погода","port":4003}`)
	v.wants(http.StatusCreated, http.MethodPost, "/register", `{"name":"Rail","port":4004}`)
	gives("POST /api/tokens", `{"name":NAME}`, "rail")
	for _, name := range []string{"wo\u200brk", "operator", v.records()[0].Envelope.ID.UUID()} {
		for _, args := range [][]string{{"say", "--in", name, "hello"}, {"token", "issue", name}, {"mcp", "--name", name}, {"tool", "add", "mcp", "--name", name, "--url", "http://127.0.0.1:9/mcp"}} {
			if out := v.tries(args...); !saysWhatInstead(out) {
				t.Errorf("chalie %+q: %s", args, out)
			}
		}
		gives("POST /api/voice/stt?session_id="+url.QueryEscape(name), "", name)
		gives("POST /api/voice/stt?project_id="+url.QueryEscape(name), "", name)
	}
	v.stop()
}

func saysWhatInstead(answer string) bool {
	return strings.Contains(answer, "choose another") || strings.Contains(answer, "choose one") || strings.Contains(answer, "leave them out")
}
