package reasoning

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"chalie/commands"
	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/language/speech"
)

// zone is where the person said it, or else was last.
func (e openingEvent) zone(ep *domain.Episode) *time.Location {
	return commands.ZoneOf(cmp.Or(e.message.Zone, ep.Started.Zone))
}

// prompt is what the model is asked by the last call, put together from the log
// by the references of reasoning.started and model.called: asking again after a
// crash, or in a replay, asks the same.
func (r *Reasoner) prompt(ctx context.Context, ep *domain.Episode, said openingEvent) (language.Prompt, error) {
	started, last := ep.Started, ep.LastCall()
	out := language.Prompt{Kind: language.AskedMessage, AsOf: started.AsOf, Zone: said.zone(ep), Asked: asked(ep, said), Out: started.World.LeftOut}
	if ep.Background() {
		out.Kind, out.Surfaces = language.AskedCycle, r.cfg.Params(ctx).World.Surfaces
	}
	for _, fill := range []func(context.Context, *domain.Episode, *language.Prompt) error{
		r.world, r.related, r.turns, r.steers, r.done, r.reproach,
	} {
		if err := fill(ctx, ep, &out); err != nil {
			return language.Prompt{}, err
		}
	}
	out.Tools = r.offered(last.Offered)
	out.Offerable = r.offerable(ep)
	return out, nil
}

// offerable are the tools that a cycle may offer to the person.
func (r *Reasoner) offerable(ep *domain.Episode) []language.Offered {
	model, ok := r.model(ep.LastCall().Model)
	if !ep.Background() || !ok || !unmoved(model) {
		return nil
	}
	var names []string
	for _, o := range r.cfg.Tools.Offers() {
		if !o.IsOwn() {
			names = append(names, o.Name)
		}
	}
	return r.offered(names)
}

// asked is the episode's opening, as the model is shown it.
func asked(ep *domain.Episode, said openingEvent) language.Asked {
	opening := ep.Opening.Envelope
	out := language.Asked{ID: opening.ID, Text: said.message.Text, Source: said.message.Source, Images: len(said.message.ImageIDs), From: opening.Principal, Via: opening.Source}
	topic := said.message.Topic
	if ep.Background() {
		out.Source, topic = said.signal.Source, said.signal.Topic
		if said.signal.Content != nil {
			out.Text = *said.signal.Content
		}
	}
	if topic != nil {
		out.Topic = *topic
	}
	if !ep.ByOperator() {
		out.Flags = said.message.Marks.Warnings()
	}
	if string(said.message.Metadata) != "null" {
		out.Metadata = said.message.Metadata
	}
	return out
}

// world is the world state with its texts.
func (r *Reasoner) world(ctx context.Context, ep *domain.Episode, p *language.Prompt) error {
	for _, item := range ep.Started.World.Items {
		if shown, err := r.shows(ctx, ep, item); err != nil || !shown {
			if err != nil {
				return err
			}
			continue
		}
		in, err := r.cfg.Mind.Recall(ctx, item)
		if err != nil {
			return err
		}
		p.World = append(p.World, in)
	}
	return nil
}

// related adds the signals that bear on plans, with the words both share.
func (r *Reasoner) related(ctx context.Context, ep *domain.Episode, p *language.Prompt) error {
	listed := map[domain.ID]domain.SeenItem{}
	for _, item := range slices.Concat(ep.Started.World.LeftOut, ep.Started.World.Items) {
		listed[item.EnvelopeID] = item
	}
	recalled := map[domain.ID]language.ContextItem{} // most of it bears on more than one thing
	recall := func(id domain.ID) (language.ContextItem, error) {
		if in, ok := recalled[id]; ok {
			return in, nil
		}
		item, ok := listed[id]
		if !ok {
			item = domain.SeenItem{EnvelopeID: id}
		}
		in, err := r.cfg.Mind.Recall(ctx, item)
		recalled[id] = in
		return in, err
	}
	known, err := r.standing(ctx, ep)
	if err != nil {
		return err
	}
	for i, rel := range ep.Started.Relations {
		if shown, err := r.showsBoth(ctx, ep, rel); err != nil || !shown {
			if err != nil {
				return err
			}
			continue
		}
		signal, err := recall(rel.Signal)
		if err != nil {
			return err
		}
		commitment, err := recall(rel.Commitment)
		if err != nil {
			return err
		}
		p.Related = append(p.Related, language.Related{Signal: signal, Commitment: commitment, Score: rel.Score,
			Shared: r.cfg.Mind.Shared(signal, commitment, ep.Started.Zone), Known: known[i]})
	}
	return nil
}

