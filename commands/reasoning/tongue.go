package reasoning

import (
	"cmp"
	"context"

	"chalie/commands"
	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/language/abroad"
	"chalie/domain/language/speech"
)

// conversation is what the words of an answer without a model are chosen by, as a prompt has it: the last thing that
// was said in the conversation, that before it, and where the person was.
func (r *Reasoner) conversation(ctx context.Context, ep *domain.Episode, said openingEvent) (language.Prompt, error) {
	const lately = 2 // messages: a short one is in the language of that before
	recent, err := r.recent(ep, lately)
	if err != nil {
		return language.Prompt{}, err
	}
	var zone string
	var out language.Prompt
	if ep.ByOperator() {
		out.Asked.Text = said.message.Text
	}
	for _, id := range recent {
		rec, m, err := recall[domain.MessageReceived](ctx, r.cfg.Reader, id)
		if err != nil {
			return language.Prompt{}, err
		}
		if m == nil {
			continue
		}
		out.Recent = append(out.Recent, language.Turn{Prompt: m.Text})
		var then domain.Episode
		if err := r.reload(ctx, rec.Envelope.Trace, &then); err != nil {
			return language.Prompt{}, err
		}
		if zone = cmp.Or(m.Zone, zone); m.Zone == "" && then.Started != nil {
			zone = cmp.Or(then.Started.Zone, zone)
		}
	}
	if last := len(out.Recent) - 1; out.Asked.Text == "" && last >= 0 {
		out.Asked.Text, out.Recent = out.Recent[last].Prompt, out.Recent[:last]
	}
	out.Zone = commands.ZoneOf(cmp.Or(said.action.Zone, said.message.Zone, zone))
	return out, nil
}

// inTongue tells what a button did in the language of the conversation, and returns it as text: "" where that is the
// language in which it was recorded, or where only words are known.
func (r *Reasoner) inTongue(ctx context.Context, ep *domain.Episode, said openingEvent, answer domain.Envelope, end *domain.ReasoningConcluded) (string, error) {
	done, err := domain.Decode[domain.ToolCompleted](answer)
	values := speech.Recorded(done.Spoken)
	if domain.CodeOf(err) == domain.CodeErased || err == nil && len(values) == 0 {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	p, err := r.conversation(ctx, ep, said)
	c := abroad.Catalogue(p)
	if err != nil || c.Language == done.Spoken.Language {
		return "", err
	}
	v := speech.Voice{Now: answer.ID.Millis(), Zone: p.Zone}
	end.Blocks, end.Spoken = c.Blocks(values, done.Blocks, v), &domain.Spoken{Language: c.Language, Catalogue: c.Version}
	return c.Plain(values, v), nil
}

// says adds words of Chalie's own to the end of an episode, in the language of its conversation, with what they say and
// with buttons whose labels are said with them.
func (r *Reasoner) says(ctx context.Context, at domain.Millis, ep *domain.Episode, said []speech.Said, buttons []domain.Block, end *domain.ReasoningConcluded) error {
	if len(said) == 0 {
		return nil
	}
	opened, err := openingOf(ep)
	if err != nil {
		return err
	}
	p, err := r.conversation(ctx, ep, opened)
	if err != nil {
		return err
	}
	c := abroad.Catalogue(p)
	end.Blocks = append(end.Blocks, c.Blocks(said, buttons, speech.Voice{Now: at, Zone: p.Zone})...)
	spoken, ok := c.Stored(said)
	if ok && end.Spoken != nil {
		spoken.Said = append(end.Spoken.Said, spoken.Said...)
	}
	if ok {
		end.Spoken = spoken
	}
	return nil
}
