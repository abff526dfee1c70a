package gauge

import (
	"math/big"
	"regexp"
	"strings"
)

// Holding is so many of something with a value each.
type Holding struct {
	Count string // as it was written
	Value Figure
}

// Ways to say how many there are of something: "10 AAPL", "10 shares of AAPL", "AAPL x 10",
// "AAPL: 10 shares".
var (
	countFirst = regexp.MustCompile(`(?i)^(\d[\d.,']*)(?:\s*x)?\s+(?:shares?\s+(?:of\s+)?|pieces?\s+of\s+)?(\D.*)$`)
	countLast  = regexp.MustCompile(`(?i)^(\D*?[^\d\s:,])(?:\s*[:,]\s*|\s+x\s*)(\d[\d.,']*)\s*(?:x|shares?|pieces?)?$`)
)

// Counted is the name of something without how many there are of it, and that; "" where it isn't
// said.
func Counted(entry string) (name, count string) {
	entry = strings.TrimSpace(entry)
	if m := countFirst.FindStringSubmatch(entry); m != nil {
		if _, _, ok := decimal(m[1]); ok {
			return strings.TrimSpace(m[2]), m[1]
		}
	}
	if m := countLast.FindStringSubmatch(entry); m != nil {
		if _, _, ok := decimal(m[2]); ok {
			return strings.TrimSpace(m[1]), m[2]
		}
	}
	return entry, ""
}

// Worth is what holdings are worth in all, as text with the unit; false when they are none, one
// isn't counted or their values are in different units.
func Worth(all []Holding) (string, bool) {
	if len(all) == 0 {
		return "", false
	}
	sum, unit := new(big.Rat), all[0].Value.Unit
	for _, h := range all {
		count, _, ok := decimal(h.Count)
		if !ok || h.Value.value == nil || h.Value.Unit != unit {
			return "", false
		}
		sum.Add(sum, count.Mul(count, h.Value.value))
	}
	const cents = 2
	return shownWith(sum.FloatString(cents), unit), true
}
