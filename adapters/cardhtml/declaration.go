package cardhtml

import "strings"

// Bounds of a style.
const (
	maxDeclarations = 64
	maxValue        = 200
)

// declarations writes those of a style that lay out, colour and set text.
func declarations(text string) string {
	var out []string
	for d := range strings.SplitSeq(text, ";") {
		name, value, found := strings.Cut(d, ":")
		name, value = strings.ToLower(strings.TrimSpace(name)), strings.ToLower(strings.Join(strings.Fields(value), " "))
		if found && len(out) < maxDeclarations && isProperty(name) && isValue(value) {
			out = append(out, name+":"+value)
		}
	}
	return strings.Join(out, ";")
}

// isProperty reports whether a property only touches the element it is of. What
// moves it out of its place isn't among them.
func isProperty(name string) bool {
	for _, family := range [...]string{"margin", "padding", "border", "font", "flex", "grid", "text"} {
		if rest, ok := strings.CutPrefix(name, family); ok && (rest == "" || rest[0] == '-' && isName(rest)) {
			return name != "border-image" && name != "border-image-source"
		}
	}
	switch name {
	case "color", "background", "background-color", "display", "width", "height", "min-width", "min-height", "max-width", "max-height",
		"line-height", "letter-spacing", "word-spacing", "white-space", "word-break", "overflow-wrap", "vertical-align", "opacity",
		"overflow", "overflow-x", "overflow-y", "box-sizing", "box-shadow", "outline", "gap", "row-gap", "column-gap", "order",
		"align-items", "align-content", "align-self", "justify-content", "justify-items", "justify-self", "place-items", "place-content",
		"list-style", "list-style-type", "list-style-position", "table-layout", "border-collapse", "border-spacing", "caption-side",
		"empty-cells", "float", "clear", "visibility", "object-fit", "aspect-ratio", "direction", "columns", "column-count", "font-variant-numeric":
		return true
	}
	return false
}

// isValue reports whether a value is words, numbers, colours and functions that
// load nothing, none of them negative: that would draw over what is next to them.
func isValue(value string) bool {
	if value == "" || len(value) > maxValue || strings.Trim(value, "abcdefghijklmnopqrstuvwxyz0123456789 #%.,()+-*/!") != "" ||
		strings.Count(value, "(") != strings.Count(value, ")") {
		return false
	}
	for i := range len(value) {
		switch value[i] {
		case '(':
			if !isFunction(nameBefore(value[:i])) {
				return false
			}
		case '-':
			negative := i+1 < len(value) && (value[i+1] == '.' || value[i+1] >= '0' && value[i+1] <= '9')
			if negative && (i == 0 || !isName(value[i-1:i])) {
				return false
			}
			// A difference may be negative, too.
			if i+1 < len(value) && value[i+1] == ' ' {
				return false
			}
		case '!':
			if strings.TrimSpace(value[i+1:]) != "important" {
				return false
			}
		}
	}
	return true
}

// nameBefore is the name at the end of a text.
func nameBefore(text string) string {
	at := len(text)
	for at > 0 && isName(text[at-1:at]) {
		at--
	}
	return text[at:]
}

func isFunction(name string) bool {
	switch name {
	case "rgb", "rgba", "hsl", "hsla", "calc", "min", "max", "clamp", "repeat", "minmax", "fit-content", "linear-gradient", "radial-gradient":
		return true
	}
	return false
}
