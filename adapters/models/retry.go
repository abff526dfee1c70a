package models

import (
	"context"
	"errors"
	"fmt"
	"time"

	"chalie/adapters/models/dialogue"
	"chalie/domain"
)

// ask puts a question, again and again while what fails may pass. The usage is
// that of all attempts. An error is terminal, unless ctx ended.
func (m *Model) ask(ctx context.Context, q dialogue.Question, heard *telling) (dialogue.Answer, error) {
	var used domain.Usage
	for n := 1; ; n++ {
		answer, err := m.once(ctx, q, heard)
		used = used.Plus(answer.Usage)
		answer.Usage = used
		if err == nil {
			return answer, nil
		}
		if ctx.Err() != nil {
			return answer, m.ended(ctx)
		}
		e := m.fault(err)
		if !e.Retriable {
			return answer, e
		}
		if n >= m.cfg.Attempts {
			return answer, gaveUp(e, n, "")
		}
		pause := max(m.cfg.pause(n), e.RetryAfter)
		if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= pause {
			return answer, gaveUp(e, n, fmt.Sprintf("; the next would have to wait %s, which is too long", pause.Round(time.Millisecond)))
		}
		heard.again(e.Message)
		if m.cfg.Wait(ctx, pause) != nil {
			return answer, m.ended(ctx)
		}
	}
}

// errSlow is why an attempt is ended from here.
var errSlow = errors.New("the attempt took too long")

// once puts a question, within the time of an attempt.
func (m *Model) once(ctx context.Context, q dialogue.Question, heard *telling) (dialogue.Answer, error) {
	attempt, cancel := context.WithTimeoutCause(ctx, m.cfg.Attempt, errSlow)
	defer cancel()
	answer, err := m.client.Ask(attempt, q, heard.tell())
	if err != nil && ctx.Err() == nil && errors.Is(context.Cause(attempt), errSlow) {
		return answer, dialogue.Fail(dialogue.CodeUnreachable, true, fmt.Sprintf("%s took longer than %s", m.Name(), m.cfg.Attempt))
	}
	return answer, err
}

// fault makes sure that no error tells the key.
func (m *Model) fault(err error) *domain.Error {
	e, ok := errors.AsType[*domain.Error](err)
	if !ok {
		e = dialogue.Broken(m.Name(), err)
	}
	out := *e
	out.Message, out.Err = m.key.scrubbed(out.Message), nil // a cause says it again, with everything
	return &out
}

// gaveUp is the terminal error of what might have passed.
func gaveUp(e *domain.Error, attempts int, why string) error {
	out := *e
	out.Code, out.Retriable, out.RetryAfter = dialogue.CodeUnreachable, false, 0
	if attempts > 1 {
		out.Message += fmt.Sprintf(", %d times", attempts)
	}
	out.Message += why
	return &out
}

// ended is the error of an answer whose time is over: it was given up by who
// asked, or by us.
func (m *Model) ended(ctx context.Context) error {
	if errors.Is(context.Cause(ctx), errLate) {
		return dialogue.Fail(dialogue.CodeUnreachable, false, fmt.Sprintf("%s gave no answer within %s", m.Name(), m.cfg.Whole))
	}
	return &domain.Error{Op: "ask model", Category: domain.Dependency, Code: "cancelled", Retriable: true,
		Message: "the model was given up before it answered", Err: ctx.Err()}
}
