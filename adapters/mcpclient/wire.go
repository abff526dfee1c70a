package mcpclient

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"chalie/commands"
	"chalie/domain"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Codes of the errors that wire makes. No server's own code reaches the library, which takes
// some for its own.
const (
	codeSaid    = 1 // the server's answer is an error
	codeTrouble = 2 // it gave no answer that can be read
)

// asWritten is the member of a result's _meta that has the result as the server wrote it.
const asWritten = "chalie/as-written"

// maxStray is how much of a line that is no message is remembered.
const maxStray = 4 << 10

// wire stands between a server and the library, whichever way they are connected. It makes of
// each message that the server writes one that the library takes, because the library ends
// the session, with all that is under way in it, at the first that it doesn't. Answers to
// lists and calls go past the library as they were written: it would round their numbers, and
// refuse a whole answer for one part of it.
//
// It is safe for concurrent use.
type wire struct {
	told func(stray string) // of the first text that is no message

	mu    sync.Mutex
	asked map[string]string // the methods of requests without an answer, by id
	stray string            // the last text that is no message
}

func newWire(told func(string)) *wire {
	return &wire{told: told, asked: map[string]string{}}
}

// sent notes a message that leaves for the server, and returns the id and method of a request.
func (w *wire) sent(text []byte) (id, method string) {
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params struct {
			RequestID json.RawMessage `json:"requestId"`
		} `json:"params"`
	}
	if json.Unmarshal(text, &m) != nil || m.Method == "" {
		return "", ""
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if m.Method == "notifications/cancelled" {
		delete(w.asked, string(m.Params.RequestID)) // nobody waits for it any more
	}
	if len(m.ID) == 0 {
		return "", m.Method
	}
	w.asked[string(m.ID)] = m.Method
	return string(m.ID), m.Method
}

// take is the method of the request that an answer is to, once.
func (w *wire) take(id string) (method string, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	method, ok = w.asked[id]
	delete(w.asked, id)
	return method, ok
}

// meant is the id that an answer is to. Some write every id as a text, and who couldn't read a
// request writes none: then it is the one that waits, if only one does.
func (w *wire) meant(id json.RawMessage, failed bool) string {
	var text string
	if len(id) > 0 && string(id) != "null" {
		if json.Unmarshal(id, &text) == nil {
			return text
		}
		return string(id)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if failed && len(w.asked) == 1 {
		for text = range w.asked {
		}
	}
	return text
}

// waits reports whether a request has no answer yet.
func (w *wire) waits(id string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, ok := w.asked[id]
	return ok
}

// lastStray is the last text that was no message; "" for none.
func (w *wire) lastStray() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.stray
}

// beforeText is what may stand before a text and isn't seen: a byte order mark, what moves a
// terminal's cursor, and other control characters.
var beforeText = regexp.MustCompile("^(?:\x1b\\[[0-9;?]*[A-Za-z]|[\\x00-\\x20\uFEFF])+")

// received reads a text of a server: a message, several, or a list of them. ok is false when
// it is none. Messages that nobody waits for are left out.
func (w *wire) received(text []byte) (messages [][]byte, ok bool) {
	if !utf8.Valid(text) {
		text = bytes.ToValidUTF8(text, []byte("\uFFFD"))
	}
	text = bytes.TrimSpace(beforeText.ReplaceAll(text, nil))
	d := json.NewDecoder(bytes.NewReader(text))
	for {
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return messages, ok // what stands behind a message belongs to nobody
		}
		several := []json.RawMessage{value}
		if value[0] == '[' {
			if json.Unmarshal(value, &several) != nil {
				return messages, ok
			}
		}
		for _, one := range several {
			m, isOne := w.message(one)
			if ok = ok || isOne; len(m) > 0 {
				messages = append(messages, m)
			}
		}
		if !ok {
			return nil, false // a message begins its line: what others wrote may stand in any
		}
	}
}

// message is one message as the library takes it; none when nobody waits for it.
func (w *wire) message(text json.RawMessage) (message []byte, ok bool) {
	var m map[string]json.RawMessage
	if json.Unmarshal(text, &m) != nil {
		return nil, false
	}
	if method, has := m["method"]; has {
		var name string
		if m["jsonrpc"] == nil || json.Unmarshal(method, &name) != nil {
			return nil, false
		}
		if id := m["id"]; len(id) > 0 && strings.ContainsRune("{[tf", rune(id[0])) {
			return nil, true // it can't be answered
		}
		m["jsonrpc"] = json.RawMessage(`"2.0"`)
		message, err := json.Marshal(m)
		return message, err == nil
	}
	failed := len(m["error"]) > 0 && string(m["error"]) != "null"
	if m["jsonrpc"] == nil && m["result"] == nil && !failed {
		return nil, false
	}
	id := w.meant(m["id"], failed)
	method, asked := w.take(id)
	if !asked {
		return nil, m["jsonrpc"] != nil
	}
	if failed {
		return w.failed(id, method, m["error"]), true
	}
	return w.answered(id, method, m["result"]), true
}

