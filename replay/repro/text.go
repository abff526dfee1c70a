package repro

import (
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"chalie/domain"
	"chalie/domain/relate"
)

// eachWord calls fn with every run of letters of a text.
func eachWord(text string, fn func(word string)) {
	for at := 0; at < len(text); {
		end := wordEnd(text, at)
		if end > at {
			fn(text[at:end])
			at = end
			continue
		}
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
}

// wordEnd is where the word that begins at from ends; from itself when none does.
func wordEnd(text string, from int) int {
	at := from
	for at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		if r == utf8.RuneError && size <= 1 || !unicode.IsLetter(r) && !(unicode.IsMark(r) && at > from) {
			return at
		}
		at += size
	}
	return at
}

// ids finds what may be an id or a hash within a text: ULIDs, UUIDs, and sixteen
// hexadecimal digits or more.
var ids = regexp.MustCompile(`\b(?:[0-7][0-9A-HJKMNP-TV-Z]{25}|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}|[0-9a-f]{16,})\b`)

// accounts finds what may be the number of a bank account, an IBAN.
var accounts = regexp.MustCompile(`\b[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b`)

// domains finds names of domains, with the mailbox before them: those that end as the
// domains of countries do, or as one of the common others.
var domains = regexp.MustCompile(`(?i)(?:[a-z0-9._%+-]+@)?\b(?:[a-z0-9-]+\.)+(?:com|org|net|info|biz|edu|gov|int|mil|name|app|dev|shop|online|site|cloud|example|local|lan|home|[a-z]{2})\b`)

// text puts pseudonyms in the place of a text's words. What stands between words,
// numbers, ids and hashes stay.
func (p *Pseudonyms) text(text string) string {
	if text == "" || isZone(text) {
		return text
	}
	var out strings.Builder
	at := 0
	for _, found := range p.marked(text) {
		if found.start < at {
			continue // within one before it
		}
		p.words(&out, text[at:found.start])
		out.WriteString(found.as)
		at = found.end
	}
	p.words(&out, text[at:])
	return out.String()
}

// mark is a part of a text that isn't replaced word by word, and what stands for it.
type mark struct {
	start, end int
	as         string
}

// marked are the parts of a text that aren't replaced word by word, in order.
func (p *Pseudonyms) marked(text string) (out []mark) {
	for _, kind := range []struct {
		is *regexp.Regexp
		as func(found string) (string, bool)
	}{
		{ids, func(found string) (string, bool) { return found, isID(found) }},
		{accounts, func(found string) (string, bool) { return p.account(found), isAccount(found) }},
		{domains, p.domain},
	} {
		for _, at := range kind.is.FindAllStringIndex(text, -1) {
			if as, ok := kind.as(text[at[0]:at[1]]); ok {
				out = append(out, mark{at[0], at[1], as})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b mark) int { return a.start - b.start })
	return out
}

// domain is the pseudonym of a domain, with other words for all but its end; false for what
// is made of names that stay, such as a tool's.
func (p *Pseudonyms) domain(found string) (string, bool) {
	last := strings.LastIndexByte(found, '.')
	var out strings.Builder
	own := false
	p.each(&out, found[:last], func(word string) string {
		if utf8.RuneCountInString(word) < 2 || p.kept[relate.Stem(word)] {
			return word
		}
		own = true
		return p.named(word)
	})
	return out.String() + found[last:], own
}

// isAccount checks a number as ISO 13616 has it: the rest by 97 is 1.
func isAccount(number string) bool {
	number = strings.ReplaceAll(number, " ", "")
	const front = 4
	rest := 0
	for _, r := range number[front:] + number[:front] {
		if r >= 'A' {
			rest = rest*100 + int(r-'A') + 10
		} else {
			rest = rest*10 + int(r-'0')
		}
		rest %= 97
	}
	return rest == 1
}

// isID tells an id or a hash from a long word.
func isID(text string) bool {
	if _, err := domain.ParseID(text); err == nil {
		return true
	}
	return strings.ContainsAny(text, "0123456789")
}

// isZone knows the names of time zones: without them no time is what it was.
func isZone(text string) bool {
	if !strings.Contains(text, "/") || strings.ContainsAny(text, " .:") {
		return false
	}
	_, err := time.LoadLocation(text)
	return err == nil
}

func (p *Pseudonyms) words(out *strings.Builder, text string) { p.each(out, text, p.word) }

// each writes a text with something else for each word.
func (p *Pseudonyms) each(out *strings.Builder, text string, as func(word string) string) {
	from := 0
	for at := 0; at < len(text); {
		end := wordEnd(text, at)
		if end == at {
			_, size := utf8.DecodeRuneInString(text[at:])
			at += size
			continue
		}
		out.WriteString(text[from:at])
		out.WriteString(as(text[at:end]))
		at, from = end, end
	}
	out.WriteString(text[from:])
}
