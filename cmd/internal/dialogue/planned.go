package dialogue

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/teambition/rrule-go"
)

// Planned is what a person has planned, and told Chalie to remember.
type Planned struct {
	Plans    []Plan
	Lists    []List
	Memories []string
}

// Plan is an open reminder, appointment or task.
type Plan struct {
	Kind, Text string
	Along      string    // who takes part, and where
	At, Until  time.Time // in the person's zone; zero without
	Rule       *rrule.ROption
	First      time.Time // that Rule counts from
}

// List is a list of things.
type List struct {
	Name  string
	Items []string
}

// String is the plan in words.
func (p Plan) String() string {
	out := fmt.Sprintf("%s %q", p.Kind, p.Text)
	if !p.At.IsZero() {
		out += p.At.Format(" 2006-01-02T15:04")
	}
	if !p.Until.IsZero() {
		out += p.Until.Format(" to 2006-01-02T15:04")
	}
	if p.Rule != nil {
		out += " " + p.Rule.RRuleString()
	}
	return out
}

// String is the plan in words.
func (w WantedPlan) String() string {
	out := []string{w.Kind, fmt.Sprintf("%q", []string(w.Has))}
	for _, d := range []struct {
		name string
		detail
	}{{"at", w.At}, {"until", w.Until}, {"recurs", w.Recurs}} {
		switch {
		case d.asked && d.text == "":
			out = append(out, "without", d.name)
		case d.asked:
			out = append(out, d.name, d.text)
		}
	}
	return strings.Join(out, " ")
}

// missing is which wanted plans aren't there, and of which there are more.
func (p Planned) missing(want []WantedPlan) (out []string) {
	for _, w := range want {
		if !slices.ContainsFunc(p.Plans, w.isMet) {
			out = append(out, w.String())
			continue
		}
		there, wanted := 0, 0
		for _, one := range p.Plans {
			if w.isAbout(one) {
				there++
			}
		}
		for _, other := range want {
			if other.Kind == w.Kind && slices.Equal(other.Has, w.Has) {
				wanted++
			}
		}
		if there > wanted {
			out = append(out, fmt.Sprintf("%d like %s", there, w))
		}
	}
	if len(out) == 0 {
		return nil
	}
	there := make([]string, len(p.Plans))
	for i, one := range p.Plans {
		there[i] = one.String()
	}
	return []string{fmt.Sprintf("plans: no %s among [%s]", strings.Join(out, ", "), strings.Join(there, ", "))}
}

// stillThere is where words are that should be gone.
func (p Planned) stillThere(words string) (out []string) {
	for _, one := range p.Plans {
		if Has(one.Text, words) {
			out = append(out, fmt.Sprintf("%q is still there", one.Text))
		}
	}
	for _, l := range p.Lists {
		for _, item := range l.Items {
			if Has(item, words) {
				out = append(out, fmt.Sprintf("%q is still on %s", item, l.Name))
			}
		}
	}
	for _, text := range p.Memories {
		if Has(text, words) {
			out = append(out, fmt.Sprintf("%q is still known", text))
		}
	}
	return out
}

// wrongList is what is wrong with a list.
func (p Planned) wrongList(want WantedList) (out []string) {
	var items []string
	for _, l := range p.Lists {
		if want.isAbout(l) {
			items = append(items, l.Items...)
		}
	}
	all := strings.Join(items, "\n")
	for _, words := range want.Has {
		if !Has(all, words) {
			out = append(out, fmt.Sprintf("%q isn't on %s: %q", words, want.Name, items))
		}
	}
	for _, words := range want.Lacks {
		if Has(all, words) {
			out = append(out, fmt.Sprintf("%q is on %s", words, want.Name))
		}
	}
	return out
}

// isAbout reports whether a list is the one that is meant: that of shopping has one name in all
// languages.
func (w WantedList) isAbout(l List) bool {
	return Has(l.Name, w.Name) || l.Name == "shopping" && slices.ContainsFunc([]string{"courses", "einkauf", "compra"}, func(name string) bool { return Has(w.Name, name) })
}

// isAbout reports whether a plan is of the kind, and has the words.
func (w WantedPlan) isAbout(p Plan) bool {
	return p.Kind == w.Kind && !slices.ContainsFunc(w.Has, func(words string) bool { return !Has(p.Text+" "+p.Along, words) })
}

// isMet reports whether a plan is as it is wanted.
func (w WantedPlan) isMet(p Plan) bool {
	return w.isAbout(p) && w.At.isAt(p.At, p.At) && w.Recurs.isRhythmOf(p) && w.ends(p)
}

// isAt reports whether a moment is the one that is wanted, to the minute; where that is a day,
// whether the moment or another one is in it.
func (d detail) isAt(at, or time.Time) bool {
	if !d.asked || d.text == "" || at.IsZero() {
		return !d.asked || d.text == "" && at.IsZero()
	}
	want, dayOnly, err := momentOf(d.text, at.Location())
	if err != nil {
		return false
	}
	if dayOnly {
		return at.Format(time.DateOnly) == d.text || or.Format(time.DateOnly) == d.text
	}
	return at.Truncate(time.Minute).Equal(want.Truncate(time.Minute))
}

// ends reports whether a plan ends when it has to: beside a rhythm a date is its last day.
func (w WantedPlan) ends(p Plan) bool {
	if p.Rule != nil && w.Recurs.text != "" && (w.Until.text == "" || len(w.Until.text) == len(time.DateOnly)) {
		last := p.Rule.Until // on the wall
		return !w.Until.asked || w.Until.text == "" && last.IsZero() || w.Until.text != "" && last.Format(time.DateOnly) == w.Until.text
	}
	return w.Until.isAt(p.Until, p.Until.Add(-time.Nanosecond))
}

// isRhythmOf reports whether a plan comes back as it has to.
func (d detail) isRhythmOf(p Plan) bool {
	if !d.asked || d.text == "" || p.Rule == nil {
		return !d.asked || d.text == "" && p.Rule == nil
	}
	want, err := rhythmOf(d.text)
	return err == nil && want.is(*p.Rule, p.First)
}
