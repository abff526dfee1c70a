package teststore

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
)

// event is what was appended.
type event struct {
	ID       uuid.UUID
	Metadata map[string]string // type, content-type, created
	Custom   []byte
	Data     []byte
}

// stream is one stream. What was cut off is kept until it is scavenged.
type stream struct {
	events    []event // from revision base on
	base      uint64
	from      uint64 // the first revision that may be read
	maxCount  uint64 // 0 for no bound
	deleted   bool   // softly: it reads as absent until the next append
	tombstone bool
}

// next is the revision of the next event.
func (s *stream) next() uint64 { return s.base + uint64(len(s.events)) }

// first is the first revision that is shown.
func (s *stream) first() uint64 {
	first := max(s.from, s.base)
	if s.maxCount > 0 && s.next() > s.maxCount {
		first = max(first, s.next()-s.maxCount)
	}
	return first
}

func (s *stream) at(revision uint64) event { return s.events[revision-s.base] }

// expected is what an append expects of its stream.
type expected struct {
	kind     expectedKind
	revision uint64
}

type expectedKind int

const (
	exact expectedKind = iota
	anything
	noStream
	exists
)

// change is one thing that is done to a stream, as it stands on the disk.
type change struct {
	Stream    string
	Events    []event `json:",omitempty"`
	Delete    bool    `json:",omitempty"`
	Tombstone bool    `json:",omitempty"`
	Scavenge  bool    `json:",omitempty"`
}

// request is a change that waits to be judged and written.
type request struct {
	change   change
	expected expected
	done     chan outcome
}

type outcome struct {
	revision uint64 // of the last event
	absent   bool   // there is no event
	wrong    bool   // the expectation doesn't hold; revision is the stream's last
	err      error
}

var (
	errTombstone = errors.New("stream-deleted")
	errEnded     = errors.New("the node has ended")
)

// store has all streams of a node.
type store struct {
	like     string // the version whose behaviour it has
	disk     *disk
	requests chan *request
	closing  sync.Once
	quit     chan struct{} // closed by close
	ended    chan struct{} // closed when nothing is written any more

	mu      sync.RWMutex
	streams map[string]*stream
	known   *memory
	moved   chan struct{} // closed and replaced when anything changed
}

func openStore(cfg Config) (*store, error) {
	s := &store{like: cfg.Like, requests: make(chan *request, 1024), quit: make(chan struct{}), ended: make(chan struct{}),
		streams: map[string]*stream{}, known: newMemory(), moved: make(chan struct{})}
	var err error
	s.disk, err = openDisk(cfg.Dir, func(frame []byte) error {
		var c change
		if err := c.read(frame); err != nil {
			return err
		}
		s.apply(c)
		return nil
	})
	if err != nil {
		return nil, err
	}
	s.known = newMemory() // a node forgets it when it ends
	go s.run()
	return s, nil
}

// do has a change written, and answers when it is on the disk.
func (s *store) do(c change, want expected) outcome {
	req := &request{c, want, make(chan outcome, 1)}
	select {
	case s.requests <- req:
	case <-s.ended:
		return outcome{err: errEnded}
	}
	select {
	case o := <-req.done:
		return o
	case <-s.ended:
		return outcome{err: errEnded}
	}
}

// run judges what waits in order, writes it with one sync and then shows it.
func (s *store) run() {
	defer close(s.ended)
	for {
		var waiting []*request
		select {
		case first := <-s.requests:
			waiting = append(waiting, first)
		case <-s.quit:
			return
		}
		for range len(s.requests) {
			waiting = append(waiting, <-s.requests)
		}
		// A later one may rest on an earlier one, so they are applied before they are
		// synced; readers are kept out meanwhile.
		s.mu.Lock()
		answers := make([]outcome, len(waiting))
		var frames [][]byte
		for i, req := range waiting {
			answers[i] = s.judge(req)
			if answers[i].err == nil && !answers[i].wrong && req.change.writes() {
				frames = append(frames, req.change.frame())
				s.apply(req.change)
			}
			req.change.Events = nil
		}
		err := s.disk.write(frames)
		if err == nil && len(frames) > 0 {
			close(s.moved)
			s.moved = make(chan struct{})
		}
		s.mu.Unlock()
		for i, req := range waiting {
			if err != nil {
				answers[i] = outcome{err: err}
			}
			req.done <- answers[i]
		}
		if err != nil { // as a node that can't write its log
			return
		}
	}
}

// close ends the store. Closing it again does nothing.
func (s *store) close() (err error) {
	s.closing.Do(func() {
		close(s.quit)
		<-s.ended
		err = s.disk.file.Close()
	})
	return err
}

func (c *change) writes() bool {
	return len(c.Events) > 0 || c.Delete || c.Tombstone || c.Scavenge
}

