package projections

import (
	"sync/atomic"

	"chalie/domain"
)

// Watermark is the position of the last record that changed a projection's state. A
// projection has it by embedding, and whoever decides by the projection's answers learns
// from it which part of the log they rest on.
type Watermark struct{ at atomic.Uint64 }

// LastChange is 0 until the first change after the state was loaded. It is safe for
// concurrent use.
func (w *Watermark) LastChange() domain.Position { return domain.Position(w.at.Load()) }

// Change is called by Apply before the state shows a record: whoever looks at that moment
// must not take the new state for the old one.
func (w *Watermark) Change(at domain.Position) { w.at.Store(uint64(at)) }