// standing is what is known of each relation in a cycle, which is to tell only news.
func (r *Reasoner) standing(ctx context.Context, ep *domain.Episode) ([]domain.Gate, error) {
	if !ep.Background() || r.cfg.Notices == nil {
		return make([]domain.Gate, len(ep.Started.Relations)), nil
	}
	return r.cfg.Notices.Standing(ctx, ep.Started.AsOf, ep.Started.Relations)
}

// shows reports whether a call shows an item: the person's own, and of others' what
// was marked. A call from before words were marked showed everything.
func (r *Reasoner) shows(ctx context.Context, ep *domain.Episode, item domain.SeenItem) (bool, error) {
	last := ep.LastCall()
	if !last.Marked {
		return true, nil
	}
	words, foreign, err := r.whose(ctx, item)
	return !foreign || slices.Contains(last.Shown, words), err
}

func (r *Reasoner) showsBoth(ctx context.Context, ep *domain.Episode, rel domain.SeenRelation) (bool, error) {
	shown, err := r.shows(ctx, ep, ep.Started.Seen(rel.Signal))
	if err != nil || !shown {
		return false, err
	}
	return r.shows(ctx, ep, ep.Started.Seen(rel.Commitment))
}

// turns is the working memory. What was said with words of others is left out unless
// the call shows it.
func (r *Reasoner) turns(ctx context.Context, ep *domain.Episode, p *language.Prompt) error {
	last := ep.LastCall()
	var ends []domain.Position
	for i, id := range ep.Started.Recent {
		turn, err := r.turn(ctx, id)
		if err != nil {
			return err
		}
		ends = append(ends, turn.end)
		if i == len(ep.Started.Recent)-1 {
			if turn.Pressed, err = r.pressed(ctx, ep, turn.end); err != nil {
				return err
			}
		}
		if last.Marked && turn.prompt != nil && !slices.Contains(last.Shown, *turn.prompt) {
			continue
		}
		if last.Marked && turn.reply != nil && !slices.Contains(last.Shown, *turn.reply) {
			turn.Reply, turn.Said, turn.Done = "", nil, nil
		}
		turn.Foreign = turn.reply != nil
		p.Recent = append(p.Recent, turn.Turn)
	}
	var err error
	p.Unasked, err = r.unasked(ctx, ep, ends)
	return err
}

// maxTurnReply bounds what of an earlier reply a model is told, in bytes.
const maxTurnReply = 1 << 10

// saidIn is the answer of an episode, by its end, in words and as far as they are known its values; "" for
// none.
func (r *Reasoner) saidIn(ctx context.Context, end domain.Record) (words string, values []speech.Said, err error) {
	said, err := domain.SaidIn(end.Envelope, func(id domain.ID) (domain.Envelope, error) {
		rec, err := r.cfg.Reader.Find(ctx, id)
		return rec.Envelope, err
	})
	if domain.CodeOf(err) == domain.CodeErased || domain.CategoryOf(err) == domain.NotFound {
		return commands.ErasedText, nil, nil
	}
	return domain.Cut(domain.PlainText(said.Blocks), maxTurnReply), speech.Recorded(said.Spoken), err
}

// steers adds the person's steers that the call takes up.
func (r *Reasoner) steers(ctx context.Context, ep *domain.Episode, p *language.Prompt) error {
	for _, id := range ep.LastCall().Steers {
		_, s, err := recall[domain.SteerReceived](ctx, r.cfg.Reader, id)
		if err != nil {
			return err
		}
		p.Steers = append(p.Steers, textOr(s, func(s domain.SteerReceived) string { return s.Text }))
	}
	return nil
}

// done adds the tool calls so far, with their results.
func (r *Reasoner) done(ctx context.Context, ep *domain.Episode, p *language.Prompt) error {
	var err error
	p.Done, err = r.doneIn(ctx, ep)
	return err
}

// reproach adds a check's findings, and the reason why another model answers.
func (r *Reasoner) reproach(ctx context.Context, ep *domain.Episode, p *language.Prompt) error {
	last := ep.LastCall()
	if !last.Check.IsZero() {
		_, v, err := recall[domain.AnswerVerified](ctx, r.cfg.Reader, last.Check)
		if err != nil {
			return err
		}
		if v != nil {
			p.Issues = v.Issues
		}
	}
	if !last.Instead.IsZero() {
		rec, _, err := recall[domain.ModelFailed](ctx, r.cfg.Reader, last.Instead)
		if err != nil {
			return err
		}
		p.Instead = "it gave no answer"
		if len(rec.Envelope.Errors) > 0 {
			p.Instead = rec.Envelope.Errors[0].Message
		}
	}
	return nil
}