// judge holds a request against its stream. A request that needs nothing written comes
// back with no events.
func (s *store) judge(req *request) outcome {
	c := &req.change
	st := s.streams[c.Stream]
	if st == nil {
		st = &stream{}
	}
	if st.tombstone {
		return outcome{err: errTombstone}
	}
	now := outcome{revision: st.next() - 1, absent: st.next() == 0}
	wrong := now
	wrong.wrong, wrong.absent = true, now.absent || st.deleted
	if c.Delete || c.Tombstone || c.Scavenge {
		if req.expected.kind == exact && (now.absent || req.expected.revision != now.revision) {
			return wrong
		}
		return now
	}
	if len(c.Events) == 0 {
		return now
	}
	var from uint64 // where the first event would stand
	switch req.expected.kind {
	case anything, exists:
		if req.expected.kind == exists && wrong.absent {
			return wrong
		}
		if first, all := s.known.find(c.Stream, c.Events); first >= 0 {
			if !all {
				return wrong
			}
			c.Events = nil
			return outcome{revision: uint64(first)}
		}
		from = st.next()
	case noStream:
		if st.deleted {
			from = st.next()
		}
	case exact:
		from = req.expected.revision + 1
	}
	switch {
	case from == st.next():
		return outcome{revision: from + uint64(len(c.Events)) - 1}
	case from > st.next() || from < st.base || !st.holds(from, c.Events):
		return wrong
	}
	last := from + uint64(len(c.Events)) - 1
	c.Events = nil
	return outcome{revision: last}
}

// holds reports whether events with these ids stand at a revision and after it.
func (s *stream) holds(from uint64, events []event) bool {
	if from+uint64(len(events)) > s.next() {
		return false
	}
	for i, e := range events {
		if s.at(from+uint64(i)).ID != e.ID {
			return false
		}
	}
	return true
}

// apply makes a change that was judged.
func (s *store) apply(c change) {
	st := s.streams[c.Stream]
	if st == nil {
		st = &stream{}
		s.streams[c.Stream] = st
	}
	switch {
	case c.Delete:
		st.deleted, st.from = true, math.MaxInt64
	case c.Tombstone:
		st.tombstone = true
	case c.Scavenge:
		for _, st := range s.streams {
			if first := min(st.first(), st.next()); first > st.base {
				st.events, st.base = slices.Clone(st.events[first-st.base:]), first
			}
		}
	default:
		if st.deleted {
			st.deleted, st.from = false, st.next()
		}
		for _, e := range c.Events {
			s.known.add(c.Stream, e.ID, st.next())
			st.events = append(st.events, e)
		}
		if of, isMeta := strings.CutPrefix(c.Stream, "$$"); isMeta {
			s.bound(of, c.Events[len(c.Events)-1].Data)
		}
	}
}

// bound takes what a stream's metadata says of its beginning.
func (s *store) bound(name string, metadata []byte) {
	var meta struct {
		TruncateBefore uint64 `json:"$tb"`
		MaxCount       uint64 `json:"$maxCount"`
	}
	if json.Unmarshal(metadata, &meta) != nil {
		return // it is data like other data
	}
	st := s.streams[name]
	if st == nil {
		st = &stream{}
		s.streams[name] = st
	}
	st.from, st.maxCount = meta.TruncateBefore, meta.MaxCount
}

// memory is the ids that a node remembers for appends that expect no revision. It is
// bounded, and gone when the node ends.
type memory struct {
	at    map[idOf]uint64
	order []idOf
}

type idOf struct {
	stream string
	id     uuid.UUID
}

const remembered = 10_000

func newMemory() *memory { return &memory{at: map[idOf]uint64{}} }

func (m *memory) add(stream string, id uuid.UUID, revision uint64) {
	key := idOf{stream, id}
	m.at[key] = revision
	if m.order = append(m.order, key); len(m.order) > remembered {
		delete(m.at, m.order[0])
		m.order = m.order[1:]
	}
}

// find is the revision of the first event, -1 when it isn't known, and whether all are.
func (m *memory) find(stream string, events []event) (first int64, all bool) {
	for i, e := range events {
		at, ok := m.at[idOf{stream, e.ID}]
		switch {
		case !ok && i == 0:
			return -1, false
		case !ok:
			return first, false
		case i == 0:
			first = int64(at)
		}
	}
	return first, true
}

// page is a part of a stream.
type page struct {
	events    []event
	first     uint64 // revision of the first of them
	next      uint64 // of the stream
	absent    bool
	tombstone bool
	moved     <-chan struct{} // closed when anything changes
}

// read is up to count events from a revision on that are shown.
func (s *store) read(name string, from uint64, count int) page {
	s.mu.RLock()
	defer s.mu.RUnlock()
	st := s.streams[name]
	if st == nil {
		return page{absent: true, moved: s.moved}
	}
	p := page{next: st.next(), absent: st.next() == 0 || st.deleted, tombstone: st.tombstone, moved: s.moved}
	if from = max(from, st.first()); from < st.next() && !p.absent {
		p.first = from
		p.events = st.events[from-st.base:]
		p.events = p.events[:min(len(p.events), count)]
	}
	return p
}

// backwards is up to count events from a revision down.
func (s *store) backwards(name string, from uint64, count int) page {
	s.mu.RLock()
	defer s.mu.RUnlock()
	st := s.streams[name]
	if st == nil {
		return page{absent: true}
	}
	p := page{next: st.next(), absent: st.next() == 0 || st.deleted, tombstone: st.tombstone}
	if p.absent || st.first() >= st.next() {
		return p
	}
	last := min(from, st.next()-1)
	p.first = st.first()
	if span := uint64(count); last >= p.first && last-p.first >= span {
		p.first = last - span + 1
	}
	if last >= p.first {
		p.events = slices.Clone(st.events[p.first-st.base : last+1-st.base])
	}
	return p
}

func (c *change) frame() []byte {
	out, err := json.Marshal(c)
	if err != nil {
		panic(err) // there is nothing in it that JSON hasn't
	}
	return out
}

func (c *change) read(frame []byte) error {
	return json.Unmarshal(frame, c)
}

// ticks is a time as servers write it: in 100 ns since 1970.
func ticks(t time.Time) int64 { return t.UnixNano() / 100 }
