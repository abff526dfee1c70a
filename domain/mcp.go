package domain

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Bounds of how a server of the Model Context Protocol is reached, and what a child may
// take unless its person says otherwise.
const (
	MaxMCPArguments = 64
	MaxMCPArgument  = 4 << 10 // bytes
	MaxMCPNames     = 64      // variables and headers, each

	DefaultMCPMemory    int64 = 2 << 30
	DefaultMCPProcesses       = 64
	LeastMCPMemory      int64 = 64 << 20
)

// MCPServer is how a server of the Model Context Protocol is reached: by a command that
// Chalie starts as its child, or by a URL. Secrets are in neither: they are named, and
// read from Chalie's environment when they are needed.
type MCPServer struct {
	Command   []string    `json:"command,omitempty"` // the program and its arguments
	Env       []string    `json:"env,omitempty"`     // names of variables that the child gets from Chalie's environment
	Memory    int64       `json:"memory,omitempty"`  // bytes that the child and its own children take at most
	Processes int         `json:"processes,omitempty"`
	URL       string      `json:"url,omitempty"`
	Headers   []MCPHeader `json:"headers,omitempty"` // sent with each request
}

// MCPHeader is a header of HTTP. $NAME and ${NAME} in its value stand for a variable of
// Chalie's environment.
type MCPHeader struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// NamesVariable reports whether its value has a part that is read from Chalie's environment.
func (h MCPHeader) NamesVariable() bool { return strings.Contains(h.Value, "$") }

// MCPServerAdded makes a server known whose tools Chalie may use, with what it offered
// when its person added it. Its id is the interface's.
type MCPServerAdded struct {
	Name        string    `json:"name"`
	Version     string    `json:"version"`
	Description string    `json:"description"`
	Server      MCPServer `json:"server"`
	Tools       []Tool    `json:"tools"`
}

// MCPToolsAccepted are tools that the person takes as they are now offered, each known by
// its pin.
type MCPToolsAccepted struct {
	InterfaceID ID        `json:"interface_id"`
	Tools       []ToolPin `json:"tools"`
}

// ToolPin is a tool as it stood at a moment.
type ToolPin struct {
	Name string `json:"name"`
	Pin  string `json:"pin"` // see Tool.Pin
}

// Keys go onto the event's envelope, beside the InterfaceKey of its own id, which the event
// doesn't know.
func (MCPServerAdded) Keys() []Key { return []Key{interfacesKey} }

// Keys go onto the event's envelope.
func (e MCPToolsAccepted) Keys() []Key { return []Key{InterfaceKey(e.InterfaceID)} }

// Pin is the hash of all that a tool says of itself to a model or a person: name, description
// and schemas. A tool whose pin isn't the accepted one is another tool.
func (t Tool) Pin() string {
	said, err := marshal(struct {
		Name, Description, Documentation string
		Schema, Returns                  any
		Hints                            *ToolHints
	}{t.Name, t.Description, t.Documentation, orNull(t.Schema), orNull(t.Returns), t.Hints})
	if err != nil {
		return "" // equals no pin
	}
	sum := sha256.Sum256(said)
	return hex.EncodeToString(sum[:])
}

// Whole is the hash of all that a tool says of itself to anybody, also to the policy. What its
// person says of a tool they say of one with this hash.
func (t Tool) Whole() string {
	t.Flags = nil // Chalie's own
	said, err := marshal(t)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(said)
	return hex.EncodeToString(sum[:])
}

