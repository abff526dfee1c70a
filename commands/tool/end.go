package tool

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"chalie/commands"
	"chalie/commands/screen"
	"chalie/domain"
)

// callEnd is the end of an invocation: exactly one of the three is set.
type callEnd struct {
	completed *domain.ToolCompleted
	failed    *domain.ToolFailed
	unknown   *domain.ToolOutcomeUnknown
	fault     *domain.Fault // what the envelope's errors say; nil for none

	left  bool               // it isn't recorded: whoever asked goes on with it after the next start
	state *domain.StateTaken // after the call; nil for none
	at    domain.Millis      // the moment that it speaks of; 0 is now
}

// cancellable is work for a call that ends when the person cancels the episode of asking, and
// when stopCall says so: the request is broken off, and a server of the Model Context Protocol
// is told. A program that takes its calls by itself can't be told. stop frees it.
func (t *Tools) cancellable(asking, work context.Context, inv *invoking) (calling context.Context, stop func()) {
	if at := commands.EndpointOf(inv.offer.Interface); !at.Program.IsZero() {
		return work, func() {}
	}
	calling, cancel := context.WithCancelCause(work)
	unwatch := context.AfterFunc(asking, func() {
		if cause := context.Cause(asking); errors.Is(cause, commands.ErrCancelled) {
			cancel(cause)
		}
	})
	t.mu.Lock()
	t.calls[inv.id] = cancel
	t.mu.Unlock()
	return calling, func() {
		t.mu.Lock()
		delete(t.calls, inv.id)
		t.mu.Unlock()
		unwatch()
		cancel(nil)
	}
}

// stopCall ends the call of an invocation that is under way.
func (t *Tools) stopCall(invocation domain.ID) {
	t.mu.Lock()
	cancel := t.calls[invocation]
	t.mu.Unlock()
	if cancel != nil {
		cancel(commands.ErrCancelled)
	}
}

// execute makes the call, once, and judges the result. What isn't known to
// have stopped short of the tool may have had its effect.
func (t *Tools) execute(ctx context.Context, inv *invoking) callEnd {
	defer commands.Anew(ctx)
	at, within := commands.EndpointOf(inv.offer.Interface), t.cfg.Within
	if !at.Server.IsZero() {
		within = max(within, commands.LongestCall) // its own adapter ends a call without progress earlier
	}
	ctx, cancel := t.bounded(ctx, within)
	defer cancel()
	back := commands.Outside(ctx)
	result, err := t.cfg.Peer.Execute(ctx, at, commands.Call{Capability: inv.offer.Tool.Name, Params: inv.params, Key: inv.id.UUID(), Lineage: inv.next()})
	back()
	result.Card, result.Blocks = t.cleaned(result.Card), t.cleanedBlocks(result.Blocks)
	e := t.endOfCall(inv, result, err)
	if e.unknown != nil && errors.Is(context.Cause(ctx), errStopping) {
		e = interruptedCall(inv, t.took(inv))
		e.left = inv.goesOn()
	}
	return e
}

// errStopping is the cause with which a call ends that isn't waited for because Chalie stops.
var errStopping = errors.New("Chalie is stopping") //nolint:staticcheck // a name

// bounded is the context of what an interface is asked.
func (t *Tools) bounded(ctx context.Context, within time.Duration) (bounded context.Context, done func()) {
	ctx, cancel := context.WithTimeout(ctx, within)
	bounded, breakOff := context.WithCancelCause(ctx)
	unwatch := context.AfterFunc(t.cfg.Until, func() { breakOff(errStopping) })
	return bounded, func() {
		unwatch()
		breakOff(nil)
		cancel()
	}
}

// cleaned is a card that may be shown; nil when nothing of it may.
func (t *Tools) cleaned(card *domain.Card) *domain.Card {
	if card == nil || t.cfg.Cards == nil {
		return nil
	}
	out := domain.Card{Title: card.Title, AccentColor: card.AccentColor}
	out.HTML, out.CSS, out.ScopeID = t.cfg.Cards.Clean(screen.Text(card.HTML), card.CSS)
	if out.HTML == "" {
		return nil
	}
	return &out
}

