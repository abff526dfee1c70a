package message

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"chalie/commands"
	"chalie/domain"
)

// Config has the dependencies of the message commands. All fields are required.
type Config struct {
	commands.Env
	Conversation commands.Conversation
	Applied      commands.Barrier // of the conversation
}

// Validate returns a validation error about the first field that is wrong.
func (c Config) Validate() error {
	return commands.Complete("configure messages", c)
}

// Messages takes in messages. Answering is Reasoner's: it hears of
// what was appended here.
type Messages struct {
	cfg      Config
	requests *commands.Requests
}

// New checks the configuration.
func New(cfg Config) (*Messages, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	return &Messages{cfg: cfg, requests: commands.NewRequests(cfg.Reader, cfg.Clock, cfg.IDs)}, nil
}

// Say records one message and returns its id, that of its envelope and of the
// exchange it opens.
//
// Errors: validation (an image that was never uploaded included),
// CodeRateLimited, and what domain.Appender returns.
func (m *Messages) Say(ctx context.Context, c commands.Caller, msg domain.MessageReceived) (domain.ID, error) {
	return m.SayHeard(ctx, c, msg, Heard{})
}

// SayHeard is Say for a message that may be what was heard in a recording: then that is its
// parent, so that what comes of it is explained by what was spoken.
func (m *Messages) SayHeard(ctx context.Context, c commands.Caller, msg domain.MessageReceived, heard Heard) (domain.ID, error) {
	entry, err := m.message(ctx, c, msg, heard)
	if err != nil {
		return domain.ID{}, err
	}
	_, err = m.cfg.Log.Append(ctx, domain.Batch{Entries: []domain.Entry{entry}})
	return entry.Envelope.ID, err
}

// SayOnce is Say for a request that carries an Idempotency-Key. answer makes
// what the caller is told, now and on every repeat.
func (m *Messages) SayOnce(ctx context.Context, c commands.Caller, msg domain.MessageReceived, req commands.Request, answer func(domain.ID) commands.Answer) (commands.Answer, error) {
	return m.SayHeardOnce(ctx, c, msg, Heard{}, req, answer)
}

// SayHeardOnce is SayHeard and SayOnce.
func (m *Messages) SayHeardOnce(ctx context.Context, c commands.Caller, msg domain.MessageReceived, heard Heard, req commands.Request, answer func(domain.ID) commands.Answer) (commands.Answer, error) {
	return m.requests.Once(ctx, c, req, func(seal commands.Sealer) (commands.Answer, error) {
		entry, err := m.message(ctx, c, msg, heard)
		if err != nil {
			return commands.Answer{}, err
		}
		a := answer(entry.Envelope.ID)
		batch, err := seal(domain.Batch{Entries: []domain.Entry{entry}}, a)
		if err != nil {
			return commands.Answer{}, err
		}
		_, err = m.cfg.Log.Append(ctx, batch)
		return a, err
	})
}

// SayAs is Say for a command of a program that names its envelopes itself: a message opens
// a trace of its own, whose parent is what caused it; more is what is recorded with it.
func (m *Messages) SayAs(ctx context.Context, c commands.Caller, msg domain.MessageReceived, parent domain.ID, more func(message domain.Envelope) (domain.Entry, error)) (domain.ID, error) {
	entry, err := m.message(ctx, c, msg, Heard{})
	if err != nil {
		return domain.ID{}, err
	}
	entry.Envelope.Parent = parent
	with, err := more(entry.Envelope)
	if err != nil {
		return domain.ID{}, err
	}
	_, err = m.cfg.Log.Append(ctx, domain.Batch{Entries: []domain.Entry{entry, with}})
	return entry.Envelope.ID, err
}

// Act records that a skill was asked for, and returns the id of the episode.
// Whether there is such a skill is for reasoning to say.
func (m *Messages) Act(ctx context.Context, c commands.Caller, action domain.ActionReceived) (domain.ID, error) {
	return m.ActIn(ctx, c, action, domain.ID{})
}

