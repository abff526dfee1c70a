package guard

import (
	"strings"
	"unicode/utf8"
)

// flat is a text as it is read by who looks for secrets in it: letters and signs of full
// width are those of ASCII, and what has no width isn't there. from and to are where each of
// its bytes began and ended; nil when the text is as it was.
type flat struct {
	text     string
	from, to []int
}

// flatten is a text made flat. It looks at each byte once where there is nothing uneven.
func flatten(text string) flat {
	if !strings.ContainsFunc(text, uneven) {
		return flat{text: text}
	}
	out := flat{from: make([]int, 0, len(text)), to: make([]int, 0, len(text))}
	var b strings.Builder
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		switch {
		case r >= '！' && r <= '～':
			b.WriteByte(byte(r - '！' + '!'))
			out.add(at, size, 1)
		case uneven(r):
		default:
			b.WriteString(text[at : at+size])
			out.add(at, size, size)
		}
		at += size
	}
	out.text = b.String()
	return out
}

func (f *flat) add(at, size, bytes int) {
	for range bytes {
		f.from, f.to = append(f.from, at), append(f.to, at+size)
	}
}

// uneven reports whether a sign is of full width, or of none.
func uneven(r rune) bool {
	return r >= 0xad && (r == 0xad || r >= 0x200b && r <= 0x200f || r >= 0x2060 && r <= 0x2064 || r == 0xfeff || r >= '！' && r <= '～')
}

// back are secrets as they stand in the text that was flattened.
func (f flat) back(found []Secret) []Secret {
	if f.from == nil {
		return found
	}
	for i := range found {
		found[i].Start, found[i].End = f.from[found[i].Start], f.to[found[i].End-1]
	}
	return found
}

// before is where the first n bytes end in the text that was flattened.
func (f flat) before(n int) int {
	switch {
	case f.from == nil:
		return n
	case n == 0:
		return 0
	}
	return f.to[n-1]
}
