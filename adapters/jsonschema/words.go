package jsonschema

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"chalie/commands/tool"
	"chalie/domain"
)

// finding is one error of an answer, at a place in it. Its words are recorded, and compared
// when the check is made again, so they never change. What people read is said plainly.
type finding struct {
	at     string // names and numbers with slashes between; "" is the whole answer
	words  string
	plain  says
	place  *place
	choice *choice // the ways of which one would do, when it is of one of them
}

func (f finding) compare(with finding) int {
	return cmp.Or(strings.Compare(f.at, with.at), strings.Compare(f.words, with.words))
}

// maxErrorBytes bounds one error: it may quote the value.
const maxErrorBytes = 4 << 10

// inWords lists errors, each with the place in the answer, in an order that is the same each
// time.
func inWords(found []finding) []tool.Misfit {
	slices.SortStableFunc(found, finding.compare)
	found = slices.CompactFunc(found, func(a, b finding) bool { return a.compare(b) == 0 })
	var out []tool.Misfit
	for _, f := range found[:min(len(found), maxErrors)] {
		out = append(out, tool.Misfit{Words: domain.Cut("at /"+f.at+": "+f.words, maxErrorBytes), Plain: f.plainly()})
	}
	return out
}

func typeOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case json.Number:
		return "number"
	case string:
		return "string"
	case []any:
		return "array"
	}
	return "object"
}

// types are the names of several, the simplest first.
func types(names []string) string {
	order := []string{"null", "boolean", "number", "integer", "string", "array", "object"}
	names = slices.Clone(names)
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(slices.Index(order, a), slices.Index(order, b)) })
	return strings.Join(names, " or ")
}

// oneOf says which values are allowed: in quotes when the value is a text, too.
func oneOf(value any, allowed []any) string {
	var said []string
	for _, one := range allowed {
		said = append(said, fmt.Sprint(one))
	}
	listed := strings.Join(said, ", ")
	if strings.Contains(listed, "[") { // a list or an object
		return "'enum' failed"
	}
	all := strings.Split(listed, ", ") // so a text with a comma is two, as it always was
	if _, text := value.(string); text {
		for i := range all {
			all[i] = quote(all[i])
		}
	}
	if len(all) == 1 {
		return "value must be " + all[0]
	}
	return "value must be one of " + strings.Join(all, ", ")
}

func quote(text string) string {
	text = strconv.Quote(text)
	text = strings.NewReplacer(`\"`, `"`, `'`, `\'`).Replace(text[1 : len(text)-1])
	return "'" + text + "'"
}

func quoted(names []string) string {
	var out []string
	for _, name := range names {
		out = append(out, quote(name))
	}
	return strings.Join(out, ", ")
}
