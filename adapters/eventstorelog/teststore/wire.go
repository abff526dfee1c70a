package teststore

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net"
	"slices"
	"sync"
	"time"

	"go.etcd.io/raft/v3/raftpb"
)

// members is what a node knows of the others.
type members struct {
	Version   int            // counts the changes
	Addresses map[int]string // where they serve
	Reach     map[int]bool   // those that this node has a connection to
}

func (m members) reach(node int) bool { return m.Reach[node] }

// reached counts a node and those that it reaches.
func (m members) reached(node, nodes int) int {
	count := 1
	for i := 1; i <= nodes; i++ {
		if i != node && m.Reach[i] {
			count++
		}
	}
	return count
}

// report is what a node says of itself.
type report struct {
	Number  int
	Address string
	Leads   bool
}

// A frame between a node and the hub is a length, the number of the other node (0 for the
// hub itself) and bytes.
func writeFrame(w io.Writer, other int, body []byte) error {
	out := binary.BigEndian.AppendUint32(make([]byte, 0, len(body)+5), uint32(len(body)+1))
	_, err := w.Write(append(append(out, byte(other)), body...))
	return err
}

func readFrame(r io.Reader) (other int, body []byte, err error) {
	var head [5]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, nil, err
	}
	body = make([]byte, binary.BigEndian.Uint32(head[:])-1)
	_, err = io.ReadFull(r, body)
	return int(head[4]), body, err
}

// wire is a node's connection to the hub, through which it reaches the others. A nil wire
// is of a node that is alone.
type wire struct {
	conn    net.Conn
	number  int
	out     chan frame
	in      chan raftpb.Message
	members chan members
	quit    chan struct{}
	address string
}

type frame struct {
	other int
	body  []byte
}

// queued is how many frames wait for who is slow. What doesn't fit is lost, and sent again.
const queued = 256

func dial(hub string, number int, address string) (*wire, error) {
	conn, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", hub)
	if err != nil {
		return nil, err
	}
	w := &wire{conn: conn, number: number, address: address, out: make(chan frame, queued), in: make(chan raftpb.Message, queued),
		members: make(chan members, queued), quit: make(chan struct{})}
	w.report(false)
	go w.write()
	go w.read()
	return w, nil
}

func (w *wire) write() {
	for {
		select {
		case f := <-w.out:
			if writeFrame(w.conn, f.other, f.body) != nil {
				return
			}
		case <-w.quit:
			return
		}
	}
}

func (w *wire) read() {
	in := bufio.NewReaderSize(w.conn, 1<<16)
	for {
		other, body, err := readFrame(in)
		if err != nil {
			return
		}
		if other == 0 {
			var m members
			if json.Unmarshal(body, &m) == nil {
				w.members <- m
			}
			continue
		}
		var m raftpb.Message
		if m.Unmarshal(body) != nil {
			continue
		}
		select {
		case w.in <- m:
		case <-w.quit:
			return
		}
	}
}

func (w *wire) messages() <-chan raftpb.Message {
	if w == nil {
		return nil
	}
	return w.in
}

func (w *wire) changes() <-chan members {
	if w == nil {
		return nil
	}
	return w.members
}

// send sends a message if there is room for it.
func (w *wire) send(m raftpb.Message) {
	if w == nil {
		return
	}
	body, err := m.Marshal()
	if err != nil {
		return
	}
	select {
	case w.out <- frame{int(m.To), body}:
	default:
	}
}

// report tells the hub how this node stands.
func (w *wire) report(leads bool) {
	if w == nil {
		return
	}
	body, err := json.Marshal(report{w.number, w.address, leads})
	if err != nil {
		return
	}
	w.out <- frame{0, body}
}

func (w *wire) close() {
	close(w.quit)
	_ = w.conn.Close()
}

