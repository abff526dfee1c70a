package player

import (
	"context"
	"iter"

	"chalie/domain"
)

// routine is today's code running an act. It suspends at every append, until whoever
// steps through the log has taken the batch and answers. It runs only within resume, and
// has ended when end returns.
type routine struct {
	next  func() (domain.Batch, bool)
	stop  func()
	yield func(domain.Batch) bool
	err   error // result of the code

	receipt domain.Receipt // the answer to the append at which it is suspended
	refused error          // or why that was refused

	broken bool // the code is being ended
}

// errBrokenOff ends suspended code. CodeClosed is never retried.
var errBrokenOff = &domain.Error{Op: "replay", Category: domain.Dependency, Code: domain.CodeClosed, Message: "the replay of this trace has ended"}

// begin starts today's code at the act's state in the log.
func (r *routine) begin(ctx context.Context, runtime Runtime, act Act) {
	*r = routine{}
	r.next, r.stop = iter.Pull(func(yield func(domain.Batch) bool) {
		r.yield = yield
		r.err = runtime.Run(ctx, act)
	})
}

// rests reports whether the code is suspended.
func (r *routine) rests() bool { return r.next != nil }

// resume runs the code until it appends a step, which it returns; false when the code has
// ended instead.
func (r *routine) resume() (domain.Batch, bool) {
	b, ok := r.next()
	if !ok {
		r.next, r.stop = nil, nil
	}
	return b, ok
}

// caught is Append for the code.
func (r *routine) caught(b domain.Batch) (domain.Receipt, error) {
	if r.broken || !r.yield(b) {
		r.broken = true
		return domain.Receipt{}, errBrokenOff
	}
	return r.receipt, r.refused
}

// end ends suspended code.
func (r *routine) end() {
	if r.stop != nil {
		r.stop()
	}
	r.next, r.stop = nil, nil
}
