package sysclock_test

import (
	"testing"
	"testing/synctest"
	"time"

	"chalie/adapters/sysclock"
	"chalie/domain/domaintest"
)

func TestNow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		before := sysclock.Clock{}.Now()
		domaintest.Pass(time.Hour)
		if passed := (sysclock.Clock{}).Now().Sub(before); passed != time.Hour {
			t.Errorf("after an hour the clock moved by %s", passed)
		}
	})
}