// answered is the answer to a request.
func (w *wire) answered(id, method string, result json.RawMessage) []byte {
	if len(result) == 0 || string(result) == "null" {
		return troubled(id, commands.CodePeerBadShape, "answered with nothing: neither a result nor an error")
	}
	switch method {
	case "initialize":
		result = opening(result)
	case "tools/list":
		result = page(result)
	case "tools/call":
		result = encoded(map[string]any{"content": []any{}, "_meta": map[string]string{asWritten: string(result)}})
	case "ping":
		result = json.RawMessage(`{}`)
	}
	return encoded(map[string]any{"jsonrpc": "2.0", "id": json.RawMessage(id), "result": result})
}

// opening is what of a server's first answer is used. Some write an empty list for an object
// without members.
func opening(result json.RawMessage) json.RawMessage {
	var in map[string]json.RawMessage
	if json.Unmarshal(result, &in) != nil {
		return result
	}
	var capabilities, tools, server map[string]json.RawMessage
	_ = json.Unmarshal(in["capabilities"], &capabilities) // what can't be read says nothing
	_ = json.Unmarshal(capabilities["tools"], &tools)
	_ = json.Unmarshal(in["serverInfo"], &server)
	info := map[string]string{"name": "", "version": ""}
	for name := range map[string]bool{"name": true, "version": true, "title": true} {
		if text := wordsOf(server[name]); text != "" {
			info[name] = text
		}
	}
	return encoded(map[string]any{
		"protocolVersion": wordsOf(in["protocolVersion"]), "serverInfo": info,
		"capabilities": map[string]any{"tools": map[string]bool{"listChanged": truth(tools["listChanged"])}},
	})
}

// page is a page of tools: those that can be read for the library, which sends what their
// schemas want sent as headers, and the whole as it was written.
func page(result json.RawMessage) json.RawMessage {
	var in struct {
		Tools []json.RawMessage `json:"tools"`
		Next  json.RawMessage   `json:"nextCursor"`
	}
	_ = json.Unmarshal(result, &in) // list judges it
	tools := []any{}
	for _, text := range in.Tools {
		var t struct {
			Name   string          `json:"name"`
			Schema json.RawMessage `json:"inputSchema"`
		}
		var schema map[string]any
		if json.Unmarshal(text, &t) != nil || domain.Nesting(t.Schema) > domain.MaxNesting || json.Unmarshal(t.Schema, &schema) != nil {
			t.Schema = json.RawMessage(`{"type":"object"}`) // no headers are read of it
		}
		tools = append(tools, map[string]any{"name": t.Name, "inputSchema": t.Schema})
	}
	out := map[string]any{"tools": tools, "_meta": map[string]string{asWritten: string(result)}}
	if next := wordsOf(in.Next); next != "" {
		out["nextCursor"] = next
	}
	return encoded(out)
}

// failed is an answer that is an error, of whatever shape.
func (w *wire) failed(id, method string, text json.RawMessage) []byte {
	var in map[string]json.RawMessage
	e := jsonrpc.Error{Message: wordsOf(text)}
	if json.Unmarshal(text, &in) == nil && in != nil {
		e.Message, e.Data = wordsOf(in["message"]), in["data"]
		e.Code, _ = strconv.ParseInt(wordsOf(in["code"]), 10, 64) // 0 where it is none
		if e.Message == "" && e.Code == 0 {
			e.Message = wordsOf(text)
		}
	}
	if method != "server/discover" { // whose errors the library has to know
		e.Data, e.Code = json.RawMessage(strconv.FormatInt(e.Code, 10)), codeSaid
	}
	return errorTo(id, e)
}

// troubled is the answer to a request that was given none which can be read.
func troubled(id string, code domain.Code, what string) []byte {
	return errorTo(id, jsonrpc.Error{Code: codeTrouble, Message: what, Data: encoded(code)})
}

func errorTo(id string, e jsonrpc.Error) []byte {
	return encoded(map[string]any{"jsonrpc": "2.0", "id": json.RawMessage(id), "error": &e})
}

// encoded is what is made here, as JSON.
func encoded(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // it is of texts and of JSON that was read
	}
	return text
}

// wordsOf is a JSON value in words: a text itself, and anything else as it is written.
func wordsOf(value json.RawMessage) string {
	var text string
	switch {
	case len(value) == 0 || string(value) == "null":
		return ""
	case json.Unmarshal(value, &text) == nil:
		return text
	}
	var out bytes.Buffer
	if json.Compact(&out, value) != nil {
		return ""
	}
	return out.String()
}

// truth reads whether something is so, also where it is written as a text or number.
func truth(value json.RawMessage) bool {
	switch strings.ToLower(strings.TrimSpace(wordsOf(value))) {
	case "", "false", "no", "0", "[]", "{}":
		return false
	}
	return true
}

