package tongues

import (
	"slices"
	"strings"
	"testing"
)

// sample is a row with the first of all that its names can be.
func sample(all sayings, row []piece) string {
	var out strings.Builder
	for _, p := range row {
		switch out.WriteString(p.words); p.class {
		case "":
		case "text":
			out.WriteString("x")
		case "quoted":
			out.WriteString(`"x"`)
		case "n":
			out.WriteString("3")
		case "clock":
			out.WriteString("08:00")
		case "place":
			out.WriteString("Vienna")
		default:
			rows := all[p.class]
			out.WriteString(sample(all, rows[len(rows)-1].english)) // the last of a list has no more behind it
		}
	}
	return out.String()
}

// No row is lost behind another: each is told, and read back as it was.
func TestRowsAreToldAndReadBack(t *testing.T) {
	for _, l := range All() {
		all := l.tables().sayings
		first := sample(all, all["start"][0].english)
		for class, front := range map[string]string{"start": "", "after": first + " "} {
			for _, row := range all[class] {
				english := front + sample(all, row.english)
				own := l.Tell(english, Sentence)
				if own == english {
					t.Errorf("%s: %q isn't told", l.Name, english)
				}
				if back := l.Told(own); back != english {
					t.Errorf("%s: %q is told as\n %s, and back as\n %s", l.Name, english, own, back)
				}
			}
		}
	}
}

// Every name of a row is a class that there is.
func TestRowsNameClasses(t *testing.T) {
	for _, l := range All() {
		all := l.tables().sayings
		for class, rows := range all {
			for _, row := range rows {
				for _, p := range row.own {
					if p.class != "" && !slices.Contains([]string{"text", "quoted", "n", "clock", "place"}, p.class) && all[p.class] == nil {
						t.Errorf("%s: %s names %s, which there is not", l.Name, class, p.class)
					}
				}
			}
		}
	}
}
