package timing

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"chalie/domain"
	"chalie/domain/language/speech"
	"chalie/domain/language/when"
)

// Period is the period that words name, as it is said back. One that can't be read has the words all the same; the
// error is that of [when.During].
func Period(said string, now domain.Millis, zone *time.Location) (speech.Period, error) {
	said = strings.TrimSpace(said)
	p := speech.Period{Said: InPeriod(said), Zone: zone.String()}
	var err error
	if p.Since, p.Before, err = when.During(said, now, zone); err != nil {
		return p, err
	}
	w, _, err := when.Narrow(said, now, zone)
	p.AnyDay = err == nil && !w.HasDay()
	p.ByName = strings.Contains(strings.ToLower(said), strings.ToLower(p.Since.Time().In(zone).Weekday().String()))
	return p, nil
}

// Free is the period in which time is asked for, as [when.Asked] reads it, and as it is said back.
func Free(said string, now domain.Millis, zone *time.Location) (when.Window, speech.Period, error) {
	w, err := when.Asked(strings.TrimSpace(said), now, zone)
	if err != nil {
		return w, speech.Period{}, err
	}
	p, _ := Period(said, now, zone)
	if !p.AnyDay {
		p.Since, p.Before = w.From, w.To
	}
	return w, p, nil
}

var (
	possessive = regexp.MustCompile(`['’]s($|\s)`)                        // tomorrow's
	timeOfDay  = regexp.MustCompile(`^\d{1,2}(?::\d\d|(?::\d\d)?[ap]m)$`) // 15:00, 3pm

	leads = []string{"on", "in", "at", "today", "tomorrow", "tonight", "this", "next", "during", "from", "between", "after", "before", "by",
		"within", "until", "yesterday", "the"}
	months = []string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"}
)

// InPeriod is a period as it was said, to follow "there is none".
func InPeriod(said string) string {
	said = possessive.ReplaceAllString(strings.TrimRight(strings.TrimSpace(said), ".!?"), "$1")
	first, _, more := strings.Cut(strings.ToLower(said), " ")
	switch {
	case first == "":
		return said
	case first == "for":
		return InPeriod(strings.TrimSpace(said[len("for"):]))
	case slices.Contains(leads, first):
		return said
	case slices.Contains(months, first) && !more:
		return "in " + said
	}
	number := strings.ContainsAny(first[:1], "0123456789")
	if number && (!more || strings.HasSuffix(strings.ToLower(said), "m") || timeOfDay.MatchString(first)) {
		return "at " + said
	}
	return "on " + said
}
