package limit

import (
	"fmt"
	"sync"
	"time"

	"chalie/domain"
)

// signalWindow is the length of the window rates are counted in.
const signalWindow = time.Minute

// Limiter counts what was accepted of each caller in a sliding minute of the writer's
// clock. What was recorded when that was ahead of now doesn't count.
//
// A caller first reserves room, then appends, then settles the reservation with
// the moment the log recorded; so callers racing for the last place can't both
// have it, and what was refused or repeated costs nothing. The memory of one
// caller is bounded by one entry per millisecond of the window.
type Limiter struct {
	Limit int // per window; 0 means none

	mu      sync.Mutex
	windows map[domain.Principal]*window
	swept   domain.Millis
}

// window is one caller's use: counts by the millisecond, oldest first.
type window struct {
	used     []moment
	recorded int // sum of used
	reserved int // asked for, not yet settled
}

type moment struct {
	at    domain.Millis
	count int
}

// NewLimiter grants so many a minute; 0 is no limit.
func NewLimiter(limit int) *Limiter {
	return &Limiter{Limit: limit, windows: map[domain.Principal]*window{}}
}

// Reserve takes up to n places and returns how many there were. With none it
// also returns how long until the next.
func (l *Limiter) Reserve(who domain.Principal, n int, now domain.Millis) (granted int, wait time.Duration) {
	if l.Limit == 0 {
		return n, 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sweep(now)
	w := l.of(who)
	w.expire(now)
	granted = max(0, min(n, l.Limit-(w.recorded-w.ahead(now))-w.reserved))
	w.reserved += granted
	if granted < n {
		wait = w.wait(now)
	}
	return granted, wait
}

// Settle turns n reserved places into used ones, recorded at that moment.
func (l *Limiter) Settle(who domain.Principal, n int, at domain.Millis) {
	if l.Limit == 0 || n == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	w := l.windows[who]
	w.reserved -= n
	w.add(at, n)
}

// Release gives n reserved places back.
func (l *Limiter) Release(who domain.Principal, n int) {
	if l.Limit == 0 || n == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.windows[who].reserved -= n
}

// Overdraw counts n that nothing was reserved for.
func (l *Limiter) Overdraw(who domain.Principal, n int, at domain.Millis) {
	if l.Limit == 0 || n == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.of(who).add(at, n)
}

// of is a caller's window. The lock is held.
func (l *Limiter) of(who domain.Principal) *window {
	w := l.windows[who]
	if w == nil {
		w = &window{}
		l.windows[who] = w
	}
	return w
}

// seed counts what is in the log already.
func (l *Limiter) seed(windows map[domain.Principal]*window) {
	if l.Limit == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for who, seeded := range windows {
		w := l.of(who)
		for _, m := range seeded.used {
			w.add(m.at, m.count)
		}
	}
}

// settled settles n reserved places when their append succeeded, and releases them otherwise.
func (l *Limiter) settled(who domain.Principal, n int, receipt domain.Receipt, err error, now domain.Millis) {
	switch {
	case err == nil && !receipt.Duplicate:
		l.Settle(who, n, receipt.Clock())
	case domain.CodeOf(err) == domain.CodeOutcomeUnknown:
		// It may be in the log, and hanging up must not be a way around the limit.
		l.Settle(who, n, now)
	default:
		l.Release(who, n)
	}
}

// sweep forgets callers that used nothing for a window, at most once a window.
func (l *Limiter) sweep(now domain.Millis) {
	if since := now.Sub(l.swept); since >= 0 && since < signalWindow {
		return
	}
	l.swept = now
	for who, w := range l.windows {
		w.expire(now)
		if w.recorded == 0 && w.reserved == 0 {
			delete(l.windows, who)
		}
	}
}

func (w *window) expire(now domain.Millis) {
	gone := 0
	for gone < len(w.used) && now.Sub(w.used[gone].at) >= signalWindow {
		w.recorded -= w.used[gone].count
		gone++
	}
	if gone > 0 {
		w.used = append(w.used[:0], w.used[gone:]...)
	}
	// What lies ahead by more than a window is of a clock that was put right since.
	for n := len(w.used); n > 0 && w.used[n-1].at.Sub(now) >= signalWindow; n-- {
		w.recorded -= w.used[n-1].count
		w.used = w.used[:n-1]
	}
}

// raced is by how much what was just recorded may lie ahead of the moment at which
// somebody else asks for room: they looked at the clock before they had their turn.
const raced = domain.Millis(time.Second / time.Millisecond)

// ahead is how many were recorded at a moment that hasn't come, and may never come.
func (w *window) ahead(now domain.Millis) int {
	out := 0
	for i := len(w.used) - 1; i >= 0 && w.used[i].at > now+raced; i-- {
		out += w.used[i].count
	}
	return out
}

// add keeps the moments in order: receipts of racing appends come in any order.
func (w *window) add(at domain.Millis, n int) {
	w.recorded += n
	i := len(w.used)
	for i > 0 && w.used[i-1].at > at {
		i--
	}
	if i > 0 && w.used[i-1].at == at {
		w.used[i-1].count += n
		return
	}
	w.used = append(w.used, moment{})
	copy(w.used[i+1:], w.used[i:])
	w.used[i] = moment{at, n}
}

// wait is how long until a place falls free, at least a second when all that is
// known is that others are being written.
func (w *window) wait(now domain.Millis) time.Duration {
	if len(w.used) == 0 || w.used[0].at > now+raced {
		return time.Second
	}
	return min(signalWindow, signalWindow-now.Sub(w.used[0].at))
}

// TooMany is the refusal of what is over the limit.
func (l *Limiter) TooMany(op, what string, wait time.Duration) error {
	seconds := int((wait + time.Second - 1) / time.Second)
	return &domain.Error{Op: op, Code: domain.CodeRateLimited, Retriable: true, RetryAfter: wait,
		Message: fmt.Sprintf("%d %s were accepted in the last minute, and that is the limit: try again in %d s", l.Limit, what, seconds)}
}
