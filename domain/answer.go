package domain

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of what is shown of JSON that a tool answered.
const (
	maxShownFields  = 40
	maxShownRows    = 20
	maxShownColumns = 6
	maxShownName    = 60      // bytes of a field's name
	maxShownCell    = 1 << 10 // bytes of a value
	maxShownText    = 256 << 10
	maxShownNesting = 6
)

// emptyCell stands for what is empty.
const emptyCell = "nothing"

// bareName is the field's name of what is no object.
const bareName = "answer"

// TextBlocks shows a text that a tool answered: as a table or list if it is JSON with
// something in it, otherwise as it stands. JSON stays text, too, that is deep or large, or
// has a name twice, of which one would be lost.
func TextBlocks(text string) []Block {
	if shown := jsonBlocks(text); shown != nil {
		return shown
	}
	return []Block{TextBlock(text, FormatPlain)}
}

// IsShownAsData reports whether TextBlocks makes a table or list of a text.
func IsShownAsData(text string) bool { return jsonBlocks(text) != nil }

func jsonBlocks(text string) []Block {
	raw := []byte(strings.TrimSpace(text))
	if len(raw) == 0 || raw[0] != '{' && raw[0] != '[' || len(raw) > maxShownText || !utf8.Valid(raw) ||
		!json.Valid(raw) || Nesting(raw) > maxShownNesting || saysTwice(raw) {
		return nil
	}
	return DataBlocks(raw)
}

// saysTwice reports whether an object in a JSON text has a name twice.
func saysTwice(raw []byte) bool {
	d := json.NewDecoder(bytes.NewReader(raw))
	type level struct {
		names map[string]bool // nil in an array
		value bool            // the next text is a value
	}
	var in []level
	for {
		token, err := d.Token()
		if err != nil {
			return false
		}
		at := len(in) - 1
		switch token {
		case json.Delim('{'), json.Delim('['):
			if at >= 0 {
				in[at].value = false
			}
			next := level{}
			if token == json.Delim('{') {
				next.names = map[string]bool{}
			}
			in = append(in, next)
			continue
		case json.Delim('}'), json.Delim(']'):
			in = in[:at]
			continue
		}
		if in[at].names == nil || in[at].value {
			in[at].value = false
			continue
		}
		name, _ := token.(string)
		if in[at].names[name] {
			return true
		}
		in[at].names[name], in[at].value = true, true
	}
}

// DataBlocks shows an object's fields; nil when there are none. Those that are lists of
// objects are tables behind the others. A list stands for itself, and anything else is
// shown as the only field of an object; nothing, an empty list and an empty text aren't
// shown.
func DataBlocks(data json.RawMessage) []Block {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	value, err := readInOrder(d)
	if err != nil {
		return nil
	}
	switch v := value.(type) {
	case nil:
		return nil
	case fieldsInOrder:
		return fieldBlocks(v)
	case []any:
		if rows, ok := objectsIn(v); ok {
			return tableBlocks("", rows)
		}
		return listBlocks(v)
	case string:
		if v == "" {
			return nil
		}
	}
	return fieldBlocks(fieldsInOrder{[]string{bareName}, map[string]any{bareName: value}})
}

// SaysAll reports whether a text says what is in the data beside it, so that it needs not be shown twice: it
// is the same JSON, or the text that the data is. Some servers put a value that is no object into one, as
// its result.
func SaysAll(text string, data json.RawMessage) bool {
	value, ok := readShown(data)
	if !ok {
		return false
	}
	text = strings.TrimSpace(text)
	said, isJSON := readShown(json.RawMessage(text))
	isJSON = isJSON && json.Valid([]byte(text))
	same := func(v any) bool { return v == text || isJSON && reflect.DeepEqual(v, said) }
	if object, ok := value.(map[string]any); ok && len(object) == 1 {
		if result, there := object["result"]; there && same(result) {
			return true
		}
	}
	return same(value)
}

// SaidOnce is why something failed and what is said beside it, of an answer's text and error: some tools say
// in their text what is in the error, too. beside is "" when why has all of it.
func SaidOnce(text, wrong string) (why, beside string) {
	one, other := strings.Join(strings.Fields(text), " "), strings.Join(strings.Fields(wrong), " ")
	switch {
	case strings.Contains(other, one):
		return wrong, ""
	case other == "":
		return wrong, text
	case strings.Contains(one, other):
		return text, ""
	}
	return wrong, text
}

// readShown reads JSON with its numbers as they were written.
func readShown(data json.RawMessage) (value any, ok bool) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return value, d.Decode(&value) == nil
}

// fieldsInOrder is an object with its fields as their author ordered them: what matters
// comes first, and what is cut off is the end.
type fieldsInOrder struct {
	names []string
	of    map[string]any
}

// readInOrder reads JSON with its numbers as they were written and its fields in order.
func readInOrder(d *json.Decoder) (any, error) {
	token, err := d.Token()
	switch {
	case err != nil:
		return nil, err
	case token == json.Delim('['):
		out := []any{}
		for d.More() {
			element, err := readInOrder(d)
			if err != nil {
				return nil, err
			}
			out = append(out, element)
		}
		_, err = d.Token()
		return out, err
	case token != json.Delim('{'):
		return token, nil
	}
	out := fieldsInOrder{of: map[string]any{}}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, err
		}
		name, _ := token.(string)
		value, err := readInOrder(d)
		if err != nil {
			return nil, err
		}
		if _, again := out.of[name]; !again {
			out.names = append(out.names, name)
		}
		out.of[name] = value
	}
	_, err = d.Token()
	return out, err
}

