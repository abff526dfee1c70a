package replay

import (
	"context"
	"errors"
	"fmt"

	"chalie/domain"
	"chalie/replay/narrate"
)

// tell puts the answer into sentences: what became of it, each decision with what
// stopped it there, what would have had to be otherwise, and what isn't known.
func (s *silent) tell(ctx context.Context) error {
	for i := range s.out.Considered {
		if err := s.word(ctx, &s.out.Considered[i]); err != nil {
			return err
		}
		c := &s.out.Considered[i]
		c.said = c.phrase().Cut(maxWords)
		c.Words, c.Parts = c.said.String(), c.said.Parts()
	}
	verdict, err := s.verdict(ctx)
	if err != nil {
		return err
	}
	said := []narrate.Phrase{verdict}
	said = append(said, s.before...)
	told, err := s.decided(ctx)
	if err != nil {
		return err
	}
	said = append(said, told...)
	said = append(said, s.after...)
	said = append(said, s.changed()...)
	if s.target.Envelope.Payload.Encoding == domain.EncodingErased {
		said = append(said, narrate.Words("What it said is erased, so that only its place and its numbers are known."))
	}
	if s.out.Cut {
		said = append(said, narrate.Words("There are more decisions than were looked at."))
	}
	s.out.Sentences, s.out.Parts = narrate.Sentences(said)
	return nil
}

// phrase is what is said of a decision.
func (c *Considered) phrase() narrate.Phrase {
	if len(c.said) > 0 {
		return c.said
	}
	return narrate.Words(c.Words)
}

// maxWords bounds what is said of one decision, in characters.
const maxWords = 480

// verdict is what became of it.
func (s *silent) verdict(ctx context.Context) (narrate.Phrase, error) {
	what := s.subject()
	isTool := s.target.Topic == domain.TopicTools || s.named != ""
	why, err := s.asking(ctx)
	if err != nil {
		return nil, err
	}
	switch surfaced := !s.out.Surfaced.IsZero(); {
	case isTool && surfaced:
		return narrate.Sayf("%s was used after all; %s.", what, why), nil
	case isTool && s.out.Never == NeverAsked:
		return narrate.Sayf("%s was not used: nothing has asked for it.", what), nil
	case isTool && len(s.out.Considered) == 0:
		return narrate.Sayf("%s was not used lately.", what), nil
	case isTool:
		return narrate.Sayf("%s was not used.", what), nil
	case s.failedAloud():
		return narrate.Sayf("%s was not answered, and you were told so.", what), nil
	case surfaced && s.asks():
		return narrate.Sayf("%s was answered; %s.", what, why), nil
	case surfaced && s.target.Envelope.Type == domain.SpineSignalEmittedType:
		return narrate.Sayf("%s, and told you what it found; %s.", what, why), nil
	case surfaced:
		return narrate.Sayf("You were told of %s; %s.", what, why), nil
	case s.asks():
		return narrate.Sayf("%s was not answered.", what), nil
	case s.target.Envelope.Type == domain.SpineSignalEmittedType:
		return narrate.Sayf("%s, and you were told nothing.", what), nil
	}
	return narrate.Sayf("You were not told of %s.", what), nil
}

// asking leads to what told it after all; none when nothing did.
func (s *silent) asking(ctx context.Context) (narrate.Phrase, error) {
	if s.out.Surfaced.IsZero() {
		return nil, nil
	}
	rec, err := s.log.Find(ctx, s.out.Surfaced)
	if err != nil && domain.CategoryOf(err) != domain.NotFound {
		return nil, err
	}
	return narrate.Sayf("ask why of %s", narrate.About(rec, "that")), nil
}

// asks reports whether an answer is what is missed.
func (s *silent) asks() bool {
	e := s.target.Envelope
	return e.Type == domain.MessageReceivedType && e.Principal == domain.PrincipalOperator || e.Type == domain.ActionReceivedType
}

func (s *silent) failedAloud() bool {
	n := len(s.out.Considered)
	return n > 0 && s.out.Considered[n-1].Gate == domain.GateFailed && s.out.Considered[n-1].Decision == s.out.Surfaced
}

