// Package domaintest is the test kit of package domain: the suite every log passes, a
// clock and ids that a test controls, and given/when/then for decisions. The log to test
// on is [memlog.Log].
//
// # The conformance suite
//
// RunLog holds any implementation of domain.Log to the ports:
//
//	func TestConformance(t *testing.T) {
//		domaintest.RunLog(t, func(t *testing.T, clock domain.Clock) domaintest.Subject {
//			return domaintest.Subject{Log: memlog.New(clock)}
//		})
//	}
//
// The suite reads only what it wrote: a log may begin at any position and may
// already hold other records, as long as nobody else appends meanwhile.
package domaintest
