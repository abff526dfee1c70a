package narrate

import (
	"encoding/json"
	"fmt"
	"strings"

	"chalie/domain"
)

// Entry is the words for the events of one type.
type Entry struct {
	// Kind names a trace that begins with such an event, in a list.
	Kind string
	// Lead tells such a trace's beginning; %s stands for its sender. The event's text
	// follows.
	Lead string

	// Origin says how a replay treats such events, and Why.
	Origin Origin
	Why    string
	// Measured are the fields that a replay doesn't compare, by their paths, each with
	// the reason; Since those added after the first version.
	Measured map[string]string
	Since    []string

	line   func(domain.Envelope) (string, bool)
	label  func(Sent) (string, bool)
	clause func(Scene) (Phrase, bool)
	reason func(Scene) (Phrase, bool)
	// subject does what the label says; "" when the label says who.
	subject func(domain.Envelope) string
}

// Sent is an envelope with the name of its sender at that time, "" when unknown. Of an
// invocation it is the name of the tool's interface.
type Sent struct {
	domain.Envelope
	Name string
}

// event declares an entry: its functions take the payload P. Empty fields have defaults,
// see entry.
type event[P any] struct {
	Kind, Lead string
	From       origin
	Measured   map[string]string
	Since      []string

	// Line is the event in a list; LineOf is for a line that needs the envelope.
	Line   func(P) string
	LineOf func(domain.Envelope, P) string
	// Label is the event in a picture: one text for the type, or one by payload.
	Label    string
	Labelled func(P) string
	LabelOf  func(Sent, P) string
	// Subject is the subject of the label's verb, where the label has none.
	Subject   string
	SubjectOf func(domain.Envelope) string
	// Clause is the event as an action. Reason is the same worded to follow "because";
	// the default is the clause with its time.
	Clause func(Scene, P) Phrase
	Reason func(Scene, P) Phrase
	// Bare says that both work without a payload: when it is gone they get the zero P.
	Bare bool
	// read is the payload; nil for domain.Decode.
	read func(domain.Envelope) (P, error)
}

// entry makes the Entry.
func (v event[P]) entry() Entry {
	if v.read == nil {
		v.read = domain.Decode[P]
	}
	out := Entry{Kind: v.Kind, Lead: v.Lead, Origin: v.From.Origin, Why: v.From.Why, Measured: v.Measured, Since: v.Since}
	out.line = func(e domain.Envelope) (string, bool) {
		if v.Line == nil && v.LineOf == nil {
			return "", false
		}
		p, err := v.read(e)
		switch {
		case err != nil:
			return "", false
		case v.Line != nil:
			return v.Line(p), true
		}
		return v.LineOf(e, p), true
	}
	out.label = v.labelled
	out.subject = func(e domain.Envelope) string {
		if v.SubjectOf != nil {
			return v.SubjectOf(e)
		}
		return v.Subject
	}
	out.clause, out.reason = v.phrased(v.Clause), v.phrased(v.Reason)
	return out
}

func (v event[P]) labelled(s Sent) (string, bool) {
	if v.Label != "" {
		return v.Label, true
	}
	p, err := v.read(s.Envelope)
	switch {
	case err != nil:
		return "", false
	case v.Labelled != nil:
		return v.Labelled(p), true
	case v.LabelOf != nil:
		return v.LabelOf(s, p), true
	}
	return "", false
}

func (v event[P]) phrased(tell func(Scene, P) Phrase) func(Scene) (Phrase, bool) {
	return func(s Scene) (Phrase, bool) {
		if tell == nil {
			return nil, false
		}
		p, err := v.read(s.Record().Envelope)
		if err != nil && !v.Bare {
			return nil, false
		}
		return tell(s, p), true
	}
}

// Labels of events whose payload is gone.
const (
	Erased = "(erased)"
	Sealed = "(sealed)"
)

// Unreadable is the label of an envelope whose payload is gone or encrypted; "" for others.
func Unreadable(e domain.Envelope) string {
	switch e.Payload.Encoding {
	case domain.EncodingErased:
		return Erased
	case domain.EncodingSealed:
		return Sealed
	}
	return ""
}

// Line is an envelope's content in a few words. Types without a line of their own show their
// payload as it is.
func Line(e domain.Envelope) string {
	text := Unreadable(e)
	if text == "" {
		var told bool
		if text, told = entryOf(e.Type).line(e); !told {
			text = raw(e)
		}
	}
	if len(e.Errors) > 0 {
		if text != "" && !strings.HasPrefix(text, "(") {
			text = "(" + text + ")"
		}
		text = e.Errors[0].Message + " " + text
	}
	return OneLine(text)
}

func raw(e domain.Envelope) string {
	if e.Payload.Encoding != domain.EncodingJSON {
		return fmt.Sprintf("(%s)", Counted(len(e.Payload.Bytes), "byte", "bytes"))
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(e.Payload.Bytes, &fields) == nil && len(fields) == 0 {
		return ""
	}
	return strings.TrimSpace(string(e.Payload.Bytes))
}

// Label names an envelope in one short line for a person, with its sender's name at that
// time. A type unknown to this version is told by its name.
func Label(e domain.Envelope, name string) string {
	if gone := Unreadable(e); gone != "" {
		return gone
	}
	told, ok := entryOf(e.Type).label(Sent{e, name})
	if !ok || told == "" {
		told = withDetail(string(e.Type), Text(e))
	}
	return Shortened(told, MaxLabel)
}

// Text is the first text for a person in a payload of any type: fields with such texts
// have common names.
func Text(e domain.Envelope) string {
	if e.Payload.Encoding != domain.EncodingJSON || e.Type == domain.ForeignMessageType {
		return ""
	}
	var p struct{ Text, Content, Title, Name, What, Reason json.RawMessage }
	if json.Unmarshal(e.Payload.Bytes, &p) != nil {
		return ""
	}
	for _, field := range []json.RawMessage{p.Text, p.Content, p.Title, p.Name, p.What, p.Reason} {
		var text string
		if json.Unmarshal(field, &text) == nil && strings.TrimSpace(text) != "" {
			return text
		}
	}
	return ""
}

// Kind names a trace that begins with an event of a type, in a list.
func Kind(t domain.EventType) string {
	if one, ok := known(t); ok {
		return one.Kind
	}
	return Capital(Spelt(strings.ReplaceAll(string(t), ".", " ")))
}

// Lead tells a trace's beginning: its sender's action, followed by the text cameIn unless
// that is "".
func Lead(t domain.EventType, who, cameIn string) string {
	lead := Kind(t) + ":"
	if one, ok := known(t); ok {
		lead = strings.Replace(one.Lead, "%s", who, 1)
	}
	if cameIn == "" {
		lead = strings.TrimRight(lead, ":,")
	}
	return Capital(lead)
}

// entryOf is the entry of a type, or the entry for unknown types.
func entryOf(t domain.EventType) Entry {
	if one, ok := known(t); ok {
		return one
	}
	return unknown
}
