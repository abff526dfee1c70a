package demo

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net"

	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"

	"chalie/adapters/api"
	"chalie/adapters/apiclient"
	"chalie/adapters/unixsocket"
	"chalie/domain"
	"chalie/replay/narrate"
)

const accountName = "demo"

// person is who the demo's Chalie is for: an account, and one device that listens.
type person struct {
	*apiclient.Client
	password string
	conn     net.Conn
}

// frame is one as far as the demo shows it.
type frame struct {
	Type    string         `json:"type"`
	Blocks  []domain.Block `json:"blocks"`
	Episode domain.ID      `json:"exchange_id"` // that it came of
	Summary string         `json:"summary"`     // of what waits for a yes; "" otherwise

	text json.RawMessage // as it came
}

// words is what a frame says, on one line.
func (f frame) words() string { return narrate.OneLine(domain.PlainText(f.Blocks)) }

// newPerson makes the account, for who looks at what is kept, and connects the device.
func newPerson(ctx context.Context, data string) (_ *person, err error) {
	p := &person{Client: apiclient.New(unixsocket.Client(data), unixsocket.BaseURL), password: rand.Text()}
	if _, err := p.Register(ctx, api.Credentials{Username: accountName, Password: p.password}); err != nil {
		return nil, err
	}
	dialer := ws.Dialer{NetDial: func(ctx context.Context, _, _ string) (net.Conn, error) { return unixsocket.Dial(ctx, data) }}
	// Nothing comes with the handshake: a new socket is told nothing before it speaks.
	if p.conn, _, _, err = dialer.Dial(ctx, "ws://chalie/ws"); err != nil {
		return nil, fmt.Errorf("the demo could not listen to its Chalie: %w", err)
	}
	return p, nil
}

// hears waits for what is shown to the person next, which has to be of a type.
func (p *person) hears(ctx context.Context, kind string) (f frame, err error) {
	defer context.AfterFunc(ctx, func() { _ = p.conn.Close() })()
	for {
		f = frame{}
		if f.text, err = wsutil.ReadServerText(p.conn); err == nil { // pings are answered on the way
			err = json.Unmarshal(f.text, &f)
		}
		if err != nil {
			return f, fmt.Errorf("the demo's device hears no %s: %w", kind, err)
		}
		switch f.Type {
		case kind:
			return f, nil
		case "notification", "escalation", "message", "error":
			return f, fmt.Errorf("the demo's device got %s, and not %s: %s", f.Type, kind, f.text)
		}
	}
}

// hearsNothing checks that nothing was shown since: a mistake is answered in its place.
func (p *person) hearsNothing(ctx context.Context) error {
	if err := p.sends(map[string]string{"type": "mistake"}); err != nil {
		return err
	}
	_, err := p.hears(ctx, "error")
	return err
}

// sends has the device send a frame.
func (p *person) sends(frame map[string]string) error {
	text, _ := json.Marshal(frame) // texts can always be written
	return wsutil.WriteClientText(p.conn, text)
}
