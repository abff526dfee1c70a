package demo

import (
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

	"chalie/adapters/api"
	"chalie/adapters/apiclient"
	"chalie/domain"
	"chalie/replay/narrate"
)

const accountName = "demo"

// heardAhead is how many frames may wait to be told; the story has far fewer.
const heardAhead = 64

// person is who the demo's Chalie is for: an account, and one device that
// listens. Everything goes over the network, with a session.
type person struct {
	base, password string
	api            *apiclient.Client

	conn      net.Conn
	frames    chan frame
	listening sync.WaitGroup
	lost      error // why frames ended; to be read once it is closed
}

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

// keyed shows the session's key, once there is one.
type keyed struct {
	http.Transport
	key string
}

// RoundTrip implements http.RoundTripper.
func (k *keyed) RoundTrip(r *http.Request) (*http.Response, error) {
	if k.key != "" {
		r = r.Clone(r.Context())
		r.Header.Set(api.KeyHeader, k.key)
	}
	return k.Transport.RoundTrip(r)
}

// newPerson makes the account by the set-up link, says in which zone they are, and
// connects the device.
func newPerson(ctx context.Context, setup, zone string) (_ *person, err error) {
	base, setupKey, _ := strings.Cut(setup, "/setup?key=")
	at, err := url.Parse(base)
	if err != nil {
		return nil, err
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	way := &keyed{}
	p := &person{base: base, password: rand.Text(), frames: make(chan frame, heardAhead), api: apiclient.New(&http.Client{Jar: jar, Transport: way}, base)}
	defer func() {
		if err != nil {
			p.api.Close()
		}
	}()
	session, err := p.api.Register(ctx, api.Credentials{Username: accountName, Password: p.password, SetupKey: setupKey, Key: true})
	if err != nil {
		return nil, err
	}
	way.key = session.Key
	if zone != "" {
		if err := p.api.CheckIn(ctx, api.Surroundings{Timezone: &zone}); err != nil {
			return nil, err
		}
	}
	headers := http.Header{api.KeyHeader: {way.key}}
	for _, cookie := range jar.Cookies(at) {
		headers.Add("Cookie", cookie.String())
	}
	dialer := ws.Dialer{Header: ws.HandshakeHeaderHTTP(headers), Timeout: 10 * time.Second}
	conn, early, _, err := dialer.Dial(ctx, "ws://"+at.Host+"/ws")
	if err != nil {
		return nil, fmt.Errorf("the demo could not listen to its Chalie: %w", err)
	}
	var from io.Reader = conn
	if early != nil {
		from = early // it has read ahead, and goes on with conn
	}
	p.conn = conn
	p.listening.Go(func() {
		defer close(p.frames)
		p.lost = p.listen(from)
	})
	return p, nil
}

// listen hands on what is shown to a person, until the connection ends.
func (p *person) listen(from io.Reader) error {
	both := struct {
		io.Reader
		io.Writer
	}{from, p.conn}
	for {
		text, err := wsutil.ReadServerText(both)
		if err != nil {
			return err
		}
		f := frame{text: text}
		if err := json.Unmarshal(text, &f); err != nil {
			return err
		}
		switch f.Type {
		case "ping":
			if err := wsutil.WriteClientText(p.conn, []byte(`{"type":"pong"}`)); err != nil {
				return err
			}
		case "notification", "escalation", "message", "error":
			select {
			case p.frames <- f:
			default:
				return errors.New("it says more than the story has")
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
	_ = p.conn.Close() // Chalie notices
	p.listening.Wait()
	p.api.Close()
}
