package sentences

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of what can be a simple request. What is longer is read by nobody here.
const (
	MaxSaidBytes = 4 << 10
	MaxSaidWords = 80
)

// Said is a sentence with its words.
type Said struct {
	Text     string // one line, with plain apostrophes
	Words    []Word
	Question bool // it ends in a question mark
}

// Word is one word of a sentence. A contraction is two: the second takes no room.
type Word struct {
	Lower      string // without punctuation and quotation marks around it
	Start, End int    // of the sentence, in bytes, without punctuation behind it
	Colon      bool   // a colon follows it
	Stop       bool   // a comma, or the end of a sentence, follows it
	Quoted     bool   // it stands within quotation marks: it is spoken of
}

// Read splits a text into words; false when it is no simple request.
func Read(text string) (Said, bool) {
	s := Said{Text: plainApostrophes(OneLine(text))}
	if s.Text == "" || len(s.Text) > MaxSaidBytes {
		return Said{}, false
	}
	s.Question = strings.HasSuffix(strings.TrimRight(s.Text, "!. "), "?")
	quotes := QuotedParts(s.Text)
	s.Words = make([]Word, 0, min(strings.Count(s.Text, " ")+1, MaxSaidWords+1))
	for at := 0; at < len(s.Text); {
		end := len(s.Text)
		if n := strings.IndexByte(s.Text[at:], ' '); n >= 0 {
			end = at + n
		}
		s.add(at, end, quotes)
		if len(s.Words) > MaxSaidWords {
			return Said{}, false
		}
		at = end + 1
	}
	return s, len(s.Words) > 0
}

// plainApostrophes is a text with apostrophes as they are typed: they are written in several ways.
func plainApostrophes(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "’", "'"), "‘", "'")
}

// IsTooLong reports whether a text has more in it than is read.
func IsTooLong(text string) bool {
	_, ok := Read(text)
	return !ok && len(strings.Fields(OneLine(text))) > MaxSaidWords/2
}

// Closing are the signs that may stand behind a word.
const Closing = ".,!?;:…"

// add reads what stands between two spaces.
func (s *Said) add(start, end int, quotes [][2]int) {
	raw := s.Text[start:end]
	bare := strings.TrimRight(raw, Closing)
	w := Word{Start: start, End: start + len(bare)}
	for _, q := range quotes {
		w.Quoted = w.Quoted || start >= q[0] && start < q[1]
	}
	w.Lower = strings.ToLower(strings.TrimFunc(bare, IsQuote))
	if w.Lower == "" || !strings.ContainsFunc(w.Lower, isTelling) {
		if n := len(s.Words); n > 0 && (strings.Contains(raw, ":") || strings.TrimFunc(raw, isDash) == "") {
			s.Words[n-1].Colon = true // "task – call Anna"
		}
		return
	}
	behind := s.Text[w.End:end]
	w.Colon, w.Stop = strings.Contains(behind, ":"), strings.ContainsAny(behind, ".,!?;…") && !isInitial(bare, behind, s.Text[end:])
	first, second := contraction(w.Lower)
	if second == "" {
		s.Words = append(s.Words, w)
		return
	}
	rest := w
	w.Lower, w.Colon, w.Stop = first, false, false
	rest.Lower, rest.Start = second, rest.End
	s.Words = append(s.Words, w, rest)
}

// isInitial reports whether a letter with a stop is the first of a name that goes on: R. F. Kuang.
func isInitial(bare, behind, after string) bool {
	after = strings.TrimLeft(after, " ")
	return len(bare) == 1 && bare[0] >= 'A' && bare[0] <= 'Z' && bare != "I" && behind == "." && len(after) > 1 && after[0] >= 'A' && after[0] <= 'Z'
}

func isTelling(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '%' }

func isDash(r rune) bool { return r == '-' || r == '–' || r == '—' || r == ':' }

// IsQuote reports whether a sign is a quotation mark, or an apostrophe.
func IsQuote(r rune) bool { return strings.ContainsRune(`"'“”«»„`, r) }

// contraction is what a short form stands for; second is "" when it is none.
func contraction(lower string) (first, second string) {
	at := strings.LastIndexByte(lower, '\'')
	if at <= 0 {
		switch lower {
		case "whats", "wheres", "hows":
			return lower[:len(lower)-1], "is"
		case "dont":
			return "do", "not"
		case "im":
			return "i", "am"
		case "ive":
			return "i", "have"
		}
		return lower, ""
	}
	front, behind := lower[:at], lower[at+1:]
	switch behind {
	case "s":
		switch front {
		case "what", "who", "where", "when", "how", "that", "it", "there":
			return front, "is"
		}
	case "m":
		return front, "am"
	case "re":
		return front, "are"
	case "ve":
		return front, "have"
	case "ll":
		return front, "will"
	case "d":
		return front, "would"
	case "t":
		switch front {
		case "can", "won":
			return front, "not"
		}
		return strings.TrimSuffix(front, "n"), "not"
	}
	return lower, ""
}

// QuotedParts are the parts of a text within quotation marks. One that isn't
// closed goes to the end.
func QuotedParts(text string) [][2]int {
	var out [][2]int
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		ends := closes(r, at == 0 || text[at-1] == ' ')
		if ends == "" {
			at += size
			continue
		}
		end := len(text)
		if n := strings.IndexAny(text[at+size:], ends); n >= 0 {
			_, last := utf8.DecodeRuneInString(text[at+size+n:])
			end = at + size + n + last
		} else if r == '\'' {
			at += size // an apostrophe
			continue
		}
		out = append(out, [2]int{at, end})
		at = end
	}
	return out
}

// closes are the marks that close what r opens; "" when it opens nothing.
func closes(r rune, first bool) string {
	switch r {
	case '"':
		return `"`
	case '“', '„':
		return "”“"
	case '«':
		return "»"
	case '\'':
		if first {
			return "'"
		}
	}
	return ""
}

// Part is what was said from one word up to another, without quotation marks
// around all of it.
func (s Said) Part(from, to int) string {
	if from >= to {
		return ""
	}
	text := strings.Trim(s.Text[s.Words[from].Start:s.Words[to-1].End], Closing+" ")
	r, size := utf8.DecodeRuneInString(text)
	if ends := closes(r, true); ends != "" && len(text) > size {
		if n := strings.IndexAny(text[size:], ends); n > 0 {
			if _, last := utf8.DecodeRuneInString(text[size+n:]); size+n+last == len(text) {
				return strings.TrimSpace(text[size : size+n])
			}
		}
	}
	return text
}

// All is the whole sentence.
func (s Said) All() string { return s.Part(0, len(s.Words)) }

// From is the sentence without its first words.
func (s Said) From(n int) Said {
	s.Words = s.Words[n:]
	return s
}

// UpTo is the sentence without its last words.
func (s Said) UpTo(n int) Said {
	s.Words = s.Words[:n]
	return s
}

// Is reports whether the word at i is one of those; not when it is quoted.
func (s Said) Is(i int, words ...string) bool {
	if i < 0 || i >= len(s.Words) || s.Words[i].Quoted {
		return false
	}
	return slices.Contains(words, s.Words[i].Lower)
}

// quoted finds what a sentence repeats of others.
var quoted = regexp.MustCompile(`"[^"]*"|“[^”]*”`)

// Requoted is a sentence with something else in place of each text that it repeats of others, with its quotation marks.
func Requoted(sentence string, instead func(string) string) string {
	return quoted.ReplaceAllStringFunc(sentence, instead)
}
