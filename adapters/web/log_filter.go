package web

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"chalie/domain"
)

// logFilter is what of the log is shown, as the form has it: times are in the
// person's zone.
type logFilter struct {
	Topic, Type, Source, Trace, Since, Until string
}

func filterOf(query url.Values) logFilter {
	said := func(name string) string { return strings.TrimSpace(query.Get(name)) }
	return logFilter{said("topic"), said("type"), said("source"), said("trace"), said("since"), said("until")}
}

// query is the filter as the page's own links have it.
func (f logFilter) query() url.Values {
	out := url.Values{}
	for name, text := range f.fields() {
		if text != "" {
			out.Set(name, text)
		}
	}
	return out
}

func (f logFilter) fields() map[string]string {
	return map[string]string{"topic": f.Topic, "type": f.Type, "source": f.Source, "trace": f.Trace, "since": f.Since, "until": f.Until}
}

// Any reports whether anything is left out.
func (f logFilter) Any() bool { return f != logFilter{} }

// More reports whether a filter is set that the form keeps behind a fold.
func (f logFilter) More() bool { return f.Trace != "" || f.Since != "" || f.Until != "" }

// asked is the filter as the API takes it.
func (f logFilter) asked(zone *time.Location) url.Values {
	out := f.query()
	for _, name := range []string{"since", "until"} {
		if at, ok := momentIn(out.Get(name), zone); ok {
			out.Set(name, at.Format(time.RFC3339))
		}
	}
	return out
}

// momentIn reads a time as forms and people write it, in their zone.
func momentIn(text string, zone *time.Location) (time.Time, bool) {
	for _, layout := range []string{"2006-01-02T15:04", "2006-01-02T15:04:05", "2006-01-02T15:04:05.000", "2006-01-02 15:04", time.DateTime, time.DateOnly, time.RFC3339} {
		if at, err := time.ParseInLocation(layout, text, zone); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}

// location is the person's zone; UTC until the browser said which.
func (v *visit) location() *time.Location {
	if name := v.zone(); name != "" {
		if zone, err := time.LoadLocation(name); err == nil {
			return zone
		}
	}
	return time.UTC
}

// exported is the file of what is shown, where an export can be narrowed so: to a
// trace, or to a period.
func (f logFilter) exported(zone *time.Location) string {
	bare := logFilter{Trace: f.Trace, Since: f.Since, Until: f.Until}
	if f != bare || f.Trace != "" && (f.Since != "" || f.Until != "") {
		return ""
	}
	return "/api/export?" + f.asked(zone).Encode()
}

// topicTypes are the types of a topic.
type topicTypes struct {
	Topic domain.Topic
	Types []domain.EventType
}

// catalogued are the types there are, by topic.
func catalogued() []topicTypes {
	byTopic := map[string][]domain.EventType{}
	for _, d := range domain.Events().Definitions() {
		byTopic[string(d.Topic)] = append(byTopic[string(d.Topic)], d.Type)
	}
	var out []topicTypes
	for _, topic := range sortedKeys(byTopic) {
		slices.Sort(byTopic[topic])
		out = append(out, topicTypes{domain.Topic(topic), byTopic[topic]})
	}
	return out
}
