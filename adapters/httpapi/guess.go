package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"chalie/commands"
	"chalie/domain"
)

// How many wrong passwords go unhindered from one place within a while, and from all
// strangers together; how long one waits for the other beyond that, and at most.
const (
	guessWindow  = time.Minute
	maxGuesses   = 10
	maxStrangers = 60
	maxSlowed    = 30 * time.Second
	maxGuessers  = 4096 // of whom that is remembered
)

// guesses slows down who guesses passwords, and refuses only whoever would wait longer
// than anybody does. Each place counts for itself, so that a stranger's guesses don't
// hold up the person: a device that was logged in once, a session, an address. Addresses
// are cheap to have many of, so all of them count together as well. The zero value knows
// of none.
type guesses struct {
	mu       sync.Mutex
	by       map[string]*guesser
	everyone guesser

	turn chan struct{} // of strangers: they are judged one by one, and leave room for who is known
}

// guesser is one place that guesses come from.
type guesser struct {
	tries []domain.Millis // when each was made that wasn't right, oldest first, at most the bound
	next  domain.Millis   // when the last that was slowed has its turn
}

// slowed is how long a try has to wait; false when that is too long.
func (g *guesser) slowed(bound int, now domain.Millis) (wait time.Duration, ok bool) {
	g.tries = withinWindow(g.tries, now)
	if len(g.tries) < bound {
		return 0, true
	}
	wait = max(g.next, now).Add(guessWindow / time.Duration(bound)).Sub(now)
	return wait, wait <= maxSlowed
}

func (g *guesser) note(bound int, now domain.Millis, wait time.Duration) {
	if wait > 0 {
		g.next = now.Add(wait)
	}
	g.tries = append(g.tries, now)
	g.tries = g.tries[max(0, len(g.tries)-bound):]
}

func (g *guesser) forget(at domain.Millis) {
	if i := slices.Index(g.tries, at); i >= 0 {
		g.tries = slices.Delete(g.tries, i, i+1)
	}
}

// take notes a try from somewhere before it is known whether it is right, so that many
// at once count, too, and tells how long it has to wait for that. forget takes it back.
// The error is CodeRateLimited.
func (g *guesses) take(from string, stranger bool, now domain.Millis) (wait time.Duration, forget func(), err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	own := g.guesser(from, stranger, now)
	wait, ok := own.slowed(maxGuesses, now)
	if stranger {
		all, room := g.everyone.slowed(maxStrangers, now)
		wait, ok = max(wait, all), ok && room
	}
	if !ok {
		return 0, nil, &domain.Error{Op: "check password", Code: domain.CodeRateLimited, Retriable: true, RetryAfter: maxSlowed,
			Message: fmt.Sprintf("so many wrong passwords came from here that the next would wait over %d s: try again then. Nothing is locked: a browser that was logged in before isn't held up by others, and on Chalie's own machine chalie password sets another",
				int(maxSlowed/time.Second))}
	}
	own.note(maxGuesses, now, wait)
	if stranger {
		g.everyone.note(maxStrangers, now, wait)
	}
	return wait, func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		own.forget(now)
		if stranger {
			g.everyone.forget(now)
		}
	}, nil
}

// guesser is that of a place. So many strangers at once that they can't be remembered are
// one crowd, which counts together; of who is known there are few.
func (g *guesses) guesser(from string, stranger bool, now domain.Millis) *guesser {
	if g.by == nil {
		g.by = map[string]*guesser{}
	}
	if _, known := g.by[from]; !known && stranger && len(g.by) >= maxGuessers {
		g.sweep(now)
		if len(g.by) >= maxGuessers {
			from = ""
		}
	}
	own := g.by[from]
	if own == nil {
		own = &guesser{}
		g.by[from] = own
	}
	return own
}

// sweep forgets who hasn't tried lately.
func (g *guesses) sweep(now domain.Millis) {
	for from, one := range g.by {
		if len(withinWindow(one.tries, now)) == 0 && one.next <= now {
			delete(g.by, from)
		}
	}
}

// withinWindow are the tries within the window. What was tried when the clock was ahead
// is not among them.
func withinWindow(tries []domain.Millis, now domain.Millis) []domain.Millis {
	return slices.DeleteFunc(slices.Clone(tries), func(at domain.Millis) bool { return now.Sub(at) >= guessWindow || at.Sub(now) >= guessWindow })
}

// turns waits until a stranger may be judged. The error is ctx's.
func (g *guesses) turns(ctx context.Context) (done func(), err error) {
	select {
	case g.turn <- struct{}{}:
		return func() { <-g.turn }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// guessing lets check find out whether a password is right, in its turn. Over the Unix
// socket nobody guesses: who can open that may do all there is.
func (x *exchange) guessing(check func() error) error {
	if x.trusted {
		return check()
	}
	from, stranger := x.guesser()
	wait, forget, err := x.api.guesses.take(from, stranger, domain.MillisOf(x.api.cfg.Clock.Now()))
	if err != nil {
		return err
	}
	if err := x.api.cfg.Pause(x.r.Context(), wait); err != nil {
		return err
	}
	if stranger {
		done, err := x.api.guesses.turns(x.r.Context())
		if err != nil {
			return err
		}
		defer done()
	}
	err = check()
	switch domain.CodeOf(err) {
	case domain.CodeUnauthenticated, commands.CodeWrongPassword:
	default:
		forget()
	}
	return err
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
