package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"chalie/domain"
)

// batchesUntil is the version of the protocol from which on a line holds one message.
const batchesUntil = "2025-06-18"

// lines is a connection with a program, a message a line. The library ends a session at the
// first line that it can't read, and drops what is under way at the end of what it reads. So
// such a line is answered here with an error, and the end waits for the answers that are due.
type lines struct {
	conn io.ReadWriteCloser
	from *bufio.Reader
	rest []byte // of the line that is being read

	left   context.Context // done when the program sends no more
	leave  context.CancelFunc
	within time.Duration // that answers which are due then may take
	takes  time.Duration // that the program may take to read a message
	closed chan struct{}
	once   sync.Once

	mu  sync.Mutex        // of writing, and of what follows
	due map[string]string // the methods of the requests without an answer, by id
	// cancelled are the requests of which the library's answer is left out, by id.
	cancelled map[string]bool
	none      chan struct{} // closed when the program sends no more and nothing is due
	version   string        // that is spoken; "" before it is known
}

func newLines(conn io.ReadWriteCloser, within time.Duration) *lines {
	l := &lines{conn: conn, within: within, takes: takesWithin, from: bufio.NewReader(conn), closed: make(chan struct{}), none: make(chan struct{}), due: map[string]string{}, cancelled: map[string]bool{}}
	l.left, l.leave = context.WithCancel(context.Background())
	return l
}

// takesWithin is how long a program may take to read a message. One that doesn't is let go: all that
// answers it would wait.
const takesWithin = time.Minute

type leftKey struct{}

// leaving is done when the program that a request came from sends no more, so that nothing
// which asks its person something is answered any more.
func leaving(ctx context.Context) context.Context {
	if left, ok := ctx.Value(leftKey{}).(context.Context); ok {
		return left
	}
	return context.Background()
}

// Read gives the library messages, each on its line.
func (l *lines) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		line, err := l.line()
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
		if l.judge(line) {
			l.rest = slices.Concat(line, []byte{'\n'})
		} else if err != nil {
			l.waitForDue()
			return 0, err
		}
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// line reads the next line. One that is too long is told, and passed over.
func (l *lines) line() ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := l.from.ReadSlice('\n')
		if !long {
			line = append(line, part...)
		}
		if len(line) > MaxMessageBytes+1 {
			line, long = nil, true
			l.refuse(nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("a message may have %d bytes: this one has more, and was passed over", MaxMessageBytes))
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		return bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\uFEFF"))), err
	}
}

// Write implements io.Writer. The library writes a message at once, and an answer also to what
// was cancelled: that is left out.
func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	due := l.withoutCancelled(p)
	if len(due) == 0 {
		return len(p), nil
	}
	n, err := l.send(due)
	l.answered(due)
	if len(due) != len(p) && err == nil {
		n = len(p)
	}
	return n, err
}

// withoutCancelled is a message, or a list of them, without the answers to what was cancelled;
// nil when nothing is left. The caller holds the lock.
func (l *lines) withoutCancelled(line []byte) []byte {
	if len(l.cancelled) == 0 {
		return line
	}
	all := []json.RawMessage{line}
	isList := line[0] == '['
	if isList && json.Unmarshal(line, &all) != nil {
		return line
	}
	kept := slices.DeleteFunc(slices.Clone(all), func(one json.RawMessage) bool {
		var m spoken
		if json.Unmarshal(one, &m) != nil || len(m.Method) > 0 || !l.cancelled[idOf(m.ID)] {
			return false
		}
		delete(l.cancelled, idOf(m.ID))
		return true
	})
	switch {
	case len(kept) == len(all):
		return line
	case len(kept) == 0:
		return nil
	}
	return slices.Concat([]byte{'['}, bytes.Join(raws(kept), []byte{','}), []byte("]\n"))
}

func raws(all []json.RawMessage) [][]byte {
	out := make([][]byte, len(all))
	for i, one := range all {
		out[i] = one
	}
	return out
}

// send writes a message. The caller holds the lock.
func (l *lines) send(p []byte) (int, error) {
	if bounded, ok := l.conn.(interface{ SetWriteDeadline(time.Time) error }); ok {
		if err := bounded.SetWriteDeadline(time.Now().Add(l.takes)); err != nil {
			return 0, err
		}
	}
	n, err := l.conn.Write(p)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		_ = l.Close() // half of a message can't be gone on with
	}
	return n, err
}

// Close implements io.Closer.
func (l *lines) Close() error {
	l.once.Do(func() { close(l.closed) })
	l.leave()
	return l.conn.Close()
}