// hub connects the nodes of a cluster, and cuts them off from each other.
type hub struct {
	listener net.Listener
	notice   time.Duration // from a cut until connections over it are given up
	done     sync.WaitGroup

	mu      sync.Mutex
	version int
	ports   map[int]*port
	cut     map[int]bool // nothing passes
	given   map[int]bool // and its connections are given up
	told    chan struct{}
	quit    chan struct{} // closed by close
}

type port struct {
	conn   net.Conn
	out    chan frame
	latest chan []byte // members that it hasn't been told
	last   report
}

func newHub(notice time.Duration) (*hub, error) {
	listener, err := new(net.ListenConfig).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	h := &hub{listener: listener, notice: notice, ports: map[int]*port{}, cut: map[int]bool{}, given: map[int]bool{}, told: make(chan struct{}), quit: make(chan struct{})}
	h.done.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			h.done.Go(func() { h.serve(conn) })
		}
	})
	return h, nil
}

// serve passes on what a node sends, until it ends.
func (h *hub) serve(conn net.Conn) {
	defer conn.Close()
	in := bufio.NewReaderSize(conn, 1<<16)
	p := &port{conn: conn, out: make(chan frame, queued), latest: make(chan []byte, 1)}
	ended := make(chan struct{})
	defer close(ended)
	h.done.Go(func() {
		for {
			var f frame
			select {
			case f = <-p.out:
			case f.body = <-p.latest:
			case <-ended:
				return
			}
			if writeFrame(conn, f.other, f.body) != nil {
				return
			}
		}
	})
	for {
		other, body, err := readFrame(in)
		if err != nil {
			break
		}
		h.mu.Lock()
		if other == 0 {
			if json.Unmarshal(body, &p.last) == nil {
				h.note()
				if h.ports[p.last.Number] != p {
					h.ports[p.last.Number] = p
					h.tell()
				}
			}
		} else if to := h.ports[other]; to != nil && !h.cut[other] && !h.cut[p.last.Number] {
			to.pass(frame{p.last.Number, body})
		}
		h.mu.Unlock()
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ports[p.last.Number] == p {
		delete(h.ports, p.last.Number)
		h.tell()
	}
}

func (p *port) pass(f frame) {
	select {
	case p.out <- f:
	default: // it is frozen
	}
}

// tell tells every node whom it reaches. The lock is held.
func (h *hub) tell() {
	h.version++
	for number, p := range h.ports {
		m := members{h.version, map[int]string{}, map[int]bool{}}
		for other, q := range h.ports {
			m.Addresses[other] = q.last.Address
			m.Reach[other] = other == number || !h.given[number] && !h.given[other]
		}
		body, err := json.Marshal(m)
		if err != nil {
			continue
		}
		select {
		case <-p.latest: // it is old
		default:
		}
		p.latest <- body
	}
	h.note()
}

// note wakes who waits for a leader. The lock is held.
func (h *hub) note() {
	close(h.told)
	h.told = make(chan struct{})
}

// sever cuts a node off from the others.
func (h *hub) sever(node int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.cut[node] = true
	h.done.Go(func() {
		select {
		case <-time.After(h.notice):
		case <-h.quit:
			return
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.cut[node] {
			h.given[node] = true
			h.tell()
		}
	})
}

func (h *hub) heal(node int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.cut, node)
	delete(h.given, node)
	h.tell()
}

// leader waits for the node that leads. A node that can't reach most of the others doesn't.
func (h *hub) leader(ctx context.Context) (int, error) {
	for {
		h.mu.Lock()
		told := h.told
		for _, number := range slices.Sorted(maps.Keys(h.ports)) {
			if h.ports[number].last.Leads && !h.cut[number] {
				h.mu.Unlock()
				return number, nil
			}
		}
		h.mu.Unlock()
		select {
		case <-told:
		case <-ctx.Done():
			return 0, errors.New("no node leads")
		}
	}
}

func (h *hub) close() {
	close(h.quit)
	_ = h.listener.Close()
	h.mu.Lock()
	for _, p := range h.ports {
		_ = p.conn.Close()
	}
	h.mu.Unlock()
	h.done.Wait()
}
