package guard

import "strings"

// maxName bounds how far the name before a value is read back.
const maxName = 64

// maxValue bounds a value in quotation marks. A longer one is cut there: what
// holds a whole document isn't a password.
const maxValue = 4 << 10

// named finds a value by the name in front of it: password=…, "api_key": "…",
// Authorization: Basic …. at is the ':' or '='.
func named(text string, at int) (Secret, bool) {
	kind, ok := nameOf(nameBefore(text, at))
	if !ok {
		return Secret{}, false
	}
	start, end, quoted := valueAfter(text, at)
	value := text[start:end]
	if isScheme(value) && !quoted {
		// Authorization: Basic dXNlcjpwYXNz
		if end >= len(text) || text[end] != ' ' {
			return Secret{}, false
		}
		start, end = end+1, end+1+inAuth.span(text[end+1:], maxValue)
		value = text[start:end]
	}
	if !isSecret(kind, value) || !quoted && isProse(kind, text, at, end, value) {
		return Secret{}, false
	}
	return Secret{kind, start, end}, true
}

// nameBefore is the name in front of a separator, with the word before it when
// only a space is between them; without quotation marks.
func nameBefore(text string, at int) string {
	end := at
	for end > 0 && at-end < 3 && text[end-1] == ' ' {
		end--
	}
	if end > 0 && (text[end-1] == '"' || text[end-1] == '\'' || text[end-1] == '`' || text[end-1] == '*') {
		end--
		for end > 0 && at-end < 6 && (text[end-1] == '\\' || text[end-1] == '*') {
			end--
		}
	}
	start, spaces := end, 0
	for start > 0 && end-start < maxName {
		c := text[start-1]
		if c == ' ' && spaces == 0 && start < end {
			spaces++
		} else if !inRun.has(c) {
			break
		}
		start--
	}
	return text[start:end]
}

// valueAfter is where the value behind a separator stands, without quotation
// marks.
func valueAfter(text string, at int) (start, end int, quoted bool) {
	start = at + 1
	for start < len(text) && start-at < 8 && (text[start] == ' ' || text[start] == '\t' || text[start] == '*' || text[start] == '>' || text[start] == '=') {
		start++
	}
	for start < len(text) && text[start] == '\\' {
		start++
		if start-at > 12 {
			return start, start, false
		}
	}
	if start < len(text) && (text[start] == '"' || text[start] == '\'' || text[start] == '`') {
		mark := text[start]
		start++
		end = start
		for end < len(text) && end-start < maxValue && text[end] != mark && text[end] != '\n' {
			end++
		}
		closing := end
		for closing > start && text[closing-1] == '\\' {
			closing-- // the mark was escaped, in a JSON text within a text
		}
		return start, closing, true
	}
	end = start
	for end < len(text) && end-start < maxValue && !endsValue(text[end], text[at]) {
		end++
	}
	for end > start && strings.IndexByte(".:!?*", text[end-1]) >= 0 {
		end-- // of the sentence around it
	}
	return start, end, false
}

// endsValue reports whether a sign ends a value behind a separator. Between the pairs of an
// address stands an &, and behind a colon it is a part of the value.
func endsValue(c, separator byte) bool {
	switch c {
	case '&':
		return separator != ':'
	case ' ', '\t', '\n', '\r', ',', ';', '"', '\'', '`', '<', '>', ')', '}', '\\':
		return true
	}
	return false
}

// isSecret reports whether a value can be what its name says. Placeholders,
// states and numbers of anything else are no secrets.
func isSecret(kind Kind, value string) bool {
	if value == "" || isPlaceholder(value) {
		return false
	}
	m := mixOf(clip(value, maxKey))
	switch kind {
	case Password:
		return len(value) >= 3
	case CardCode:
		return m.digits == len(value) && (m.digits == 3 || m.digits == 4)
	case CardNumber:
		s, ok := card(value, 0)
		return ok && s.End == len(value)
	}
	switch {
	case strings.IndexByte(value, ' ') >= 0 || len(value) < 8:
		return false
	case m.digits > 0 && m.letters() > 0:
		return true
	}
	return len(value) >= 12 && m.lower > 0 && m.upper > 0 || len(value) >= 24 && m.letters() > 0 && m.other == 0
}

// isPlaceholder reports whether a value stands for one that isn't there.
func isPlaceholder(value string) bool {
	if strings.HasPrefix(value, markPrefix) || strings.IndexByte("<{[$%", value[0]) >= 0 && strings.IndexByte(">}])%", value[len(value)-1]) >= 0 ||
		strings.HasPrefix(value, "${") || strings.HasPrefix(value, "$(") || strings.HasPrefix(value, "{{") || strings.HasPrefix(value, "//") || value[0] == '<' || value[0] == '[' {
		return true
	}
	same := true
	for i := range len(value) {
		same = same && lower(value[i]) == lower(value[0])
	}
	if same {
		return true // ****, xxxx
	}
	return placeholders[strings.ToLower(clip(value, 32))]
}

// placeholders stand after the name of a secret without being one.
var placeholders = wordSet("null none nil true false undefined empty unset required optional missing invalid valid " +
	"incorrect wrong expired changed unchanged unknown hidden redacted removed string text password " +
	"secret token yes not set reset ok failed refused accepted rejected update updated " +
	"revoked rotated forgotten protected encrypted protection n/a tbd")

// isProse tells "Password: please change it" from a password. Only after a colon,
// only for words in small letters, with another word behind them.
func isProse(kind Kind, text string, at, end int, value string) bool {
	if kind != Password || text[at] != ':' || mixOf(clip(value, maxKey)).lower != len(value) {
		return false
	}
	return end+1 < len(text) && text[end] == ' ' && isAlnum.has(text[end+1])
}

// isScheme reports whether a value only says how the credentials after it are
// written.
func isScheme(value string) bool {
	return foldEqual(value, "basic") || foldEqual(value, "bearer") || foldEqual(value, "token") || foldEqual(value, "digest")
}

// inURL finds the password of https://user:password@host, and keys in a query
// whose name is nothing but "key". at is a ':' or '='.
func inURL(text string, at int) (Secret, bool) {
	if text[at] == '=' {
		return queryKey(text, at)
	}
	if !strings.HasPrefix(text[at:], "://") {
		return Secret{}, false
	}
	from := at + len("://")
	colon, last := -1, -1
	for i := from; i < len(text) && i-from < maxKey; i++ {
		c := text[i]
		if c == '/' || c == '?' || c == '#' || c <= ' ' || c == '"' || c == '<' || c == '>' {
			break
		}
		switch {
		case c == ':' && colon < 0:
			colon = i
		case c == '@':
			last = i
		}
	}
	if colon < 0 || last < colon+2 || isPlaceholder(text[colon+1:last]) {
		return Secret{}, false
	}
	return Secret{Password, colon + 1, last}, true
}

func queryKey(text string, at int) (Secret, bool) {
	const name = "key"
	from := at - len(name)
	if from < 1 || text[from:at] != name || text[from-1] != '?' && text[from-1] != '&' {
		return Secret{}, false
	}
	n := inKey.span(text[at+1:], maxKey)
	if n < 20 || !looksRandom(text[at+1:at+1+n]) {
		return Secret{}, false
	}
	return Secret{APIKey, at + 1, at + 1 + n}, true
}
