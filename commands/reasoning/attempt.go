package reasoning

import (
	"context"
	"fmt"
	"strings"

	"chalie/commands"
	"chalie/domain"
)

// BrokeOff records that the attempt at an episode's next step ran into a bound, so that it counts
// wherever the episode is taken up again. After the last one that is given up. Whoever made the
// step meanwhile was faster, and nothing is recorded.
//
// Errors are those of the log.
func (r *Reasoner) BrokeOff(ctx context.Context, trace domain.TraceID, why *commands.Broken) error {
	ctx = r.cfg.Act(ctx)
	var ep domain.Episode
	if err := r.reload(ctx, trace, &ep); err != nil {
		return err
	}
	move := ep.Next()
	if move == domain.MoveNone || move == domain.MoveWait {
		return nil
	}
	err := makeStep(ctx, r, &ep, latest(&ep), domain.AttemptFailed{Bound: why.Bound, Move: move, TookMS: why.Took.Milliseconds()})
	if domain.CodeOf(err) == domain.CodeConditionFailed {
		return nil
	}
	return err
}

// giveUp ends an episode that can't be read. The person is told which words they were: what they
// said next may be about something else.
func (r *Reasoner) giveUp(ctx context.Context, ep *domain.Episode, said openingEvent) error {
	given, err := domain.New(lineage(ep, ep.Attempts[len(ep.Attempts)-1]), r.cfg.IDs.NewID(), r.cfg.Now(), reasoningSource, domain.ReasoningGivenUp{Attempts: ep.Attempts})
	if err != nil {
		return err
	}
	end := r.ending(ep)
	end.Outcome = domain.OutcomeFailed
	fault := domain.Fault{Code: CodeGivenUp, Category: domain.Dependency, Message: fmt.Sprintf("reading it failed %d times, and the last time it %s; it won't be tried again: say it in fewer or other words", len(ep.Attempts), ep.Bound.Words())}
	if ep.ByOperator() {
		end.Shown, end.Topic = domain.ShownMessage, topicOf(ep)
		end.Blocks = []domain.Block{domain.TextBlock(fmt.Sprintf(
			"I gave up on %s: I tried %d times to read it, and the last time it %s. It won't be tried again; say it in fewer or other words if it still matters.",
			firstWords(ep, said), len(ep.Attempts), ep.Bound.Words()), domain.FormatPlain)}
	}
	entry, err := domain.New(lineage(ep, given.Envelope.ID), r.cfg.IDs.NewID(), r.cfg.Now(), reasoningSource, end)
	if err != nil {
		return err
	}
	entry.Envelope.Errors = []domain.Fault{fault}
	entry.Envelope.Keys = []domain.Key{domain.ConcludedKey(ep.Opening.Envelope.Trace), end.ShownKey()}
	return r.stepAround(ctx, ep, []domain.Entry{given}, entry, nil)
}

// CodeGivenUp says that an episode was ended because its reading ran into a bound.
const CodeGivenUp domain.Code = "given_up"

// Bounds of the words by which the person knows what was given up.
const (
	mostFirstWords = 8
	mostFirstBytes = 80
)

// firstWords are those of an episode's opening, in quotes.
func firstWords(ep *domain.Episode, said openingEvent) string {
	text := said.message.Text
	switch {
	case said.erased:
		return "what you said"
	case ep.IsAction():
		text = said.action.Skill
	}
	words := strings.Fields(domain.Cut(text, 2*mostFirstBytes))
	short := domain.Cut(strings.Join(words[:min(len(words), mostFirstWords)], " "), mostFirstBytes)
	if len(short) < len(strings.TrimSpace(text)) {
		short = strings.TrimSuffix(short, "…") + " …"
	}
	return "“" + short + "”"
}
