package openai_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"chalie/adapters/models/dialogue"
	"chalie/adapters/models/openai"
	"chalie/domain"
)

// chat asks a server whose stream has these events.
func chat(t *testing.T, events ...string) (dialogue.Answer, error) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, e := range events {
			fmt.Fprintf(w, "data: %s\n\n", e)
		}
	}))
	t.Cleanup(server.Close)
	c := openai.NewChat(openai.Config{Name: "ollama/test", Model: "test", BaseURL: server.URL + "/v1/"})
	t.Cleanup(c.Close)
	return c.Ask(t.Context(), dialogue.Question{Turns: []dialogue.Turn{{Text: "?"}}, MaxTokens: 10}, nil)
}

const end = `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`

// Ollama gives whole calls, all with index 0.
func TestCallsWithOneIndex(t *testing.T) {
	got, err := chat(t,
		`{"choices":[{"index":0,"delta":{"role":"assistant","content":"","tool_calls":[{"id":"call_a","index":0,"type":"function","function":{"name":"light","arguments":"{\"n\":1}"}}]},"finish_reason":null}]}`,
		`{"choices":[{"index":0,"delta":{"tool_calls":[{"id":"call_b","index":0,"type":"function","function":{"name":"lamp","arguments":"{\"n\":2}"}}]},"finish_reason":null}]}`,
		end, "[DONE]")
	if err != nil || len(got.Calls) != 2 || got.Calls[0].Tool != "light" || string(got.Calls[0].Params) != `{"n":1}` ||
		got.Calls[1].ID != "call_b" || string(got.Calls[1].Params) != `{"n":2}` {
		t.Errorf("it calls %+v, %v", got.Calls, err)
	}
}

// What a model thinks aloud isn't its answer.
func TestThoughts(t *testing.T) {
	for said, want := range map[string]string{
		`<think>\nhm, 5?\n</think>\n\nFive.`: "Five.",
		`Five <think> four`:                  "Five <think> four",
		`<think>and so on`:                   "",
	} {
		got, err := chat(t, `{"choices":[{"index":0,"delta":{"content":"`+said+`"},"finish_reason":null}]}`, end)
		if err != nil || got.Text != want {
			t.Errorf("of %s it says %q, %v", said, got.Text, err)
		}
	}
}

func TestErrorsWithinAStream(t *testing.T) {
	for _, c := range []struct {
		event     string
		code      domain.Code
		retriable bool
	}{
		{`{"error":{"message":"busy","type":"server_error","code":null}}`, dialogue.CodeUnreachable, true},
		{`{"error":{"message":"slow down","type":"requests","code":"rate_limit_exceeded"}}`, dialogue.CodeBusy, true},
		{`{"error":{"message":"no","type":"invalid_request_error","code":"context_length_exceeded"}}`, dialogue.CodeRefused, false},
		{`{"error":{"message":"no","type":"x","code":"insufficient_quota"}}`, dialogue.CodeQuota, false},
		{`{"error":{"message":"no","code":500}}`, dialogue.CodeUnreachable, true},
		{`{"error":"llama runner has crashed"}`, dialogue.CodeUnreachable, true},
	} {
		_, err := chat(t, c.event)
		if domain.CodeOf(err) != c.code || domain.IsRetriable(err) != c.retriable {
			t.Errorf("%s is %v", c.event, err)
		}
	}
}
