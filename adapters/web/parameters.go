package web

import (
	"slices"
	"strconv"
	"time"

	"chalie/adapters/api"
)

// supposable is what can be supposed to be otherwise.
type supposable struct{ api.Supposable }

func (v *visit) parameters() (supposable, error) {
	var out supposable
	return out, v.ask("/api/what-if", nil, &out)
}

// value is that of a parameter; "" when there is none of that name.
func (s supposable) value(name string) string {
	i := slices.IndexFunc(s.Parameters, func(p api.Parameter) bool { return p.Name == name })
	if i < 0 {
		return ""
	}
	return s.Parameters[i].Value
}

// score is the value of a parameter that is a number; 0 when it isn't.
func (s supposable) score(name string) float64 {
	n, _ := strconv.ParseFloat(s.value(name), 64)
	return n
}

// rules are the numbers that Now explains saliences with, in words.
func (s supposable) rules() rulesNow {
	words := func(name string) string {
		text := s.value(name)
		if d, err := time.ParseDuration(text); err == nil {
			return spanInWords(d)
		}
		return text
	}
	return rulesNow{words("half_life"), words("due_half_life"), words("fired_for"), s.value("context")}
}

// sortByDue puts the next first.
func sortByDue(plans []api.Plan) {
	slices.SortStableFunc(plans, func(a, b api.Plan) int { return a.Due.Compare(b.Due.Time) })
}
