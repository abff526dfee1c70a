package web

import (
	"fmt"
	"strconv"
	"strings"
)

// What is folded until somebody wants to read it: a longer text, and a list of more
// things than these.
const (
	shownRunes = 240
	shownParts = 3
)

// Start is what is shown of a text that is folded; "" for one that is shown whole.
func (f fact) Start() string {
	if len(f.Text) <= shownRunes {
		return ""
	}
	runes := []rune(f.Text)
	if len(runes) <= shownRunes {
		return ""
	}
	return string(runes[:shownRunes]) + "…"
}

// Many reports whether a list is folded.
func (f fact) Many() bool { return len(f.Parts) > shownParts && f.Parts[0].Parts != nil }

// Count is how many things a list has.
func (f fact) Count() string { return fmt.Sprintf("%d entries", len(f.Parts)+f.Left) }

// join makes one text of a list of short ones.
func (f *fact) join() {
	const short = 40
	texts := make([]string, len(f.Parts))
	for i, part := range f.Parts {
		if part.Parts != nil || part.At != 0 || part.Code || len(part.Text) > short {
			return
		}
		texts[i] = part.Text
	}
	if f.Left == 0 {
		f.Text, f.Parts = strings.Join(texts, ", "), nil
	}
}

// scored writes what Chalie reckoned, which is stored in parts per million, as
// percentages. Only its own reasoning's numbers are these: a weight that an interface
// tells may be one in kilogrammes.
func scored(facts []fact) {
	for i := range facts {
		f := &facts[i]
		scored(f.Parts)
		switch f.Label {
		case "Salience", "Bonus", "Weight", "Score", "Relation", "Confidence":
			if n, err := strconv.ParseInt(f.Text, 10, 64); err == nil {
				f.Text = fmt.Sprintf("%.1f %%", float64(n)/10_000)
			}
		}
	}
}
