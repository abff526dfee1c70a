package reasoning

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/speech"
)

// reasoningSource is the emitter of an episode's steps.
const reasoningSource domain.Source = "reasoning"

// maxRelations bounds those that an episode starts with.
const maxRelations = 64

// start fixes the ground: the moment, and by reference the world state and what
// was said before. A plain yes or no needs none: it is an answer to a question.
func (r *Reasoner) start(ctx context.Context, ep *domain.Episode, said openingEvent) error {
	if r.cfg.Approvals != nil && ep.ByOperator() {
		spoken, err := r.cfg.Approvals.Ask(ctx, r.caller(ep), ep.Opening, said.message.Text)
		if err != nil {
			return err
		}
		if spoken.Handled {
			return r.sayPlainly(ctx, ep, spoken)
		}
	}
	now := r.cfg.Now()
	ground, err := r.cfg.Mind.Ground(ctx, now, ep.Opening.Envelope.ID)
	if err != nil {
		return err
	}
	if apart(ep, said) {
		ground = ContextSnapshot{Params: ground.Params, Through: ground.Through}
	}
	params := ground.Params // of the same moment as the world
	recent, err := r.recent(ep, params.Memory)
	if apart(ep, said) {
		recent, err = r.recentApart(ctx, ep, now, params.Memory)
	}
	if err != nil {
		return err
	}
	started := domain.ReasoningStarted{
		AsOf: now, Zone: ground.Zone, World: domain.SeenIn(ground.Assembly, ground.Through), Recent: recent,
		Relations: append([]domain.SeenRelation{}, ground.Relations[:min(len(ground.Relations), maxRelations)]...),
		Found:     ground.Found, Models: []string{}, Limits: params.Limits, Rules: r.cfg.Rules(params), Build: r.cfg.Build,
	}
	for _, m := range r.cfg.Models {
		started.Models = append(started.Models, m.Name())
	}
	if i := slices.Index(started.Models, said.message.Model); i > 0 {
		started.Models = slices.Insert(slices.Delete(started.Models, i, i+1), 0, said.message.Model)
	}
	if r.cfg.Verifier != nil {
		started.Verifier = r.cfg.Verifier.Name()
	}
	if len(ground.News) == 0 {
		return makeStep(ctx, r, ep, ep.Opening.Envelope.ID, started)
	}
	id, found := r.cfg.IDs.NewID(), r.cfg.IDs.NewID()
	started.Found = found
	step, err := domain.New(lineage(ep, ep.Opening.Envelope.ID), id, r.cfg.Now(), reasoningSource, started)
	if err != nil {
		return err
	}
	reasons, err := domain.New(lineage(ep, id), found, r.cfg.Now(), reasoningSource, domain.RelationsFound{Signals: ground.News, Before: ground.Found})
	if err != nil {
		return err
	}
	return r.stepWith(ctx, ep, step, []domain.Entry{reasons})
}

// apart reports whether an episode's answer goes back to a program that may read nothing of its person's: what
// the program asks is answered from its own conversation and general knowledge.
func apart(ep *domain.Episode, said openingEvent) bool {
	return ep.Opening.Envelope.Type == domain.MessageReceivedType && !ep.ByOperator() && said.message.Conversation.Project == domain.ProjectBrain
}

// lookBack bounds how many of the latest exchanges are gone through for those
// in working memory: interfaces may have said a lot since the person last spoke.
const lookBack = 1024

// recent are the messages of the last concluded exchanges of its conversation before this
// one, at most so many, oldest first.
func (r *Reasoner) recent(ep *domain.Episode, most int) ([]domain.ID, error) {
	const page = 32
	out := []domain.ID{}
	before, in := ep.Opening.Position, domain.ConversationOf(ep.Opening.Envelope)
	for offset := 0; offset < lookBack; offset += page {
		exchanges, _, err := r.cfg.Conversation.Recent(in, page, offset)
		if err != nil {
			return nil, err
		}
		for _, x := range slices.Backward(exchanges) {
			// New ones move the pages: an exchange may come twice.
			if x.Position >= before {
				continue
			}
			before = x.Position
			if !x.Prompt.IsZero() && !x.Conclusion.IsZero() {
				out = append(out, x.Prompt)
			}
			if len(out) == most {
				slices.Reverse(out)
				return out, nil
			}
		}
		if len(exchanges) < page {
			break
		}
	}
	slices.Reverse(out)
	return out, nil
}

// A program's conversation is looked back on so far. One that has more in that time isn't looked back on.
const (
	apartFor  = 24 * time.Hour
	apartMost = 1 << 12 // records
)

