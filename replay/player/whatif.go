package player

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"chalie/domain"
	"chalie/replay"
)

// Change is the change of a what-if replay. The zero Change changes nothing.
type Change struct {
	Without []domain.ID         // inputs that are left out
	Edits   []Edit              // inputs that are edited
	Approve []domain.ID         // proposals, by their ids, to which the person says yes at once
	Set     map[string]string   // parameters in force throughout, by name; the others are as they were set
	Policy  *domain.PolicyRules // in force throughout; nil for the recorded policies
	Model   string              // answers in place of those that did, by name; "" for those that did
}

// Scope selects the traces that are decided again.
type Scope struct {
	// Trace is the only trace that is decided again; zero for all. The others are taken
	// as recorded, except for effects of an input that is left out.
	Trace domain.TraceID
	Since domain.Position // earlier traces are taken as recorded; 0 for none

	Through domain.Position // later records don't count; 0 for all that there are
}

// Outcomes are the results of a change.
type Outcomes struct {
	Traces   int       `json:"traces" doc:"That were decided anew."`
	Open     int       `json:"open" doc:"Of those, how many had no end when the log ended."`
	Skipped  int       `json:"skipped" doc:"Taken as they were: something in them was erased, or went."`
	Aside    int       `json:"aside" doc:"Taken as they were: with nothing changed they come otherwise, too, now that something went from the log."`
	Outcomes []Outcome `json:"outcomes"`
	Asked    *Asked    `json:"asked,omitempty" doc:"Nil when nobody was."`
	Gap

	aside map[domain.TraceID]bool
}

// IsAside reports whether a trace was taken as it was because something went.
func (o *Outcomes) IsAside(trace domain.TraceID) bool { return o.aside[trace] }

// Asked is a prompt to a model outside the program.
type Asked struct {
	Model     string       `json:"model"`
	Questions int          `json:"questions"`
	Usage     domain.Usage `json:"usage" doc:"Of those it answered."`
}

// WhatIf replays the log with a change through today's code, and lists the traces with a
// different ending, in their order.
//
// The branch begins just before the first change. From there on every input comes as
// recorded, at its time, unless it is changed or its cause is missing: a decision on a
// proposal that was never made doesn't come. Chalie's decisions are made again, at their
// recorded moments.
//
// # Effects
//
// There are none. A tool that is called as recorded gives the recorded answer; any other
// call fails, and is listed in Ending.Calls as one that would have been made. A model
// outside the program gives its recorded reply to the same prompt; its reply to another
// prompt is unknown, and so is the outcome (OutcomeUnknown), unless Change.Model names a
// model to call.
//
// # What isn't followed
//
// Inputs are the recorded ones. A plan that falls due in the branch is told there;
// signals and messages that would only have come in the branch don't.
//
// # What went
//
// Where records went on which a decision may have rested, the outcomes say so. A trace that
// would come to the same other end there with nothing changed, too, is taken as it was: the
// difference is none of the change's. To find that out a second branch is made, with nothing changed.
//
// Records appended meanwhile don't count. The same log and change give the same outcomes
// on every machine. progress, when not nil, is called now and then with positions, of each
// branch.
// Errors: validation, of a change that can't be made; not found, of an envelope or trace
// that isn't there; those of the log; and the end of ctx.
func WhatIf(ctx context.Context, log replay.Log, start StartRuntime, change Change, scope Scope, progress func(done, total domain.Position)) (Outcomes, error) {
	if progress == nil {
		progress = func(_, _ domain.Position) {}
	}
	shown := asItStands(log)
	if scope.Through > 0 {
		shown = until{log, min(shown.Tail(), scope.Through)}
	}
	p, err := plan(ctx, shown, change, scope)
	if err != nil {
		return Outcomes{}, err
	}
	suppose := func(p planned) (Outcomes, error) { return suppose(ctx, shown, start, p, scope, progress) }
	out, err := suppose(p)
	if err == nil {
		out.Gap, err = GapBehind(ctx, log, max(p.fork+1, scope.Since))
	}
	if err != nil || !slices.ContainsFunc(out.Outcomes, func(o Outcome) bool { return o.Position <= out.Base }) {
		return out, err
	}
	same, err := suppose(planned{fork: p.fork})
	out.setAside(same)
	return out, err
}

