// Package sysclock is the domain.Clock of the running program: the machine's
// own. Tests take domaintest.Clock instead.
package sysclock

import (
	"time"

	"chalie/domain"
)

// Clock reads the machine's clock. Its zero value is ready.
type Clock struct{}

var _ domain.Clock = Clock{}

// Now implements domain.Clock. The time carries a monotonic reading, so
// differences hold when the machine's clock is set.
func (Clock) Now() time.Time { return time.Now() }
