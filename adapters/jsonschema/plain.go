package jsonschema

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"chalie/domain"
)

// says is a finding in plain words, about the value that goes by the subject.
type says func(subject string) string

// Bounds of one finding in plain words.
const (
	maxPlainBytes = 600
	maxSaidBytes  = 80 // of a name or value in it
	maxSaid       = 8  // of several
	maxWays       = 4  // of which one would do
	maxWithin     = 2  // places, and choices, within each other
)

// plainly is a finding in words for people, without a full stop.
func (f finding) plainly() string {
	return domain.Cut(f.inWays(0), maxPlainBytes)
}

// choice is what is wrong in each of the ways of which one would do.
type choice struct{ ways [][]finding }

// either are the findings of all ways, of which putting one right would do.
func either(ways [][]finding) []finding {
	of := &choice{ways}
	var all []finding
	for _, way := range ways {
		for _, f := range way {
			f.choice = of
			all = append(all, f)
		}
	}
	return all
}

func (f finding) inWays(deep int) string {
	if f.choice == nil || deep == maxWithin {
		return f.plain(f.place.subject())
	}
	var ways []string
	for _, way := range f.choice.ways {
		way = slices.Clone(way[:min(len(way), maxSaid)])
		slices.SortStableFunc(way, finding.compare)
		var parts []string
		for _, part := range way {
			if part.choice == f.choice {
				part.choice = nil
			}
			if said := part.inWays(deep + 1); !slices.Contains(parts, said) {
				parts = append(parts, said)
			}
		}
		if said := domain.Listed(parts); said != "" && !slices.Contains(ways, said) {
			ways = append(ways, said)
		}
		if len(ways) == maxWays {
			break
		}
	}
	if len(ways) == 1 {
		return ways[0]
	}
	return "either " + strings.Join(ways, ", or ")
}

// subject names what stands at a place.
func (p *place) subject() string {
	if p.within == nil {
		return "the whole"
	}
	var said []string
	for ; p.within != nil && len(said) <= maxWithin; p = p.within {
		switch p.is {
		case anItem:
			n, _ := strconv.Atoi(p.name) // it was written from a number
			said = append(said, "item "+strconv.Itoa(n+1))
		case aName:
			said = append(said, "the name "+marked(p.name))
		default:
			said = append(said, marked(p.name))
		}
	}
	return strings.Join(said, " of ")
}

// marked is a name or a text between quotation marks, in one line.
func marked(text string) string {
	text = strings.NewReplacer("“", `"`, "”", `"`).Replace(strings.Join(strings.Fields(text), " "))
	return "“" + domain.Cut(text, maxSaidBytes) + "”"
}

func ruledOut(subject string) string { return subject + " is something that the tool rules out" }

func inSeveralWays(subject string) string {
	return subject + " can be read in more ways than one, and the tool wants it to fit only one"
}

// kinds are the types in words for people.
var kinds = map[string]string{
	"null": "nothing (null)", "boolean": "yes or no (true or false)", "number": "a number", "integer": "a whole number",
	"string": "a text", "array": "a list", "object": "a group of named values",
}

func ofTypes(want []string, value any) says {
	return func(subject string) string {
		var said []string
		for t := range strings.SplitSeq(types(want), " or ") {
			said = append(said, kinds[t])
		}
		given := kinds[typeOf(value)] + " was given"
		if _, number := value.(json.Number); number && slices.Contains(want, "integer") {
			given = "one with a fraction was given"
		}
		return subject + " has to be " + anyOf(said) + ", and " + given
	}
}

// among says which values there are. A list or an object is not written out.
func among(values []any) says {
	return func(subject string) string {
		var said []string
		for _, v := range values {
			switch v := v.(type) {
			case string:
				said = append(said, marked(v))
			case []any, map[string]any:
				return subject + " isn't one of the values that the tool takes"
			case nil:
				said = append(said, kinds["null"])
			default:
				said = append(said, domain.Cut(fmt.Sprint(v), maxSaidBytes))
			}
			if more := len(values) - maxSaid; len(said) == maxSaid && more > 0 {
				said = append(said, fmt.Sprintf("one of %d others", more))
				break
			}
		}
		if len(said) == 1 {
			return subject + " has to be " + said[0]
		}
		return subject + " has to be one of these: " + anyOf(said)
	}
}

// anyOf are words with an "or" before the last.
func anyOf(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}

