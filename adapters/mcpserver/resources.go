package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"chalie/adapters/api"
	"chalie/domain"
	"chalie/replay/explain"
)

const scheme = "chalie://"

func whyURI(id domain.ID) string { return scheme + "why/" + id.UUID() }

// resource is something to be read: a route of the API, and how it is told in words.
type resource struct {
	uri, name, description string
	path                   string // the route's; {id} is replaced
	words                  func(answer []byte) (string, error)
	changes                []domain.Topic // whose records change it; none of what tells no changes
}

var resources = []resource{
	{"world", "In mind", "What Chalie has in mind now: what was heard and what is planned, with how much it matters.", "/api/world", inWords(worldInWords),
		[]domain.Topic{domain.TopicSignals, domain.TopicMessages, domain.TopicCommitments, domain.TopicTools}},
	{"plans", "Plans", "Reminders, appointments, tasks and lists.", "/api/plans", inWords(plansInWords), []domain.Topic{domain.TopicCommitments}},
	{"traces", "Lately", "What happened lately, the newest first: an episode a line, with its id for trace and why.", "/api/traces?limit=30&texts=true", inWords(tracesInWords),
		[]domain.Topic{domain.TopicAll}},
	{"trace/{id}", "Episode", "An episode step by step: all that was recorded of it, each step under what caused it. The id is last, that of an answer, a call or any envelope, or words of what was said.", "/api/traces/{id}/steps", inWords(stepsInWords), nil},
	{"why/{id}", "Why", "Why Chalie said or did something, back to the first cause. The id is last, that of an answer, a call or any envelope, or words of what was said.", "/api/why/{id}", inWords(whyInWords), nil},
	{"why-not/{id}", "Why not", "What stopped something that was heard or considered from being told or done. The id is last, that of what was heard, planned or called, the name of a tool, or words of what was heard or planned.", "/api/why-not/{id}", nil, nil},
}

// addResources adds what can be read. Each is told in words first, and then as JSON.
func (c *client) addResources() {
	for _, r := range resources {
		handler := func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return c.read(ctx, r, req.Params.URI)
		}
		if strings.Contains(r.uri, "{") {
			c.mcp.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: scheme + r.uri, Name: r.name, Title: r.name, Description: r.description}, handler)
		} else {
			c.mcp.AddResource(&mcp.Resource{URI: scheme + r.uri, Name: r.name, Title: r.name, Description: r.description}, handler)
		}
	}
}

// escaped is the address of a resource as the templates take it: with what its last part has
// escaped, whether it was or not.
func escaped(uri string) string {
	for _, r := range resources {
		begin, _, named := strings.Cut(scheme+r.uri, "{")
		rest, of := strings.CutPrefix(uri, begin)
		if !named || !of {
			continue
		}
		if plain, err := url.PathUnescape(rest); err == nil {
			rest = plain
		}
		return begin + part(rest)
	}
	return uri
}

// part escapes all of a text that the last part of an address may not have as it is.
func part(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }

// nowhere is the error for an address at which there is nothing. The library tells by its data what
// isn't there, and not what is wrong.
func nowhere(uri string) error {
	data, err := json.Marshal(map[string]string{"uri": uri})
	if err != nil {
		data = nil
	}
	return &jsonrpc.Error{Code: codeNotFound, Data: data, Message: fmt.Sprintf("there is no resource %s: resources/list and resources/templates/list say which there are; what stands for {id} may not be empty", clip(uri))}
}

// read is a resource, as it is now.
func (c *client) read(ctx context.Context, r resource, uri string) (*mcp.ReadResourceResult, error) {
	begin, _, named := strings.Cut(r.uri, "{")
	id := strings.TrimPrefix(uri, scheme+begin)
	if named {
		plain, err := url.PathUnescape(id)
		if err != nil || plain == "" {
			return nil, nowhere(uri)
		}
		if strings.HasPrefix(r.path, "/api/traces/") {
			if plain, err = c.episode(ctx, plain); err != nil {
				return nil, err
			}
		}
		id = url.PathEscape(plain)
	}
	path := strings.ReplaceAll(r.path, "{id}", id)
	if strings.HasPrefix(r.uri, "why") && c.server.cfg.Zone != "" {
		path += "?zone=" + url.QueryEscape(c.server.cfg.Zone)
	}
	answer, err := c.get(ctx, path)
	if err != nil {
		return nil, err
	}
	out := &mcp.ReadResourceResult{}
	if r.words != nil {
		text, err := r.words(answer)
		if err != nil {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "what was read could not be put into words"}
		}
		out.Contents = append(out.Contents, &mcp.ResourceContents{URI: uri, MIMEType: "text/plain", Text: text})
	}
	out.Contents = append(out.Contents, &mcp.ResourceContents{URI: uri, MIMEType: "application/json", Text: string(answer)})
	return out, nil
}

// episode is the id of an episode that is named as what is asked why: it is that of what would be
// explained.
func (c *client) episode(ctx context.Context, name string) (string, error) {
	if _, err := domain.ParseID(name); err == nil {
		return name, nil
	}
	answer, err := c.get(ctx, "/api/why/"+url.PathEscape(name))
	if err != nil {
		return "", err
	}
	var why explain.Explanation
	if err := json.Unmarshal(answer, &why); err != nil {
		return "", &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "what was read could not be put into words"}
	}
	return why.Target.Trace.UUID(), nil
}

