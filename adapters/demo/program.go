package demo

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// finishWithin is how long requests under way may take once Run ends.
const finishWithin = 2 * time.Second

// Config is what an interface runs with. The zero Config is fit for use.
type Config struct {
	Name string           // what it is called; default: a name of its own
	Addr string           // host:port to listen on; default 127.0.0.1:0, any free port
	Seed uint64           // of everything that is left to chance
	Now  func() time.Time // default: the machine's clock
}

// program is what the interfaces have in common: a server of the protocol, and
// the way to Chalie.
type program struct {
	name     string
	listener net.Listener
	mux      *http.ServeMux
	tools    *toolbox
	stream   *broadcast // nil for one that doesn't broadcast
	line     line
	closing  sync.Once
}

// about is what an interface says of itself.
type about struct {
	Name        string `json:"name"`
	Version     string `json:"version"`
	Description string `json:"description"`
	Author      string `json:"author"`
	Scopes      scopes `json:"scopes"`
}

// scopes are what it asks to be allowed, each with its words on why.
type scopes struct {
	Signals  map[string]string `json:"signals,omitempty"`
	Messages map[string]string `json:"messages,omitempty"`
}

// newProgram takes the address. shows makes what the interface shows of itself.
func newProgram(cfg Config, a about, tools []tool, broadcasts bool, shows func() []block) (*program, error) {
	a.Name, a.Version, a.Author = cmp.Or(cfg.Name, a.Name), "1.0.0", "Chalie's demo"
	addr := cmp.Or(cfg.Addr, "127.0.0.1:0")
	if strings.HasPrefix(addr, ":") {
		return nil, fmt.Errorf("the address %s has no host: give 127.0.0.1%[1]s for this machine alone", addr)
	}
	if tools == nil {
		tools = []tool{} // an empty array, and not null
	}
	p := &program{name: a.Name, mux: http.NewServeMux(), tools: &toolbox{list: tools, answered: map[string]result{}}}
	var err error
	if p.listener, err = net.Listen("tcp", addr); err != nil { //nolint:noctx // nothing is dialled or looked up
		return nil, fmt.Errorf("%s can't listen on %s: give a host and a free port, such as 127.0.0.1:9000: %w", p.name, addr, err)
	}
	p.mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, map[string]string{"status": "ok", "name": a.Name, "version": a.Version})
	})
	p.mux.HandleFunc("GET /capabilities", func(w http.ResponseWriter, _ *http.Request) { answer(w, p.tools.list) })
	p.mux.HandleFunc("GET /meta", func(w http.ResponseWriter, _ *http.Request) { answer(w, a) })
	p.mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) { answer(w, map[string]any{"blocks": shows()}) })
	p.mux.HandleFunc("POST /execute", p.tools.execute)
	if broadcasts {
		p.stream = newBroadcast()
		p.mux.HandleFunc("GET /stream", p.stream.listen)
	}
	return p, nil
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
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(p.listener) }()
	var err error
	select {
	case <-ctx.Done():
		p.Close()
		// Its context has ended: the moment that is left is this one's own.
		moment, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishWithin)
		defer cancel()
		if server.Shutdown(moment) != nil {
			_ = server.Close() // what goes on now is broken off
		}
		err = <-failed
	case err = <-failed:
		p.Close()
	}
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

func answer(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(value) // fails only when nobody is there to be told
}

// entries are what an interface has in its care, each with an id.
type entries[T any] struct {
	id func(T) string

	mu   sync.Mutex
	list []T
}

func (e *entries[T]) all() []T {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.list)
}

// change calls fn with the entry of an id; false when there is none.
func (e *entries[T]) change(id string, fn func(at int)) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	at := slices.IndexFunc(e.list, func(v T) bool { return e.id(v) == id })
	if at >= 0 {
		fn(at)
	}
	return at >= 0
}

// remove takes the entry of an id out; false when there is none.
func (e *entries[T]) remove(id string) (gone T, ok bool) {
	ok = e.change(id, func(at int) {
		gone = e.list[at]
		e.list = slices.Delete(e.list, at, at+1)
	})
	return gone, ok
}

// block is one element of what an interface shows.
type block map[string]any

func header(text string) block { return block{"type": "header", "content": text, "level": 2} }

func table(headers []string, rows [][]string) block {
	return block{"type": "table", "headers": headers, "rows": rows}
}
