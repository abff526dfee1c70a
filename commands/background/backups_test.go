package background_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chalie/commands"
	"chalie/commands/background"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// keeper makes backups as the test says.
type keeper struct {
	mu    sync.Mutex
	last  domain.Millis
	fails error
	made  int
}

func (k *keeper) Last(context.Context) (domain.Millis, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.last, nil
}

func (k *keeper) Again(context.Context) (string, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.made++
	if k.fails == nil {
		k.last = domain.MillisOf(time.Now())
	}
	return "/mnt/disk", k.fails
}

// fail has the next ones fail; nil: none.
func (k *keeper) fail(err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.fails = err
}

func (k *keeper) count() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.made
}

// every is the settings with such an interval.
type every string

func (e every) Read(fn func(*domain.SettingsBook)) {
	fn(&domain.SettingsBook{Settings: domain.Settings{Values: map[string]string{"backup_every": string(e)}}})
}

// TestBackupsBySetting: one is made whenever it is due, a failure is told once, over a restart,
// too, and the next that can be made ends that.
func TestBackupsBySetting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, k := newNerves(t), &keeper{}
		env := commands.Env{Log: n.disk, Reader: n.log, Tail: n.log, Clock: present{}, IDs: n.ids, Logger: slog.New(slog.DiscardHandler)}
		begin := func(e every) func() {
			b, err := background.NewBackups(background.BackupsConfig{Env: env, Maker: k, Settings: e, Priority: n.front})
			if err != nil {
				t.Fatal(err)
			}
			ctx, stop := context.WithCancel(t.Context())
			done := make(chan struct{})
			go func() {
				defer close(done)
				b.Run(ctx)
			}()
			return func() {
				stop()
				<-done
			}
		}
		wants := func(when string, made int, types ...domain.EventType) {
			t.Helper()
			synctest.Wait()
			records, err := n.log.Select(t.Context(), domain.Selector{}, 1, 100)
			if err != nil {
				t.Fatal(err)
			}
			var got []domain.EventType
			for _, rec := range records {
				got = append(got, rec.Envelope.Type)
			}
			if n := k.count(); n != made || !slices.Equal(got, types) {
				t.Errorf("%s: %d backups, and %v", when, n, got)
			}
		}
		stop := begin("0s")
		domaintest.Pass(48 * time.Hour)
		wants("without the setting", 0)
		stop()
		stop = begin("12h")
		domaintest.Pass(time.Minute)
		wants("at once", 1)
		domaintest.Pass(11 * time.Hour)
		wants("before it is due", 1)
		domaintest.Pass(2 * time.Hour)
		wants("when it is due", 2)

		k.fail(&domain.Error{Message: "the disk is away"})
		domaintest.Pass(11*time.Hour + 3*time.Minute)
		told := []domain.EventType{domain.BackupFailedType, domain.ReasoningConcludedType}
		wants("when it fails", 3, told...)
		domaintest.Pass(2 * time.Hour)
		wants("when it fails again", 5, told...)
		stop()
		stop = begin("1ms") // at most one an hour
		domaintest.Pass(time.Minute)
		wants("after a restart", 6, told...)
		k.fail(nil)
		domaintest.Pass(time.Hour + time.Minute)
		told = append(told, domain.BackupRecoveredType)
		wants("when it is well again", 7, told...)
		domaintest.Pass(30 * time.Minute)
		wants("within the hour", 7, told...)
		k.fail(errors.New("otherwise"))
		domaintest.Pass(time.Hour)
		wants("when it fails once more", 8, append(told, domain.BackupFailedType, domain.ReasoningConcludedType)...)
		stop()
	})
}
