package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// mind is a model in this process, that speaks like any server of the OpenAI kind
// and says what a test tells it to.
type mind struct {
	t      testing.TB
	server *httptest.Server

	mu    sync.Mutex
	think func(question) thought
	asked []question
}

// question is what a model is asked.
type question struct {
	*http.Request          // its context ends when who asked doesn't wait any more
	cycle         bool     // nobody has said anything
	message       string   // what was said, the last of it
	results       []string // of the tools called so far, in order
	offered       []string // names of tools
}

// thought is what it answers: calls to tools, or a text; or that it refuses the key. aloud says
// more of the text, piece by piece, before its end.
type thought struct {
	text   string
	aloud  func(say func(text string))
	calls  []calling
	locked bool
	refuse bool // after it has said something
}

type calling struct{ tool, params string }

// nothingFound is what a cycle's question is answered that nothing comes of.
const nothingFound = `{"findings":[]}`

// startMind listens on loopback, until the test ends.
func startMind(t testing.TB, think func(question) thought) *mind {
	m := &mind{t: t, think: think}
	m.server = httptest.NewServer(m)
	t.Cleanup(func() {
		m.server.CloseClientConnections() // what hangs goes, too
		m.server.Close()
	})
	return m
}

// flags choose it for a program, alone.
func (m *mind) flags() []string {
	return []string{"--model", "openai:scripted@" + m.server.URL + "/v1"}
}

// says has it think in another way from now on.
func (m *mind) says(think func(question) thought) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.think = think
}

// questions are those that were asked so far.
func (m *mind) questions() []question {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]question(nil), m.asked...)
}

func (m *mind) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q, err := readQuestion(r)
	if err != nil {
		return // who asked was killed in the middle of it
	}
	m.mu.Lock()
	m.asked = append(m.asked, q)
	think := m.think
	m.mu.Unlock()
	answer := think(q)
	if r.Context().Err() == nil {
		answer.write(w)
	}
}

func readQuestion(r *http.Request) (question, error) {
	var body struct {
		Messages []struct {
			Role    string `json:"role"`
			Content string `json:"content"`
		} `json:"messages"`
		Tools []struct {
			Function struct {
				Name string `json:"name"`
			} `json:"function"`
		} `json:"tools"`
	}
	q := question{Request: r}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		return q, err
	}
	for _, said := range body.Messages {
		switch said.Role {
		case "system":
			q.cycle = strings.Contains(said.Content, "Nobody has asked anything.")
		case "tool":
			q.results = append(q.results, said.Content)
		case "user":
			lines := strings.Split(strings.TrimSpace(said.Content), "\n")
			q.message = lines[len(lines)-1]
		}
	}
	for _, tool := range body.Tools {
		q.offered = append(q.offered, tool.Function.Name)
	}
	return q, nil
}

// write streams an answer as chat completions are streamed.
func (a thought) write(w http.ResponseWriter) {
	if a.locked {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, `{"error":{"message":"Incorrect API key provided","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}`)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	chunk := func(delta map[string]any, reason any) {
		text, err := json.Marshal(map[string]any{"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "scripted",
			"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": reason}}})
		if err != nil {
			panic(err) // these are texts and numbers
		}
		fmt.Fprintf(w, "data: %s\n\n", text)
	}
	chunk(map[string]any{"role": "assistant", "content": a.text}, nil)
	if a.aloud != nil {
		a.aloud(func(text string) {
			chunk(map[string]any{"content": text}, nil)
			_ = http.NewResponseController(w).Flush() // a client that has gone ends the answer anyway
		})
	}
	reason := "stop"
	for i, c := range a.calls {
		reason = "tool_calls"
		chunk(map[string]any{"tool_calls": []any{map[string]any{"index": i, "id": fmt.Sprintf("call_%d", i), "type": "function",
			"function": map[string]any{"name": c.tool, "arguments": c.params}}}}, nil)
	}
	if a.refuse {
		reason = "content_filter"
	}
	chunk(map[string]any{}, reason)
	fmt.Fprint(w, `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"scripted","choices":[],"usage":{"prompt_tokens":12,"completion_tokens":3,"total_tokens":15}}`+"\n\ndata: [DONE]\n\n")
}
