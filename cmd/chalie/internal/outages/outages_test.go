package outages_test

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"chalie/cmd/chalie/internal/outages"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// told is a logger over outages, and what was written.
func told() (*outages.Log, *slog.Logger, *domaintest.Buffer) {
	out := &domaintest.Buffer{}
	log := outages.New(slog.NewTextHandler(out, nil))
	return log, slog.New(log), out
}

func dependency(code domain.Code, message string, cause error) error {
	return &domain.Error{Op: "append", Category: domain.Dependency, Code: code, Retriable: true, Message: message, Err: cause}
}

// lines are what was written of a level.
func lines(out *domaintest.Buffer, level string) (found []string) {
	synctest.Wait() // what is to be told by now was told
	for line := range strings.Lines(out.String()) {
		if strings.Contains(line, "level="+level) {
			found = append(found, line)
		}
	}
	return found
}

// What can't be recorded is told when it begins and when it ends, however it is told, and
// whoever tells it.
func TestLogAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log, logger, out := told()
		var over atomic.Bool
		log.Watch(over.Load)
		logger.Warn("the cluster doesn't answer", "error", dependency(domain.CodeClusterAway, "no leader", nil))
		away := dependency(domain.CodeClusterAway, "the cluster doesn't take it", errors.New("no leader"))
		for i := range 500 {
			err := away
			if i%3 == 0 {
				err = fmt.Errorf("a program: %w", dependency(domain.CodeOutcomeUnknown, "may or may not be there", away))
			}
			logger.With("n", i).Error("a request failed", "status", 503, "error", err)
			domaintest.Pass(100 * time.Millisecond)
		}
		logger.Error("something else", "error", errors.New("it broke"))
		domaintest.Pass(10 * time.Millisecond) // not when the watch looks
		over.Store(true)
		domaintest.Pass(2 * time.Second)
		if n := len(lines(out, "WARN")) + len(lines(out, "ERROR")); n != 2 {
			t.Errorf("it is told in %d lines:\n%s", n, out)
		}
		ends := lines(out, "INFO")
		if len(ends) != 1 || !strings.Contains(ends[0], "is there again") || !strings.Contains(ends[0], "refused=500") || !strings.Contains(ends[0], "after=51s") {
			t.Errorf("its end is told as %q", ends)
		}
		over.Store(false)
		logger.Error("a request failed", "status", 503, "error", away)
		if n := len(lines(out, "ERROR")); n != 2 {
			t.Errorf("the next is told in %d lines", n)
		}
		log.Close()
	})
}

// Any other dependency is told in the same way. Two that are away at a time are two.
func TestAnotherAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log, logger, out := told()
		for range 50 {
			logger.Warn("an answer has to wait", "err", dependency("model_away", "the model at one is away", nil))
			logger.Warn("a request failed", "status", 502, "err", dependency("unreachable", "the interface Kiln is away", nil))
			domaintest.Pass(time.Second)
		}
		domaintest.Pass(55 * time.Second)
		if n := len(lines(out, "WARN")); n != 2 || len(lines(out, "INFO")) > 0 {
			t.Errorf("two are told as\n%s", out)
		}
		domaintest.Pass(8 * time.Second)
		ends := lines(out, "INFO")
		if len(ends) != 2 || strings.Count(out.String(), "refused=50") != 1 || strings.Count(out.String(), "refused=0") != 1 {
			t.Errorf("the ends are told as %q", ends)
		}
		log.Close()
	})
}

// What won't be mended by waiting is told each time, and so is what isn't a failure. One
// failure is told once.
func TestNoOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log, logger, out := told()
		for range 3 {
			logger.Error("a request failed", "status", 500, "error", &domain.Error{Category: domain.Dependency, Code: domain.CodeCorrupt})
			logger.Info("it was busy", "error", dependency("busy", "busy", nil))
			logger.Warn("a pause", "for", time.Second)
		}
		logger.Warn("a request failed", "status", 502, "error", dependency("late", "it was late", nil))
		domaintest.Pass(2 * time.Minute)
		log.Close()
		if n := strings.Count(out.String(), "\n"); n != 10 {
			t.Errorf("10 lines are told in %d:\n%s", n, out)
		}
	})
}

// What is away until the end is told then.
func TestAwayAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log, logger, out := told()
		log.Watch(func() bool { return false })
		for range 3 {
			logger.Error("a request failed", "status", 503, "error", dependency(domain.CodeDiskLow, "1 MiB is left", nil))
		}
		log.Close()
		log.Close()
		if ends := lines(out, "INFO"); len(ends) != 1 || !strings.Contains(ends[0], "refused=3") {
			t.Errorf("its end is told as %q", ends)
		}
	})
}
