package tool

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"chalie/commands"
	"chalie/commands/limit"
	"chalie/domain"
	"chalie/domain/language/speech"
)

// ownVersion is the version of Chalie's own skills, for the policy.
const ownVersion = "1"

// skillAttempts bounds how often a skill is asked again because what it rested on
// has changed meanwhile.
const skillAttempts = 8

// ownSkills are Chalie's own skills.
type ownSkills struct {
	face   *domain.Interface // with the zero id, always online; nil when there is nothing
	skills map[string]Skill  // by name
	turn   chan struct{}     // taken by one whose first try lost to another's
}

// newOwn checks the skills as an interface's tools are checked.
func newOwn(skills []Skill) (ownSkills, error) {
	if len(skills) == 0 {
		return ownSkills{}, nil
	}
	o := ownSkills{face: &domain.Interface{Name: domain.OwnName, Version: ownVersion}, skills: map[string]Skill{}, turn: make(chan struct{}, 1)}
	for _, s := range skills {
		tool, changes := s.Tool(), s.SideEffects()
		tool.SideEffects = &changes
		o.face.Tools = append(o.face.Tools, tool)
		o.skills[tool.Name] = s
	}
	return o, domain.CheckTools(o.face.Tools)
}

// perform lets a skill do what it is asked, and records what it did together with
// the end, so that both happen or neither does. Doing it again after a crash does
// it once.
func (t *Tools) perform(asking context.Context, inv *invoking) (Invoked, error) {
	ctx := context.WithoutCancel(asking)
	deadline, cancel := context.WithTimeout(ctx, t.cfg.Within)
	defer cancel()
	var giveTurn func()
	defer func() {
		if giveTurn != nil {
			giveTurn()
		}
	}()
	call := SkillCall{Params: inv.params, By: inv.caller(), Lineage: inv.next(), Zone: t.zone(ctx, inv)}
	for attempt := range skillAttempts {
		call.Now = t.cfg.Now()
		done, err := t.do(deadline, asking, inv, call)
		switch {
		case err != nil && inv.callKey != "" && asking.Err() != nil:
			return Invoked{ID: inv.id}, notBegun(context.Cause(asking))
		case err != nil:
			return t.end(ctx, inv, notDone(inv, err))
		}
		done.Result.Blocks = done.Asked(inv.offer.Tool.Name, inv.params)
		out, err := t.did(deadline, inv, call.Now, done)
		if domain.CodeOf(err) != domain.CodeConditionFailed {
			return out, err
		}
		// It was ended, or the state that the skill rested on has changed.
		other, found, err := t.caughtUp(deadline, inv)
		if found || err != nil {
			return other, err
		}
		call.Lineage = inv.next()
		if attempt == 0 {
			deadline, giveTurn = t.own.takeTurn(deadline)
		}
	}
	return t.end(ctx, inv, failed(inv, domain.CodeConditionFailed,
		"what it rests on was changed again and again at the same moment; nothing was done, try once more", false, t.took(inv)))
}

// do has the skill decide. What an episode asks for is asked for again, so it goes no further
// than the turn of its episode; anything else is asked for once.
func (t *Tools) do(ctx, asking context.Context, inv *invoking, call SkillCall) (SkillDone, error) {
	if inv.callKey != "" {
		during, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		defer context.AfterFunc(asking, func() { cancel(context.Cause(asking)) })()
		ctx = during
	}
	return t.own.skills[inv.offer.Tool.Name].Do(ctx, call)
}

type turnKey struct{}

// takeTurn lets the skills that lost to others try again one after the other: all at once, each
// would lose to the rest. What a skill has done for it by another has its turn, and a wait that
// ctx ends gets none.
func (o ownSkills) takeTurn(ctx context.Context) (within context.Context, give func()) {
	if ctx.Value(turnKey{}) != nil {
		return ctx, func() {}
	}
	defer commands.Outside(ctx)()
	select {
	case o.turn <- struct{}{}:
		give := sync.OnceFunc(func() { <-o.turn })
		keep := commands.WhenLeft(ctx, give)
		return context.WithValue(ctx, turnKey{}, true), func() { keep(); give() }
	case <-ctx.Done():
		return ctx, func() {}
	}
}

