package httpapi

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"chalie/adapters/api"
	"chalie/domain"
)

func conversationHandlers() handlers {
	return handlers{"socket": (*exchange).socket, "conversation": (*exchange).conversation, "conversations": (*exchange).conversations, "oneExchange": (*exchange).oneExchange}
}

// exchangeBody is one exchange. Its texts are read from the log by reference: a
// projection keeps none.
type exchangeBody struct {
	api.Exchange
	size int // about its size in the answer
	read int // bytes read for its steps
}

// conversation is GET /conversation/recent?conversation=&limit=&offset=&at=&steps=. Offset counts from
// the latest exchange backwards. A page of large exchanges has fewer than limit; ask for
// the earlier ones with another offset.
func (x *exchange) conversation() error {
	q := x.query()
	limit, offset, steps := q.count("limit"), q.count("offset"), q.flag("steps")
	then, transcript, err := x.transcript(q)
	if err != nil {
		return err
	}
	of, err := x.conversationNamed(transcript, q.values.Get("conversation"))
	if err != nil {
		return err
	}
	exchanges, total, err := transcript.Recent(of, int(limit), int(offset))
	if err != nil {
		return err
	}
	out := api.Conversation{AsOf: then, Exchanges: make([]api.Exchange, 0, len(exchanges)), Total: total}
	if thread, ok := transcript.Thread(of); ok {
		out.ThreadID = &api.UUID{ID: thread}
	}
	size, read := 0, 0
	for _, e := range slices.Backward(exchanges) {
		if size >= domain.PageBytes || read >= stepBytes {
			break
		}
		body, err := x.textsOfExchange(e)
		if err == nil && steps {
			err = x.tellWay(&body, e, 1, then)
		}
		if err != nil {
			return err
		}
		size, read = size+body.size, read+body.read
		out.Exchanges = append(out.Exchanges, body.Exchange)
	}
	slices.Reverse(out.Exchanges)
	out.HasMore = int(offset)+len(out.Exchanges) < total
	return x.answer(http.StatusOK, out)
}

// conversations is GET /api/conversations?at=.
func (x *exchange) conversations() error {
	q := x.query()
	then, transcript, err := x.transcript(q)
	if err != nil {
		return err
	}
	all, err := transcript.Conversations()
	if err != nil {
		return err
	}
	out := api.Conversations{AsOf: then, Conversations: make([]api.OneConversation, 0, min(len(all), api.MaxConversations)), Total: len(all)}
	for _, c := range all[:min(len(all), api.MaxConversations)] {
		name, err := x.nameOf(c)
		if err != nil {
			return err
		}
		one := api.OneConversation{
			Default: c.ID.IsZero(), ConversationName: api.ConversationName(name),
			Exchanges: c.Exchanges, Last: api.Timestamp{Time: c.Last.Time()},
		}
		if !one.Default {
			one.ID = &api.UUID{ID: c.ID.ID}
		}
		out.Conversations = append(out.Conversations, one)
	}
	return x.answer(http.StatusOK, out)
}

// nameOf reads a conversation's name from its first message; the zero name of the default one,
// and where it can't be read any more.
func (x *exchange) nameOf(c domain.Conversation) (domain.ConversationName, error) {
	if c.ID.IsZero() {
		return domain.ConversationName{}, nil
	}
	rec, err := x.api.cfg.Log.Find(x.r.Context(), c.Thread)
	if domain.CategoryOf(err) == domain.NotFound {
		return domain.ConversationName{}, nil
	}
	if err != nil {
		return domain.ConversationName{}, err
	}
	msg, err := domain.Decode[domain.MessageReceived](rec.Envelope)
	if domain.CodeOf(err) == domain.CodeErased {
		err = nil
	}
	return msg.Conversation, err
}

// conversationNamed is the conversation with an id or a session's name, which may have its
// project before it; the default one for "".
func (x *exchange) conversationNamed(transcript Transcript, text string) (domain.ConversationID, error) {
	if text == "" {
		return domain.ConversationID{}, nil
	}
	if id, err := domain.ParseID(text); err == nil {
		return domain.ConversationID{ID: id}, nil
	}
	all, err := transcript.Conversations()
	if err != nil {
		return domain.ConversationID{}, err
	}
	var fitting []domain.Conversation
	for _, c := range all[:min(len(all), api.MaxConversations)] {
		name, err := x.nameOf(c)
		if err != nil {
			return domain.ConversationID{}, err
		}
		if !name.IsZero() && (name.Session == text || name.Project+"/"+name.Session == text) {
			fitting = append(fitting, c)
		}
	}
	const op = "find conversation"
	switch len(fitting) {
	case 0:
		return domain.ConversationID{}, &domain.Error{Op: op, Category: domain.NotFound, Code: "no_conversation", Field: "conversation",
			Message: fmt.Sprintf("there is no conversation %q: GET /api/conversations lists them", clip(text))}
	case 1:
		return fitting[0].ID, nil
	}
	return domain.ConversationID{}, domain.Invalid(op, "conversation", fmt.Sprintf("%d conversations are called %q: give the id of one, as GET /api/conversations lists them", len(fitting), clip(text)))
}

