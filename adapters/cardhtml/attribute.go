package cardhtml

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// attributes writes those of a tag that may be there; false when the tag means
// nothing without one that may not.
func attributes(t html.Token) (string, bool) {
	var b strings.Builder
	var seen []string
	for _, a := range t.Attr {
		value, ok := attribute(t.Data, a.Key, a.Val)
		if !ok || slices.Contains(seen, a.Key) {
			continue
		}
		seen = append(seen, a.Key)
		b.WriteString(" " + a.Key + `="` + html.EscapeString(value) + `"`)
	}
	switch t.Data {
	case "a":
		if slices.Contains(seen, "href") {
			b.WriteString(` rel="nofollow noopener noreferrer" target="_blank"`)
		}
	case "img":
		return b.String(), slices.Contains(seen, "src")
	}
	return b.String(), true
}

// maxAttribute bounds a value that is text.
const maxAttribute = 1 << 10

// attribute is the value that one may have.
func attribute(element, name, value string) (string, bool) {
	switch name {
	case "class":
		value = classes(value)
		return value, value != ""
	case "style":
		value = declarations(value)
		return value, value != ""
	case "title", "alt", "datetime":
		return value, len(value) <= maxAttribute && !hasControl(value)
	case "lang":
		return value, len(value) <= 35 && isName(value)
	case "dir":
		return value, value == "ltr" || value == "rtl" || value == "auto"
	case "scope":
		return value, value == "row" || value == "col" || value == "rowgroup" || value == "colgroup"
	case "colspan", "rowspan", "span", "width", "height", "start":
		n, err := strconv.Atoi(value)
		return value, err == nil && n > 0 && n <= maxCount(name) && value == strconv.Itoa(n)
	case "href":
		return value, element == "a" && isLink(value)
	case "src":
		return value, element == "img" && isImage(value)
	}
	return "", false
}

// maxCount bounds a number: a cell that spans a million rows takes as long to draw.
func maxCount(name string) int {
	switch name {
	case "width", "height":
		return 4096
	case "start":
		return 1 << 20
	}
	return 100
}

const classPrefix = "c-"

// maxClasses bounds the classes of an element.
const maxClasses = 32

// classes gives each class its prefix.
func classes(value string) string {
	var out []string
	for name := range strings.FieldsSeq(value) {
		if isName(name) && len(name) <= 64 && len(out) < maxClasses {
			out = append(out, classPrefix+name)
		}
	}
	return strings.Join(out, " ")
}

// isName reports whether a text is letters, digits, '-' and '_', and no more.
func isName(text string) bool {
	for i := range len(text) {
		c := text[i]
		if c != '-' && c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return text != ""
}

// isLink reports whether an address is a page over https, and nothing else to any
// browser: they pass over spaces and control characters.
func isLink(value string) bool {
	const scheme = "https://"
	return len(value) > len(scheme) && len(value) <= 2*maxAttribute && strings.EqualFold(value[:len(scheme)], scheme) &&
		!hasControl(value) && !strings.ContainsAny(value, " \\\"'<>`")
}

// isImage reports whether an address is an image itself.
func isImage(value string) bool {
	for _, kind := range [...]string{"png", "jpeg", "gif", "webp"} {
		if data, ok := strings.CutPrefix(value, "data:image/"+kind+";base64,"); ok {
			return data != "" && strings.Trim(data, base64Letters) == ""
		}
	}
	return false
}

const base64Letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="

func hasControl(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7F })
}
