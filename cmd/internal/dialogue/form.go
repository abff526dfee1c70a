package dialogue

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"chalie/domain/language/tongues"
)

// Dialogue is what a person says in turn: a line of a file.
type Dialogue struct {
	ID, Now, Zone, Kind string
	Topics, Setup       words
	Tools               []Tool
	Turns               []Turn

	Place  *time.Location // Zone
	Begins time.Time      // Now, of the first turn
}

// Tool is a tool as a server of the Model Context Protocol lists it.
type Tool struct {
	Name, Title, Description string
	InputSchema              json.RawMessage
	Annotations              struct{ ReadOnlyHint, DestructiveHint bool }
}

// Turn is what happens, and what has to be so after it. One without a check isn't counted.
type Turn struct {
	Say, In, Press  string
	Message, Signal *News
	Want            string // in words
	Check           *Check
}

// String is what happens, in words.
func (t Turn) String() string {
	switch {
	case t.Press != "":
		return "[" + t.Press + "]"
	case t.Message != nil:
		return fmt.Sprintf("message of %s: %q", t.Message.Program(), t.Message.Text)
	case t.Signal != nil:
		return fmt.Sprintf("signal of %s: %q", t.Signal.Program(), t.Signal.Content)
	case t.In != "":
		return fmt.Sprintf("%q in %s", t.Say, t.In)
	}
	return fmt.Sprintf("%q", t.Say)
}

// News is what a program tells.
type News struct {
	Source, From string // the same
	Text         string // of a message
	Content      string // of a signal
	SignalType   string `json:"signal_type"`
	Topic        *string
	Energy       *float64 `json:"activation_energy"`
	Metadata     json.RawMessage
}

// Program is who tells it, by a name that a program may have.
func (n News) Program() string {
	name := tongues.Fold(cmp.Or(n.Source, n.From, "house"))
	return strings.Trim(strings.NewReplacer("'", "-", " ", "-").Replace(name), "-")
}

// Check is what has to be so after a turn.
type Check struct {
	Plans          []WantedPlan
	Gone           words
	List           several[WantedList]
	Says           words
	SaysAny        groups `json:"says_any"`
	NotSays        words  `json:"not_says"`
	NothingChanged bool   `json:"nothing_changed"`
	Asks           bool
	Calls          *several[WantedCall]
	CallsNone      bool `json:"calls_none"`
}

// UnmarshalJSON implements json.Unmarshaler: what it doesn't know would hold whatever came.
func (c *Check) UnmarshalJSON(text []byte) error {
	type plain Check
	return strictly(text, (*plain)(c))
}

// strictly reads JSON without members that aren't known.
func strictly(text []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	return dec.Decode(into)
}

// WantedPlan is a plan that has to be there.
type WantedPlan struct {
	Kind              string
	Has               words
	At, Until, Recurs detail
}

// WantedList is what is on a list, and what isn't.
type WantedList struct {
	Name       string
	Has, Lacks words
}

// WantedCall is a tool that has to be called, with these of its parameters.
type WantedCall struct {
	Tool   string
	Params map[string]any
}

// detail is a member of a plan that may be asked for, and may have to be missing.
type detail struct {
	asked bool
	text  string // "" when it has to be missing
}

// UnmarshalJSON implements json.Unmarshaler.
func (d *detail) UnmarshalJSON(text []byte) error {
	d.asked = true
	var said *string
	if err := json.Unmarshal(text, &said); err != nil || said == nil {
		return err
	}
	d.text = *said
	return nil
}

// words are one or several.
type words []string

// UnmarshalJSON implements json.Unmarshaler.
func (w *words) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, (*several[string])(w))
}

// several are one or more.
type several[T any] []T

// UnmarshalJSON implements json.Unmarshaler.
func (s *several[T]) UnmarshalJSON(text []byte) error {
	if bytes.HasPrefix(text, []byte("[")) {
		*s = []T{}
		return strictly(text, (*[]T)(s))
	}
	var one *T
	if err := strictly(text, &one); err != nil || one == nil {
		return err
	}
	*s = []T{*one}
	return nil
}

// groups are groups of words, of each of which one is enough; words alone are one group.
type groups []words

// UnmarshalJSON implements json.Unmarshaler.
func (g *groups) UnmarshalJSON(text []byte) error {
	var one []string
	if json.Unmarshal(text, &one) == nil {
		*g = groups{one}
		return nil
	}
	return json.Unmarshal(text, (*[]words)(g))
}

// ReadFiles reads files of dialogues; no two of them have the same id.
func ReadFiles(names ...string) ([]Dialogue, error) {
	var out []Dialogue
	known := map[string]string{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		read, err := Read(bytes.NewReader(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for _, one := range read {
			if other, twice := known[one.ID]; twice {
				return nil, fmt.Errorf("%s and %s both have a dialogue %s: give each an id of its own", other, name, one.ID)
			}
			known[one.ID] = name
		}
		out = append(out, read...)
	}
	return out, nil
}

// Read reads a file of dialogues.
func Read(from io.Reader) ([]Dialogue, error) {
	text, err := io.ReadAll(from)
	if err != nil {
		return nil, err
	}
	var out []Dialogue
	for n, line := range bytes.Split(text, []byte("\n")) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		one, err := read(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		}
		out = append(out, one)
	}
	if len(out) == 0 {
		return nil, errors.New("there is no dialogue in it: each is a JSON object on a line")
	}
	return out, nil
}

func read(line []byte) (one Dialogue, err error) {
	if err := json.Unmarshal(line, &one); err != nil {
		return one, err
	}
	if one.Place, err = time.LoadLocation(one.Zone); err == nil {
		one.Begins, _, err = momentOf(one.Now, one.Place)
	}
	if err == nil && (one.ID == "" || len(one.Turns) == 0) {
		err = errors.New("it has no id, or no turns")
	}
	for n, t := range one.Turns {
		if err == nil {
			err = t.validate(one.Place)
		}
		if err != nil {
			return one, fmt.Errorf("%s, turn %d: %w", one.ID, n+1, err)
		}
	}
	return one, err
}

// validate reports what makes a turn one that can't be played, or whose check can't hold.
func (t Turn) validate(place *time.Location) error {
	happens := 0
	for _, does := range []bool{t.Say != "", t.Press != "", t.Message != nil, t.Signal != nil} {
		if does {
			happens++
		}
	}
	if happens != 1 {
		return errors.New("it needs one of say, press, message and signal")
	}
	if t.Check == nil {
		return nil
	}
	for _, p := range t.Check.Plans {
		for _, d := range []detail{p.At, p.Until} {
			if _, _, err := momentOf(d.text, place); d.text != "" && err != nil {
				return err
			}
		}
		if _, err := rhythmOf(p.Recurs.text); p.Recurs.text != "" && err != nil {
			return err
		}
	}
	return nil
}

// momentOf reads a local time; dayOnly is true of a date alone.
func momentOf(text string, place *time.Location) (at time.Time, dayOnly bool, err error) {
	for _, layout := range []string{"2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04"} {
		if at, err = time.ParseInLocation(layout, text, place); err == nil {
			return at, false, nil
		}
	}
	if at, err = time.ParseInLocation(time.DateOnly, text, place); err != nil {
		err = fmt.Errorf("%q is no local time as 2026-03-12T22:40:00, and no date", text)
	}
	return at, true, err
}
