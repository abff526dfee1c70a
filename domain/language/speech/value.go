package speech

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"chalie/domain"
)

// Value is an argument of a message: one of the types below, a [List] of them, or a [Message].
type Value interface {
	// isA reports whether the value is of a type that an argument is declared with.
	isA(declaredType) bool
}

// Text is what somebody wrote. It is data, whoever says it.
type Text struct {
	Words  string    `json:"text"`
	In     domain.ID `json:"in,omitzero"`      // the envelope that has them; none of what was said just now
	Theirs string    `json:"theirs,omitempty"` // whose they are, as [domain.Words].Of; "" for the person's own
}

// Time is a moment, in the zone in which it was meant.
type Time struct {
	At    domain.Millis `json:"at"`
	Zone  string        `json:"zone,omitempty"`
	Grain Grain         `json:"grain,omitempty"`
}

// Grain is how exactly a time was meant; "" is to the minute.
type Grain string

// Day is a day without a time of day.
const Day Grain = "day"

// Span is from one moment to another. One that doesn't end later only begins.
type Span struct {
	From   domain.Millis `json:"from"`
	To     domain.Millis `json:"to"`
	AllDay bool          `json:"all_day,omitempty"`
	Zone   string        `json:"zone,omitempty"`
}

// Period is a part of the calendar in which something lies: this week, on Friday evening, at 8.
type Period struct {
	Since  domain.Millis `json:"since"`
	Before domain.Millis `json:"before"`
	AnyDay bool          `json:"any_day,omitempty"` // only the time of day counts
	ByName bool          `json:"by_name,omitempty"` // its day was named by the day of the week
	Said   string        `json:"said,omitempty"`    // the English words that it was read from
	Zone   string        `json:"zone,omitempty"`
}

// Again is how something comes back.
type Again struct {
	Rule   string `json:"rule"` // as [domain.Recurrence] has it
	AllDay bool   `json:"all_day,omitempty"`
	Zone   string `json:"zone,omitempty"`
}

// Length is how long something lasts.
type Length time.Duration

// Count is a number of things.
type Count int

// Clock is a time of day as the clocks of some place show it: 09:30.
type Clock string

// Number is a number as it was reckoned, in digits with a point.
type Number string

// Kind is one of a closed set of words, such as reminder, appointment and task.
type Kind string

// Ref points at an envelope.
type Ref domain.ID

// List is a row of values of one type.
type List []Value

// What a type is called where arguments are declared.
type typeName string

const (
	isText   typeName = "text"
	isTime   typeName = "time"
	isSpan   typeName = "span"
	isPeriod typeName = "period"
	isAgain  typeName = "again"
	isLength typeName = "length"
	isCount  typeName = "count"
	isClock  typeName = "clock"
	isNumber typeName = "number"
	isRef    typeName = "id"
	isPart   typeName = "part" // a message
)

func (Text) isA(t declaredType) bool   { return t.name == isText }
func (Time) isA(t declaredType) bool   { return t.name == isTime }
func (Span) isA(t declaredType) bool   { return t.name == isSpan }
func (Period) isA(t declaredType) bool { return t.name == isPeriod }
func (Again) isA(t declaredType) bool  { return t.name == isAgain }
func (Length) isA(t declaredType) bool { return t.name == isLength }
func (Count) isA(t declaredType) bool  { return t.name == isCount }
func (Clock) isA(t declaredType) bool  { return t.name == isClock }
func (Number) isA(t declaredType) bool { return t.name == isNumber }
func (Ref) isA(t declaredType) bool    { return t.name == isRef }

func (k Kind) isA(t declaredType) bool {
	return t.one[string(k)] || t.of == thing && slices.ContainsFunc(domain.Events().Kinds(), func(p domain.PlanKind) bool { return string(p.Kind) == string(k) })
}

// thing is the kind whose words are the kinds of plans, too.
const thing = "thing"

func (Message) isA(t declaredType) bool { return t.name == isPart }

func (l List) isA(t declaredType) bool {
	if !t.list {
		return false
	}
	t.list = false
	for _, v := range l {
		if v == nil || !v.isA(t) {
			return false
		}
	}
	return len(l) > 0
}

// MarshalJSON says that it is a length.
func (l Length) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]int64{"lasts_ms": time.Duration(l).Milliseconds()})
}

// MarshalJSON says that it is a count.
func (n Count) MarshalJSON() ([]byte, error) { return json.Marshal(map[string]int{"n": int(n)}) }

// MarshalJSON says that it is a time of day.
func (c Clock) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]string{"clock": string(c)})
}

// MarshalJSON says that it is a number.
func (n Number) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]string{"number": string(n)})
}

// MarshalJSON says that it is a kind.
func (k Kind) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]string{"kind": string(k)})
}

// MarshalJSON says that it is an id.
func (r Ref) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]domain.ID{"id": domain.ID(r)})
}

// valueOf reads a value: its first member says what it is.
func valueOf(raw json.RawMessage) (Value, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) > 0 && raw[0] == '[' {
		var parts []json.RawMessage
		if err := json.Unmarshal(raw, &parts); err != nil {
			return nil, err
		}
		out := make(List, len(parts))
		for i, part := range parts {
			var err error
			if out[i], err = valueOf(part); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	var v struct {
		Message *ID            `json:"message"`
		Text    *string        `json:"text"`
		At      *domain.Millis `json:"at"`
		From    *domain.Millis `json:"from"`
		Since   *domain.Millis `json:"since"`
		Rule    *string        `json:"rule"`
		Lasts   *int64         `json:"lasts_ms"`
		N       *int           `json:"n"`
		Number  *string        `json:"number"`
		Clock   *Clock         `json:"clock"`
		Kind    *string        `json:"kind"`
		ID      *domain.ID     `json:"id"`
	}
	if err := json.Unmarshal(raw, &v); err != nil {
		return nil, err
	}
	switch {
	case v.Message != nil:
		return wholly[Message](raw)
	case v.Text != nil:
		return wholly[Text](raw)
	case v.At != nil:
		return wholly[Time](raw)
	case v.From != nil:
		return wholly[Span](raw)
	case v.Since != nil:
		return wholly[Period](raw)
	case v.Rule != nil:
		return wholly[Again](raw)
	case v.Lasts != nil:
		return Length(time.Duration(*v.Lasts) * time.Millisecond), nil
	case v.N != nil:
		return Count(*v.N), nil
	case v.Clock != nil:
		return *v.Clock, nil
	case v.Number != nil:
		return Number(*v.Number), nil
	case v.Kind != nil:
		return Kind(*v.Kind), nil
	case v.ID != nil:
		return Ref(*v.ID), nil
	}
	return nil, fmt.Errorf("read value: %s is none that this build knows", raw)
}

func wholly[V Value](raw json.RawMessage) (Value, error) {
	var v V
	err := json.Unmarshal(raw, &v)
	return v, err
}
