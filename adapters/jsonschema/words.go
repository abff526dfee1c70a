package jsonschema

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kaptinlin/jsonschema"
)

// finding is one error of an answer, at a place in it.
type finding struct {
	at    string // a JSON pointer; "" is the whole answer
	words string
}

// inWords lists the innermost errors, each with the place in the answer, in an order
// that is the same each time.
func inWords(result *jsonschema.EvaluationResult, answer any) []string {
	found := findings(result, "", answer)
	slices.SortFunc(found, func(a, b finding) int {
		return cmp.Or(strings.Compare(a.at, b.at), strings.Compare(a.words, b.words))
	})
	found = slices.Compact(found)
	var out []string
	for _, f := range found[:min(len(found), maxErrors)] {
		out = append(out, "at /"+strings.TrimPrefix(f.at, "/")+": "+f.words)
	}
	return out
}

// findings are the errors of a value and, where these only say that some part is wrong,
// those of the parts.
func findings(result *jsonschema.EvaluationResult, at string, value any) []finding {
	if result.Valid {
		return nil
	}
	if wrong, ok := result.Errors["type"]; ok { // whatever else is wrong with it is so for that reason
		return []finding{{at, words(wrong, value)}}
	}
	inner := map[string][]finding{} // by keyword
	var additional []string
	for _, part := range result.Details {
		keyword := keywordOf(part, result)
		if part.Valid || result.Errors[keyword] == nil {
			continue
		}
		of := inner[keyword]
		place, v, there := within(value, part.InstanceLocation)
		switch {
		case !there: // a missing property is told once, as missing
		case keyword == "additionalProperties" && part.Errors["schema"] != nil:
			additional = append(additional, quote(place[1:]))
		case keyword == "propertyNames":
			of = append(of, findings(part, at, place[1:])...)
		case keyword == "dependentSchemas": // the place is of the property that it depends on
			of = append(of, findings(part, at, value)...)
		default:
			of = append(of, findings(part, at+place, v)...)
		}
		inner[keyword] = of
	}
	var out []finding
	for keyword, wrong := range result.Errors {
		parts, inParts := inner[keyword]
		switch {
		case strings.HasPrefix(keyword, "content"): // says what a text is, and checks nothing
		case keyword == "additionalProperties" && additional != nil:
			slices.Sort(additional)
			out = append(out, finding{at, "additional properties " + strings.Join(additional, ", ") + " not allowed"})
		case inParts && wrong.Code != "one_of_multiple_matches":
			out = append(out, parts...)
		default:
			out = append(out, finding{at, words(wrong, value)})
		}
	}
	return out
}

// keywordOf is the keyword under which the errors of a whole speak of a part.
func keywordOf(part, whole *jsonschema.EvaluationResult) string {
	switch keyword, _, _ := strings.Cut(strings.TrimPrefix(part.EvaluationPath, "/"), "/"); {
	case keyword == "patternProperties", keyword == "unevaluatedProperties":
		return "properties"
	case keyword != "":
		return keyword
	}
	for _, keyword := range []string{"$ref", "$dynamicRef"} {
		if whole.Errors[keyword] != nil {
			return keyword
		}
	}
	return "else"
}

// within is the part of a value at a place, which is "" or one name or number after a
// slash.
func within(value any, place string) (name string, part any, there bool) {
	if place == "" {
		return "", value, true
	}
	switch v := value.(type) {
	case map[string]any:
		part, there = v[place[1:]]
	case []any:
		if i, err := strconv.Atoi(place[1:]); err == nil && i >= 0 && i < len(v) {
			part, there = v[i], true
		}
	}
	return place, part, there
}

// words are an error's own. They are recorded, and compared when the check is made
// again, so those of the usual errors are said here and not by the library.
func words(e *jsonschema.EvaluationError, value any) string {
	said := func(name string) string { return fmt.Sprint(e.Params[name]) }
	limit := func(want string) string {
		return fmt.Sprintf("%s: got %s, want %s", e.Keyword, size(value), said(want))
	}
	switch e.Code {
	case "type_mismatch":
		return fmt.Sprintf("got %s, want %s", typeOf(value), types(said("expected")))
	case "missing_required_property":
		return "missing property " + said("property")
	case "missing_required_properties":
		return "missing properties " + said("properties")
	case "value_not_in_enum":
		return oneOf(value, said("expected"))
	case "value_below_minimum":
		return limit("minimum")
	case "value_above_maximum":
		return limit("maximum")
	case "exclusive_minimum_mismatch":
		return limit("exclusive_minimum")
	case "exclusive_maximum_mismatch":
		return limit("exclusive_maximum")
	case "not_multiple_of":
		return limit("divisor")
	case "string_too_short":
		return limit("min_length")
	case "string_too_long":
		return limit("max_length")
	case "items_too_short":
		return limit("min_items")
	case "items_too_long":
		return limit("max_items")
	case "too_few_properties":
		return limit("min_properties")
	case "too_many_properties":
		return limit("max_properties")
	case "pattern_mismatch":
		return fmt.Sprintf("%s does not match pattern %s", quote(fmt.Sprint(value)), quote(said("pattern")))
	case "one_of_item_mismatch":
		return "'oneOf' failed, none matched"
	case "one_of_multiple_matches":
		return fmt.Sprintf("'oneOf' failed, subschemas %s matched", strings.Join(strings.Split(said("matches"), ", ")[:2], ", "))
	case "not_schema_mismatch":
		return "'not' failed"
	case "false_schema_mismatch":
		return "false schema"
	case "unique_items_mismatch":
		return fmt.Sprintf("items at %s and %s are equal", said("index1"), said("index2"))
	}
	return e.Error()
}

// size is what of a value is measured: a number itself, or how much is in it.
func size(value any) string {
	switch v := value.(type) {
	case string:
		return strconv.Itoa(len([]rune(v)))
	case []any:
		return strconv.Itoa(len(v))
	case map[string]any:
		return strconv.Itoa(len(v))
	}
	return fmt.Sprint(value)
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
func types(listed string) string {
	order := []string{"null", "boolean", "number", "integer", "string", "array", "object"}
	names := strings.Split(listed, ", ")
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(slices.Index(order, a), slices.Index(order, b)) })
	return strings.Join(names, " or ")
}

// oneOf says which values are allowed: in quotes when the value is a text, too.
func oneOf(value any, listed string) string {
	all := strings.Split(listed, ", ")
	if _, text := value.(string); text {
		for i := range all {
			all[i] = quote(all[i])
		}
	}
	switch {
	case strings.Contains(listed, "["):
		return "'enum' failed"
	case len(all) == 1:
		return "value must be " + all[0]
	}
	return "value must be one of " + strings.Join(all, ", ")
}

func quote(text string) string {
	text = strconv.Quote(text)
	text = strings.NewReplacer(`\"`, `"`, `'`, `\'`).Replace(text[1 : len(text)-1])
	return "'" + text + "'"
}
