package interfaces

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"chalie/commands"
	"chalie/domain"
)

// shapeError is JSON that isn't what it should be, at one field.
type shapeError struct {
	field string // like parameters[0].type; "" for the whole
	want  string
	got   string // what is there, with its article; "" for what want says enough about
	of    string // whose field it is, such as a tool's name; "" when field says enough
}

func (e *shapeError) Error() string {
	text := "the answer"
	if e.field != "" {
		text = e.field
	}
	if e.of != "" {
		text += " (of " + e.of + ")"
	}
	text += " must be " + e.want
	if e.got != "" {
		text += ", not " + e.got
	}
	return text
}

// kindOf is what a JSON value is, with its article.
func kindOf(value json.RawMessage) string {
	text := bytes.TrimSpace(value)
	switch {
	case isAbsent(text):
		return "null"
	case text[0] == '{':
		return "an object"
	case text[0] == '[':
		return "an array"
	case text[0] == '"':
		return "a string"
	case text[0] == 't' || text[0] == 'f':
		return "a boolean"
	}
	return "a number"
}

// json checks that an answer is a success that carries JSON, which nests no deeper than
// what Chalie shows.
func (q question) json(a answer) ([]byte, error) {
	text, err := q.text(a)
	if err != nil {
		return nil, err
	}
	text = domain.WithoutMark(text)
	if deep := domain.Nesting(text); deep > domain.MaxNesting {
		return nil, q.badJSON(fmt.Sprintf("JSON that nests %d objects and arrays deep, where %d is the bound", deep, domain.MaxNesting))
	}
	return text, q.valid(text)
}

// valid checks that a text is JSON.
func (q question) valid(text []byte) error {
	var whole json.RawMessage
	if err := json.Unmarshal(text, &whole); err != nil {
		return q.badJSON(fmt.Sprintf("broken JSON (%s), which begins with %.60q", err, text))
	}
	return nil
}

// text checks that an answer is a success that may be JSON. Interfaces written by
// hand often leave the media type out, or as their library guesses it: text/plain
// passes, if it is JSON.
func (q question) text(a answer) ([]byte, error) {
	if !a.ok() {
		return nil, q.refused(a)
	}
	switch {
	case a.media == mediaHTML || a.media == "application/xhtml+xml":
		return nil, q.badJSON("an HTML page instead of JSON: something else than an interface may listen there")
	case a.media != "" && a.media != mediaJSON && a.media != "text/json" && a.media != "text/plain" && !strings.HasSuffix(a.media, "+json"):
		return nil, q.badJSON("the media type " + quoted(a.media) + " instead of " + mediaJSON)
	case len(bytes.TrimSpace(a.body)) == 0:
		return nil, q.badJSON("nothing instead of JSON")
	case !utf8.Valid(a.body):
		return nil, q.badJSON("bytes that are not UTF-8")
	}
	return a.body, nil
}

// decodable bounds JSON that is about to be decoded whole, and makes sure that there is
// room for it.
func (c *Client) decodable(ctx context.Context, q question, text []byte) error {
	in, most := commands.IntakeOf(ctx), c.cfg.MaxAnswerParts
	if in.Parts != 0 {
		most = min(most, in.Parts)
	}
	if parts := domain.Parts(text); parts > most {
		return q.fail(commands.CodePeerTooLarge, fmt.Sprintf("answered %s with %d values and names, where %d are the bound: have it send fewer", q.path, parts, most), nil)
	}
	q.take = in.Take
	return q.reserve(int64(domain.Parts(text)) * heldPerPart)
}

// fields are the members of a JSON object that is at a path.
type fields struct {
	path    string // with a dot at its end; "" for the whole
	members map[string]json.RawMessage
}

// object reads one that must be there.
func object(path string, text json.RawMessage) (fields, error) {
	f := fields{members: map[string]json.RawMessage{}}
	if isAbsent(text) || json.Unmarshal(text, &f.members) != nil {
		return fields{}, &shapeError{field: path, want: "an object", got: kindOf(text)}
	}
	if path != "" {
		f.path = path + "."
	}
	return f, nil
}

func (f fields) has(name string) bool { return !isAbsent(f.members[name]) }

// text reads a string; nil when there is none.
func (f fields) text(name string) (*string, error) {
	if !f.has(name) {
		return nil, nil
	}
	var s string
	if json.Unmarshal(f.members[name], &s) != nil {
		return nil, &shapeError{field: f.path + name, want: "a string", got: kindOf(f.members[name])}
	}
	return &s, nil
}

// texts reads strings into what names them; absent ones leave it as it is.
func (f fields) texts(into map[string]*string) error {
	for name, to := range into {
		s, err := f.text(name)
		if err != nil {
			return err
		}
		if s != nil {
			*to = *s
		}
	}
	return nil
}

// array reads the elements of one; nil when there is none.
func (f fields) array(name string) ([]json.RawMessage, error) {
	if !f.has(name) {
		return nil, nil
	}
	return array(f.path+name, f.members[name])
}

func array(path string, text json.RawMessage) ([]json.RawMessage, error) {
	var out []json.RawMessage
	if isAbsent(text) || json.Unmarshal(text, &out) != nil {
		return nil, &shapeError{field: path, want: "an array", got: kindOf(text)}
	}
	return out, nil
}

// element is the path of one element of an array.
func element(path string, n int) string { return fmt.Sprintf("%s[%d]", path, n) }

func isAbsent(text json.RawMessage) bool {
	text = bytes.TrimSpace(text)
	return len(text) == 0 || string(text) == "null"
}