// recentApart is recent of a program's own conversation. It is read from the log, because the transcript
// has what the person said and was told, and whether they were told is theirs.
func (r *Reasoner) recentApart(ctx context.Context, ep *domain.Episode, now domain.Millis, most int) ([]domain.ID, error) {
	from, err := r.cfg.Reader.Since(ctx, now.Add(-apartFor))
	if err != nil {
		return nil, err
	}
	out, said := []domain.ID{}, map[domain.TraceID]domain.ID{}
	looked, err := domain.Look(ctx, r.cfg.Reader, domain.Selector{Key: domain.ConversationOf(ep.Opening.Envelope).Keys()[0]}, from, apartMost, func(rec domain.Record) {
		e := rec.Envelope
		switch {
		case rec.Position >= ep.Opening.Position || e.Principal != ep.Opening.Envelope.Principal:
		case e.Type == domain.MessageReceivedType:
			said[e.Trace] = e.ID
		case e.Type == domain.ReasoningConcludedType && !said[e.Trace].IsZero():
			out = append(out, said[e.Trace])
		}
	})
	if err != nil || looked >= apartMost {
		return []domain.ID{}, err
	}
	return out[max(0, len(out)-most):], nil
}

// resume notes that a cycle continues after it made room.
func (r *Reasoner) resume(ctx context.Context, ep *domain.Episode) error {
	return makeStep(ctx, r, ep, ep.Yielded, domain.ReasoningResumed{})
}

// makeStep appends one step, of one event.
func makeStep[P any](ctx context.Context, r *Reasoner, ep *domain.Episode, cause domain.ID, payload P) error {
	entry, err := domain.New(lineage(ep, cause), r.cfg.IDs.NewID(), r.cfg.Now(), reasoningSource, payload)
	if err != nil {
		return err
	}
	return r.step(ctx, ep, entry)
}

// step appends one step, on the condition that nobody has made it, and the
// further ones given.
func (r *Reasoner) step(ctx context.Context, ep *domain.Episode, entry domain.Entry, further ...domain.Condition) error {
	return r.stepWith(ctx, ep, entry, nil, further...)
}

// stepWith appends one step with entries that belong behind it.
func (r *Reasoner) stepWith(ctx context.Context, ep *domain.Episode, entry domain.Entry, with []domain.Entry, further ...domain.Condition) error {
	return r.stepAround(ctx, ep, nil, entry, with, further...)
}

// stepAround appends one step with entries that belong before it and behind it.
func (r *Reasoner) stepAround(ctx context.Context, ep *domain.Episode, before []domain.Entry, entry domain.Entry, with []domain.Entry, further ...domain.Condition) error {
	key := domain.StepKey(ep.Opening.Envelope.Trace, ep.Steps+1)
	entry.Envelope.Keys = append(entry.Envelope.Keys, key)
	entry.Envelope.Keys = append(entry.Envelope.Keys, domain.ConversationOf(ep.Opening.Envelope).Keys()...)
	if ep.Background() {
		entry.Envelope.Keys = append(entry.Envelope.Keys, domain.UnaskedKey)
	}
	return r.append(ctx, domain.Batch{
		Entries:    slices.Concat(before, []domain.Entry{entry}, with),
		Conditions: append([]domain.Condition{{Key: key}}, further...),
	})
}

// append appends a batch, and once more with the same ids when nobody knows
// whether it is in the log.
func (r *Reasoner) append(ctx context.Context, b domain.Batch) error {
	const attempts = 3
	var err error
	for range attempts {
		_, err = r.cfg.Log.Append(ctx, b)
		if domain.CodeOf(err) != domain.CodeOutcomeUnknown || ctx.Err() != nil {
			return err
		}
	}
	return err
}

// lineage is that of a step that cause, in the same episode, made necessary.
func lineage(ep *domain.Episode, cause domain.ID) domain.Lineage {
	lin := domain.Continue(ep.Opening.Envelope)
	lin.Parent = cause
	return lin
}

func givenUp(ctx context.Context) error {
	return &domain.Error{Op: "answer", Category: domain.Dependency, Code: "cancelled", Retriable: true,
		Message: "answering was given up before its end; it goes on when it is called again", Err: context.Cause(ctx)}
}

// openingEvent is what opened an episode: a message, an action, or a signal of the
// background's.
type openingEvent struct {
	message domain.MessageReceived
	action  domain.ActionReceived
	signal  domain.SpineSignalEmitted
	erased  bool // it can no longer be read
}

// openingOf reads what opened an episode. The error is CodeUndecodable.
func openingOf(ep *domain.Episode) (openingEvent, error) {
	var out openingEvent
	var err error
	switch env := ep.Opening.Envelope; env.Type {
	case domain.ActionReceivedType:
		out.action, err = domain.Decode[domain.ActionReceived](env)
	case domain.SpineSignalEmittedType:
		out.signal, err = domain.Decode[domain.SpineSignalEmitted](env)
	default:
		out.message, err = domain.Decode[domain.MessageReceived](env)
	}
	if domain.CodeOf(err) == domain.CodeErased {
		return openingEvent{erased: true}, nil
	}
	return out, err
}

