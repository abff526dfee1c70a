package explain

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"chalie/domain"
	"chalie/domain/relate"
	"chalie/domain/silence"
	"chalie/replay"
	"chalie/replay/narrate"
)

// walk goes from an envelope to its causes, the nearest first.
type walk struct {
	log    replay.Log
	out    Explanation
	target domain.ID
	index  map[domain.ID]int // of Nodes
	queue  []domain.Record   // nodes whose causes weren't followed yet
	edges  map[edgeKey]bool
	bytes  int // of payloads so far

	ahead     []coming // known effects in the order of the log; for Effects only
	readAhead int      // bytes of their payloads
	readSent  int      // records searched for a sender's signals and messages
	beyond    bool     // there may be effects beyond the bounds

	records map[domain.ID]domain.Record
	beside  map[domain.ID]domain.Record      // read for quotations; no causes
	started map[domain.TraceID]domain.Record // reasoning.started among the causes
	shown   map[domain.ID]shownReply         // by reply, how its conclusion shows it
	citedBy map[domain.ID]domain.TraceID     // the trace in which an envelope first was evidence
	names   names
	absent  absence
	called  map[domain.ID]string // by node, the name of its sender, or of its tool's interface, at that time

	related []domain.SeenRelation         // between two of the causes
	seen    map[domain.ID]domain.SeenItem // by evidence, as it was scored
	asOf    map[domain.ID]domain.Millis   // likewise, when
	texts   map[domain.ID]domain.Envelope // by evidence, the envelope that had its text then, if another
	planned map[domain.ID]bool            // causes that are plans of the person's

	across map[domain.ID]bool // reached over what the person was told and then spoke of
	shares map[edgeKey]string // the word or code by which an edge that isn't recorded was found
	linked linked             // how much was looked at for such edges

	silent *silence.Reader                      // nil before the first silent cycle
	again  map[domain.TraceID][]relate.Relation // the relations at the start of a trace's reasoning, by today's rules
}

// linked counts what was looked at for edges that the log doesn't record, each against a
// bound of its own.
type linked struct {
	said, told, calls, results, kept, halts int
	read                                    int             // records, for effects
	regimes                                 []regime        // nil until they were read
	settings                                []domain.Record // likewise
}

type edgeKey struct {
	from, to domain.ID
	role     string
}

// cause is a reference to a cause of an envelope.
type cause struct {
	id     domain.ID
	role   string
	weight *domain.PPM // of evidence
}

func newWalk(log replay.Log) *walk {
	return &walk{
		log: log, index: map[domain.ID]int{}, edges: map[edgeKey]bool{}, records: map[domain.ID]domain.Record{},
		out:     Explanation{Direction: Back, Edges: []Edge{}},
		started: map[domain.TraceID]domain.Record{}, shown: map[domain.ID]shownReply{}, citedBy: map[domain.ID]domain.TraceID{},
		beside: map[domain.ID]domain.Record{},
		names:  newNames(log), called: map[domain.ID]string{}, planned: map[domain.ID]bool{},
		seen: map[domain.ID]domain.SeenItem{}, asOf: map[domain.ID]domain.Millis{}, texts: map[domain.ID]domain.Envelope{},
		again:  map[domain.TraceID][]relate.Relation{},
		across: map[domain.ID]bool{}, shares: map[edgeKey]string{},
	}
}

// from follows every cause of a record. A node isn't followed twice, so a cycle, which
// only a foreign writer can have stored, ends.
func (w *walk) from(ctx context.Context, target domain.Record) error {
	w.target = target.Envelope.ID
	w.meet(target)
	for len(w.queue) > 0 {
		rec := w.queue[0]
		w.queue = w.queue[1:]
		for _, c := range w.causesOf(rec.Envelope) {
			if err := w.follow(ctx, rec, c); err != nil {
				return err
			}
		}
		for _, further := range []func(context.Context, domain.Record) error{
			w.followCalls, w.followProposal, w.followCancel, w.followSender, w.followTold, w.followResult, w.followRecalled, w.followStopped, w.followSet,
		} {
			if err := further(ctx, rec); err != nil {
				return err
			}
		}
	}
	return nil
}

