package term

import (
	"fmt"
	"io"
	"slices"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Escaping writes JSON with every character that isn't seen escaped, so that what
// strangers sent neither steers a terminal nor looks like something else there.
// Its value stays the same: outside strings JSON has nothing beyond ASCII. A
// character may come in two writes.
func Escaping(out io.Writer) io.Writer { return &escaping{out: out} }

type escaping struct {
	out  io.Writer
	rest []byte // the begin of a character, from the write before
}

// Write takes all of text, or fails.
func (e *escaping) Write(text []byte) (int, error) {
	in := slices.Concat(e.rest, text)
	out := make([]byte, 0, len(in))
	for len(in) > 0 && (in[0] < utf8.RuneSelf || utf8.FullRune(in)) {
		r, size := utf8.DecodeRune(in)
		if isSeen(r) && (r != utf8.RuneError || size > 1) {
			out = append(out, in[:size]...)
		} else {
			out = appendEscaped(out, r)
		}
		in = in[size:]
	}
	e.rest = append([]byte(nil), in...)
	if _, err := e.out.Write(out); err != nil {
		return 0, err
	}
	return len(text), nil
}

// isSeen reports whether a character takes its place on a screen, as itself: no
// control, mark of direction, joiner, selector or filler, and no space but the
// plain one. ASCII below it is left as it is: valid JSON has it only between
// values.
func isSeen(r rune) bool {
	return r < 0x7F || unicode.IsPrint(r) && !unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// appendEscaped writes a character as JSON's escape; one beyond 16 bits takes two.
func appendEscaped(dst []byte, r rune) []byte {
	if high, low := utf16.EncodeRune(r); high != unicode.ReplacementChar {
		return fmt.Appendf(dst, `\u%04x\u%04x`, high, low)
	}
	return fmt.Appendf(dst, `\u%04x`, r)
}
