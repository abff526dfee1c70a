package repro

import (
	"crypto/sha256"
	"encoding/binary"
	"strings"
	"unicode"
	"unicode/utf8"

	"chalie/domain"
	"chalie/domain/relate"
)

// Pseudonyms puts other words in the place of those that may name somebody: the
// same for the same word, as long as it, and with its capitals and its ending. Two
// words that mean the same to the code that relates texts still do, and no others.
//
// Without the key nobody can tell which word a pseudonym stands for, but by what the
// text around it says. It is for one goroutine.
type Pseudonyms struct {
	key    []byte
	kept   words             // besides the vocabulary: names of fields, tools and the like
	stems  map[string]string // by stem
	heads  map[string]string // beginnings of long words, by beginning
	issued map[string]bool
}

// NewPseudonyms makes them from a key, which should be random and thrown away.
func NewPseudonyms(key []byte) *Pseudonyms {
	p := &Pseudonyms{key: key, kept: words{}, stems: map[string]string{}, heads: map[string]string{}, issued: map[string]bool{}}
	for _, by := range []domain.Correlator{domain.ByApprovalToken, domain.ByReply, domain.ByReaction} {
		p.keep(string(by)) // the only names in metadata that decide anything, beside severity
	}
	return p
}

// keep makes the words of a text stay.
func (p *Pseudonyms) keep(text string) { eachWord(text, p.kept.add) }

// word is a word's pseudonym, or the word itself when everybody knows it.
func (p *Pseudonyms) word(word string) string {
	if utf8.RuneCountInString(word) < 2 || vocabulary().has(word) || p.kept.has(word) {
		return word
	}
	return p.named(word)
}

// named is the pseudonym of a word that names somebody, also when everybody knows it.
func (p *Pseudonyms) named(word string) string {
	// What inflection added stays: closed and closes are one word.
	stem := relate.Stem(word)
	if !isPlain(stem) {
		return p.foreign(word)
	}
	plain := plainly(word)
	common := 0
	for common < min(len(plain), len(stem)) && plain[common] == stem[common] {
		common++
	}
	pseudonym := p.stem(stem)
	ending := plain[common:]
	if common == len(stem) && ending != "" && ending[0] == stem[len(stem)-1] { // Ross: ros and another s
		ending = pseudonym[len(pseudonym)-1:] + ending[1:]
	}
	return inCase(pseudonym[:common]+pseudonym[len(stem):]+ending, word)
}

// plainly is a word in small letters without accents, as far as a stem is.
func plainly(word string) string {
	if lower := strings.ToLower(word); isPlain(lower) {
		return lower
	}
	// The stem of a word with a letter behind that is never cut off.
	return strings.TrimSuffix(relate.Stem(word+"q"), "q")
}

func isPlain(word string) bool {
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return false
		}
	}
	return word != ""
}

// The letters of pseudonyms. No word of these has an ending that inflection could
// have added.
const (
	consonants = "bdfgjklmnprtvw"
	lastOnes   = "bklmprtv"
	vowels     = "aou"
)

// stem is the pseudonym of a stem.
func (p *Pseudonyms) stem(stem string) string {
	if known, ok := p.stems[stem]; ok {
		return known
	}
	head := ""
	if len(stem) > relate.FamilySize { // of a family with others that begin alike
		head = p.head(stem[:relate.FamilySize])
	}
	p.stems[stem] = p.issue(stem, func(random []byte) string {
		return ended(spell(head, len(stem), random), stem, random[31])
	})
	return p.stems[stem]
}

// ended gives a word a last letter of the kind that a stem has, or inflection would
// change the one and not the other.
func ended(word, stem string, random byte) string {
	rest, last := word[:len(word)-1], word[len(word)-1]
	switch end := stem[len(stem)-1]; {
	case end == 'i' || end == 'e': // as of party and parties, or of a word too short to lose it
		return rest + string(end)
	case strings.IndexByte(vowels, end) >= 0:
		if strings.IndexByte(vowels, last) < 0 {
			return rest + string(vowels[int(random)%len(vowels)])
		}
		return word
	}
	i := int(random) % len(lastOnes)
	for strings.IndexByte(lastOnes, last) < 0 || rest != "" && last == rest[len(rest)-1] {
		last = lastOnes[i%len(lastOnes)]
		i++
	}
	return rest + string(last)
}