// meet makes a record a node, and queues it.
func (w *walk) meet(rec domain.Record) {
	e := rec.Envelope
	w.bytes += len(e.Payload.Bytes)
	w.records[e.ID] = rec
	switch e.Type {
	case domain.ReasoningStartedType:
		w.started[e.Trace] = rec
	case domain.ReasoningConcludedType:
		if c, err := domain.Decode[domain.ReasoningConcluded](e); err == nil && !c.Reply.IsZero() {
			w.shown[c.Reply] = shownBy(c)
		}
	}
	w.add(nodeOf(rec))
	w.queue = append(w.queue, rec)
}

func (w *walk) add(n Node) {
	w.index[n.ID] = len(w.out.Nodes)
	w.out.Nodes = append(w.out.Nodes, n)
}

// node is the node of an id; nil when it wasn't followed.
func (w *walk) node(id domain.ID) *Node {
	i, ok := w.index[id]
	if !ok {
		return nil
	}
	return &w.out.Nodes[i]
}

func (w *walk) follow(ctx context.Context, effect domain.Record, c cause) error {
	if w.node(c.id) == nil {
		if w.full() {
			return nil
		}
		rec, err := w.log.Find(ctx, c.id)
		switch {
		case domain.CategoryOf(err) == domain.NotFound:
			if err := w.lookFor(ctx, c.id); err != nil {
				return err
			}
			w.add(Node{ID: c.id, Label: w.absentLabelOf(c.id), Numbers: Numbers{}, Missing: true, Dropped: w.absent.dropped[c.id]})
		case err != nil:
			return err
		default:
			w.reach(effect.Envelope.ID, rec, c.role)
			w.meet(rec)
		}
	}
	w.join(effect, c)
	return nil
}

// followTo is follow for a record that was read already.
func (w *walk) followTo(effect, found domain.Record, role string) {
	if w.node(found.Envelope.ID) == nil {
		if w.full() {
			return
		}
		w.reach(effect.Envelope.ID, found, role)
		w.meet(found)
	}
	w.join(effect, cause{id: found.Envelope.ID, role: role})
}

// reach notes whether the way to a new node leads over what the person was told.
func (w *walk) reach(from domain.ID, rec domain.Record, role string) {
	w.across[rec.Envelope.ID] = w.across[from] || role == RoleTold
}

// full reports whether the bound is reached, and notes that there are more causes.
func (w *walk) full() bool {
	w.out.Cut = w.out.Cut || len(w.out.Nodes) >= MaxNodes || w.bytes >= maxPayloadBytes
	return w.out.Cut
}

// join draws the edge, once.
func (w *walk) join(effect domain.Record, c cause) {
	to := effect.Envelope.ID
	key := edgeKey{c.id, to, c.role}
	if w.edges[key] {
		return
	}
	w.edges[key] = true
	edge := Edge{From: c.id, To: to, Kind: EdgeCaused, Role: c.role}
	if c.weight != nil {
		weight := c.weight.Float()
		edge.Kind, edge.Weight = EdgeEvidence, &weight
		if _, cited := w.citedBy[c.id]; !cited {
			w.citedBy[c.id] = effect.Envelope.Trace
		}
	}
	w.out.Edges = append(w.out.Edges, edge)
}

// shownReply is how a conclusion uses a reply: the findings it shows, and the evidence
// that it names itself.
type shownReply struct {
	findings []int
	cited    []domain.ID
}

func shownBy(c domain.ReasoningConcluded) shownReply {
	out := shownReply{findings: c.Findings}
	for _, ev := range c.Evidence {
		out.cited = append(out.cited, ev.EnvelopeID)
	}
	return out
}

