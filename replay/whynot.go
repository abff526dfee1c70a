package replay

import (
	"context"
	"time"

	"chalie/domain"
	"chalie/replay/narrate"
)

// Silence is why the person wasn't told of something: every decision that could
// have told it, the gate that stopped it there, and the smallest change by which it
// would have been told.
type Silence struct {
	Target     Unsaid           `json:"target"`
	Sentences  []string         `json:"sentences" doc:"For a person, the answer first."`
	Parts      [][]narrate.Part `json:"parts" doc:"Of each sentence, with the records it speaks of."`
	Considered []Considered     `json:"considered" doc:"Oldest first."`
	Cut        bool             `json:"cut" doc:"There were more decisions than are listed."`
	// Never is why no decision considered it; "" when one did, or none had to.
	Never Unconsidered `json:"never,omitempty" doc:"Why no decision considered it: not_running, no_cycle, under_way, dropped, gone_by_then or never_asked."`
	// Surfaced is the conclusion, or the tool's answer, by which it came to the person
	// after all; none when it didn't. Explain tells why it did.
	Surfaced domain.ID `json:"surfaced,omitzero" doc:"The envelope by which it was told or done after all."`
	Change   *Remedy   `json:"smallest_change" doc:"Null when nothing had to be otherwise, or nothing is known that would help."`
	Failed   []Remedy  `json:"tried_in_vain" doc:"Changes that were tried before it, and would not have helped."`
}

// Unsaid is what is asked about.
type Unsaid struct {
	ID       domain.ID        `json:"envelope_id,omitzero" doc:"None for a tool by its name."`
	Trace    domain.TraceID   `json:"trace_id,omitzero"`
	Position domain.Position  `json:"position,omitempty"`
	At       domain.Millis    `json:"at,omitempty" doc:"When it was recorded."`
	Type     domain.EventType `json:"type" doc:"\"tool\" for a tool by its name."`
	Label    string           `json:"label" doc:"What it is, in one short line."`
}

// Considered is one decision that could have told it, and what stopped it there.
type Considered struct {
	Decision domain.ID       `json:"decision" doc:"The envelope that says so."`
	Trace    domain.TraceID  `json:"trace_id"`
	Position domain.Position `json:"position"`
	At       domain.Millis   `json:"at" doc:"Of a cycle and an answer the moment they judged by."`
	Kind     Decider         `json:"kind" doc:"Whose decision it was: cycle, answer, passing_on, clock, policy or tool."`
	Gate     domain.Gate     `json:"gate" doc:"Empty for the one that told it."`
	Numbers  Numbers         `json:"numbers" doc:"As they were then; never null."`
	Words    string          `json:"words" doc:"The same for a person."`
	Parts    []narrate.Part  `json:"parts" doc:"Of Words, with the records they speak of."`
	Codes    []string        `json:"codes,omitempty" doc:"Of the policy, for which there are words."`

	because domain.ID   // what it was kept back in view of
	rests   []domain.ID // what was kept back with it
	near    nearest
	said    narrate.Phrase // Words, where they speak of records
}

// Decider is whose decision something was.
type Decider string

// The deciders.
const (
	ByCycle   Decider = "cycle"      // Chalie looked over what it had in mind
	ByAnswer  Decider = "answer"     // it answered the person
	ByPassing Decider = "passing_on" // it judged what somebody outside had to say
	ByClock   Decider = "clock"      // whether a time has come
	ByPolicy  Decider = "policy"     // whether a tool may be used, the person's own word included
	ByTool    Decider = "tool"       // whether it could be used
)

const (
	maxTold      = 6   // groups of decisions told in sentences
	maxDecisions = 500 // decisions looked at for one question
)

// Unconsidered is why nothing decided about something.
type Unconsidered string

// The reasons.
const (
	NeverRan      Unconsidered = "not_running"  // Chalie stopped before it came to that
	NeverLooked   Unconsidered = "no_cycle"     // nothing made Chalie think since
	NeverUnderWay Unconsidered = "under_way"    // it is thinking, or about to
	NeverTaken    Unconsidered = "dropped"      // too much waited, so that the cycle was given up
	NeverInTime   Unconsidered = "gone_by_then" // by the first decision after it, it was out of reach
	NeverAsked    Unconsidered = "never_asked"  // nothing wanted to use the tool
)

// Asking is how WhyNot looks at a log. The zero value tells times in UTC and tries
// nothing.
type Asking struct {
	Zone  *time.Location // nil is UTC, and said so
	Trial Trial          // replays a decision with a change; nil when that can't be done
}

