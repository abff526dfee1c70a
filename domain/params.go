package domain

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Params are the parameters that decisions are made by. DefaultParams are those of
// every decision until others are set: see Settings.
type Params struct {
	World   WorldRules
	Notices NoticeRules
	Limits  ReasoningLimits
	Memory  int // finished exchanges that reasoning looks back on
	Forms   Forms
	// BackupEvery is how long after a backup the next one is made by itself; 0 for never.
	BackupEvery time.Duration
	// Keep is how long the records of a topic are kept that nothing rests on; 0 for ever.
	Keep Keep
}

// DefaultParams are the parameters without changes.
func DefaultParams() Params {
	return Params{World: DefaultWorldRules(), Notices: DefaultNoticeRules(), Limits: DefaultReasoningLimits(), Memory: WorkingMemory, Forms: FormsOfMost}
}

// Param is one parameter by name, as people read and set it.
type Param struct {
	Name    string
	Value   string
	Unit    string // what a value is: a duration, a score from 0 to 1, …
	Least   string // the bounds, included; of a time to keep 0s can be given, too
	Most    string
	Bounds  string // all that it can be set to, in words
	Meaning string
}

// Listed are the parameters with their values here, in the order in which they
// bear on a decision.
func (p Params) Listed() []Param {
	knobs := p.knobs()
	out := make([]Param, len(knobs))
	for i, k := range knobs {
		out[i] = Param{Name: k.name, Value: k.unit.write(*k.value), Unit: strings.TrimSuffix(k.unit.name(), ","),
			Least: k.unit.write(k.least), Most: k.unit.write(k.most), Bounds: k.bounds(), Meaning: k.meaning}
	}
	return out
}

// Of is a parameter by name, with its value here. Errors: validation, of a name that there
// isn't, which lists those there are.
func (p Params) Of(name string) (Param, error) {
	listed := p.Listed()
	if i := slices.IndexFunc(listed, func(one Param) bool { return one.Name == name }); i >= 0 {
		return listed[i], nil
	}
	if topic, keeps := strings.CutPrefix(name, keepPrefix); keeps && keptForEver[Topic(topic)] != "" {
		return Param{}, Invalid("set parameter", "name", fmt.Sprintf("%s is kept for ever: %s", topic, keptForEver[Topic(topic)]))
	}
	names := make([]string, len(listed))
	for i, one := range listed {
		names[i] = one.Name
	}
	return Param{}, Invalid("set parameter", "name", fmt.Sprintf("there is no parameter %q: give one of %s", clip(name, MaxNameBytes), strings.Join(names, ", ")))
}

// Set changes a parameter. Errors: validation, of a name that there isn't, which
// lists those there are, of a value that can't be read, and of one out of bounds.
func (p *Params) Set(name, value string) error {
	const op = "set parameter"
	knobs := p.knobs()
	for _, k := range knobs {
		if k.name != name {
			continue
		}
		n, err := k.unit.read(strings.TrimSpace(value))
		if err != nil || (n < k.least || n > k.most) && (n != 0 || !k.isKept()) {
			return Invalid(op, name, fmt.Sprintf("%s can't be %q: give %s", name, clip(value, MaxNameBytes), k.takes()))
		}
		*k.value = n
		p.take(knobs)
		return nil
	}
	_, err := p.Of(name)
	return err
}

// knob is a parameter as a number of its unit. Durations are milliseconds.
type knob struct {
	name        string
	unit        paramUnit
	value       *int64
	least, most int64
	meaning     string
}

// isKept reports whether it is a time to keep, which can be 0, too: for ever.
func (k knob) isKept() bool { return strings.HasPrefix(k.name, keepPrefix) }

// bounds says what it can be set to.
func (k knob) bounds() string {
	if k.unit == unitForms {
		return strings.Join(formsWords, ", ")
	}
	bounds := k.unit.write(k.least) + " to " + k.unit.write(k.most)
	if k.isKept() {
		bounds += ", or " + k.unit.write(0)
	}
	return bounds
}