// subject names what is asked about, with who it came from and when.
func (s *silent) subject() narrate.Phrase {
	if s.named != "" {
		return narrate.Words("The tool " + narrate.Quoted(s.named))
	}
	e, at := s.target.Envelope, s.clock(s.target.RecordedAt)
	switch e.Type {
	case domain.SignalReceivedType:
		return narrate.Sayf("%s, which %s reported at %s", s.quotedOf(s.target), s.who(s.target, "something it listens to"), at)
	case domain.MessageReceivedType:
		if s.asks() {
			at += ","
		}
		return narrate.Sayf("%s, which %s said at %s", s.quotedOf(s.target), s.who(s.target, "somebody"), at)
	case domain.ActionReceivedType:
		return narrate.Sayf("The button %s, which you pressed at %s,", s.quotedOf(s.target), at)
	case domain.ReminderSetType:
		return narrate.Sayf("the reminder %s", s.quotedOf(s.target))
	case domain.TaskCreatedType:
		return narrate.Sayf("the task %s", s.quotedOf(s.target))
	case domain.SpineSignalEmittedType:
		return narrate.Sayf("Chalie was to think at %s, because %s", at, narrate.About(s.target, narrate.Noticed(e)))
	case domain.ToolInvokedType:
		if named := words(e, func(p domain.ToolInvoked) string { return narrate.Tool(p, s.called[e.ID]) }); named != "" {
			return narrate.Sayf("%s, asked for at %s,", narrate.About(s.target, narrate.Capital(named)), at)
		}
		return narrate.Sayf("A tool, asked for at %s,", at)
	}
	return narrate.Words(narrate.Quoted(s.out.Target.Label))
}

// decided tells the decisions, those that follow each other and were stopped by the
// same together.
func (s *silent) decided(ctx context.Context) ([]narrate.Phrase, error) {
	var out []narrate.Phrase
	all := s.out.Considered
	groups := 0
	for i := 0; i < len(all); {
		n := i + 1
		for n < len(all) && all[n].Gate == all[i].Gate && all[n].Kind == all[i].Kind {
			n++
		}
		if groups++; groups <= maxTold {
			sentence, err := s.one(ctx, all[i], all[n-1], n-i)
			if err != nil {
				return nil, err
			}
			out = append(out, sentence)
		}
		i = n
	}
	if more := groups - maxTold; more > 0 {
		out = append(out, narrate.Sayf("It was considered on %s more.", counted(more, "occasion", "occasions")))
	}
	return out, nil
}

// one tells a decision, or several alike by the first of them.
func (s *silent) one(ctx context.Context, c, last Considered, count int) (narrate.Phrase, error) {
	occasion, err := s.occasion(ctx, c)
	if err != nil {
		return nil, err
	}
	told := narrate.Sayf("%s: %s", occasion, c.said)
	if count > 1 {
		told = narrate.Sayf("%s; the same %s, until %s", told, more(count-1), s.clock(last.At))
	}
	return told.Sentence(), nil
}

// occasion says when it was, and what Chalie was at.
func (s *silent) occasion(ctx context.Context, c Considered) (narrate.Phrase, error) {
	at := s.clock(c.At)
	decision := domain.Record{Position: c.Position, Envelope: domain.Envelope{ID: c.Decision, Trace: c.Trace}}
	switch c.Kind {
	case ByCycle:
		return narrate.Sayf("At %s Chalie %s", at, narrate.About(decision, "looked over what it had in mind")), nil
	case ByClock:
		return narrate.Words("By the clock"), nil
	case ByPolicy, ByTool:
		return narrate.Words("At " + at), nil
	}
	opening, err := s.openingOf(ctx, c.Trace)
	if err != nil || opening.Position == 0 || c.Trace == s.target.Envelope.Trace {
		return narrate.Words("At " + at), err
	}
	if c.Kind == ByAnswer {
		return narrate.Sayf("At %s Chalie answered %s", at, s.quotedOf(opening)), nil
	}
	return narrate.Sayf("At %s it %s", at, narrate.About(decision, "judged what somebody outside had to say")), nil
}

func more(times int) string {
	if times == 1 {
		return "once more"
	}
	return fmt.Sprintf("%d times more", times)
}

func messageOf(err error) string {
	if e, ok := errors.AsType[*domain.Error](err); ok && e.Message != "" {
		return e.Message
	}
	return err.Error()
}

// changed says what would have had to be otherwise.
func (s *silent) changed() []narrate.Phrase {
	var out []narrate.Phrase
	for _, c := range s.out.Failed {
		out = append(out, narrate.Sayf("It would not have helped if %s: that was tried", c.phrase()).Sentence())
	}
	c := s.out.Change
	if c == nil {
		return out
	}
	what, would := "You", "have been told"
	switch {
	case s.target.Topic == domain.TopicTools || s.named != "":
		what, would = "It", "have been called"
	case s.asks():
		what, would = "It", "have been answered"
	}
	if c.Verified {
		return append(out, narrate.Sayf("%s would %s if %s: the decision was made again with that change", what, would, c.phrase()).Sentence())
	}
	return append(out, narrate.Sayf("%s might %s if %s. Not tried: %s", what, would, c.phrase(), c.NotTried).Sentence())
}