// did appends what a skill did and the end of the invocation. While the log
// refuses for a moment, it is tried again.
func (t *Tools) did(ctx context.Context, inv *invoking, at domain.Millis, done SkillDone) (Invoked, error) {
	words, err := t.foreignIn(ctx, done.Quotes)
	if err != nil {
		return Invoked{ID: inv.id}, err
	}
	e := completed(inv, done.Result, spokenOf(done.Said, words), t.took(inv))
	e.completed.Words, e.at = words, at // by a clock that a replay has, too
	entry, err := t.entry(inv, e)
	if err != nil {
		return Invoked{ID: inv.id}, err
	}
	if no := inv.bill.reserve(limit.Weight(done.Entries...)); no != nil {
		return t.end(ctx, inv, notDone(inv, no))
	}
	if entry.Envelope.Type != domain.ToolCompletedType { // the log can't hold it
		done.Entries, done.Conditions = nil, nil
	}
	for {
		err = t.step(ctx, inv, entry, with{before: done.Entries, conditions: done.Conditions})
		switch {
		case err == nil:
			if err := t.waitForRules(ctx, inv, done.Entries); err != nil {
				return Invoked{ID: inv.id}, err
			}
			return invokedOf(inv.id, entry.Envelope)
		case domain.CategoryOf(err) == domain.Validation:
			return t.end(ctx, inv, notDone(inv, err))
		case inv.goesOn() || !domain.IsRetriable(err) || domain.CodeOf(err) == domain.CodeClosed || !commands.Sleep(ctx, pauseBetween):
			return Invoked{ID: inv.id}, err
		}
	}
}

// spokenOf is what an answer says as it is recorded, with whose words each text is; nil of one that is words
// alone, or is too large to be recorded twice.
func spokenOf(said []speech.Said, words []domain.Words) *domain.Spoken {
	for _, w := range words {
		said = speech.Theirs(said, w.EnvelopeID, w.Of)
	}
	spoken, ok := speech.English().Stored(said)
	if !ok {
		return nil
	}
	return spoken
}

// maxQuoted bounds the others' words that an answer is recorded to quote: for what may
// come of it the first one counts.
const maxQuoted = 8

// foreignIn are the quoted words that others' words led to.
func (t *Tools) foreignIn(ctx context.Context, quotes []domain.ID) ([]domain.Words, error) {
	var out []domain.Words
	for _, id := range quotes {
		rec, err := t.cfg.Reader.Find(ctx, id)
		if domain.CategoryOf(err) == domain.NotFound {
			continue
		}
		if err != nil {
			return nil, err
		}
		words, foreign, err := WhoseWords(ctx, t.cfg.Reader, rec)
		if err != nil {
			return nil, err
		}
		if foreign && len(out) < maxQuoted {
			out = append(out, words)
		}
	}
	return out, nil
}

// notDone is the end of a skill that could not decide.
func notDone(inv *invoking, err error) callEnd {
	e := failed(inv, codeSkillFailed, fmt.Sprintf("%s could not be done: %s; nothing was changed", inv.offer.Tool.Name, strings.TrimSuffix(err.Error(), ".")), false, 0)
	e.fault.Retryable = domain.IsRetriable(err)
	return e
}

// codeSkillFailed is the code of a skill that failed.
const codeSkillFailed domain.Code = "skill_failed"

// zone is that of the device on which what is done was asked for: the invocation's own, or that
// of what opened its trace; else the person's.
func (t *Tools) zone(ctx context.Context, inv *invoking) *time.Location {
	if zone, known := commands.ZoneNamed(inv.zone); known {
		return zone
	}
	if rec, err := t.cfg.Reader.Find(ctx, inv.lineage.Trace.ID); err == nil {
		if zone, known := commands.ZoneNamed(domain.DeviceZone(rec.Envelope)); known {
			return zone
		}
	}
	if t.cfg.Zone != nil {
		if zone := t.cfg.Zone(); zone != nil {
			return zone
		}
	}
	return time.UTC
}

// Skill is something that Chalie itself can do. It is offered and invoked like a
// tool of an interface, and passes the same policy.
//
// Do decides and appends nothing: what it changes are the entries it returns,
// which are appended in one batch with the tool.completed of the invocation, so
// that they happen exactly once, however often the process dies. It may therefore
// be asked again for the same call. It is safe for concurrent use.
type Skill interface {
	// Tool describes it as a tool. Its name is stable.
	Tool() domain.Tool
	// SideEffects reports whether it changes anything at all.
	SideEffects() bool
	// Do decides a call whose parameters have passed Tool().CheckParams, and gives up when ctx
	// ends. A refusal that the person or the model can do something about (there is no such
	// list) is a Result with an Error; an error is for what may pass: it ends the invocation
	// as failed.
	Do(ctx context.Context, call SkillCall) (SkillDone, error)
}

// SkillCall is a call of a skill.
type SkillCall struct {
	Params  json.RawMessage // an object
	By      commands.Caller
	Lineage domain.Lineage // of the entries: children of tool.dispatched
	Now     domain.Millis
	Zone    *time.Location // the person's; UTC when it isn't known. Never nil
}