// ofReply leaves out evidence that the conclusion names itself, and that of findings that
// aren't shown, to keep the graph small.
func (s shownReply) ofReply(evidence []domain.Evidence) []domain.Evidence {
	return slices.DeleteFunc(slices.Clone(evidence), func(ev domain.Evidence) bool { return slices.Contains(s.cited, ev.EnvelopeID) })
}

// causesOf are the parent and the causes that the payload names, the parent first.
func (w *walk) causesOf(e domain.Envelope) []cause {
	var out []cause
	if !e.Parent.IsZero() {
		out = append(out, cause{id: e.Parent, role: RoleParent})
	}
	// The plan is in the envelope's keys, so it is known of an erased payload, too.
	if plan, ok := domain.PlanOf(e); ok {
		out = append(out, beside(e, cause{id: plan, role: RoleAbout})...)
	}
	if e.Payload.Encoding != domain.EncodingJSON || e.Type == domain.ForeignMessageType {
		return out
	}
	if e.Type == domain.ModelRepliedType {
		out = append(out, w.ofReply(e)...)
	} else {
		out = append(out, evidenceOf(e)...)
		out = append(out, w.referencesOf(e)...)
	}
	return slices.DeleteFunc(out, func(c cause) bool { return c.id.IsZero() || c.id == e.ID })
}

// evidenceOf reads a payload's evidence. It has the same shape in all types, so it is
// found in types unknown to this version, too.
func evidenceOf(e domain.Envelope) []cause {
	var named struct {
		Evidence json.RawMessage `json:"evidence"`
	}
	var evidence []domain.Evidence
	if json.Unmarshal(e.Payload.Bytes, &named) != nil || json.Unmarshal(named.Evidence, &evidence) != nil {
		return nil // none, or another field of that name
	}
	return cited(evidence)
}

func cited(evidence []domain.Evidence) []cause {
	out := make([]cause, 0, len(evidence))
	for _, ev := range evidence {
		out = append(out, cause{ev.EnvelopeID, ev.Role, &ev.Weight})
	}
	return out
}

// ofReply is the evidence of a reply and of its findings; of a reply that a conclusion
// shows, only of the shown findings.
func (w *walk) ofReply(e domain.Envelope) []cause {
	p, err := domain.Decode[domain.ModelReplied](e)
	if err != nil {
		return nil
	}
	by, isShown := w.shown[e.ID]
	out := cited(by.ofReply(p.Used))
	for i, finding := range p.Findings {
		if !isShown || slices.Contains(by.findings, i) {
			out = append(out, cited(by.ofReply(finding.Evidence))...)
		}
	}
	return out
}

// referencesOf are the causes in single fields of a payload; none when it can't be read.
func (w *walk) referencesOf(e domain.Envelope) []cause {
	switch e.Type {
	case domain.MessageReceivedType:
		return references(e, func(p domain.MessageReceived) (out []cause) {
			for _, id := range p.ImageIDs {
				out = append(out, cause{id: id, role: RoleImage})
			}
			return out
		})
	case domain.MessageQueuedType:
		return references(e, func(p domain.MessageQueued) []cause { return []cause{{id: p.Behind, role: RoleRoom}} })
	case domain.SpineSignalEmittedType:
		return references(e, func(p domain.SpineSignalEmitted) []cause { return beside(e, cause{id: p.ContentRef, role: RoleAbout}) })
	case domain.SpineSignalDroppedType:
		return references(e, func(p domain.SpineSignalDropped) []cause { return beside(e, cause{id: p.Signal, role: RoleAbout}) })
	case domain.ModelCalledType:
		return references(e, func(p domain.ModelCalled) (out []cause) {
			for _, id := range p.Steers {
				out = append(out, beside(e, cause{id: id, role: RoleSteer})...)
			}
			out = append(out, beside(e, cause{id: p.Verification, role: RoleVerified})...)
			return append(out, beside(e, cause{id: p.Instead, role: RoleInstead})...)
		})
	case domain.ReasoningYieldedType:
		// The waiting message explains why the cycle yielded, but not its later result.
		return references(e, func(p domain.ReasoningYielded) []cause {
			if !w.explains(e.ID) {
				return nil
			}
			return []cause{{id: p.To, role: RoleRoom}}
		})
	case domain.ReasoningConcludedType:
		return references(e, func(p domain.ReasoningConcluded) []cause { return beside(e, cause{id: p.Reply, role: RoleReply}) })
	case domain.ApprovalGrantedType:
		return references(e, func(p domain.ApprovalGranted) []cause { return beside(e, cause{id: p.MessageID, role: RoleDecision}) })
	case domain.ApprovalRefusedType:
		return references(e, func(p domain.ApprovalRefused) []cause { return beside(e, cause{id: p.MessageID, role: RoleDecision}) })
	case domain.PolicyDecidedType:
		return references(e, foreignTo)
	case domain.ToolInvokedType:
		return references(e, func(p domain.ToolInvoked) []cause {
			return beside(e, cause{id: p.ParentInvocationID, role: RoleWithin})
		})
	}
	return nil
}