// head is the pseudonym of the beginning of long words.
func (p *Pseudonyms) head(head string) string {
	known, ok := p.heads[head]
	if !ok {
		known = p.issue("~"+head, func(random []byte) string { return "~" + spell("", len(head), random) })[1:]
		p.heads[head] = known
	}
	return known
}

// issue makes words until one is new and no word that everybody knows. Where all
// of a length are taken it is a longer one.
func (p *Pseudonyms) issue(word string, invent func(random []byte) string) string {
	for n := uint32(0); ; n++ {
		hash := sha256.New()
		// A hash takes every write.
		_, _ = hash.Write(p.key)
		_, _ = hash.Write(binary.BigEndian.AppendUint32(nil, n))
		_, _ = hash.Write([]byte(word))
		random := hash.Sum(nil)
		out := invent(random)
		if n > 200 {
			out = spell(out, len(out)+int(n/200), random[8:])
		}
		if p.issued[out] || vocabulary().has(out) || p.kept.has(out) {
			continue
		}
		p.issued[out] = true
		return out
	}
}

// spell writes letters behind a beginning until there are so many, a consonant and
// a vowel in turn.
func spell(head string, length int, random []byte) string {
	out := []byte(head)
	turn := int(random[0]) % 2
	for i := len(out); i < length; i++ {
		from := vowels
		last := byte(0)
		if i > 0 {
			last = out[i-1]
		}
		if i == 0 && turn == 0 || i > 0 && strings.IndexByte(vowels, last) >= 0 {
			from = consonants
		}
		out = append(out, from[int(random[i%30]+byte(i))%len(from)])
	}
	return string(out)
}

// inCase writes a word with the capitals of another.
func inCase(word, like string) string {
	pattern := []rune(like)
	out := []byte(word)
	capitals := strings.ToUpper(like) == like
	for i := range out {
		at := min(i, len(pattern)-1)
		if i >= len(pattern) && !capitals || !unicode.IsUpper(pattern[at]) {
			continue
		}
		out[i] = byte(unicode.ToUpper(rune(out[i])))
	}
	return string(out)
}

// account is the pseudonym of a bank account's number: of its country, with other signs.
func (p *Pseudonyms) account(number string) string {
	hash := sha256.New()
	// A hash takes every write.
	_, _ = hash.Write(p.key)
	_, _ = hash.Write([]byte(strings.ReplaceAll(number, " ", "")))
	random := hash.Sum(nil)
	const country = 2
	n := 0
	return number[:country] + strings.Map(func(r rune) rune {
		if r == ' ' {
			return r
		}
		n++
		from := rune(random[n%len(random)])
		if unicode.IsDigit(r) {
			return '0' + from%10
		}
		return 'A' + from%26
	}, number[country:])
}

// foreign is the pseudonym of a word of another script, letter by letter: each
// becomes one of its neighbours.
func (p *Pseudonyms) foreign(word string) string {
	hash := sha256.New()
	// A hash takes every write.
	_, _ = hash.Write(p.key)
	_, _ = hash.Write([]byte(strings.ToLower(word)))
	random := hash.Sum(nil)
	i := 0
	return strings.Map(func(r rune) rune {
		i++
		if !unicode.IsLetter(r) {
			return r
		}
		lower := unicode.ToLower(r)
		block := lower &^ 15
		other := block | rune(random[i%len(random)]+byte(i))&15
		if !unicode.IsLetter(other) || unicode.IsLower(other) != unicode.IsLower(lower) {
			other = lower
		}
		if unicode.IsUpper(r) {
			other = unicode.ToUpper(other)
		}
		return other
	}, word)
}
