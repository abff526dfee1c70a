package httpapi

import (
	"context"
	"encoding/json"
	"net/http"

	"chalie/commands"
	"chalie/domain"
	"chalie/domain/guest"
)

// Tools invokes what interfaces offer. Its methods are those of *commands.Tools,
// which says their errors.
type Tools interface {
	Offers() []domain.Offer
	Manifest(o domain.Offer) domain.Manifest
	Invoke(ctx context.Context, c commands.Caller, in commands.Invocation) (commands.Invoked, error)
	Pass(ctx context.Context, c commands.Caller, p commands.Passing) (commands.Rendering, error)
}

// codeNobodyKnows says that a tool was called, and nobody knows what came of it.
const codeNobodyKnows domain.Code = "tool_outcome_unknown"

// offerBody is one line of GET /api/tools.
type offerBody struct {
	Name          string             `json:"name"`         // to invoke it by
	InterfaceID   *string            `json:"interface_id"` // null for what Chalie itself can do
	Interface     string             `json:"interface"`
	Tool          string             `json:"tool"` // the interface's own name for it
	Description   string             `json:"description"`
	Documentation string             `json:"documentation"`
	Parameters    []domain.Parameter `json:"parameters"`
	Returns       json.RawMessage    `json:"returns"`  // an object or null
	Manifest      domain.Manifest    `json:"manifest"` // what the policy takes it for
	Flags         []domain.Flag      `json:"flags"`    // what its own texts try
}

// tools is GET /api/tools, what can be invoked now.
func (x *exchange) tools() error {
	if x.api.cfg.Tools == nil {
		return notRunning("list tools")
	}
	x.catchUp()
	out := struct {
		Tools []offerBody `json:"tools"`
	}{[]offerBody{}}
	for _, o := range x.api.cfg.Tools.Offers() {
		body := offerBody{
			Name: o.Name, Interface: o.Interface.Name, Tool: o.Tool.Name,
			Description: o.Tool.Description, Documentation: o.Tool.Documentation, Parameters: o.Tool.Parameters, Returns: o.Tool.Returns,
			Manifest: x.api.cfg.Tools.Manifest(o), Flags: append([]domain.Flag{}, o.Tool.Flags...),
		}
		if !o.IsOwn() {
			id := o.Interface.ID.UUID()
			body.InterfaceID = &id
		}
		if body.Parameters == nil {
			body.Parameters = []domain.Parameter{}
		}
		out.Tools = append(out.Tools, body)
	}
	return x.answer(http.StatusOK, out)
}

// invokedBody is the answer of a tool. What it doesn't have is null.
type invokedBody struct {
	InvocationID string          `json:"invocation_id"`
	Text         *string         `json:"text"`
	Data         json.RawMessage `json:"data"`
	Error        *string         `json:"error"` // the tool ran, and says that it failed
	Blocks       []domain.Block  `json:"blocks"`
	OpenURL      *string         `json:"open_url"`
}

// invokeTool is POST /api/tools/:name/invoke. A tool that answered is a success,
// also when it answers that it failed. With an Idempotency-Key that came before
// the answer is what came of it then, a refusal included.
func (x *exchange) invokeTool() error {
	if x.api.cfg.Tools == nil {
		return notRunning("invoke a tool")
	}
	var params, parent value
	if err := x.fields(map[string]*value{"params": &params, "parent_id": &parent}); err != nil {
		return err
	}
	given, err := params.object("params")
	if err != nil {
		return err
	}
	cause, err := parentOf(parent)
	if err != nil {
		return err
	}
	x.catchUp()
	out, err := x.api.cfg.Tools.Invoke(x.withRoom(), x.caller, commands.Invocation{
		Tool: x.params.ByName("name"), Params: given, Channel: string(x.caller.Source), Parent: cause, Key: x.r.Header.Get("Idempotency-Key"),
	})
	x.invocation = out.ID
	if out.Replayed {
		x.w.Header().Set("Idempotent-Replayed", "true")
	}
	if err != nil {
		return err
	}
	switch out.Outcome {
	case domain.ToolCompletedType:
	case domain.ApprovalProposedType:
		return x.answer(http.StatusAccepted, pendingBody{out.ID.UUID(), "pending", out.ExpiresAt})
	default:
		return noAnswer(out)
	}
	said := x.rule().Answer(guest.Said{Text: out.Result.Text, Blocks: out.Result.Blocks, Open: out.Result.OpenURL})
	return x.answer(http.StatusOK, invokedBody{
		InvocationID: out.ID.UUID(), Text: said.Text, Data: out.Result.Data, Error: out.Result.Error,
		Blocks: said.Blocks, OpenURL: said.Open,
	})
}

// pendingBody is the answer while an invocation waits for the person.
type pendingBody struct {
	InvocationID string        `json:"invocation_id"`
	Approval     string        `json:"approval"` // pending
	ExpiresAt    domain.Millis `json:"expires_at"`
}

// parentOf is the envelope that an invocation is made for; none when nothing is
// named.
func parentOf(v value) (domain.ID, error) {
	text, err := v.text("parent_id")
	if err != nil || text == "" {
		return domain.ID{}, err
	}
	id, err := domain.ParseID(text)
	if err != nil {
		return id, domain.Invalid("invoke tool", "parent_id", "parent_id is no id: give the invocation_id or the envelope_id that this is done for")
	}
	return id, nil
}

// noAnswer is the refusal for an invocation that brought none.
func noAnswer(out commands.Invoked) error {
	e := &domain.Error{Op: "invoke tool", Category: domain.Dependency, Message: "the tool gave no answer"}
	if out.Fault != nil {
		e.Category, e.Code, e.Message = out.Fault.Category, out.Fault.Code, out.Fault.Message
	}
	if out.Outcome == domain.ToolOutcomeUnknownType {
		e.Code = codeNobodyKnows
	}
	return e
}