// foreignTo are the envelopes with foreign words that counted for a decision. An
// interface's description of its tools has none.
func foreignTo(p domain.PolicyDecided) (out []cause) {
	for _, w := range p.Words {
		if w.Kind != domain.WordsOfTool {
			out = append(out, cause{id: w.EnvelopeID, role: RoleWords})
		}
	}
	return out
}

func references[P any](e domain.Envelope, name func(P) []cause) []cause {
	p, err := domain.Decode[P](e)
	if err != nil {
		return nil
	}
	return name(p)
}

// beside is a cause, unless it is the parent, which is a cause already.
func beside(e domain.Envelope, c cause) []cause {
	if c.id == e.Parent {
		return nil
	}
	return []cause{c}
}

// explains reports whether an envelope is the target or its parent.
func (w *walk) explains(id domain.ID) bool {
	return id == w.target || w.records[w.target].Envelope.Parent == id
}

// followCancel goes from a cancelled episode's end to the cancellation.
func (w *walk) followCancel(ctx context.Context, rec domain.Record) error {
	e := rec.Envelope
	if e.Type != domain.ReasoningConcludedType {
		return nil
	}
	if outcome := words(e, func(p domain.ReasoningConcluded) string { return string(p.Outcome) }); outcome != string(domain.OutcomeCancelled) {
		return nil
	}
	found, err := w.log.Select(ctx, domain.Selector{Key: domain.CancelKey(e.Trace)}, 1, 1)
	if err != nil || len(found) == 0 || found[0].Envelope.ID == e.Parent {
		return err
	}
	w.followTo(rec, found[0], RoleCancelled)
	return nil
}

// followCalls goes from a call of the model to the results of all tools that its last
// reply had called: the model got all of them, and the parent is only the last.
func (w *walk) followCalls(ctx context.Context, rec domain.Record) error {
	if rec.Envelope.Type != domain.ModelCalledType {
		return nil
	}
	reply, err := w.replyBefore(ctx, rec.Envelope)
	if err != nil || reply.IsZero() {
		return err
	}
	for n := range replay.MaxCalls {
		end, made, err := w.endOfCall(ctx, reply, n)
		if err != nil || !made {
			return err
		}
		// The call can't have known a later result, or one of another trace.
		if end.Position > 0 && end.Position < rec.Position && end.Envelope.Trace == rec.Envelope.Trace && end.Envelope.ID != rec.Envelope.Parent {
			w.followTo(rec, end, RoleCall)
		}
	}
	return nil
}