// howMany says how much of something there may be.
func howMany(of string, has, bound int, least bool) says {
	return func(subject string) string {
		side := "at most"
		if least {
			side = "at least"
		}
		given := fmt.Sprintf("%d were given", has)
		switch has {
		case 0:
			given = "none was given"
		case 1:
			given = "1 was given"
		}
		many := map[string]string{"item": "items", "entry": "entries", "character": "characters"}[of]
		if bound == 1 {
			many = of
		}
		return fmt.Sprintf("%s has %s %d %s, and %s", subject, side, bound, many, given)
	}
}

func tooManyItems(at []string) says {
	return func(subject string) string {
		if len(at) == 1 {
			return (&place{name: at[0], is: anItem, within: &place{}}).subject() + " of " + subject + " is more than the tool takes"
		}
		return fmt.Sprintf("%d items of %s are more than the tool takes", len(at), subject)
	}
}

func holding(side string, n int) says {
	return func(subject string) string {
		of := "items"
		if n == 1 {
			of = "item"
		}
		return fmt.Sprintf("%s has %s %d %s of the kind that the tool asks for, and that isn't so", subject, side, n, of)
	}
}

func theSame(i, j int) says {
	return func(subject string) string {
		return fmt.Sprintf("items %d and %d of %s are the same, and each may be there once", i+1, j+1, subject)
	}
}

// names are a few of them between quotation marks.
func names(all []string) []string {
	var said []string
	for _, name := range all[:min(len(all), maxSaid)] {
		said = append(said, marked(name))
	}
	if more := len(all) - maxSaid; more > 0 {
		said = append(said, fmt.Sprintf("%d more", more))
	}
	return said
}

// ofThe is " of SUBJECT", and nothing of the whole.
func ofThe(subject string) string {
	if subject == (&place{}).subject() {
		return ""
	}
	return " of " + subject
}

func be(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

func unknownNames(none []string, known []named) says {
	return func(subject string) string {
		said := domain.Listed(names(none)) + ofThe(subject) + " " + be(len(none)) + "n't known to the tool"
		if len(known) == 0 || len(known) > maxSaid {
			return said
		}
		var there []string
		for _, k := range known {
			there = append(there, k.name)
		}
		return said + ", which takes " + domain.Listed(names(there))
	}
}

func lacks(missing []string) says {
	return func(subject string) string {
		return domain.Listed(names(missing)) + ofThe(subject) + " " + be(len(missing)) + " missing"
	}
}

func lacksBeside(unmet map[string][]string) says {
	return func(subject string) string {
		var said []string
		for _, name := range slices.Sorted(maps.Keys(unmet))[:min(len(unmet), maxWays)] {
			said = append(said, fmt.Sprintf("with %s%s there has to be %s", marked(name), ofThe(subject), domain.Listed(names(unmet[name]))))
		}
		return strings.Join(said, ", and ")
	}
}

func isTo(side string, want *decimal, got json.Number) says {
	return func(subject string) string {
		return fmt.Sprintf("%s is %s %s, and %s was given", subject, side, domain.Cut(want.String(), maxSaidBytes), domain.Cut(got.String(), maxSaidBytes))
	}
}

// form is what a schema says, in words, of the texts that it takes.
type form struct {
	description, example, format string
}

// formats are texts of the formats that there are names for.
var formats = map[string]string{
	"date-time": "a date and a time, such as 2026-03-01T08:30:00Z", "date": "a date, such as 2026-03-01", "time": "a time, such as 08:30:00Z",
	"duration": "a length of time, such as PT30M", "email": "an e-mail address", "hostname": "the name of a machine", "ipv4": "an address such as 192.0.2.1",
	"ipv6": "an address such as 2001:db8::1", "uri": "an address such as https://example.org/page", "uuid": "an id such as 123e4567-e89b-42d3-a456-426614174000",
}

// ofForm says what a text is to be like. The pattern itself is nothing to read.
func ofForm(f form) says {
	return func(subject string) string {
		said := subject + " isn't of the form that the tool asks for"
		if f.description != "" {
			said += ", which it describes as " + marked(f.description)
		}
		switch {
		case f.example != "":
			said += ", such as " + marked(f.example)
		case formats[f.format] != "":
			said += ": " + formats[f.format]
		}
		return said
	}
}

// form reads what goes with a pattern.
func (k *keywords) form() form {
	f := form{format: k.plainText("format")}
	f.description = cmp.Or(k.plainText("description"), k.plainText("title"))
	examples, _ := k.members["examples"].([]any)
	for _, one := range append(slices.Clip(examples), k.members["example"]) {
		if text, ok := one.(string); ok && text != "" {
			f.example = text
			break
		}
	}
	return f
}

// plainText is a member that is a text; "" for any other. Nothing is refused for it.
func (k *keywords) plainText(name string) string {
	text, _ := k.members[name].(string)
	return text
}
