package httpapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"chalie/adapters/api"
	"chalie/adapters/api/reading"
	"chalie/commands"
	"chalie/domain"
)

// keepBuffer is the size above which a buffer is not kept for the next request.
const keepBuffer = 64 << 10

// body reads the whole body, up to the bound and never further. It is valid
// until release.
func (x *exchange) body() ([]byte, error) {
	bound := min(x.api.cfg.MaxBodyBytes, x.route.Body.Most)
	if x.r.ContentLength > bound {
		x.w.Header().Set("Connection", "close")
		return nil, tooLarge(bound)
	}
	x.buffer, _ = x.api.buffers.Get().(*bytes.Buffer)
	if x.buffer == nil {
		x.buffer = &bytes.Buffer{}
	}
	_, err := x.buffer.ReadFrom(x.arriving(bound))
	if _, over := errors.AsType[*http.MaxBytesError](err); over {
		return nil, tooLarge(bound)
	}
	if domain.CodeOf(err) == codeNoRoom {
		return nil, err
	}
	if err != nil {
		return nil, &domain.Error{Op: "read body", Category: domain.Validation, Code: "invalid", Err: err,
			Message: "the body ended early or could not be read: send it again"}
	}
	return domain.WithoutMark(x.buffer.Bytes()), nil
}

// read reads a body that is a JSON object into the route's shape. An optional body that
// is missing leaves the shape as it is.
func (x *exchange) read(into any) error {
	body, err := x.body()
	if err != nil || x.route.Body.Optional && len(bytes.TrimSpace(body)) == 0 {
		return err
	}
	return readJSON(body, into)
}

// readJSON reads a JSON object into a shape.
func readJSON(body []byte, into any) error {
	v, err := parse(body)
	if err != nil {
		return err
	}
	return v.Into("", into)
}

// wrapping is how many objects and arrays enclose the free values of a body at most: the
// permissions of an approval, {"approved_scopes":{"context":{"…": …}}}.
const wrapping = 3

func parse(body []byte) (reading.Value, error) { return reading.Parse(body, "the body", wrapping) }

// readObject reads the request's body, which what names in errors, into a shape.
func (x *exchange) readObject(what string, into any) ([]byte, error) {
	body, v, err := x.parsed()
	if err != nil {
		return nil, err
	}
	return body, v.Into(what, into)
}

// parsed is the request's body and its JSON value.
func (x *exchange) parsed() (body []byte, v reading.Value, err error) {
	if body, err = x.body(); err == nil {
		v, err = parse(body)
	}
	return body, v, err
}

// release returns the body's buffer.
func (x *exchange) release() {
	x.giveRoom()
	if x.buffer == nil || x.buffer.Cap() > keepBuffer {
		return
	}
	x.buffer.Reset()
	x.api.buffers.Put(x.buffer)
	x.buffer = nil
}

func tooLarge(bound int64) error {
	return &domain.Error{Op: "read body", Category: domain.Validation, Code: domain.CodeTooLarge,
		Message: fmt.Sprintf("the body is over %d bytes: send less, or several requests", bound)}
}

const kib = 1 << 10

// sender is the group of callers that a body's memory is counted for.
type sender int

const (
	byStranger sender = iota // without credentials
	byProgram                // a token, or an interface by its id
	byOperator
)

// Of the memory for bodies under way strangers may use an eighth, and programs together
// with strangers five eighths, so that some is always left for the person.
const (
	strangersPart = 1
	programsPart  = 5
	parts         = 8
)

// A body for which there is no memory waits this long and is then refused.
const (
	roomPatience = 2 * time.Second
	// freeBytes of each body aren't counted: a connection alone takes as much, and a
	// login must not depend on the memory that strangers leave.
	freeBytes = 4 * kib
	// strangersTime bounds the time to receive a stranger's body.
	strangersTime = 10 * time.Second
)

