package commands

import (
	"strings"

	"chalie/domain"
)

// itemText is the text of an item of the world state.
type itemText struct {
	label, source, signalType, topic string
	flags                            []string
}

// tellItem reads an item's text from the envelope that has it; false when it was
// erased, or has none. The error is CodeUndecodable.
func tellItem(rec domain.Record) (itemText, bool, error) {
	switch rec.Envelope.Type {
	case domain.SignalReceivedType:
		return tell(rec, func(p domain.SignalReceived) itemText {
			out := itemText{label: p.Content, source: p.Source, signalType: p.SignalType, flags: p.Marks.Warnings()}
			if p.Topic != nil {
				out.topic = *p.Topic
			}
			return out
		})
	case domain.ReminderSetType:
		return tell(rec, func(p domain.ReminderSet) itemText { return itemText{label: p.Text} })
	case domain.ReminderChangedType:
		return tell(rec, func(p domain.ReminderChanged) itemText { return changedText(p.Text) })
	case domain.TaskCreatedType:
		return tell(rec, func(p domain.TaskCreated) itemText { return itemText{label: p.Text} })
	case domain.TaskChangedType:
		return tell(rec, func(p domain.TaskChanged) itemText { return changedText(p.Text) })
	case domain.ContextUpdatedType:
		return tell(rec, func(p domain.ContextUpdated) itemText { return itemText{label: contextInWords(p)} })
	}
	return itemText{}, false, nil
}

// into fills in what a model is told of the item.
func (t itemText) into(in *InMind) {
	in.Label, in.Source, in.SignalType, in.Topic, in.Flags = t.label, t.source, t.signalType, t.topic, t.flags
}

func tell[P any](rec domain.Record, text func(P) itemText) (itemText, bool, error) {
	p, err := domain.Decode[P](rec.Envelope)
	if domain.CodeOf(err) == domain.CodeErased {
		return itemText{}, false, nil
	}
	if err != nil {
		return itemText{}, false, err
	}
	out := text(p)
	return out, out.label != "", nil
}

func changedText(text *string) itemText {
	if text == nil {
		return itemText{}
	}
	return itemText{label: *text}
}

// contextInWords is what a client says of the person's surroundings.
func contextInWords(c domain.ContextUpdated) string {
	var parts []string
	if c.Location != nil && c.Location.Name != "" {
		parts = append(parts, "at "+c.Location.Name)
	}
	if c.Attention != nil {
		parts = append(parts, *c.Attention)
	}
	if c.Device != nil && c.Device.Class != "" {
		parts = append(parts, "on a "+c.Device.Class)
	}
	return strings.Join(parts, ", ")
}
