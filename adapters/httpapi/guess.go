package httpapi

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"chalie/commands"
	"chalie/domain"
)

// How many wrong passwords somebody may try in a while, and of how many people that is
// remembered.
const (
	maxGuesses  = 10
	guessWindow = time.Minute
	maxGuessers = 4096
)

// guesses slows down who guesses passwords: each by where they come from, so that a
// stranger's guesses don't shut the person out. The zero value knows of none.
type guesses struct {
	mu sync.Mutex
	by map[string][]domain.Millis // when each try was made that wasn't right, oldest first
}

// take notes a try from somewhere before it is known whether it is right, so that many
// at once count, too. forget takes it back. The error is CodeRateLimited.
func (g *guesses) take(from string, now domain.Millis) (forget func(), err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.by == nil {
		g.by = map[string][]domain.Millis{}
	}
	if _, known := g.by[from]; !known && len(g.by) >= maxGuessers {
		g.sweep(now)
		if len(g.by) >= maxGuessers {
			from = "" // so many at once are one crowd, which counts together
		}
	}
	tries := withinWindow(g.by[from], now)
	g.by[from] = tries
	if len(tries) >= maxGuesses {
		wait := max(guessWindow-now.Sub(tries[0]), time.Second)
		return nil, &domain.Error{Op: "check password", Code: domain.CodeRateLimited, Retriable: true, RetryAfter: wait,
			Message: fmt.Sprintf("%d wrong passwords came from here within a minute: try again in %d s. Nothing is locked, and on Chalie's own machine chalie password sets another",
				maxGuesses, int((wait+time.Second-1)/time.Second))}
	}
	g.by[from] = append(tries, now)
	return func() { g.forget(from, now) }, nil
}

// forget takes back one try.
func (g *guesses) forget(from string, at domain.Millis) {
	g.mu.Lock()
	defer g.mu.Unlock()
	tries := g.by[from]
	if i := slices.Index(tries, at); i >= 0 {
		tries = slices.Delete(tries, i, i+1)
	}
	if g.by[from] = tries; len(tries) == 0 {
		delete(g.by, from)
	}
}

// sweep forgets who hasn't tried lately.
func (g *guesses) sweep(now domain.Millis) {
	for from, tries := range g.by {
		if len(withinWindow(tries, now)) == 0 {
			delete(g.by, from)
		}
	}
}

// withinWindow are the tries within the window. What was tried when the clock was ahead
// is not among them.
func withinWindow(tries []domain.Millis, now domain.Millis) []domain.Millis {
	return slices.DeleteFunc(slices.Clone(tries), func(at domain.Millis) bool { return now.Sub(at) >= guessWindow || at.Sub(now) >= guessWindow })
}

// guessing lets check find out whether a password is right, unless too many from the
// same place weren't. Over the Unix socket nobody guesses: who can open that may do all
// there is.
func (x *exchange) guessing(check func() error) error {
	if x.trusted {
		return check()
	}
	forget, err := x.api.guesses.take(x.guesser(), domain.MillisOf(x.api.cfg.Clock.Now()))
	if err != nil {
		return err
	}
	err = check()
	switch domain.CodeOf(err) {
	case domain.CodeUnauthenticated, commands.CodeWrongPassword:
	default:
		forget()
	}
	return err
}

// guesser is where a guess comes from: this machine, whatever a proxy or a tunnel on it
// leads here, or an address. Who has one of IPv6 has a whole network of them.
func (x *exchange) guesser() string {
	peer, who := peerOf(x.r), x.visitor()
	switch {
	case !peer.IsValid():
		return "unknown"
	case peer.IsLoopback() && who.Relayed:
		return "led here"
	case peer.IsLoopback():
		return domain.ThisMachine
	case peer.Is6():
		network, err := peer.Prefix(64)
		if err != nil {
			return peer.String()
		}
		return network.String()
	}
	return peer.String()
}