// suppose makes a branch with a change.
func suppose(ctx context.Context, log replay.Log, start StartRuntime, p planned, scope Scope, progress func(done, total domain.Position)) (Outcomes, error) {
	w, err := newBranching(ctx, log, p, scope)
	if err != nil {
		return Outcomes{}, err
	}
	defer w.stopAll()
	if err := w.begin(ctx, start); err != nil {
		return Outcomes{}, err
	}
	if err := w.build(ctx, progress); err != nil {
		return Outcomes{}, err
	}
	return w.outcomes(ctx)
}

// setAside leaves out the outcomes to which traces come with nothing changed, too, of those that
// may rest on what went. What they rest on doesn't count: the change may have had a part in that.
func (o *Outcomes) setAside(same Outcomes) {
	unchanged := map[domain.TraceID]Ending{}
	for _, s := range same.Outcomes {
		unchanged[s.Trace] = s.Replayed
	}
	o.aside = map[domain.TraceID]bool{}
	o.Outcomes = slices.DeleteFunc(o.Outcomes, func(one Outcome) bool {
		as, otherwise := unchanged[one.Trace]
		as.Evidence = one.Replayed.Evidence
		o.aside[one.Trace] = otherwise && one.Position <= o.Base && as.same(one.Replayed)
		return o.aside[one.Trace]
	})
	for _, is := range o.aside {
		if is {
			o.Aside++
		}
	}
}

// planned is a change with the inputs it names.
type planned struct {
	Change
	without map[domain.ID]bool
	edited  map[domain.ID]edited
	moved   []edited           // inputs with a new time, in its order
	granted map[domain.ID]bool // invocations to which the person says yes at once
	fork    domain.Position    // the last position common to the log and the branch
}

// plan finds the inputs that a change names. The branch begins before the first of them.
func plan(ctx context.Context, log replay.Log, change Change, scope Scope) (planned, error) {
	p := planned{Change: change, without: map[domain.ID]bool{}, edited: map[domain.ID]edited{}, granted: map[domain.ID]bool{}, fork: log.Tail()}
	if len(change.Set) > 0 || change.Policy != nil || change.Model != "" || len(change.Without)+len(change.Edits)+len(change.Approve) == 0 {
		from, err := beginning(ctx, log, scope)
		if err != nil {
			return p, err
		}
		p.before(from)
	}
	for _, id := range change.Without {
		rec, err := input(ctx, log, id)
		if err != nil {
			return p, err
		}
		p.without[id] = true
		p.before(rec.Position)
	}
	for _, e := range change.Edits {
		rec, answer, err := editable(ctx, log, e)
		if err != nil {
			return p, err
		}
		if answer {
			if err := p.beforeTrace(ctx, log, rec.Envelope.Trace); err != nil {
				return p, err
			}
		}
		one, again := p.edited[e.ID]
		if !again {
			one = edited{rec: rec, was: rec}
		}
		if err := one.apply(e); err != nil {
			return p, err
		}
		p.edited[e.ID] = one
		p.before(rec.Position)
		at, err := log.Since(ctx, one.rec.RecordedAt)
		if err != nil {
			return p, err
		}
		p.before(at)
	}
	for _, id := range change.Approve {
		if err := p.approve(ctx, log, id); err != nil {
			return p, err
		}
	}
	params := domain.DefaultParams()
	for _, name := range slices.Sorted(maps.Keys(change.Set)) {
		if err := params.Set(name, change.Set[name]); err != nil {
			return p, err
		}
	}
	if change.Policy != nil {
		if err := change.Policy.Check(); err != nil {
			return p, err
		}
	}
	p.order()
	return p, nil
}

func (p *planned) before(pos domain.Position) { p.fork = min(p.fork, max(pos, 1)-1) }

// approve finds the invocation of a proposal. The branch begins before its trace, so that
// the code comes to the proposal by itself.
func (p *planned) approve(ctx context.Context, log replay.Log, id domain.ID) error {
	rec, err := log.Find(ctx, id)
	if err != nil {
		return err
	}
	invocation, _ := domain.InvocationOf(rec.Envelope)
	if rec.Envelope.Type != domain.ApprovalProposedType {
		return domain.Invalid("replay", "approve", fmt.Sprintf("%s is a %s, to which nobody says yes or no: give the id of an %s", id, rec.Envelope.Type, domain.ApprovalProposedType))
	}
	p.granted[invocation] = true
	return p.beforeTrace(ctx, log, rec.Envelope.Trace)
}

