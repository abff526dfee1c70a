// Package carry tells whether what is about to be sent somewhere carries words that
// are private, also when they were put into another form on the way.
//
//	known := carry.Private{Texts: memories, Said: []string{sentence}}
//	at := known.In(params)
//
// # What is found
//
// A private word is one of at least four letters, or of three signs with a digit in
// it, that isn't a word of every day and doesn't stand in what may be said anyway.
// It is found as a word of the value; in another case, with accents, signs between
// its letters, or digits for letters; spread over several values; backwards; shifted
// in the alphabet; and in base64, base32, hex, percent, HTML and backslash escapes,
// and as the numbers of its letters, each in the other up to three deep. Shorter
// words are found where two of them stand next to each other in both.
//
// # What isn't
//
// Whoever wants to hide a word from a rule can: by a synonym, a translation, a
// picture, a word for each letter, or a cipher of their own. A run of letters and
// digits that is no word, and that nobody said, is therefore taken for one that can't
// be read (Opaque). What is left is little for each call, and every call is recorded.
//
// Everything here is a pure function.
package carry

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"chalie/domain/relate"
)

// Bounds of what is looked at.
const (
	maxScanned  = 16 << 10 // bytes of one text; what is sent and longer can't be looked through
	maxDisguise = 4 << 10  // bytes of one text that is looked at in all forms
	leastWord   = 4        // letters of a private word
	leastNumber = 3        // signs of one with a digit
	leastWithin = 5        // letters of a word that counts where the spaces are gone
	leastOpaque = 16       // signs of a run that can't be read
)

// Private is what is not to be carried away.
type Private struct {
	Texts []string // each by itself
	// Said are the texts whose words may be sent: the sentence that is answered, and
	// what was sent to the same place before.
	Said []string
}

// Found is what parameters carry.
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
	said := map[string]bool{}
	for _, text := range p.Said {
		for _, w := range wordsOf(text) {
			said[w] = true
		}
	}
	forms := formsOf(sent, earlier)
	var out Found
	for i, text := range p.Texts {
		if carries(text, said, forms) {
			out.Texts = append(out.Texts, i)
		}
	}
	out.Opaque = opaque(sent, p.Said) || len(value) > maxScanned
	return out
}

// carries reports whether any form has a word of a text that wasn't said.
func carries(text string, said map[string]bool, forms []form) bool {
	words := wordsOf(text)
	for i, w := range words {
		if said[w] || relate.Everyday(w) {
			continue
		}
		if isTelling(w) {
			for _, f := range forms {
				if f.has(w) {
					return true
				}
			}
			continue
		}
		// A short word counts with the one behind it.
		if i+1 < len(words) && !said[words[i+1]] && !relate.Everyday(words[i+1]) {
			pair := w + " " + words[i+1]
			for _, f := range forms {
				if strings.Contains(f.spaced, " "+pair+" ") {
					return true
				}
			}
		}
	}
	return false
}

// isTelling reports whether a word counts by itself.
func isTelling(w string) bool {
	n := len([]rune(w))
	return n >= leastWord || n >= leastNumber && strings.ContainsFunc(w, unicode.IsDigit)
}

// form is what was sent in one of the forms it may have been put into.
type form struct {
	words  map[string]bool
	spaced string // its words with one space between, before and behind them
	joined string // its letters and digits alone
	plain  bool   // as it was sent
}

// has reports whether the form has a word. What was decoded, and what stands without
// spaces, has it anywhere.
func (f form) has(w string) bool {
	if f.words[w] || f.words[ending(w)] {
		return true
	}
	if len([]rune(w)) >= leastWithin || !f.plain || strings.Trim(w, "0123456789") == "" && len(w) >= leastWord {
		return strings.Contains(f.joined, w)
	}
	return false
}

// ending is a word without the s that it is one or several by.
func ending(w string) string {
	if s, ok := strings.CutSuffix(w, "s"); ok {
		return s
	}
	return w + "s"
}

func formOf(text string, plain bool) form {
	words := wordsOf(text)
	f := form{words: make(map[string]bool, len(words)), plain: plain}
	for _, w := range words {
		f.words[w] = true
	}
	f.spaced = " " + strings.Join(words, " ") + " "
	f.joined = strings.Join(words, "")
	return f
}

// formsOf are all forms of what is sent. What went before is only looked at together
// with it, without spaces: by itself it was judged then.
func formsOf(sent, earlier []string) []form {
	texts := slices.Clone(sent)
	texts = append(texts, strings.Join(sent, " "), strings.Join(sent, ""))
	if len(earlier) > 0 {
		texts = append(texts, strings.Join(slices.Concat(earlier, sent), ""))
	}
	slices.Sort(texts)
	seen := map[string]bool{}
	var out []form
	for _, t := range slices.Compact(texts) {
		deep := 3
		if len(t) > maxDisguise {
			deep = 1
		}
		for i, form := range decodings(t, deep) {
			if !seen[form] {
				seen[form] = true
				out = append(out, formOf(form, i == 0))
			}
		}
	}
	return out
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
// letters stand in it that nobody can say.
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
			out = append(out, v[:min(len(v), maxScanned)])
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