// ActIn is Act by a button of an exchange: what comes of it is said in the conversation that
// the exchange is part of; without one in the default conversation. Errors: also validation,
// when there is no such exchange.
func (m *Messages) ActIn(ctx context.Context, c commands.Caller, action domain.ActionReceived, exchange domain.ID) (domain.ID, error) {
	if err := action.Check(); err != nil {
		return domain.ID{}, err
	}
	var of domain.ConversationID
	if !exchange.IsZero() {
		rec, err := m.cfg.Reader.Find(ctx, exchange)
		if domain.CategoryOf(err) == domain.NotFound {
			return domain.ID{}, domain.Invalid("act", "exchange_id", fmt.Sprintf("there is no exchange %s: use the id of the turn that the button stands in, or leave it out", exchange.UUID()))
		}
		if err != nil {
			return domain.ID{}, err
		}
		of = domain.ConversationOf(rec.Envelope)
	}
	action.Marks = nil // they aren't its sender's to make
	action.Zone = cmp.Or(action.Zone, c.Zone)
	if err := commands.CheckZone("act", action.Zone); err != nil {
		return domain.ID{}, err
	}
	entry, err := opening(m, c, action)
	if err != nil {
		return domain.ID{}, err
	}
	entry.Envelope.Keys = of.Keys()
	_, err = m.cfg.Log.Append(ctx, domain.Batch{Entries: []domain.Entry{entry}})
	return entry.Envelope.ID, err
}

// Steer redirects the latest exchange of the person that is under way, and
// returns its id. Errors: validation, a conflict with CodeNothingUnderWay, and
// what domain.Appender returns.
func (m *Messages) Steer(ctx context.Context, c commands.Caller, text string) (domain.ID, error) {
	steer := domain.SteerReceived{Text: text}
	if err := steer.Check(); err != nil {
		return domain.ID{}, err
	}
	// Who steers has seen that an answer is under way; the fold may not have.
	if err := m.cfg.Applied.WaitFor(ctx, m.cfg.Tail.Tail()); err != nil {
		return domain.ID{}, err
	}
	under, err := m.underWay(ctx)
	if err != nil {
		return domain.ID{}, err
	}
	entry, err := domain.New(domain.Continue(under), m.cfg.IDs.NewID(), m.cfg.Now(), c.Source, steer)
	if err != nil {
		return domain.ID{}, err
	}
	entry.Envelope.Keys = append(domain.ConversationOf(under).Keys(), domain.SteerKey(under.Trace))
	_, err = m.cfg.Log.Append(ctx, domain.Batch{
		Entries:    []domain.Entry{entry},
		Conditions: []domain.Condition{{Key: domain.ConcludedKey(under.Trace)}},
	})
	if domain.CodeOf(err) == domain.CodeConditionFailed {
		return domain.ID{}, nothingUnderWay("steer", toSteer)
	}
	return under.Trace.ID, err
}

// Cancel ends an exchange of the caller's that is under way at its next step, and
// returns its id: the one given, or with none the person's latest. Cancelling again does
// nothing more. Errors: not found, of an id that is no message; a conflict with
// CodeNothingUnderWay; and what domain.Appender returns.
func (m *Messages) Cancel(ctx context.Context, c commands.Caller, exchange domain.ID) (domain.ID, error) {
	under, err := m.toCancel(ctx, c, exchange)
	if err != nil {
		return domain.ID{}, err
	}
	entry, err := domain.New(domain.Continue(under), m.cfg.IDs.NewID(), m.cfg.Now(), c.Source, domain.CancelReceived{})
	if err != nil {
		return domain.ID{}, err
	}
	key := domain.CancelKey(under.Trace)
	entry.Envelope.Keys = append(domain.ConversationOf(under).Keys(), key)
	_, err = m.cfg.Log.Append(ctx, domain.Batch{
		Entries:    []domain.Entry{entry},
		Conditions: []domain.Condition{{Key: domain.ConcludedKey(under.Trace)}, {Key: key}},
	})
	if domain.CodeOf(err) != domain.CodeConditionFailed {
		return under.Trace.ID, err
	}
	ended, err := m.cfg.Reader.Select(ctx, domain.Selector{Key: domain.ConcludedKey(under.Trace)}, 1, 1)
	if err != nil || len(ended) == 0 {
		return under.Trace.ID, err
	}
	return domain.ID{}, nothingUnderWay("cancel", "no answer is under way that could be cancelled")
}

