package demo

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
)

// Bounds of an invocation.
const (
	maxExecuteBytes = 64 << 10
	maxRemembered   = 256 // answers kept for a repeat
)

// tool is one thing an interface does when it is asked to.
type tool struct {
	Name          string         `json:"name"`
	Description   string         `json:"description"`
	Documentation string         `json:"documentation,omitempty"`
	Parameters    []parameter    `json:"parameters"`
	Returns       map[string]any `json:"returns,omitempty"`
	SideEffects   *bool          `json:"side_effects,omitempty"`      // nil: it doesn't say
	Asks          bool           `json:"requires_approval,omitempty"` // it wants the person's yes first
	run           func(params []byte) result
}

// parameter is what a tool takes under one name.
type parameter struct {
	Name        string `json:"name"`
	Type        string `json:"type"` // string, number, integer, boolean or object
	Required    bool   `json:"required"`
	Description string `json:"description"`
}

// result is a tool's result. One that failed has only the error.
type result struct {
	Text  string `json:"text,omitempty"`
	Data  any    `json:"data,omitempty"`
	Error string `json:"error,omitempty"`
}

func failed(format string, args ...any) result { return result{Error: fmt.Sprintf(format, args...)} }

// takes makes a tool's run of a function that takes its parameters.
func takes[P any](run func(P) result) func([]byte) result {
	return func(params []byte) result {
		var p P
		if err := json.Unmarshal(params, &p); err != nil {
			return failed("the parameters can't be read: %v", err)
		}
		return run(p)
	}
}

// toolbox runs the tools, one at a time: they need no locks against each other. It
// remembers what it answered, so that an invocation that is sent twice is done once.
type toolbox struct {
	list []tool

	mu       sync.Mutex
	answered map[string]result
}

// execute is POST /execute. A tool that fails is a 200 with its error.
func (b *toolbox) execute(w http.ResponseWriter, r *http.Request) {
	call := struct {
		Capability string          `json:"capability"`
		Params     json.RawMessage `json:"params"`
	}{Params: json.RawMessage(`{}`)}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxExecuteBytes)).Decode(&call); err != nil {
		http.Error(w, `{"error":"the body is not {capability, params}"}`, http.StatusBadRequest)
		return
	}
	answer(w, b.once(r.Header.Get("Idempotency-Key"), call.Capability, call.Params))
}

func (b *toolbox) once(key, name string, params []byte) result {
	b.mu.Lock()
	defer b.mu.Unlock()
	if before, ok := b.answered[key]; ok {
		return before
	}
	out := failed("there is no tool %s here", name)
	for _, t := range b.list {
		if t.Name == name {
			out = t.run(params)
		}
	}
	if key != "" {
		if len(b.answered) == maxRemembered {
			clear(b.answered) // a repeat comes within seconds
		}
		b.answered[key] = out
	}
	return out
}