// takes says what to give for it.
func (k knob) takes() string {
	if k.unit == unitForms {
		return formsMean
	}
	return k.unit.name() + " from " + k.bounds()
}

// knobs are all parameters, with copies of their values.
func (p *Params) knobs() []knob {
	w, n, l := p.World, p.Notices, p.Limits
	own := func(v int64) *int64 { return &v }
	lasting := func(d time.Duration) *int64 { return own(d.Milliseconds()) }
	const (
		second = int64(time.Second / time.Millisecond)
		day    = 24 * 60 * 60 * second
		told   = int64(ToldKept / time.Millisecond)
		kept   = int64(LeastKept / time.Millisecond)
	)
	longest := 2 * DefaultReasoningLimits().TimeMS // a service that takes longer counts as dead
	return []knob{
		{"half_life", unitDuration, lasting(w.SignalHalfLife), second, 3650 * day, "what was heard has half its weight after this"},
		{"threshold", unitScore, own(int64(w.Threshold)), 0, int64(One), "what weighs less is out of mind"},
		{"context", unitCount, own(int64(w.Slots)), 0, 100, "items that reasoning is told of"},
		{"capacity", unitCount, own(int64(w.Capacity)), 1, 10_000, "signals that are remembered"},
		{"due_half_life", unitDuration, lasting(w.DueHalfLife), second, 3650 * day, "a plan has half its weight this long before and after it is due"},
		{"fired_for", unitDuration, lasting(w.FiredFor), 0, 3650 * day, "a plan stays in mind this long after it was told, unless it was seen or done"},
		{"open_task", unitScore, own(int64(w.OpenTask)), 0, int64(One), "weight of a task without a deadline"},
		{"surfaces", unitScore, own(int64(w.Surfaces)), int64(LeastRelation), int64(One), "what was heard is told when it bears on a plan by this much"},
		{"memory", unitCount, own(int64(p.Memory)), 1, 100, "finished exchanges that reasoning looks back on"},
		{"cooldown", unitDuration, lasting(n.Cooldown), 0, told, "time between two findings about one plan"},
		{"repeated", unitDuration, lasting(n.Repeated), 0, told, "the same words aren't told again within this"},
		{"directed", unitDuration, lasting(n.Directed), 1, told, "the same message of one interface counts once within this"},
		{"model_calls", unitCount, own(int64(l.ModelCalls)), 1, 256, "questions to models in one answer"},
		{"tool_calls", unitCount, own(int64(l.ToolCalls)), 0, 256, "tool calls in one answer"},
		{"time", unitDuration, own(l.TimeMS), second, longest, "how long one answer may take"},
		{"cost", unitMoney, own(l.CostMicros), 0, 1000 * int64(One), "US dollars that one answer may cost; 0 for no limit"},
		{"forms", unitForms, own(int64(p.Forms)), int64(FormsOfNone), int64(FormsOfAll),
			"where your yes counts for what a program asks to have done: " + formsMean},
		{"backup_every", unitDuration, lasting(p.BackupEvery), 0, 365 * day, "a backup is made this long after the last one, in its folder, at most one an hour; 0s for none by itself"},
		{"keep_signals", unitDuration, lasting(p.Keep.Signals), kept, 3650 * day, keepMeans("what was heard")},
		{"keep_reasoning", unitDuration, lasting(p.Keep.Reasoning), kept, 3650 * day, keepMeans("what was thought and not told")},
	}
}

