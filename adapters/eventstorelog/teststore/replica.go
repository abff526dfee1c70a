package teststore

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"

	"io"
	"log"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"go.etcd.io/raft/v3"
	"go.etcd.io/raft/v3/raftpb"
)

// Spans of time, as they were seen at real servers.
const (
	tick        = 50 * time.Millisecond
	electAfter  = 10 // ticks without a leader, up to twice as many
	agreeWithin = 2 * time.Second
	frozenFor   = 4500 * time.Millisecond // a leader that says nothing is replaced after it by 24.10, and never by 23.10
)

// replica is a node's part in agreeing. One goroutine judges what comes in, has it agreed,
// and shows it. Followers do nothing but agree.
type replica struct {
	cfg   Config
	disk  *disk
	state *state
	wire  *wire // nil for a node that is alone

	requests chan *request
	closing  sync.Once
	quit     chan struct{} // closed by close
	ended    chan struct{} // closed when nothing is agreed any more

	standing atomic.Pointer[standing]
	turned   chan struct{} // gets one when standing changed

	// Of the goroutine.
	raft    *raft.RawNode
	known   *memory
	flight  *group // what is being agreed; nil for nothing
	members members
	heard   time.Time // of the leader
	applied uint64    // term of what was applied last
}

// standing is how a node sees the cluster.
type standing struct {
	node    int
	leader  int  // 0 when there is none
	ready   bool // a leader that takes something, or a follower of one
	members members
}

// request is a change that waits to be judged and agreed.
type request struct {
	change   change
	expected expected
	until    time.Time
	done     chan outcome
}

// group is requests that are agreed together.
type group struct {
	id       uint64
	changes  []change
	requests []*request
	answers  []outcome
}

func (g *group) answer(err error) {
	for i, req := range g.requests {
		if err != nil {
			g.answers[i] = outcome{err: err}
		}
		req.done <- g.answers[i]
	}
}

// openReplica opens a node that serves at an address.
func openReplica(cfg Config, address string) (*replica, error) {
	r := &replica{cfg: cfg, state: newState(), known: newMemory(), requests: make(chan *request, 1024),
		quit: make(chan struct{}), ended: make(chan struct{}), turned: make(chan struct{}, 1), heard: time.Now()}
	r.standing.Store(&standing{node: cfg.Number})
	var err error
	if r.disk, err = openDisk(cfg.Dir, cfg.Nodes); err != nil {
		return nil, err
	}
	r.raft, err = raft.NewRawNode(&raft.Config{
		ID: uint64(cfg.Number), ElectionTick: electAfter, HeartbeatTick: 1, Storage: r.disk, PreVote: true,
		MaxSizePerMsg: 1 << 20, MaxInflightMsgs: 64, DisableProposalForwarding: true,
		Logger: &raft.DefaultLogger{Logger: log.New(io.Discard, "", 0)},
	})
	if err == nil && cfg.Hub != "" {
		r.wire, err = dial(cfg.Hub, cfg.Number, address)
	}
	if err == nil && cfg.Nodes == 1 {
		err = r.raft.Campaign()
	}
	if err != nil {
		return nil, errors.Join(err, r.disk.file.Close())
	}
	go r.run()
	return r, nil
}

// do has a change agreed, and answers when it is on the disks of most.
func (r *replica) do(c change, want expected) outcome {
	if at := r.standing.Load(); !at.ready || at.leader != at.node {
		return outcome{err: errNotReady}
	}
	req := &request{c, want, time.Now().Add(agreeWithin), make(chan outcome, 1)}
	timer := time.NewTimer(agreeWithin)
	defer timer.Stop()
	if r.wire == nil {
		timer.Stop() // who is alone agrees, or ends
		req.until = req.until.Add(time.Hour)
	}
	select {
	case r.requests <- req:
	case <-r.ended:
		return outcome{err: errNotReady}
	case <-timer.C:
		return outcome{err: errTimeout}
	}
	select {
	case o := <-req.done:
		return o
	case <-r.ended:
		select {
		case o := <-req.done:
			return o
		default:
			return outcome{err: errNotReady}
		}
	case <-timer.C:
		return outcome{err: errTimeout}
	}
}

func (r *replica) run() {
	defer close(r.ended)
	if r.wire != nil {
		defer r.wire.close()
	}
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for {
		if err := r.agree(); err != nil {
			if r.flight != nil {
				r.flight.answer(err)
			}
			r.standing.Store(&standing{node: r.cfg.Number}) // it serves reads until somebody ends it
			return
		}
		r.look()
		requests := r.requests
		if r.flight != nil || !r.leads() {
			requests = nil
		}
		select {
		case <-r.quit:
			return
		case first := <-requests:
			r.propose(first)
		case m := <-r.wire.messages():
			if m.From == r.raft.BasicStatus().Lead {
				r.heard = time.Now()
			}
			_ = r.raft.Step(m) // what it can't use is old
		case r.members = <-r.wire.changes():
		case <-ticker.C:
			if r.isOnItsOwn() {
				r.raft.Tick()
			}
		}
	}
}

