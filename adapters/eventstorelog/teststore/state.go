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
	access    *access // who may; nil for every user
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
	Events    []event
	Delete    bool
	Tombstone bool
	Scavenge  bool
}

var (
	errTombstone = errors.New("stream-deleted")
	errNotReady  = errors.New("the node doesn't lead, or has nobody to lead")
	errTimeout   = errors.New("the others didn't agree in time")
)

type outcome struct {
	revision uint64 // of the last event
	absent   bool   // there is no event
	wrong    bool   // the expectation doesn't hold; revision is the stream's last
	err      error
}

// writes reports whether there is anything to do.
func (c *change) writes() bool {
	return len(c.Events) > 0 || c.Delete || c.Tombstone || c.Scavenge
}

// state has the streams of a node, as far as they are agreed.
type state struct {
	mu      sync.RWMutex
	streams map[string]*stream
	moved   chan struct{} // closed and replaced when anything changed
}

func newState() *state { return &state{streams: map[string]*stream{}, moved: make(chan struct{})} }

// show makes changes that are agreed, and lets readers see them together.
func (s *state) show(changes []change) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range changes {
		if c.Scavenge {
			s.scavenge()
		}
		c.apply(func(name string) *stream {
			if s.streams[name] == nil {
				s.streams[name] = &stream{}
			}
			return s.streams[name]
		})
	}
	close(s.moved)
	s.moved = make(chan struct{})
}

// scavenge forgets what isn't shown any more.
func (s *state) scavenge() {
	for _, st := range s.streams {
		if first := min(st.first(), st.next()); first > st.base {
			st.events, st.base = slices.Clone(st.events[first-st.base:]), first
		}
	}
}

// draft is the state as it will be when what was judged before is agreed. The leader
// judges by it, and nobody else sees it.
type draft struct {
	*state
	known   *memory
	changed map[string]*stream
}

func (d *draft) look(name string) *stream {
	if st := d.changed[name]; st != nil {
		return st
	}
	if st := d.streams[name]; st != nil {
		return st
	}
	return &stream{}
}

// own is a copy of a stream. What is appended to its events is beyond the end that
// readers know, and only the leader appends.
func (d *draft) own(name string) *stream {
	if d.changed[name] == nil {
		st := *d.look(name)
		d.changed[name] = &st
	}
	return d.changed[name]
}

// take judges a change and adds it. A change that needs nothing agreed comes back empty.
func (d *draft) take(c *change, want expected) outcome {
	o := d.judge(c, want)
	if o.err != nil || o.wrong {
		*c = change{}
		return o
	}
	next := d.look(c.Stream).next()
	for i, e := range c.Events {
		d.known.add(c.Stream, e.ID, next+uint64(i))
	}
	c.apply(d.own)
	return o
}

// judge holds a change against its stream. One that stands there already comes back with
// no events.
func (d *draft) judge(c *change, want expected) outcome {
	st := d.look(c.Stream)
	if st.tombstone {
		return outcome{err: errTombstone}
	}
	now := outcome{revision: st.next() - 1, absent: st.next() == 0}
	wrong := now
	wrong.wrong, wrong.absent = true, now.absent || st.deleted
	if c.Delete || c.Tombstone || c.Scavenge {
		if want.kind == exact && (now.absent || want.revision != now.revision) {
			return wrong
		}
		return now
	}
	if len(c.Events) == 0 {
		return now
	}
	var from uint64 // where the first event would stand
	switch want.kind {
	case anything, exists:
		if want.kind == exists && wrong.absent {
			return wrong
		}
		if first, all := d.known.find(c.Stream, c.Events); first >= 0 {
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
		from = want.revision + 1
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
func (c *change) apply(own func(name string) *stream) {
	st := own(c.Stream)
	switch {
	case c.Delete:
		st.deleted, st.from = true, math.MaxInt64
	case c.Tombstone:
		st.tombstone = true
	case len(c.Events) > 0:
		if st.deleted {
			st.deleted, st.from = false, st.next()
		}
		st.events = append(st.events, c.Events...)
		if of, isMeta := strings.CutPrefix(c.Stream, "$$"); isMeta {
			own(of).bound(c.Events[len(c.Events)-1].Data)
		}
	}
}

// bound takes what a stream's metadata says: of its beginning, and of who may.
func (s *stream) bound(metadata []byte) {
	var meta struct {
		TruncateBefore uint64  `json:"$tb"`
		MaxCount       uint64  `json:"$maxCount"`
		Access         *access `json:"$acl"`
	}
	if json.Unmarshal(metadata, &meta) != nil {
		return // it is data like other data
	}
	s.from, s.maxCount, s.access = meta.TruncateBefore, meta.MaxCount, meta.Access
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
func (s *state) read(name string, from uint64, count int) page {
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
func (s *state) backwards(name string, from uint64, count int) page {
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

// ticks is a time as servers write it: in 100 ns since 1970.
func ticks(t time.Time) int64 { return t.UnixNano() / 100 }