// offered are those of the tools named that can still be called.
func (r *Reasoner) offered(names []string) []language.Offered {
	var out []language.Offered
	if len(names) == 0 {
		return nil
	}
	for _, o := range r.cfg.Tools.Offers() {
		if slices.Contains(names, o.Name) {
			m := r.cfg.Tools.Manifest(o)
			out = append(out, language.Offered{Name: o.Name, Interface: o.Interface.Name, Description: o.Tool.Description, Documentation: o.Tool.Documentation,
				Parameters: o.Tool.Parameters, Schema: o.Tool.Schema, SideEffects: m.SideEffects, Asks: m.Asks(), Flags: o.Tool.Warnings()})
		}
	}
	return out
}

// recall reads an envelope by reference; nil when its text was erased, or the
// envelope itself is no longer kept.
func recall[P any](ctx context.Context, log domain.Reader, id domain.ID) (domain.Record, *P, error) {
	rec, err := log.Find(ctx, id)
	if domain.CategoryOf(err) == domain.NotFound {
		return domain.Record{}, nil, nil
	}
	if err != nil {
		return domain.Record{}, nil, err
	}
	p, err := domain.Decode[P](rec.Envelope)
	if domain.CodeOf(err) == domain.CodeErased {
		return rec, nil, nil
	}
	return rec, &p, err
}

func textOr[P any](p *P, text func(P) string) string {
	if p == nil {
		return commands.ErasedText
	}
	return text(*p)
}

// doneIn are the tool calls of an episode with their results, oldest first.
func (r *Reasoner) doneIn(ctx context.Context, ep *domain.Episode) ([]language.Done, error) {
	var out []language.Done
	for _, called := range ep.Calls {
		for i, made := range called.Tools {
			if made.State != domain.CallEnded {
				continue
			}
			done := language.Done{Outcome: made.Outcome, End: made.End, Call: domain.ToolCall{Tool: commands.ErasedText}}
			if i < len(called.Reply.ToolCalls) {
				done.Call = called.Reply.ToolCalls[i]
			}
			var err error
			if done.Own, err = r.isOwnCall(ctx, made); err != nil {
				return nil, err
			}
			if err := r.result(ctx, &done, made.Format); err != nil {
				return nil, err
			}
			out = append(out, done)
		}
	}
	return out, nil
}

// result reads the result of a call from the envelope of its end, and what a check
// of its format found, if there was one.
func (r *Reasoner) result(ctx context.Context, done *language.Done, format domain.ID) error {
	if !format.IsZero() {
		_, checked, err := recall[domain.ToolVerified](ctx, r.cfg.Reader, format)
		if err != nil {
			return err
		}
		if checked != nil && !checked.Passed {
			done.Issues = checked.InWords()
		}
	}
	rec, err := r.cfg.Reader.Find(ctx, done.End)
	if domain.CategoryOf(err) == domain.NotFound {
		done.Error = commands.ErasedText
		return nil
	}
	if err != nil {
		return err
	}
	if len(rec.Envelope.Errors) > 0 {
		done.Error, done.Code = rec.Envelope.Errors[0].Message, rec.Envelope.Errors[0].Code
	}
	if rec.Envelope.Type == domain.CallRejectedType {
		rejected, err := domain.Decode[domain.CallRejected](rec.Envelope)
		if err == nil {
			done.Error = rejected.InWords()
		}
		if domain.CodeOf(err) == domain.CodeErased {
			return nil
		}
		return err
	}
	if rec.Envelope.Type != domain.ToolCompletedType {
		return nil
	}
	answer, err := domain.Decode[domain.ToolCompleted](rec.Envelope)
	if domain.CodeOf(err) == domain.CodeErased {
		done.Text = commands.ErasedText
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
	done.Said = speech.Recorded(answer.Spoken)
	return nil
}

// verification is the answer that the episode is about to give, to be judged.
func (r *Reasoner) verification(ctx context.Context, ep *domain.Episode, said openingEvent) (Verification, error) {
	var p language.Prompt
	if err := r.steers(ctx, ep, &p); err != nil {
		return Verification{}, err
	}
	done, err := r.doneIn(ctx, ep)
	if err != nil {
		return Verification{}, err
	}
	task := said.message.Text
	if said.erased {
		task = commands.ErasedText
	}
	return Verification{
		Task:   strings.Join(slices.Concat([]string{task}, p.Steers), "\n"),
		Answer: domain.PlainText(ep.LastCall().Reply.Blocks), Done: done,
	}, nil
}
