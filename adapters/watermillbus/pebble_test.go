package watermillbus_test

import (
	"testing"

	"chalie/adapters/pebblelog"
	"chalie/adapters/watermillbus/bustest"
	"chalie/domain/domaintest"
)

// TestUniversalOverPebble runs Watermill's tests, in their short mode, over the
// log that the program uses.
func TestUniversalOverPebble(t *testing.T) {
	log, err := pebblelog.Open(pebblelog.Config{Dir: t.TempDir(), Clock: domaintest.NewClock()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := log.Close(); err != nil {
			t.Error(err)
		}
	})
	bustest.RunUniversal(t, log, true)
}