// ignore notes a text that is no message. When it means to be the answer to a request, that
// is told that it can't be read.
func (w *wire) ignore(text []byte) (answer []byte) {
	text = bytes.TrimSpace(text)
	if len(text) == 0 {
		return nil
	}
	w.mu.Lock()
	first := w.stray == ""
	w.stray = string(bytes.ToValidUTF8(text[:min(len(text), maxStray)], nil))
	stray := w.stray
	w.mu.Unlock()
	if first {
		w.told(stray)
	}
	id := meantFor(text)
	if _, asked := w.take(id); id == "" || !asked {
		return nil
	}
	return troubled(id, commands.CodePeerBadJSON, "answered with what is no JSON: "+quoted(stray))
}

// meantFor is the id of a text that begins as a message does and isn't one, as NaN and raw
// control characters make it; "" of what means to be none.
func meantFor(text []byte) string {
	if text[0] != '{' || json.Valid(text) || !bytes.Contains(text, []byte(`"jsonrpc"`)) {
		return ""
	}
	_, after, _ := bytes.Cut(text, []byte(`"id"`))
	after = bytes.TrimLeft(after, ": \t\"")
	end := bytes.IndexFunc(after, func(r rune) bool { return r < '0' || r > '9' })
	return string(after[:max(0, end)])
}

// lines are what a child writes, as the library takes it: a message a line. A message may
// take several of the child's.
type lines struct {
	from *bufio.Reader
	end  io.Closer
	wire *wire
	most int // bytes of a message

	held  []byte // the begin of a message, or of something else
	depth depth
	out   []byte
}

func newLines(from io.ReadCloser, w *wire, most int) *lines {
	return &lines{from: bufio.NewReader(from), end: from, wire: w, most: most}
}

// Read implements io.Reader.
func (l *lines) Read(p []byte) (int, error) {
	for len(l.out) == 0 {
		read, err := l.from.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
		for line := range bytes.FieldsFuncSeq(read, func(r rune) bool { return r == '\r' || r == '\n' }) {
			l.line(line)
		}
		if err != nil {
			if l.drop(); len(l.out) == 0 {
				return 0, err
			}
		}
	}
	n := copy(p, l.out)
	l.out = l.out[n:]
	return n, nil
}

// Close implements io.Closer.
func (l *lines) Close() error { return l.end.Close() }

func (l *lines) line(line []byte) {
	if messages, ok := l.wire.received(line); ok {
		l.drop()
		l.emit(messages...)
		return
	}
	l.depth.read(line)
	switch {
	case len(l.held) == 0 && (l.depth.open <= 0 || !bytes.ContainsAny(line[:1], "{[")):
		l.depth = depth{}
		l.emit(l.wire.ignore(line))
		return
	case len(l.held)+len(line) > l.most:
		l.drop()
		return
	}
	l.held = append(append(l.held, line...), '\n')
	if l.depth.open > 0 {
		return
	}
	if messages, ok := l.wire.received(l.held); ok {
		l.held, l.depth = nil, depth{}
		l.emit(messages...)
		return
	}
	l.drop()
}

// drop gives up what is held.
func (l *lines) drop() {
	held := l.held
	l.held, l.depth = nil, depth{}
	l.emit(l.wire.ignore(held))
}

func (l *lines) emit(messages ...[]byte) {
	for _, m := range messages {
		if len(m) > 0 {
			l.out = append(append(l.out, m...), '\n')
		}
	}
}

// depth follows how many objects and arrays of a text are open.
type depth struct {
	open            int
	inText, escaped bool
}

func (d *depth) read(text []byte) {
	for _, c := range text {
		switch {
		case d.escaped:
			d.escaped = false
		case d.inText:
			d.escaped, d.inText = c == '\\', c != '"'
		case c == '"':
			d.inText = true
		case c == '{' || c == '[':
			d.open++
		case c == '}' || c == ']':
			d.open--
		}
	}
}

// noting tells wire what is written to a child.
type noting struct {
	io.WriteCloser
	wire *wire
}

func (n noting) Write(p []byte) (int, error) {
	n.wire.sent(p)
	return n.WriteCloser.Write(p)
}

// straySaid is what a server wrote beside the protocol, for an error; "" for nothing.
func (w *wire) straySaid() string {
	if stray := w.lastStray(); stray != "" {
		return fmt.Sprintf("; it wrote %s, which is no message of the protocol", quoted(stray))
	}
	return ""
}

// over speaks with a server by its standard input and output.
func over(w *wire, from io.ReadCloser, to io.WriteCloser, most int) mcp.Transport {
	return &mcp.IOTransport{Reader: newLines(from, w, most), Writer: noting{to, w}, MaxLineLength: -1} // what is read is bounded
}
