package relate

import (
	"regexp"
	"strings"
)

// asks finds the words that a question begins with where it has no question mark.
var asks = regexp.MustCompile(`(?i)^(?:and |so |but |hey |please )?(?:what|when|where|who|whose|which|why|how|is|are|was|were|does|do|did|has|have|had|will|won't|isn't|aren't|any (?:news|word|update)s?)\b`)

// atHand finds questions that news answers nothing of: requests and small talk, those to the
// clock, of sums and measures, of what a name stands for, and of what Chalie itself keeps.
var atHand = regexp.MustCompile(`(?i)^(?:and |so |but |hey |please )?(?:` +
	`(?:can|could|would|will|do|did|are|have|were) (?:you|i|we)\b|how (?:are|do|can|about)\b|who(?:'s|'re| is| are| was)\b|` +
	`what(?:'s|s| is| was)? (?:the |a )?(?:time|date|day|weekday|week|year|month)\b|what day\b|what else\b|what(?:'s| is| was)? (?:next|new|up|that|this|it|wrong|\d)|` +
	`how (?:much|many) (?:is|are|days|hours|minutes|weeks|months)\b|how (?:much|many) \w+ (?:is|are|in)\b|how long until\b|` +
	`what(?:'s| is| are| do i)? .*\b(?:planned|scheduled)\b)` +
	`|\b(?:remind\w*|alarms?|appointments?|tasks?|to-?dos?|lists?|calendar|schedule|agenda|notes?)\b|\d ?[%*/+x×÷-] ?\d|\d ?%`)

// Asks reports whether a text of the person's is a question that news may answer.
func Asks(text string) bool {
	text = strings.TrimSpace(text)
	if !strings.HasSuffix(strings.TrimRight(text, `"'”’) !`), "?") && !asks.MatchString(text) {
		return false
	}
	return !atHand.MatchString(strings.ReplaceAll(text, "’", "'"))
}
