package replay

import (
	"fmt"

	"chalie/domain"
)

// letIn tells of whoever spoke, by the evidence and the opening, what lets them speak:
// the pairing, the registration, the token or the broadcast, each once.
func (t *teller) letIn(evidence []domain.Evidence) []string {
	spoke := []domain.ID{t.target.Envelope.ID, t.target.Envelope.Trace.ID}
	for _, ev := range evidence[:min(len(evidence), sentencesMost)] {
		spoke = append(spoke, ev.EnvelopeID)
	}
	var out []string
	told := map[domain.ID]bool{}
	for _, id := range spoke {
		for _, edge := range t.out.Edges {
			if edge.To != id || edge.Role != RoleSentBy || told[edge.From] {
				continue
			}
			told[edge.From] = true
			if line := t.admission(edge.From); line != "" {
				out = append(out, line)
			}
		}
	}
	return out
}

// admission tells how somebody came to be let in; "" when that isn't known.
func (t *teller) admission(id domain.ID) string {
	rec, ok := t.records[id]
	if !ok {
		return ""
	}
	e, at := rec.Envelope, t.clock(rec.RecordedAt)
	switch e.Type {
	case domain.InterfacePairedType:
		name := words(e, func(p domain.InterfacePaired) string { return shortened(p.Name, maxName) })
		if issued, ok := t.keyFor(e); ok && name != "" {
			return fmt.Sprintf("%s may speak to Chalie because you %s at %s, and it %s with that at %s.", name, t.mark(issued, "made a pairing key"), t.clock(issued.RecordedAt), t.mark(rec, "was paired"), at)
		}
		return t.may(name, "it "+t.mark(rec, "was paired")+" at "+at)
	case domain.InterfaceRegisteredType:
		return t.may(words(e, func(p domain.InterfaceRegistered) string { return shortened(p.Name, maxName) }), "it "+t.mark(rec, "registered by itself")+" at "+at)
	case domain.TokenIssuedType:
		return t.may(words(e, func(p domain.TokenIssued) string { return shortened(p.Name, maxName) }), "you "+t.mark(rec, "gave it a token")+" at "+at)
	case domain.StreamAddedType:
		if name := words(e, func(p domain.StreamAdded) string { return shortened(p.Source, maxName) }); name != "" {
			return fmt.Sprintf("Chalie listens to %s because you %s at %s.", name, t.mark(rec, "added its broadcast"), at)
		}
	}
	return ""
}

func (t *teller) may(name, because string) string {
	if name == "" {
		name = "Who sent it"
	}
	return name + " may speak to Chalie because " + because + "."
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
