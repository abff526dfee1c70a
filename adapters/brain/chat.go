package brain

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"chalie/commands/intake"
	"chalie/domain"
)

// answerWithin is how long an answer is waited for. Its sender may hang up sooner; the answer is then found by
// sending the same command again.
const answerWithin = 80 * time.Second

// Profiles are the names by which a model is chosen.
func Profiles() []string { return []string{"quick", "standard", "deep"} }

// chat is POST /lms/chat.
func (x *request) chat() (reply, error) {
	in := struct {
		Prompt  string `json:"prompt"`
		Profile string `json:"profile"`
	}{Profile: "standard"}
	if err := x.parameters(&in); err != nil {
		return nil, err
	}
	switch {
	case strings.TrimSpace(in.Prompt) == "":
		return nil, domain.Invalid("chat", "prompt", "prompt is required: say something")
	case in.Profile != "quick" && in.Profile != "standard" && in.Profile != "deep":
		return nil, domain.Invalid("chat", "profile", fmt.Sprintf("profile is %.64q: give quick, standard or deep", in.Profile))
	}
	msg := domain.MessageReceived{Text: in.Prompt, Source: domain.SaidInText, Model: x.cfg.Model(in.Profile),
		Conversation: x.conversation()}
	return x.command(func(cmd *intake.Command) (reply, error) {
		who := x.caller
		if who.Operator && cmd.Source != "" {
			who.Source = domain.Source(cmd.Source)
		}
		id, err := x.cfg.Messages.SayAs(x.ctx, who, msg, cmd.Lineage.Parent, func(said domain.Envelope) (domain.Entry, error) {
			return x.cfg.Intake.Entry(x.caller, cmd, domain.Continue(said))
		})
		if err != nil {
			cmd.Envelope = domain.Envelope{}
			return nil, err
		}
		x.settle() // a repeat waits for the answer, and not for this request
		return x.await(domain.TraceID{ID: id})
	}, func(cmd *intake.Command) (reply, bool, error) {
		out, err := x.await(cmd.Envelope.Trace)
		return out, true, err
	})
}

// conversation is the one that a request speaks in: of a program always its own, whatever source it names. The
// person may have several, one for each source.
func (x *request) conversation() domain.ConversationName {
	out := domain.ConversationName{Project: domain.ProjectBrain, Session: x.caller.Name}
	if x.caller.Operator {
		out.Session = cmp.Or(x.asked.Source, string(x.caller.Source))
	} else {
		out.User = string(x.caller.Principal)
	}
	return out
}

// heard is what an episode came to so far.
type heard struct {
	model     string // that replied last
	reply     string // what it said
	failed    *domain.Envelope
	instead   string // of failed
	proposals []domain.Envelope
	end       *domain.Record
}

// await reads an episode until it ends, waits for the person's approval, or takes too long.
func (x *request) await(trace domain.TraceID) (reply, error) {
	ctx, cancel := context.WithTimeout(x.ctx, answerWithin)
	defer cancel()
	const page = 64
	var from domain.Position = 1
	var so heard
	for {
		tail := x.cfg.Log.Tail()
		records, err := x.cfg.Log.Select(ctx, domain.Selector{Trace: trace}, from, page)
		if err != nil && ctx.Err() == nil {
			return nil, err
		}
		for _, rec := range records {
			from = rec.Position + 1
			so.take(rec)
		}
		switch {
		case so.end != nil:
			return x.concluded(so)
		case len(records) == page:
			continue
		case len(so.proposals) > 0:
			return x.asksFirst(so)
		}
		if _, err := x.cfg.Log.Wait(ctx, max(tail, from-1)); err != nil {
			if x.ctx.Err() != nil || ctx.Err() == nil {
				return nil, err
			}
			return nil, &domain.Error{Op: "chat", Category: domain.Dependency, Code: "still_thinking", Retriable: true,
				Message: fmt.Sprintf("there is no answer after %s: send the same request with the same envelope_id again to get it", answerWithin)}
		}
	}
}