// Check returns a validation error about the first thing that is wrong.
func (s MCPServer) Check() error {
	const op = "check MCP server"
	switch {
	case (len(s.Command) == 0) == (s.URL == ""):
		return Invalid(op, "command", "give either a command that starts the server or the URL where it listens")
	case len(s.Command) > MaxMCPArguments:
		return Invalid(op, "command", fmt.Sprintf("the command has %d parts, the bound is %d", len(s.Command), MaxMCPArguments))
	case len(s.Env) > MaxMCPNames || len(s.Headers) > MaxMCPNames:
		return Invalid(op, "env", fmt.Sprintf("more than %d variables or headers are named", MaxMCPNames))
	case s.URL != "" && (len(s.Env) > 0 || s.Memory != 0 || s.Processes != 0):
		return Invalid(op, "env", "a server at a URL is no child of Chalie: it has no variables and no limits of memory and processes")
	case s.URL == "" && len(s.Headers) > 0:
		return Invalid(op, "headers", "a command is sent no headers: name variables for it instead")
	case s.Memory < 0 || s.Memory > 0 && s.Memory < LeastMCPMemory:
		return Invalid(op, "memory", fmt.Sprintf("memory is %d bytes: give at least %d, or nothing for %d", s.Memory, LeastMCPMemory, DefaultMCPMemory))
	case s.Processes < 0:
		return Invalid(op, "processes", "processes is negative: give how many the server may run, or nothing")
	}
	for _, part := range s.Command {
		if len(part) > MaxMCPArgument || !utf8.ValidString(part) || strings.ContainsRune(part, 0) {
			return Invalid(op, "command", fmt.Sprintf("a part of the command has more than %d bytes, or characters that no program can be given", MaxMCPArgument))
		}
	}
	if len(s.Command) > 0 && strings.TrimSpace(s.Command[0]) == "" {
		return Invalid(op, "command", "the command names no program")
	}
	for _, name := range s.Env {
		if !isVariable(name) {
			return Invalid(op, "env", fmt.Sprintf("%q is no name of a variable: give its name alone, without a value", clip(name, MaxToolNameBytes)))
		}
	}
	for _, h := range s.Headers {
		if h.Name == "" || len(h.Name)+len(h.Value) > MaxMCPArgument || strings.ContainsFunc(h.Name, func(r rune) bool { return !isVariableRune(r) && r != '-' }) || hasControl(h.Value) {
			return Invalid(op, "headers", fmt.Sprintf("the header %q can't be sent: write it as NAME=VALUE, with letters, digits and dashes in its name", clip(h.Name, MaxToolNameBytes)))
		}
	}
	return s.checkURL()
}

func (s MCPServer) checkURL() error {
	if s.URL == "" {
		return nil
	}
	const op = "check MCP server"
	rest, ok := strings.CutPrefix(s.URL, "https://")
	if !ok {
		rest, ok = strings.CutPrefix(s.URL, "http://")
	}
	host := rest
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		host = rest[:end]
	}
	switch {
	case !ok || host == "" || strings.ContainsFunc(s.URL, unprintable):
		return Invalid(op, "url", "url must be where the server listens, such as https://example.org/mcp")
	case strings.Contains(host, "@"):
		return Invalid(op, "url", "url holds a user or password, which would be kept in clear: send it as a header that names a variable")
	case len(s.URL) > MaxURLBytes:
		return tooLong(op, "url", len(s.URL), MaxURLBytes)
	}
	return nil
}

func isVariable(name string) bool {
	return name != "" && len(name) <= MaxToolNameBytes && (name[0] < '0' || name[0] > '9') && !strings.ContainsFunc(name, func(r rune) bool { return !isVariableRune(r) })
}

func isVariableRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_'
}

// Equal reports whether the same server is reached in the same way.
func (s MCPServer) Equal(o MCPServer) bool {
	return slices.Equal(s.Command, o.Command) && slices.Equal(s.Env, o.Env) && slices.Equal(s.Headers, o.Headers) &&
		s.URL == o.URL && s.Memory == o.Memory && s.Processes == o.Processes
}

// Where is how it is reached, in a line for people.
func (s MCPServer) Where() string {
	if s.URL != "" {
		return s.URL
	}
	return strings.Join(s.Command, " ")
}

