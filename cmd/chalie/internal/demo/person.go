package demo

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
	"chalie/replay/narrate"
)

// person is who the demo's Chalie is for: an account, and one device that
// listens. Everything goes over the network, with a session.
type person struct {
	base     string
	key      string // of the session; "" before there is one
	password string
	http     *http.Client
	api      *apiclient.Client

	conn      net.Conn
	frames    chan frame
	listening sync.WaitGroup
	deaf      context.CancelFunc // ends listening
	lost      error              // why frames ended; to be read once it is closed
}

const accountName = "demo"

// heardAhead is how many frames may wait to be told; the device then stops
// reading, which Chalie sees as a slow client.
const heardAhead = 64

// frame is one as far as the demo shows it.
type frame struct {
	Type    string         `json:"type"`
	Content string         `json:"content"`
	Blocks  []domain.Block `json:"blocks"`
	Message string         `json:"message"`
	Episode domain.ID      `json:"exchange_id"` // that it came of
	Summary string         `json:"summary"`     // of what waits for a yes; "" otherwise

	text json.RawMessage // as it came
}

// words is what a frame says, on one line.
func (f frame) words() string {
	if f.Content != "" {
		return narrate.OneLine(f.Content)
	}
	return narrate.OneLine(domain.PlainText(f.Blocks))
}

// newPerson makes the account by the set-up link, says in which zone they are, and
// connects the device.
func newPerson(ctx context.Context, setup, zone string) (*person, error) {
	base, setupKey, _ := strings.Cut(setup, "/setup?key=")
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	p := &person{base: base, password: rand.Text(), frames: make(chan frame, heardAhead)}
	// Connections of its own, so that they can be let go of.
	p.http = &http.Client{Jar: jar, Transport: &keyed{key: &p.key, Transport: &http.Transport{}}}
	p.api = apiclient.New(p.http, base)
	var session struct {
		Key string `json:"key"`
	}
	err = p.post(ctx, "/auth/register", map[string]any{"username": accountName, "password": p.password, "setup_key": setupKey, "key": true}, http.StatusCreated, &session)
	p.key = session.Key
	if err == nil && zone != "" {
		err = p.post(ctx, "/health", map[string]any{"timezone": zone}, http.StatusOK, &struct{}{})
	}
	if err == nil {
		err = p.connect(ctx)
	}
	if err != nil {
		p.api.Close()
		return nil, err
	}
	return p, nil
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
		var f frame
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

// hears waits for the next frame, which has to be of a type.
func (p *person) hears(ctx context.Context, kind string) (frame, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errors.New("the demo's Chalie says nothing"))
	defer cancel()
	select {
	case f, ok := <-p.frames:
		switch {
		case !ok:
			return f, errors.Join(ctx.Err(), fmt.Errorf("the demo's device lost its Chalie: %w", p.lost))
		case f.Type == "error":
			return f, fmt.Errorf("the demo's Chalie answered with an error: %s", f.Message)
		case f.Type != kind:
			return f, fmt.Errorf("the demo's device got %s, and not %s: %s", f.Type, kind, f.text)
		}
		return f, nil
	case <-ctx.Done():
		return frame{}, context.Cause(ctx)
	}
}

// heardNothing checks that nothing waits to be told.
func (p *person) heardNothing() error {
	if n := len(p.frames); n > 0 {
		return fmt.Errorf("the demo's device got %d frames more than it should", n)
	}
	return nil
}

// says speaks through the device, as a chat does.
func (p *person) says(text string) error {
	said, err := json.Marshal(map[string]string{"type": "chat", "text": text, "source": "text"})
	if err != nil {
		return err
	}
	return wsutil.WriteClientText(p.conn, said)
}

// leave closes the device and waits until it listens no more.
func (p *person) leave() {
	p.deaf()
	_ = p.conn.Close() // Chalie notices
	p.listening.Wait()
	p.api.Close()
}