func (h *heard) take(rec domain.Record) {
	e := rec.Envelope
	switch e.Type {
	case domain.ModelRepliedType:
		if p, err := domain.Decode[domain.ModelReplied](e); err == nil {
			h.model, h.reply = p.Model, domain.PlainText(p.Blocks)
		}
	case domain.ModelFailedType:
		if p, err := domain.Decode[domain.ModelFailed](e); err == nil {
			h.failed, h.instead = &e, p.Model
		}
	case domain.ApprovalProposedType:
		h.proposals = append(h.proposals, e)
	case domain.ApprovalGrantedType, domain.ApprovalRefusedType, domain.ApprovalExpiredType:
		invocation, _ := domain.InvocationOf(e)
		kept := h.proposals[:0]
		for _, p := range h.proposals {
			if of, _ := domain.InvocationOf(p); of != invocation {
				kept = append(kept, p)
			}
		}
		h.proposals = kept
	case domain.ReasoningConcludedType:
		h.end = &rec
	}
}

func (h *heard) payload(text string) reply {
	provider, model, found := strings.Cut(h.model, "/")
	if !found {
		provider, model = "chalie", cmp.Or(h.model, "chalie")
	}
	return reply{"payload": map[string]any{"text": text, "provider": provider, "model": model}}
}

// concluded is the answer that an episode ended with.
func (x *request) concluded(so heard) (reply, error) {
	find := func(id domain.ID) (domain.Envelope, error) {
		rec, err := x.cfg.Log.Find(x.ctx, id)
		return rec.Envelope, err
	}
	c, err := domain.ConclusionOf(so.end.Envelope)
	if err != nil {
		return nil, err
	}
	said, err := domain.SaidIn(so.end.Envelope, find)
	if domain.CodeOf(err) == domain.CodeErased {
		return nil, &domain.Error{Op: "chat", Category: domain.NotFound, Code: domain.CodeErased, Message: "the answer was erased"}
	}
	if err != nil {
		return nil, err
	}
	text := domain.PlainText(said.Blocks)
	if !x.caller.Operator && c.Outcome != domain.OutcomeFailed {
		// What Chalie adds for the person, and whether they are told now, is theirs.
		text = cmp.Or(so.reply, text)
	}
	switch {
	case c.Outcome == domain.OutcomeFailed && so.failed != nil:
		return nil, away(so, text)
	case c.Outcome == domain.OutcomeFailed:
		return nil, &domain.Error{Op: "chat", Category: domain.Dependency, Code: "not_answered", Retriable: true, Message: "there is no answer: " + cmp.Or(text, "it failed")}
	case c.Outcome == domain.OutcomeCancelled:
		return nil, &domain.Error{Op: "chat", Category: domain.Conflict, Code: "cancelled", Message: "the person cancelled it"}
	case so.failed != nil && so.instead != so.model:
		return so.payload(text), away(so, "the built-in model or another answered instead: see payload.text")
	}
	return so.payload(text), nil
}

// away says that a model was asked and didn't answer.
func away(so heard, more string) error {
	out := fault{Code: "model_away", Category: string(domain.Dependency), Retryable: true, Metadata: map[string]string{"model": so.instead},
		Message: fmt.Sprintf("the model %s didn't answer; %s", so.instead, more)}
	if len(so.failed.Errors) > 0 {
		f := so.failed.Errors[0]
		out.Retryable, out.Metadata["cause"] = f.Retryable || f.Code == "" || out.Retryable, string(f.Code)
		out.Message = fmt.Sprintf("the model %s didn't answer: %s; %s", so.instead, f.Message, more)
	}
	return failed{[]fault{out}}
}

// asksFirst says what waits for the person's approval.
func (x *request) asksFirst(so heard) (reply, error) {
	var text strings.Builder
	for _, e := range so.proposals {
		notice, err := domain.ApprovalNotice(e)
		if err != nil && domain.CodeOf(err) != domain.CodeErased {
			return nil, err
		}
		text.WriteString(notice.Summary + ". ")
	}
	text.WriteString("This waits for your approval: say yes or no.")
	return so.payload(text.String()), nil
}
