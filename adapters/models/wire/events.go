package wire

import (
	"bufio"
	"bytes"
	"io"
)

// reader reads the data of server-sent events, as the HTML standard defines them.
// Their names, ids and times to wait are left out: the APIs repeat the name in the
// data and have no use for the rest.
//
// It looks at each byte once. A stream that arrives in small pieces costs no more
// than one that arrives whole.
type reader struct {
	from  *bufio.Reader
	line  []byte
	data  []byte
	begun bool // a line was read: a byte order mark can't come any more
	ended bool // the last line ended in CR, so a LF directly behind belongs to it
}

func newReader(from io.Reader) *reader { return &reader{from: bufio.NewReader(from)} }

// next returns the data of the next event, valid until the call after it. What has
// no empty line behind it is no event: io.EOF comes instead.
func (r *reader) next() ([]byte, error) {
	r.data = r.data[:0]
	for has := false; ; {
		line, err := r.readLine()
		if err != nil {
			return nil, err
		}
		if len(line) == 0 {
			if has {
				return r.data, nil
			}
			continue
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		if string(name) != "data" {
			continue
		}
		if has {
			r.data = append(r.data, '\n')
		}
		r.data, has = append(r.data, bytes.TrimPrefix(value, []byte(" "))...), true
		if len(r.data) > maxEventBytes {
			return nil, tooLarge("an event", maxEventBytes)
		}
	}
}

// readLine reads up to a LF, a CR, or both, and returns what is before.
func (r *reader) readLine() ([]byte, error) {
	r.line = r.line[:0]
	for {
		c, err := r.from.ReadByte()
		if err != nil {
			return nil, err
		}
		behind := r.ended && c == '\n'
		r.ended = c == '\r'
		switch {
		case behind:
		case c == '\n' || c == '\r':
			line := r.line
			if !r.begun {
				line, r.begun = bytes.TrimPrefix(line, []byte("\ufeff")), true
			}
			return line, nil
		case len(r.line) == maxEventBytes+maxFieldBytes:
			return nil, tooLarge("a line", maxEventBytes)
		default:
			r.line = append(r.line, c)
		}
	}
}

// maxFieldBytes is the room that the name of a field takes before an event's data.
const maxFieldBytes = len("data: ")
