package replay

import (
	"cmp"

	"chalie/domain"
	"chalie/replay/narrate"
)

// letIn tells of whoever spoke, by the evidence and the opening, what lets them speak:
// the pairing, the registration, the token or the broadcast, each once.
func (t *teller) letIn(evidence []domain.Evidence) []narrate.Phrase {
	spoke := []domain.ID{t.target.Envelope.ID, t.target.Envelope.Trace.ID}
	for _, ev := range evidence[:min(len(evidence), sentencesMost)] {
		spoke = append(spoke, ev.EnvelopeID)
	}
	var out []narrate.Phrase
	told := map[domain.ID]bool{}
	for _, id := range spoke {
		for _, edge := range t.out.Edges {
			if edge.To != id || edge.Role != RoleSentBy || told[edge.From] {
				continue
			}
			told[edge.From] = true
			if line := t.admission(edge.From); len(line) > 0 {
				out = append(out, line)
			}
		}
	}
	return out
}

// admission tells how somebody came to be let in; none when that isn't known.
func (t *teller) admission(id domain.ID) narrate.Phrase {
	rec, ok := t.records[id]
	if !ok {
		return nil
	}
	e, at := rec.Envelope, t.clock(rec.RecordedAt)
	name := cmp.Or(narrate.Shortened(narrate.NameIn(e), narrate.MaxName), "Who sent it")
	switch e.Type {
	case domain.InterfacePairedType:
		if issued, ok := t.keyFor(e); ok {
			return narrate.Sayf("%s may speak to Chalie because you %s at %s, and it %s with that at %s.", name, narrate.About(issued, "made a pairing key"), t.clock(issued.RecordedAt), narrate.About(rec, "was paired"), at)
		}
		return narrate.Sayf("%s may speak to Chalie because it %s at %s.", name, narrate.About(rec, "was paired"), at)
	case domain.InterfaceRegisteredType:
		return narrate.Sayf("%s may speak to Chalie because it %s at %s.", name, narrate.About(rec, "registered by itself"), at)
	case domain.TokenIssuedType:
		return narrate.Sayf("%s may speak to Chalie because you %s at %s.", name, narrate.About(rec, "gave it a token"), at)
	case domain.StreamAddedType:
		return narrate.Sayf("Chalie listens to %s because you %s at %s.", cmp.Or(narrate.Shortened(narrate.NameIn(e), narrate.MaxName), "it"), narrate.About(rec, "added its broadcast"), at)
	}
	return nil
}

// keyFor is the issue of the key that an interface was paired with, when it is among
// the causes.
func (t *teller) keyFor(paired domain.Envelope) (domain.Record, bool) {
	used, ok := t.records[paired.Parent]
	if !ok {
		return domain.Record{}, false
	}
	issued, ok := t.records[used.Envelope.Parent]
	return issued, ok && issued.Envelope.Type == domain.PairingKeyIssuedType
}
