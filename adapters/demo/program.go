// Package demo has three small programs to show Chalie with: a restaurant and a
// hospital, which keep reservations and appointments, and a stock exchange.
//
// They know Chalie only by its public protocol, and import nothing of its program: each
// could run anywhere. Each is a [Program] with a file that holds what it serves, keeps
// and has to tell. Its tools list and cancel what it keeps; an Idempotency-Key that came
// before gets the same answer.
//
// A listener hears what is broadcast after its handshake was answered, in order. One
// that takes nothing for WriteWithin is let go, and may connect again.
package demo

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"
)

// Bounds of what a program does and takes.
const (
	WriteWithin   = 5 * time.Second  // a listener that takes nothing for so long is let go
	askWithin     = 30 * time.Second // pairing makes Chalie call back before it answers
	finishWithin  = 2 * time.Second  // requests under way at its end
	maxBytes      = 1 << 20          // of a call, an answer, or what a listener says: pings
	maxRemembered = 256              // answers kept for a repeat
)

// Program is one that Chalie can pair with and listen to. Make one with Open.
type Program struct {
	description
	listener net.Listener
	server   *http.Server
	running  sync.WaitGroup
	chalie   string // where it was paired
	token    string // from there

	mu        sync.Mutex                // of these and of what it keeps
	answered  map[string]map[string]any // by the key of the call: one that is sent twice is done once
	listeners map[net.Conn]bool
}

// description is a program's file. $KEY in its texts is what a thing has under that key.
type description struct {
	Name      string                     `json:"name"`
	Serves    map[string]json.RawMessage `json:"serves"` // by path
	Noun      string                     `json:"noun"`   // of what it keeps: a thing has a NOUN_id
	Kept      []map[string]string        `json:"kept"`
	Shown     string                     `json:"shown"`     // of a thing, on its page
	Cancelled string                     `json:"cancelled"` // of a thing that is no more
	News      Signal                     `json:"news"`      // the one thing that happens there
}

//go:embed *.json
var descriptions embed.FS

// Open starts a program, which serves until it is closed: the restaurant, the hospital
// or the exchange.
func Open(what string) (*Program, error) { return open(what, func(*description) {}) }

// OpenForOne starts a program that keeps one thing alone, so that its tools can do without its number.
func OpenForOne(what string) (*Program, error) {
	return open(what, func(d *description) {
		d.Kept = d.Kept[:min(1, len(d.Kept))]
		d.Serves["/capabilities"] = bytes.ReplaceAll(d.Serves["/capabilities"], []byte(`"required": true`), []byte(`"required": false`))
	})
}

func open(what string, change func(*description)) (*Program, error) {
	p := &Program{answered: map[string]map[string]any{}, listeners: map[net.Conn]bool{}}
	text, err := descriptions.ReadFile(what + ".json")
	if err == nil {
		err = json.Unmarshal(text, &p.description)
	}
	if err == nil {
		change(&p.description)
		p.listener, err = net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // nothing is dialled or looked up
	}
	if err != nil {
		return nil, fmt.Errorf("can't start the %s: %w", what, err)
	}
	p.News.Source = p.Name
	mux := http.NewServeMux()
	for path, value := range p.Serves {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) { answer(w, value) })
	}
	mux.HandleFunc("GET /{$}", p.page)
	mux.HandleFunc("POST /execute", p.execute)
	mux.HandleFunc("GET /stream", p.listen)
	p.server = &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	p.running.Go(func() { _ = p.server.Serve(p.listener) }) // if it fails Chalie finds nobody, and says so
	return p, nil
}

// Close lets go of all listeners, gives requests under way a moment, and waits until
// nothing of the program is left.
func (p *Program) Close() {
	moment, cancel := context.WithTimeout(context.Background(), finishWithin)
	defer cancel()
	if p.server.Shutdown(moment) != nil {
		_ = p.server.Close() // what goes on is broken off
	}
	p.mu.Lock()
	for conn := range p.listeners {
		_ = conn.Close()
	}
	p.mu.Unlock()
	p.running.Wait()
}

// Addr is host:port of where it listens.
func (p *Program) Addr() string { return p.listener.Addr().String() }

func (p *Program) page(w http.ResponseWriter, _ *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	items := []string{}
	for _, thing := range p.Kept {
		items = append(items, filled(p.Shown, thing))
	}
	answer(w, map[string]any{"blocks": []map[string]any{
		{"type": "header", "content": p.Name, "level": 2}, {"type": "list", "style": "unordered", "items": items},
	}})
}

// execute is POST /execute. A tool that fails is a 200 with its error.
func (p *Program) execute(w http.ResponseWriter, r *http.Request) {
	var call struct {
		Capability string         `json:"capability"`
		Params     map[string]any `json:"params"`
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBytes)).Decode(&call); err != nil {
		http.Error(w, `{"error":"the body is not {capability, params}"}`, http.StatusBadRequest)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	key := r.Header.Get("Idempotency-Key")
	out, repeated := p.answered[key]
	if !repeated {
		out = p.call(call.Capability, call.Params)
	}
	if key != "" {
		if len(p.answered) == maxRemembered {
			clear(p.answered) // a repeat comes within seconds
		}
		p.answered[key] = out
	}
	answer(w, out)
}