// spoken is what is read of a message.
type spoken struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  json.RawMessage `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   json.RawMessage `json:"error"`
}

// judge reports whether the library can read a line. Any other is answered, unless it is empty.
func (l *lines) judge(line []byte) bool {
	switch {
	case len(line) == 0:
		return false
	case domain.Nesting(line) > domain.MaxNesting:
		l.refuse(nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("a message may nest %d deep, and this one nests deeper", domain.MaxNesting))
		return false
	}
	all, code, words := messagesIn(line)
	if words == "" && line[0] == '[' {
		l.mu.Lock()
		batches := l.version != "" && l.version < batchesUntil
		l.mu.Unlock()
		if !batches {
			code, words = jsonrpc.CodeInvalidRequest, "a line holds one message in this version of the protocol, and this one is a list: send each on its line"
		}
	}
	if words != "" {
		var id json.RawMessage
		if len(all) == 1 && idOf(all[0].ID) != "" {
			id = all[0].ID
		}
		l.refuse(id, code, words)
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range all {
		var method string
		_ = json.Unmarshal(m.Method, &method) // an answer has none
		if method == "notifications/cancelled" {
			var of struct {
				ID json.RawMessage `json:"requestId"`
			}
			_ = json.Unmarshal(m.Params, &of) // then nothing is taken back
			if _, due := l.due[idOf(of.ID)]; due {
				delete(l.due, idOf(of.ID))
				l.cancelled[idOf(of.ID)] = true
			}
		}
		if id := idOf(m.ID); id != "" && method != "" {
			l.due[id] = method
		}
	}
	return true
}

// messagesIn are the messages of a line. words say what is wrong with it; "" when nothing is.
func messagesIn(line []byte) (all []spoken, code int64, words string) {
	if !json.Valid(line) {
		return nil, jsonrpc.CodeParseError, "this is no JSON: send a JSON-RPC message on one line"
	}
	if line[0] != '[' {
		all = make([]spoken, 1)
		if json.Unmarshal(line, &all[0]) != nil {
			return nil, jsonrpc.CodeInvalidRequest, "this is no JSON-RPC message: it has to be an object"
		}
	} else if json.Unmarshal(line, &all) != nil || len(all) == 0 {
		return nil, jsonrpc.CodeInvalidRequest, "this is no list of JSON-RPC messages"
	}
	seen := []string{}
	for _, m := range all {
		id := idOf(m.ID)
		var method string
		request := len(m.Method) > 0
		switch {
		case m.Version != "2.0":
			words = `jsonrpc has to be "2.0"`
		case request && json.Unmarshal(m.Method, &method) != nil:
			words = "method has to be a text"
		case len(m.ID) > 0 && string(m.ID) != "null" && id == "":
			words = "id has to be a text or a number"
		case !request && (id == "" || m.Result == nil && m.Error == nil):
			words = "it has neither a method nor an answer"
		case !request && m.Error != nil && json.Unmarshal(m.Error, new(jsonrpc.Error)) != nil:
			words = "error has to be an object with code and message"
		case request && id != "" && slices.Contains(seen, id):
			words = "two requests have the same id"
		default:
			seen = append(seen, id)
			continue
		}
		return all, jsonrpc.CodeInvalidRequest, "this is no JSON-RPC message: " + words
	}
	return all, 0, ""
}

// idOf tells the id of a request, as the library does; "" for none.
func idOf(id json.RawMessage) string {
	var v any
	_ = json.Unmarshal(id, &v) // then it is none
	switch v := v.(type) {
	case string:
		return "text " + v
	case float64:
		return fmt.Sprint(int64(v))
	}
	return ""
}

// refuse answers what the library isn't given.
func (l *lines) refuse(id json.RawMessage, code int64, words string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, _ = l.send(errorTo(id, code, words)) // a peer that is gone is told nothing
}

// answered notes what is due no more. The caller holds the lock.
func (l *lines) answered(line []byte) {
	var all []spoken
	if line[0] != '[' || json.Unmarshal(line, &all) != nil {
		all = make([]spoken, 1)
		if json.Unmarshal(line, &all[0]) != nil {
			return
		}
	}
	for _, m := range all {
		id := idOf(m.ID)
		if len(m.Method) > 0 || id == "" {
			continue
		}
		if l.due[id] == "initialize" {
			var opened struct {
				Version string `json:"protocolVersion"`
			}
			if json.Unmarshal(m.Result, &opened) == nil {
				l.version = opened.Version
			}
		}
		delete(l.due, id)
	}
	l.settle()
}

// waitForDue waits for the answers that are due when the program sends no more.
func (l *lines) waitForDue() {
	l.leave()
	l.mu.Lock()
	l.settle()
	l.mu.Unlock()
	patience := time.NewTimer(l.within)
	defer patience.Stop()
	select {
	case <-l.none:
	case <-l.closed:
	case <-patience.C:
	}
}

// settle tells that nothing is due. The caller holds the lock.
func (l *lines) settle() {
	if l.left.Err() == nil || len(l.due) > 0 {
		return
	}
	select {
	case <-l.none:
	default:
		close(l.none)
	}
}

// Unreadable is the answer to a line that is no message; false for any other.
func Unreadable(line []byte) (answer []byte, is bool) {
	line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\uFEFF")))
	if len(line) == 0 {
		return nil, true
	}
	if _, code, words := messagesIn(line); words != "" {
		return errorTo(nil, code, words), true
	}
	return nil, false
}

// errorTo is an answer that is an error.
func errorTo(id json.RawMessage, code int64, words string) []byte {
	if id == nil {
		id = json.RawMessage("null")
	}
	answer, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": code, "message": words}})
	if err != nil {
		return nil
	}
	return append(answer, '\n')
}