// isOnItsOwn reports whether time counts: a leader sends what it has, and a follower waits
// for as long as it has a leader. A connection that is open is a leader for 23.10.
func (r *replica) isOnItsOwn() bool {
	status := r.raft.BasicStatus()
	if status.RaftState == raft.StateLeader || status.Lead == raft.None || !r.members.reach(int(status.Lead)) {
		return true
	}
	return r.cfg.Like == "24.10" && time.Since(r.heard) > frozenFor
}

// leads reports whether this node leads and has applied all that was agreed before.
func (r *replica) leads() bool {
	status := r.raft.BasicStatus()
	return status.RaftState == raft.StateLeader && r.applied == status.Term
}

// look notes how this node stands.
func (r *replica) look() {
	status := r.raft.BasicStatus()
	now := standing{node: r.cfg.Number, leader: int(status.Lead), members: r.members}
	switch {
	case now.leader == now.node:
		now.ready = r.leads() && 2*r.members.reached(now.node, r.cfg.Nodes) > r.cfg.Nodes
		if !now.ready {
			now.leader = 0
		}
	case now.leader != 0:
		now.ready = r.members.reach(now.leader)
		if !now.ready {
			now.leader = 0
		}
	}
	if r.flight != nil && status.RaftState != raft.StateLeader {
		r.flight.answer(errTimeout) // it may still come to be agreed
		r.flight = nil
	}
	before := r.standing.Load()
	if before.leader == now.leader && before.ready == now.ready && before.members.Version == now.members.Version {
		return
	}
	if before.leader != now.leader {
		r.known = newMemory()
	}
	r.standing.Store(&now)
	if led, leads := before.leader == now.node, now.leader == now.node; led != leads {
		r.wire.report(leads)
	}
	select {
	case r.turned <- struct{}{}:
	default:
	}
}

// propose judges what waits, in order, and has it agreed.
func (r *replica) propose(first *request) {
	g := &group{id: rand.Uint64(), requests: []*request{first}} //nolint:gosec // only to be told apart
	for range len(r.requests) {
		g.requests = append(g.requests, <-r.requests)
	}
	draft := &draft{r.state, r.known, map[string]*stream{}}
	for _, req := range g.requests {
		if time.Now().After(req.until) {
			req.change = change{} // nobody waits for it
		}
		g.answers = append(g.answers, draft.take(&req.change, req.expected))
		if req.change.writes() {
			g.changes = append(g.changes, req.change)
		}
		req.change = change{}
	}
	if len(g.changes) == 0 {
		g.answer(nil)
		return
	}
	var data bytes.Buffer
	data.Write(binary.BigEndian.AppendUint64(nil, g.id))
	err := gob.NewEncoder(&data).Encode(g.changes)
	if err == nil {
		err = r.raft.Propose(data.Bytes())
	}
	if err != nil {
		g.answer(errNotReady)
		return
	}
	r.flight = g
}

// errOutvoted ends a node that holds what was never agreed, as real ones end.
var errOutvoted = errors.New("this node holds what the others haven't agreed to")

// agree does what raft asks for: it stores, sends and applies.
func (r *replica) agree() error {
	for r.raft.HasReady() {
		todo := r.raft.Ready()
		last, _ := r.disk.LastIndex()
		outvoted := len(todo.Entries) > 0 && todo.Entries[0].Index <= last
		if len(todo.Entries) > 0 || !raft.IsEmptyHardState(todo.HardState) {
			if err := r.disk.save(todo.Entries, todo.HardState); err != nil {
				return err
			}
		}
		if outvoted {
			return errOutvoted
		}
		for _, m := range todo.Messages {
			r.wire.send(m)
		}
		for _, e := range todo.CommittedEntries {
			if err := r.apply(e); err != nil {
				return err
			}
		}
		r.raft.Advance(todo)
	}
	return nil
}

func (r *replica) apply(e raftpb.Entry) error {
	r.applied = e.Term
	if len(e.Data) == 0 {
		return nil // a new leader's first
	}
	if mine := r.flight; mine != nil && mine.id == binary.BigEndian.Uint64(e.Data) {
		r.flight = nil
		r.state.show(mine.changes)
		mine.answer(nil)
		return nil
	}
	var changes []change
	if err := gob.NewDecoder(bytes.NewReader(e.Data[8:])).Decode(&changes); err != nil {
		return err
	}
	r.state.show(changes)
	return nil
}

// close ends the node. Closing it again does nothing.
func (r *replica) close() (err error) {
	r.closing.Do(func() {
		close(r.quit)
		<-r.ended
		err = r.disk.file.Close()
	})
	return err
}
