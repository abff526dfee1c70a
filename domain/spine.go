package domain

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// SpineSignalEmitted is something that a service noticed and that may be worth
// thinking about when no message waits. It opens an episode of its own: its id is the
// episode's trace, and its parent is the envelope that made the service notice.
//
// It carries references and a summary, never what it is about: who takes it up
// reads that where it stands.
type SpineSignalEmitted struct {
	SignalType       SpineType `json:"signal_type"`
	Source           string    `json:"source"` // the service
	ConceptID        *int64    `json:"concept_id"`
	ConceptName      *string   `json:"concept_name"`
	Topic            *string   `json:"topic"`
	Content          *string   `json:"content"`           // at most MaxSpineContent characters
	ContentRef       ID        `json:"content_ref"`       // the envelope that has the whole of it; none when Content is all
	ActivationEnergy float64   `json:"activation_energy"` // 0 to 1, as of a signal from outside
}

// MaxSpineContent is how many characters of its content a spine signal carries.
const MaxSpineContent = 199

// SpineSignal is a signal before it is recorded. An empty text is none.
type SpineSignal struct {
	Type        SpineType
	Source      string // the service that emits it
	ConceptID   *int64
	ConceptName string
	Topic       string
	Content     string
	ContentRef  ID // the envelope that has the whole content
	Energy      PPM
}

// NewSpineSignal makes the payload of a spine signal. Content over
// MaxSpineContent characters is shortened, which is why ContentRef should be
// given. An energy outside the type's range counts as its nearer end.
//
// A validation error says that the type isn't registered, or that it isn't the
// source's to emit.
func NewSpineSignal(s SpineSignal) (SpineSignalEmitted, error) {
	const op = "emit signal"
	kind, ok := SpineTypeNamed(s.Type)
	switch {
	case !ok:
		return SpineSignalEmitted{}, Invalid(op, "signal_type", fmt.Sprintf("%q is no registered type of spine signal: add it to the table of types first", clip(string(s.Type), MaxNameBytes)))
	case !kind.EmittedBy(s.Source):
		return SpineSignalEmitted{}, Invalid(op, "source", fmt.Sprintf("%q doesn't emit %s, by the table of types: add it there, with what it emits it for", clip(s.Source, MaxNameBytes), s.Type))
	}
	return SpineSignalEmitted{
		SignalType: s.Type, Source: s.Source, ConceptID: s.ConceptID,
		ConceptName: given(clip(s.ConceptName, MaxNameBytes)), Topic: given(clip(s.Topic, MaxTopicHintBytes)),
		Content: given(summary(s.Content)), ContentRef: s.ContentRef,
		ActivationEnergy: min(max(s.Energy, kind.Least), kind.Most).Float(),
	}, nil
}

// summary is a text on one line, within MaxSpineContent characters.
func summary(text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "�")), " ")
	if utf8.RuneCountInString(text) <= MaxSpineContent {
		return text
	}
	runes := []rune(text)
	return strings.TrimRight(string(runes[:MaxSpineContent-1]), " ") + "…"
}

func given(text string) *string {
	if text = strings.ToValidUTF8(text, "�"); text == "" {
		return nil
	}
	return &text
}

// SpineSignalDropped says that a consumer was too slow: so many signals waited for
// it that the oldest had to go. It belongs to that signal's trace. Other consumers
// still get it.
type SpineSignalDropped struct {
	Consumer string     `json:"consumer"`
	Signal   ID         `json:"signal"`
	Reason   DropReason `json:"reason"`
}

// DropReason is why a consumer doesn't get a signal.
type DropReason string

// DroppedForOverflow says that more waited than the consumer's queue holds.
const DroppedForOverflow DropReason = "overflow"

// DroppedKey marks that a consumer doesn't get a signal, so that this is recorded
// once.
func DroppedKey(consumer string, signal ID) Key {
	return droppedPrefix + Key(consumer) + "/" + Key(signal.String())
}

const droppedPrefix = "dropped/"

// DroppedOf reads the DroppedKey an envelope carries; false when it has none.
func DroppedOf(e Envelope) (consumer string, signal ID, ok bool) {
	for _, key := range e.Keys {
		rest, found := strings.CutPrefix(string(key), droppedPrefix)
		if !found {
			continue
		}
		name, id, found := strings.Cut(rest, "/")
		if parsed, err := ParseID(id); found && err == nil {
			return name, parsed, true
		}
	}
	return "", ID{}, false
}

// EmittedKey marks the signal that a service emitted because of an envelope, so
// that noticing the same thing again, after a restart, emits nothing.
func EmittedKey(t SpineType, cause ID) Key {
	return emittedPrefix + Key(t) + "/" + Key(cause.String())
}

// SpineTypeKey is carried by every spine signal: its type is then known without
// its payload.
func SpineTypeKey(t SpineType) Key { return spinePrefix + Key(t) }

const (
	emittedPrefix = "emitted/"
	spinePrefix   = "spine/"
)

// SpineTypeOf is the type of the spine signal that a record is, also of an erased
// one: a message is user_message, without an envelope of its own.
// False when it is none.
func SpineTypeOf(e Envelope) (SpineType, bool) {
	switch e.Type {
	case MessageReceivedType:
		return UserMessage, true
	case SpineSignalEmittedType:
		for _, key := range e.Keys {
			if t, ok := strings.CutPrefix(string(key), spinePrefix); ok {
				return SpineType(t), true
			}
		}
	}
	return "", false
}

// SpineSignalOf is the spine signal that an envelope is. What was said is shown as
// it would have been emitted. Errors are Decode's, and CodeUndecodable for an
// envelope that is no spine signal.
func SpineSignalOf(e Envelope) (SpineSignalEmitted, error) {
	if e.Type != MessageReceivedType {
		return Decode[SpineSignalEmitted](e)
	}
	message, err := Decode[MessageReceived](e)
	if err != nil {
		return SpineSignalEmitted{}, err
	}
	topic := ""
	if message.Topic != nil {
		topic = *message.Topic
	}
	return NewSpineSignal(SpineSignal{
		Type: UserMessage, Source: ServiceMessages, Topic: topic, Content: message.Text, ContentRef: e.ID, Energy: One,
	})
}
