package watermillbus_test

import (
	"testing"
	"time"

	"chalie/adapters/watermillbus"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// newBus makes a bus with short pauses over a log.
func newBus(t testing.TB, log domain.Log) *watermillbus.Bus {
	t.Helper()
	clock := domaintest.NewClock()
	bus, err := watermillbus.New(watermillbus.Config{
		Log: log, IDs: domaintest.NewIDs(clock, 0xb5), Clock: clock,
		RedeliverAfter: time.Microsecond, RedeliverAtMost: time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	return bus
}
