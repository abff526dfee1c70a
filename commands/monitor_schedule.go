package commands

import (
	"container/heap"
	"math/rand/v2"
	"time"

	"chalie/domain"
)

// schedule says who is to be checked when. It belongs to one goroutine.
type schedule struct {
	every   time.Duration
	clock   domain.Clock
	looked  bool            // the book was read once
	through domain.Position // the book's last record when it was read
	entries map[domain.ID]*scheduled
	queue   dueQueue // those that are not being checked
}

// scheduled is one interface of the schedule.
type scheduled struct {
	known   *domain.Interface // as the book last had it
	due     time.Time
	index   int // in the queue; -1 while it is being checked
	round   checkRound
	hurried bool // while it is being checked: the next check is due soon
}

// checkRound is what one check takes from those before it.
type checkRound struct {
	failures int  // in a row
	refresh  bool // it is to be asked what it offers, as soon as it answers
}

// check is one that is due. The entry is the schedule's own, to know it again.
type check struct {
	entry *scheduled
	known *domain.Interface
	round checkRound
}

// checked is how it went.
type checked struct {
	check check
	round checkRound
}

func newSchedule(every time.Duration, clock domain.Clock) *schedule {
	return &schedule{every: every, clock: clock, entries: map[domain.ID]*scheduled{}}
}

// take follows what the book says.
func (s *schedule) take(known []*domain.Interface, through domain.Position) {
	first := !s.looked
	s.looked, s.through = true, through
	there := make(map[domain.ID]bool, len(known))
	for _, i := range known {
		there[i.ID] = true
		e := s.entries[i.ID]
		switch {
		case e == nil:
			s.add(i, first)
		case isAnew(e.known, i):
			s.renew(e)
			fallthrough
		default:
			e.known = i
		}
	}
	for id, e := range s.entries {
		if !there[id] {
			delete(s.entries, id)
			if e.index >= 0 {
				heap.Remove(&s.queue, e.index)
			}
		}
	}
}

// add schedules one that wasn't known. What it offers is asked at its first check
// in any case: it may have changed while nobody watched, and this program may have
// ended between a daemon's registration and that question.
func (s *schedule) add(i *domain.Interface, first bool) {
	registered := i.Origin == domain.OriginRegistered
	e := &scheduled{known: i, round: checkRound{refresh: true}}
	switch {
	case first || !registered:
		e.due = s.in(rand.N(s.every + 1))
	default:
		e.due = s.in(settleTime)
	}
	s.entries[i.ID] = e
	heap.Push(&s.queue, e)
}

// isAnew reports whether a daemon has come with something else to say of itself:
// it is another version, or another program. What a refresh finds can be a new
// version, too; one more then finds nothing.
func isAnew(was, is *domain.Interface) bool {
	return is.Origin == domain.OriginRegistered &&
		(was.Name != is.Name || was.Version != is.Version || was.Description != is.Description || was.Author != is.Author || !was.Scopes.Equal(is.Scopes))
}

// renew begins again with one: earlier failures may have been another program's.
func (s *schedule) renew(e *scheduled) {
	e.round = checkRound{refresh: true}
	s.soon(e)
}

// hurry makes an interface that has just registered due soon.
func (s *schedule) hurry(id domain.ID) {
	if e := s.entries[id]; e != nil {
		e.round.refresh = true
		s.soon(e)
	}
}

func (s *schedule) soon(e *scheduled) {
	if e.index < 0 {
		e.hurried = true
		return
	}
	e.due = s.in(settleTime)
	heap.Fix(&s.queue, e.index)
}

// next takes out one that is due.
func (s *schedule) next() (check, bool) {
	if len(s.queue) == 0 || s.wait() > 0 {
		return check{}, false
	}
	e, _ := heap.Pop(&s.queue).(*scheduled)
	e.due = s.in(s.jittered())
	return check{entry: e, known: e.known, round: e.round}, true
}

// checked puts one back. What changed while it was checked goes before what the
// check found.
func (s *schedule) checked(c checked) {
	e := c.check.entry
	if s.entries[c.check.known.ID] != e {
		return // removed meanwhile
	}
	if e.hurried {
		e.hurried, e.due = false, s.in(settleTime)
		e.round = checkRound{refresh: true}
	} else {
		e.round = c.round
	}
	heap.Push(&s.queue, e)
}

// wait is how long nothing falls due.
func (s *schedule) wait() time.Duration {
	if len(s.queue) == 0 {
		return s.every
	}
	return max(0, s.queue[0].due.Sub(s.clock.Now()))
}

func (s *schedule) in(d time.Duration) time.Time { return s.clock.Now().Add(d) }

// jittered is the time between two checks, give or take a tenth.
func (s *schedule) jittered() time.Duration {
	tenth := s.every / 10
	return s.every - tenth + rand.N(2*tenth+1)
}

// dueQueue is a heap by due time.
type dueQueue []*scheduled

func (q dueQueue) Len() int           { return len(q) }
func (q dueQueue) Less(i, j int) bool { return q[i].due.Before(q[j].due) }

func (q dueQueue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index, q[j].index = i, j
}

// Push implements heap.Interface.
func (q *dueQueue) Push(x any) {
	e, ok := x.(*scheduled)
	if !ok {
		return
	}
	e.index = len(*q)
	*q = append(*q, e)
}

// Pop implements heap.Interface.
func (q *dueQueue) Pop() any {
	last := len(*q) - 1
	e := (*q)[last]
	(*q)[last] = nil
	*q = (*q)[:last]
	e.index = -1
	return e
}