func (p *planned) beforeTrace(ctx context.Context, log replay.Log, trace domain.TraceID) error {
	from, err := beginning(ctx, log, Scope{Trace: trace})
	if err == nil {
		p.before(from)
	}
	return err
}

// beginning is the first position of a scope.
func beginning(ctx context.Context, log replay.Log, scope Scope) (domain.Position, error) {
	if scope.Trace.IsZero() {
		return max(scope.Since, 1), nil
	}
	records, err := log.Select(ctx, domain.Selector{Trace: scope.Trace}, 1, 1)
	if err != nil {
		return 0, err
	}
	if len(records) == 0 {
		return 0, &domain.Error{Op: "replay", Category: domain.NotFound, Code: "not_found",
			Message: fmt.Sprintf("no trace is called %s: list what there is with the log", scope.Trace)}
	}
	return max(scope.Since, records[0].Position), nil
}

// editable is a record that an edit may change: an input, or the answer of a tool or of a
// model, which the code gets anew when it asks as it did. When an answer came can't be
// changed.
func editable(ctx context.Context, log replay.Log, e Edit) (rec domain.Record, answer bool, err error) {
	if rec, err = log.Find(ctx, e.ID); err != nil {
		return rec, false, err
	}
	switch env := rec.Envelope; env.Type {
	case domain.ModelRepliedType:
		answer = true
	case domain.ToolCompletedType:
		id, _ := domain.InvocationOf(env)
		invoked, err := log.Find(ctx, id)
		if err != nil {
			return rec, false, err
		}
		in, err := domain.Decode[domain.ToolInvoked](invoked.Envelope)
		if err != nil {
			return rec, false, err
		}
		answer = !in.InterfaceID.IsZero()
	}
	if answer && e.Field == AtField {
		return rec, false, domain.Invalid("replay", "edit", fmt.Sprintf("%s is an answer, which comes when it is asked for: change another field of it", e.ID))
	}
	if !answer {
		rec, err = input(ctx, log, e.ID)
	}
	return rec, answer, err
}

// input is a record that came from outside.
func input(ctx context.Context, log replay.Log, id domain.ID) (domain.Record, error) {
	rec, err := log.Find(ctx, id)
	if err != nil {
		return rec, err
	}
	decided, err := isDecided(ctx, log, rec)
	if _, _, called := domain.CallOf(rec.Envelope); rec.Envelope.Type == domain.ToolInvokedType && !called {
		return rec, err // it was requested directly
	}
	if err == nil && decided {
		err = domain.Invalid("replay", "id", fmt.Sprintf("%s is a %s, which Chalie's own code made: change what it came of instead, `why` names that", id, rec.Envelope.Type))
	}
	return rec, err
}

// question compares a model's prompt in a branch with the recorded one.
type question struct {
	w         *branching
	now, then domain.Episode
	same      bool // the prompts are the same
	replySame bool // and so are the replies
}