func fieldBlocks(fields fieldsInOrder) []Block {
	names := fields.names
	if len(names) == 0 {
		return nil
	}
	var pairs []any
	var tables []Block
	for _, name := range names[:min(len(names), maxShownFields)] {
		if rows, ok := objectsIn(fields.of[name]); ok {
			tables = append(tables, tableBlocks(labelOf(name), rows)...)
			continue
		}
		pairs = append(pairs, map[string]any{"key": labelOf(name), "value": cellOf(fields.of[name])})
	}
	if more := len(names) - maxShownFields; more > 0 {
		pairs = append(pairs, map[string]any{"key": "…", "value": several(more, "field more", "fields more")})
	}
	if len(pairs) == 0 {
		return tables
	}
	return append([]Block{{"type": "keyvalue", "pairs": pairs}}, tables...)
}

// listBlocks is a list of what aren't objects alone; nil of an empty one.
func listBlocks(values []any) []Block {
	if len(values) == 0 {
		return nil
	}
	var items []string
	for _, v := range values[:min(len(values), maxShownRows)] {
		items = append(items, cellOf(v))
	}
	if more := len(values) - maxShownRows; more > 0 {
		items = append(items, fmt.Sprintf("and %d more", more))
	}
	return []Block{ListBlock(items...)}
}

// objectsIn are the elements of a list that has nothing but objects, and at least one.
func objectsIn(value any) ([]fieldsInOrder, bool) {
	list, _ := value.([]any)
	out := make([]fieldsInOrder, 0, len(list))
	for _, element := range list {
		object, ok := element.(fieldsInOrder)
		if !ok {
			return nil, false
		}
		out = append(out, object)
	}
	return out, len(out) > 0
}

// tableBlocks shows objects as the rows of a table, under its name if it has one.
func tableBlocks(name string, objects []fieldsInOrder) []Block {
	has := map[string]bool{}
	var columns []string
	for _, object := range objects {
		for _, column := range object.names {
			if !has[column] {
				has[column], columns = true, append(columns, column)
			}
		}
	}
	var left []string
	if more := len(columns) - maxShownColumns; more > 0 {
		columns, left = columns[:maxShownColumns], append(left, several(more, "column", "columns"))
	}
	if more := len(objects) - maxShownRows; more > 0 {
		objects, left = objects[:maxShownRows], append(left, several(more, "row", "rows"))
	}
	headers := make([]string, len(columns))
	for i, column := range columns {
		headers[i] = labelOf(column)
	}
	rows := make([][]string, len(objects))
	for i, object := range objects {
		for _, column := range columns {
			cell := ""
			if value, ok := object.of[column]; ok {
				cell = cellOf(value)
			}
			rows[i] = append(rows[i], cell)
		}
	}
	var out []Block
	if name != "" {
		out = append(out, HeaderBlock(name, 3))
	}
	out = append(out, TableBlock(headers, rows))
	if len(left) > 0 {
		out = append(out, TextBlock(fmt.Sprintf("There is more than is shown: %s.", strings.Join(left, " and ")), FormatPlain))
	}
	return out
}

// labelOf is the name of a field for a person.
func labelOf(name string) string {
	return shownLine(strings.ReplaceAll(name, "_", " "), maxShownName)
}

// cellOf is a value in a line.
func cellOf(value any) string {
	switch value := value.(type) {
	case nil:
		return emptyCell
	case string:
		return shownLine(value, maxShownCell)
	case bool:
		if value {
			return "yes"
		}
		return "no"
	case []any:
		parts := make([]string, 0, min(len(value), maxShownRows))
		for _, element := range value[:min(len(value), maxShownRows)] {
			parts = append(parts, cellOf(element))
		}
		if more := len(value) - maxShownRows; more > 0 {
			parts = append(parts, fmt.Sprintf("and %d more", more))
		}
		return inOneCell(parts)
	case fieldsInOrder:
		names := value.names
		parts := make([]string, 0, min(len(names), maxShownFields))
		for _, name := range names[:min(len(names), maxShownFields)] {
			parts = append(parts, labelOf(name)+": "+cellOf(value.of[name]))
		}
		return inOneCell(parts)
	}
	return shownLine(fmt.Sprint(value), maxShownCell)
}

func inOneCell(parts []string) string {
	if len(parts) == 0 {
		return emptyCell
	}
	return shownLine(strings.Join(parts, ", "), maxShownCell)
}

// shownLine is a text from outside in one line of so many bytes, without characters that
// show nothing or turn the direction of writing.
func shownLine(text string, bound int) string {
	text = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Bidi_Control, r) || unicode.IsControl(r) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	text = strings.Join(strings.Fields(text), " ")
	if len(text) <= bound {
		return text
	}
	const mark = "…"
	return strings.TrimRight(clip(text, bound-len(mark)), " ") + mark
}

func several(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// AnswerBlocks is what a tool answered, as itself: why it failed, if it says so, and its
// blocks, or else its text, or else its data; nil of one that said nothing.
func AnswerBlocks(done ToolCompleted) []Block {
	var out []Block
	switch {
	case len(done.Blocks) > 0:
		out = done.Blocks
	case done.Text != nil && strings.TrimSpace(*done.Text) != "":
		out = TextBlocks(*done.Text)
	default:
		out = DataBlocks(done.Data)
	}
	if done.Error == nil || strings.Contains(PlainText(out), *done.Error) {
		return out
	}
	return append([]Block{AlertBlock(*done.Error, VariantError)}, out...)
}
