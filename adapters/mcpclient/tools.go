package mcpclient

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"chalie/commands"
	"chalie/commands/pairing"
	"chalie/commands/screen"
	"chalie/domain"
	"chalie/domain/guard"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxPages bounds the pages that a list of tools comes in.
const maxPages = 32

// listed is what a server offers: its tools, and those that can't be used.
type listed struct {
	tools   []domain.Tool
	leftOut []pairing.LeftOut
}

// list asks a server for its tools. One that can't be used is left out by itself.
func (s *session) list(ctx context.Context) (listed, error) {
	const op = "read tools"
	ctx, cancel := context.WithTimeout(ctx, s.cfg.AskWithin)
	defer cancel()
	out := listed{tools: []domain.Tool{}}
	var params mcp.ListToolsParams
	for range maxPages {
		page, err := s.mcp.ListTools(ctx, &params)
		if err != nil {
			return out, s.asked(op, s.cfg.AskWithin, err)
		}
		texts, err := toolsOn(page)
		if err != nil {
			return out, failure(op, commands.CodePeerBadShape, s.name+" lists its tools in a way that can't be read: "+err.Error(), err)
		}
		for n, text := range texts {
			if len(out.tools) == domain.MaxTools {
				out.leaveOut(fmt.Sprintf("%d more", len(texts)-n), fmt.Sprintf("more than %d tools of a server aren't taken", domain.MaxTools))
				return out, nil
			}
			out.take(text, n, page.Tools)
		}
		if params.Cursor = page.NextCursor; params.Cursor == "" {
			out.tools = screen.Tools(out.tools)
			return out, nil
		}
	}
	out.tools = screen.Tools(out.tools)
	out.leaveOut("more", fmt.Sprintf("it lists its tools on more than %d pages", maxPages))
	return out, nil
}

// toolsOn are the tools on a page, each as it was written.
func toolsOn(page *mcp.ListToolsResult) ([]json.RawMessage, error) {
	text, _ := page.Meta[asWritten].(string)
	var in map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &in) != nil {
		return nil, fmt.Errorf("its answer is %s", quoted(text))
	}
	var tools []json.RawMessage
	if of := in["tools"]; len(of) > 0 && json.Unmarshal(of, &tools) != nil {
		return nil, fmt.Errorf("what should be a list of them is %s", quoted(string(of)))
	}
	return tools, nil
}

// take takes a tool, or leaves it out. sendable are those that the library can call.
func (l *listed) take(text json.RawMessage, at int, sendable []*mcp.Tool) {
	name, tool, err := toolOf(text)
	if name == "" {
		name = fmt.Sprintf("number %d of its page", at+1)
	}
	switch {
	case err != nil:
	case !slices.ContainsFunc(sendable, func(t *mcp.Tool) bool { return t.Name == tool.Name }):
		err = errors.New("its schema wants headers sent that can't be")
	case slices.ContainsFunc(l.tools, func(t domain.Tool) bool { return t.Name == tool.Name }):
		err = errors.New("another tool has the same name")
	default:
		err = domain.CheckTools([]domain.Tool{tool})
	}
	if err != nil {
		l.leaveOut(name, commands.InWords(err))
		return
	}
	l.tools = append(l.tools, tool)
}

func (l *listed) leaveOut(name, why string) {
	l.leftOut = append(l.leftOut, pairing.LeftOut{Name: shown(name), Why: domain.Cut(why, maxQuoted)})
}

// shown is a name of a server's, bounded and on one line.
func shown(name string) string {
	name = strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) {
			return '\uFFFD'
		}
		return r
	}, strings.ToValidUTF8(name, "\uFFFD"))
	return domain.Cut(name, maxShown)
}

// maxShown is how much of a name is shown, in bytes.
const maxShown = 80

