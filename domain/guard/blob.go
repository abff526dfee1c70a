package guard

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

const (
	leastPart = 12      // a run this long may be the begin of a blob
	leastBlob = 40      // bytes
	mostBlob  = 4 << 10 // of one, to be decoded
	mostBlobs = 8       // of one text
)

// blob looks at what may be a text in base64 that begins at start. What it
// decodes to is read in turn, once.
func (r *reader) blob(start int) {
	n := start
	for n < len(r.text) && (inKey.has(r.text[n]) || r.text[n] == '+' || r.text[n] == '/' || r.text[n] == '=') {
		n++
	}
	if n-start < leastBlob {
		return
	}
	r.blobEnd = n
	if m := mixOf(clip(r.text[start:n], mostBlob)); m.upper == 0 || m.lower == 0 || m.digits == 0 {
		return // a path, a number, a hash
	}
	r.hasBlob, r.blobStart = true, start
	if r.decoding || r.blobs == mostBlobs {
		return
	}
	r.blobs++
	decoded, ok := decode(clip(r.text[start:n], mostBlob))
	if !ok {
		return
	}
	inner := reader{text: decoded, decoding: true}
	inner.read()
	if len(inner.found) > 0 {
		r.flag(Threat{Injection, "encoded orders", High, start, n})
	}
}

// decode reads base64 of either alphabet, as far as it is text.
func decode(text string) (string, bool) {
	text = strings.TrimRight(text, "=")
	text = text[:len(text)/4*4] // a cut one is read as far as it goes
	out, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		out, err = base64.RawURLEncoding.DecodeString(text)
	}
	clean := strings.ToValidUTF8(string(out), "")
	return clean, err == nil && len(out)-len(clean) < utf8.UTFMax
}
