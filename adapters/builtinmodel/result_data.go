package builtinmodel

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"chalie/domain"
)

// Bounds of what is shown of an object.
const (
	maxFields    = 40
	maxRows      = 20
	maxColumns   = 6
	maxCellBytes = 1 << 10
)

// nothing stands for what is empty.
const nothing = "nothing"

// bareName is what replaces a field's name before what is no object.
const bareName = "answer"

// dataOf shows an object's fields; nil when there are none. Those that are lists of
// objects are tables behind the others. What is no object is shown as the only field
// of one; nothing, an empty list and an empty text aren't shown.
func dataOf(data json.RawMessage) []domain.Block {
	fields := readParams(data)
	switch text := strings.TrimSpace(string(data)); {
	case text == "", text == "null", text == "[]", text == `""`, text[0] == '{':
	default:
		fields = readParams(json.RawMessage(`{"` + bareName + `":` + text + `}`))
	}
	names := slices.Sorted(maps.Keys(fields))
	if len(names) == 0 {
		return nil
	}
	var pairs []any
	var tables []domain.Block
	for _, name := range names[:min(len(names), maxFields)] {
		if rows, ok := objectsIn(fields[name]); ok {
			tables = append(tables, tableOf(labelOf(name), rows)...)
			continue
		}
		pairs = append(pairs, map[string]any{"key": labelOf(name), "value": cellOf(fields[name])})
	}
	if more := len(names) - maxFields; more > 0 {
		pairs = append(pairs, map[string]any{"key": "…", "value": count(more, "field more", "fields more")})
	}
	if len(pairs) == 0 {
		return tables
	}
	return append([]domain.Block{{"type": "keyvalue", "pairs": pairs}}, tables...)
}

// objectsIn are the elements of a list that has nothing but objects, and at least one.
func objectsIn(value any) ([]map[string]any, bool) {
	list, _ := value.([]any)
	out := make([]map[string]any, 0, len(list))
	for _, element := range list {
		object, ok := element.(map[string]any)
		if !ok {
			return nil, false
		}
		out = append(out, object)
	}
	return out, len(out) > 0
}

// tableOf shows objects as the rows of a table under its name.
func tableOf(name string, objects []map[string]any) []domain.Block {
	has := map[string]bool{}
	for _, object := range objects {
		for column := range object {
			has[column] = true
		}
	}
	columns := slices.Sorted(maps.Keys(has))
	var left []string
	if more := len(columns) - maxColumns; more > 0 {
		columns, left = columns[:maxColumns], append(left, count(more, "column", "columns"))
	}
	if more := len(objects) - maxRows; more > 0 {
		objects, left = objects[:maxRows], append(left, count(more, "row", "rows"))
	}
	headers := make([]string, len(columns))
	for i, column := range columns {
		headers[i] = labelOf(column)
	}
	rows := make([][]string, len(objects))
	for i, object := range objects {
		for _, column := range columns {
			cell := ""
			if value, ok := object[column]; ok {
				cell = cellOf(value)
			}
			rows[i] = append(rows[i], cell)
		}
	}
	out := []domain.Block{domain.HeaderBlock(name, 3), domain.TableBlock(headers, rows)}
	if len(left) > 0 {
		out = append(out, plain(fmt.Sprintf("There is more than is shown: %s.", strings.Join(left, " and "))))
	}
	return out
}

// labelOf is the name of a field for a person.
func labelOf(name string) string {
	return cut(oneLine(strings.ReplaceAll(name, "_", " ")), maxNameBytes)
}

// cellOf is a value in a line.
func cellOf(value any) string {
	switch value := value.(type) {
	case nil:
		return nothing
	case string:
		return cut(oneLine(value), maxCellBytes)
	case bool:
		if value {
			return "yes"
		}
		return "no"
	case []any:
		parts := make([]string, 0, min(len(value), maxRows))
		for _, element := range value[:min(len(value), maxRows)] {
			parts = append(parts, cellOf(element))
		}
		if more := len(value) - maxRows; more > 0 {
			parts = append(parts, fmt.Sprintf("and %d more", more))
		}
		return inOneCell(parts)
	case map[string]any:
		names := slices.Sorted(maps.Keys(value))
		parts := make([]string, 0, min(len(names), maxFields))
		for _, name := range names[:min(len(names), maxFields)] {
			parts = append(parts, labelOf(name)+": "+cellOf(value[name]))
		}
		return inOneCell(parts)
	}
	return cut(oneLine(fmt.Sprint(value)), maxCellBytes)
}

func inOneCell(parts []string) string {
	if len(parts) == 0 {
		return nothing
	}
	return cut(strings.Join(parts, ", "), maxCellBytes)
}