// take is the other direction of knobs.
func (p *Params) take(knobs []knob) {
	at := make(map[string]int64, len(knobs))
	for _, k := range knobs {
		at[k.name] = *k.value
	}
	lasting := func(name string) time.Duration { return time.Duration(at[name]) * time.Millisecond }
	p.World = WorldRules{
		Capacity: int(at["capacity"]), Slots: int(at["context"]), Threshold: PPM(at["threshold"]), SignalHalfLife: lasting("half_life"),
		DueHalfLife: lasting("due_half_life"), FiredFor: lasting("fired_for"), OpenTask: PPM(at["open_task"]), Surfaces: PPM(at["surfaces"]),
	}
	p.Notices = NoticeRules{Cooldown: lasting("cooldown"), Repeated: lasting("repeated"), Directed: lasting("directed")}
	p.Limits = ReasoningLimits{ModelCalls: int(at["model_calls"]), ToolCalls: int(at["tool_calls"]), TimeMS: at["time"], CostMicros: at["cost"]}
	p.BackupEvery = lasting("backup_every")
	p.Keep = Keep{Signals: lasting("keep_signals"), Reasoning: lasting("keep_reasoning")}
	p.Memory, p.Forms = int(at["memory"]), Forms(at["forms"])
}

// paramUnit is the unit in which a parameter's value is written.
type paramUnit int

const (
	unitDuration paramUnit = iota // milliseconds: 6h, 90m, 1d12h
	unitScore                     // parts per million: 0.15
	unitCount
	unitMoney // millionths of a dollar: 0.50
	unitForms
)

func (u paramUnit) name() string {
	switch u {
	case unitDuration:
		return "a duration, such as 90s, 12h or 2d,"
	case unitScore:
		return "a score"
	case unitMoney:
		return "an amount"
	case unitForms:
		return "a word"
	}
	return "a number"
}

var errUnreadable = errors.New("it can't be read")

func (u paramUnit) read(text string) (int64, error) {
	switch u {
	case unitDuration:
		return readDuration(text)
	case unitScore, unitMoney:
		return readMillionths(text)
	case unitForms:
		if n := slices.Index(formsWords, text); n >= 0 {
			return int64(n), nil
		}
		return 0, errUnreadable
	}
	return strconv.ParseInt(text, 10, 64)
}

func (u paramUnit) write(n int64) string {
	switch u {
	case unitDuration:
		return writeDuration(n)
	case unitScore, unitMoney:
		whole, rest := n/int64(One), n%int64(One)
		text := strconv.FormatInt(whole, 10)
		if digits := strings.TrimRight(strconv.FormatInt(rest+int64(One), 10)[1:], "0"); digits != "" {
			text += "." + digits
		}
		return text
	case unitForms:
		return formsWords[n]
	}
	return strconv.FormatInt(n, 10)
}

// readDuration is in milliseconds. Days may precede what Go reads.
func readDuration(text string) (int64, error) {
	const mostDays = 1 << 20
	var days int64
	if front, rest, found := strings.Cut(text, "d"); found {
		n, err := strconv.ParseInt(front, 10, 64)
		if err != nil || n < 0 || n > mostDays {
			return 0, errUnreadable
		}
		if days, text = n, rest; text == "" {
			text = "0s"
		}
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0, err
	}
	if d%time.Millisecond != 0 {
		return 0, errUnreadable
	}
	return days*(24*time.Hour).Milliseconds() + d.Milliseconds(), nil
}

func writeDuration(ms int64) string {
	const day = int64(24 * time.Hour / time.Millisecond)
	out := ""
	if days := ms / day; days > 0 && ms > day {
		out, ms = strconv.FormatInt(days, 10)+"d", ms%day
		if ms == 0 {
			return out
		}
	}
	text := (time.Duration(ms) * time.Millisecond).String()
	for _, none := range []string{"m0s", "h0m"} {
		if short, found := strings.CutSuffix(text, none); found {
			text = short + none[:1]
		}
	}
	return out + text
}

// readMillionths reads a decimal number with up to six digits behind the point,
// without going through a float.
func readMillionths(text string) (int64, error) {
	const digits = 6
	whole, rest, _ := strings.Cut(text, ".")
	if len(rest) > digits || len(whole) > digits || whole == "" || strings.Trim(whole+rest, "0123456789") != "" {
		return 0, errUnreadable
	}
	return strconv.ParseInt(whole+rest+strings.Repeat("0", digits-len(rest)), 10, 64)
}
