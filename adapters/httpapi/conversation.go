package httpapi

import (
	"encoding/json"
	"math"
	"net/http"
	"slices"

	"chalie/domain"
)

// conversationBody is the answer of GET /conversation/recent.
type conversationBody struct {
	AsOf      *asOf          `json:"as_of,omitempty"` // when at was asked
	ThreadID  *string        `json:"thread_id"`
	Exchanges []exchangeBody `json:"exchanges"` // oldest first
	Total     int            `json:"total"`
	HasMore   bool           `json:"has_more"` // older ones
}

// exchangeBody is one exchange. Its texts are read from the log by reference: a
// projection keeps none.
type exchangeBody struct {
	ID              string         `json:"id"`
	Prompt          string         `json:"prompt"` // "" when they pressed a button, or Chalie spoke of its own accord
	Action          *actionBody    `json:"action"` // null when nothing was pressed
	Blocks          []domain.Block `json:"blocks"` // none while it is under way
	Topic           string         `json:"topic"`
	Timestamp       string         `json:"timestamp"`
	InWorkingMemory bool           `json:"in_working_memory"`
	ImageIDs        []string       `json:"image_ids"`

	// Kind is how Chalie said it: message, notification, escalation or error; "" while
	// it is under way.
	Kind domain.FrameType `json:"kind"`
	*wayBody

	size int // about what it takes in the answer
	read int // and what was read for its steps
}

// actionBody is a button that the person pressed.
type actionBody struct {
	Skill  string          `json:"skill"`
	Label  string          `json:"label"`  // what stood on it; "" when its client didn't say
	Params json.RawMessage `json:"params"` // what the skill was asked with
}

// wayBody is how an answer came about, when steps are asked for.
type wayBody struct {
	Stage     domain.Stage    `json:"stage"`               // how far it is; "" when it has ended
	Steps     []stepBody      `json:"steps"`               // oldest first
	MoreSteps bool            `json:"more_steps"`          // than are listed
	NextSteps domain.Position `json:"next_steps,omitzero"` // from where to ask for them
}

// timestampFormat is RFC 3339 with milliseconds.
const timestampFormat = "2006-01-02T15:04:05.000Z07:00"

// conversation is GET /conversation/recent?limit=&offset=&at=&steps=. Offset counts
// from the latest exchange backwards. There are fewer than limit where they are large;
// those before them come with another offset.
func (x *exchange) conversation() error {
	q, err := x.query()
	if err != nil {
		return err
	}
	limit, err := q.count("limit", 12, 1, 100)
	if err != nil {
		return err
	}
	offset, err := q.count("offset", 0, 0, math.MaxInt32)
	if err != nil {
		return err
	}
	steps, err := q.flag("steps", false)
	if err != nil {
		return err
	}
	then, transcript, err := x.transcript(q)
	if err != nil {
		return err
	}
	exchanges, total, err := transcript.Recent(int(limit), int(offset))
	if err != nil {
		return err
	}
	out := conversationBody{AsOf: then, Exchanges: make([]exchangeBody, 0, len(exchanges)), Total: total}
	if thread, ok := transcript.Thread(); ok {
		out.ThreadID = new(thread.UUID())
	}
	size, read := 0, 0
	for _, e := range slices.Backward(exchanges) {
		if size >= domain.PageBytes || read >= stepBytes {
			break
		}
		body, err := x.told(e)
		if err == nil && steps {
			err = x.tellWay(&body, e, 1, then)
		}
		if err != nil {
			return err
		}
		size, read = size+body.size, read+body.read
		out.Exchanges = append(out.Exchanges, body)
	}
	slices.Reverse(out.Exchanges)
	out.HasMore = int(offset)+len(out.Exchanges) < total
	return x.answer(http.StatusOK, out)
}

// transcript is the conversation as it is, or as it was when at asks about.
func (x *exchange) transcript(q query) (*asOf, Transcript, error) {
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

// told reads what was said in an exchange.
func (x *exchange) told(e domain.Exchange) (exchangeBody, error) {
	body := exchangeBody{
		ID: e.ID.UUID(), Blocks: []domain.Block{}, Timestamp: e.RecordedAt.Time().Format(timestampFormat),
		InWorkingMemory: e.InWorkingMemory, ImageIDs: []string{},
	}
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
	for _, image := range msg.ImageIDs {
		body.ImageIDs = append(body.ImageIDs, image.UUID())
	}
	return nil
}

func (x *exchange) tellAction(body *exchangeBody, id domain.ID) error {
	rec, err := x.api.cfg.Log.Find(x.r.Context(), id)
	if err != nil {
		return err
	}
	action, err := domain.Decode[domain.ActionReceived](rec.Envelope)
	if domain.CodeOf(err) == domain.CodeErased {
		body.Action = &actionBody{Skill: "(erased)", Params: json.RawMessage("{}")}
		return nil
	}
	if err != nil {
		return err
	}
	params, err := action.Params()
	body.size += len(params)
	body.Action = &actionBody{Skill: action.Skill, Label: action.Label, Params: params}
	return err
}

// tellEnd shows what the person was sent when it ended: the conversation read
// later says what it said then.
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

// tellWay shows how the answer came about, or how far it is, from a position on.
func (x *exchange) tellWay(body *exchangeBody, e domain.Exchange, from domain.Position, then *asOf) error {
	t, err := x.trail(domain.TraceID{ID: e.ID}, from, then)
	if err != nil {
		return err
	}
	body.wayBody = &wayBody{Steps: t.steps, MoreSteps: t.next != 0, NextSteps: t.next}
	body.size, body.read = body.size+t.size, t.read
	if e.Conclusion.IsZero() {
		body.Stage = t.stage
		if asked := !e.Prompt.IsZero() || !e.Action.IsZero(); asked && t.stage == "" {
			body.Stage = domain.StageProcessing // an action is told none before it is taken up
		}
	}
	return nil
}
