package web

import (
	"chalie/domain"
	"chalie/replay/narrate"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	// Zones are known by name also on machines without a database of them.
	_ "time/tzdata"
)

// spot is a page in the navigation.
type spot struct{ Path, Name string }

// places are the pages, in the order of the navigation; morePlaces are those that a
// narrow screen has behind a button.
func places() []spot {
	return []spot{{"/chat", "Conversation"}, {"/now", "Now"}, {"/interfaces", "Interfaces"}, {"/traces", "Traces"}}
}

func morePlaces() []spot {
	return []spot{{"/what-if", "What if"}, {"/system", "System"}, {"/account", "Account"}}
}

// among reports whether a page is one of some places.
func among(spots []spot, path string) bool {
	return slices.ContainsFunc(spots, func(s spot) bool { return s.Path == path })
}

// words are what templates say of values.
var words = template.FuncMap{
	"places":       places,
	"systemPlaces": systemPlaces,
	"partName":     partName,
	"stages":       stages,
	"size":         sizeOf,
	"grouped":      func(n any) string { return grouped(wholeOf(n)) },
	"counted":      counted,
	"valueOf":      valueOf,
	"ruleWords":    narrate.Rule,
	"trustWords":   narrate.Trust,
	"ceilingWords": narrate.Ceiling,
	"footingWords": func() string { return domain.FootingSentence },
	"channelWords": narrate.Channel,
	"minutes":      minutes,
	"calls":        func(tool string) string { return address("/traces", url.Values{"tool": {tool}}) },
	"texts": func(now, byDefault string) map[string]string {
		return map[string]string{"now": now, "default": byDefault}
	},
	"percent":   func(score float64) string { return fmt.Sprintf("%.0f %%", 100*score) },
	"permitted": narrate.Permitted,
	"moment":    func(at domain.Millis) string { return at.Time().UTC().Format(time.RFC3339) },
	"ago":       ago,
	"gate":      domain.Gate.Brief,
	"duty":      domain.ObligationWords,
	"took":      took,
	"plain":     plainWords,
	"more":      morePlaces,
	"among":     among,
	"brief":     brief,
	"exactly":   func(at domain.Millis) string { return at.Time().UTC().Format("2006-01-02T15:04:05.000Z07:00") },
	"measures":  numbersOf,
	"askPlaces": askPlaces,
	"sentence":  sentence,
	"typed":     typed,
	"record":    func(trace domain.TraceID, at domain.Position) string { return recordPlace(trace.ID, at) },
}

// stages are what the conversation shows while an answer is under way, as JSON.
func stages() (string, error) {
	text, err := json.Marshal(domain.StageWords())
	return string(text), err
}

// typed is a text with what is to be typed, which the API has in backquotes, set apart.
func typed(text string) template.HTML {
	parts := strings.Split(text, "`")
	if len(parts)%2 == 0 {
		return template.HTML(template.HTMLEscapeString(text)) // the last one isn't closed
	}
	var b strings.Builder
	for i, part := range parts {
		if i%2 == 1 {
			part = "<code>" + template.HTMLEscapeString(part) + "</code>"
		} else {
			part = template.HTMLEscapeString(part)
		}
		b.WriteString(part)
	}
	return template.HTML(b.String())
}

// ago is an age in the largest unit that fits.
func ago(seconds int64) string {
	d := time.Duration(seconds) * time.Second
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", d/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h ago", d/time.Hour)
	}
	return fmt.Sprintf("%d days ago", d/(24*time.Hour))
}

// took is a time that something took, in the unit that fits.
func took(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return d.Round(time.Second).String()
}

// brief is as much of a gist as a line of a list can show.
func brief(text string) string {
	const most = 300
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// sortedKeys are those of a map, in the order of the alphabet.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// zoneCookie is where the pages' frame.js leaves the name of the person's zone.
const zoneCookie = "chalie_zone"

// zone is the name of the zone that the browser is in; "" until it said so.
func (v *visit) zone() string {
	cookie, err := v.r.Cookie(zoneCookie)
	if err != nil || len(cookie.Value) > 3*64 {
		return ""
	}
	name, err := url.QueryUnescape(cookie.Value)
	if err != nil || name == "" || name == "Local" {
		return ""
	}
	if _, err := time.LoadLocation(name); err != nil {
		return ""
	}
	return name
}

// zoned is a query that also asks for times of the person's zone. Every page that
// asks the API for sentences uses it. The query given, which may be nil, stays as
// it is.
func (v *visit) zoned(query url.Values) url.Values {
	out := url.Values{}
	maps.Copy(out, query)
	if zone := v.zone(); zone != "" {
		out.Set("zone", zone)
	}
	return out
}