// toCancel is the envelope that opened what is to be cancelled.
func (m *Messages) toCancel(ctx context.Context, c commands.Caller, exchange domain.ID) (domain.Envelope, error) {
	const none = "no answer is under way that could be cancelled"
	if exchange.IsZero() {
		// Who cancels has seen that an answer is under way; the fold may not have.
		if err := m.cfg.Applied.WaitFor(ctx, m.cfg.Tail.Tail()); err != nil {
			return domain.Envelope{}, err
		}
		under, err := m.underWay(ctx)
		if domain.CodeOf(err) == CodeNothingUnderWay {
			err = nothingUnderWay("cancel", none)
		}
		return under, err
	}
	rec, err := m.cfg.Reader.Find(ctx, exchange)
	if err != nil {
		return domain.Envelope{}, err
	}
	e := rec.Envelope
	if e.Type != domain.MessageReceivedType && e.Type != domain.ActionReceivedType || !c.Owns(rec) {
		return domain.Envelope{}, nothingUnderWay("cancel", exchange.UUID()+" is nothing that you asked for: give the exchange_id of a message of yours")
	}
	return e, nil
}

// CodeNothingUnderWay says that there is no answer to redirect.
const CodeNothingUnderWay domain.Code = "nothing_under_way"

const toSteer = "no answer is under way that could be redirected: say it as a message"

func nothingUnderWay(op, message string) error {
	return &domain.Error{Op: op, Category: domain.Conflict, Code: CodeNothingUnderWay, Message: message}
}

// steerable is the number of latest exchanges that are searched for one under way.
const steerable = 32

// underWay is the message of the person's latest exchange without an end, in the default
// conversation: that is where steering comes from.
func (m *Messages) underWay(ctx context.Context) (domain.Envelope, error) {
	exchanges, _, err := m.cfg.Conversation.Recent(domain.ConversationID{}, steerable, 0)
	if err != nil {
		return domain.Envelope{}, err
	}
	for _, x := range slices.Backward(exchanges) {
		if x.Conclusion.IsZero() && !x.Prompt.IsZero() {
			rec, err := m.cfg.Reader.Find(ctx, x.Prompt)
			return rec.Envelope, err
		}
	}
	return domain.Envelope{}, nothingUnderWay("steer", toSteer)
}

// message judges a message and makes its envelope.
func (m *Messages) message(ctx context.Context, c commands.Caller, msg domain.MessageReceived, heard Heard) (domain.Entry, error) {
	if msg.Source == "" {
		msg.Source = c.Name
	}
	msg.Marks = nil // they aren't its sender's to make
	msg.Zone = cmp.Or(msg.Zone, c.Zone)
	if err := commands.CheckZone("say", msg.Zone); err != nil {
		return domain.Entry{}, err
	}
	if msg.ImageIDs == nil {
		msg.ImageIDs = []domain.ID{}
	}
	if err := msg.Check(); err != nil {
		return domain.Entry{}, err
	}
	for _, id := range msg.ImageIDs {
		if err := m.uploaded(ctx, id); err != nil {
			return domain.Entry{}, err
		}
	}
	transcript, err := m.transcript(ctx, c, msg, heard)
	if err != nil {
		return domain.Entry{}, err
	}
	entry, err := opening(m, c, msg)
	entry.Envelope.Parent, entry.Envelope.Keys = transcript, msg.Conversation.ID().Keys()
	return entry, err
}

// uploaded fails when id is not that of an image.
func (m *Messages) uploaded(ctx context.Context, id domain.ID) error {
	rec, err := m.cfg.Reader.Find(ctx, id)
	if err == nil && rec.Envelope.Type == domain.ImageUploadedType || err != nil && domain.CategoryOf(err) != domain.NotFound {
		return err
	}
	return domain.Invalid("say", "image_ids", fmt.Sprintf("no image %s was uploaded: upload it first with POST /chat/image, and use the image_id that answers", id.UUID()))
}

// opening makes the first envelope of an episode.
func opening[P any](m *Messages, c commands.Caller, payload P) (domain.Entry, error) {
	id := m.cfg.IDs.NewID()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, c.Principal), id, m.cfg.Now(), c.Source, payload)
	if err != nil {
		return domain.Entry{}, err
	}
	if size := len(entry.Envelope.Payload.Bytes); size > domain.MaxPayloadBytes {
		return domain.Entry{}, domain.Invalid("say", "", fmt.Sprintf(
			"it takes %d bytes when stored, the bound is %d: shorten the text or the metadata", size, domain.MaxPayloadBytes))
	}
	return entry, nil
}
