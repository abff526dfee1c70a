package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"

	"chalie/adapters/apiclient"
	"chalie/domain"
)

// person is who the demo's Chalie is for: an account, and one device that
// listens. Everything goes over the network, with a session.
type person struct {
	base     string
	setupKey string // of the link that the account is made by
	key      string // of the session; "" before there is one
	password string
	http     *http.Client
	api      *apiclient.Client

	conn      net.Conn
	frames    chan shown
	listening sync.WaitGroup
	deaf      context.CancelFunc // ends listening
	lost      error              // why frames ended; to be read once it is closed
}

// demoName is the account's.
const demoName = "demo"

// heardAhead is how many frames may wait to be told; the device then stops
// reading, which Chalie sees as a slow client.
const heardAhead = 64

// shown is a frame as far as the demo shows it.
type shown struct {
	Type    string         `json:"type"`
	Content string         `json:"content"`
	Blocks  []domain.Block `json:"blocks"`
	Message string         `json:"message"`
	Episode domain.ID      `json:"exchange_id"` // that it came of
	Summary string         `json:"summary"`     // of what waits for a yes; "" otherwise

	text json.RawMessage // as it came
}

// newPerson makes the account by the set-up link and connects the device.
func newPerson(ctx context.Context, setup string) (*person, error) {
	base, setupKey, _ := strings.Cut(setup, "/setup?key=")
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	// Connections of its own, so that they can be let go of.
	p := &person{base: base, setupKey: setupKey, password: rand.Text(), frames: make(chan shown, heardAhead)}
	p.http = &http.Client{Jar: jar, Transport: &keyed{key: &p.key, Transport: &http.Transport{}}}
	p.api = apiclient.New(p.http, base)
	for _, step := range []func(context.Context) error{p.register, p.settle, p.connect} {
		if err := step(ctx); err != nil {
			p.api.Close()
			return nil, err
		}
	}
	return p, nil
}

func (p *person) register(ctx context.Context) error {
	var in struct {
		Key string `json:"key"`
	}
	err := p.post(ctx, "/auth/register", map[string]any{"username": demoName, "password": p.password, "setup_key": p.setupKey, "key": true}, http.StatusCreated, &in)
	p.key = in.Key
	return err
}

// keyed shows the session's key, once there is one.
type keyed struct {
	key *string
	*http.Transport
}

// RoundTrip implements http.RoundTripper.
func (k *keyed) RoundTrip(r *http.Request) (*http.Response, error) {
	if *k.key != "" {
		r = r.Clone(r.Context())
		r.Header.Set("Chalie-Key", *k.key)
	}
	return k.Transport.RoundTrip(r)
}

// settle tells where the person is, so that times are theirs.
func (p *person) settle(ctx context.Context) error {
	zone := hostZone()
	if zone == "" {
		return nil
	}
	return p.post(ctx, "/health", map[string]any{"timezone": zone}, http.StatusOK, &struct{}{})
}

// post sends what isn't for programs, and so isn't in the client.
func (p *person) post(ctx context.Context, path string, what map[string]any, want int, into any) error {
	body, err := json.Marshal(what)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.base+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := p.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != want {
		return fmt.Errorf("the demo's Chalie answered %s with %s", path, resp.Status)
	}
	return json.NewDecoder(resp.Body).Decode(into)
}

func (p *person) connect(ctx context.Context) error {
	at, err := url.Parse(p.base)
	if err != nil {
		return err
	}
	headers := http.Header{"Chalie-Key": {p.key}}
	for _, cookie := range p.http.Jar.Cookies(at) {
		headers.Add("Cookie", cookie.String())
	}
	dialer := ws.Dialer{Header: ws.HandshakeHeaderHTTP(headers), Timeout: 10 * time.Second}
	conn, early, _, err := dialer.Dial(ctx, "ws"+strings.TrimPrefix(p.base, "http")+"/ws")
	if err != nil {
		return fmt.Errorf("the demo could not listen to its Chalie: %w", err)
	}
	var from io.Reader = conn
	if early != nil {
		from = early // it has read ahead, and goes on with conn
	}
	p.conn = conn
	ctx, p.deaf = context.WithCancel(ctx)
	p.listening.Go(func() {
		defer close(p.frames)
		p.lost = p.listen(ctx, from)
	})
	return nil
}

// listen hands on what is shown to a person, until the connection ends.
func (p *person) listen(ctx context.Context, from io.Reader) error {
	both := struct {
		io.Reader
		io.Writer
	}{from, p.conn}
	for {
		text, err := wsutil.ReadServerText(both)
		if err != nil {
			return err
		}
		var f shown
		if err := json.Unmarshal(text, &f); err != nil {
			return err
		}
		switch f.text = text; f.Type {
		case "ping":
			if err := wsutil.WriteClientText(p.conn, []byte(`{"type":"pong"}`)); err != nil {
				return err
			}
		case "notification", "escalation", "message", "error":
			select {
			case p.frames <- f:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
}

// next waits for a frame.
func (p *person) next(ctx context.Context) (shown, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, demoPatience, errors.New("the demo's Chalie says nothing"))
	defer cancel()
	select {
	case f, ok := <-p.frames:
		if !ok {
			return f, errors.Join(ctx.Err(), fmt.Errorf("the demo's device lost its Chalie: %w", p.lost))
		}
		if f.Type == "error" {
			return f, fmt.Errorf("the demo's Chalie answered with an error: %s", f.Message)
		}
		return f, nil
	case <-ctx.Done():
		return shown{}, context.Cause(ctx)
	}
}

// nextOf waits for a frame, which has to be of a type.
func (p *person) nextOf(ctx context.Context, frame string) (shown, error) {
	f, err := p.next(ctx)
	if err == nil && f.Type != frame {
		err = fmt.Errorf("the demo's device got %s, and not %s: %s", f.Type, frame, f.text)
	}
	return f, err
}

// heardNothing checks that nothing waits to be told.
func (p *person) heardNothing() error {
	if n := len(p.frames); n > 0 {
		return fmt.Errorf("the demo's device got %d frames more than it should", n)
	}
	return nil
}

// say speaks through the device, as a chat does.
func (p *person) say(text string) error {
	frame, err := json.Marshal(map[string]string{"type": "chat", "text": text, "source": "text"})
	if err != nil {
		return err
	}
	return wsutil.WriteClientText(p.conn, frame)
}

// leave closes the device and waits until it listens no more.
func (p *person) leave() {
	p.deaf()
	_ = p.conn.Close() // Chalie notices
	p.listening.Wait()
	p.api.Close()
}
