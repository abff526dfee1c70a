package commands

import (
	"context"
	"slices"
	"strings"

	"chalie/domain"
)

// doneIn are the tool calls of an episode with what came of them, oldest first.
func (r *Reasoner) doneIn(ctx context.Context, ep *domain.Episode) ([]Done, error) {
	var out []Done
	for _, called := range ep.Calls {
		for i, made := range called.Tools {
			if made.State != domain.CallEnded {
				continue
			}
			done := Done{Outcome: made.Outcome, End: made.End, Call: domain.ToolCall{Tool: erasedText}}
			if i < len(called.Reply.ToolCalls) {
				done.Call = called.Reply.ToolCalls[i]
			}
			if !made.Invocation.IsZero() {
				_, asked, err := recall[domain.ToolInvoked](ctx, r.cfg.Reader, made.Invocation)
				if err != nil {
					return nil, err
				}
				done.Own = asked != nil && asked.InterfaceID.IsZero()
			}
			if err := r.result(ctx, &done, made.Format); err != nil {
				return nil, err
			}
			out = append(out, done)
		}
	}
	return out, nil
}

// result reads what came of a call from the envelope of its end, and what a check
// of its format found, if there was one.
func (r *Reasoner) result(ctx context.Context, done *Done, format domain.ID) error {
	if !format.IsZero() {
		_, checked, err := recall[domain.ToolVerified](ctx, r.cfg.Reader, format)
		if err != nil {
			return err
		}
		if checked != nil && !checked.Passed {
			done.Issues = checked.Errors
		}
	}
	rec, err := r.cfg.Reader.Find(ctx, done.End)
	if domain.CategoryOf(err) == domain.NotFound {
		done.Error = erasedText
		return nil
	}
	if err != nil {
		return err
	}
	if len(rec.Envelope.Errors) > 0 {
		done.Error, done.Code = rec.Envelope.Errors[0].Message, rec.Envelope.Errors[0].Code
	}
	if rec.Envelope.Type != domain.ToolCompletedType {
		return nil
	}
	answer, err := domain.Decode[domain.ToolCompleted](rec.Envelope)
	if domain.CodeOf(err) == domain.CodeErased {
		done.Text = erasedText
		return nil
	}
	if err != nil {
		return err
	}
	if answer.Text != nil {
		done.Text = *answer.Text
	}
	if string(answer.Data) != "null" {
		done.Data = answer.Data
	}
	done.Blocks, done.Flags = answer.Blocks, answer.Marks.Warnings()
	return nil
}

// verification is the answer that the episode is about to give, to be judged.
func (r *Reasoner) verification(ctx context.Context, ep *domain.Episode, said opened) (Verification, error) {
	var p Prompt
	if err := r.steers(ctx, ep, &p); err != nil {
		return Verification{}, err
	}
	done, err := r.doneIn(ctx, ep)
	if err != nil {
		return Verification{}, err
	}
	task := said.message.Text
	if said.erased {
		task = erasedText
	}
	return Verification{
		Task:   strings.Join(slices.Concat([]string{task}, p.Steers), "\n"),
		Answer: domain.PlainText(ep.LastCall().Reply.Blocks), Done: done,
	}, nil
}
