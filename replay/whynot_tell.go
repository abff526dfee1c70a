package replay

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"chalie/domain"
)

// tell puts the answer into sentences: what became of it, each decision with what
// stopped it there, what would have had to be otherwise, and what isn't known.
func (s *silent) tell(ctx context.Context) error {
	for i := range s.out.Considered {
		if err := s.word(ctx, &s.out.Considered[i]); err != nil {
			return err
		}
		c := &s.out.Considered[i]
		c.Words = cutMarked(c.Words, maxWords)
	}
	verdict, err := s.verdict(ctx)
	if err != nil {
		return err
	}
	said := []string{verdict}
	said = append(said, s.before...)
	told, err := s.decided(ctx)
	if err != nil {
		return err
	}
	said = append(said, told...)
	said = append(said, s.after...)
	said = append(said, s.changed()...)
	if s.target.Envelope.Payload.Encoding == domain.EncodingErased {
		said = append(said, "What it said is erased, so that only its place and its numbers are known.")
	}
	if s.out.Cut {
		said = append(said, "There are more decisions than were looked at.")
	}
	s.out.Sentences, s.out.Parts = s.told(said)
	for i := range s.out.Considered {
		c := &s.out.Considered[i]
		c.Words, c.Parts = unmarked(c.Words), s.parted(c.Words)
	}
	return nil
}

// maxWords bounds what is said of one decision, in characters.
const maxWords = 480

// verdict is what became of it.
func (s *silent) verdict(ctx context.Context) (string, error) {
	what := s.subject()
	isTool := s.target.Topic == domain.TopicTools || s.named != ""
	why, err := s.asking(ctx)
	if err != nil {
		return "", err
	}
	switch surfaced := !s.out.Surfaced.IsZero(); {
	case isTool && surfaced:
		return what + " was used after all; " + why + ".", nil
	case isTool && s.out.Never == NeverAsked:
		return what + " was not used: nothing has asked for it.", nil
	case isTool && len(s.out.Considered) == 0:
		return what + " was not used lately.", nil
	case isTool:
		return what + " was not used.", nil
	case s.failedAloud():
		return what + " was not answered, and you were told so.", nil
	case surfaced && s.asks():
		return what + " was answered; " + why + ".", nil
	case surfaced && s.target.Envelope.Type == domain.SpineSignalEmittedType:
		return what + ", and told you what it found; " + why + ".", nil
	case surfaced:
		return "You were told of " + what + "; " + why + ".", nil
	case s.asks():
		return what + " was not answered.", nil
	case s.target.Envelope.Type == domain.SpineSignalEmittedType:
		return what + ", and you were told nothing.", nil
	}
	return "You were not told of " + what + ".", nil
}

// asking leads to what told it after all; "" when nothing did.
func (s *silent) asking(ctx context.Context) (string, error) {
	if s.out.Surfaced.IsZero() {
		return "", nil
	}
	rec, err := s.log.Find(ctx, s.out.Surfaced)
	if err != nil && domain.CategoryOf(err) != domain.NotFound {
		return "", err
	}
	return "ask why of " + s.mark(rec, "that"), nil
}

// asks reports whether an answer is what is missed.
func (s *silent) asks() bool {
	e := s.target.Envelope
	return e.Type == domain.MessageReceivedType && e.Principal == domain.PrincipalOperator || e.Type == domain.ActionReceivedType
}

func (s *silent) failedAloud() bool {
	n := len(s.out.Considered)
	return n > 0 && s.out.Considered[n-1].Gate == GateFailed && s.out.Considered[n-1].Decision == s.out.Surfaced
}

// subject names what is asked about, with who it came from and when.
func (s *silent) subject() string {
	if s.named != "" {
		return "The tool " + quoted(s.named)
	}
	e := s.target.Envelope
	at := " at " + s.clock(s.target.RecordedAt)
	switch e.Type {
	case domain.SignalReceivedType:
		return s.quotedOf(s.target) + ", which " + s.who(s.target, "something it listens to") + " reported" + at
	case domain.MessageReceivedType:
		if s.asks() {
			at += ","
		}
		return s.quotedOf(s.target) + ", which " + s.who(s.target, "somebody") + " said" + at
	case domain.ActionReceivedType:
		return "The button " + s.quotedOf(s.target) + ", which you pressed" + at + ","
	case domain.ReminderSetType:
		return "the reminder " + s.quotedOf(s.target)
	case domain.TaskCreatedType:
		return "the task " + s.quotedOf(s.target)
	case domain.SpineSignalEmittedType:
		return "Chalie was to think" + at + ", because " + s.mark(s.target, s.noticed(e))
	case domain.ToolInvokedType:
		if named := words(e, func(p domain.ToolInvoked) string { return toolOf(p, s.called[e.ID]) }); named != "" {
			return s.mark(s.target, strings.ToUpper(named[:1])+named[1:]) + ", asked for" + at + ","
		}
		return "A tool, asked for" + at + ","
	}
	return quoted(s.out.Target.Label)
}

// decided tells the decisions, those that follow each other and were stopped by the
// same together.
func (s *silent) decided(ctx context.Context) ([]string, error) {
	var out []string
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
		out = append(out, fmt.Sprintf("It was considered on %s more.", counted(more, "occasion", "occasions")))
	}
	return out, nil
}

// one tells a decision, or several alike by the first of them.
func (s *silent) one(ctx context.Context, c, last Considered, count int) (string, error) {
	occasion, err := s.occasion(ctx, c)
	if err != nil {
		return "", err
	}
	told := occasion + c.Words
	if count > 1 {
		told += fmt.Sprintf("; the same %s, until %s", more(count-1), s.clock(last.At))
	}
	return sentence(told), nil
}

// occasion says when it was, and what Chalie was at.
func (s *silent) occasion(ctx context.Context, c Considered) (string, error) {
	at := "At " + s.clock(c.At) + " "
	decision := domain.Record{Position: c.Position, Envelope: domain.Envelope{ID: c.Decision, Trace: c.Trace}}
	switch c.Kind {
	case ByCycle:
		return at + "Chalie " + s.mark(decision, "looked over what it had in mind") + ": ", nil
	case ByClock:
		return "By the clock: ", nil
	case ByPolicy, ByTool:
		return at[:len(at)-1] + ": ", nil
	}
	opening, err := s.openingOf(ctx, c.Trace)
	if err != nil || opening.Position == 0 || c.Trace == s.target.Envelope.Trace {
		return at[:len(at)-1] + ": ", err
	}
	if c.Kind == ByAnswer {
		return at + "Chalie answered " + s.quotedOf(opening) + ": ", nil
	}
	return at + "it " + s.mark(decision, "judged what somebody outside had to say") + ": ", nil
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
func (s *silent) changed() []string {
	var out []string
	for _, c := range s.out.Failed {
		out = append(out, sentence("It would not have helped if "+c.inSentence()+": that was tried"))
	}
	c := s.out.Change
	if c == nil {
		return out
	}
	would := "You would have been told"
	switch {
	case s.target.Topic == domain.TopicTools || s.named != "":
		would = "It would have been called"
	case s.asks():
		would = "It would have been answered"
	}
	if c.Verified {
		return append(out, sentence(would+" if "+c.inSentence()+": the decision was made again with that change"))
	}
	return append(out, sentence(strings.Replace(would, "would", "might", 1)+" if "+c.inSentence()+". Not tried: "+c.NotTried))
}
