package watermillbus_test

import (
	"testing"

	"chalie/adapters/watermillbus/bustest"
	"chalie/domain/domaintest"
)

func TestUniversal(t *testing.T) {
	bustest.RunUniversal(t, domaintest.NewLog(domaintest.NewClock()), testing.Short())
}
