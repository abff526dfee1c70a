// Package domaintest is the test kit of package domain: an in-memory log, the
// suite every log passes, a clock and ids that a test controls, and
// given/when/then for decisions.
//
// # The in-memory log
//
// NewLog is a whole domain.Log without a disk. It keeps to the ports in full
// (order, atomic batches, conditions, duplicates, checkpoints, closing), so
// what a test learns over it holds over the real one; what can't be learnt from
// it is how a log behaves when its disk fails or its process dies.
//
// # The conformance suite
//
// RunLog holds any implementation of domain.Log to the ports:
//
//	func TestConformance(t *testing.T) {
//		domaintest.RunLog(t, func(t *testing.T, clock domain.Clock) domaintest.Subject {
//			return domaintest.Subject{Log: domaintest.NewLog(clock)}
//		})
//	}
//
// The suite reads only what it wrote: a log may begin at any position and may
// already hold other records, as long as nobody else appends meanwhile.
package domaintest
