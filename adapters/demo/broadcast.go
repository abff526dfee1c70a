package demo

import (
	"bytes"
	"encoding/json"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"
)

// WriteWithin is how long a listener may take nothing before it is let go.
const WriteWithin = 5 * time.Second

// maxHeard bounds what a listener may say in one frame: it has nothing to say.
const maxHeard = 4 << 10

// broadcast says the same to whoever listens. Saying waits for the slowest
// listener, so that a burst is bounded by what they take, not by memory here.
type broadcast struct {
	mu        sync.Mutex
	listeners map[*listener]bool
	closed    bool
	reading   sync.WaitGroup
}

// listener is one connection. Its answers to pings come between frames.
type listener struct {
	net.Conn
	writing sync.Mutex
}

// Write writes whole frames.
func (l *listener) Write(frames []byte) (int, error) {
	l.writing.Lock()
	defer l.writing.Unlock()
	if err := l.SetWriteDeadline(time.Now().Add(WriteWithin)); err != nil {
		return 0, err
	}
	return l.Conn.Write(frames)
}

func newBroadcast() *broadcast { return &broadcast{listeners: map[*listener]bool{}} }

// say writes signals to all, in order.
func (b *broadcast) say(signals ...Signal) error {
	var frames bytes.Buffer
	for _, s := range signals {
		s.Kind = "signal"
		text, err := json.Marshal(s)
		if err != nil {
			return err
		}
		if err := ws.WriteFrame(&frames, ws.NewTextFrame(text)); err != nil {
			return err
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for l := range b.listeners {
		if _, err := l.Write(frames.Bytes()); err != nil {
			b.drop(l) // it is gone, or too slow; the others go on hearing
		}
	}
	return nil
}

// listen is GET /stream. The handshake is answered under the lock: who has its
// answer hears all that is said from then on.
func (b *broadcast) listen(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		http.Error(w, "closing", http.StatusServiceUnavailable)
		return
	}
	conn, early, _, err := ws.HTTPUpgrader{Timeout: WriteWithin}.Upgrade(r, w)
	if err != nil {
		return // it was told why
	}
	l := &listener{Conn: conn}
	if early.Reader.Buffered() > 0 {
		_ = conn.Close() // nobody may speak before the handshake is answered
		return
	}
	b.listeners[l] = true
	b.reading.Go(func() {
		heed(l)
		b.mu.Lock()
		defer b.mu.Unlock()
		b.drop(l)
	})
}

// heed answers pings until the listener is gone, and ignores what it says.
func heed(l *listener) {
	control := wsutil.ControlFrameHandler(l, ws.StateServerSide)
	reader := wsutil.Reader{Source: l, State: ws.StateServerSide, OnIntermediate: control, MaxFrameSize: maxHeard}
	for {
		frame, err := reader.NextFrame()
		if err != nil {
			return
		}
		if frame.OpCode.IsControl() {
			err = control(frame, &reader)
		} else {
			err = reader.Discard()
		}
		if err != nil {
			return
		}
	}
}

// drop lets go of a listener. The caller holds the lock.
func (b *broadcast) drop(l *listener) {
	delete(b.listeners, l)
	_ = l.Close() // what it didn't take is lost to it
}

// close lets go of all and waits until none is left.
func (b *broadcast) close() {
	b.mu.Lock()
	b.closed = true
	for l := range b.listeners {
		b.drop(l)
	}
	b.mu.Unlock()
	b.reading.Wait()
}