// question compares by references: the ground, the steers, and the tools' results. Each
// referenced envelope must have the same content.
func (w *branching) question(ctx context.Context, trace domain.TraceID) (*question, error) {
	q := &question{w: w}
	if err := eachOf(ctx, w.branch, trace, q.now.Evolve); err != nil {
		return nil, err
	}
	if err := eachOf(ctx, w.log, trace, q.then.Evolve); err != nil {
		return nil, err
	}
	n := len(q.now.Calls)
	if n == 0 || n > len(q.then.Calls) || q.now.Started == nil || q.then.Started == nil {
		return q, nil
	}
	alike := sameGround(*q.now.Started, *q.then.Started)
	if !alike {
		then, err := w.leftOutOf(ctx, *q.then.Started)
		if err != nil {
			return nil, err
		}
		alike = sameGround(*q.now.Started, then)
	}
	if alike {
		var err error
		if alike, err = w.sameRecent(ctx, q.now.Started.Recent, q.then.Started.Recent, q.then.Opening.Position); err != nil {
			return nil, err
		}
	}
	refs := []domain.ID{q.now.Opening.Envelope.ID}
	for i, now := range q.now.Calls {
		then := q.then.Calls[i]
		alike = alike && slices.Equal(now.Steers, then.Steers) && now.Check == then.Check && now.Instead == then.Instead && now.Final == then.Final &&
			slices.Equal(now.Offered, then.Offered) && now.Model == then.Model
		refs = append(refs, now.Steers...)
		if i == n-1 {
			break
		}
		alike = alike && now.ReplyID == then.ReplyID && len(now.Tools) == len(then.Tools)
		for t := range min(len(now.Tools), len(then.Tools)) {
			alike = alike && now.Tools[t].End == then.Tools[t].End
			refs = append(refs, now.Tools[t].End)
		}
		refs = append(refs, now.ReplyID)
	}
	for _, items := range [][]domain.SeenItem{q.now.Started.World.Items, q.now.Started.World.LeftOut} {
		for _, item := range items {
			refs = append(refs, item.Text())
		}
	}
	for _, rel := range q.now.Started.Relations {
		refs = append(refs, rel.Signal, rel.Commitment)
	}
	for i := 0; alike && i < len(refs); i++ {
		var err error
		if alike, err = w.saysTheSame(ctx, refs[i]); err != nil {
			return nil, err
		}
	}
	for i := 0; alike && i < len(q.now.Started.Recent); i++ {
		var err error
		if alike, err = w.wentTheSame(ctx, q.now.Started.Recent[i]); err != nil {
			return nil, err
		}
	}
	q.same = alike
	if last := q.now.LastCall(); alike && last.ReplyID == q.then.Calls[n-1].ReplyID && !last.ReplyID.IsZero() {
		var err error
		q.replySame, err = w.saysTheSame(ctx, last.ReplyID)
		return q, err
	}
	return q, nil
}

// leftOutOf is a start without what it had left out and the log doesn't hold any more: no prompt
// names it.
func (w *branching) leftOutOf(ctx context.Context, started domain.ReasoningStarted) (domain.ReasoningStarted, error) {
	left := []domain.SeenItem{}
	for _, item := range started.World.LeftOut {
		_, err := w.log.Find(ctx, item.EnvelopeID)
		switch {
		case err == nil:
			left = append(left, item)
		case domain.CategoryOf(err) != domain.NotFound:
			return started, err
		}
	}
	started.World.LeftOut = left
	return started, nil
}

// replied is the recorded reply to the last question, or the record of its failure.
func (q *question) replied() domain.ID {
	n := len(q.now.Calls)
	if n == 0 || n > len(q.then.Calls) {
		return domain.ID{}
	}
	if then := q.then.Calls[n-1]; !then.Failed.IsZero() {
		return then.Failed
	}
	return q.then.Calls[n-1].ReplyID
}

