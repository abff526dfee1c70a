package replay

import (
	"context"
	"slices"

	"chalie/domain"
	"chalie/domain/relate"
)

// walk goes from an envelope to its causes, the nearest first.
type walk struct {
	log    Log
	out    Explanation
	target domain.ID
	index  map[domain.ID]int // of Nodes
	queue  []domain.Record   // known and not gone on from
	edges  map[edgeKey]bool
	bytes  int // of payloads so far

	ahead     []coming // effects that are known, in the order of the log; of LedTo alone
	readAhead int      // bytes of payloads read for those
	readSent  int      // records looked through for what somebody sent
	beyond    bool     // there may be effects that were not looked for

	records map[domain.ID]domain.Record
	beside  map[domain.ID]domain.Record      // read to be quoted, and no causes
	started map[domain.TraceID]domain.Record // reasoning.started among the causes
	shown   map[domain.ID]shownReply         // by reply, the conclusion that shows it
	citedBy map[domain.ID]domain.TraceID     // the trace in which an envelope first was evidence
	names   names
	absent  absence
	called  map[domain.ID]string // by node, what its sender, or whose its tool is, was called then

	related []domain.SeenRelation         // between two of the causes
	seen    map[domain.ID]domain.SeenItem // by evidence, as it was scored
	asOf    map[domain.ID]domain.Millis   // likewise, when
	texts   map[domain.ID]domain.Envelope // by evidence, what had its text then, when that was another
	planned map[domain.ID]bool            // causes that are plans of the person's

	again map[domain.TraceID][]relate.Relation // what was related when the thinking in a trace began, by today's rules
}

type edgeKey struct {
	from, to domain.ID
	role     string
}

// cause is what an envelope says made it necessary.
type cause struct {
	id     domain.ID
	role   string
	weight *domain.PPM // of evidence
}

func newWalk(log Log) *walk {
	return &walk{
		log: log, index: map[domain.ID]int{}, edges: map[edgeKey]bool{}, records: map[domain.ID]domain.Record{},
		out:     Explanation{Direction: Back, Edges: []Edge{}},
		started: map[domain.TraceID]domain.Record{}, shown: map[domain.ID]shownReply{}, citedBy: map[domain.ID]domain.TraceID{},
		beside: map[domain.ID]domain.Record{},
		names:  newNames(log), called: map[domain.ID]string{}, planned: map[domain.ID]bool{},
		seen: map[domain.ID]domain.SeenItem{}, asOf: map[domain.ID]domain.Millis{}, texts: map[domain.ID]domain.Envelope{},
		again: map[domain.TraceID][]relate.Relation{},
	}
}

// from follows every cause of a record. What was met before isn't followed again,
// so a circle, which only a foreign writer can have stored, comes to an end.
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
		for _, further := range []func(context.Context, domain.Record) error{w.followCalls, w.followProposal, w.followCancel, w.followSender} {
			if err := further(ctx, rec); err != nil {
				return err
			}
		}
	}
	return nil
}

// meet makes a record a node, and has it gone on from.
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

// node is a cause that was followed; nil when it was not.
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
			w.meet(rec)
		}
	}
	w.join(effect, c)
	return nil
}

// followTo is follow for a cause that was read already.
func (w *walk) followTo(effect, found domain.Record, role string) {
	if w.node(found.Envelope.ID) == nil {
		if w.full() {
			return
		}
		w.meet(found)
	}
	w.join(effect, cause{id: found.Envelope.ID, role: role})
}

// full reports whether no more causes are followed, and notes that there are some.
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

// shownReply is how a conclusion uses a reply: which of its findings are shown, and
// what of its evidence the conclusion names itself.
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

// ofReply leaves out what the conclusion that shows a reply says itself, and what
// findings that are not shown rest on: the graph is to be small.
func (s shownReply) ofReply(evidence []domain.Evidence) []domain.Evidence {
	return slices.DeleteFunc(slices.Clone(evidence), func(ev domain.Evidence) bool { return slices.Contains(s.cited, ev.EnvelopeID) })
}
