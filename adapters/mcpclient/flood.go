package mcpclient

import (
	"bytes"
	"fmt"
	"io"
	"time"
)

// floodError says that a server sends more messages than it may.
type floodError struct{ perSecond int }

func (e *floodError) Error() string {
	return fmt.Sprintf("it sent more than %d messages a second", e.perSecond)
}

// sizeError says that a message is larger than it may be.
type sizeError struct{ most int }

func (e *sizeError) Error() string {
	return fmt.Sprintf("it sent a message of more than %d bytes", e.most)
}

// metered reads lines, and ends with an error where there are too many or one is too long:
// what is read is held in memory until it is taken, so a flood has to end here.
type metered struct {
	from io.ReadCloser
	most int // bytes of a line
	per  int // lines a second; five times as many are in reserve
	now  func() time.Time
	told func(error) // of the error that ends it

	line  int
	room  float64
	since time.Time
}

func newMetered(from io.ReadCloser, most, per int, told func(error)) *metered {
	return &metered{from: from, most: most, per: per, now: time.Now, told: told, room: float64(5 * per), since: time.Now()}
}

func (m *metered) Read(p []byte) (int, error) {
	n, err := m.from.Read(p)
	if no := m.count(p[:n]); no != nil {
		m.told(no)
		return 0, no
	}
	return n, err
}

func (m *metered) count(read []byte) error {
	lines := bytes.Count(read, []byte("\n"))
	for rest := read; ; {
		end := bytes.IndexByte(rest, '\n')
		if end < 0 {
			m.line += len(rest)
			break
		}
		if m.line+end > m.most {
			return &sizeError{m.most}
		}
		m.line, rest = 0, rest[end+1:]
	}
	if m.line > m.most {
		return &sizeError{m.most}
	}
	now := m.now()
	m.room = min(float64(5*m.per), m.room+now.Sub(m.since).Seconds()*float64(m.per)) - float64(lines)
	m.since = now
	if m.room < 0 {
		return &floodError{m.per}
	}
	return nil
}

func (m *metered) Close() error { return m.from.Close() }
