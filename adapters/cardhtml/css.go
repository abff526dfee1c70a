package cardhtml

import "strings"

// sheet is CSS of which every part was judged.
type sheet []rule

// rule is one: a condition on the screen or none, selectors, declarations.
type rule struct {
	media     string // "" for always
	selectors []string
	body      string
}

// below writes the rules with every selector below another.
func (s sheet) below(scope string) string {
	var b strings.Builder
	for _, r := range s {
		if r.media != "" {
			b.WriteString("@media " + r.media + "{")
		}
		for i, sel := range r.selectors {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(scope + " " + sel)
		}
		b.WriteString("{" + r.body + "}")
		if r.media != "" {
			b.WriteByte('}')
		}
	}
	return b.String()
}

// cleanRules reads CSS, roughly. What is written is made of parts that passed, so
// reading one wrong loses it and does no harm.
func cleanRules(css string) sheet {
	if len(css) > MaxCSS {
		return nil
	}
	return readRules(withoutComments(css), "")
}

func readRules(css, media string) (out sheet) {
	for css != "" {
		at := strings.IndexAny(css, "{;")
		if at < 0 {
			return out
		}
		head := strings.TrimSpace(css[:at])
		if css[at] == ';' { // @import, @charset
			css = css[at+1:]
			continue
		}
		body, rest := block(css[at+1:])
		css = rest
		if name, isAt := strings.CutPrefix(head, "@"); isAt {
			condition, isMedia := strings.CutPrefix(name, "media")
			if condition = strings.TrimSpace(strings.ToLower(condition)); isMedia && media == "" && isCondition(condition) {
				out = append(out, readRules(body, condition)...)
			}
			continue
		}
		if strings.Contains(body, "{") {
			continue // rules within rules
		}
		if r := (rule{media: media, selectors: selectors(head), body: declarations(body)}); len(r.selectors) > 0 && r.body != "" {
			out = append(out, r)
		}
	}
	return out
}

// block is what stands before the brace that ends it, and what comes after.
func block(css string) (body, rest string) {
	depth := 1
	for i := range len(css) {
		switch css[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return css[:i], css[i+1:]
			}
		}
	}
	return css, ""
}

func withoutComments(css string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(css, "/*")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteByte(' ')
		if _, css, found = strings.Cut(after, "*/"); !found {
			return b.String()
		}
	}
}

// isCondition reports whether a condition is about the size or the colours of the
// screen.
func isCondition(text string) bool {
	if text == "" || len(text) > 200 {
		return false
	}
	return strings.Trim(text, "abcdefghijklmnopqrstuvwxyz0123456789 :()-.,") == "" && strings.Count(text, "(") == strings.Count(text, ")")
}

// Bounds of one rule's selectors.
const (
	maxSelectors = 32
	maxSelector  = 200
)

// selectors are those of a list that name elements and classes of a card.
func selectors(list string) (out []string) {
	for sel := range strings.SplitSeq(list, ",") {
		if sel, ok := selector(strings.TrimSpace(sel)); ok && len(out) < maxSelectors {
			out = append(out, sel)
		}
	}
	return out
}

// selector writes one with the prefix of its classes. It begins with an element
// or a class: what begins with a combinator reaches beside the card.
func selector(text string) (string, bool) {
	if len(text) > maxSelector {
		return "", false
	}
	var b strings.Builder
	fresh := true // an element may stand here
	for text != "" {
		c := text[0]
		n := 1
		for n < len(text) && isName(text[n:n+1]) {
			n++
		}
		word := text[1:n]
		switch {
		case c == '.' && word != "":
			b.WriteString("." + classPrefix + word)
			fresh = false
		case c == ':' && !fresh && isPseudo(word):
			b.WriteString(text[:n])
		case c == '*' && word == "" && fresh:
			b.WriteByte(c)
			fresh = false
		case isName(text[:n]) && fresh:
			if _, known := elements[strings.ToLower(text[:n])]; !known {
				return "", false
			}
			b.WriteString(strings.ToLower(text[:n]))
			fresh = false
		default:
			rest, combinator, ok := combined(text)
			if !ok || fresh || rest == "" {
				return "", false
			}
			b.WriteString(combinator)
			text, fresh = rest, true
			continue
		}
		text = text[n:]
	}
	return b.String(), !fresh
}

// combined takes a combinator off the front: a space, '>', '+' or '~'.
func combined(text string) (rest, combinator string, ok bool) {
	rest = strings.TrimLeft(text, " \t\r\n>+~")
	switch marks := strings.TrimSpace(text[:len(text)-len(rest)]); {
	case len(rest) == len(text) || len(marks) > 1:
		return "", "", false
	case marks == "":
		return rest, " ", true
	default:
		return rest, marks, true
	}
}

func isPseudo(name string) bool {
	switch name {
	case "hover", "first-child", "last-child", "first-of-type", "last-of-type", "only-child", "empty":
		return true
	}
	return false
}
