package hearing

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of what can be a simple request. What is longer is read by nobody here.
const (
	maxSaidBytes = 4 << 10
	maxSaidWords = 80
)

// said is a sentence with its words.
type said struct {
	text     string // one line, with plain apostrophes
	words    []word
	question bool // it ends in a question mark
}

// word is one word of a sentence. A contraction is two: the second takes no room.
type word struct {
	lower      string // without punctuation and quotation marks around it
	start, end int    // of the sentence, in bytes, without punctuation behind it
	colon      bool   // a colon follows it
	stop       bool   // a comma, or the end of a sentence, follows it
	quoted     bool   // it stands within quotation marks: it is spoken of
}

// read splits a text into words; false when it is no simple request.
func read(text string) (said, bool) {
	s := said{text: plainApostrophes(oneLine(text))}
	if s.text == "" || len(s.text) > maxSaidBytes {
		return said{}, false
	}
	s.question = strings.HasSuffix(strings.TrimRight(s.text, "!. "), "?")
	quotes := quotedParts(s.text)
	s.words = make([]word, 0, min(strings.Count(s.text, " ")+1, maxSaidWords+1))
	for at := 0; at < len(s.text); {
		end := len(s.text)
		if n := strings.IndexByte(s.text[at:], ' '); n >= 0 {
			end = at + n
		}
		s.add(at, end, quotes)
		if len(s.words) > maxSaidWords {
			return said{}, false
		}
		at = end + 1
	}
	return s, len(s.words) > 0
}

// plainApostrophes is a text with apostrophes as they are typed: they are written in several ways.
func plainApostrophes(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "’", "'"), "‘", "'")
}

// isTooLong reports whether a text has more in it than is read.
func isTooLong(text string) bool {
	_, ok := read(text)
	return !ok && len(strings.Fields(oneLine(text))) > maxSaidWords/2
}

const closing = ".,!?;:…"

// add reads what stands between two spaces.
func (s *said) add(start, end int, quotes [][2]int) {
	raw := s.text[start:end]
	bare := strings.TrimRight(raw, closing)
	w := word{start: start, end: start + len(bare)}
	for _, q := range quotes {
		w.quoted = w.quoted || start >= q[0] && start < q[1]
	}
	w.lower = strings.ToLower(strings.TrimFunc(bare, isQuote))
	if w.lower == "" || !strings.ContainsFunc(w.lower, isTelling) {
		if n := len(s.words); n > 0 && (strings.Contains(raw, ":") || strings.TrimFunc(raw, isDash) == "") {
			s.words[n-1].colon = true // "task – call Anna"
		}
		return
	}
	behind := s.text[w.end:end]
	w.colon, w.stop = strings.Contains(behind, ":"), strings.ContainsAny(behind, ".,!?;…") && !isInitial(bare, behind, s.text[end:])
	first, second := contraction(w.lower)
	if second == "" {
		s.words = append(s.words, w)
		return
	}
	rest := w
	w.lower, w.colon, w.stop = first, false, false
	rest.lower, rest.start = second, rest.end
	s.words = append(s.words, w, rest)
}

// isInitial reports whether a letter with a stop is the first of a name that goes on: R. F. Kuang.
func isInitial(bare, behind, after string) bool {
	after = strings.TrimLeft(after, " ")
	return len(bare) == 1 && bare[0] >= 'A' && bare[0] <= 'Z' && bare != "I" && behind == "." && len(after) > 1 && after[0] >= 'A' && after[0] <= 'Z'
}

func isTelling(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '%' }

func isDash(r rune) bool { return r == '-' || r == '–' || r == '—' || r == ':' }

func isQuote(r rune) bool { return strings.ContainsRune(`"'“”«»„`, r) }

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

// quotedParts are the parts of a text within quotation marks. One that isn't
// closed goes to the end.
func quotedParts(text string) [][2]int {
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

// part is what was said from one word up to another, without quotation marks
// around all of it.
func (s said) part(from, to int) string {
	if from >= to {
		return ""
	}
	text := strings.Trim(s.text[s.words[from].start:s.words[to-1].end], closing+" ")
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

// all is the whole sentence.
func (s said) all() string { return s.part(0, len(s.words)) }

// from is the sentence without its first words.
func (s said) from(n int) said {
	s.words = s.words[n:]
	return s
}

// upTo is the sentence without its last words.
func (s said) upTo(n int) said {
	s.words = s.words[:n]
	return s
}

// is reports whether the word at i is one of those; not when it is quoted.
func (s said) is(i int, words ...string) bool {
	if i < 0 || i >= len(s.words) || s.words[i].quoted {
		return false
	}
	return slices.Contains(words, s.words[i].lower)
}
