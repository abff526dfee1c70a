package term

import "strings"

// maxIndent bounds how far branches are drawn: beyond it a line could not be
// read, and a chain of a hundred thousand would take gigabytes.
const maxIndent = 12

// Branch draws what leads to a record in a replay.Tree.
func Branch(last []bool) string {
	if len(last) == 0 {
		return ""
	}
	if len(last) > maxIndent+1 {
		return strings.Repeat(" ", 3*maxIndent) + "… "
	}
	var b strings.Builder
	for _, ends := range last[:len(last)-1] {
		if ends {
			b.WriteString("   ")
		} else {
			b.WriteString("│  ")
		}
	}
	if last[len(last)-1] {
		b.WriteString("└─ ")
	} else {
		b.WriteString("├─ ")
	}
	return b.String()
}