// needsOpening reports whether a move needs the content of the episode's opening. Begun moves
// end without it, and a cycle looks at the world alone.
func needsOpening(ep *domain.Episode, move domain.Move) bool {
	switch move {
	case domain.MoveConclude, domain.MoveResume, domain.MoveVerify, domain.MoveGiveUp:
		return false
	case domain.MoveTool:
		return ep.IsAction() && ep.Action.State == domain.CallOpen
	}
	return !ep.Background()
}

func (o openingEvent) erasedFault(ep *domain.Episode) domain.Fault {
	fault := domain.Fault{Code: domain.CodeErased, Category: domain.NotFound,
		Message: "what was said was erased before it was answered: say it again if it still matters"}
	if ep.IsAction() {
		fault.Message = "what was asked for was erased before it was done: ask again if it still matters"
	}
	return fault
}

// roleAsked is the role of what opened an episode in the evidence of its end,
// roleUsed that of what a tool answered.
const (
	roleAsked = "asked"
	roleUsed  = "used"
)

// conclude ends an episode: why depends on how far it has come.
func (r *Reasoner) conclude(ctx context.Context, ep *domain.Episode, said openingEvent) error {
	last := ep.LastCall()
	switch {
	case !ep.Cancel.IsZero():
		return r.stop(ctx, ep)
	case !ep.Yielded.IsZero():
		end := r.ending(ep)
		end.Outcome = domain.OutcomeYielded
		return r.end(ctx, ep, ep.Yielded, end, nil)
	case ep.IsAction():
		return r.concludeAction(ctx, ep, said)
	case last == nil || !last.Failed.IsZero():
		return r.failedByModel(ctx, ep)
	}
	if _, _, open := ep.OpenCall(); open || len(last.Tools) > 0 && !last.Erased {
		why, _ := ep.Exhausted()
		return r.fail(ctx, ep, domain.Fault{Code: "limit_reached", Category: domain.Policy,
			Message: fmt.Sprintf("it was stopped %s, before there was an answer: ask for less at once", why)})
	}
	return r.tell(ctx, ep)
}

// stop ends an episode that the person cancelled. Who waits for it is told.
func (r *Reasoner) stop(ctx context.Context, ep *domain.Episode) error {
	if made, waits := ep.Waiting(); waits && r.cfg.Approvals != nil {
		cancel, err := r.cfg.Reader.Find(ctx, ep.Cancel)
		if err != nil {
			return err
		}
		return r.cfg.Approvals.Withdraw(ctx, r.caller(ep), made.Invocation, cancel.Envelope)
	}
	end := r.ending(ep)
	end.Outcome, end.Shown, end.Topic = domain.OutcomeCancelled, domain.ShownMessage, topicOf(ep)
	end.Blocks = append(end.Blocks, soFar(ep)...)
	stopped := []speech.Said{{As: speech.Told, Says: []speech.Message{{ID: "stopped"}}}}
	if err := r.says(ctx, r.cfg.Now(), ep, stopped, nil, &end); err != nil {
		return err
	}
	return r.end(ctx, ep, ep.Cancel, end, nil)
}

// concludeAction shows what a button did.
func (r *Reasoner) concludeAction(ctx context.Context, ep *domain.Episode, said openingEvent) error {
	rec, err := r.cfg.Reader.Find(ctx, ep.Action.End)
	if err != nil {
		return err
	}
	end := r.ending(ep)
	plain := ""
	if rec.Envelope.Type == domain.ToolCompletedType {
		if plain, err = r.inTongue(ctx, ep, said, rec.Envelope, &end); err != nil {
			return err
		}
	}
	if rec.Envelope.Type != domain.ToolCompletedType || len(rec.Envelope.Errors) > 0 && !saysMore(rec.Envelope) {
		fault := domain.Fault{Code: "not_done", Category: domain.Dependency, Message: "it was not done"}
		if len(rec.Envelope.Errors) > 0 {
			fault = rec.Envelope.Errors[0]
			fault.Message = cmp.Or(domain.Cut(plain, commands.MaxFaultBytes), fault.Message)
		}
		return r.fail(ctx, ep, fault)
	}
	end.Outcome, end.Shown, end.Reply, end.Topic = domain.OutcomeResponded, domain.ShownMessage, rec.Envelope.ID, domain.Cut(said.action.Skill, domain.MaxTopicHintBytes)
	end.Evidence = append(end.Evidence, domain.Evidence{EnvelopeID: rec.Envelope.ID, Role: roleUsed, Weight: domain.One})
	return r.end(ctx, ep, rec.Envelope.ID, end, nil)
}