// Digest tells one way of reaching a server from another. The right to start a command is
// given for it.
func (s MCPServer) Digest() string {
	text, err := marshal(s)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// MCPNamed is the server of a name.
func (r *Registry) MCPNamed(name string) (*Interface, bool) {
	for _, i := range r.Interfaces {
		if i.Server != nil && i.Name == name {
			return i, true
		}
	}
	return nil, false
}

// AddMCP decides whether one more server can be added. Its name has to be its own, since
// that is what a person tells it by.
func (r *Registry) AddMCP(e MCPServerAdded) (MCPServerAdded, error) {
	if err := e.Server.Check(); err != nil {
		return e, err
	}
	if err := r.hasRoom(); err != nil {
		return e, err
	}
	for _, i := range r.Interfaces {
		if i.Name == e.Name {
			return e, &Error{Op: "add MCP server", Category: Conflict, Code: "name_taken", Field: "name",
				Message: fmt.Sprintf("an interface named %s is known already: remove it first, or give another name", e.Name)}
		}
	}
	e.Tools = byName(e.Tools)
	return e, nil
}

// Accept decides that tools which wait are taken as they are offered now; without names
// all of them. pins are those the person was shown, by name; nil takes what is offered.
func (r *Registry) Accept(id ID, names []string, pins map[string]string) (MCPToolsAccepted, error) {
	const op = "accept tools"
	i := r.Interfaces[id]
	if i == nil {
		return MCPToolsAccepted{}, NoInterface(id)
	}
	out := MCPToolsAccepted{InterfaceID: id}
	for _, t := range i.Waiting {
		if len(names) > 0 && !slices.Contains(names, t.Name) {
			continue
		}
		pin := t.Pin()
		if shown, ok := pins[t.Name]; ok && shown != pin {
			return out, &Error{Op: op, Category: Conflict, Code: "tool_changed", Field: "tools",
				Message: fmt.Sprintf("%s has changed once more since it was shown: look at it again", t.Name)}
		}
		out.Tools = append(out.Tools, ToolPin{t.Name, pin})
	}
	for _, name := range names {
		if !slices.ContainsFunc(out.Tools, func(t ToolPin) bool { return t.Name == name }) {
			return out, Invalid(op, "tools", fmt.Sprintf("%s of %s doesn't wait for you: see which tools do", clip(name, MaxToolNameBytes), i.Name))
		}
	}
	if len(out.Tools) == 0 {
		return out, Invalid(op, "tools", fmt.Sprintf("no tool of %s waits for you", i.Name))
	}
	return out, nil
}

// maxPins bounds how many accepted pins of a server are remembered: of each tool a few.
const maxPins = 4 * MaxTools

// offer takes what a server offers: what was accepted as it stands can be invoked, and
// anything else waits.
func (i *Interface) offer(tools []Tool) {
	i.Tools, i.Waiting = []Tool{}, nil
	for _, t := range tools {
		if slices.Contains(i.Pins, ToolPin{t.Name, t.Pin()}) {
			i.Tools = append(i.Tools, t)
		} else {
			i.Waiting = append(i.Waiting, t)
		}
	}
}

// offered is all that a server offers, by name.
func (i *Interface) offered() []Tool { return byName(slices.Concat(i.Tools, i.Waiting)) }

func byName(tools []Tool) []Tool {
	out := slices.Clone(tools)
	slices.SortStableFunc(out, func(a, b Tool) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// pin accepts a tool as it stands.
func (i *Interface) pin(pins ...ToolPin) {
	kept := slices.Clone(i.Pins)
	for _, p := range pins {
		if p.Pin != "" && !slices.Contains(kept, p) {
			kept = append(kept, p)
		}
	}
	i.Pins = kept[max(0, len(kept)-maxPins):]
}

// HasAccepted reports whether the person accepted a tool of that name, as it is now or as it
// was.
func (i *Interface) HasAccepted(name string) bool {
	return slices.ContainsFunc(i.Pins, func(p ToolPin) bool { return p.Name == name })
}

func (r *Registry) mcpAdded(rec Record, p MCPServerAdded) error {
	next := &Interface{
		ID: rec.Envelope.ID, Origin: OriginMCP, Name: p.Name, Version: p.Version, Description: p.Description, Since: rec.RecordedAt,
		Approved: NewApproval(nil, nil, nil), Decided: true, Server: &p.Server,
	}
	for _, t := range p.Tools {
		next.pin(ToolPin{t.Name, t.Pin()})
	}
	next.offer(p.Tools)
	next.became(rec.Position)
	r.put(next)
	return nil
}

func (r *Registry) mcpAccepted(rec Record, p MCPToolsAccepted) error {
	return r.change(p.InterfaceID, func(i *Interface) {
		i.pin(p.Tools...)
		i.offer(i.offered())
		i.became(rec.Position)
	})
}
