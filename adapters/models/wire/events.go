package wire

import (
	"bufio"
	"bytes"
	"io"
)

// reader reads the data of server-sent events, as the HTML standard defines them.
// Their ids and times to wait are left out: the APIs have no use for them.
//
// It looks at each byte once. A stream that arrives in small pieces costs no more
// than one that arrives whole.
type reader struct {
	from  *bufio.Reader
	line  []byte
	data  []byte
	name  string // of the event whose data they are; the APIs repeat it in the data, but for errors
	has   bool   // data came
	begun bool   // a line was read: a byte order mark can't come any more
	ended bool   // the last line ended in CR, so a LF directly behind belongs to it
}

func newReader(from io.Reader) *reader { return &reader{from: bufio.NewReader(from)} }

// next returns the data of the next event, valid until the call after it. What has
// no empty line behind it is no event: io.EOF comes instead.
func (r *reader) next() ([]byte, error) {
	r.data, r.name, r.has = r.data[:0], "", false
	for {
		line, err := r.readLine()
		if err != nil {
			return nil, err
		}
		if len(line) == 0 {
			if r.has {
				return r.data, nil
			}
			r.name = ""
			continue
		}
		r.field(line)
		if len(r.data) > maxEventBytes {
			return nil, tooLarge("an event", maxEventBytes)
		}
	}
}

// field takes a line of an event.
func (r *reader) field(line []byte) {
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(name) {
	case "event":
		r.name = string(value)
	case "data":
		if r.has {
			r.data = append(r.data, '\n')
		}
		r.data, r.has = append(r.data, value...), true
	}
}

// pending is the data of what has no empty line behind it, when the stream has ended. Servers
// forget that line at the end, and only the data can tell whether they are whole.
func (r *reader) pending() []byte {
	if len(r.line) > 0 {
		r.field(r.line)
		r.line = r.line[:0]
	}
	return r.data
}

// readLine reads up to a LF, a CR, or both, and returns what is before.
func (r *reader) readLine() ([]byte, error) {
	for r.line = r.line[:0]; ; {
		if _, err := r.from.Peek(1); err != nil {
			return nil, err
		}
		here, _ := r.from.Peek(r.from.Buffered()) // it is there
		if r.ended && here[0] == '\n' {
			here = here[1:]
			r.skip(1)
		}
		end := bytes.IndexAny(here, "\r\n")
		found := end >= 0
		if !found {
			end = len(here)
		}
		r.line, r.ended = append(r.line, here[:end]...), found && here[end] == '\r'
		if len(r.line) > maxEventBytes+maxFieldBytes {
			return nil, tooLarge("a line", maxEventBytes)
		}
		if !found {
			r.skip(end)
			continue
		}
		r.skip(end + 1)
		line := r.line
		if !r.begun {
			line, r.begun = bytes.TrimPrefix(line, []byte("\ufeff")), true
		}
		return line, nil
	}
}

// skip goes on behind bytes that are in the buffer.
func (r *reader) skip(n int) { _, _ = r.from.Discard(n) }

// maxFieldBytes is the room that the name of a field takes before an event's data.
const maxFieldBytes = len("data: ")