// SkillDone is the result of a skill.
type SkillDone struct {
	Result     commands.Result
	Said       []speech.Said // what Result says, of which its Text, Error and Blocks are the English words; none of an answer that is words alone
	Entries    []domain.Entry
	Conditions []domain.Condition // on which the entries rest; when one fails, Do is asked again
	Quotes     []domain.ID        // envelopes whose words the Result may have in it
	Answers    []Answer           // that a question may be given, each a button
}

// Answer is one to a question of a skill: the call once more, with some parameters changed, or
// a call of another skill.
type Answer struct {
	Label string
	Says  speech.Message // the label, as a value; none where it is words alone
	Skill string         // "" for the one that asks
	With  map[string]any // over the parameters of the call, or those of another skill; null takes one away
}

// Asked are the blocks of a skill's answer, with a button for each answer to its question.
func (done SkillDone) Asked(skill string, params json.RawMessage) []domain.Block {
	if len(done.Answers) == 0 {
		return done.Result.Blocks
	}
	buttons := make([]domain.Button, 0, len(done.Answers))
	for _, a := range done.Answers {
		with := map[string]any{}
		if a.Skill == "" {
			if err := json.Unmarshal(params, &with); err != nil {
				return done.Result.Blocks // it has passed the tool's declaration: it is an object
			}
		}
		for name, value := range a.With {
			if with[name] = value; value == nil {
				delete(with, name)
			}
		}
		buttons = append(buttons, domain.Button{Label: domain.Cut(a.Label, domain.MaxLabelBytes), Skill: cmp.Or(a.Skill, skill), Params: with})
	}
	return append(slices.Clone(done.Result.Blocks), domain.ActionsBlock(buttons...))
}

// WhoseOf is the domain.Words.Of of an envelope's words.
func WhoseOf(e domain.Envelope) string {
	if id, err := domain.ParseID(string(e.Principal)); err == nil {
		return domain.InterfaceWords(id)
	}
	return string(e.Principal)
}

// WhoseWords says of a record whose its words are, and whether they are foreign.
func WhoseWords(ctx context.Context, log domain.Reader, rec domain.Record) (domain.Words, bool, error) {
	e := rec.Envelope
	words := domain.Words{EnvelopeID: e.ID, Kind: domain.WordsOfPlan, Of: WhoseOf(e)}
	switch {
	case e.Payload.Encoding == domain.EncodingErased:
		return words, false, nil // nothing of it is shown
	case e.Type == domain.SignalReceivedType:
		words.Kind = domain.WordsOfSignal
		return words, true, nil
	case e.Type == domain.ContextUpdatedType:
		words.Kind = domain.WordsOfContext
		return words, e.Principal != domain.PrincipalOperator, nil
	case e.Principal != domain.PrincipalOperator:
		return words, true, nil
	}
	cause, err := log.Find(ctx, e.Parent)
	if domain.CategoryOf(err) == domain.NotFound {
		return words, false, nil
	}
	if err != nil {
		return words, false, err
	}
	decided, err := DecisionOn(ctx, log, cause.Envelope)
	if err != nil || decided == nil {
		return words, false, err
	}
	if len(decided.Words) > 0 {
		words.Of = decided.Words[0].Of
	}
	return words, len(decided.Words) > 0 || decided.Actor != domain.ActorOperator, nil
}

// DecisionOn is the policy's decision on the invocation that an envelope belongs to; nil
// when it belongs to none, or the decision can no longer be read.
func DecisionOn(ctx context.Context, log domain.Reader, e domain.Envelope) (*domain.PolicyDecided, error) {
	const few = 4
	invocation, ok := domain.InvocationOf(e)
	if !ok {
		return nil, nil
	}
	records, err := log.Select(ctx, domain.Selector{Key: domain.InvocationKey(invocation)}, 1, few)
	if err != nil {
		return nil, err
	}
	for _, rec := range records {
		if rec.Envelope.Type != domain.PolicyDecidedType {
			continue
		}
		p, err := domain.Decode[domain.PolicyDecided](rec.Envelope)
		if domain.CodeOf(err) == domain.CodeErased {
			return nil, nil
		}
		return &p, err
	}
	return nil, nil
}

// OwnWords is the Words.Of of Chalie's own words.
const OwnWords = "chalie"

// SkillChecker is a Skill that can tell of some calls, without doing anything, that
// they can lead to nothing. They need no approval.
type SkillChecker interface {
	// Check returns a validation error that names the missing parameters. The parameters have
	// passed the declaration.
	Check(params json.RawMessage) error
}
