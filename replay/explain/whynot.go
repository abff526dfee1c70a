package explain

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"chalie/domain"
	"chalie/domain/relate"
	"chalie/replay"
	"chalie/replay/narrate"
	"chalie/replay/player"
)

// NotTold says why the person wasn't told of something: every decision that could have
// told it, the gate that stopped it there, and the smallest change with which it would
// have been told.
type NotTold struct {
	Target     Subject          `json:"target"`
	Sentences  []string         `json:"sentences" doc:"For a person, the answer first."`
	Parts      [][]narrate.Part `json:"parts" doc:"Of each sentence, with the records it speaks of."`
	Considered []Decision       `json:"considered" doc:"Oldest first."`
	Cut        bool             `json:"cut" doc:"There were more decisions than are listed."`
	// Never is the reason why no decision considered it; "" when one did, or none had to.
	Never NeverReason `json:"never,omitempty" doc:"Why no decision considered it: not_running, no_cycle, under_way, dropped, gone_by_then, never_asked or may_be_gone."`
	// Surfaced is the conclusion, or the tool's answer, with which the person was told
	// after all; none when they weren't. Why explains it.
	Surfaced domain.ID        `json:"surfaced,omitzero" doc:"The envelope by which it was told or done after all."`
	Change   *Counterfactual  `json:"smallest_change" doc:"Null when nothing had to be otherwise, or nothing is known that would help."`
	Failed   []Counterfactual `json:"tried_in_vain" doc:"Changes that were tried before it, and would not have helped."`
}

// Subject is the subject of the question.
type Subject struct {
	ID       domain.ID        `json:"envelope_id,omitzero" doc:"None for a tool by its name."`
	Trace    domain.TraceID   `json:"trace_id,omitzero"`
	Position domain.Position  `json:"position,omitempty"`
	At       domain.Millis    `json:"at,omitempty" doc:"When it was recorded."`
	Type     domain.EventType `json:"type" doc:"\"tool\" for a tool by its name."`
	Label    string           `json:"label" doc:"What it is, in one short line."`
}

// Decision is one decision that could have told the subject, and the gate that stopped
// it.
type Decision struct {
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
	rests   []domain.ID // the evidence of the rejected finding
	near    nearest
	ended   domain.EventType // how the call ended; "" where none did
	said    narrate.Phrase   // Words, where they speak of records
	set     domain.Settings  // that it was made by
}

// Decider is the part of Chalie that decided.
type Decider string

// The deciders.
const (
	ByCycle   Decider = "cycle"      // a background cycle over the world state
	ByAnswer  Decider = "answer"     // an answer to the person
	ByPassing Decider = "passing_on" // whether to pass on an interface's message
	ByClock   Decider = "clock"      // whether a plan's time has come
	ByPolicy  Decider = "policy"     // whether a tool may be used, including the person's approval
	ByTool    Decider = "tool"       // whether the tool could be used
)

const (
	maxTold      = 6   // groups of decisions with a sentence
	maxDecisions = 500 // decisions read for one question
)

// NeverReason is the reason why no decision considered something.
type NeverReason string

// The reasons.
const (
	NeverRan      NeverReason = "not_running"  // Chalie stopped before
	NeverLooked   NeverReason = "no_cycle"     // no episode since
	NeverUnderWay NeverReason = "under_way"    // an episode runs, or is about to
	NeverTaken    NeverReason = "dropped"      // the queue was full, and the cycle was dropped
	NeverInTime   NeverReason = "gone_by_then" // pushed out before the first later decision
	NeverAsked    NeverReason = "never_asked"  // the tool was never requested
	NeverKept     NeverReason = "may_be_gone"  // none that the log still holds: others went
)

// Asking are the options of WhyNot. The zero value tells times in UTC and tries no
// change.
type Asking struct {
	Zone  *time.Location // nil is UTC, and said so
	Trial Trial          // replays a decision with a change; nil for no trials
	In    domain.TraceID // the answer in which it is asked, which is no decision on the target; zero for none
}