// get asks a route of the API. A refusal is a JSON-RPC error with the API's words.
func (c *client) get(ctx context.Context, path string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://chalie"+path, http.NoBody)
	if err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the address can't be read"}
	}
	answer := recorder{header: http.Header{}}
	c.server.cfg.API().ServeHTTP(&answer, req)
	if answer.status == http.StatusOK {
		return bytes.TrimSpace(answer.body.Bytes()), nil
	}
	var refused api.Refusal
	code, message := int64(jsonrpc.CodeInternalError), "it could not be read"
	if json.Unmarshal(answer.body.Bytes(), &refused) == nil && refused.Error != "" {
		message = refused.Error
	}
	switch answer.status {
	case http.StatusNotFound:
		code = codeNotFound
	case http.StatusBadRequest:
		code = jsonrpc.CodeInvalidParams
	}
	return nil, &jsonrpc.Error{Code: code, Message: message}
}

// codeNotFound is the code that the versions that are spoken have for a resource which isn't
// there.
const codeNotFound = -32002

// recorder keeps an answer in memory.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (r *recorder) Header() http.Header { return r.header }
func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
}

func (r *recorder) Write(p []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	return r.body.Write(p)
}

// inWords reads an answer into its shape, and puts that into words.
func inWords[T any](tell func(T) string) func([]byte) (string, error) {
	return func(answer []byte) (string, error) {
		var shape T
		if err := json.Unmarshal(answer, &shape); err != nil {
			return "", err
		}
		return tell(shape), nil
	}
}

func worldInWords(w api.World) string {
	var out strings.Builder
	fmt.Fprintf(&out, "In mind at %s:\n", at(w.AsOf))
	for _, item := range w.Items {
		fmt.Fprintf(&out, "- %s, %s, salience %.2f, from %s (%s)\n", item.Label, item.Kind, item.Salience, item.Source, item.EnvelopeID.UUID())
	}
	if len(w.Items) == 0 {
		out.WriteString("- nothing\n")
	}
	if len(w.LeftOut) > 0 {
		out.WriteString("Left out:\n")
	}
	for _, item := range w.LeftOut {
		fmt.Fprintf(&out, "- %s, %s, salience %.2f: %s (%s)\n", item.Label, item.Kind, item.Salience, strings.ReplaceAll(string(item.Gate), "_", " "), item.EnvelopeID.UUID())
	}
	return out.String()
}

func plansInWords(p api.Plans) string {
	var out strings.Builder
	section := func(title string, plans []api.Plan) {
		if len(plans) == 0 {
			return
		}
		out.WriteString(title + ":\n")
		for _, plan := range plans {
			out.WriteString("- " + plan.Text)
			if plan.Due != nil {
				fmt.Fprintf(&out, ", %v", *plan.Due)
			}
			if plan.Recurrence != nil {
				out.WriteString(", " + *plan.Recurrence)
			}
			if plan.Place != "" {
				out.WriteString(", at " + plan.Place)
			}
			if plan.Overdue {
				out.WriteString(", overdue")
			}
			fmt.Fprintf(&out, " (%s)\n", plan.ID.UUID())
		}
	}
	section("Reminders", p.Reminders)
	section("Appointments", p.Appointments)
	section("Tasks", p.Tasks)
	section("Others", p.Others)
	for _, list := range p.Lists {
		fmt.Fprintf(&out, "List %s:\n", list.Name)
		for _, item := range list.Items {
			fmt.Fprintf(&out, "- %s\n", item.Text)
		}
	}
	if out.Len() == 0 {
		return "Nothing is planned.\n"
	}
	return out.String()
}

func tracesInWords(p api.TracePage) string {
	var out strings.Builder
	for _, t := range p.Traces {
		fmt.Fprintf(&out, "- %s  %s  %s", at(t.StartedAt), t.TraceID.UUID(), t.Kind)
		if t.TraceTexts != nil {
			fmt.Fprintf(&out, ": %s", oneLine(t.CameIn))
			if t.CameTo != "" && t.CameTo != t.CameIn {
				fmt.Fprintf(&out, " -> %s", oneLine(t.CameTo))
			}
		}
		fmt.Fprintf(&out, " (%s)\n", t.Standing)
	}
	if out.Len() == 0 {
		return "Nothing has happened yet.\n"
	}
	return out.String()
}

func stepsInWords(t api.TraceSteps) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s, %s, %d envelopes\n", t.Trace.Kind, t.Trace.Standing, t.Trace.Envelopes)
	for _, step := range t.Steps {
		e := step.Record.Envelope
		fmt.Fprintf(&out, "%s- %s  %s  by %s: %s\n", strings.Repeat("  ", min(step.Depth, 20)), at(step.Record.RecordedAt), e.Type, by(e, t.Trace.Root), oneLine(step.Gist))
	}
	return out.String()
}

// by is who is accountable for an envelope: a program by its name, which the trace began with.
func by(e domain.Envelope, root api.TraceRoot) string {
	if _, program := e.Principal.Program(); program && e.Principal == root.Principal {
		return string(root.Source)
	}
	return string(e.Principal)
}

func whyInWords(e explain.Explanation) string { return strings.Join(e.Sentences, "\n") + "\n" }

// oneLine is a text on one line.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// at is a moment, in UTC to the second.
func at(m domain.Millis) string { return m.Time().UTC().Format("2006-01-02T15:04:05Z") }
