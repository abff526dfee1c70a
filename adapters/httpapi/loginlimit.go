package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"chalie/commands/account"
	"chalie/domain"
)

// How many wrong passwords go unhindered from one place within a while, how long one
// waits for the other beyond that, and at most. Strangers together are judged a second
// apart beyond theirs.
const (
	guessWindow  = time.Minute
	maxGuesses   = 10
	maxSlowed    = 30 * time.Second
	maxStrangers = 60
	apart        = time.Second
	typos        = 3             // wrong passwords that make nobody wait behind who made none
	maxHeld      = 256           // strangers whose guesses wait
	maxHeldFor   = 2 * maxSlowed // then a turn is not to be had
	maxGuessers  = 4096          // of whom that is remembered
)

// guesses slows down who guesses passwords, and refuses only whoever would wait longer
// than anybody does. Each place counts for itself, so that a stranger's guesses don't
// hold up the person: a device that was logged in once, a session, an address.
//
// Addresses are cheap to have many of, so strangers are judged one after the other, and
// slower when they are many. That leaves room for who is known. Whose place has tried
// least lately comes first, and of those who came last: so who comes from a place that
// nobody guesses from waits for the one that is being judged, and hardly ever for more,
// because many addresses at once are old soon. Where no more can wait, who would be the
// last is refused. The zero value knows of none.
type guesses struct {
	mu      sync.Mutex
	by      map[string]*guesser
	judged  []domain.Millis // when strangers were judged lately, at most maxStrangers
	held    []*stranger     // in the order they came
	judging bool
}

// guesser is one place that guesses come from.
type guesser struct {
	tries []domain.Millis // when each was made that wasn't right, oldest first, at most the bound
	next  domain.Millis   // when the last that was slowed has its turn
}

// stranger is a guess that waits to be judged.
type stranger struct {
	before int           // tries of its place lately, but for typos
	ready  bool          // it waited for those
	turn   chan struct{} // closed when it may be judged
	end    func(error)   // of its wait, and why
}

// try notes a guess at now, and tells how long it waits for those before it; false when
// that is too long, and then it isn't noted. A turn that a clock gave out which was ahead
// is none, as with the tries.
func (g *guesser) try(now domain.Millis) (before int, wait time.Duration, ok bool) {
	g.tries = withinWindow(g.tries, now)
	if g.next.Sub(now) > maxSlowed {
		g.next = now
	}
	before = len(g.tries)
	if before >= maxGuesses {
		next := max(g.next, now).Add(guessWindow / maxGuesses)
		if wait = next.Sub(now); wait > maxSlowed {
			return before, 0, false
		}
		g.next = next
	}
	g.tries = append(g.tries, now)
	g.tries = g.tries[max(0, len(g.tries)-maxGuesses):]
	return before, wait, true
}

func tooManyGuesses() error {
	return &domain.Error{Op: "check password", Code: domain.CodeRateLimited, Retriable: true, RetryAfter: maxSlowed,
		Message: fmt.Sprintf("so many wrong passwords came from here that the next would wait over %d s: try again then. Nothing is locked: a browser that was logged in before isn't held up by others, and on Chalie's own machine chalie password sets another",
			int(maxSlowed/time.Second))}
}

// take notes a try from somewhere before it is known whether it is right, so that many
// at once count, too, and tells how many were before it and how long it has to wait for
// those. forget takes it back. The error is CodeRateLimited.
func (g *guesses) take(from string, now domain.Millis) (before int, wait time.Duration, forget func(), err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	own := g.guesser(from, now)
	before, wait, ok := own.try(now)
	if !ok {
		return 0, 0, nil, tooManyGuesses()
	}
	return before, wait, func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		if i := slices.Index(own.tries, now); i >= 0 {
			own.tries = slices.Delete(own.tries, i, i+1)
		}
	}, nil
}

// guesser is that of a place. Of more than can be remembered who tried least is forgotten:
// that costs who guesses more addresses than it gains.
func (g *guesses) guesser(from string, now domain.Millis) *guesser {
	if own := g.by[from]; own != nil {
		return own
	}
	if g.by == nil {
		g.by = map[string]*guesser{}
	}
	if len(g.by) >= maxGuessers {
		g.sweep(now)
	}
	own := &guesser{}
	g.by[from] = own
	return own
}

// sweep forgets who hasn't tried lately, or, where all have, who tried least.
func (g *guesses) sweep(now domain.Millis) {
	least, fewest := "", maxGuesses+1
	for from, one := range g.by {
		n := 0
		for _, at := range one.tries {
			if within(at, now) {
				n++
			}
		}
		switch {
		case n == 0:
			delete(g.by, from)
		case n < fewest:
			least, fewest = from, n
		}
	}
	if len(g.by) >= maxGuessers {
		delete(g.by, least)
	}
}

// withinWindow are the tries within the window. What was tried when the clock was ahead
// is not among them.
func withinWindow(tries []domain.Millis, now domain.Millis) []domain.Millis {
	return slices.DeleteFunc(slices.Clone(tries), func(at domain.Millis) bool { return !within(at, now) })
}

func within(at, now domain.Millis) bool {
	return now.Sub(at) < guessWindow && at.Sub(now) < guessWindow
}