// WhyNot tells why the person wasn't told of the target, or why a tool was not
// used. It looks at decisions of the topic reasoning from where the target stands:
// of a signal until one sees it faded or pushed out, for then it can't come back; of
// a reminder, a task or a tool at the latest ones. It reads at most maxDecisions of
// them, and says when there were more.
//
// Numbers are those that were recorded. What the rules are, such as from which
// salience on something counts, is what they are today.
//
// Errors: not found when the log has no such thing, with codes as of Explain;
// validation with code "nothing_to_tell" when it is something that nobody is ever
// told by itself; those of the log and of the trial.
func WhyNot(ctx context.Context, log Log, q Question, as Asking) (Silence, error) {
	s := &silent{tail: log.Tail(), trial: as.Trial, out: Silence{Considered: []Considered{}, Failed: []Remedy{}}}
	s.teller = teller{walk: newWalk(log), zone: as.Zone}
	ask := s.tool
	if q.tool == "" {
		rec, err := q.locate(ctx, log)
		if err != nil {
			return Silence{}, err
		}
		if ask, err = s.about(ctx, rec); err != nil {
			return Silence{}, err
		}
	}
	s.named = q.tool
	if err := ask(ctx); err != nil {
		return Silence{}, err
	}
	if err := s.change(ctx); err != nil {
		return Silence{}, err
	}
	return s.out, s.tell(ctx)
}

// silent answers one question.
type silent struct {
	teller // its target is what is asked about

	tail     domain.Position // nothing beyond it is looked at
	trial    Trial
	named    string // the tool that is asked about by its name
	out      Silence
	openings map[domain.TraceID]domain.Record
	before   []narrate.Phrase // sentences that come before the decisions
	after    []narrate.Phrase // and behind them
}

// about chooses how a question about a record is answered. A record that belongs to
// an episode, an invocation or a plan asks about that.
func (s *silent) about(ctx context.Context, rec domain.Record) (func(context.Context) error, error) {
	ask, about, err := s.chosen(ctx, rec)
	if err != nil {
		return nil, err
	}
	e := about.Envelope
	s.target = about
	name, err := s.nameOf(ctx, about)
	if err != nil {
		return nil, err
	}
	s.called[e.ID] = name
	s.out.Target = Unsaid{ID: e.ID, Trace: e.Trace, Position: about.Position, At: about.RecordedAt, Type: e.Type, Label: narrate.Label(e, name)}
	return ask, nil
}

func (s *silent) chosen(ctx context.Context, rec domain.Record) (ask func(context.Context) error, about domain.Record, err error) {
	e := rec.Envelope
	if e.Type == domain.SignalReceivedType {
		return s.heard, rec, nil
	}
	if e.Type == domain.ReminderSetType || e.Type == domain.TaskCreatedType {
		return s.planned, rec, nil
	}
	if plan, ok := domain.PlanOf(e); ok && domain.IsCommitment(e.Type) {
		about, err = s.log.Find(ctx, plan)
		return s.planned, about, err
	}
	if invocation, ok := domain.InvocationOf(e); ok {
		about, err = s.log.Find(ctx, invocation)
		return s.invocation, about, err
	}
	opening := rec
	if rec.Topic == domain.TopicReasoning || rec.Topic == domain.TopicSpine || rec.Topic == domain.TopicMessages {
		if opening, err = s.openingOf(ctx, e.Trace); err != nil {
			return nil, rec, err
		}
	}
	if plan, ok := domain.PlanOf(opening.Envelope); ok && domain.IsCommitment(opening.Envelope.Type) {
		about, err = s.log.Find(ctx, plan)
		return s.planned, about, err
	}
	if domain.OpensReasoning(opening.Envelope.Type) {
		return s.episode, opening, nil
	}
	return nil, rec, &domain.Error{Op: "ask why not", Category: domain.Validation, Code: "nothing_to_tell", Field: "id",
		Message: "that is " + string(e.Type) + ", which nobody is told by itself: ask about a signal, a message, a reminder, a task or a tool, or ask why of it"}
}

// openingOf is what opened an episode; the zero Record when the log doesn't hold it.
func (s *silent) openingOf(ctx context.Context, trace domain.TraceID) (domain.Record, error) {
	if rec, ok := s.openings[trace]; ok {
		return rec, nil
	}
	rec, err := s.log.Find(ctx, trace.ID)
	if domain.CategoryOf(err) == domain.NotFound {
		err = nil
	}
	if s.openings == nil {
		s.openings = map[domain.TraceID]domain.Record{}
	}
	s.openings[trace] = rec
	return rec, err
}
