package background_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"chalie/commands"
	"chalie/commands/background"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// foresight answers as it is told to.
type foresight func() (recorded, done bool, err error)

func (f foresight) Silently(context.Context, domain.Batch) (recorded, done bool, err error) {
	return f()
}

// What can't be thought through ahead is recorded to be taken up in steps; what the log refuses
// isn't; and what is done isn't recorded again.
func TestThinkingAhead(t *testing.T) {
	disk := &domain.Error{Op: "append", Category: domain.Dependency, Code: domain.CodeDiskLow, Retriable: true, Message: "the disk is full"}
	for name, c := range map[string]struct {
		foresight      foresight
		recorded, fail bool
	}{
		"loud":      {func() (bool, bool, error) { return false, false, nil }, true, false},
		"silent":    {func() (bool, bool, error) { return true, true, nil }, false, false},
		"the same":  {func() (bool, bool, error) { return false, true, nil }, false, false},
		"a panic":   {func() (bool, bool, error) { panic("a word it can't read") }, true, false},
		"a mistake": {func() (bool, bool, error) { return false, false, domain.Invalid("think", "", "it makes no sense") }, true, false},
		"the disk":  {func() (bool, bool, error) { return false, false, disk }, false, true},
		"again": {func() (bool, bool, error) {
			return false, false, &domain.Error{Op: "append", Category: domain.Conflict, Code: domain.CodeConditionFailed, Message: "it is there"}
		}, false, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			n := newNerves(t)
			defer n.end()
			n.emitter.ThinkAhead(background.Ahead{Foresight: c.foresight, Bounds: commands.Bounds{}})
			err := n.emitter.Record(n.stopping, domain.Envelope{}, domain.SpineSignal{Type: domain.IdleDiscovery, Source: domain.ServiceIdle, Energy: domain.One / 2})
			if got := n.log.Tail() == 1; got != c.recorded || (err != nil) != c.fail {
				t.Errorf("%s: recorded %t, %v", name, got, err)
			}
		})
	}
}

// What takes too long, as folds that have ended do, is left to the consumer.
func TestThinkingAheadEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNerves(t)
		defer n.end()
		n.emitter.ThinkAhead(background.Ahead{Foresight: waiting{}})
		if err := n.emitter.Record(n.stopping, domain.Envelope{}, domain.SpineSignal{Type: domain.IdleDiscovery, Source: domain.ServiceIdle, Energy: domain.One / 2}); err != nil || n.log.Tail() != 1 {
			t.Errorf("the signal isn't recorded: %v", err)
		}
	})
}

// waiting thinks until it is ended.
type waiting struct{}

func (waiting) Silently(ctx context.Context, _ domain.Batch) (recorded, done bool, err error) {
	<-ctx.Done()
	return false, false, ctx.Err()
}

// Nothing is thought ahead while somebody waits for an answer, and not for ever either.
func TestThinkingAheadMakesRoom(t *testing.T) {
	for _, ends := range []time.Duration{time.Second, time.Minute} {
		synctest.Test(t, func(t *testing.T) {
			n := newNerves(t)
			defer n.end()
			var thought time.Duration
			began, asked := time.Now(), false
			n.emitter.ThinkAhead(background.Ahead{Priority: n.front, Foresight: foresight(func() (bool, bool, error) {
				thought, asked = time.Since(began), true
				return false, false, nil
			})})
			leave := n.front.Enter(n.ids.NewID())
			time.AfterFunc(ends, leave)
			if err := n.emitter.Record(n.stopping, domain.Envelope{}, domain.SpineSignal{Type: domain.IdleDiscovery, Source: domain.ServiceIdle, Energy: domain.One / 2}); err != nil || n.log.Tail() != 1 {
				t.Fatalf("the signal isn't recorded: %v", err)
			}
			if soon := ends == time.Second; asked != soon || soon && thought != ends {
				t.Errorf("a message waited for %s, and it thought after %s (%t)", ends, thought, asked)
			}
			domaintest.Pass(ends)
		})
	}
}
