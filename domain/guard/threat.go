package guard

import (
	"cmp"
	"slices"
	"unicode/utf8"
)

// Threat is something in a text that tries to steer its reader.
type Threat struct {
	Type       Type
	Pattern    string // which rule found it; never a part of the text
	Severity   Severity
	Start, End int // in bytes
}

// Type is the aim of a threat.
type Type string

// The types.
const (
	Extraction       Type = "extraction"        // wants to hear what it isn't told
	Injection        Type = "injection"         // gives orders
	RoleManipulation Type = "role_manipulation" // assigns a role to the speaker or the listener
	Jailbreak        Type = "jailbreak"         // wants rules not to count
	Exfiltration     Type = "exfiltration"      // wants something sent elsewhere
)

// Severity is the harm of a threat that is obeyed.
type Severity string

// The severities.
const (
	Low      Severity = "low"      // often means nothing
	Medium   Severity = "medium"   // unusual in what a machine reports
	High     Severity = "high"     // has hardly another use
	Critical Severity = "critical" // has no other use
)

// Threats returns what a text tries, by place, each pattern once.
func Threats(text string) []Threat {
	r := reader{text: text}
	r.read()
	slices.SortStableFunc(r.found, func(a, b Threat) int { return cmp.Compare(a.Start, b.Start) })
	return r.found
}

// maxThreats bounds what one text is flagged with: there are fewer patterns.
const maxThreats = 64

// reader goes once through a text, word by word.
type reader struct {
	text  string
	found []Threat

	buf        [maxWord]byte // the word under way, in small letters
	n          int           // its length, maxWord+1 when it is too long
	start      int           // of the word
	words      int           // how many have ended
	began      bool          // a word is under way
	hidden     hidden
	state      [len(patterns)]progress
	blobs      int
	blobEnd    int
	toDecode   bool // a word asked for decoding
	hasBlob    bool
	blobStart  int
	decoding   bool // the text is what a blob decoded to
	brokenLine bool // only spaces and marks since the line began
}

// maxWord is the longest word that means something here.
const maxWord = 16

func (r *reader) read() {
	r.brokenLine = true
	for i := 0; i < len(r.text); {
		c := r.text[i]
		if c < utf8.RuneSelf {
			if isAlnum.has(c) {
				r.letter(lower(c), i)
			} else {
				r.mark(c, i)
			}
			i++
			continue
		}
		i += r.foreign(i)
	}
	r.endWord(len(r.text))
	r.hidden.end(r)
	if r.toDecode && r.hasBlob {
		r.flag(Threat{Injection, "asks to decode", Medium, r.blobStart, r.blobEnd})
	}
}

// letter adds to the word under way.
func (r *reader) letter(c byte, at int) {
	if !r.began {
		r.began, r.start, r.n = true, at, 0
	}
	if r.n < maxWord {
		r.buf[r.n] = c
	}
	r.n++
}

// mark is an ASCII character that is no letter and no digit.
func (r *reader) mark(c byte, at int) {
	if c == '\'' && r.began {
		return // don't is a word
	}
	r.endWord(at)
	switch c {
	case '\n':
		r.brokenLine = true
		return
	case ' ', '\t', '#', '*', '>', '-':
		return
	case '.', '!', '?':
		if at+1 == len(r.text) || r.text[at+1] <= ' ' {
			r.state = [len(patterns)]progress{} // a sentence ended
		}
		if c == '!' {
			r.picture(at)
		}
	case '@':
		r.word(classDest, at, at+1)
	case '<', '[':
		r.turn(at)
	}
	r.brokenLine = false
}

// foreign takes a character outside ASCII, and returns its length. What looks
// like a Latin letter is read as one.
func (r *reader) foreign(at int) int {
	c, size := utf8.DecodeRuneInString(r.text[at:])
	switch folded := fold(c); {
	case folded != 0:
		r.letter(folded, at)
	case r.hidden.is(c):
		r.hidden.add(r, c, at, size)
	case c == '’' && r.began:
	case c == '。' || c == '！' || c == '？':
		r.endWord(at)
		r.state = [len(patterns)]progress{}
	case isLetter(c):
		r.letter('?', at)
	default:
		r.endWord(at)
	}
	return size
}

// isLetter reports whether a character can be in a word, roughly: it only has
// to keep the words of other scripts from falling apart.
func isLetter(c rune) bool { return c >= 0xC0 && c < 0x2000 || c >= 0x3040 && c < 0xFE00 }

// endWord ends the word under way, if there is one.
func (r *reader) endWord(at int) {
	if !r.began {
		return
	}
	r.began = false
	if r.n >= leastPart && r.start >= r.blobEnd {
		r.blob(r.start)
	}
	if r.n <= maxWord {
		word := r.buf[:r.n]
		if c := classes[string(word)]; c != 0 {
			r.word(c, r.start, at)
			r.speaker(c, at)
		}
	}
	r.words++
	r.brokenLine = false
}

// flag notes a threat, each pattern once.
func (r *reader) flag(t Threat) {
	for i := range r.found {
		if r.found[i].Pattern == t.Pattern {
			return
		}
	}
	if len(r.found) < maxThreats {
		r.found = append(r.found, t)
	}
}
