package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"

	"chalie/domain"
)

// heard is one frame as a client reads it.
type heard struct {
	Type        string         `json:"type"`
	Seq         domain.Seq     `json:"seq"`
	Stage       string         `json:"stage"`
	Blocks      []domain.Block `json:"blocks"`
	Content     string         `json:"content"`
	Topic       *string        `json:"topic"`
	Mode        string         `json:"mode"`
	Confidence  *float64       `json:"confidence"`
	ExchangeID  domain.ID      `json:"exchange_id"`
	DurationMS  *int64         `json:"duration_ms"`
	Message     string         `json:"message"`
	Recoverable bool           `json:"recoverable"`
	ImageID     domain.ID      `json:"image_id"`
	Attempt     int            `json:"attempt"`
	Part        int            `json:"part"`
	Reason      string         `json:"reason"`
	From        domain.Seq     `json:"from"`

	Events []domain.StreamEvent `json:"events"`

	To domain.Seq `json:"to"`

	wire string // as it came
}

// name is the frame in a word or two.
func (h heard) name() string { return strings.TrimSpace(h.Type + " " + h.Stage) }

// device is one client of the person over the network. It remembers what it has
// seen over reconnects, as a chat does.
type device struct {
	t      testing.TB
	cookie string
	conn   net.Conn
	rest   io.Reader // conn, and what came with the handshake
	seen   map[domain.Seq]bool
	last   domain.Seq
	frames []heard // all but pings and what is in made, in the order they came
	made   []heard // what was added to answers while they were made, and taken back
	asked  func()  // is called when the person is asked for their approval; may be nil
}

func newDevice(t testing.TB, cookie string) *device {
	d := &device{t: t, cookie: cookie, seen: map[domain.Seq]bool{}}
	t.Cleanup(d.close)
	return d
}

// connect opens the socket, and resumes when the device has been there before.
func (d *device) connect(address string) error {
	d.close()
	dialer := ws.Dialer{Header: ws.HandshakeHeaderHTTP(http.Header{"Cookie": {d.cookie}}), Timeout: patience}
	conn, early, _, err := dialer.Dial(context.Background(), "ws"+strings.TrimPrefix(address, "http")+"/ws")
	if err != nil {
		return err
	}
	d.conn, d.rest = conn, conn
	if early != nil {
		d.rest = io.MultiReader(io.LimitReader(early, int64(early.Buffered())), conn)
	}
	if d.last > 0 {
		return d.send(fmt.Sprintf(`{"type":"resume","last_seq":%d}`, d.last))
	}
	return nil
}

// attend makes sure that the device hears all that comes from now on: it asks
// for something that is answered at once, and to it alone.
func (d *device) attend() error {
	if err := d.send(`{"type":"nonsense"}`); err != nil {
		return err
	}
	h, err := d.next()
	if err == nil && (h.Type != "error" || !h.Recoverable) {
		err = fmt.Errorf("nonsense was answered %+v", h)
	}
	d.frames = nil
	return err
}

// listening are devices of one person that hear all that comes from now on.
func (v *victim) listening(cookie string, n int) []*device {
	v.t.Helper()
	devices := make([]*device, n)
	for i := range devices {
		devices[i] = newDevice(v.t, cookie)
		if err := errors.Join(devices[i].connect(v.address), devices[i].attend()); err != nil {
			v.t.Fatalf("device %d: %v", i, err)
		}
	}
	return devices
}

// tells says something, or sends a frame when it is one.
func (d *device) tells(text string) {
	d.t.Helper()
	say := d.say
	if strings.HasPrefix(text, "{") {
		say = d.send
	}
	if err := say(text); err != nil {
		d.t.Fatal(err)
	}
}

// hears reads frames through the first of a name, and returns that.
func (d *device) hears(name string) heard {
	d.t.Helper()
	h, err := d.until(func(h heard) bool { return h.name() == name })
	if err != nil {
		d.t.Fatalf("there is no %s after %q: %v", name, d.names(), err)
	}
	return h
}

func (d *device) close() {
	if d.conn != nil {
		_ = d.conn.Close()
	}
	d.conn = nil
}

func (d *device) send(text string) error {
	return wsutil.WriteClientText(d.conn, []byte(text))
}

func (d *device) say(text string) error {
	quoted, err := json.Marshal(text)
	if err != nil {
		return err
	}
	return d.send(`{"type":"chat","text":` + string(quoted) + `,"source":"text"}`)
}

// next reads one frame and checks what must hold of every frame: its number is
// new, and no lower than any before.
func (d *device) next() (heard, error) {
	for {
		if err := d.conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
			return heard{}, err
		}
		text, err := wsutil.ReadServerText(struct {
			io.Reader
			io.Writer
		}{d.rest, d.conn})
		if err != nil {
			return heard{}, err
		}
		var h heard
		if err := json.Unmarshal(text, &h); err != nil {
			return heard{}, fmt.Errorf("%s: %w", text, err)
		}
		if h.Type == "ping" {
			if err := d.send(`{"type":"pong"}`); err != nil {
				return heard{}, err
			}
			continue
		}
		if d.seen[h.Seq] || h.Seq <= d.last {
			return heard{}, fmt.Errorf("%s came after %d", text, d.last)
		}
		d.seen[h.Seq], d.last, h.wire = true, h.Seq, string(text)
		if h.Type == "delta" || h.Type == "retracted" {
			d.made = append(d.made, h)
		} else {
			d.frames = append(d.frames, h)
		}
		if d.asked != nil && strings.Contains(h.wire, `"proposal_token"`) {
			d.asked()
		}
		return h, nil
	}
}

// until reads frames through the first that fits.
func (d *device) until(fits func(heard) bool) (heard, error) {
	for {
		h, err := d.next()
		if err != nil || fits(h) {
			return h, err
		}
	}
}

func (d *device) names() []string {
	var out []string
	for _, h := range d.frames {
		out = append(out, h.name())
	}
	return out
}

func isDone(h heard) bool { return h.Type == "done" }

// hungUp reports whether the other end is no more, rather than wrong.
func hungUp(err error) bool {
	var network net.Error
	closed := wsutil.ClosedError{}
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
		errors.As(err, &closed) || errors.As(err, &network) && !network.Timeout()
}

// register makes the account by a set-up link, as a web chat does, and returns the
// session's cookie.
func register(t testing.TB, link string) string {
	t.Helper()
	cookie, _ := registers(t, link, "")
	return cookie
}

// registerKeyed is register as Chalie's pages do it, and returns the headers that a
// request of theirs has.
func registerKeyed(t testing.TB, link string) []string {
	t.Helper()
	cookie, answer := registers(t, link, `,"key":true`)
	var in struct{ Key string }
	if err := json.Unmarshal(answer, &in); err != nil || in.Key == "" {
		t.Fatalf("registering gave no key: %s", answer)
	}
	return []string{"Cookie: " + cookie, "Chalie-Key: " + in.Key}
}

func registers(t testing.TB, link, more string) (cookie string, answer []byte) {
	t.Helper()
	address, key, _ := strings.Cut(link, "/setup?key=")
	resp, err := http.Post(address+"/auth/register", "application/json",
		strings.NewReader(`{"username":"ada","password":"a long sentence nobody guesses","setup_key":"`+key+`"`+more+`}`))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	if resp.StatusCode != http.StatusCreated || len(resp.Cookies()) == 0 {
		t.Fatalf("registering answered %s %s", resp.Status, text)
	}
	c := resp.Cookies()[0]
	return c.Name + "=" + c.Value, text
}
