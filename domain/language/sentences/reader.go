package sentences

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/language/tongues"
	"chalie/domain/language/when"
)

// Reader reads texts for one person at one moment.
type Reader struct {
	P     language.Prompt
	Times *times
	Ended func() bool // whether nobody waits for it any more; nil for never
}

// NewReader is one for a prompt.
func NewReader(p language.Prompt) Reader {
	return Reader{P: p, Times: &times{texts: map[string]*when.Text{}, timings: map[string]Timing{}, Worked: map[string]bool{}}}
}

// times are the times that texts were read as for one reply. Many hearers try the same words.
type times struct {
	texts   map[string]*when.Text
	timings map[string]Timing
	Worked  map[string]bool // whether it is a question that can be worked out
}

// IsGivenUp reports whether nobody waits for it any more.
func (l Reader) IsGivenUp() bool { return l.Ended != nil && l.Ended() }

// TimesIn looks for times in a text for the person, once.
func (l Reader) TimesIn(text string) *when.Text {
	t, known := l.Times.texts[text]
	if !known {
		t = when.Look(text, l.P.AsOf, l.Zone())
		l.Times.texts[text] = t
	}
	return t
}

// Parse is when.Parse of a text for the person.
func (l Reader) Parse(text string) (when.Time, error) { return l.TimesIn(text).Parse() }

// Narrow is when.Narrow of a text for the person.
func (l Reader) Narrow(text string) (when.Window, string, error) { return l.TimesIn(text).Narrow() }

// Parts is when.Parts of a text for the person.
func (l Reader) Parts(text string) (day, clock bool) { return l.TimesIn(text).Parts() }

// Timing is what a text says about when.
type Timing struct {
	Rest   string // the text without it
	When   string // the words that say it; "" when they don't stand by themselves
	Said   bool   // it says when
	Wrong  bool   // it says something about when that can't be used
	Left   bool   // some of what it says about when wasn't read, or may be a part of it
	Unread bool   // some of what it says about when wasn't read
	Again  bool   // it comes back
}

// Zone is where the person is.
func (l Reader) Zone() *time.Location {
	if l.P.Zone == nil {
		return time.UTC
	}
	return l.P.Zone
}

// Timing looks for the time in a text.
func (l Reader) Timing(text string) Timing {
	t, known := l.Times.timings[text]
	if !known {
		t = l.readTiming(text)
		l.Times.timings[text] = t
	}
	return t
}

func (l Reader) readTiming(text string) Timing {
	at, err := l.Parse(text)
	if err != nil {
		return Timing{Rest: text, Wrong: domain.CodeOf(err) != when.CodeNoTime}
	}
	out := Timing{Rest: at.Rest(text), Said: true, Unread: len(at.Unread(text)) > 0, Again: at.Recurrence != nil}
	out.Left = out.Unread || at.Loose(text) != ""
	parts := make([]string, len(at.Spans))
	for i, s := range at.Spans {
		parts[i] = text[s.Start:s.End]
	}
	words := strings.Join(parts, " ")
	if again, err := l.Parse(words); err == nil && again.At == at.At && reflect.DeepEqual(again.Recurrence, at.Recurrence) {
		out.When = words
	}
	return out
}

// IsOnlyTime reports whether a text says when and nothing else.
func (l Reader) IsOnlyTime(text string) bool {
	const longest = 30 // words, of which no time that anybody says has as many
	if strings.Count(text, " ") > longest {
		return false
	}
	t := l.Timing(text)
	return t.Said && t.When != "" && t.Rest == ""
}

// IsReadable reports whether English words are a time from end to end. One that can't be
// used is one: what is wrong with it is for the skill to say.
func (l Reader) IsReadable(english string) bool {
	t := l.Timing(english)
	return t.Wrong || t.Said && t.Rest == "" && !t.Left
}

// Turns are what was said before, with the buttons that were pressed since as turns of their own.
func (l Reader) Turns() []language.Turn {
	n := len(l.P.Recent)
	if n == 0 || len(l.P.Recent[n-1].Pressed) == 0 {
		return l.P.Recent
	}
	out := slices.Clone(l.P.Recent)
	for _, d := range l.P.Recent[n-1].Pressed {
		out = append(out, language.Turn{Reply: d.Text, Done: []language.Done{d}, RecordedAt: l.P.AsOf})
	}
	return out
}

// Last is the turn that what is said now follows; false at the beginning.
func (l Reader) Last() (language.Turn, bool) {
	all := l.Turns()
	if len(all) == 0 {
		return language.Turn{}, false
	}
	return all[len(all)-1], true
}

// Tongue is the language of a text, which may be too short to tell it by itself.
func (l Reader) Tongue(text string) (*tongues.Tongue, bool) {
	p := l.P
	p.Asked.Text = text
	t, ok := TongueOf(p)
	return t, ok && t.Speaks(text)
}

// TongueOf is the language of a message: its own, or that of the message before where it has
// no word by which to tell.
func TongueOf(p language.Prompt) (*tongues.Tongue, bool) {
	if t, ok := tongues.Of(p.Asked.Text); ok || len(p.Recent) == 0 {
		return t, ok
	}
	t, ok := tongues.Of(p.Recent[len(p.Recent)-1].Prompt)
	return t, ok && t.Fits(p.Asked.Text)
}

// IsKnown reports whether words name something in mind.
func (l Reader) IsKnown(which Said) bool {
	for _, item := range l.P.World {
		label, ok := Read(item.Label)
		if !ok {
			continue
		}
		for _, w := range which.Words {
			if len(w.Lower) > 3 && !EmptyWords[w.Lower] && (HasAny(label, w.Lower) || HasAny(label, w.Lower+"'s")) {
				return true
			}
		}
	}
	return false
}

// EmptyWords name no plan: what is left of a sentence without them does.
var EmptyWords = WordsIn(`a an the my our your me i you we us it its this that these those there any some all every each of for on in at to from with about by as up out off
	is are am be was were do does did have has had will would can could should shall may must got get going go goes set scheduled schedule planned plan coming upcoming current currently active existing open pending
	and or please now right just also too so then only still already ever up again what which when where who whose how many much time times day days date hour not no more if whether
	event events appointment appointments entry entries calendar calender cal diary agenda schedules plans item items thing things anything something everything else happening happen happens going
	alarm alarms reminder reminders timer timers alert alerts notification notifications task tasks todo todos scheduled kept called named titled saved save made sure know aware let see tell show give want need like
	today's data content contents details whole entire next first last second third fourth number recurring repeating monthly weekly yearly permanently anymore longer any off well hey olly
	start starts begin begins end ends place true right left undone important dates settings setting timings timing situation status they week weeks month months year years information through details information about
	remember remembered repeat repeats turned until till before after away overlap overlaps overlapping clash clashes address located location set
	add added put entered entering having long ring rings remaining available outstanding planned sort kind kinds already next upcoming there's theres whats here here's full busy free open take use using been being him her them his hers their
	altogether exists exist purpose usual falls fall whom say appts`)