// endOfCall is the end of a call, by its result or error.
func (t *Tools) endOfCall(inv *invoking, result commands.Result, err error) callEnd {
	took := t.took(inv)
	t.pace(inv.offer, took)
	if err == nil {
		return completed(inv, result, nil, took)
	}
	code, why := domain.CodeOf(err), err.Error()
	if e, ok := errors.AsType[*domain.Error](err); ok && e.Message != "" {
		why = strings.TrimSuffix(e.Message, ".")
	}
	switch {
	case code == commands.CodePeerUnreachable, code == commands.CodePeerForbidden:
		return failed(inv, code, why, false, took)
	case code != commands.CodePeerUnknown && commands.PerhapsDone(code):
		return failed(inv, code, orPerhapsDone(why), true, took)
	case code == "":
		code = commands.CodePeerUnknown
	}
	return unknown(inv, code, orPerhapsDone(why), took)
}

// took is the duration of a call, in milliseconds. The clock may go back.
func (t *Tools) took(inv *invoking) int64 {
	if inv.began == 0 {
		return 0
	}
	return max(0, int64(t.cfg.Now()-inv.began))
}

// orPerhapsDone adds PerhapsDone to why a call brought no good answer, and keeps it
// within what a fault holds.
func orPerhapsDone(why string) string {
	return domain.Cut(strings.ToValidUTF8(why, "\uFFFD"), commands.MaxFaultBytes-len(domain.PerhapsDone)) + domain.PerhapsDone
}

func completed(inv *invoking, r commands.Result, spoken *domain.Spoken, took int64) callEnd {
	// What is stored is what its caller is told, and what is compared with its declaration.
	done := shallow(screen.Answer(domain.ToolCompleted{
		InvocationID: inv.id, Text: r.Text, Data: r.Data, Error: r.Error, Blocks: r.Blocks, OpenURL: r.OpenURL, Card: r.Card, Spoken: spoken, DurationMS: took,
	}))
	if !inv.offer.IsOwn() {
		done.Blocks = domain.ButtonsOf(done.Blocks, inv.id)
	}
	e := callEnd{completed: &done}
	switch {
	case done.Error == nil:
	case *done.Error == "":
		done.Error = nil // some say so that nothing is wrong
	default:
		e.fault = faultOf(domain.CodeToolError, domain.Dependency, *done.Error)
	}
	return e
}

// shallow is an answer whose data nests no deeper than what is shown: the tool has run,
// and what it answered beyond that is kept as a text.
func shallow(r domain.ToolCompleted) domain.ToolCompleted {
	if domain.Nesting(r.Data) <= domain.MaxNesting {
		return r
	}
	text := fmt.Sprintf("The answer nests more than %d objects and arrays deep, so it is kept as a text: %s", domain.MaxNesting, strings.ToValidUTF8(string(r.Data), "\uFFFD"))
	if r.Text != nil {
		text = *r.Text + "\n" + text
	}
	r.Text, r.Data = &text, nil
	return r
}

func failed(inv *invoking, reason domain.Code, detail string, dispatched bool, took int64) callEnd {
	fault := faultOf(reason, domain.Dependency, detail)
	fault.Retryable = !dispatched && reason != commands.CodePeerForbidden
	return callEnd{failed: &domain.ToolFailed{
		InvocationID: inv.id, Reason: reason, Detail: fault.Message, Dispatched: dispatched, DurationMS: took,
	}, fault: fault}
}

func unknown(inv *invoking, reason domain.Code, detail string, took int64) callEnd {
	fault := faultOf(reason, domain.Dependency, detail)
	return callEnd{unknown: &domain.ToolOutcomeUnknown{
		InvocationID: inv.id, Reason: reason, Detail: fault.Message, DurationMS: took,
	}, fault: fault}
}

