package explain

import (
	"cmp"
	"context"
	"slices"
	"time"

	"chalie/domain"
	"chalie/replay"
	"chalie/replay/narrate"
)

// Direction is the direction of an explanation.
type Direction string

// The directions. Back, to the causes, is the default.
const (
	Back    Direction = "back"
	Forward Direction = "forward"
)

// Bounds of the records that are searched for effects, beside MaxNodes found ones. The
// explanation says when a bound was reached.
const (
	maxEnds = 20_000 // conclusions after it, some of which may rest on it
	maxSent = 20_000 // signals and messages, some of which may come from the sender it let in
)

// Effects finds the effects of a target: the envelopes that it caused, and the
// conclusions that rest on it or on one of those, and so on, over all traces, in the
// order of the log. The target is the named envelope: an exchange's id means its message.
// The target is the first node, followed by its effects, the earliest first; edges go
// from cause to effect.
//
// Children are found by the log's index, however late they are. Evidence isn't indexed:
// it is searched for in the conclusions after the target, at most maxEnds of them. So the
// cost depends on the number of effects and of later conclusions, not on the number of
// signals. Replies that no conclusion shows are not searched.
//
// Errors are those of Explain.
func Effects(ctx context.Context, log replay.Log, target replay.Target, zone *time.Location) (Explanation, error) {
	rec, err := target.LocateItself(ctx, log)
	if err != nil {
		return Explanation{}, err
	}
	w := newWalk(log)
	w.out.Direction = Forward
	if err := w.onward(ctx, rec); err != nil {
		return Explanation{}, err
	}
	if err := w.score(ctx); err != nil {
		return Explanation{}, err
	}
	if err := w.label(ctx); err != nil {
		return Explanation{}, err
	}
	t := narrator{walk: w, zone: zone, target: rec}
	w.out.Target = Focus{ID: rec.Envelope.ID, Type: rec.Envelope.Type, Trace: rec.Envelope.Trace}
	if err := t.fetchReply(ctx, rec.Envelope); err != nil {
		return Explanation{}, err
	}
	w.out.Target.Said = w.said(rec)
	told, err := t.consequences(ctx)
	w.out.Sentences, w.out.Parts = narrate.Sentences(told)
	return w.out, err
}

// coming is an effect found by an index, which waits for its position to be reached.
type coming struct {
	effect domain.Record
	cause  cause
}

