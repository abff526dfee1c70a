package guard

// set is a set of ASCII bytes, one bit for each.
type set struct{ low, high uint64 }

const (
	digitBits  = 0x3ff << '0'
	letterBits = 0x3ffffff<<('A'-64) | 0x3ffffff<<('a'-64)
	underscore = 1 << ('_' - 64)
)

// The sets that runs and keys are made of: letters, digits, and a few more.
var (
	isAlnum = set{digitBits, letterBits}
	isWord  = set{digitBits, letterBits | underscore}
	inKey   = set{digitBits | 1<<'-', letterBits | underscore}
	inRun   = set{digitBits | 1<<'-' | 1<<'.', letterBits | underscore}
	inPath  = set{digitBits | 1<<'-' | 1<<'/', letterBits | underscore}
	inAuth  = set{digitBits | 1<<'-' | 1<<'.' | 1<<'+' | 1<<'/' | 1<<'=', letterBits | underscore | 1<<('~'-64)}
)

func (s set) has(c byte) bool {
	if c < 64 {
		return s.low>>c&1 != 0
	}
	return c < 128 && s.high>>(c-64)&1 != 0
}

// span is the length of a run of a set, in bytes, up to most.
func (s set) span(text string, most int) int {
	n := min(len(text), most)
	for i := range n {
		if !s.has(text[i]) {
			return i
		}
	}
	return n
}

// mix says which kinds of characters a text has.
type mix struct {
	digits, lower, upper, other int
	longest                     int // run of letters and digits
}

func mixOf(text string) (m mix) {
	run := 0
	for i := range len(text) {
		switch c := text[i]; {
		case '0' <= c && c <= '9':
			m.digits++
		case 'a' <= c && c <= 'z':
			m.lower++
		case 'A' <= c && c <= 'Z':
			m.upper++
		default:
			m.other++
			run = -1
		}
		run++
		m.longest = max(m.longest, run)
	}
	return m
}

func (m mix) letters() int { return m.lower + m.upper }

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