// bodies counts the memory of the bodies of requests under way, and of interfaces'
// answers to them.
type bodies struct {
	all int64 // the bound for all together

	mu    sync.Mutex
	taken [byOperator + 1]int64
	freed chan struct{} // closed when some is given back; nil without waiters
}

// fits reports whether n bytes more of a sender have room. The lock is held.
func (b *bodies) fits(who sender, n int64) bool {
	sum := n
	for s, taken := range b.taken {
		sum += taken
		switch {
		case sender(s) < who:
		case sender(s) == byStranger && sum > b.all*strangersPart/parts, sender(s) == byProgram && sum > b.all*programsPart/parts:
			return false
		}
	}
	return sum <= b.all
}

// take counts n bytes, waiting until they fit.
func (b *bodies) take(ctx context.Context, who sender, n int64) error {
	ctx, cancel := context.WithTimeout(ctx, roomPatience)
	defer cancel()
	for {
		b.mu.Lock()
		if b.fits(who, n) {
			b.taken[who] += n
			b.mu.Unlock()
			return nil
		}
		if b.freed == nil {
			b.freed = make(chan struct{})
		}
		freed := b.freed
		b.mu.Unlock()
		select {
		case <-freed:
		case <-ctx.Done():
			return &domain.Error{Op: "read body", Category: domain.Dependency, Code: codeNoRoom, Retriable: true, RetryAfter: time.Second,
				Message: fmt.Sprintf("the requests under way take more than the %d KiB there is room for: try again in a moment", b.all>>10)}
		}
	}
}

func (b *bodies) give(who sender, n int64) {
	if n == 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.taken[who] -= n
	if b.freed != nil {
		close(b.freed)
		b.freed = nil
	}
}

// codeNoRoom says that the bodies under way leave no room for another.
const codeNoRoom domain.Code = "busy"

// arriving is the request's body up to a bound. A stranger's has less time to come than
// others.
func (x *exchange) arriving(bound int64) io.Reader {
	if x.sender() == byStranger {
		// Where there is no connection, as in tests, nothing is late.
		_ = http.NewResponseController(x.w).SetReadDeadline(time.Now().Add(strangersTime))
	}
	return &metered{x: x, from: http.MaxBytesReader(x.w, x.r.Body, bound)}
}

// metered counts a body's bytes as they arrive: an announced body that never comes takes
// no memory.
type metered struct {
	x    *exchange
	from io.Reader
	read int64
}

func (m *metered) Read(p []byte) (int, error) {
	n, err := m.from.Read(p)
	if m.read += int64(n); errors.Is(err, io.EOF) && m.x.sender() == byStranger {
		// What is made of it may take longer; the server's own deadline counts again.
		_ = http.NewResponseController(m.x.w).SetReadDeadline(time.Now().Add(readTimeout))
	}
	if more := m.read - freeBytes - m.x.room; n > 0 && more > 0 {
		if err := m.x.takeRoom(more); err != nil {
			return 0, err
		}
	}
	return n, err
}

// takeRoom counts n more bytes until the request ends.
func (x *exchange) takeRoom(n int64) error {
	if err := x.api.bodies.take(x.r.Context(), x.sender(), n); err != nil {
		return err
	}
	x.room += n
	return nil
}

// withRoom is the request's context for calls to interfaces: their answers count as
// bodies, too.
func (x *exchange) withRoom() context.Context {
	return commands.WithIntake(x.r.Context(), commands.Intake{Take: x.takeRoom})
}

// sender is the group that the request's body is counted for, and an interface's answer
// to it.
func (x *exchange) sender() sender {
	switch {
	case x.trusted || x.caller.Operator:
		return byOperator
	case x.stranger || x.who == api.Anyone || x.route.Name == "registerDaemon":
		return byStranger
	}
	return byProgram
}

// giveRoom ends the counting of the request's bytes.
func (x *exchange) giveRoom() {
	x.api.bodies.give(x.sender(), x.room)
	x.room = 0
}