// checkConversation judges the name that a caller gives a conversation. What was begun under a
// name goes on, whatever it is; what is begun has to be told from what goes on.
func (x *exchange) checkConversation(name domain.ConversationName) error {
	_, goesOn := x.api.cfg.Transcript.Thread(name.ID())
	owned := name.Project == domain.ProjectMCP || name.Project == domain.ProjectBrain
	if name.IsZero() || goesOn && !owned {
		return nil
	}
	names, err := x.conversationNames()
	if err != nil {
		return err
	}
	var others []string
	for _, known := range names {
		if known.Project == name.Project && known.User == name.User && known.Session != name.Session {
			others = append(others, known.Session)
		}
	}
	return name.CheckGiven(others...)
}

// checkVoiceSession judges the names that a caller gives what it hears and speaks: as those of
// conversations, and a console may name one that goes on.
func (x *exchange) checkVoiceSession(project, session string) error {
	unfit := domain.ConversationName{Project: project, Session: cmp.Or(session, domain.DefaultConversation)}.CheckGiven()
	if _, console := x.caller.Console(); unfit == nil || !console {
		return unfit
	}
	names, err := x.conversationNames()
	if slices.ContainsFunc(names, func(known domain.ConversationName) bool { return known.Project == project && known.Session == session }) {
		return nil
	}
	return cmp.Or(err, unfit)
}