// hold lets a stranger wait until ctx ends, which is the request's, or for maxHeldFor.
// What ends its wait otherwise is the cause of the context that it returns; leave is to be
// called at its end. The error is CodeRateLimited.
func (g *guesses) hold(ctx context.Context, before int) (*stranger, context.Context, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.held) >= maxHeld {
		worst := 0
		for i, s := range g.held {
			if s.before > g.held[worst].before {
				worst = i
			}
		}
		if g.held[worst].before < before {
			return nil, nil, tooManyGuesses()
		}
		g.held[worst].end(tooManyGuesses())
		g.held = slices.Delete(g.held, worst, worst+1)
	}
	ctx, stop := context.WithTimeoutCause(ctx, maxHeldFor, tooManyGuesses())
	ctx, refuse := context.WithCancelCause(ctx)
	s := &stranger{before: before, turn: make(chan struct{}), end: func(why error) { refuse(why); stop() }}
	g.held = append(g.held, s)
	return s, ctx, nil
}

// turns waits until a stranger may be judged, who has waited for its own tries. The error
// is the cause of ctx's end.
func (g *guesses) turns(ctx context.Context, s *stranger) error {
	g.mu.Lock()
	s.ready = true
	g.callLocked()
	g.mu.Unlock()
	select {
	case <-s.turn:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// callLocked calls who is next, when nobody is being judged.
func (g *guesses) callLocked() {
	if g.judging {
		return
	}
	next := -1
	for i, s := range g.held {
		if s.ready && (next < 0 || s.before <= g.held[next].before) {
			next = i
		}
	}
	if next < 0 {
		return
	}
	g.judging = true
	close(g.held[next].turn)
	g.held = slices.Delete(g.held, next, next+1)
}

// pace notes that a stranger is judged, and tells how long that has to wait.
func (g *guesses) pace(now domain.Millis) time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.judged = withinWindow(g.judged, now)
	if len(g.judged) < maxStrangers {
		g.judged = append(g.judged, now)
		return 0
	}
	g.judged = append(g.judged[1:], now)
	return apart
}

// leave is the end of a stranger's wait, or of its turn.
func (g *guesses) leave(s *stranger) {
	s.end(nil)
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-s.turn:
		g.judging = false
		g.callLocked()
	default:
		g.held = slices.DeleteFunc(g.held, func(other *stranger) bool { return other == s })
	}
}

// guessing lets check find out whether a password is right, in its turn. Over the Unix
// socket nobody guesses: who can open that may do all there is.
func (x *exchange) guessing(check func() error) error {
	if x.trusted {
		return check()
	}
	from, unknown := x.guesser()
	before, wait, forget, err := x.api.guesses.take(from, domain.MillisOf(x.api.cfg.Clock.Now()))
	if err != nil {
		return err
	}
	if unknown {
		leave, err := x.inTurn(before, wait)
		if err != nil {
			return err
		}
		defer leave()
	} else if err := x.api.cfg.Pause(x.r.Context(), wait); err != nil {
		return err
	}
	err = check()
	switch domain.CodeOf(err) {
	case domain.CodeUnauthenticated, account.CodeWrongPassword:
	default:
		forget()
	}
	return err
}

// inTurn lets a stranger wait for its own tries, and then for others. The error is the
// request's end, or CodeRateLimited.
func (x *exchange) inTurn(before int, wait time.Duration) (leave func(), err error) {
	g := &x.api.guesses
	s, ctx, err := g.hold(x.r.Context(), max(0, before-typos))
	if err != nil {
		return nil, err
	}
	if err = x.api.cfg.Pause(ctx, wait); err == nil {
		err = g.turns(ctx, s)
	}
	if err == nil {
		if wait := g.pace(domain.MillisOf(x.api.cfg.Clock.Now())); wait > 0 {
			err = x.api.cfg.Pause(ctx, wait)
		}
	}
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		g.leave(s)
		return nil, err
	}
	return func() { g.leave(s) }, nil
}

// pause waits. The error is ctx's, when that ends first.
func pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	later := time.NewTimer(d)
	defer later.Stop()
	select {
	case <-later.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// guesser is where a guess comes from, and whether that is a stranger: a session that
// shows its key and a device that was logged in once are none.
func (x *exchange) guesser() (from string, stranger bool) {
	if x.cookie != "" && x.keyed {
		return "session " + domain.HashSecret(x.cookie).String(), false
	}
	if device, known := x.device(); known {
		return "device " + device, false
	}
	client, who := x.client(), x.visitor()
	switch {
	case !client.IsValid():
		return "unknown", true
	case client.IsLoopback() && who.Relayed:
		return "led here", true // whatever a proxy or a tunnel on this machine leads here
	case client.IsLoopback():
		return domain.ThisMachine, true
	case client.Is6():
		// Who has one address has a whole network of them.
		if network, err := client.Prefix(64); err == nil {
			return network.String(), true
		}
	}
	return client.String(), true
}

// A device that was logged in once shows that by a cookie. Whoever steals it can guess
// beside the device, and come in by it no more than without.
const (
	deviceCookie = "chalie_device"
	deviceFor    = 365 * 24 * time.Hour
)

func (x *exchange) device() (id string, known bool) {
	shown, err := x.r.Cookie(deviceCookie)
	if err != nil {
		return "", false
	}
	return x.api.cfg.Accounts.Device(shown.Value)
}

// knowDevice has the browser show from now on that it was logged in.
func (x *exchange) knowDevice() {
	if _, known := x.device(); known || x.trusted {
		return
	}
	if text := x.api.cfg.Accounts.NewDevice(); text != "" {
		http.SetCookie(x.w, &http.Cookie{
			Name: deviceCookie, Value: text, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: x.secure(), MaxAge: int(deviceFor / time.Second),
		})
	}
}