// sameGround reports whether two starts give a model the same context.
func sameGround(a, b domain.ReasoningStarted) bool {
	a.World.Position, b.World.Position = 0, 0
	a.Read, b.Read = 0, 0                       // no model is told it, and one of the two may have recorded none
	a.Found, b.Found = domain.ID{}, domain.ID{} // relations are compared
	a.Rules, b.Rules, a.Build, b.Build = "", "", "", ""
	a.Recent, b.Recent = nil, nil // compared by sameRecent
	a.Limits, b.Limits = domain.ReasoningLimits{}, domain.ReasoningLimits{}
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

// sameRecent reports whether two working memories are the same. Whether an exchange is
// in it that ended while the message waited depends on how far the fold was then, which
// isn't recorded: it doesn't count.
func (w *branching) sameRecent(ctx context.Context, now, then []domain.ID, opened domain.Position) (bool, error) {
	if slices.Equal(now, then) {
		return true, nil
	}
	before := func(messages []domain.ID) (kept []domain.ID, err error) {
		for _, id := range messages {
			message, err := w.log.Find(ctx, id)
			if domain.CategoryOf(err) == domain.NotFound {
				kept = append(kept, id)
				continue
			}
			if err != nil {
				return nil, err
			}
			ends, err := w.log.Select(ctx, domain.Selector{Key: domain.ConcludedKey(message.Envelope.Trace)}, 1, 1)
			if err != nil {
				return nil, err
			}
			if len(ends) == 0 || ends[0].Position < opened {
				kept = append(kept, id)
			}
		}
		return kept, nil
	}
	a, err := before(now)
	if err != nil {
		return false, err
	}
	b, err := before(then)
	if err != nil || len(a) == len(now) && len(b) == len(then) {
		return false, err
	}
	// Each exchange that doesn't count has pushed out an older one.
	n := min(len(a), len(b))
	return slices.Equal(a[len(a)-n:], b[len(b)-n:]), nil
}

// saysTheSame reports whether an envelope has the same content in the branch. Durations
// don't count.
func (w *branching) saysTheSame(ctx context.Context, id domain.ID) (bool, error) {
	here, err := w.branch.Find(ctx, id)
	if domain.CategoryOf(err) == domain.NotFound {
		_, err = w.log.Find(ctx, id)
		if domain.CategoryOf(err) == domain.NotFound {
			return true, nil // neither holds it any more
		}
		return false, err
	}
	if err != nil || w.branch.Shares(here.Position) {
		return err == nil, err
	}
	then, err := w.log.Find(ctx, id)
	if err != nil {
		return false, err
	}
	return here.Envelope.Type == then.Envelope.Type && reflect.DeepEqual(sayings(here.Envelope), sayings(then.Envelope)), nil
}

func sayings(env domain.Envelope) any {
	var out map[string]any
	if env.Payload.Encoding != domain.EncodingJSON || json.Unmarshal(env.Payload.Bytes, &out) != nil {
		return string(env.Payload.Bytes)
	}
	delete(out, "duration_ms")
	delete(out, "read") // a position of the branch
	out["errors"] = env.Errors
	return out
}

// wentTheSame reports whether an earlier exchange is the same in the branch.
func (w *branching) wentTheSame(ctx context.Context, message domain.ID) (bool, error) {
	if same, err := w.saysTheSame(ctx, message); !same || err != nil {
		return false, err
	}
	rec, err := w.branch.Find(ctx, message)
	if domain.CategoryOf(err) == domain.NotFound {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	now, err := endingOf(ctx, w.branch, rec.Envelope.Trace)
	if err != nil {
		return false, err
	}
	then, err := endingOf(ctx, w.log, rec.Envelope.Trace)
	return now.Text == then.Text && now.Shown == then.Shown, err
}

// past is a trace as it was recorded.
type past struct {
	opened  domain.Record
	started *domain.ReasoningStarted
	erased  bool // a payload of it can't be read
	steps   map[identity]domain.Envelope
	taken   map[identity]int
	answers map[domain.ID]bool // invocations whose answer was used in the branch
}

// pastOf reads a trace, and caches it.
func (w *branching) pastOf(ctx context.Context, trace domain.TraceID) (*past, error) {
	if p := w.pasts[trace]; p != nil {
		return p, nil
	}
	p := &past{steps: map[identity]domain.Envelope{}, taken: map[identity]int{}, answers: map[domain.ID]bool{}}
	seen := map[identity]int{}
	err := eachOf(ctx, w.log, trace, func(rec domain.Record) error {
		env := rec.Envelope
		if p.opened.Position == 0 {
			p.opened = rec
		}
		p.erased = p.erased || env.Payload.Encoding == domain.EncodingErased
		if env.Type == domain.ReasoningStartedType && p.started == nil {
			if started, err := domain.Decode[domain.ReasoningStarted](env); err == nil {
				p.started = &started
			}
		}
		if domain.IsSilent(env) {
			cycle, err := w.silent.Cycle(ctx, rec)
			switch {
			case err == nil:
				p.started = &cycle.Started
			case domain.CodeOf(err) != domain.CodeErased:
				return err
			}
			p.erased = p.erased || err != nil
		}
		id := identityOf(env)
		seen[id]++
		if rec.Position > w.fork {
			id.n = seen[identityOf(env)]
			p.steps[id] = env
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	// Steps before the fork are in the branch already.
	for id, n := range seen {
		later := 0
		for m := 1; m <= n; m++ {
			id.n = m
			if _, ok := p.steps[id]; ok {
				later++
			}
		}
		id.n = 0
		p.taken[id] = n - later
	}
	w.pasts[trace] = p
	return p, nil
}

// take is the next recorded step of an identity; nil when there is none.
func (p *past) take(env domain.Envelope) *domain.Envelope {
	id := identityOf(env)
	p.taken[id]++
	id.n = p.taken[id]
	twin, ok := p.steps[id]
	if !ok {
		return nil
	}
	delete(p.steps, id)
	return &twin
}
