package httpapi

import (
	"fmt"
	"sync/atomic"

	"chalie/domain"
)

// damage is what requests have met of what is stored and can't be read as it was
// written. A log is checked where it is read, so a program may run for long on a damaged
// one, and only who asks for that part of it learns of it: what they met is for all to
// see. The zero damage is none.
type damage struct{ says atomic.Pointer[string] }

// met is what was met last, with what to do; "" when nothing was.
func (d *damage) met() string {
	if says := d.says.Load(); says != nil {
		return *says
	}
	return ""
}

// note takes in what a request failed with.
func (d *damage) note(err error) {
	if domain.CodeOf(err) == domain.CodeCorrupt {
		says := outward(err)
		d.says.Store(&says)
	}
}

// walked takes in what a walk over the whole log found.
func (d *damage) walked(found Verification) {
	d.says.Store(nil)
	if problems := uint64(len(found.Problems)) + found.More; problems > 0 {
		says := fmt.Sprintf("the log is damaged: a walk over it found %d problems; stop Chalie and run `chalie repair`, or restore the folder from a backup", problems)
		if problems == 1 {
			says = "the log is damaged: a walk over it found a problem; stop Chalie and run `chalie repair`, or restore the folder from a backup"
		}
		d.says.Store(&says)
	}
}
