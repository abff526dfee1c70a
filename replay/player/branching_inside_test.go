package player

import (
	"context"
	"testing"

	"chalie/domain"
	"chalie/domain/memlog"
)

// patient is code that offers what the log refuses again, as the end of a call does.
type patient struct {
	Runtime
	log     domain.Appender
	offered int
	ended   domain.Code // why it gave up
}

func (p *patient) Run(ctx context.Context, _ Act) error {
	const most = 10
	for p.offered < most {
		p.offered++
		_, err := p.log.Append(context.WithoutCancel(ctx), domain.Batch{})
		if p.ended = domain.CodeOf(err); p.ended == domain.CodeClosed {
			return err
		}
	}
	return nil
}

// A branch that isn't wanted any more ends code that doesn't look at its context.
func TestAMoveEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w := &branching{walk: newWalk(nil, nil, 0, 0), branch: memlog.New(nil)}
	code := &patient{log: codeLog{&w.walk}}
	w.runtime = code
	ended, err := w.move(ctx, w.under(Act{Trace: domain.TraceID{ID: domain.ID{1}}}))
	if !ended || err == nil || code.offered != 1 || code.ended != domain.CodeClosed || len(w.runs) != 0 {
		t.Errorf("ended %t (%v) after %d offers, with %q; %d runs are left", ended, err, code.offered, code.ended, len(w.runs))
	}
}
