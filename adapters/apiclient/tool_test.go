package apiclient_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"chalie/adapters/api"
	"chalie/adapters/apiclient"
	"chalie/domain"
)

func TestTools(t *testing.T) {
	id := domain.ID{0: 1, 6: 0x70, 8: 0x80, 15: 7}
	tool := api.Tool{Name: "cancel", InterfaceID: &api.UUID{ID: id}, Interface: "hospital", Tool: "cancel", Description: "cancels", Documentation: "how",
		Parameters: []domain.Parameter{{Name: "id", Type: domain.TypeString, Required: true, Description: "which"}}, Returns: json.RawMessage(`{"ok":1}`)}
	clients := ways(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method+" "+r.URL.Path != "GET /api/tools" {
			t.Errorf("asked %s %s", r.Method, r.URL)
		}
		_, _ = io.WriteString(w, `{"tools":[{"name":"cancel","interface_id":"`+id.UUID()+`","interface":"hospital","tool":"cancel","description":"cancels",
			"documentation":"how","parameters":[{"name":"id","type":"string","required":true,"description":"which"}],"returns":{"ok":1},"later":"kept"}]}`)
	})
	for way, c := range clients {
		tools, err := c.Tools(t.Context())
		if err != nil || len(tools) != 1 {
			t.Fatalf("%s: %v, %v", way, tools, err)
		}
		if got, err := tools[0].Value(); err != nil || !reflect.DeepEqual(got, tool) {
			t.Errorf("%s: %+v, %v, want %+v", way, got, err, tool)
		}
	}
	for name, want := range map[string]bool{
		"cancel": true, "hospital.cancel": true, id.UUID() + ".cancel": true, id.String() + ".cancel": true,
		"hospital": false, "": false, ".cancel": false, "lab.cancel": false,
	} {
		if apiclient.GoesBy(tool, name) != want {
			t.Errorf("goes by %q: %t", name, !want)
		}
	}
}

func TestInvokeTool(t *testing.T) {
	id := domain.ID{0: 1, 15: 7}
	said, url := "done", "https://a.example"
	var asked string
	clients := ways(t, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		asked = r.Method + " " + r.URL.RequestURI() + " " + string(body)
		_, _ = io.WriteString(w, `{"invocation_id":"`+id.UUID()+`","text":"done","data":{"a":1},"error":null,"blocks":[{"type":"divider"}],"open_url":"https://a.example"}`)
	})
	want := apiclient.Answer{Invoked: api.Invoked{
		InvocationID: api.UUID{ID: id}, Text: &said, Data: json.RawMessage(`{"a":1}`), Blocks: []domain.Block{{"type": "divider"}}, OpenURL: &url,
	}}
	for way, c := range clients {
		object, err := c.InvokeTool(t.Context(), "my lab.a/b?%", json.RawMessage(`{"id":"x"}`))
		if err != nil || asked != `POST /api/tools/my%20lab.a%2Fb%3F%25/invoke {"params":{"id":"x"}}` {
			t.Errorf("%s: asked %s, %v", way, asked, err)
		}
		if got, err := object.Value(); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v, want %+v", way, got, err, want)
		}
	}
}

func TestNoAnswer(t *testing.T) {
	id := domain.ID{0: 1, 15: 7}
	for name, named := range map[string]string{"of its own": id.UUID(), "of nothing": "", "of nonsense": "x"} {
		clients := ways(t, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusForbidden)
			_, _ = io.WriteString(w, `{"error":"denied","code":"denied","invocation_id":"`+named+`"}`)
		})
		for way, c := range clients {
			_, err := c.InvokeTool(t.Context(), "cancel", json.RawMessage(`{}`))
			none, ok := errors.AsType[*apiclient.NoAnswer](err)
			if ok != (named == id.UUID()) || ok && (none.InvocationID != id || !strings.HasPrefix(string(none.Text), `{"error":"denied"`)) {
				t.Errorf("an id %s, %s: %#v", name, way, err)
			}
			if domain.CodeOf(err) != "denied" || domain.CategoryOf(err) != domain.Policy || !strings.Contains(err.Error(), "denied") {
				t.Errorf("an id %s, %s: %v", name, way, err)
			}
		}
	}
}
