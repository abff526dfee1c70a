// Package carry tells whether what is about to be sent somewhere carries words that
// are private, also when they were put into another form on the way.
//
//	known := carry.Private{Texts: memories, Said: []string{sentence}}
//	at := known.In(params)
//
// # What is found
//
// A private word is one of at least four letters, or of three signs with a digit in
// it, that isn't an everyday word and isn't among the words that may be sent anyway.
// It is found as a word of the value; in another case, with accents, signs between
// its letters, or digits for letters; spread over several values; backwards; shifted
// in the alphabet; and in base64, base32, hex, the escapes of addresses, HTML, mail and
// programming languages, and as the numbers of its letters, each in the other up to three
// deep. Where it is sent in nothing else it is found, too, in base 10, 36, 45, 58, 62 and
// 85, uuencode and punycode; in Morse's code, Braille, the words that letters are spelt
// with, and letters in another style or on their head; and in signs that nobody sees.
// Shorter words are found where two of them stand next to each other in both.
//
// Where a script has no spaces, words aren't known: there a few signs in a row count,
// of Chinese two, wherever they stand (unspaced.go).
//
// # What isn't
//
// Whoever wants to hide a word from a rule can: by a synonym, a translation, a picture,
// the first letters of a sentence's words, every second letter, vowels left out, a play
// language, or a cipher of their own. A run of letters and
// digits that is no word, and that nobody said, is therefore taken for one that can't
// be read (Opaque), and so is what is too long to be looked through, or has too many
// forms. A private text that is too long counts as carried by whatever is sent. What is
// left is little for each call, and every call is recorded.
//
// Everything here is a pure function.
package carry

import (
	"bytes"
	"encoding/json"
	"index/suffixarray"
	"slices"
	"strings"
	"unicode"

	"chalie/domain/relate"
)

// Bounds of what is looked at.
const (
	maxSent     = 16 << 10 // bytes that are sent; what is longer can't be looked through
	maxPrivate  = 1 << 20  // bytes of one private text; more than a record holds
	leastWord   = 4        // letters of a private word
	leastNumber = 3        // signs of one with a digit
	leastWithin = 5        // letters of a word that counts where the spaces are gone
	leastOpaque = 16       // signs of a run that can't be read
)

// Private are the words that mustn't leave.
type Private struct {
	Texts []string // each by itself
	// Said are the texts whose words may be sent: the sentence that is answered, and
	// what was sent to the same place before.
	Said []string
}

// Found are the private words that parameters carry.
type Found struct {
	Texts  []int // indexes of the private texts whose words they carry, in order
	Opaque bool  // something in them can't be read
}

// Any reports whether there is anything.
func (f Found) Any() bool { return f.Opaque || len(f.Texts) > 0 }

// In looks for the private words in a JSON value. before are values that went to the
// same place already in the same matter: a word may be spread over both.
func (p Private) In(value json.RawMessage, before ...json.RawMessage) Found {
	if len(p.Texts) == 0 {
		return Found{}
	}
	sent := leaves(value)
	var earlier []string
	for _, b := range before {
		earlier = append(earlier, leaves(b)...)
	}
	if len(sent) == 0 {
		return Found{}
	}
	forms, whole := formsOf(sent, earlier)
	what := lookedAt(forms)
	allowed := saidIn(p.Said)
	var out Found
	for i, text := range p.Texts {
		if len(text) > maxPrivate || what.carries(text, allowed) {
			out.Texts = append(out.Texts, i)
		}
	}
	out.Opaque = opaque(sent, p.Said) || len(value) > maxSent || !whole
	return out
}

// said are the words that may be sent.
type said struct {
	words map[string]bool
	signs map[string]bool // of unspaced scripts
	text  string          // its words without spaces
}

func saidIn(texts []string) said {
	out := said{words: map[string]bool{}, signs: map[string]bool{}}
	for _, text := range texts {
		words := wordsOf(text)
		for _, w := range words {
			out.words[w] = true
		}
		joined := strings.Join(words, "")
		for _, sign := range signsOf(joined) {
			out.signs[sign] = true
		}
		out.text += joined + "\n"
	}
	return out
}

// has reports whether a word was said, and of an unspaced script also as part of another.
func (s said) has(w string) bool {
	return s.words[w] || startsUnspaced(w) && strings.Contains(s.text, w)
}

// isTelling reports whether a word counts by itself.
func isTelling(w string) bool {
	n := len([]rune(w))
	return n >= leastWord || n >= leastNumber && strings.ContainsFunc(w, unicode.IsDigit)
}

// looked is what was sent, in all the forms it may have been put into, so that a word
// is found without going through them.
type looked struct {
	words    map[string]bool
	pairs    map[string]bool    // two words next to each other, with a space between
	signs    map[string]bool    // of unspaced scripts
	unspaced []string           // words of such scripts, that may stand within a private one
	plain    *suffixarray.Index // the letters and digits of what is as it was sent
	decoded  *suffixarray.Index // and of what isn't
}

// form is what was sent in one of the forms it may have been put into.
type form struct {
	text  string
	plain bool // as it was sent
}

