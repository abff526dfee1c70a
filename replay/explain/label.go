package explain

import (
	"context"
	"encoding/json"
	"fmt"

	"chalie/domain"
	"chalie/replay/narrate"
)

// maxSaid bounds the quoted text that the person was told, in characters.
const maxSaid = 320

// label sets each node's label, with the names of that time.
func (w *walk) label(ctx context.Context) error {
	for i := range w.out.Nodes {
		n := &w.out.Nodes[i]
		if n.Missing {
			continue
		}
		rec := w.records[n.ID]
		name, err := w.nameOf(ctx, rec)
		if err != nil {
			return err
		}
		w.called[n.ID] = name
		n.Label = narrate.Label(rec.Envelope, name)
		if n.Type == domain.ReasoningConcludedType {
			if err := w.fetchReply(ctx, rec.Envelope); err != nil {
				return err
			}
			if said := w.saying(rec); said != "" && !isAbsent(said) && narrate.Unreadable(rec.Envelope) == "" && rec.Envelope.Errors == nil {
				n.Label = narrate.Shortened(n.Label+": "+said, narrate.MaxLabel)
			}
		}
		if then, ok := w.texts[n.ID]; ok && narrate.Text(then) != "" {
			n.Label = narrate.Shortened(n.Label+", at that time: "+narrate.Text(then), narrate.MaxLabel)
		}
	}
	return nil
}

// nameOf is the name of a record's sender at that time, or of the interface whose tool it
// invokes.
func (w *walk) nameOf(ctx context.Context, rec domain.Record) (string, error) {
	e := rec.Envelope
	who := e.Principal
	switch {
	case e.Type == domain.ToolInvokedType:
		who = domain.Principal(words(e, func(p domain.ToolInvoked) string { return string(domain.Interface{ID: p.InterfaceID}.Principal()) }))
		if who == "" && narrate.Unreadable(e) == "" {
			return narrate.Own, nil
		}
	case rec.Topic == domain.TopicInterfaces:
		if who = interfaceOf(e); who == "" {
			return "", nil
		}
	case !sentFromOutside(rec):
		return "", nil
	}
	name, err := w.names.at(ctx, who, rec.Position)
	if err != nil || name != "" {
		return narrate.Shortened(name, narrate.MaxName), err
	}
	if isName(who) {
		return narrate.Shortened(string(who), narrate.MaxName), nil
	}
	return "", nil
}

// interfaceOf is the interface that a change is about; "" of anything else, and of its
// admission, which has the name itself.
func interfaceOf(e domain.Envelope) domain.Principal {
	var p struct {
		ID domain.ID `json:"interface_id"`
	}
	if narrate.NameIn(e) != "" || e.Payload.Encoding != domain.EncodingJSON || json.Unmarshal(e.Payload.Bytes, &p) != nil || p.ID.IsZero() {
		return ""
	}
	return domain.Interface{ID: p.ID}.Principal()
}

// isName reports whether a principal is readable for a person: that of an interface and of a
// program is an id.
func isName(who domain.Principal) bool {
	_, err := domain.ParseID(string(who))
	_, program := who.Program()
	return who != "" && err != nil && !program
}

// decoded is a payload, and whether this version can read it.
func decoded[P any](e domain.Envelope) (P, bool) {
	p, err := domain.Decode[P](e)
	return p, err == nil
}

// words tells a payload by its fields; "" when this version can't read it.
func words[P any](e domain.Envelope, tell func(P) string) string {
	p, readable := decoded[P](e)
	if !readable {
		return ""
	}
	return tell(p)
}

func counted(n int, one, many string) string { return fmt.Sprintf("%d %s", n, oneOf(n, one, many)) }

// oneOf is the word for a number of things.
func oneOf(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
