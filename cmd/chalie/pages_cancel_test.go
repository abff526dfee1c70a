package main

import (
	"context"
	"errors"
	"testing"

	"chalie/adapters/httpapi"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/replay/player"
)

// haltedWork is what the API has done that takes long, halted where it first tells how
// far it is, until nobody waits for it any more.
type haltedWork struct {
	came  chan string // what has come so far
	ended chan ended  // what ended, and with what
}

type ended struct {
	what string
	err  error
}

func (h *haltedWork) stand(cfg *httpapi.Config) {
	verify, again, whatIf := cfg.Verify, cfg.Replay, cfg.WhatIf
	cfg.Verify = func(ctx context.Context, told func(done, total domain.Position)) (httpapi.Verification, error) {
		out, err := verify(ctx, h.halting(ctx, "verify", told))
		h.ended <- ended{"verify", err}
		return out, err
	}
	cfg.WhatIf = func(ctx context.Context, change player.Change, scope player.Scope, told func(done, total domain.Position)) (player.Outcomes, error) {
		out, err := whatIf(ctx, change, scope, h.halting(ctx, "what if", told))
		h.ended <- ended{"what if", err}
		return out, err
	}
	cfg.Replay = func(ctx context.Context, what player.Request, told func(player.Progress)) (player.Report, error) {
		halt := h.halting(ctx, "replay", func(done, total domain.Position) { told(player.Progress{Done: done, Total: total}) })
		out, err := again(ctx, what, func(p player.Progress) { halt(p.Done, p.Total) })
		h.ended <- ended{"replay", err}
		return out, err
	}
}

// halting is told, and then halts the work until ctx ends: from there on it is the
// work's own to notice that.
func (h *haltedWork) halting(ctx context.Context, what string, told func(done, total domain.Position)) func(done, total domain.Position) {
	return func(done, total domain.Position) {
		told(done, total)
		if ctx.Err() == nil {
			h.came <- what
			<-ctx.Done()
		}
	}
}

// TestCancelsInABrowser: what is cancelled on a page ends in the program.
func TestCancelsInABrowser(t *testing.T) {
	r := newReader(t)
	work := &haltedWork{make(chan string, 4), make(chan ended, 4)}
	s := beginWith(t, t.TempDir(), domaintest.NewClock(), func(c *Config) { c.Clock, c.work = nil, work.stand })
	s.records(2000)
	tail := s.app.log.Tail()
	r.enters(s)
	for _, c := range []struct{ what, path, begin, going, cancel, place, says string }{
		{"verify", "/system/verify", "#verify", "#progress", "#cancel", "#result", "You cancelled it"},
		{"what if", "/what-if?set=capacity%3D99", "", "#waits", "#stop", "#answer", "Cancelled. Nothing was changed by it."},
		{"replay", "/replay?what=all", "", "#report .working", "#report .working button", "#report .empty-box", "Stopped. Nothing was changed by it."},
	} {
		r.opens(s, c.path)
		if c.begin != "" {
			r.presses(c.begin)
		}
		if what := <-work.came; what != c.what {
			t.Fatalf("%s began in place of %s", what, c.what)
		}
		r.sees(c.going, "")
		select {
		case e := <-work.ended:
			t.Fatalf("%s ended by itself: %v", e.what, e.err)
		default:
		}
		r.presses(c.cancel)
		r.sees(c.place, c.says)
		if e := <-work.ended; e.what != c.what || !errors.Is(e.err, context.Canceled) {
			t.Errorf("%s ended with %v", e.what, e.err)
		}
	}
	if now := s.app.log.Tail(); now != tail+2 { // the account and the session
		t.Errorf("the log has %d records, want %d", now, tail+2)
	}
	r.complaints()
	s.end() // and not stop, which replays, and would halt
	if err := <-s.ended; err != nil {
		t.Error(err)
	}
}