// interruptedCall is the end of a call that was under way when Chalie ended.
func interruptedCall(inv *invoking, took int64) callEnd {
	return unknown(inv, domain.CodeInterrupted, "Chalie ended while the call was under way"+domain.PerhapsDone, took)
}

func denied(inv *invoking) callEnd {
	e := failed(inv, domain.CodeDenied, inv.decision.Denial(inv.offer.Tool.Name)+"; nothing was sent", false, 0)
	e.fault.Category, e.fault.Retryable = domain.Policy, false
	return e
}

func notDispatched(inv *invoking, why string) callEnd {
	return failed(inv, domain.CodeNotDispatched, why+"; nothing was sent", false, 0)
}

func faultOf(code domain.Code, category domain.Category, message string) *domain.Fault {
	return &domain.Fault{Code: code, Category: category, Message: domain.Cut(screen.Text(strings.ToValidUTF8(message, "\uFFFD")), commands.MaxFaultBytes)}
}

// entry is the envelope of an end. An answer that the log can't hold ends the
// invocation as failed: what it did is done, and that it answered is known.
func (t *Tools) entry(inv *invoking, e callEnd) (entry domain.Entry, err error) {
	id, now := t.cfg.IDs.NewID(), cmp.Or(e.at, t.cfg.Now())
	switch {
	case e.completed != nil:
		entry, err = domain.New(inv.next(), id, now, toolsSource, *e.completed)
	case e.failed != nil:
		entry, err = domain.New(inv.next(), id, now, toolsSource, *e.failed)
	default:
		entry, err = domain.New(inv.next(), id, now, toolsSource, *e.unknown)
	}
	if err == nil && e.completed != nil && e.completed.Card != nil && inv.callKey != "" && inv.question.Channel != domain.ChannelBackground {
		entry.Envelope.Keys = append(entry.Envelope.Keys, domain.CardKey)
	}
	if err == nil {
		if e.fault != nil {
			entry.Envelope.Errors = []domain.Fault{*e.fault}
		}
		err = entry.Envelope.Check()
	}
	if e.completed == nil {
		return entry, err
	}
	took, size := e.completed.DurationMS, len(entry.Envelope.Payload.Bytes)
	if err == nil && size > endRoom && inv.bill.reserve(size-endRoom) != nil {
		return t.entry(inv, failed(inv, commands.CodePeerTooLarge, fmt.Sprintf(
			"the tool answered, but its answer takes %d bytes when stored, and with them more would be recorded for the caller in a minute than may be; it may have done what it was asked",
			size), true, took))
	}
	if err == nil {
		return entry, nil
	}
	if size > domain.MaxPayloadBytes {
		return t.entry(inv, failed(inv, commands.CodePeerTooLarge, fmt.Sprintf(
			"the tool answered, but its answer takes %d bytes when stored and the bound is %d; it may have done what it was asked",
			size, domain.MaxPayloadBytes), true, took))
	}
	return t.entry(inv, failed(inv, commands.CodePeerBadShape,
		"the tool answered, but its answer can't be stored as JSON in UTF-8; it may have done what it was asked", true, took))
}

// entries is the envelope of an end and what is recorded with it.
func (t *Tools) entries(ctx context.Context, inv *invoking, e callEnd) (entry domain.Entry, more []domain.Entry, issues []string, err error) {
	if entry, err = t.entry(inv, e); err != nil {
		return entry, nil, nil, err
	}
	more, issues, err = t.followUps(ctx, inv, e, entry.Envelope)
	return entry, more, issues, err
}

// pauseBetween is the pause before an end that the log refused is offered again.
const pauseBetween = 100 * time.Millisecond

