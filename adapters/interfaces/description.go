package interfaces

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"chalie/commands"
	"chalie/domain"
)

func (c *Client) describe(op, path string, at commands.Endpoint) question {
	return question{op: op, method: http.MethodGet, path: path, at: at, accept: mediaJSON, within: c.cfg.Timeout, most: c.cfg.MaxDescriptionBytes}
}

// Health implements commands.Peer. Name and version may be missing.
func (c *Client) Health(ctx context.Context, at commands.Endpoint) (commands.PeerHealth, error) {
	q := c.describe("check interface", "/health", at)
	a, err := c.ask(ctx, q)
	if err != nil {
		return commands.PeerHealth{}, err
	}
	text, err := q.json(a)
	if err != nil {
		return commands.PeerHealth{}, err
	}
	health, status, err := readHealth(text)
	switch {
	case err != nil:
		return commands.PeerHealth{}, q.badShape(err)
	case status != "ok":
		return commands.PeerHealth{}, q.fail(commands.CodePeerUnhealthy, "says that its status is "+quoted(status)+` and not "ok"`, nil)
	}
	return health, nil
}

func readHealth(text []byte) (h commands.PeerHealth, status string, err error) {
	f, err := object("", text)
	if err != nil {
		return h, "", err
	}
	if !f.has("status") {
		return h, "", &shapeError{field: "status", want: "a string; it is missing"}
	}
	err = f.texts(map[string]*string{"status": &status, "name": &h.Name, "version": &h.Version})
	return h, status, err
}

// Capabilities implements commands.Peer. Only a tool's name and its parameters'
// names and types must be there; the rest is for readers.
func (c *Client) Capabilities(ctx context.Context, at commands.Endpoint) ([]domain.Tool, error) {
	q := c.describe("read capabilities", "/capabilities", at)
	a, err := c.ask(ctx, q)
	if err != nil {
		return nil, err
	}
	text, err := q.json(a)
	if err != nil {
		return nil, err
	}
	tools, err := readTools(text)
	if err == nil {
		err = domain.CheckTools(tools)
	}
	if err != nil {
		return nil, q.badShape(err)
	}
	return tools, nil
}

func readTools(text []byte) ([]domain.Tool, error) {
	elements, err := array("", text)
	if err != nil {
		return nil, err
	}
	tools := make([]domain.Tool, 0, len(elements))
	for n, e := range elements {
		t, err := readTool(element("", n), e)
		if s, ok := errors.AsType[*shapeError](err); ok && t.Name != "" {
			s.of = "the tool " + quoted(t.Name)
		}
		if err != nil {
			return nil, err
		}
		tools = append(tools, t)
	}
	return tools, nil
}

// readTool returns the tool's name beside an error, if it has one.
func readTool(path string, text json.RawMessage) (domain.Tool, error) {
	f, err := object(path, text)
	if err != nil {
		return domain.Tool{}, err
	}
	t := domain.Tool{Parameters: []domain.Parameter{}}
	// The name goes first: it says whose the rest is.
	err = f.texts(map[string]*string{"name": &t.Name})
	if err == nil {
		err = f.texts(map[string]*string{"description": &t.Description, "documentation": &t.Documentation})
	}
	if err != nil {
		return t, err
	}
	if f.has("returns") {
		t.Returns = compact(f.members["returns"])
	}
	f.declare(&t)
	return t, f.readParameters(&t)
}

// Meta implements commands.Peer. Every member may be missing.
func (c *Client) Meta(ctx context.Context, at commands.Endpoint) (*commands.PeerMeta, error) {
	q := c.describe("read meta", "/meta", at)
	a, err := c.ask(ctx, q)
	if err != nil || a.status == http.StatusNotFound {
		return nil, err
	}
	text, err := q.json(a)
	if err != nil {
		return nil, err
	}
	meta, err := readMeta(text)
	if err == nil {
		err = meta.Scopes.Check()
	}
	if err != nil {
		return nil, q.badShape(err)
	}
	return &meta, nil
}

func readMeta(text []byte) (commands.PeerMeta, error) {
	f, err := object("", text)
	if err != nil {
		return commands.PeerMeta{}, err
	}
	m := commands.PeerMeta{Raw: compact(text)}
	err = f.texts(map[string]*string{"version": &m.Version, "description": &m.Description, "author": &m.Author})
	if err != nil || !f.has("scopes") {
		return m, err
	}
	scopes, err := object("scopes", f.members["scopes"])
	if err != nil {
		return m, err
	}
	for name, to := range map[string]*map[string]string{"context": &m.Scopes.Context, "signals": &m.Scopes.Signals, "messages": &m.Scopes.Messages} {
		if scopes.has(name) && json.Unmarshal(scopes.members[name], to) != nil {
			return m, &shapeError{field: scopes.path + name, want: "an object of strings", got: kindOf(scopes.members[name])}
		}
	}
	return m, nil
}

// compact is JSON without the spaces between its parts.
func compact(text []byte) json.RawMessage {
	var out bytes.Buffer
	if json.Compact(&out, text) != nil {
		return bytes.Clone(text)
	}
	return out.Bytes()
}