// WhyNot explains why the person wasn't told of the target, or why a tool was not used.
// What no tool is called is words of something: of what has them the latest is meant, and
// the answer names others.
// It reads the decisions of the topic reasoning from the target on: for a signal until a
// decision saw it faded or pushed out, because then it can't come back; for a reminder, a
// task or a tool the latest ones. It reads at most maxDecisions, and says when there were
// more.
//
// Numbers are the recorded ones. Rules, such as the least salience that counts, are
// today's.
//
// Errors: not found when the log has no such thing, with codes as of Explain; validation
// with code "nothing_to_tell" when the target is of a kind that is never told by itself;
// those of the log and of the trial.
func WhyNot(ctx context.Context, log replay.Log, q Question, as Asking) (NotTold, error) {
	out, err := whyNot(ctx, log, q, as)
	if domain.CodeOf(err) != codeNoTool {
		return out, err
	}
	found, failed := named(ctx, log, q.name)
	if failed != nil || len(found) == 0 {
		return NotTold{}, cmp.Or(failed, err)
	}
	meant := found[len(found)-1]
	target, err := replay.ParseTarget(meant.Envelope.ID.String())
	if err != nil {
		return NotTold{}, err
	}
	return whyNot(ctx, log, Question{target: target, named: true, others: found[:len(found)-1]}, as)
}

func whyNot(ctx context.Context, log replay.Log, q Question, as Asking) (NotTold, error) {
	s := &inquiry{tail: log.Tail(), trial: as.Trial, asker: as.In, out: NotTold{Considered: []Decision{}, Failed: []Counterfactual{}}}
	s.narrator = narrator{walk: newWalk(log), zone: as.Zone}
	ask := s.tool
	if q.name == "" {
		rec, err := q.locate(ctx, log)
		if err != nil {
			return NotTold{}, err
		}
		if ask, err = s.about(ctx, rec); err != nil {
			return NotTold{}, err
		}
	}
	s.named = q.name
	if s.target.Topic == domain.TopicSignals || s.target.Topic == domain.TopicCommitments {
		var err error
		if s.gap, err = player.GapBehind(ctx, log, s.target.Position+1); err != nil {
			return NotTold{}, err
		}
	}
	if err := ask(ctx); err != nil {
		return NotTold{}, err
	}
	if err := s.tellOthers(ctx, q.others); err != nil {
		return NotTold{}, err
	}
	if err := s.change(ctx); err != nil {
		return NotTold{}, err
	}
	return s.out, s.tell(ctx)
}

// inquiry answers one question.
type inquiry struct {
	narrator // its target is the subject

	tail     domain.Position // later records are not read
	trial    Trial
	asker    domain.TraceID
	named    string // the tool's name, if the question is about one
	out      NotTold
	openings map[domain.TraceID]domain.Record
	changes  []domain.Record  // of settings; nil until they were read
	before   []narrate.Phrase // sentences before the decisions
	after    []narrate.Phrase // and after them

	gap       player.Gap // what went that may have considered it
	untriable string     // why changes that might have helped couldn't be tried
}

// about chooses how to answer for a record. A record of an episode, an invocation or a
// plan stands for that.
func (s *inquiry) about(ctx context.Context, rec domain.Record) (func(context.Context) error, error) {
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
	s.out.Target = Subject{ID: e.ID, Trace: e.Trace, Position: about.Position, At: about.RecordedAt, Type: e.Type, Label: narrate.Label(e, name)}
	return ask, nil
}

func (s *inquiry) chosen(ctx context.Context, rec domain.Record) (ask func(context.Context) error, about domain.Record, err error) {
	e := rec.Envelope
	if e.Type == domain.SignalReceivedType {
		return s.heard, rec, nil
	}
	if domain.MakesCommitment(e.Type) {
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
		Message: "that is " + string(e.Type) + ", which nobody is told by itself: ask about a signal, a message, a reminder, an appointment, a task or a tool, or ask why of it"}
}

