package exportfile

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"unicode/utf8"

	"chalie/domain"
)

// A line ends with its sum: a comma, the name, and so many hex digits.
const (
	sumDigits = 32
	sumPrefix = `,"sum":"`
	sumSuffix = `"}`
)

// sumOf is the sum of a line: body is everything before the comma, previous the
// sum of the line before, "" for the first.
func sumOf(previous string, body []byte) string {
	hash := sha256.New()
	// A hash takes every write.
	_, _ = hash.Write([]byte(previous))
	_, _ = hash.Write(body)
	var full [sha256.Size]byte
	return hex.EncodeToString(hash.Sum(full[:0])[:sumDigits/2])
}

// splitSum parts a line from its sum; false when it doesn't end with one.
func splitSum(line []byte) (body []byte, sum string, ok bool) {
	const tail = len(sumPrefix) + sumDigits + len(sumSuffix)
	if len(line) < tail {
		return line, "", false
	}
	body, end := line[:len(line)-tail], line[len(line)-tail:]
	if !bytes.HasPrefix(end, []byte(sumPrefix)) || !bytes.HasSuffix(end, []byte(sumSuffix)) {
		return line, "", false
	}
	return body, string(end[len(sumPrefix) : len(sumPrefix)+sumDigits]), true
}

// appendString writes a JSON string.
func appendString[T ~string](dst []byte, text T) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			return appendQuoted(dst, string(text))
		}
	}
	dst = append(dst, '"')
	dst = append(dst, text...)
	return append(dst, '"')
}

func appendQuoted(dst []byte, text string) []byte {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	// A buffer takes every write, and every string is JSON.
	_ = enc.Encode(text)
	return append(dst, bytes.TrimSuffix(out.Bytes(), []byte("\n"))...)
}

func appendStrings[T ~string](dst []byte, texts []T) []byte {
	dst = append(dst, '[')
	for i, text := range texts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, text)
	}
	return append(dst, ']')
}

func appendBase64(dst, raw []byte) []byte {
	dst = append(dst, '"')
	dst = base64.StdEncoding.AppendEncode(dst, raw)
	return append(dst, '"')
}

// deepest is how many brackets a payload may hold and still be in a line:
// encoding/json reads ten thousand levels, and a line adds some of its own.
const deepest = 9000

// fitsLine reports whether a payload can be in a line as it is, and be read
// back byte for byte: white space around it would be lost, and a line break
// ends the line.
func fitsLine(p domain.Payload) bool {
	b := p.Bytes
	if p.Encoding != domain.EncodingJSON || len(b) == 0 || isSpace(b[0]) || isSpace(b[len(b)-1]) {
		return false
	}
	if bytes.IndexByte(b, '\n') >= 0 || bytes.IndexByte(b, '\r') >= 0 {
		return false
	}
	return len(b) < deepest || bytes.Count(b, []byte("["))+bytes.Count(b, []byte("{")) < deepest
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// encodings are the names of what isn't JSON in clear.
var encodings = [...]string{
	domain.EncodingJSON: "", domain.EncodingOpaque: "opaque", domain.EncodingSealed: "sealed", domain.EncodingErased: "erased",
}

// encodingNamed is the encoding of a name; false when there is none.
func encodingNamed(name string) (domain.Encoding, bool) {
	for i, known := range encodings {
		if name == known {
			return domain.Encoding(i), true
		}
	}
	return 0, false
}
