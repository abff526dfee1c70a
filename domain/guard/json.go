package guard

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/tidwall/gjson"
)

// RedactJSON is Redact for every string of a JSON text, names of members
// included. A member whose name announces a secret is one, whatever its shape:
// also in {"key": "password", "value": "…"}. Everything else comes out as it came
// in: order, spaces, numbers. Where is in bytes of raw. What is no JSON is
// redacted as the text it is.
func RedactJSON(raw []byte) (clean []byte, found []Secret) {
	if !gjson.ValidBytes(raw) {
		text, found := Redact(string(raw))
		if len(found) == 0 {
			return raw, nil
		}
		return []byte(text), found
	}
	w := walk{raw: string(raw)}
	from := 0
	for w.next() {
		text, secrets := w.redacted()
		if len(secrets) == 0 {
			continue
		}
		clean = append(clean, raw[from:w.start]...)
		clean = append(clean, quote(text)...)
		from = w.end
		for _, s := range secrets {
			found = append(found, Secret{s.Kind, w.start, w.end})
		}
	}
	if len(found) == 0 {
		return raw, nil
	}
	return append(clean, raw[from:]...), found
}

// ThreatsJSON is Threats for every string of a JSON text, names of members
// included; where is in bytes of raw, of the whole string.
func ThreatsJSON(raw []byte) []Threat {
	if !gjson.ValidBytes(raw) {
		return Threats(string(raw))
	}
	var out []Threat
	w := walk{raw: string(raw)}
	for w.next() && len(out) < maxThreats {
		if !w.isString() {
			continue
		}
		for _, t := range Threats(w.text()) {
			t.Start, t.End = w.start, w.end
			out = append(out, t)
		}
	}
	return out
}

// HoldsMark reports whether a string of a JSON text is nothing but the mark of a
// secret: the secret itself was taken out on its way.
func HoldsMark(raw []byte) bool {
	if !gjson.ValidBytes(raw) {
		return false
	}
	w := walk{raw: string(raw)}
	for w.next() {
		if w.isString() && !w.isName && isMark(strings.TrimSpace(w.text())) {
			return true
		}
	}
	return false
}

// walk goes over the strings and numbers of a JSON text that is valid.
type walk struct {
	raw        string
	start, end int // the string, with its quotation marks, or the number
	at         int

	objects []bool // the containers around at: whether each is an object
	isName  bool   // this is a member's name
	expects bool   // what comes is a member's name
	member  string // the name that the value belongs to
	label   string // of {"key": …, "value": …}: what "key" said
}

// maxLabel bounds the kept part of a name.
const maxLabel = maxName

// next goes to the next string or number; false at the end.
func (w *walk) next() bool {
	for w.at < len(w.raw) {
		switch c := w.raw[w.at]; {
		case c == '{' || c == '[':
			w.objects = append(w.objects, c == '{')
			w.expects, w.member, w.label = c == '{', w.inherited(c), ""
		case c == '}' || c == ']':
			w.objects = w.objects[:len(w.objects)-1]
			w.member, w.label = "", ""
		case c == ',':
			if w.expects = len(w.objects) > 0 && w.objects[len(w.objects)-1]; w.expects {
				w.member = ""
			}
		case c == '"':
			w.start, w.end = w.at, w.at+stringLen(w.raw[w.at:])
			w.at = w.end
			w.isName, w.expects = w.expects, false
			w.note()
			return true
		case c == '-' || '0' <= c && c <= '9':
			w.start = w.at
			for w.at < len(w.raw) && strings.IndexByte("+-.eE0123456789", w.raw[w.at]) >= 0 {
				w.at++
			}
			w.end, w.isName = w.at, false
			return true
		}
		w.at++
	}
	return false
}

// inherited is the name that the elements of an array belong to: a list of
// passwords is one.
func (w *walk) inherited(opened byte) string {
	if opened == '[' {
		return w.member
	}
	return ""
}

// note remembers a name, or what a member says that the next value is.
func (w *walk) note() {
	if w.isName {
		w.member = clip(w.text(), maxLabel)
		return
	}
	switch w.member {
	case "key", "name", "label", "header":
		w.label = clip(w.text(), maxLabel)
	}
}

func (w *walk) isString() bool { return w.raw[w.start] == '"' }

// text is the string without its quotation marks and escapes.
func (w *walk) text() string {
	inner := w.raw[w.start+1 : w.end-1]
	if strings.IndexByte(inner, '\\') >= 0 {
		var s string
		if json.Unmarshal([]byte(w.raw[w.start:w.end]), &s) == nil {
			return s
		}
	}
	return inner
}

// named is the kind of secret that the name of a value announces.
func (w *walk) named() (Kind, bool) {
	if w.isName {
		return "", false
	}
	if (w.member == "value" || w.member == "content") && w.label != "" {
		return nameOf(flatten(w.label).text)
	}
	return nameOf(flatten(w.member).text)
}

// redacted is what replaces the string or number, and the secrets that were in it;
// nothing when it stays.
func (w *walk) redacted() (string, []Secret) {
	kind, announced := w.named()
	if !w.isString() {
		value := w.raw[w.start:w.end]
		if announced && (kind == Password || kind == CardNumber || kind == CardCode) && isSecret(kind, value) {
			return kind.Mark(), []Secret{{Kind: kind}}
		}
		return "", nil
	}
	text := w.text()
	if announced && isSecret(kind, text) {
		return kind.Mark(), []Secret{{Kind: kind}}
	}
	if scheme, rest, ok := strings.Cut(text, " "); announced && ok && isScheme(scheme) && isSecret(kind, rest) {
		return scheme + " " + kind.Mark(), []Secret{{Kind: kind}}
	}
	return Redact(text)
}

// quote writes a JSON string.
func quote(text string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(text) // a string always can be written
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// stringLen is the length of the JSON string that text begins with.
func stringLen(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}