// conversationNames are those of the latest conversations.
func (x *exchange) conversationNames() ([]domain.ConversationName, error) {
	all, err := x.api.cfg.Transcript.Conversations()
	if err != nil {
		return nil, err
	}
	names := make([]domain.ConversationName, 0, len(all))
	for _, c := range all[:min(len(all), api.MaxConversations)] {
		name, err := x.nameOf(c)
		if err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}

// transcript is the conversations now, or at the moment "at".
func (x *exchange) transcript(q *query) (*api.AsOf, Transcript, error) {
	then, err := x.asOf(q)
	switch {
	case err != nil:
		return nil, nil, err
	case then == nil:
		x.catchUp()
		return nil, x.api.cfg.Transcript, nil
	}
	transcript, err := x.api.cfg.Past.Transcript(x.r.Context(), then.Position)
	return then, transcript, err
}

// textsOfExchange reads the texts of an exchange.
func (x *exchange) textsOfExchange(e domain.Exchange) (exchangeBody, error) {
	body := exchangeBody{Exchange: api.Exchange{
		ID: api.UUID{ID: e.ID}, Blocks: []domain.Block{}, Timestamp: api.Timestamp{Time: e.RecordedAt.Time()},
		InWorkingMemory: e.InWorkingMemory, ImageIDs: []api.UUID{},
	}}
	if !e.Prompt.IsZero() {
		if err := x.tellPrompt(&body, e.Prompt); err != nil {
			return body, err
		}
	}
	if !e.Action.IsZero() {
		if err := x.tellAction(&body, e.Action); err != nil {
			return body, err
		}
	}
	if e.Conclusion.IsZero() {
		return body, nil
	}
	return body, x.tellEnd(&body, e.Conclusion)
}

func (x *exchange) tellPrompt(body *exchangeBody, id domain.ID) error {
	rec, err := x.api.cfg.Log.Find(x.r.Context(), id)
	if err != nil {
		return err
	}
	msg, err := domain.Decode[domain.MessageReceived](rec.Envelope)
	if domain.CodeOf(err) == domain.CodeErased {
		body.Prompt = "(erased)"
		return nil
	}
	if err != nil {
		return err
	}
	body.Prompt = msg.Text
	body.size += len(msg.Text)
	body.ImageIDs = api.UUIDs(msg.ImageIDs)
	return nil
}

func (x *exchange) tellAction(body *exchangeBody, id domain.ID) error {
	rec, err := x.api.cfg.Log.Find(x.r.Context(), id)
	if err != nil {
		return err
	}
	action, err := domain.Decode[domain.ActionReceived](rec.Envelope)
	if domain.CodeOf(err) == domain.CodeErased {
		body.Action = &api.Action{Skill: "(erased)", Params: json.RawMessage("{}")}
		return nil
	}
	if err != nil {
		return err
	}
	params, err := action.Params()
	body.size += len(params)
	body.Action = &api.Action{Skill: action.Skill, Label: action.Label, Params: params}
	return err
}

// tellEnd adds the blocks that the person was sent at the exchange's end, as they were
// then.
func (x *exchange) tellEnd(body *exchangeBody, conclusion domain.ID) error {
	rec, err := x.api.cfg.Log.Find(x.r.Context(), conclusion)
	if err != nil {
		return err
	}
	frames, err := domain.Frames(rec, func(id domain.ID) (domain.Envelope, error) {
		rec, err := x.api.cfg.Log.Find(x.r.Context(), id)
		body.size += rec.Size()
		return rec.Envelope, err
	})
	if err != nil {
		return err
	}
	body.size += rec.Size()
	for _, f := range frames {
		switch f.Type {
		case domain.FrameMessage, domain.FrameNotification, domain.FrameEscalation:
			f = x.rule().Frame(f)
			body.Kind, body.Blocks, body.Topic = f.Type, f.Blocks, f.Topic
		case domain.FrameError:
			body.Kind, body.Blocks = f.Type, []domain.Block{domain.AlertBlock(f.Message, domain.VariantError)}
		}
	}
	return nil
}

// tellWay adds the steps of the answer from a position on.
func (x *exchange) tellWay(body *exchangeBody, e domain.Exchange, from domain.Position, then *api.AsOf) error {
	t, err := x.trail(domain.TraceID{ID: e.ID}, from, then)
	if err != nil {
		return err
	}
	body.Way = &api.Way{Steps: t.steps, MoreSteps: t.next != 0, NextSteps: t.next}
	body.size, body.read = body.size+t.size, t.read
	if e.Conclusion.IsZero() {
		body.Stage = t.stage
		if asked := !e.Prompt.IsZero() || !e.Action.IsZero(); asked && t.stage == "" {
			body.Stage = domain.StageProcessing // an action has no stage before it is taken up
		}
	}
	return nil
}

// lately is how many of the latest exchanges are searched in the transcript; an earlier
// one is read from its trace.
const lately = 100

// oneExchange is GET /api/exchanges/:id?from=, with its steps from a position on. An
// interface's message is an exchange, too: it is no part of the conversation unless
// Chalie mentioned it, but may wait for the person's approval.
func (x *exchange) oneExchange() error {
	id, err := parseID("id", x.params.ByName("id"))
	if err != nil {
		return err
	}
	q := x.query()
	from := q.count("from")
	if q.err != nil {
		return q.err
	}
	x.catchUp()
	e, err := x.find(id)
	if err != nil {
		return err
	}
	body, err := x.textsOfExchange(e)
	if err == nil {
		err = x.tellWay(&body, e, domain.Position(from), nil)
	}
	if err != nil {
		return err
	}
	return x.answer(http.StatusOK, body.Exchange)
}

func (x *exchange) find(id domain.ID) (domain.Exchange, error) {
	latest, _, err := x.api.cfg.Transcript.Recent(domain.ConversationID{}, lately, 0)
	if err != nil {
		return domain.Exchange{}, err
	}
	for _, e := range latest {
		if e.ID == id {
			return e, nil
		}
	}
	return x.ofTrace(domain.TraceID{ID: id})
}

// ofTrace reads an exchange from the beginning and the end of its trace.
func (x *exchange) ofTrace(trace domain.TraceID) (domain.Exchange, error) {
	ctx := x.r.Context()
	out := domain.Exchange{ID: trace.ID}
	first, err := x.api.cfg.Log.Select(ctx, domain.Selector{Trace: trace}, 1, 1)
	if err != nil {
		return out, err
	}
	if len(first) == 0 {
		return out, &domain.Error{Op: "show exchange", Category: domain.NotFound, Code: "no_exchange", Field: "id",
			Message: fmt.Sprintf("there is no exchange %s: GET /conversation/recent lists them", trace.UUID())}
	}
	begun := first[0]
	out.Position, out.RecordedAt = begun.Position, begun.RecordedAt
	if begun.Envelope.Principal == domain.PrincipalOperator {
		switch begun.Envelope.Type {
		case domain.MessageReceivedType:
			out.Prompt = begun.Envelope.ID
		case domain.ActionReceivedType:
			out.Action = begun.Envelope.ID
		}
	}
	end, err := x.api.cfg.Log.Select(ctx, domain.Selector{Key: domain.ConcludedKey(trace)}, 1, 1)
	if err != nil || len(end) == 0 {
		return out, err
	}
	out.Conclusion = end[0].Envelope.ID
	if c, err := domain.ConclusionOf(end[0].Envelope); err == nil {
		out.Reply, out.Outcome = c.Reply, c.Outcome
	}
	return out, nil
}
