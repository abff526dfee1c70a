package httpapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"chalie/adapters/api"
	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/guest"
)

// Tools invokes interfaces' tools. Its methods are those of *tool.Tools, which says their
// errors.
type Tools interface {
	Offers() []domain.Offer
	Manifest(o domain.Offer) domain.Manifest
	Said(o domain.Offer) domain.CapabilityChanged
	WhenSaid(o domain.Offer) domain.PolicyDecided
	Invoke(ctx context.Context, c commands.Caller, in tool.Invocation) (tool.Invoked, error)
	Pass(ctx context.Context, c commands.Caller, p tool.Passing) (commands.Rendering, error)
}

func toolHandlers() handlers {
	return handlers{"tools": (*exchange).tools, "invokeTool": (*exchange).invokeTool, "trustTool": (*exchange).trustTool}
}

// tools is GET /api/tools, the tools that can be invoked now.
func (x *exchange) tools() error {
	if x.api.cfg.Tools == nil {
		return notRunning("list tools")
	}
	x.catchUp()
	out := api.Tools{Tools: []api.Tool{}}
	for _, o := range x.api.cfg.Tools.Offers() {
		body := api.Tool{
			Name: o.Name, Interface: o.Interface.Name, Tool: o.Tool.Name,
			Description: o.Tool.Description, Documentation: o.Tool.Documentation, Parameters: o.Tool.Parameters, Schema: o.Tool.Schema, Hints: o.Tool.Hints, Returns: o.Tool.Returns,
			Manifest: x.api.cfg.Tools.Manifest(o), Said: api.TrustOf(x.api.cfg.Tools.Said(o)),
			WhenSaid: whenSaid(o.Tool, x.api.cfg.Tools.WhenSaid(o)), Flags: append([]domain.Flag{}, o.Tool.Flags...),
		}
		if !o.IsOwn() {
			body.InterfaceID = &api.UUID{ID: o.Interface.ID}
		}
		if body.Parameters == nil {
			body.Parameters = []domain.Parameter{}
		}
		out.Tools = append(out.Tools, body)
	}
	return x.answer(http.StatusOK, out)
}

// whenSaid is what comes of a tool when the person's own sentence asks for it: of one that was taken
// in before there was a bound nothing, whatever the policy says.
func whenSaid(t domain.Tool, said domain.PolicyDecided) api.WhenSaid {
	if err := t.CheckSchemas(); err != nil {
		return api.WhenSaid{Verdict: domain.VerdictDenied, ReasonCodes: []string{string(domain.CodeOf(err))}, Words: "Never done: " + commands.InWords(err)}
	}
	return api.WhenSaid{Verdict: said.Verdict, ReasonCodes: said.ReasonCodes, Words: said.WhenSaid()}
}

// invokeTool is POST /api/tools/:name/invoke. An answer of the tool is a success, even if
// it reports a failure. A repeated Idempotency-Key gets the first result, a refusal
// included.
func (x *exchange) invokeTool() error {
	if x.api.cfg.Tools == nil {
		return notRunning("invoke a tool")
	}
	var in api.Invocation
	if err := x.read(&in); err != nil {
		return err
	}
	cause, err := parentOf(in.ParentID)
	if err != nil {
		return err
	}
	x.catchUp()
	who := x.caller
	who.Zone = cmp.Or(in.Timezone, who.Zone)
	out, err := x.api.cfg.Tools.Invoke(x.withRoom(), who, tool.Invocation{
		Tool: x.params.ByName("name"), Params: in.Params, Channel: string(x.caller.Source), Parent: cause, Key: x.r.Header.Get("Idempotency-Key"),
	})
	x.invocation = out.ID
	if out.Replayed {
		x.w.Header().Set("Idempotent-Replayed", "true")
	}
	if err != nil {
		return x.veiled(err, out.ID)
	}
	switch out.Outcome {
	case domain.ToolCompletedType:
	case domain.ApprovalProposedType:
		return x.answer(http.StatusAccepted, api.Pending{InvocationID: api.UUID{ID: out.ID}, Text: waits(out), Approval: "pending", ExpiresAt: out.ExpiresAt})
	default:
		return noAnswer(out)
	}
	said := x.rule().Answer(guest.Said{Text: out.Result.Text, Blocks: out.Result.Blocks, Open: out.Result.OpenURL})
	return x.answer(http.StatusOK, api.Invoked{
		InvocationID: api.UUID{ID: out.ID}, Text: said.Text, Data: out.Result.Data, Error: out.Result.Error,
		Blocks: said.Blocks, OpenURL: said.Open,
	})
}

// waits says of an invocation that has to be approved what is to be done about that.
func waits(out tool.Invoked) string {
	return fmt.Sprintf("Nothing was sent yet: it waits until %s for the person, who approves it in Chalie's chat, on its pages or with `chalie approvals`. "+
		"It then goes on by itself, so don't ask for it again. What comes of it is in the log under its invocation_id.", out.ExpiresAt.Time().UTC().Format(time.RFC3339))
}

// veiled is the refusal of a call that nothing was recorded of. A program that wasn't given
// the right to see tools is told the same of one that isn't there and of parameters that are
// wrong: by trying it learns neither what there is nor what it takes.
func (x *exchange) veiled(err error, recorded domain.ID) error {
	if x.caller.Operator || x.caller.Has(commands.ScopeMCP) || recorded != (domain.ID{}) {
		return err
	}
	e, ok := errors.AsType[*domain.Error](err)
	switch {
	case !ok:
		return err
	case e.Code == domain.CodeNoTool || e.Category == domain.Validation && e.Field == "params", e.Category == domain.NotFound:
		return &domain.Error{Op: "invoke tool", Category: domain.NotFound, Code: domain.CodeNoTool,
			Message: "there is no tool of this name that takes these parameters: ask the person how it is called, or for a token that names " + commands.ScopeMCP + ", which may see the tools"}
	}
	return err
}

// parentOf is the envelope that an invocation is made for; nil for an empty text.
func parentOf(text string) (domain.ID, error) {
	if text == "" {
		return domain.ID{}, nil
	}
	id, err := domain.ParseID(text)
	if err != nil {
		return id, domain.Invalid("invoke tool", "parent_id", "parent_id is no id: give the invocation_id or the envelope_id that this is done for")
	}
	return id, nil
}

// noAnswer is the refusal for an invocation without an answer.
func noAnswer(out tool.Invoked) error {
	e := &domain.Error{Op: "invoke tool", Category: domain.Dependency, Message: "the tool gave no answer"}
	if out.Fault != nil {
		e.Category, e.Code, e.Message = out.Fault.Category, out.Fault.Code, out.Fault.Message
	}
	if out.Outcome == domain.ToolOutcomeUnknownType {
		e.Code = api.CodeNobodyKnows
	}
	return e
}
