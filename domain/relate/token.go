package relate

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of what is read of one text. What follows them is left out: a
// long text says what it is about at its beginning.
const (
	maxWords    = 96        // words read of one text
	maxScanned  = 16 * 1024 // bytes looked at
	maxWordSize = 64        // bytes kept of one word
)

// A token is a word as it is in the text.
type token struct {
	text     string // without the possessive's ending
	written  string
	starts   bool   // it begins a sentence
	cut      bool   // something that separates stands before it (a comma, a sentence's end)
	owns     bool   // it was written as a possessive: Luigi's
	marked   byte   // the sign right before it: # or $, or 0
	followed byte   // the sign right after it: % or €, or 0
	gap      string // what stands between the token before it and it
}

// scanner cuts a text into tokens.
type scanner struct {
	text   string
	at     int
	starts bool
	cut    bool
	last   string // the previous token
	after  int    // where it ended
}

func newScanner(text string) scanner {
	return scanner{text: text[:min(len(text), maxScanned)], starts: true, cut: true}
}

// separated makes a name's separators spaces.
func separated(text string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '-', '_', '.', '/', ':', '@':
			return ' '
		}
		return r
	}, text[:min(len(text), maxScanned)])
}

// next is the next token, and false at the end.
func (s *scanner) next() (token, bool) {
	var marked byte
	for s.at < len(s.text) {
		r, size := utf8.DecodeRuneInString(s.text[s.at:])
		if isLetter(r) {
			break
		}
		marked = s.separate(r)
		s.at += size
	}
	if s.at >= len(s.text) {
		return token{}, false
	}
	from := s.at
	t := token{starts: s.starts, cut: s.cut, marked: marked, gap: s.text[s.after:from]}
	s.at = wordEnd(s.text, from)
	s.after = s.at
	t.text = s.text[from:s.at]
	if len(t.text) > maxWordSize {
		t.text = strings.ToValidUTF8(t.text[:maxWordSize], "")
	}
	t.written = t.text
	t.text, t.owns = withoutPossessive(t.text)
	if rest := s.text[s.at:]; strings.HasPrefix(rest, "%") || strings.HasPrefix(rest, " %") {
		t.followed = '%'
	}
	s.starts, s.cut, s.last = false, false, t.text
	return t, true
}

// separate takes note of what stands between two words, and returns a sign that
// belongs to the next word.
func (s *scanner) separate(r rune) byte {
	switch r {
	case '.':
		if !endsInAbbreviation(s.last) {
			s.starts, s.cut = true, true
		}
	case '!', '?', '\n', ':', '…', '•', '|', '。', '！', '？':
		s.starts, s.cut = true, true
	case ',', ';', '(', ')', '[', ']', '–', '—', '/', '→':
		s.cut = true
	case '"', '“', '”', '«', '»', '„':
		s.cut = true
	case '#', '$':
		return byte(r)
	case '€', '£', '¥':
		return '$'
	}
	return 0
}

// endsInAbbreviation tells the dot of Dr. from the one at a sentence's end.
func endsInAbbreviation(w string) bool {
	if len(w) == 1 {
		return 'A' <= w[0] && w[0] <= 'Z'
	}
	switch strings.ToLower(w) {
	case "dr", "mr", "mrs", "ms", "st", "prof", "jr", "sr", "no", "nr", "vs", "approx", "mt", "ave", "rd":
		return true
	}
	return false
}

// wordEnd is where the word that begins at from ends: apostrophes between
// letters belong to it, points between digits, and hyphens beside something
// very short (wi-fi, LH-454).
func wordEnd(text string, from int) int {
	at, short := from, 0 // short counts the letters since the last hyphen
	for at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		if isLetter(r) {
			at, short = at+size, short+1
			continue
		}
		after, _ := utf8.DecodeRuneInString(text[at+size:])
		switch {
		case at+size >= len(text) || !isLetter(after):
			return at
		case isApostrophe(r) && unicode.IsLetter(after):
			at += size
		case (r == '.' || r == ':' || r == ',') && isDigit(after) && isDigit(rune(text[at-1])):
			at += size
		case r == '-' && !clockBefore(text[from:at]) && (short <= 2 || partLength(text[at+size:]) <= 2 || isDigit(after) && short <= 3):
			at, short = at+size, 0
		default:
			return at
		}
	}
	return at
}

// clockBefore tells a span of time from a code: 9:45-10:30.
func clockBefore(text string) bool { return strings.ContainsAny(text, ":.") && isDigit(rune(text[0])) }

// partLength is how many letters follow, three standing for more.
func partLength(text string) int {
	n := 0
	for _, r := range text {
		if !isLetter(r) || n == 3 {
			break
		}
		n++
	}
	return n
}

// withoutPossessive takes 's and the s' of a plural's possessive off.
func withoutPossessive(w string) (string, bool) {
	for _, end := range [...]string{"'s", "’s", "ʼs", "'S", "’S"} {
		if rest, ok := strings.CutSuffix(w, end); ok && rest != "" {
			return rest, true
		}
	}
	return w, false
}

func isLetter(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return r != utf8.RuneError && !isApostrophe(r) && (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r))
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

func isApostrophe(r rune) bool { return r == '\'' || r == '’' || r == 'ʼ' || r == '`' }
