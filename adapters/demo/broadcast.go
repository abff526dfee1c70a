package demo

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"
)

// WriteWithin is how long a listener may take nothing before it is let go.
const WriteWithin = 5 * time.Second

// maxHeard bounds what a listener may say for as long as it listens: pings.
const maxHeard = 1 << 20

// broadcast says the same to all who listen. Saying waits for the slowest
// listener, so that a burst is bounded by what they take, not by memory here.
type broadcast struct {
	mu        sync.Mutex
	listeners map[net.Conn]bool
	closed    bool
	reading   sync.WaitGroup
}

func newBroadcast() *broadcast { return &broadcast{listeners: map[net.Conn]bool{}} }

// say writes signals to all, in order.
func (b *broadcast) say(signals ...Signal) error {
	var frames bytes.Buffer
	for _, s := range signals {
		s.Kind = "signal"
		text, err := json.Marshal(s)
		if err != nil {
			return err
		}
		if err := wsutil.WriteServerText(&frames, text); err != nil {
			return err
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for conn := range b.listeners {
		err := conn.SetWriteDeadline(time.Now().Add(WriteWithin))
		if err == nil {
			_, err = conn.Write(frames.Bytes()) // a pong comes before or after all of them
		}
		if err != nil {
			b.drop(conn) // it is gone, or too slow; the others go on hearing
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
	if early.Reader.Buffered() > 0 {
		_ = conn.Close() // nobody may speak before the handshake is answered
		return
	}
	b.listeners[conn] = true
	b.reading.Go(func() {
		said := struct {
			io.Reader
			io.Writer
		}{io.LimitReader(conn, maxHeard), conn}
		for err := error(nil); err == nil; { // pings are answered on the way
			_, _, err = wsutil.ReadClientData(said)
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		b.drop(conn)
	})
}

// drop lets go of a listener. The caller holds the lock.
func (b *broadcast) drop(conn net.Conn) {
	delete(b.listeners, conn)
	_ = conn.Close() // what it didn't take is lost to it
}

// close lets go of all and waits until none is left.
func (b *broadcast) close() {
	b.mu.Lock()
	b.closed = true
	for conn := range b.listeners {
		b.drop(conn)
	}
	b.mu.Unlock()
	b.reading.Wait()
}
