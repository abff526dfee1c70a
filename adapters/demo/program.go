package demo

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

// Bounds of what an interface does for others.
const (
	finishWithin    = 2 * time.Second // for requests under way once Run ends
	maxExecuteBytes = 64 << 10
	maxRemembered   = 256 // answers kept for a repeat
)

// Config is what an interface runs with. The zero Config is fit for use.
type Config struct {
	Name string           // what it is called; default: a name of its own
	Seed uint64           // of everything that is left to chance
	Now  func() time.Time // default: the machine's clock
}

// described is what each interface says of itself, as it is served.
//
//go:embed *.json
var described embed.FS

// program is what the interfaces have in common: a server of the protocol, and the way
// to Chalie.
type program struct {
	name     string
	listener net.Listener
	mux      *http.ServeMux
	stream   *broadcast // nil for one that doesn't broadcast
	line     line
	closing  sync.Once

	mu       sync.Mutex // of everything that the interface has in its care
	tools    map[string]tool
	answered map[string]result // by the key of the invocation: one that is sent twice is done once
}

// tool does one thing that an interface is asked to do, with the program locked.
type tool func(params []byte) result

// result is a tool's. One that failed has only the error.
type result struct {
	Text  string `json:"text,omitempty"`
	Data  any    `json:"data,omitempty"`
	Error string `json:"error,omitempty"`
}

func failed(format string, args ...any) result { return result{Error: fmt.Sprintf(format, args...)} }

// takes makes a tool of a function that takes its parameters.
func takes[P any](run func(P) result) tool {
	return func(params []byte) result {
		var p P
		if err := json.Unmarshal(params, &p); err != nil {
			return failed("the parameters can't be read: %v", err)
		}
		return run(p)
	}
}

// newProgram takes an address. file is what it says of itself, and rows are the table
// that it shows.
func newProgram(cfg Config, file string, tools map[string]tool, stream *broadcast, rows func() [][]string) (*program, error) {
	var is struct {
		Meta         map[string]any    `json:"meta"`
		Capabilities []json.RawMessage `json:"capabilities"`
		Columns      []string          `json:"columns"`
	}
	text, err := described.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &is)
	}
	if err != nil {
		return nil, err
	}
	if cfg.Name != "" {
		is.Meta["name"] = cfg.Name
	}
	p := &program{name: fmt.Sprint(is.Meta["name"]), mux: http.NewServeMux(), stream: stream, tools: tools, answered: map[string]result{}}
	if p.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil { //nolint:noctx // nothing is dialled or looked up
		return nil, fmt.Errorf("%s can't listen on this machine: %w", p.name, err)
	}
	p.shows("/health", func() any { return map[string]any{"status": "ok", "name": p.name, "version": is.Meta["version"]} })
	p.shows("/capabilities", func() any { return is.Capabilities })
	p.shows("/meta", func() any { return is.Meta })
	p.shows("/{$}", func() any {
		p.mu.Lock()
		defer p.mu.Unlock()
		return map[string]any{"blocks": []map[string]any{
			{"type": "header", "content": p.name, "level": 2}, {"type": "table", "headers": is.Columns, "rows": slices.Concat([][]string{}, rows())},
		}}
	})
	p.mux.HandleFunc("POST /execute", p.execute)
	if stream != nil {
		p.mux.HandleFunc("GET /stream", stream.listen)
	}
	return p, nil
}

func (p *program) shows(path string, what func() any) {
	p.mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) { answer(w, what()) })
}

// execute is POST /execute. A tool that fails is a 200 with its error.
func (p *program) execute(w http.ResponseWriter, r *http.Request) {
	call := struct {
		Capability string          `json:"capability"`
		Params     json.RawMessage `json:"params"`
	}{Params: json.RawMessage(`{}`)}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxExecuteBytes)).Decode(&call); err != nil {
		http.Error(w, `{"error":"the body is not {capability, params}"}`, http.StatusBadRequest)
		return
	}
	answer(w, p.once(r.Header.Get("Idempotency-Key"), call.Capability, call.Params))
}

func (p *program) once(key, name string, params []byte) result {
	p.mu.Lock()
	defer p.mu.Unlock()
	if before, ok := p.answered[key]; ok {
		return before
	}
	out := failed("there is no tool %s here", name)
	if run := p.tools[name]; run != nil {
		out = run(params)
	}
	if key != "" {
		if len(p.answered) == maxRemembered {
			clear(p.answered) // a repeat comes within seconds
		}
		p.answered[key] = out
	}
	return out
}

func answer(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(value) // fails only when nobody is there to be told
}

// Name is what the interface is called.
func (p *program) Name() string { return p.name }

// Addr is host:port of where it listens.
func (p *program) Addr() string { return p.listener.Addr().String() }

// StreamURL is where its broadcast is heard.
func (p *program) StreamURL() string { return "ws://" + p.Addr() + "/stream" }

// Run serves until ctx ends or the listener fails, and then closes everything.
// Ending ctx is no error.
func (p *program) Run(ctx context.Context) error {
	server := &http.Server{Handler: p.mux, ReadHeaderTimeout: 5 * time.Second}
	ended := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(ended)
		p.Close()
		// Its context has ended: the moment that is left is this one's own.
		moment, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishWithin)
		defer cancel()
		if server.Shutdown(moment) != nil {
			_ = server.Close() // what goes on is broken off
		}
	})
	err := server.Serve(p.listener)
	if !stop() {
		<-ended
	}
	p.Close()
	if errors.Is(err, http.ErrServerClosed) || errors.Is(err, net.ErrClosed) {
		return nil
	}
	return fmt.Errorf("%s can't be reached any more: %w", p.name, err)
}

// Close ends an interface that never ran, or runs no more. It may be called again.
func (p *program) Close() {
	p.closing.Do(func() {
		_ = p.listener.Close() // nothing was written to it
		if p.stream != nil {
			p.stream.close()
		}
		p.line.client.CloseIdleConnections()
	})
}
