package pebblelog_test

import (
	"testing"
	"time"

	"chalie/adapters/pebblelog"
	"chalie/domain"
	"chalie/domain/domaintest"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// subject opens a log and knows how to open it again over the same files.
func subject(cfg pebblelog.Config) domaintest.OpenLog {
	return func(t *testing.T, clock domain.Clock) domaintest.Subject {
		cfg := cfg
		cfg.Clock = clock
		cfg.RetryEvery = time.Millisecond
		if cfg.FS == nil {
			cfg.FS = vfs.NewMem()
		} else {
			cfg.Dir = t.TempDir()
		}
		return domaintest.Subject{
			Log: open(t, cfg),
			Reopen: func(t *testing.T, log domain.Log) domain.Log {
				if err := log.Close(); err != nil {
					t.Fatalf("closing before opening again: %v", err)
				}
				return open(t, cfg)
			},
		}
	}
}

func open(t testing.TB, cfg pebblelog.Config) *pebblelog.Log {
	t.Helper()
	l, err := pebblelog.Open(cfg)
	if err != nil {
		t.Fatalf("opening the log: %v", err)
	}
	return l
}

func TestConformanceInMemory(t *testing.T) {
	domaintest.RunLog(t, subject(pebblelog.Config{Dir: "log"}))
}

func TestConformanceOnDisk(t *testing.T) {
	domaintest.RunLog(t, subject(pebblelog.Config{FS: vfs.Default}))
}
