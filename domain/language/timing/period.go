package timing

import (
	"regexp"
	"slices"
	"strings"
)

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
