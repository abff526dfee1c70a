package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Bounds of a request to Chalie. Pairing makes it call back before it answers.
const (
	askWithin   = 30 * time.Second
	maxAnswered = 1 << 20
)

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

// Message is said to Chalie, which reasons about it.
type Message struct {
	Text     string         `json:"text"`
	Source   string         `json:"source,omitempty"`
	Topic    string         `json:"topic,omitempty"`
	Metadata map[string]any `json:"metadata,omitempty"`
}

// Paired is what pairing gave, but for the token, which stays here.
type Paired struct {
	ID    string   `json:"interface_id"`
	Tools []string `json:"capabilities"`
}

// Refusal is what Chalie answered when it refused.
type Refusal struct {
	Status int    `json:"status"`
	Words  string `json:"error"`
}

// Error is the status and the words.
func (r *Refusal) Error() string { return fmt.Sprintf("refused with %d: %s", r.Status, r.Words) }

// line is how an interface reaches Chalie.
type line struct {
	client http.Client

	mu     sync.Mutex
	chalie string // where it is; "" before pairing
	token  string
}

// taken is what Chalie answers.
type taken struct {
	Paired
	Token   string `json:"signal_token"`
	Signal  string `json:"signal_id"`
	Message string `json:"message_id"`
}

// Pair brings the key that a person was shown to the Chalie at a base URL. Afterwards
// Signal and Message go there. The error is a *Refusal when Chalie answered.
func (p *program) Pair(ctx context.Context, chalie, key string) (Paired, error) {
	host, port, err := net.SplitHostPort(p.Addr())
	if err != nil {
		return Paired{}, err
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		return Paired{}, err
	}
	chalie = strings.TrimSuffix(chalie, "/")
	out, err := p.line.post(ctx, chalie, "", "/api/interfaces/pair", map[string]any{"pairing_key": key, "name": p.name, "host": host, "port": number})
	if err != nil {
		return Paired{}, err
	}
	p.line.mu.Lock()
	defer p.line.mu.Unlock()
	p.line.chalie, p.line.token = chalie, out.Token
	return out.Paired, nil
}

// Signal lets the Chalie it was brought to overhear something, and returns the id of
// what was taken in. The error is a *Refusal when Chalie answered.
func (p *program) Signal(ctx context.Context, s Signal) (id string, err error) {
	out, err := p.line.say(ctx, "/api/signals", s)
	return out.Signal, err
}

// Message says something to Chalie and returns the id of what was taken in. Its result
// goes to the person. The error is a *Refusal when Chalie answered.
func (p *program) Message(ctx context.Context, m Message) (id string, err error) {
	out, err := p.line.say(ctx, "/api/messages", m)
	return out.Message, err
}

// say posts to where pairing was.
func (l *line) say(ctx context.Context, path string, body any) (taken, error) {
	l.mu.Lock()
	chalie, token := l.chalie, l.token
	l.mu.Unlock()
	if chalie == "" {
		return taken{}, errors.New("it was not told where Chalie is: pair first")
	}
	return l.post(ctx, chalie, token, path, body)
}

func (l *line) post(ctx context.Context, chalie, token, path string, body any) (out taken, err error) {
	text, err := json.Marshal(body)
	if err != nil {
		return out, err
	}
	ctx, cancel := context.WithTimeout(ctx, askWithin)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, chalie+path, bytes.NewReader(text))
	if err != nil {
		return out, err
	}
	req.Header.Set("Content-Type", "application/json")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := l.client.Do(req)
	if err != nil {
		return out, fmt.Errorf("reach Chalie: %w", err)
	}
	defer resp.Body.Close()
	answered := json.NewDecoder(io.LimitReader(resp.Body, maxAnswered))
	if resp.StatusCode >= http.StatusBadRequest {
		refused := &Refusal{}
		if answered.Decode(refused) != nil || refused.Words == "" {
			refused.Words = http.StatusText(resp.StatusCode)
		}
		refused.Status = resp.StatusCode
		return out, refused
	}
	if err := answered.Decode(&out); err != nil {
		return out, fmt.Errorf("read Chalie's answer: %w", err)
	}
	return out, nil
}