func lookedAt(forms []form) looked {
	out := looked{words: map[string]bool{}, pairs: map[string]bool{}, signs: map[string]bool{}}
	var plain, decoded bytes.Buffer
	for _, f := range forms {
		words := wordsOf(f.text)
		for i, w := range words {
			if !out.words[w] && mayStandWithin(w) {
				out.unspaced = append(out.unspaced, w)
			}
			out.words[w] = true
			if i > 0 && len(w) < maxShort && len(words[i-1]) < maxShort {
				out.pairs[words[i-1]+" "+w] = true
			}
		}
		joined := strings.Join(words, "")
		for _, sign := range signsOf(joined) {
			out.signs[sign] = true
		}
		to := &decoded
		if f.plain {
			to = &plain
		}
		to.WriteString(joined)
		to.WriteByte('\n') // no word has one
	}
	out.plain, out.decoded = suffixarray.New(plain.Bytes()), suffixarray.New(decoded.Bytes())
	return out
}

// maxShort bounds the bytes of a word that may be one of a pair: fewer letters than a
// telling word has, or a few more of what is behind it.
const maxShort = 64

// carries reports whether any form has a word of a private text that wasn't said.
func (l looked) carries(text string, allowed said) bool {
	words := wordsOf(text)
	seen := make(map[string]bool, len(words))
	for i, w := range words {
		if allowed.has(w) || relate.Everyday(w) {
			continue
		}
		if !seen[w] && (isTelling(w) && l.has(w) || l.hasSigns(w, allowed)) {
			return true
		}
		seen[w] = true
		if isTelling(w) {
			continue
		}
		// A short word counts with the one behind it.
		if i+1 < len(words) && !allowed.has(words[i+1]) && !relate.Everyday(words[i+1]) && l.pairs[w+" "+words[i+1]] {
			return true
		}
	}
	return false
}

// has reports whether any form has a word. What was decoded, and what stands without
// spaces, has it anywhere.
func (l looked) has(w string) bool {
	within := func(at *suffixarray.Index) bool { return len(at.Lookup([]byte(w), 1)) > 0 }
	n := len([]rune(w))
	return l.words[w] || l.words[singular(w)] || n >= leastWord && within(l.decoded) ||
		(n >= leastWithin || n >= leastWord && strings.Trim(w, "0123456789") == "") && within(l.plain)
}

// singular is a word without the s that it is one or several by.
func singular(w string) string {
	if s, ok := strings.CutSuffix(w, "s"); ok {
		return s
	}
	return w + "s"
}

// formsOf are all forms of what is sent, and whether there are no more. What went
// before is only looked at together with it, without spaces: by itself it was judged
// then.
func formsOf(sent, earlier []string) (out []form, whole bool) {
	texts := slices.Clone(sent)
	texts = append(texts, strings.Join(sent, " "), strings.Join(sent, ""))
	if len(earlier) > 0 {
		texts = append(texts, strings.Join(slices.Concat(earlier, sent), ""))
	}
	slices.Sort(texts)
	seen := map[string]bool{}
	whole = true
	for _, t := range slices.Compact(texts) {
		forms, all := decodings(t, maxDeep, maxForms)
		whole = whole && all
		for i, text := range forms {
			if !seen[text] {
				seen[text] = true
				out = append(out, form{text: text, plain: i == 0})
			}
		}
	}
	return out, whole
}

// opaque reports whether something that is sent is no text that anybody could read,
// and wasn't said.
func opaque(sent, said []string) bool {
	all := strings.ToLower(strings.Join(said, "\n"))
	for _, text := range sent {
		for _, run := range strings.FieldsFunc(text, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("+/=_-", r)
		}) {
			if len(run) >= leastOpaque && isScrambled(run) && !strings.Contains(all, strings.ToLower(run)) {
				return true
			}
		}
	}
	return false
}

// isScrambled reports whether a run of signs is no word, number, date or name with
// strokes: letters and digits take turns in it, or small and capital letters do, or
// its letters can't be pronounced.
func isScrambled(run string) bool {
	turns, mute, longest := 0, 0, 0
	var last rune
	for i, r := range run {
		if i > 0 && (unicode.IsLetter(r) && unicode.IsDigit(last) || unicode.IsDigit(r) && unicode.IsLetter(last) ||
			unicode.IsUpper(r) && unicode.IsLower(last)) {
			turns++
		}
		if unicode.IsLetter(r) && r < unicode.MaxASCII && !strings.ContainsRune("aeiouyAEIOUY", r) {
			mute++
			longest = max(longest, mute)
		} else {
			mute = 0
		}
		last = r
	}
	return turns >= 4 || longest >= 7
}

// leaves are the texts and numbers of a JSON value, and the names of its members
// below the parameters' own, in order.
func leaves(value json.RawMessage) []string {
	var v any
	d := json.NewDecoder(bytes.NewReader(value))
	d.UseNumber()
	if len(value) == 0 || d.Decode(&v) != nil {
		return nil
	}
	var out []string
	var walk func(v any, depth int)
	walk = func(v any, depth int) {
		switch v := v.(type) {
		case string:
			out = append(out, v[:min(len(v), maxSent)])
		case json.Number:
			out = append(out, v.String())
		case []any:
			for _, one := range v {
				walk(one, depth+1)
			}
		case map[string]any:
			names := make([]string, 0, len(v))
			for name := range v {
				names = append(names, name)
			}
			slices.Sort(names)
			for _, name := range names {
				if depth > 0 {
					out = append(out, name)
				}
				walk(v[name], depth+1)
			}
		}
	}
	walk(v, 0)
	return out
}
