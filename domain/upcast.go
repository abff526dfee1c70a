package domain

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Upcaster lifts a payload from one version of a type to the next. It is pure:
// the same text gives the same text for ever, and what it was given stays as it
// was. It has to lift whatever was stored in its version, and fails only on
// what never was.
//
// A payload's keys are not lifted: they are in the record's header and in the
// log's index. A new version goes by the keys of the one before.
type Upcaster struct {
	Type EventType
	From uint16
	Lift func(payload []byte) ([]byte, error) // nil when the payload stays as it is
}

// upcasters are those of this build, by type and version. A version that is
// replaced gets one here: it stays for as long as there are logs.
func upcasters() []Upcaster {
	return []Upcaster{
		{ActionReceivedType, 1, asItIs},      // nobody knows what stood on the button
		{ActionReceivedType, 2, asItIs},      // nor where the device was
		{InterfacePairedType, 1, asItIs},     // its tools had no schema beyond their list of parameters, and none was an op or a skill
		{CapabilitiesChangedType, 1, asItIs}, // likewise
		{OperatorLoggedInType, 1, asItIs},    // where it came from is not known
		{OperatorLoggedInType, 2, asItIs},    // its session has no key
		{OperatorLoggedInType, 3, asItIs},    // by which name it came is not known
		{SpineSignalEmittedType, 1, energyFromOne},
		{SpineSignalEmittedType, 2, asItIs}, // its cycle was recorded in steps
		{PolicyDecidedType, 1, asItIs},      // nobody asked whose words it rests on
		{CapabilityChangedType, 1, asItIs},  // nobody could say that it is safe to use unasked
		{CapabilityChangedType, 2, asItIs},  // nobody could choose whether they are asked
		{ModelCalledType, 1, asItIs},        // whose words were shown wasn't marked
		{ToolCompletedType, 1, asItIs},      // what it quotes wasn't marked

		// How much of the log the step had read is not known.
		{ReasoningStartedType, 1, asItIs},
		{ReasoningStartedType, 2, withoutSignalKinds}, // why things were related isn't known
		{ReasoningStartedType, 3, asItIs},             // what was over faded
		{SystemStartedType, 1, asItIs},                // likewise
		{SystemStartedType, 2, asItIs},                // which amendments it had isn't known
		{ModelCalledType, 2, asItIs},
		{ModelRepliedType, 1, asItIs},
		{ModelRepliedType, 2, asItIs}, // why it read a sentence as it did isn't known
		{ModelRepliedType, 3, asItIs}, // no yes was for the future
		{ModelRepliedType, 4, asItIs}, // FinishOf says why it ended
		{ModelRepliedType, 5, asItIs}, // which words name a deed wasn't asked
		{ModelRepliedType, 6, asItIs}, // what it says was words alone
		{ModelFailedType, 1, asItIs},
		{CallRejectedType, 1, asItIs},
		{CallRejectedType, 2, asItIs}, // nothing was said for people beside the reason
		{ToolVerifiedType, 1, asItIs}, // likewise
		{AnswerVerifiedType, 1, asItIs},
		{ReasoningResumedType, 1, asItIs},
		{ReasoningConcludedType, 1, asItIs},
		{ReasoningConcludedType, 2, asItIs}, // what it says was words alone
		{PolicyDecidedType, 2, asItIs},
		{ToolInvokedType, 1, asItIs}, // nobody said that it wasn't confirmed
		{ToolInvokedType, 2, asItIs}, // where its caller's device was isn't known
		{ToolDispatchedType, 1, asItIs},
		{ToolCompletedType, 2, asItIs},
		{ToolCompletedType, 3, asItIs}, // what it says was words alone
		{ToolFailedType, 1, asItIs},
		{ToolOutcomeUnknownType, 1, asItIs},

		{MessageReceivedType, 1, asItIs}, // where its sender's device was isn't known
		{MessageReceivedType, 2, asItIs}, // there was one conversation
		{MessageReceivedType, 3, asItIs}, // nobody could say which model is asked first
		{ReminderSetType, 1, withRule},
		{ReminderChangedType, 1, withRule},
	}
}

// recurrenceOne is a recurrence of version 1, which could say no more than its fields.
type recurrenceOne struct {
	Every    int            `json:"every"`
	Unit     string         `json:"unit"` // minute, hour, day, week, month, year
	Weekdays []time.Weekday `json:"weekdays"`
	Month    int            `json:"month"`
	Day      int            `json:"day"` // the last one when the month is shorter
	Hour     int            `json:"hour"`
	Minute   int            `json:"minute"`
	Anchor   Millis         `json:"anchor"`
}

