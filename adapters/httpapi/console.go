package httpapi

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"time"

	"chalie/adapters/api"
	"chalie/commands"
	"chalie/commands/message"
	"chalie/domain"
)

// answerWithin is how long a console waits for an answer.
const answerWithin = 30 * time.Second

func consoleHandlers() handlers {
	return handlers{"consoleSocket": (*exchange).consoleSocket, "chatSend": (*exchange).chatSend}
}

// unkeyed reports whether the caller may be a console without a token: a program on this
// machine that shows none, and no page in a browser, which others may have written.
func (x *exchange) unkeyed() bool {
	return x.api.cfg.Unkeyed && x.here() && !x.shows() && x.r.Header.Get("Origin") == ""
}

// console is the caller as the person's console; with an error for a caller whose token
// doesn't name it.
func (x *exchange) console(what string) (commands.Caller, error) {
	if console, ok := x.caller.Console(); ok {
		return console, nil
	}
	return commands.Caller{}, &domain.Error{Op: what, Category: domain.Policy, Code: "scope_not_permitted",
		Message: fmt.Sprintf("%s may not %s: ask the operator for a token that names %s among its types, such as `chalie token issue NAME --signals %s`", x.caller.Name, what, commands.ScopeConsole, commands.ScopeConsole)}
}

// consoleSocket is GET /ws/events.
func (x *exchange) consoleSocket() error {
	const what = "open a socket of events"
	if x.api.cfg.Console == nil {
		return notRunning(what)
	}
	who, err := x.console(what)
	if err != nil {
		return err
	}
	return x.api.cfg.Console.Upgrade(x.w, x.r, who, x.stillLetIn())
}

// stillLetIn returns a function that reports whether what let the caller in is still valid.
func (x *exchange) stillLetIn() func() bool {
	token, shown := x.token()
	switch {
	case x.trusted || !x.shows():
		return func() bool { return true }
	case !shown:
		return x.stillHere()
	}
	accounts, known := x.api.cfg.Accounts, x.api.cfg.Interfaces
	return func() bool {
		if _, ok := accounts.Token(token); ok || known == nil {
			return ok
		}
		_, ok := known.Token(token)
		return ok
	}
}

// chatSend is POST /api/chat/send.
func (x *exchange) chatSend() error {
	const what = "speak for its person"
	who, err := x.console(what)
	if err != nil {
		return err
	}
	return x.within(x.api.limits.sent, what, "messages", func() error { return x.converse(who) })
}

// converse records what a console says, waits for the answer, and gives it.
func (x *exchange) converse(who commands.Caller) error {
	began := x.api.cfg.Clock.Now()
	var in api.ChatRequest
	body, err := x.readObject("a message", &in)
	if err != nil {
		return err
	}
	msg := domain.MessageReceived{Text: in.Message, Source: domain.SaidInText, Zone: in.Timezone,
		Conversation: conversationOf(in), Model: domain.ModelMeant(in.Model, in.Provider, x.api.cfg.Models)}
	if err := inWords(msg); err != nil {
		return domain.Invalid("read message", "message", "message is required: say something")
	}
	if err := x.checkConversation(msg.Conversation); err != nil {
		return err
	}
	for field, name := range map[string]string{"model": in.Model, "provider": in.Provider} {
		if len(name) > domain.MaxNameBytes {
			return domain.Invalid("read message", field, fmt.Sprintf("%s has %d bytes, the bound is %d: name one as chalie models lists it", field, len(name), domain.MaxNameBytes))
		}
	}
	heard, err := heardIn(api.Spoken{SessionID: in.SessionID, STTID: in.STTID})
	if err != nil {
		return err
	}
	if !heard.STT.IsZero() {
		msg.Source = domain.SaidByVoice
	}
	said, err := x.sayOnce(who, msg, heard, body)
	if err != nil {
		return err
	}
	out := api.ChatAnswer{OK: true, ExchangeID: api.UUID{ID: said}}
	out.ProjectID, out.SessionID, out.UserID = named(in)
	out.Meta.Provider, out.Meta.Model = domain.ConsoleModel(cmp.Or(msg.Model, firstOf(x.api.cfg.Models)))
	if msg.Model == "" {
		out.Meta.Instead = cmp.Or(in.Model, in.Provider)
	}
	out.Backend, out.Model = domain.AtModel, "chalie"
	if err := x.await(domain.TraceID{ID: said}, &out); err != nil {
		return err
	}
	out.Meta.LatencyMS = x.api.cfg.Clock.Now().Sub(began).Milliseconds()
	return x.answer(http.StatusOK, out)
}

// conversationOf is the conversation that a console names.
func conversationOf(in api.ChatRequest) domain.ConversationName {
	return domain.ConversationName{Project: in.ProjectID, Session: in.SessionID, User: in.UserID}.FromConsole()
}