// end records the end of an invocation and returns it. If another process ended it
// first, that end is returned. The end of a call that was made is worth some patience
// with the log: without it the outcome is unknown.
func (t *Tools) end(ctx context.Context, inv *invoking, e callEnd) (Invoked, error) {
	if e.left {
		return Invoked{ID: inv.id}, &domain.Error{Op: "invoke tool", Category: domain.Dependency, Code: "cancelled", Retriable: true, Err: errStopping,
			Message: fmt.Sprintf("Chalie stops while %s is under way; its next start goes on with it", inv.offer.Tool.Name)}
	}
	deadline, cancel := context.WithTimeout(ctx, t.cfg.Within)
	defer cancel()
	entry, more, issues, err := t.entries(ctx, inv, e)
	for err == nil {
		switch err = t.step(deadline, inv, entry, with{after: more}); {
		case err == nil:
			out, err := invokedOf(inv.id, entry.Envelope)
			out.Issues = issues
			return out, err
		case domain.CodeOf(err) == domain.CodeConditionFailed:
			other, found, readErr := t.caughtUp(deadline, inv)
			if found || readErr != nil {
				return other, readErr
			}
			entry, more, issues, err = t.entries(ctx, inv, e)
		case inv.began != 0 && domain.IsRetriable(err) && domain.CodeOf(err) != domain.CodeClosed && commands.Sleep(deadline, pauseBetween):
			err = nil
		}
	}
	if inv.began == 0 {
		return Invoked{ID: inv.id}, err
	}
	return Invoked{ID: inv.id}, &domain.Error{Op: "invoke tool", Category: domain.Dependency, Code: domain.CodeOutcomeUnknown, Err: err,
		Message: fmt.Sprintf("%s was called, but what came of it can't be recorded"+domain.LookFirst, inv.offer.Tool.Name)}
}

// caughtUp reads the steps that another process made, and their end if there is one.
func (t *Tools) caughtUp(ctx context.Context, inv *invoking) (end Invoked, found bool, err error) {
	const most = 16 // an invocation has four steps
	records, err := t.cfg.Reader.Select(ctx, domain.Selector{Key: domain.InvocationKey(inv.id)}, inv.through+1, most)
	if err != nil {
		return Invoked{ID: inv.id}, false, err
	}
	for _, rec := range records {
		if rec.Envelope.Kind == domain.KindResult {
			end, err = invokedOf(inv.id, rec.Envelope)
			return end, true, err
		}
		inv.last, inv.through = rec.Envelope.ID, rec.Position
	}
	return Invoked{}, false, nil
}

// abandon ends an invocation whose call was not made because that couldn't be
// recorded.
func (t *Tools) abandon(ctx context.Context, inv *invoking, cause error) (Invoked, error) {
	out, err := t.end(ctx, inv, notDispatched(inv, "that the call leaves could not be recorded, so it was not made"))
	if err != nil {
		return out, cause
	}
	return out, nil
}

// invokedOf is the end of an invocation, as its caller is told: what is
// recorded, no more and no less.
func invokedOf(id domain.ID, e domain.Envelope) (Invoked, error) {
	out := Invoked{ID: id, Outcome: e.Type}
	if len(e.Errors) > 0 {
		out.Fault = &e.Errors[0]
	}
	switch e.Type {
	case domain.ToolCompletedType:
		p, err := domain.Decode[domain.ToolCompleted](e)
		if err != nil {
			return out, err
		}
		out.Result = commands.Result{Text: p.Text, Data: p.Data, Error: p.Error, Blocks: p.Blocks, OpenURL: p.OpenURL}
		if bytes.Equal(p.Data, []byte("null")) {
			out.Result.Data = nil
		}
	case domain.ToolFailedType:
		p, err := domain.Decode[domain.ToolFailed](e)
		if err != nil {
			return out, err
		}
		out.Result.Error = &p.Detail
	case domain.ToolOutcomeUnknownType:
		p, err := domain.Decode[domain.ToolOutcomeUnknown](e)
		if err != nil {
			return out, err
		}
		out.Result.Error = &p.Detail
	}
	return out, nil
}

