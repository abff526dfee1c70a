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

// How many wrong passwords from one place are checked without delay within a window, the
// delay beyond that, and its maximum. Beyond a bound of their own, the guesses of all
// strangers together are checked a second apart.
const (
	guessWindow  = time.Minute
	maxGuesses   = 10
	maxSlowed    = 30 * time.Second
	maxStrangers = 60
	apart        = time.Second
	typos        = 3             // wrong passwords that don't cost a place its priority
	maxHeld      = 256           // waiting guesses of strangers
	maxHeldFor   = 2 * maxSlowed // bound of a guess's wait
	maxGuessers  = 4096          // bound of remembered places
)

// guesses slows down guesses of passwords, and refuses only those whose wait would be too
// long. Each place counts by itself, so that a stranger's guesses don't delay the person.
// A place is a device that was logged in once, a session or an address.
//
// An attacker may have many addresses, so strangers' guesses are checked one after the
// other, and slower when there are many. That leaves capacity for known places. The guess
// from the place with the fewest recent tries goes first, and among equals the latest: so
// a person at a fresh address waits for the guess being checked and hardly ever for more.
// When the queue is full, the guess that would be last is refused. The zero value has no
// guesses.
type guesses struct {
	mu      sync.Mutex
	by      map[string]*guesser
	judged  []domain.Millis // when strangers' guesses were checked lately, at most maxStrangers
	held    []*stranger     // in the order they came
	judging bool
}

// guesser is a place that guesses come from.
type guesser struct {
	tries []domain.Millis // times of wrong guesses, oldest first, at most the bound
	next  domain.Millis   // when the last delayed guess has its turn
}

// stranger is a stranger's guess that waits to be checked.
type stranger struct {
	before int           // recent tries of its place beyond the typos
	ready  bool          // its own place's delay is over
	turn   chan struct{} // closed when it may be checked
	end    func(error)   // ends its wait with a cause
}

// try notes a guess at now, and returns its delay; false when that is too long, and then
// the guess isn't noted. A turn later than the longest delay comes from a clock that was
// ahead, and doesn't count.
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

// take notes a try from a place before it is checked, so that concurrent ones count, too.
// It returns the tries before it and its delay; forget takes the try back. The error is
// CodeRateLimited.
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

// guesser is the guesser of a place. When too many are remembered the one with the fewest
// tries is forgotten: to profit from that, an attacker needs more addresses than it
// gains.
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

// sweep forgets places without recent tries, or, when all have some, the one with the
// fewest.
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

// withinWindow are the tries within the window, without those of a clock that was ahead.
func withinWindow(tries []domain.Millis, now domain.Millis) []domain.Millis {
	return slices.DeleteFunc(slices.Clone(tries), func(at domain.Millis) bool { return !within(at, now) })
}

func within(at, now domain.Millis) bool {
	return now.Sub(at) < guessWindow && at.Sub(now) < guessWindow
}

// hold queues a stranger's guess. The returned context ends with ctx, the request's,
// after maxHeldFor, or when the guess is refused, which is its cause then. Call leave at
// the end. The error is CodeRateLimited.
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

// turns waits until a stranger's guess may be checked, after its place's own delay. The
// error is the cause of ctx's end.
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

// callLocked gives the next guess its turn, when none is being checked.
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

// pace notes that a stranger's guess is checked, and returns the delay before it.
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

// leave ends a stranger's wait or turn.
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

// guessing calls check, which checks a password, in its turn. On the Unix socket there is
// no delay: a caller who can open it may do everything.
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

// inTurn makes a stranger's guess wait for its place's delay, and then for its turn. The
// error is the request's end, or CodeRateLimited.
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

// guesser is the place a guess comes from, and whether it is a stranger's: a session that
// shows its key and a device that was logged in once aren't.
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
		return "led here", true // any client behind a proxy or tunnel on this machine
	case client.IsLoopback():
		return domain.ThisMachine, true
	case client.Is6():
		// A host with one IPv6 address has a whole /64 of them.
		if network, err := client.Prefix(64); err == nil {
			return network.String(), true
		}
	}
	return client.String(), true
}

// A device that was logged in once shows that by a cookie. A thief of it can guess as
// that device, but isn't logged in by it.
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

// knowDevice sets the cookie that marks the browser as once logged in.
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