// openingOf is the opening of an episode; the zero Record when the log doesn't hold it.
func (s *inquiry) openingOf(ctx context.Context, trace domain.TraceID) (domain.Record, error) {
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

// tell makes the answer's sentences: the outcome, each decision with its gate, the change
// that would have helped, and what isn't known.
func (s *inquiry) tell(ctx context.Context) error {
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
	since, err := s.notAgain(ctx)
	if err != nil {
		return err
	}
	said = append(said, since...)
	changed, err := s.changed(ctx)
	if err != nil {
		return err
	}
	said = append(said, changed...)
	if s.target.Envelope.Payload.Encoding == domain.EncodingErased {
		said = append(said, narrate.Words("What it said is erased, so that only its place and its numbers are known."))
	}
	if s.out.Cut {
		said = append(said, narrate.Words("There are more decisions than were looked at."))
	}
	if s.gap.Lacks != "" {
		said = append(said, narrate.Words(s.gap.Lacks).Sentence())
	}
	s.out.Sentences, s.out.Parts = narrate.Sentences(said)
	return nil
}

// phrase is the sentence on a decision.
func (c *Decision) phrase() narrate.Phrase {
	if len(c.said) > 0 {
		return c.said
	}
	return narrate.Words(c.Words)
}

// maxWords bounds the sentence on a decision, in characters.
const maxWords = 600

// verdict tells the outcome.
func (s *inquiry) verdict(ctx context.Context) (narrate.Phrase, error) {
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
	case isTool && s.lastEnd() == domain.ToolOutcomeUnknownType:
		return narrate.Sayf("%s was called, and nobody knows what came of it.", what), nil
	case isTool && s.lastEnd() != "":
		return narrate.Sayf("%s was asked for, and failed.", what), nil
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

// asking refers to the record that told it after all; none for none.
func (s *inquiry) asking(ctx context.Context) (narrate.Phrase, error) {
	if s.out.Surfaced.IsZero() {
		return nil, nil
	}
	rec, err := s.log.Find(ctx, s.out.Surfaced)
	if err != nil && domain.CategoryOf(err) != domain.NotFound {
		return nil, err
	}
	return narrate.Sayf("ask why of %s", narrate.About(rec, "that")), nil
}

// asks reports whether the question is about a missing answer.
func (s *inquiry) asks() bool {
	e := s.target.Envelope
	return e.Type == domain.MessageReceivedType && e.Principal == domain.PrincipalOperator || e.Type == domain.ActionReceivedType
}

// lastEnd is how the latest call ended that failed by itself; "" where none was made.
func (s *inquiry) lastEnd() domain.EventType {
	if n := len(s.out.Considered); n > 0 && s.out.Considered[n-1].Gate == domain.GateToolFailed {
		return s.out.Considered[n-1].ended
	}
	return ""
}

func (s *inquiry) failedAloud() bool {
	n := len(s.out.Considered)
	return n > 0 && s.out.Considered[n-1].Gate == domain.GateFailed && s.out.Considered[n-1].Decision == s.out.Surfaced
}

// subject names the subject with its sender and time.
func (s *inquiry) subject() narrate.Phrase {
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
	case domain.SpineSignalEmittedType:
		return narrate.Sayf("Chalie was to think at %s, because %s", at, narrate.About(s.target, narrate.Noticed(e)))
	case domain.ToolInvokedType:
		if named := words(e, func(p domain.ToolInvoked) string { return narrate.Tool(p, s.called[e.ID]) }); named != "" {
			return narrate.Sayf("%s, asked for at %s,", narrate.About(s.target, narrate.Capital(named)), at)
		}
		return narrate.Sayf("A tool, asked for at %s,", at)
	}
	if verb, kind, _ := domain.VerbOf(e.Type); verb == domain.PlanMade {
		return narrate.Sayf("the %s %s", kind, s.quotedOf(s.target))
	}
	return narrate.Words(narrate.Quoted(s.out.Target.Label))
}

// decided tells the decisions, consecutive ones with the same gate in one sentence. Calls
// that ended differently are told apart.
func (s *inquiry) decided(ctx context.Context) ([]narrate.Phrase, error) {
	all := s.out.Considered
	var groups [][]Decision
	for i := 0; i < len(all); {
		n := i + 1
		for n < len(all) && isLike(all[i], all[n]) && (all[i].Kind != ByTool || all[n].Words == all[i].Words) {
			n++
		}
		groups = append(groups, all[i:n])
		i = n
	}
	var out []narrate.Phrase
	left := max(0, len(groups)-maxTold) // out before the last, which is the clock's or the latest
	for i, group := range groups {
		switch {
		case i < maxTold-1 || i == len(groups)-1:
			sentence, err := s.one(ctx, group[0], group[len(group)-1], len(group))
			if err != nil {
				return nil, err
			}
			out = append(out, sentence)
		case i == maxTold-1:
			out = append(out, narrate.Sayf("It was considered on %s more.", counted(left, "occasion", "occasions")))
		}
	}
	return out, nil
}

// one tells a decision, or several like it.
func (s *inquiry) one(ctx context.Context, c, last Decision, count int) (narrate.Phrase, error) {
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

// occasion tells a decision's time and kind.
func (s *inquiry) occasion(ctx context.Context, c Decision) (narrate.Phrase, error) {
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

// isLike reports whether two decisions were made by the same part for the same reason.
func isLike(a, b Decision) bool { return a.Gate == b.Gate && a.Kind == b.Kind }

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

// changed tells the change that would have helped.
func (s *inquiry) changed(ctx context.Context) ([]narrate.Phrase, error) {
	var out []narrate.Phrase
	for _, c := range s.out.Failed {
		out = append(out, narrate.Sayf("It would not have helped if %s: that was tried", c.phrase()).Sentence())
	}
	c := s.out.Change
	if c == nil && s.untriable != "" {
		return append(out, narrate.Sayf("Whether another change would have helped can't be told: %s", s.untriable).Sentence()), nil
	}
	if c == nil {
		return out, nil
	}
	what, would := "You", "have been told"
	switch {
	case s.target.Topic == domain.TopicTools || s.named != "":
		what, would = "It", "have been called"
	case s.asks():
		what, would = "It", "have been answered"
	}
	if c.asks {
		would = "have waited for your approval"
	}
	out = append(out, narrate.Sayf("%s would %s if %s: the decision was made again with that change", what, would, c.phrase()).Sentence())
	if c.Through == 0 {
		return out, nil
	}
	last, err := s.log.Select(ctx, domain.Selector{}, c.Through, 1)
	if err != nil || len(last) == 0 {
		return out, err
	}
	return append(out, elsewhere(c.Else, s.clock(last[0].RecordedAt))), nil
}

// mostElse bounds the other outcomes that are told one by one.
const mostElse = 3

// elsewhere tells what else a change does until some time.
func elsewhere(outcomes []player.Outcome, until string) narrate.Phrase {
	if len(outcomes) == 0 {
		return narrate.Words("Nothing else would have been different until " + until + ".")
	}
	var all []string
	for _, o := range outcomes[:min(len(outcomes), mostElse)] {
		switch o.Change {
		case "new":
			all = append(all, "you would have been told "+narrate.Quoted(o.Replayed.Text))
		case "gone":
			all = append(all, "you would not have been told "+narrate.Quoted(o.Recorded.Text))
		case "different":
			all = append(all, "something else would have come of "+narrate.Quoted(cmp.Or(o.Recorded.Text, o.Recorded.Words)))
		default:
			all = append(all, "of one thing nobody can tell what would have come")
		}
	}
	if more := len(outcomes) - mostElse; more > 0 {
		all = append(all, counted(more, "more outcome", "more outcomes")+" would have been different")
	}
	return narrate.Words("Besides, until " + until + ": " + strings.Join(all, "; ")).Sentence()
}

// word describes a decision's gate, with the recorded numbers.
func (s *inquiry) word(ctx context.Context, c *Decision) error {
	if c.Words != "" || len(c.said) > 0 {
		return nil // its decider described it already
	}
	var err error
	switch c.Gate {
	case domain.Gate(""):
		c.Words = c.Gate.Clause()
		if s.asks() {
			c.Words = "it was answered"
		}
	case domain.GateBelowThreshold:
		c.said, err = s.faded(ctx, c)
	case domain.GateNotInFive:
		c.said, err = s.crowded(ctx, c)
	case domain.GateOverCapacity:
		c.Words = fmt.Sprintf("more than %d newer signals had pushed it out of mind", c.params().World.Capacity)
	case domain.GateUnrelated:
		c.said, err = s.unrelated(ctx, c)
	case domain.GateNotBrought:
		c.said, err = s.notBrought(ctx, c)
	case domain.GateNotUsed:
		c.Words = s.inMindThen(c) + ", but the answer did not rest on it"
	case domain.GateCooldown, domain.GateAlreadyTold, domain.GateAttention, domain.GateDismissed, domain.GateSilenced:
		c.said, err = s.kept(ctx, c)
	case domain.GateFailed:
		c.Words = "it came to no end"
	default:
		c.Words = narrate.Shortened(c.Gate.Clause(), narrate.MaxLabel)
	}
	return err
}

// inMindThen tells the item's salience in a decision.
func (s *inquiry) inMindThen(c *Decision) string {
	told := "it was in mind, with a salience of " + ppm(c, "salience").String()
	if bonus := ppm(c, "bonus"); bonus > 0 {
		told += " and " + bonus.String() + " more because it has to do with something else in mind"
	}
	return told
}

func ppm(c *Decision, name string) domain.PPM { return domain.PPMOf(c.Numbers[name]) }

func millis(c *Decision, name string) time.Duration {
	return time.Duration(c.Numbers[name]) * time.Millisecond
}

// apart writes two scores with enough digits to differ.
func apart(a, b domain.PPM) (string, string) {
	if a.String() != b.String() {
		return a.String(), b.String()
	}
	return fmt.Sprintf("%.6f", a.Float()), fmt.Sprintf("%.6f", b.Float())
}

func (s *inquiry) faded(ctx context.Context, c *Decision) (narrate.Phrase, error) {
	salience, threshold := apart(ppm(c, "salience"), ppm(c, "threshold"))
	told := "its salience was"
	if old := millis(c, "age_ms"); old >= time.Minute {
		told = "after " + narrate.Span(old) + " its salience was"
	}
	told = fmt.Sprintf("%s %s, and below %s nothing counts", told, salience, threshold)
	if !c.near.known || c.near.score < c.params().World.Surfaces {
		return narrate.Words(told), nil
	}
	text, err := s.quotedItem(ctx, c.near.text)
	return narrate.Sayf("%s; it has to do with %s, by %s", told, text, c.near.score), err
}

func (s *inquiry) crowded(ctx context.Context, c *Decision) (narrate.Phrase, error) {
	if _, known := c.Numbers["last_in"]; !known {
		return narrate.Words(c.Gate.Clause()), nil
	}
	weight, last, slots := ppm(c, "salience")+ppm(c, "bonus"), ppm(c, "last_in"), int(c.Numbers["slots"])
	told := fmt.Sprintf("it counted %s, and of the %d things in mind the last counted %s", weight, slots, last)
	switch {
	case weight == last:
		told = fmt.Sprintf("it counted %s, as did the last of the %d things in mind, which was newer", weight, slots)
	case weight.String() == last.String():
		told = fmt.Sprintf("it counted %s, and the last of the %d things in mind a little more", weight, slots)
	}
	if c.Kind != ByCycle {
		return narrate.Words(told), nil
	}
	bearing, err := s.bearing(ctx, c)
	return narrate.Sayf("%s; besides, %s", bearing, told), err
}

func (s *inquiry) unrelated(ctx context.Context, c *Decision) (narrate.Phrase, error) {
	told, err := s.bearing(ctx, c)
	return narrate.Sayf("%s, but %s", s.inMindThen(c), told), err
}

// bearing tells the item's strongest relation.
func (s *inquiry) bearing(ctx context.Context, c *Decision) (narrate.Phrase, error) {
	told := domain.GateUnrelated.Clause()
	if s.isPlan() {
		told = "nothing that was heard has to do with it"
	}
	if !c.near.known {
		return narrate.Words(told), nil
	}
	text, err := s.quotedItem(ctx, c.near.text)
	enough := c.params().World.Surfaces
	switch {
	case err != nil || c.near.score <= 0 && !c.near.isTied():
		return narrate.Words(told), err
	case c.near.today && c.near.score >= enough:
		return narrate.Sayf("%s by the rules of then; by today's it has to do with %s, by %s", told, text, c.near.score), nil
	case len(c.near.reasons) == 0:
		score, needed := apart(c.near.score, enough)
		return narrate.Sayf("%s: what comes closest is %s, by %s where %s is enough", told, text, score, needed), nil
	}
	told = "it has too little to do with what you had planned"
	if s.isPlan() {
		told = "what was heard has too little to do with it"
	}
	return narrate.Sayf("%s. What comes closest is %s: %s. %s", told, text, balance(c.near.reasons), c.near.sum(enough)), nil
}

// isTied reports whether anything speaks for the nearest item.
func (n nearest) isTied() bool { return (relate.Relation{Evidence: n.reasons}).For() > 0 }

// sum tells what the reasons come to, and whether those against were too many.
func (n nearest) sum(enough domain.PPM) string {
	var speaks domain.PPM
	against := 0
	for _, ev := range n.reasons {
		if speaks += max(ev.Weight, 0); ev.Weight < 0 {
			against++
		}
	}
	score, needed := apart(n.score, enough)
	told := fmt.Sprintf("That makes %s, and %s would be enough", score, needed)
	if n.score <= 0 {
		told = fmt.Sprintf("That leaves nothing, and %s would be enough", needed)
	}
	if speaks >= enough {
		told += ", as it would have been without " + oneOf(against, "what speaks", "all that speaks") + " against it"
	}
	return told
}

func (s *inquiry) notBrought(ctx context.Context, c *Decision) (narrate.Phrase, error) {
	text, err := s.quotedItem(ctx, c.near.text)
	if s.isPlan() {
		return narrate.Sayf("%s has to do with it by %s of 1, and the model brought nothing up about it", text, c.near.score), err
	}
	return narrate.Sayf("it has to do with %s by %s of 1, and the model brought nothing up about it", text, c.near.score), err
}

// quotedItem quotes an item of the world state.
func (s *inquiry) quotedItem(ctx context.Context, id domain.ID) (narrate.Phrase, error) {
	rec, err := s.log.Find(ctx, id)
	if err != nil && domain.CategoryOf(err) != domain.NotFound {
		return nil, err
	}
	return s.quotedRecord(ctx, id, rec)
}

// kept tells the rule of notices that rejected the candidate, with the earlier notice it
// refers to.
func (s *inquiry) kept(ctx context.Context, c *Decision) (narrate.Phrase, error) {
	if c.Gate == domain.GateDismissed || c.Gate == domain.GateSilenced {
		return s.refused(ctx, c)
	}
	ago := narrate.Span(millis(c, "told_ago_ms"))
	var because narrate.Phrase
	if !c.because.IsZero() {
		text, err := s.quotedAlike(ctx, c.because, c.rests)
		if err != nil {
			return nil, err
		}
		because = narrate.Sayf(": %s", text)
	}
	switch c.Gate {
	case domain.GateCooldown:
		return narrate.Sayf("it was ready to be told, but something about the same plan, or without one from the same source on the same topic, had been told %s before%s; within %s only what can't wait is told", ago, because, narrate.Span(c.params().Notices.Cooldown)), nil
	case domain.GateAlreadyTold:
		return narrate.Sayf("it was ready to be told, but the same had been told %s before%s", ago, because), nil
	}
	return narrate.Words("it was ready to be told, but you were focused, and it could wait"), nil
}

// notAgain tells of a signal that was told that the person doesn't want to be told of it again,
// as long as that holds.
func (s *inquiry) notAgain(ctx context.Context) ([]narrate.Phrase, error) {
	if s.out.Surfaced.IsZero() || s.target.Envelope.Type != domain.SignalReceivedType {
		return nil, nil
	}
	var book domain.Unwanted
	var wrong error
	const most = 10_000
	_, err := domain.Look(ctx, s.log, domain.Selector{Key: domain.UnwantedKey}, 1, most, func(rec domain.Record) {
		wrong = cmp.Or(wrong, book.Evolve(rec))
	})
	if err != nil || wrong != nil {
		return nil, cmp.Or(err, wrong)
	}
	at := slices.IndexFunc(book.Dismissed, func(d domain.Dismissal) bool { return slices.Contains(d.Signals, s.target.Envelope.ID) })
	if at < 0 {
		return nil, nil
	}
	rec, err := s.log.Find(ctx, book.Dismissed[at].ID)
	if err != nil {
		return nil, err
	}
	return []narrate.Phrase{narrate.Sayf("It isn't told again (%s): at %s you said %s.", string(domain.GateDismissed), s.clock(rec.RecordedAt), narrate.About(rec, "that you don't want to be told of it"))}, nil
}

// refused tells what the person had said of the candidate.
func (s *inquiry) refused(ctx context.Context, c *Decision) (narrate.Phrase, error) {
	did := "that you don't want to be told of it"
	if c.Gate == domain.GateSilenced {
		did = "that you want nothing of this kind from this sender"
	}
	rec, err := s.log.Find(ctx, c.because)
	if domain.CategoryOf(err) == domain.NotFound {
		return narrate.Sayf("it was ready to be told, but you had said %s", did), nil
	}
	return narrate.Sayf("it was ready to be told, but at %s you had said %s", s.clock(rec.RecordedAt), narrate.About(rec, did)), err
}

// isPlan reports whether the subject is a commitment.
func (s *inquiry) isPlan() bool { return s.target.Topic == domain.TopicCommitments }