// replyBefore is the reply whose tool calls preceded a call of the model; none for none.
func (w *walk) replyBefore(ctx context.Context, called domain.Envelope) (domain.ID, error) {
	parent, known := w.records[called.Parent]
	if !known {
		return domain.ID{}, nil
	}
	before := parent.Envelope
	if before.Type == domain.ModelRepliedType {
		return before.ID, nil
	}
	if invocation, ok := domain.InvocationOf(before); ok {
		rec, err := w.log.Find(ctx, invocation)
		if domain.CategoryOf(err) == domain.NotFound {
			return domain.ID{}, nil
		}
		if err != nil {
			return domain.ID{}, err
		}
		before = rec.Envelope
	}
	reply, _, _ := domain.CallOf(before)
	return reply, nil
}

// endOfCall is the end of a reply's n-th call; made is false when there was no such call,
// and the record is zero when it has no end.
func (w *walk) endOfCall(ctx context.Context, reply domain.ID, n int) (end domain.Record, made bool, err error) {
	calls, err := w.log.Select(ctx, domain.Selector{Key: domain.CallKey(reply, n)}, 1, replay.MaxCalls)
	if err != nil || len(calls) == 0 {
		return domain.Record{}, false, err
	}
	last := calls[len(calls)-1]
	if last.Envelope.Type != domain.ToolInvokedType {
		return last, true, nil // it was rejected
	}
	steps, err := w.log.Select(ctx, domain.Selector{Key: domain.InvocationKey(last.Envelope.ID)}, last.Position, replay.MaxCalls)
	for _, step := range steps {
		switch step.Envelope.Type {
		case domain.ToolCompletedType, domain.ToolFailedType, domain.ToolOutcomeUnknownType:
			end = step
		}
	}
	return end, true, err
}

// followProposal goes from the outcome of a proposal to the proposal: the parent may be
// the person's decision.
func (w *walk) followProposal(ctx context.Context, rec domain.Record) error {
	e := rec.Envelope
	switch e.Type {
	case domain.ApprovalGrantedType, domain.ApprovalRefusedType, domain.ApprovalExpiredType:
	default:
		return nil
	}
	id, ok := domain.InvocationOf(e)
	if !ok {
		return nil
	}
	steps, err := w.log.Select(ctx, domain.Selector{Key: domain.InvocationKey(id)}, 1, replay.MaxCalls)
	if err != nil {
		return err
	}
	for _, step := range steps {
		if step.Envelope.Type == domain.ApprovalProposedType && step.Position < rec.Position && step.Envelope.ID != e.Parent {
			w.followTo(rec, step, RoleProposal)
		}
	}
	return nil
}

const (
	senderPage = 1000   // records read at a time to find a sender's admission
	senderMost = 10_000 // and in all: an interface may have paired that often
)

// followSender goes from an external signal or message to its sender's admission: the
// pairing or registration of an interface, the token of a program, the stream that was
// added.
func (w *walk) followSender(ctx context.Context, rec domain.Record) error {
	if !sentFromOutside(rec) || !rec.Envelope.Parent.IsZero() {
		return nil
	}
	let, err := w.names.arrival(ctx, rec.Envelope.Principal, rec.Position)
	if err != nil || let.Position == 0 {
		return err
	}
	w.followTo(rec, let, RoleSentBy)
	return nil
}

// sentFromOutside reports whether the sender is neither the person nor Chalie.
func sentFromOutside(rec domain.Record) bool {
	sent := rec.Topic == domain.TopicSignals || rec.Topic == domain.TopicMessages || rec.Topic == domain.TopicVoice
	who := rec.Envelope.Principal
	return sent && who != domain.PrincipalOperator && who != domain.PrincipalCore
}

// names finds the names of principals at a time.
type names struct {
	log      replay.Log
	arrivals map[domain.Principal][]domain.Record // in log order
}

func newNames(log replay.Log) names { return names{log, map[domain.Principal][]domain.Record{}} }

// arrival is the latest admission of a principal before a position: another program may
// have used the same principal since. The zero Record when there is none.
func (n names) arrival(ctx context.Context, who domain.Principal, before domain.Position) (domain.Record, error) {
	known, ok := n.arrivals[who]
	if !ok {
		var err error
		if known, err = n.read(ctx, who); err != nil {
			return domain.Record{}, err
		}
		n.arrivals[who] = known
	}
	var let domain.Record
	for _, candidate := range known {
		if candidate.Position < before {
			let = candidate
		}
	}
	return let, nil
}

