package guard

// hidden counts characters that nobody sees. A few have their place in some
// scripts and in emoji; what counts is how many, and where.
type hidden struct {
	from, to   int
	zero       int // zero-width, between Latin letters
	variants   int // variation selectors in a row
	bidi, tags bool
}

// is reports whether a character is invisible.
func (h *hidden) is(c rune) bool {
	return c >= 0x200B && c <= 0x200F || c >= 0x202A && c <= 0x202E || c >= 0x2060 && c <= 0x2069 ||
		c == 0xFEFF || c == 0x00AD || c == 0x180E || isTag(c) || isVariant(c)
}

// isTag reports whether a character repeats ASCII invisibly.
func isTag(c rune) bool { return c >= 0xE0000 && c <= 0xE007F }

func isVariant(c rune) bool { return c >= 0xFE00 && c <= 0xFE0F || c >= 0xE0100 && c <= 0xE01EF }

// add takes one. The word under way goes on: that is what they are for.
func (h *hidden) add(r *reader, c rune, at, size int) {
	if h.zero == 0 && h.variants == 0 && !h.bidi && !h.tags {
		h.from = at
	}
	switch {
	case isTag(c):
		// Flags of some regions are spelt with them, after a black flag.
		h.tags = h.tags || at < 4 || r.text[at-4:at] != "\U0001F3F4" && !h.inFlag(r.text, at)
	case isVariant(c):
		h.variants++
	case c >= 0x202A && c <= 0x202E || c >= 0x2066 && c <= 0x2069:
		h.bidi = true
	case r.began && r.n <= maxWord && r.n > 0 && isAlnum.has(r.buf[min(r.n, maxWord)-1]):
		h.zero++
	}
	if c < 0xE0100 && c != 0xFE0F && isVariant(c) {
		h.variants-- // of emoji and mathematics
	}
	h.to = at + size
}

// maxFlag is how many tag characters follow a black flag, at most.
const maxFlag = 6

// inFlag reports whether a tag character belongs to the flag of a region.
func (h *hidden) inFlag(text string, at int) bool {
	for n := 1; n <= maxFlag && at-4*n-4 >= 0; n++ {
		if text[at-4*n-4:at-4*n] == "\U0001F3F4" {
			return true
		}
	}
	return false
}

// end judges what was counted.
func (h *hidden) end(r *reader) {
	if h.tags {
		r.flag(Threat{Injection, "invisible text", Critical, h.from, h.to})
	}
	if h.bidi {
		r.flag(Threat{Injection, "reversed text", Medium, h.from, h.to})
	}
	if h.zero > 0 {
		r.flag(Threat{Injection, "letters with nothing between them", Medium, h.from, h.to})
	}
	if h.variants >= 16 {
		r.flag(Threat{Injection, "data in variation selectors", High, h.from, h.to})
	}
}

// fold is the small Latin letter that a character looks like, 0 when it looks
// like none.
func fold(c rune) byte {
	switch {
	case c >= 0xFF01 && c <= 0xFF5E: // full width
		if b := byte(c - 0xFF01 + '!'); isAlnum.has(b) {
			return lower(b)
		}
		return 0
	case c >= 0xE0 && c <= 0xFF || c >= 0xC0 && c <= 0xDF:
		return accented(c | 0x20)
	case c >= 0x370 && c < 0x530:
		return lookalike(c)
	case c >= 0x1D400 && c < 0x1D6A4: // mathematical letters
		return "abcdefghijklmnopqrstuvwxyz"[(c-0x1D400)%26]
	}
	return 0
}

// accented is a Latin letter without its accent.
func accented(c rune) byte {
	switch {
	case c >= 0xE0 && c <= 0xE5:
		return 'a'
	case c == 0xE7:
		return 'c'
	case c >= 0xE8 && c <= 0xEB:
		return 'e'
	case c >= 0xEC && c <= 0xEF:
		return 'i'
	case c == 0xF1:
		return 'n'
	case c >= 0xF2 && c <= 0xF6:
		return 'o'
	case c >= 0xF9 && c <= 0xFC:
		return 'u'
	}
	return 0
}

// lookalike is the Latin letter that a Cyrillic or Greek one passes for.
func lookalike(c rune) byte {
	switch c {
	case 'а', 'А', 'Α', 'α':
		return 'a'
	case 'е', 'Е', 'Ε', 'ё':
		return 'e'
	case 'о', 'О', 'Ο', 'ο':
		return 'o'
	case 'р', 'Р', 'Ρ', 'ρ':
		return 'p'
	case 'с', 'С':
		return 'c'
	case 'у', 'У', 'Υ':
		return 'y'
	case 'х', 'Х', 'Χ':
		return 'x'
	case 'і', 'І', 'Ι', 'ι':
		return 'i'
	case 'ѕ', 'Ѕ':
		return 's'
	case 'ν':
		return 'v'
	case 'ԁ':
		return 'd'
	case 'һ':
		return 'h'
	}
	return 0
}