// saysMore reports whether a tool says anything beside why it failed, or has buttons to go on
// with: the person is told that, too.
func saysMore(answer domain.Envelope) bool {
	done, err := domain.Decode[domain.ToolCompleted](answer)
	if err != nil || done.Error == nil {
		return false
	}
	why := *done.Error
	done.Error = nil
	shown := domain.AnswerBlocks(done)
	return domain.PlainText(shown) != why && len(shown) > 0 || slices.ContainsFunc(shown, func(b domain.Block) bool { return b["type"] == "actions" })
}

// failedByModel ends an episode that no model answers.
func (r *Reasoner) failedByModel(ctx context.Context, ep *domain.Episode) error {
	fault := domain.Fault{Code: "model_failed", Category: domain.Dependency, Message: "no model gave an answer: ask again"}
	if n := len(ep.Failures); n > 0 {
		rec, err := r.cfg.Reader.Find(ctx, ep.Failures[n-1])
		if err != nil {
			return err
		}
		if len(rec.Envelope.Errors) > 0 {
			fault = rec.Envelope.Errors[0]
		}
	}
	return r.fail(ctx, ep, fault)
}

// sayPlainly ends an episode with an answer that took no model.
func (r *Reasoner) sayPlainly(ctx context.Context, ep *domain.Episode, spoken tool.Spoken) error {
	end := r.ending(ep)
	end.Outcome, end.Shown, end.Topic, end.Blocks = domain.OutcomeResponded, domain.ShownMessage, topicOf(ep), spoken.Blocks
	end.Evidence = append(end.Evidence, spoken.Evidence...)
	return r.end(ctx, ep, ep.Opening.Envelope.ID, end, nil)
}

// fail ends an episode without an answer. A steer doesn't hold it up: it can't
// make good what failed.
func (r *Reasoner) fail(ctx context.Context, ep *domain.Episode, fault domain.Fault) error {
	end := r.ending(ep)
	end.Outcome = domain.OutcomeFailed
	return r.end(ctx, ep, latest(ep), end, []domain.Fault{fault})
}

func (r *Reasoner) end(ctx context.Context, ep *domain.Episode, cause domain.ID, end domain.ReasoningConcluded, faults []domain.Fault) error {
	return r.endAt(ctx, r.cfg.Now(), ep, cause, end, faults)
}

// endAt ends an episode at the moment by which it was judged: a replay has no other clock than
// the record's.
func (r *Reasoner) endAt(ctx context.Context, at domain.Millis, ep *domain.Episode, cause domain.ID, end domain.ReasoningConcluded, faults []domain.Fault, further ...domain.Condition) error {
	entry, err := domain.New(lineage(ep, cause), r.cfg.IDs.NewID(), at, reasoningSource, end)
	if err != nil {
		return err
	}
	entry.Envelope.Errors = faults
	entry.Envelope.Keys = []domain.Key{domain.ConcludedKey(ep.Opening.Envelope.Trace), end.ShownKey()}
	return r.step(ctx, ep, entry, further...)
}

// ending is the part that all ends share.
func (r *Reasoner) ending(ep *domain.Episode) domain.ReasoningConcluded {
	return domain.ReasoningConcluded{
		// The clock may have gone back, or be another machine's.
		DurationMS: max(0, int64(r.cfg.Now()-ep.Opening.Clock())),
		Evidence:   []domain.Evidence{{EnvelopeID: ep.Opening.Envelope.ID, Role: roleAsked, Weight: domain.One}},
		Rejected:   []domain.Rejected{},
		Findings:   []int{},
		Blocks:     []domain.Block{},
	}
}

// topicOf is the topic of an end in words of Chalie's own: the latest that the
// conversation had.
func topicOf(ep *domain.Episode) string {
	for _, called := range slices.Backward(ep.Calls) {
		if topic := called.Reply.Topic; topic != "" {
			return topic
		}
	}
	return "general"
}

// latest is the last step of an episode, or its opening.
func latest(ep *domain.Episode) domain.ID {
	last := ep.LastCall()
	switch {
	case ep.IsAction() && !ep.Action.End.IsZero():
		return ep.Action.End
	case last != nil && !last.Failed.IsZero():
		return last.Failed
	case last != nil && len(last.Tools) > 0 && !last.Tools[len(last.Tools)-1].End.IsZero():
		return last.Tools[len(last.Tools)-1].End
	case last != nil && !last.ReplyID.IsZero():
		return last.ReplyID
	case last != nil:
		return last.ID
	case ep.Started != nil:
		return ep.StartedID
	}
	return ep.Opening.Envelope.ID
}