// call uses a tool, with the program locked.
func (p *Program) call(name string, params map[string]any) map[string]any {
	id := p.Noun + "_id"
	switch name {
	case "list_" + p.Noun + "s":
		return map[string]any{"data": map[string]any{p.Noun + "s": p.Kept}}
	case "cancel_" + p.Noun:
		_, given := params[id]
		i := slices.IndexFunc(p.Kept, func(thing map[string]string) bool {
			return thing[id] == params[id] || !given && len(p.Kept) == 1
		})
		if i < 0 {
			return map[string]any{"error": fmt.Sprintf("there is no %s %v", p.Noun, params[id])}
		}
		gone := p.Kept[i]
		p.Kept = slices.Delete(slices.Clone(p.Kept), i, i+1) // what was listed stays for a repeat
		return map[string]any{"text": filled(p.Cancelled, gone), "data": gone}
	}
	return map[string]any{"error": fmt.Sprintf("there is no tool %s here", name)}
}

func filled(text string, thing map[string]string) string {
	return os.Expand(text, func(key string) string { return thing[key] })
}

func answer(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(value) // fails only when nobody is there to be told
}

// Signal is what is overheard: it costs Chalie no thought.
type Signal struct {
	Kind     string         `json:"type,omitempty"` // signal, on a stream
	Type     string         `json:"signal_type"`
	Content  string         `json:"content"`
	Source   string         `json:"source,omitempty"`
	Topic    string         `json:"topic,omitempty"`
	Energy   float64        `json:"activation_energy"` // 0 to 1
	Metadata map[string]any `json:"metadata,omitempty"`
}

// StreamURL is where its broadcast is heard.
func (p *Program) StreamURL() string { return "ws://" + p.Addr() + "/stream" }

// Broadcast writes signals to all who listen, in order. It waits for the slowest, so
// that a burst is bounded by what they take, not by memory here.
func (p *Program) Broadcast(signals ...Signal) {
	var frames bytes.Buffer
	for _, s := range signals {
		s.Kind, s.Source = "signal", p.Name
		text, _ := json.Marshal(s)                // what came from JSON can be written so
		_ = wsutil.WriteServerText(&frames, text) // and memory takes it
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for conn := range p.listeners {
		_ = conn.SetWriteDeadline(time.Now().Add(WriteWithin)) // fails when it is gone, as writing does
		if _, err := conn.Write(frames.Bytes()); err != nil {  // a pong comes before or after all of them
			_ = conn.Close() // the others go on hearing
		}
		_ = conn.SetWriteDeadline(time.Time{}) // of pongs
	}
}

// listen is GET /stream. The handshake is answered under the lock: who has its answer
// hears all that is said from then on.
func (p *Program) listen(w http.ResponseWriter, r *http.Request) {
	p.running.Add(1) // the server waits for none that has become a socket
	defer p.running.Done()
	p.mu.Lock()
	conn, _, _, err := ws.UpgradeHTTP(r, w)
	if err == nil {
		p.listeners[conn] = true
	}
	p.mu.Unlock()
	if err != nil {
		return // it was told why
	}
	said := struct {
		io.Reader
		io.Writer
	}{io.LimitReader(conn, maxBytes), conn}
	for err == nil { // pings are answered on the way
		_, _, err = wsutil.ReadClientData(said)
	}
	_ = conn.Close() // what it didn't take is lost to it
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.listeners, conn)
}

// Paired is what pairing gave, but for the token, which stays here.
type Paired struct {
	ID    string   `json:"interface_id"`
	Tools []string `json:"capabilities"`
}

// Pair brings the key that a person was shown to the Chalie at a base URL.
func (p *Program) Pair(ctx context.Context, chalie, key string) (Paired, error) {
	p.chalie = strings.TrimSuffix(chalie, "/")
	var out struct {
		Paired
		Token string `json:"signal_token"`
	}
	host, port, err := net.SplitHostPort(p.Addr())
	if err == nil {
		err = p.Send(ctx, "/api/interfaces/pair", map[string]any{"pairing_key": key, "name": p.Name, "host": host, "port": json.Number(port)}, &out)
	}
	p.token = out.Token
	return out.Paired, err
}

// Refusal is what Chalie answered when it refused.
type Refusal struct {
	Status int    `json:"status"`
	Words  string `json:"error"`
}

// Error is the status and the words.
func (r *Refusal) Error() string { return fmt.Sprintf("refused with %d: %s", r.Status, r.Words) }

// Send posts to the Chalie it was paired with, such as a Signal to /api/signals, and
// reads the answer, unless it is nil. The error is a *Refusal when Chalie answered so.
func (p *Program) Send(ctx context.Context, path string, body, answer any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.chalie+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	if p.token != "" {
		req.Header.Set("Authorization", "Bearer "+p.token)
	}
	resp, err := (&http.Client{Timeout: askWithin}).Do(req)
	if err != nil {
		return fmt.Errorf("reach Chalie: %w", err)
	}
	defer resp.Body.Close()
	in := json.NewDecoder(io.LimitReader(resp.Body, maxBytes))
	if resp.StatusCode >= http.StatusBadRequest {
		refused := &Refusal{}
		_ = in.Decode(refused) // without words the status has to do
		refused.Status = resp.StatusCode
		return refused
	}
	if answer == nil {
		return nil
	}
	return in.Decode(answer)
}

// Prices are so many updates from a day at the exchange; every day is the same.
func Prices(n int) []Signal {
	tickers, out := []string{"ACME", "OAK", "TIDE", "LUMO"}, make([]Signal, n)
	for i := range out {
		share := i % len(tickers)
		price := 184 - 40*float64(share) + 3*math.Sin(float64(i))
		out[i] = Signal{Type: "price_update", Content: fmt.Sprintf("%s at %.2f", tickers[share], price), Topic: "markets", Energy: 0.1}
	}
	return out
}