// withRule lifts the recurrence of a reminder to a rule of RFC 5545.
func withRule(payload []byte) ([]byte, error) {
	members := map[string]json.RawMessage{}
	if err := json.Unmarshal(payload, &members); err != nil {
		return nil, err
	}
	var before *recurrenceOne
	if err := json.Unmarshal(orNull(members["recurrence"]), &before); err != nil || before == nil {
		return payload, err
	}
	var err error
	if members["recurrence"], err = json.Marshal(Recurrence{Rule: before.rule(), Start: before.Anchor, Except: []Millis{}}); err != nil {
		return nil, err
	}
	return json.Marshal(members)
}

func (r recurrenceOne) rule() string {
	freq := map[string]string{"minute": "MINUTELY", "hour": "HOURLY", "week": "WEEKLY", "month": "MONTHLY", "year": "YEARLY"}[r.Unit]
	out := "FREQ=" + cmp.Or(freq, "DAILY")
	if r.Every > 1 {
		out += ";INTERVAL=" + strconv.Itoa(r.Every)
	}
	switch r.Unit {
	case "minute", "hour":
		return out
	case "week":
		days := make([]string, len(r.Weekdays))
		for i, d := range r.Weekdays {
			days[i] = strings.ToUpper(d.String()[:2])
		}
		if len(days) > 0 {
			out += ";BYDAY=" + strings.Join(days, ",")
		}
	case "year":
		if r.Month > 0 {
			out += ";BYMONTH=" + strconv.Itoa(r.Month)
		}
		fallthrough
	case "month":
		switch {
		case r.Day > 28:
			out += ";BYMONTHDAY=28,29,30,31"[:len(";BYMONTHDAY=28")+3*(min(r.Day, 31)-28)] + ";BYSETPOS=-1"
		case r.Day > 0:
			out += ";BYMONTHDAY=" + strconv.Itoa(r.Day)
		}
	}
	return fmt.Sprintf("%s;BYHOUR=%d;BYMINUTE=%d", out, r.Hour, r.Minute)
}

// energyFromOne lifts an energy in parts per million to a number from 0 to 1.
func energyFromOne(payload []byte) ([]byte, error) {
	const field = "activation_energy"
	members := map[string]json.RawMessage{}
	if err := json.Unmarshal(payload, &members); err != nil {
		return nil, err
	}
	if raw, ok := members[field]; ok {
		var energy PPM
		if err := json.Unmarshal(raw, &energy); err != nil {
			return nil, err
		}
		members[field] = strconv.AppendFloat(nil, energy.Float(), 'f', -1, 64)
	}
	return json.Marshal(members)
}

// withoutSignalKinds leaves out the kind of items that are signals. No text that somebody
// wrote is in such a payload.
func withoutSignalKinds(payload []byte) ([]byte, error) {
	return bytes.ReplaceAll(payload, []byte(`"kind":"signal",`), nil), nil
}

// asItIs lifts to a version whose new fields may be missing: nothing is done.
var asItIs func(payload []byte) ([]byte, error)

// raise adds upcasters to a catalogue.
func (c *Catalogue) raise(ups []Upcaster) {
	for _, up := range ups {
		c.lifts[TypeVersion{up.Type, up.From}] = up
	}
}

// Lift is an envelope as this build would have written it: a payload of an older
// version goes through every upcaster from there on. One of today's version, one
// that is no JSON, and one of a type that this build doesn't know are returned
// as they are. Callers that read a payload's members without Decode need it.
//
// It returns an Error with CodeUndecodable when the version can't be lifted.
func Lift(e Envelope) (Envelope, error) {
	c := Events()
	d, known := c.current[e.Type]
	if !known || e.Version == d.Version || e.Payload.Encoding != EncodingJSON {
		return e, nil
	}
	text, err := c.lift(e, e.Payload.Bytes)
	if err != nil {
		return e, err
	}
	e.Version, e.Payload.Bytes = d.Version, text
	return e, nil
}

var errNoObject = errors.New("it gave no JSON object")

// lift takes a payload from its version to today's, one upcaster after the other.
func (c *Catalogue) lift(e Envelope, text []byte) ([]byte, error) {
	want := c.current[e.Type].Version
	if e.Version > want {
		return nil, undecodable(e, fmt.Sprintf("this build writes version %d and doesn't know later ones", want), nil)
	}
	for v := e.Version; v != want; v++ {
		up, ok := c.lifts[TypeVersion{e.Type, v}]
		if !ok {
			return nil, undecodable(e, fmt.Sprintf("there is no upcaster from version %d", v), nil)
		}
		if up.Lift == nil {
			continue
		}
		// All readers of a record share its payload.
		lifted, err := up.Lift(slices.Clone(text))
		if err == nil && !isObject(lifted) {
			err = errNoObject
		}
		if err != nil {
			return nil, undecodable(e, fmt.Sprintf("the upcaster from version %d failed", v), err)
		}
		text = lifted
	}
	return text, nil
}

func isObject(text []byte) bool {
	return len(text) > 0 && bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("{")) && json.Valid(text)
}