// Recover ends every invocation that an earlier process left open: of one that
// was dispatched has an unknown outcome, any other failed. Nothing is called,
// and doing it again does nothing. What Invoke has under way is left alone, so
// people need not wait for it at the start; so is what goes on by itself: the
// tool calls of episodes, and what the person was asked about. It waits until the
// fold of the open invocations has come to the tail.
//
// One that can't be ended doesn't keep the others from it; the error joins what
// went wrong.
func (t *Tools) Recover(ctx context.Context) error {
	if err := t.cfg.Applied.WaitFor(ctx, t.cfg.Tail.Tail()); err != nil {
		return err
	}
	var open map[domain.ID]domain.OpenInvocation
	t.cfg.Invocations.Read(func(s *domain.Invocations) { open = maps.Clone(s.Open) })
	order := slices.SortedFunc(maps.Keys(open), func(a, b domain.ID) int { return int(open[a].Invoked) - int(open[b].Invoked) })
	var failures []error
	for _, id := range order {
		if t.held(id) || open[id].GoesOn() {
			continue
		}
		end, err := t.settle(ctx, id, open[id])
		failures = append(failures, err)
		if err == nil {
			t.warn(ctx, open[id], end)
		}
	}
	return errors.Join(failures...)
}

// warn writes to the program's log how an invocation ended that an earlier process had
// left open: an operator may want to look what the tool did.
func (t *Tools) warn(ctx context.Context, open domain.OpenInvocation, end Invoked) {
	ctx = context.WithoutCancel(ctx) // it has ended, and is told
	tool, trace := "(erased)", ""
	if first, err := t.cfg.Reader.Select(ctx, domain.Selector{}, open.Invoked, 1); err == nil && len(first) > 0 {
		trace = first[0].Envelope.Trace.String()
		if asked, err := domain.Decode[domain.ToolInvoked](first[0].Envelope); err == nil {
			tool = asked.Tool
		}
	}
	why := "nobody knows what came of it"
	if end.Outcome == domain.ToolFailedType {
		why = "it was not called"
	}
	t.cfg.Logger.LogAttrs(ctx, slog.LevelWarn, "a tool was under way when Chalie ended: "+why,
		slog.String("tool", tool), slog.String("outcome", string(end.Outcome)), slog.String("trace", trace))
}

// settle ends an invocation that was left open.
func (t *Tools) settle(ctx context.Context, id domain.ID, open domain.OpenInvocation) (Invoked, error) {
	ctx = t.cfg.Act(ctx)
	records, err := t.cfg.Reader.Select(ctx, domain.Selector{}, open.Last, 1)
	if err != nil {
		return Invoked{ID: id}, err
	}
	if len(records) == 0 || records[0].Position != open.Last {
		return Invoked{ID: id}, &domain.Error{Op: "recover invocations", Category: domain.NotFound, Code: "not_found",
			Message: fmt.Sprintf("the latest step of invocation %s, at position %d, is not in the log: verify the log", id, open.Last)}
	}
	latest := records[0].Envelope
	inv := &invoking{id: id, lineage: domain.Continue(latest), last: latest.ID, through: open.Last}
	e := notDispatched(inv, "Chalie ended before the call was made")
	switch {
	case !open.Dispatched:
	case t.isOwn(ctx, open.Invoked):
		// What it does it does together with its end.
		e = failed(inv, domain.CodeInterrupted, "Chalie ended before it was done; nothing was changed", false, 0)
	default:
		e = interruptedCall(inv, 0)
	}
	return t.end(ctx, inv, e)
}

// isOwn reports whether what was invoked at a position is something that Chalie
// itself does. What can no longer be read may be anybody's.
func (t *Tools) isOwn(ctx context.Context, invoked domain.Position) bool {
	records, err := t.cfg.Reader.Select(ctx, domain.Selector{}, invoked, 1)
	if err != nil || len(records) == 0 {
		return false
	}
	asked, err := domain.Decode[domain.ToolInvoked](records[0].Envelope)
	return err == nil && asked.InterfaceID.IsZero()
}