// onward follows effects in the order of the log: an effect is always later than its
// cause, so each record is handled once, when all its causes are known.
func (w *walk) onward(ctx context.Context, target domain.Record) error {
	w.target = target.Envelope.ID
	if err := w.arrive(ctx, target); err != nil {
		return err
	}
	ends := newEnds(w.log, target.Position)
	for !w.out.Cut {
		end, err := ends.next(ctx)
		if err != nil {
			return err
		}
		switch {
		case len(w.ahead) == 0 && end.Position == 0:
			w.out.Cut = ends.cut || w.beyond
			return nil
		case end.Position == 0 || len(w.ahead) > 0 && w.ahead[0].effect.Position <= end.Position:
			next := w.ahead[0]
			w.ahead = w.ahead[1:]
			err = w.effect(ctx, next.effect, next.cause)
		default:
			ends.take()
			err = w.conclusion(ctx, end)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// conclusion makes a conclusion an effect of each node that is its evidence or its reply.
func (w *walk) conclusion(ctx context.Context, end domain.Record) error {
	for _, c := range append(evidenceOf(end.Envelope), w.referencesOf(end.Envelope)...) {
		if w.node(c.id) == nil || c.id == end.Envelope.ID {
			continue
		}
		if err := w.effect(ctx, end, c); err != nil {
			return err
		}
	}
	return nil
}

// effect adds a record as an effect of a node.
func (w *walk) effect(ctx context.Context, rec domain.Record, c cause) error {
	if w.node(rec.Envelope.ID) == nil {
		if w.full() {
			return nil
		}
		w.reach(c.id, rec, c.role)
		if err := w.arrive(ctx, rec); err != nil {
			return err
		}
	}
	w.join(rec, c)
	return nil
}

// arrive makes a record a node, and notes its effects by the log's indexes.
func (w *walk) arrive(ctx context.Context, rec domain.Record) error {
	w.meet(rec)
	w.queue = nil // the queue is for causes
	id := rec.Envelope.ID
	if err := w.note(ctx, domain.Selector{Parent: id}, rec, cause{id: id, role: RoleParent}, isEffect); err != nil {
		return err
	}
	plan := func(r domain.Record) bool { return r.Envelope.Parent != id }
	if rec.Topic == domain.TopicCommitments {
		if err := w.note(ctx, domain.Selector{Key: domain.PlanKey(id)}, rec, cause{id: id, role: RoleAbout}, plan); err != nil {
			return err
		}
	}
	for _, further := range []func(context.Context, domain.Record) error{w.noteOthers, w.noteSaid, w.noteResults, w.noteRecalled, w.noteStopped, w.noteSet} {
		if err := further(ctx, rec); err != nil {
			return err
		}
	}
	return nil
}

// isEffect leaves out what a reply was while it was made: the reply is what came of the call.
func isEffect(rec domain.Record) bool { return rec.Envelope.Type != domain.ModelStreamedType }

// Bounds of reading ahead: of one read, and of all kept records.
const (
	aheadPage = 64
	aheadMost = 4 * MaxNodes
)

// note reads the records of an index after a record, and keeps those that fit as its
// effects; fits nil keeps all.
func (w *walk) note(ctx context.Context, by domain.Selector, rec domain.Record, c cause, fits func(domain.Record) bool) error {
	from := rec.Position + 1
	for found := 0; found < MaxNodes; {
		records, err := w.log.Select(ctx, by, from, aheadPage)
		if err != nil {
			return err
		}
		for _, r := range records {
			from = r.Position + 1
			w.readAhead += len(r.Envelope.Payload.Bytes)
			if fits == nil || fits(r) {
				w.expect(r, c)
			}
		}
		if found += len(records); len(records) < aheadPage {
			return nil
		}
		if w.readAhead > 4*maxPayloadBytes {
			break
		}
	}
	w.beyond = true
	return nil
}

// expect keeps an effect until its position is reached. Beyond the bound the earliest are
// kept.
func (w *walk) expect(rec domain.Record, c cause) {
	at, _ := slices.BinarySearchFunc(w.ahead, rec.Position+1, func(a coming, pos domain.Position) int { return cmp.Compare(a.effect.Position, pos) })
	w.ahead = slices.Insert(w.ahead, at, coming{rec, c})
	if len(w.ahead) > aheadMost {
		w.ahead, w.beyond = w.ahead[:aheadMost], true
	}
}

// noteOthers notes the effects whose parent is another record, as far as an index finds
// them.
func (w *walk) noteOthers(ctx context.Context, rec domain.Record) error {
	e := rec.Envelope
	switch e.Type {
	case domain.ToolCompletedType, domain.ToolFailedType, domain.ToolOutcomeUnknownType:
		return w.noteCall(ctx, rec)
	case domain.ApprovalProposedType:
		id, _ := domain.InvocationOf(e)
		decided := func(r domain.Record) bool {
			t := r.Envelope.Type
			return (t == domain.ApprovalGrantedType || t == domain.ApprovalRefusedType || t == domain.ApprovalExpiredType) && r.Envelope.Parent != e.ID
		}
		return w.note(ctx, domain.Selector{Key: domain.InvocationKey(id)}, rec, cause{id: e.ID, role: RoleProposal}, decided)
	case domain.SteerReceivedType:
		if e.ID != w.target {
			return nil // it is a step of an effect that is told
		}
		return w.note(ctx, domain.Selector{Trace: e.Trace}, rec, cause{id: e.ID, role: RoleSteer}, func(r domain.Record) bool {
			called, ok := decoded[domain.ModelCalled](r.Envelope)
			return ok && r.Envelope.Type == domain.ModelCalledType && slices.Contains(called.Steers, e.ID)
		})
	case domain.CancelReceivedType:
		return w.note(ctx, domain.Selector{Key: domain.ConcludedKey(e.Trace)}, rec, cause{id: e.ID, role: RoleCancelled}, func(r domain.Record) bool {
			return r.Envelope.Parent != e.ID && words(r.Envelope, func(p domain.ReasoningConcluded) string { return string(p.Outcome) }) == string(domain.OutcomeCancelled)
		})
	}
	return w.noteSent(ctx, rec)
}

// noteCall notes the call of a model that got the result of a tool's call which isn't its
// parent: several tools were called, and another ended last.
func (w *walk) noteCall(ctx context.Context, rec domain.Record) error {
	id, ok := domain.InvocationOf(rec.Envelope)
	if !ok {
		return nil
	}
	invoked, err := w.log.Find(ctx, id)
	if domain.CategoryOf(err) == domain.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	reply, own, ok := domain.CallOf(invoked.Envelope)
	if !ok {
		return nil
	}
	for n := own + 1; n < replay.MaxCalls; n++ {
		end, made, err := w.endOfCall(ctx, reply, n)
		if err != nil || !made {
			return err
		}
		if end.Position <= rec.Position || end.Envelope.Trace != rec.Envelope.Trace {
			continue
		}
		told := func(r domain.Record) bool { return r.Envelope.Type == domain.ModelCalledType }
		if err := w.note(ctx, domain.Selector{Parent: end.Envelope.ID}, rec, cause{id: rec.Envelope.ID, role: RoleCall}, told); err != nil {
			return err
		}
	}
	return nil
}

// noteSent notes effects that no index finds: signals and messages of a sender that the
// record let in, and messages with an image.
func (w *walk) noteSent(ctx context.Context, rec domain.Record) error {
	e := rec.Envelope
	if who := letBy(e); len(who) > 0 {
		for _, topic := range []domain.Topic{domain.TopicSignals, domain.TopicMessages, domain.TopicVoice} {
			sent := func(r domain.Record) bool {
				return slices.Contains(who, r.Envelope.Principal) && r.Envelope.Parent.IsZero()
			}
			if err := w.noteAmong(ctx, topic, rec, cause{id: e.ID, role: RoleSentBy}, sent); err != nil {
				return err
			}
		}
	}
	if e.Type != domain.ImageUploadedType {
		return nil
	}
	return w.noteAmong(ctx, domain.TopicMessages, rec, cause{id: e.ID, role: RoleImage}, func(r domain.Record) bool {
		said, ok := decoded[domain.MessageReceived](r.Envelope)
		return ok && r.Envelope.Type == domain.MessageReceivedType && slices.Contains(said.ImageIDs, e.ID)
	})
}

// noteAmong searches a topic after a record, at most maxSent records, for effects that
// fit.
func (w *walk) noteAmong(ctx context.Context, topic domain.Topic, rec domain.Record, c cause, fits func(domain.Record) bool) error {
	from, found := rec.Position+1, 0
	for w.readSent < maxSent && found < MaxNodes {
		records, cut, err := domain.SelectWithin(ctx, w.log, domain.Selector{Topic: topic}, from, endsPage, domain.PageBytes)
		if err != nil {
			return err
		}
		for _, r := range records {
			from = r.Position + 1
			if fits(r) && found < MaxNodes {
				found++
				w.expect(r, c)
			}
		}
		if w.readSent += len(records); !cut && len(records) < endsPage {
			return nil
		}
	}
	w.beyond = true
	return nil
}

// onwardMost bounds the records that are read in all for effects that no index and no
// parent leads to: calls with a memory, results of a call, and what a change stopped.
const onwardMost = 10_000

// lookOn reads the records of a topic after a record, at most so many, for such effects.
func (w *walk) lookOn(ctx context.Context, topic domain.Topic, rec domain.Record, most int, take func(domain.Record)) error {
	most = min(most, onwardMost-w.linked.read)
	read, err := domain.Look(ctx, w.log, domain.Selector{Topic: topic}, rec.Position+1, most, take)
	w.linked.read += read
	w.beyond = w.beyond || read == most
	return err
}

// letBy are the principals that an envelope let in, those included by which earlier builds
// knew a program; none for an envelope that let nobody in.
func letBy(e domain.Envelope) []domain.Principal {
	switch e.Type {
	case domain.InterfacePairedType, domain.MCPServerAddedType:
		return []domain.Principal{domain.Interface{ID: e.ID}.Principal()}
	case domain.InterfaceRegisteredType:
		p, _ := decoded[domain.InterfaceRegistered](e)
		return []domain.Principal{domain.Interface{ID: p.InterfaceID}.Principal()}
	case domain.TokenIssuedType:
		p, _ := decoded[domain.TokenIssued](e)
		return p.Principals(e.ID)
	case domain.StreamAddedType:
		return []domain.Principal{domain.Stream{ID: e.ID}.Principal()}
	}
	return nil
}

// outcomesMost bounds how many effects are told in sentences; the nodes hold more.
const outcomesMost = 8

// consequences tell first what the target is, then the effects that a person can have
// noticed.
func (t *narrator) consequences(ctx context.Context) ([]narrate.Phrase, error) {
	if err := t.fetchTool(ctx, t.target.Envelope); err != nil {
		return nil, err
	}
	out := []narrate.Phrase{t.headline()}
	told, more := 0, 0
	for _, n := range t.out.Nodes[1:] {
		line, err := t.outcome(ctx, n)
		switch {
		case err != nil:
			return nil, err
		case len(line) == 0:
		case told == outcomesMost:
			more++
		default:
			out = append(out, line)
			told++
		}
	}
	kept, err := t.considered(ctx)
	if err != nil {
		return nil, err
	}
	switch {
	case len(t.out.Nodes) == 1 && len(kept) > 0:
	case len(t.out.Nodes) == 1:
		out = append(out, narrate.Words("Nothing has come of it so far."))
	case told == 0:
		out = append(out, narrate.Sayf("It led to %s, and to nothing that you would have noticed so far.", counted(len(t.out.Nodes)-1, "step", "steps")))
	case more > 0:
		out = append(out, narrate.Sayf("And %s more.", counted(more, "thing", "things")))
	}
	return append(append(out, kept...), t.honest()...), nil
}

// outcome tells an effect that a person can have noticed; none for an intermediate step.
func (t *narrator) outcome(ctx context.Context, n Node) (narrate.Phrase, error) {
	rec := t.records[n.ID]
	e := rec.Envelope
	switch e.Type {
	case domain.ReasoningConcludedType:
		return t.concludedLater(ctx, rec)
	case domain.PolicyDecidedType:
		if p, ok := decoded[domain.PolicyDecided](e); !ok || p.Allowed || p.Verdict == domain.VerdictApproval {
			return nil, nil
		}
	case domain.ToolFailedType:
		if p, ok := decoded[domain.ToolFailed](e); ok && p.Reason == domain.CodeDenied && t.target.Envelope.Type != domain.PolicyDecidedType {
			return nil, nil // the decision was told
		}
	default:
		if !noticeable(rec) && !t.isLinked(n.ID) {
			return nil, nil
		}
	}
	if t.isLinked(n.ID) {
		if err := t.fetchTool(ctx, e); err != nil {
			return nil, err
		}
	}
	return narrate.Sayf("At %s %s%s", t.clock(n.RecordedAt), t.clause(n), t.linkedBy(n.ID)).Sentence(), nil
}

// isLinked reports whether an effect was found by an edge that the log doesn't record, so
// that the steps between aren't told.
func (t *narrator) isLinked(id domain.ID) bool {
	return slices.ContainsFunc(t.out.Edges, func(e Edge) bool {
		return e.To == id && slices.Contains([]string{RoleTold, RoleCode, RoleRecalled, RoleRegime, RoleOffline}, e.Role)
	})
}

// linkedBy says how an effect was found that no record leads to; "" for others.
func (t *narrator) linkedBy(id domain.ID) string {
	for _, e := range t.out.Edges {
		shared := narrate.Quoted(narrate.Shortened(t.shares[edgeKey{e.From, e.To, e.Role}], narrate.MaxName))
		switch {
		case e.To != id:
		case e.Role == RoleTold:
			return ", having been told of " + shared
		case e.Role == RoleCode:
			return ", which has " + shared + " as the call does"
		}
	}
	return ""
}

// noticeable reports whether a person can have noticed a record by itself.
func noticeable(rec domain.Record) bool {
	switch rec.Envelope.Type {
	case domain.SignalReceivedType, domain.MessageReceivedType, domain.ActionReceivedType, domain.ToolCompletedType, domain.ToolOutcomeUnknownType,
		domain.ApprovalProposedType, domain.ApprovalGrantedType, domain.ApprovalRefusedType, domain.ApprovalExpiredType,
		domain.MemoryRememberedType, domain.TimerDueType:
		return true
	}
	return rec.Topic == domain.TopicCommitments || rec.Topic == domain.TopicInterfaces
}

// concludedLater tells a conclusion that is an effect of the target.
func (t *narrator) concludedLater(ctx context.Context, rec domain.Record) (narrate.Phrase, error) {
	if err := t.fetchReply(ctx, rec.Envelope); err != nil {
		return nil, err
	}
	told := narrate.Sayf("At %s %s", t.clock(rec.RecordedAt), t.ended(rec))
	for _, edge := range t.out.Edges {
		if edge.To == rec.Envelope.ID && edge.Weight != nil && edge.From == t.target.Envelope.ID && edge.Role != "asked" {
			return narrate.Sayf("%s, which rests on it (weight %s).", told, domain.PPMOf(*edge.Weight)), nil
		}
	}
	return told.Sentence(), nil
}

// ended tells the outcome of a conclusion.
func (t *narrator) ended(rec domain.Record) narrate.Phrase {
	c, readable := decoded[domain.ReasoningConcluded](rec.Envelope)
	if !readable {
		return narrate.Words("Chalie came to an end that can't be read any more " + narrate.Gone(rec.Envelope))
	}
	verdict, _ := verdictOn(rec.Envelope, c, narrate.About(rec, inSaid(t.saying(rec))))
	return verdict.TrimRight(",") // the comma before a clause that isn't added here
}

// fetchTool reads the invocation that a record is a step of, to name its tool, though
// the invocation is no effect.
func (t *narrator) fetchTool(ctx context.Context, e domain.Envelope) error {
	id, ok := domain.InvocationOf(e)
	if !ok || t.node(id) != nil {
		return nil
	}
	rec, err := t.log.Find(ctx, id)
	if domain.CategoryOf(err) == domain.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	t.beside[id] = rec
	t.called[id], err = t.nameOf(ctx, rec)
	return err
}