// toolOf is a tool as Chalie knows it. It asks for approval until its person says otherwise:
// what a server says of a tool allows nothing. The name is what it is called where there is
// one, whether it can be used or not.
func toolOf(text json.RawMessage) (name string, out domain.Tool, err error) {
	var in map[string]json.RawMessage
	if json.Unmarshal(text, &in) != nil || in == nil {
		return "", out, fmt.Errorf("it is described by %s, which is no object", quoted(string(text)))
	}
	texts := map[string]string{}
	for _, member := range []string{"name", "title", "description"} {
		var said *string
		if of := in[member]; len(of) > 0 && json.Unmarshal(of, &said) != nil {
			return wordsOf(in["name"]), out, fmt.Errorf("its %s is no text", member)
		}
		if said != nil {
			texts[member] = *said
		}
	}
	name = texts["name"]
	if strings.ContainsFunc(name, func(r rune) bool { return !strconv.IsPrint(r) }) {
		return name, out, errors.New("its name has characters that can't be seen")
	}
	if tasksOf(in["execution"]) == "required" {
		return name, out, errors.New("it can only be run as a task of the protocol, which Chalie doesn't do")
	}
	out = domain.Tool{Name: name, Description: texts["description"], Documentation: texts["title"], RequiresApproval: true}
	var title string
	if out.Hints, title, err = hintsOf(in["annotations"]); err != nil {
		return name, out, err
	}
	if out.Documentation == "" {
		out.Documentation = title
	}
	// What is kept is without secrets, and the pin has to be of what is kept.
	for _, text := range []*string{&out.Description, &out.Documentation} {
		*text = screen.Text(strings.ToValidUTF8(*text, "\uFFFD"))
	}
	if len(in["inputSchema"]) == 0 || string(in["inputSchema"]) == "null" {
		return name, out, errors.New("it has no schema of its parameters")
	}
	if out.Schema, err = schemaOf(in["inputSchema"]); err != nil {
		return name, out, fmt.Errorf("the schema of its parameters %w", err)
	}
	if of := in["outputSchema"]; len(of) > 0 && string(of) != "null" {
		if out.Returns, err = schemaOf(of); err != nil {
			return name, out, fmt.Errorf("the schema of its answer %w", err)
		}
	}
	var ok bool
	if out.Parameters, ok = domain.ParametersOf(out.Schema); !ok {
		return name, out, errors.New("the schema of its parameters is none of an object")
	}
	return name, out, nil
}

// tasksOf is whether a tool runs as a task.
func tasksOf(execution json.RawMessage) string {
	var in map[string]json.RawMessage
	_ = json.Unmarshal(execution, &in) // what can't be read says nothing
	return wordsOf(in["taskSupport"])
}

// hintsOf are the hints that were given, and the title beside them. Of the two that the
// protocol has a default for only what differs from it counts.
func hintsOf(text json.RawMessage) (*domain.ToolHints, string, error) {
	if t := bytes.TrimSpace(text); len(t) == 0 || string(t) == "null" || string(t) == "[]" {
		return nil, "", nil
	}
	var in struct {
		ReadOnly    *bool  `json:"readOnlyHint"`
		Destructive *bool  `json:"destructiveHint"`
		Idempotent  *bool  `json:"idempotentHint"`
		OpenWorld   *bool  `json:"openWorldHint"`
		Title       string `json:"title"`
	}
	if err := json.Unmarshal(text, &in); err != nil {
		return nil, "", errors.New("what it says of itself (annotations) can't be read")
	}
	h := domain.ToolHints{Destructive: in.Destructive, OpenWorld: in.OpenWorld}
	if in.ReadOnly != nil && *in.ReadOnly {
		h.ReadOnly = in.ReadOnly
	}
	if in.Idempotent != nil && *in.Idempotent {
		h.Idempotent = in.Idempotent
	}
	if h == (domain.ToolHints{}) {
		return nil, in.Title, nil
	}
	return &h, in.Title, nil
}

// schemaOf is a schema as it is kept and pinned: in one order, without secrets, and with its
// numbers exact.
func schemaOf(text json.RawMessage) (json.RawMessage, error) {
	if domain.Nesting(text) > domain.MaxNesting {
		return nil, fmt.Errorf("nests more than %d deep", domain.MaxNesting)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, errors.New("is no JSON")
	}
	plain, err := json.Marshal(exact(v))
	if err != nil {
		return nil, errors.New("is no JSON")
	}
	out, _ := guard.RedactJSON(plain)
	if !json.Valid(out) {
		return nil, errors.New("is no JSON")
	}
	return out, nil
}

// exact writes the numbers of a value in the way in which they are written where nothing is
// lost by it, and leaves the others. Some write an empty list for a schema's empty
// properties.
func exact(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, of := range v {
			if list, empty := of.([]any); empty && len(list) == 0 && name == "properties" {
				of = map[string]any{}
			}
			v[name] = exact(of)
		}
	case []any:
		for i := range v {
			v[i] = exact(v[i])
		}
	case json.Number:
		f, err := v.Float64()
		if err != nil || len(v) > 40 || f == 0 && strings.ContainsAny(v.String(), "123456789") {
			return v
		}
		usual, err := json.Marshal(f)
		written, ok := new(big.Rat).SetString(v.String())
		again, alike := new(big.Rat).SetString(string(usual))
		if err != nil || !ok || !alike || written.Cmp(again) != 0 {
			return v
		}
		return json.Number(usual)
	}
	return v
}
