package projections

import (
	"errors"
	"fmt"
	"runtime/debug"

	"chalie/domain"
)

// CodeStopped is the code of the error of a projection that stopped: at a record
// it could not apply, or because its store failed.
const CodeStopped domain.Code = "projection_stopped"

// CodeUnsaved is the code of the error of a projection that goes on while its
// store refuses what it saves.
const CodeUnsaved domain.Code = "projection_unsaved"

func (r *Runner) stopped(what, next string, cause error) error {
	return &domain.Error{
		Op: "fold " + r.projection.Name(), Category: domain.Dependency, Code: CodeStopped, Err: cause,
		Message: fmt.Sprintf("projection %s stopped %s; the other projections go on. %s", r.projection.Name(), what, next),
	}
}

// notApplied is the failure of a record that Apply refused.
func (r *Runner) notApplied(rec domain.Record, cause error) error {
	next := "Its answers stay at the position before. Run a build that can apply the record"
	switch {
	case domain.CodeOf(cause) == domain.CodeUndecodable:
		next = "Run the version that wrote the record, or a newer one"
	case domain.CodeOf(cause) == domain.CodeNoDescriptors || domain.CodeOf(cause) == domain.CodeDiskFailed:
		next = "The machine failed to read what was folded: mend what the cause names, then restart Chalie"
	case isPanic(cause):
		next = "This is a defect of the program: report it with the stack in the log, and run the version before"
	}
	return r.stopped(fmt.Sprintf("at position %d (%s v%d, envelope %s)",
		rec.Position, rec.Envelope.Type, rec.Envelope.Version, rec.Envelope.ID), next, cause)
}

// notRead is the failure of a read that trying again does not cure.
func (r *Runner) notRead(after domain.Position, cause error) error {
	next := "Restart Chalie; when it stops again, run `chalie verify`"
	if domain.CodeOf(cause) == domain.CodeCorrupt {
		next = "Run `chalie verify` to see what is damaged, then restore the log from a copy"
	}
	return r.stopped(fmt.Sprintf("after position %d: the next record can't be read", after), next, cause)
}

// notSaved is the failure of a save that nothing can follow.
func (r *Runner) notSaved(cause error) error {
	return r.stopped(fmt.Sprintf("at position %d: its state can't be saved", r.pos),
		"Check the disk's health and free space, then restart Chalie: it folds again from what was saved before", cause)
}

// notYetSaved says that a save will be tried again.
func (r *Runner) notYetSaved(cause error) error {
	return &domain.Error{
		Op: "fold " + r.projection.Name(), Category: domain.Dependency, Code: CodeUnsaved, Retriable: true, Err: cause,
		Message: fmt.Sprintf("projection %s goes on, but its state at position %d can't be saved yet; it is tried again every %s. Check the disk's health and free space",
			r.projection.Name(), r.pos, r.cfg.RetryAfter),
	}
}

// panicked is a panic of Apply, as an error.
type panicked struct {
	value any
	stack []byte
}

func (p *panicked) Error() string { return fmt.Sprintf("panic: %v", p.value) }

func isPanic(err error) bool {
	_, ok := errors.AsType[*panicked](err)
	return ok
}

// guard turns a panic of the projection's code into an error.
func guard(fn func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &panicked{value, debug.Stack()}
		}
	}()
	return fn()
}
