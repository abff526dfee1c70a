package commands_test

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"chalie/commands"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// crowdedLog takes a second for each append, and counts those under way.
type crowdedLog struct {
	domain.Appender
	under, most chan int // one element each
}

func newCrowdedLog(log domain.Appender) crowdedLog {
	out := crowdedLog{log, make(chan int, 1), make(chan int, 1)}
	out.under <- 0
	out.most <- 0
	return out
}

func (l crowdedLog) Append(ctx context.Context, b domain.Batch) (domain.Receipt, error) {
	now := <-l.under + 1
	l.under <- now
	l.most <- max(<-l.most, now)
	domaintest.Pass(time.Second)
	l.under <- <-l.under - 1
	return l.Appender.Append(ctx, b)
}

func TestSignalsMakeRoomForAnswers(t *testing.T) {
	for _, c := range []struct {
		name    string
		answers bool
		most    int
		took    time.Duration
	}{
		{"nobody waits", false, 10, time.Second},
		{"somebody waits for an answer", true, 2, 5 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t)
				log := newCrowdedLog(b.log)
				var ahead commands.Foreground
				s := crowded(t, b, log, &ahead, 10)
				if c.answers {
					defer ahead.Enter(domain.ID{1})()
				}
				begun := time.Now()
				for range 10 {
					go func() {
						if _, err := s.Submit(t.Context(), ada, weather()); err != nil {
							t.Error(err)
						}
					}()
				}
				domaintest.Pass(c.took)
				synctest.Wait()
				if most := <-log.most; most != c.most || len(b.records(domain.TopicSignals)) != 10 || time.Since(begun) != c.took {
					t.Errorf("%d at once, %d recorded after %s; want %d at once", most, len(b.records(domain.TopicSignals)), time.Since(begun), c.most)
				}
			})
		})
	}
}

// Who hangs up while there is no room has sent nothing, and isn't charged for it.
func TestSignalGivenUpBeforeThereWasRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		var ahead commands.Foreground
		s := crowded(t, b, newCrowdedLog(b.log), &ahead, 3)
		defer ahead.Enter(domain.ID{1})()
		for range 2 {
			go func() { _, _ = s.Submit(t.Context(), ada, weather()) }()
		}
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if _, err := s.Submit(ctx, ada, weather()); !domain.IsRetriable(err) || domain.CodeOf(err) != "cancelled" {
			t.Errorf("given up: %v", err)
		}
		synctest.Wait()
		if _, err := s.Submit(t.Context(), ada, weather()); err != nil { // the third of three places
			t.Error(err)
		}
	})
}

func crowded(t *testing.T, b *bench, log domain.Appender, ahead commands.Priority, perMinute int) *commands.Signals {
	t.Helper()
	s, err := commands.NewSignals(t.Context(), commands.SignalsConfig{Env: commands.Env{Log: log, Reader: b.log, Tail: b.log, Clock: b.clock, IDs: b.ids, Logger: slog.New(slog.DiscardHandler)}, PerMinute: perMinute, Priority: ahead})
	if err != nil {
		t.Fatal(err)
	}
	return s
}
