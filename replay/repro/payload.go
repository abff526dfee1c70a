package repro

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/tidwall/gjson"
)

// named are the fields whose values are names that programs use among each other:
// they are sorted by, compared with what the code says, and name nobody.
var named = []string{"tool", "capability", "capability_id", "signal_type", "signals", "model", "models", "scope", "scopes", "kind", "type", "source_type", "unit"}

// offers are the fields under which a "name" is that of a tool or of a field.
var offers = []string{"capabilities", "parameters", "tools", "params"}

// told are the fields that hold whatever somebody sent: what is called a type or a
// tool there may be anybody's name.
var told = []string{"data", "state", "params"}

// metadata is the field whose content has names of fields that nobody declared. They
// are replaced as well.
const metadata = "metadata"

// learn keeps the names of fields and tools, wherever they stand: a result names
// the fields that a manifest declares.
func (p *Pseudonyms) learn(text []byte) {
	var value any
	if json.Unmarshal(text, &value) == nil {
		p.learnFrom(value, "", false)
	}
}

func (p *Pseudonyms) learnFrom(value any, field string, offered bool) {
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			if name == metadata {
				continue
			}
			p.keep(name)
			if _, declared := inner.([]any); slices.Contains(told, name) && !(declared && name == "params") {
				p.learnFields(inner)
				continue
			}
			p.learnFrom(inner, name, offered || slices.Contains(offers, field))
		}
	case []any:
		for _, inner := range v {
			p.learnFrom(inner, field, offered)
		}
	case string:
		if slices.Contains(named, field) || field == "name" && offered {
			p.keep(v)
		}
	}
}

// learnFields keeps the names of fields alone: what a tool answers is shown by them.
func (p *Pseudonyms) learnFields(value any) {
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			p.keep(name)
			p.learnFields(inner)
		}
	case []any:
		for _, inner := range v {
			p.learnFields(inner)
		}
	}
}

// payload puts pseudonyms into the texts of JSON. Names of fields stay but in metadata,
// and so does everything that is no text.
func (p *Pseudonyms) payload(text []byte) []byte { return eachText(text, p.text) }

// eachText changes the texts of JSON that are no names of fields, and in its metadata
// those, too. What isn't JSON comes back as it was.
func eachText(text []byte, change func(string) string) []byte {
	var out bytes.Buffer
	from, to := metadataIn(text)
	for at := 0; at < len(text); {
		if text[at] != '"' {
			out.WriteByte(text[at])
			at++
			continue
		}
		end := stringEnd(text, at)
		raw, among := text[at:end], from <= at && at < to
		at = end
		var value string
		if isField(text[end:]) && !among || json.Unmarshal(raw, &value) != nil {
			out.Write(raw)
			continue
		}
		out.Write(quoted(change(value)))
	}
	return out.Bytes()
}

// metadataIn is where the metadata of an object begins and ends; nowhere when it has
// none.
func metadataIn(text []byte) (from, to int) {
	found := gjson.GetBytes(text, metadata)
	if !found.IsObject() || found.Index == 0 {
		return 0, 0
	}
	return found.Index, found.Index + len(found.Raw)
}

// stringEnd is behind the quotation mark that ends the string at from.
func stringEnd(text []byte, from int) int {
	for at := from + 1; at < len(text); at++ {
		switch text[at] {
		case '\\':
			at++
		case '"':
			return at + 1
		}
	}
	return len(text)
}

// isField reports whether a string is the name of a field: a colon follows.
func isField(behind []byte) bool {
	behind = bytes.TrimLeft(behind, " \t\r\n")
	return len(behind) > 0 && behind[0] == ':'
}

func quoted(text string) []byte {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	// A buffer takes every write, and every string is JSON.
	_ = enc.Encode(text)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}
