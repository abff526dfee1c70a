package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
	"chalie/projections"
)

// What is folded within a moment isn't worth a word; what takes longer is told now and then.
const (
	muchToFold = 16_384 // records, which take a fraction of a second
	sayAfter   = time.Second
	drawEvery  = 200 * time.Millisecond // on a terminal
	sayEvery   = 10 * time.Second       // elsewhere
)

// pace is how fast work goes, and when it will be done.
type pace struct{ began time.Time }

// rate is in records a second, and left a guess; both are 0 at the very beginning.
func (p pace) rate(done, total domain.Position) (rate int64, left time.Duration) {
	rate = int64(float64(done) / time.Since(p.began).Seconds())
	if rate > 0 {
		left = time.Duration(float64(total-done) / float64(rate) * float64(time.Second))
	}
	return rate, left
}

// inWords is how far the work is.
func (p pace) inWords(done, total domain.Position) string {
	text := fmt.Sprintf("%s of %s", grouped(uint64(done)), counted(total, "position", "positions"))
	if _, left := p.rate(done, total); left > 0 {
		text += fmt.Sprintf(", about %s left", span(max(left, time.Second)))
	}
	return text
}

// foldMeter tells on standard error that a command folds a long log, and how far it is. A nil
// one tells nothing. It is safe for concurrent use.
type foldMeter struct {
	say   func(string) // a line; nil for nothing
	meter term.Meter
	live  bool // standard error is a terminal, and the meter moves

	mu    sync.Mutex
	lost  error // why what is folded isn't kept; nil when it is
	said  bool
	total domain.Position // of the work under way; 0 between two
	pace  pace
	told  time.Time
}

func newFoldMeter(c *cli) *foldMeter {
	return &foldMeter{say: c.Complain, meter: c.Meter(), live: c.LiveErr}
}

// notKept has it say why what is folded is folded again by the next command.
func (m *foldMeter) notKept(why error) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.lost = why
}

// draw tells how far the work is, which begins with its first call and ends with its last.
func (m *foldMeter) draw(done, total domain.Position) {
	if m == nil || m.say == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	switch {
	case done >= total:
		m.end()
		return
	case m.total != total:
		m.total, m.pace, m.told = total, pace{now}, now
	}
	if total <= muchToFold || now.Sub(m.pace.began) < sayAfter {
		return
	}
	if !m.said {
		m.said = true
		m.say(m.announcement())
	}
	switch since := now.Sub(m.told); {
	case m.live && since >= drawEvery:
		m.told = now
		rate, _ := m.pace.rate(done, total)
		m.meter.Draw(done, total, rate)
	case !m.live && since >= sayEvery:
		m.told = now
		m.say(m.pace.inWords(done, total))
	}
}

func (m *foldMeter) announcement() string {
	text := fmt.Sprintf("Chalie doesn't run here, so this command folds %s of its log", counted(m.total, "position", "positions"))
	if m.lost != nil {
		return text + "; that can't be kept for the next one: " + words(m.lost)
	}
	return text + ", and keeps what comes of it for the next one"
}

// clear takes the meter away: the work has ended, or was given up.
func (m *foldMeter) clear() {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.end()
}

func (m *foldMeter) end() {
	if m.live && m.said && m.total > 0 {
		m.meter.Clear()
	}
	m.total = 0
}

// watching tells what looks back fold that a handler answers.
func (m *foldMeter) watching(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer m.clear()
		h.ServeHTTP(w, r.WithContext(projections.Telling(r.Context(), m.draw)))
	})
}

// foldThrough waits for projections that stood at a position to fold through another, and tells
// how far they are.
func foldThrough(ctx context.Context, group *projections.Group, from, to domain.Position, told func(done, total domain.Position)) error {
	for {
		step, cancel := context.WithTimeout(ctx, drawEvery)
		err := group.WaitFor(step, to)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil {
			return err
		}
		told(max(group.Through(), from)-from, to-from)
	}
}

// folding is what the projections of a program began with.
type folding struct {
	from domain.Position
	pace pace
}

// folded is how many records the projections have folded since the start, and of how many.
func (a *App) folded() (done, total domain.Position) {
	from := min(a.folding.from, a.started)
	return min(max(a.folds.Group.Through(), from), a.started) - from, a.started - from
}

// tellFolding logs when the projections have folded what the log held at the start, and before
// that now and then how far they are, where it takes long.
func (a *App) tellFolding(level slog.Level) {
	var told time.Time
	err := foldThrough(a.stopping, a.folds.Group, min(a.folding.from, a.started), a.started, func(done, total domain.Position) {
		now := time.Now()
		if total <= muchToFold || now.Sub(a.folding.pace.began) < sayAfter || now.Sub(told) < sayEvery {
			return
		}
		told, level = now, slog.LevelInfo
		a.cfg.Logger.Info("what the log held is folded first, and what needs it waits", "folded", a.folding.pace.inWords(done, total))
	})
	if err == nil {
		a.cfg.Logger.Log(a.stopping, level, "ready", "position", uint64(a.started))
	}
}