// at is a principal's name before a position; "" when unknown.
func (n names) at(ctx context.Context, who domain.Principal, before domain.Position) (string, error) {
	let, err := n.arrival(ctx, who, before)
	if err != nil || let.Position == 0 {
		return "", err
	}
	return narrate.NameIn(let.Envelope), nil
}

// read finds a principal's admissions.
func (n names) read(ctx context.Context, who domain.Principal) ([]domain.Record, error) {
	if text, ok := strings.CutPrefix(string(who), string(domain.Stream{}.Principal())); ok {
		var id domain.ID
		// A foreign writer's principal may not be an id, and then counts as none.
		_ = id.UnmarshalText([]byte(text))
		rec, err := n.log.Find(ctx, id)
		if domain.CategoryOf(err) == domain.NotFound {
			return nil, nil
		}
		return []domain.Record{rec}, err
	}
	if issued, ok := who.Program(); ok {
		rec, err := n.log.Find(ctx, issued)
		if domain.CategoryOf(err) == domain.NotFound {
			return nil, nil
		}
		return []domain.Record{rec}, err
	}
	keys := []domain.Key{}
	if id, err := domain.ParseID(string(who)); err == nil {
		keys = append(keys, domain.InterfaceKey(id))
	}
	keys = append(keys, domain.TokenIssued{Name: string(who)}.Keys()...)
	for _, key := range keys {
		found, err := n.under(ctx, key)
		if err != nil || len(found) > 0 {
			return found, err
		}
	}
	return nil, nil
}

func (n names) under(ctx context.Context, key domain.Key) ([]domain.Record, error) {
	var out []domain.Record
	from := domain.Position(1)
	for read := 0; read < senderMost; {
		page, err := n.log.Select(ctx, domain.Selector{Key: key}, from, senderPage)
		if err != nil {
			return nil, err
		}
		for _, rec := range page {
			switch rec.Envelope.Type {
			case domain.InterfacePairedType, domain.InterfaceRegisteredType, domain.MCPServerAddedType, domain.TokenIssuedType:
				out = append(out, rec)
			}
			from = rec.Position + 1
		}
		if read += len(page); len(page) < senderPage {
			break
		}
	}
	return out, nil
}

// Labels of envelopes that the log doesn't hold.
const (
	absentLabel  = "(not in this log)"
	droppedLabel = "(no longer kept)"
)

func isAbsent(label string) bool { return label == absentLabel || label == droppedLabel }

// absence describes envelopes that the log doesn't hold.
type absence struct {
	first   *domain.Record // first record of the log; nil until it was read
	dropped map[domain.ID]bool
}

// lookFor finds out whether an absent envelope was once in the log: a log without its
// oldest records begins after position 1, and an envelope older than its first record was
// dropped. Any other was never there.
func (w *walk) lookFor(ctx context.Context, id domain.ID) error {
	if w.absent.first == nil {
		found, err := w.log.Select(ctx, domain.Selector{}, 1, 1)
		if err != nil {
			return err
		}
		w.absent.first = &domain.Record{}
		if len(found) > 0 {
			w.absent.first = &found[0]
		}
		w.absent.dropped = map[domain.ID]bool{}
	}
	first := w.absent.first
	w.absent.dropped[id] = first.Position > 1 && id.Millis() < first.RecordedAt
	return nil
}

// absentLabelOf is the label of an absent envelope.
func (w *walk) absentLabelOf(id domain.ID) string {
	if w.absent.dropped[id] {
		return droppedLabel
	}
	return absentLabel
}

// somethingAbsent is an absent envelope in a sentence.
func (w *walk) somethingAbsent(id domain.ID) string {
	if w.absent.dropped[id] {
		return "something that is no longer kept"
	}
	return "something that is not in this log"
}
