package reasoning

import (
	"context"

	"chalie/domain"
	"chalie/domain/language"
)

// maxPressed bounds the records behind an exchange among which buttons are looked for.
const maxPressed = 64

// pressed are the calls of the buttons that the person pressed in this conversation between an
// exchange and what is asked now, oldest first. Of a button whose answer may quote others only the end is told.
func (r *Reasoner) pressed(ctx context.Context, ep *domain.Episode, end domain.Position) ([]language.Done, error) {
	if end == 0 {
		return nil, nil
	}
	since, err := r.cfg.Reader.Select(ctx, domain.Selector{Topic: domain.TopicMessages}, end+1, maxPressed)
	if err != nil {
		return nil, err
	}
	in := domain.ConversationOf(ep.Opening.Envelope)
	var out []language.Done
	for _, rec := range since {
		if rec.Position >= ep.Opening.Position {
			break
		}
		if rec.Envelope.Type != domain.ActionReceivedType || rec.Envelope.Principal != domain.PrincipalOperator || domain.ConversationOf(rec.Envelope) != in {
			continue
		}
		one, err := r.pressedOne(ctx, rec.Envelope)
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, nil
}

// pressedOne is the call of one button, with its result.
func (r *Reasoner) pressedOne(ctx context.Context, action domain.Envelope) (language.Done, error) {
	button, err := domain.Decode[domain.ActionReceived](action)
	if domain.CodeOf(err) == domain.CodeErased {
		return language.Done{}, nil
	}
	if err != nil {
		return language.Done{}, err
	}
	var ep domain.Episode
	if err := r.reload(ctx, action.Trace, &ep); err != nil {
		return language.Done{}, err
	}
	made := ep.Action
	if _, ofTool := button.AnswerOf(); ofTool || made.State != domain.CallEnded {
		return language.Done{}, nil
	}
	done := language.Done{Call: domain.ToolCall{Tool: button.Skill}, Outcome: made.Outcome, End: made.End}
	if done.Own, err = r.isOwnCall(ctx, made); err != nil || !done.Own {
		return language.Done{}, err
	}
	if done.Call.Params, err = button.Params(); err != nil {
		return language.Done{}, err
	}
	if rec, err := r.cfg.Reader.Find(ctx, made.End); err == nil {
		if answer, err := domain.Decode[domain.ToolCompleted](rec.Envelope); err == nil && len(answer.Words) > 0 {
			return language.Done{}, nil
		}
	}
	return done, r.result(ctx, &done, made.Format)
}

// isOwnCall reports whether a call was one of Chalie's own skills.
func (r *Reasoner) isOwnCall(ctx context.Context, made domain.CallMade) (bool, error) {
	if made.Invocation.IsZero() {
		return false, nil
	}
	_, asked, err := recall[domain.ToolInvoked](ctx, r.cfg.Reader, made.Invocation)
	return asked != nil && asked.InterfaceID.IsZero(), err
}
