package watermillbus_test

import (
	"testing"

	"chalie/adapters/watermillbus/bustest"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
)

func TestUniversal(t *testing.T) {
	bustest.RunUniversal(t, memlog.New(domaintest.NewClock()), testing.Short())
}