// named are the names that a console gives, and of what it leaves out those that events have.
func named(in api.ChatRequest) (project, session, user string) {
	told := conversationOf(in).ToConsole()
	return cmp.Or(in.ProjectID, told.Project), cmp.Or(in.SessionID, told.Session), cmp.Or(in.UserID, told.User)
}

func firstOf(models []string) string {
	if len(models) == 0 {
		return ""
	}
	return models[0]
}

// sayOnce records a message, once if the request has an Idempotency-Key, and returns its id.
func (x *exchange) sayOnce(who commands.Caller, msg domain.MessageReceived, heard message.Heard, body []byte) (domain.ID, error) {
	req, once := x.request("POST /api/chat/send", body)
	if !once {
		return x.api.cfg.Messages.SayHeard(x.r.Context(), who, msg, heard)
	}
	a, err := x.api.cfg.Messages.SayHeardOnce(x.r.Context(), who, msg, heard, req, func(id domain.ID) commands.Answer {
		return commands.Answer{Status: http.StatusOK, Body: []byte(`"` + id.UUID() + `"`)}
	})
	if err != nil {
		return domain.ID{}, err
	}
	if a.Repeated {
		x.w.Header().Set("Idempotent-Replayed", "true")
	}
	return domain.ParseID(string(a.Body[1 : len(a.Body)-1]))
}

// await reads an episode until it ends, or waits for the person's approval, or answerWithin is
// over, and says in out what became of it.
func (x *exchange) await(trace domain.TraceID, out *api.ChatAnswer) error {
	ctx, cancel := context.WithTimeout(x.r.Context(), answerWithin)
	defer cancel()
	const page = 64
	var from domain.Position
	proposed := map[domain.ID]domain.Envelope{} // by invocation
	var order []domain.ID
	for {
		tail := x.api.cfg.Log.Tail()
		records, err := x.api.cfg.Log.Select(ctx, domain.Selector{Trace: trace}, from, page)
		if err != nil && ctx.Err() == nil {
			return err
		}
		for _, rec := range records {
			from = rec.Position + 1
			invocation, _ := domain.InvocationOf(rec.Envelope)
			switch rec.Envelope.Type {
			case domain.ReasoningConcludedType:
				return x.concluded(rec, out)
			case domain.ApprovalProposedType:
				proposed[invocation], order = rec.Envelope, append(order, invocation)
			case domain.ApprovalGrantedType, domain.ApprovalRefusedType, domain.ApprovalExpiredType:
				delete(proposed, invocation)
			}
		}
		switch {
		case len(records) == page:
			continue
		case len(proposed) > 0:
			return x.waitsForApproval(proposed, order, out)
		}
		if _, err := x.api.cfg.Log.Wait(ctx, max(tail, from-1)); err != nil {
			if ctx.Err() == nil || x.r.Context().Err() != nil {
				return err
			}
			out.Open = &api.ChatOpen{Reason: "time", Approvals: []api.ChatApproval{}}
			return nil
		}
	}
}

// waitsForApproval says which calls wait.
func (x *exchange) waitsForApproval(proposed map[domain.ID]domain.Envelope, order []domain.ID, out *api.ChatAnswer) error {
	out.Open = &api.ChatOpen{Reason: "approval", Approvals: []api.ChatApproval{}}
	for _, invocation := range order {
		e, waits := proposed[invocation]
		if !waits {
			continue
		}
		notice, err := domain.ApprovalNotice(e)
		if err != nil && domain.CodeOf(err) != domain.CodeErased {
			return err
		}
		one := api.ChatApproval{ProposalID: api.UUID{ID: e.ID}, InvocationID: api.UUID{ID: invocation}, Summary: notice.Summary, ExpiresAt: notice.ExpiresAt}
		if x.api.cfg.Tokens != nil {
			one.ProposalToken = x.api.cfg.Tokens.Token(e.ID)
		}
		out.Open.Approvals = append(out.Open.Approvals, one)
		out.Response += notice.Summary + ". "
	}
	out.Response += "This waits for your approval: say yes or no."
	return nil
}

// concluded says what Chalie answered.
func (x *exchange) concluded(rec domain.Record, out *api.ChatAnswer) error {
	events, err := domain.ConsoleEvents(x.r.Context(), rec, x.api.cfg.Log)
	if err != nil || len(events) == 0 {
		return err
	}
	e := events[0]
	if e.Type == domain.ConsoleError {
		return &domain.Error{Op: "answer", Category: domain.Dependency, Code: "not_answered", Message: "there is no answer: " + e.Text + "; ask again, or see why with chalie why " + e.ExchangeID.UUID()}
	}
	out.Response = e.Text
	out.Backend, out.Model = domain.ConsoleModel(e.Model)
	if e.Model != "" {
		out.Meta.Provider, out.Meta.Model = out.Backend, out.Model
	}
	out.Meta.TokensEst = e.Tokens
	if out.Meta.TokensEst == 0 {
		const charactersEach = 4
		out.Meta.TokensEst = (len([]rune(e.Text)) + charactersEach - 1) / charactersEach
	}
	return nil
}
