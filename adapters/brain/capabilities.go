package brain

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"chalie/commands"
	"chalie/commands/intake"
	"chalie/commands/tool"
	"chalie/domain"
)

// describe is POST /capabilities/describe.
func (x *request) describe() (reply, error) {
	if err := x.parameters(&struct{}{}); err != nil {
		return nil, err
	}
	if x.asked.Principal == "unknown" {
		x.asked.Principal = ""
	}
	if err := x.reads(); err != nil {
		return nil, err
	}
	if err := x.cfg.Applied.WaitFor(x.ctx, x.cfg.Log.Tail()); err != nil {
		return nil, err
	}
	out := []map[string]any{}
	for _, o := range x.cfg.Tools.Offers() {
		out = append(out, x.described(o))
	}
	return reply{"capabilities": out}, nil
}

// described is a capability as the SDK reads it.
func (x *request) described(o domain.Offer) map[string]any {
	m := x.cfg.Tools.Manifest(o)
	inputs := []string{}
	for _, p := range o.Tool.Parameters {
		optional := "?"
		if p.Required {
			optional = ""
		}
		inputs = append(inputs, p.Name+optional+": "+string(p.Type))
	}
	effects := []string{}
	if m.SideEffects {
		effects = append(effects, o.Tool.Effects...)
		if len(effects) == 0 {
			effects = append(effects, "may change something")
		}
	}
	kind := o.Tool.Kind
	if kind == "" {
		kind = domain.KindOp
		if o.IsOwn() {
			kind = domain.KindSkill
		}
	}
	return map[string]any{
		"capability_id": m.CapabilityID, "kind": kind, "version": m.Version, "summary": o.Tool.Description, "input_types": inputs, "output_types": []string{"object"},
		"autonomy": slices.Index(autonomies, m.Autonomy), "requires_approval": m.RequiresApproval, "side_effects": effects,
		"required_capabilities": requires(o),
	}
}

// requires are the ids of the capabilities that one invokes. A name without a slash is that of
// another of the same program, whose id wasn't known when it was registered.
func requires(o domain.Offer) []string {
	out := []string{}
	for _, id := range o.Tool.Requires {
		if !strings.Contains(id, "/") {
			id = o.Interface.ID.UUID() + "/" + id
		}
		out = append(out, id)
	}
	return out
}

// autonomies are the levels by their numbers.
var autonomies = []domain.Autonomy{domain.AutonomyReadonly, domain.AutonomySupervised, domain.AutonomyFull}

// invoking is the request of /capabilities/invoke.
type invoking struct {
	Capability string          `json:"capability_id"`
	Input      json.RawMessage `json:"input_payload"`
	Actor      string          `json:"actor"`
	Channel    string          `json:"channel"`
	Invocation string          `json:"invocation_id"`
	Parent     string          `json:"parent_invocation_id"`
	Confirmed  bool            `json:"confirmed"`
	Token      string          `json:"approval_token"`
}

// invoke is POST /capabilities/invoke.
func (x *request) invoke() (reply, error) {
	var in invoking
	if err := x.parameters(&in); err != nil {
		return nil, err
	}
	if in.Capability == "" || len(in.Capability) > domain.MaxKeyBytes {
		return nil, domain.Invalid("invoke", "capability_id", "capability_id is required: give one that /capabilities/describe lists")
	}
	if text := bytes.TrimSpace(in.Input); len(text) > 0 && text[0] != '{' {
		return nil, domain.Invalid("invoke", "input_payload", "input_payload must be an object")
	}
	x.asked.Actor, x.asked.Channel, x.asked.Confirmed = in.Actor, in.Channel, in.Confirmed
	x.asked.InvocationID, x.asked.ParentInvocationID = in.Invocation, in.Parent
	return x.command(func(cmd *intake.Command) (reply, error) { return x.carryOut(cmd, in) },
		func(cmd *intake.Command) (reply, bool, error) {
			_, refused, err := x.cfg.Intake.Beneath(x.ctx, cmd, domain.RequestAnsweredType)
			if refused || err != nil || cmd.Invocation.IsZero() {
				return nil, false, err
			}
			told, err := x.cfg.Tools.Told(x.ctx, cmd.Invocation)
			if domain.CategoryOf(err) == domain.NotFound {
				return nil, false, nil
			}
			if err != nil {
				return nil, true, err
			}
			out, err := x.told(told, in.Token != "")
			return out, true, err
		})
}

// carryOut invokes a capability, once.
func (x *request) carryOut(cmd *intake.Command, in invoking) (reply, error) {
	if in.Token != "" {
		return x.approved(cmd, in)
	}
	if !cmd.Repeated {
		cmd.Invocation = x.newID()
		if err := x.cfg.Intake.Record(x.ctx, x.caller, cmd, nil); err != nil {
			return nil, err
		}
	}
	o, err := x.offer(in.Capability)
	if err != nil {
		return nil, err
	}
	if err := x.mayCall(cmd, in.Capability); err != nil {
		return nil, err
	}
	who := x.caller
	if who.Operator {
		who.Source = cmd.Envelope.Source
	}
	out, err := x.cfg.Tools.Invoke(x.ctx, who, tool.Invocation{
		Tool: qualified(o), Params: in.Input, Channel: cmp.Or(in.Channel, string(who.Source)), Parent: cmd.Within,
		Command: cmd.Envelope, ID: cmd.Invocation, Unconfirmed: !in.Confirmed,
	})
	if err != nil {
		return nil, err
	}
	told, err := x.cfg.Tools.Told(context.WithoutCancel(x.ctx), out.ID)
	if err != nil {
		return nil, err
	}
	return x.told(told, false)
}

// qualified is a name that means one tool alone.
func qualified(o domain.Offer) string {
	if o.IsOwn() {
		return o.Tool.Name
	}
	return o.Interface.ID.UUID() + "." + o.Tool.Name
}

// newID is an id for what is about to be recorded.
func (x *request) newID() domain.ID { return x.cfg.Intake.NewID() }

// offer finds a capability by its id.
func (x *request) offer(capability string) (domain.Offer, error) {
	for _, o := range x.cfg.Tools.Offers() {
		if o.CapabilityID() == capability {
			return o, nil
		}
	}
	// What isn't offered now may be known: the error then says why.
	whose, name, found := strings.Cut(capability, "/")
	if id, err := domain.ParseID(whose); err == nil && found {
		if _, err := x.cfg.Tools.Offer(id.UUID() + "." + name); err != nil {
			e := domain.Error{Op: "invoke", Category: domain.NotFound, Code: domain.CodeOf(err), Field: "capability_id", Message: commands.InWords(err)}
			if e.Code == domain.CodeToolOffline {
				e.Category, e.Retriable = domain.Dependency, true
			}
			return domain.Offer{}, &e
		}
	}
	return domain.Offer{}, &domain.Error{Op: "invoke", Category: domain.NotFound, Code: domain.CodeNoTool, Field: "capability_id",
		Message: fmt.Sprintf("there is no capability %.128q: /capabilities/describe lists those that there are", capability)}
}

// mayCall holds a program to what it registered: for an invocation of its own only a skill calls others, and
// only those that it named.
func (x *request) mayCall(cmd *intake.Command, capability string) error {
	own, isProgram := x.program()
	if !isProgram || cmd.Within.IsZero() {
		return nil
	}
	outer, err := x.cfg.Tools.Told(x.ctx, cmd.Within)
	if err != nil || outer.First.InterfaceID != own {
		return err
	}
	known, err := x.cfg.Interfaces.Get(own)
	if err != nil || !known.Calls() {
		return err
	}
	at := slices.IndexFunc(known.Tools, func(t domain.Tool) bool { return t.Name == outer.First.Tool })
	if at >= 0 && known.Tools[at].Kind == domain.KindSkill && slices.Contains(requires(domain.Offer{Interface: &known, Tool: known.Tools[at]}), capability) {
		return nil
	}
	return &domain.Error{Op: "invoke", Category: domain.Policy, Code: "not_required", Field: "capability_id",
		Message: fmt.Sprintf("%s isn't registered as a skill that requires %s: register it with that among its required_capabilities", outer.First.Tool, capability)}
}

// approved carries out what was proposed before, by the token of the proposal.
func (x *request) approved(cmd *intake.Command, in invoking) (reply, error) {
	id, err := x.cfg.Tools.ByToken(x.ctx, in.Token)
	if err != nil {
		return nil, err
	}
	told, err := x.cfg.Tools.Told(x.ctx, id)
	if err != nil {
		return nil, err
	}
	if told.Decision.CapabilityID != in.Capability || !told.SameParams(in.Input) {
		return nil, &domain.Error{Op: "invoke", Category: domain.Policy, Code: "another_proposal", Field: "approval_token",
			Message: "this token is for another capability or another input: send what was proposed"}
	}
	if !cmd.Repeated {
		cmd.Invocation = id
		if err := x.cfg.Intake.Record(x.ctx, x.caller, cmd, nil); err != nil {
			return nil, err
		}
	}
	mine := told.Decision.Actor == domain.ActorOf(x.caller.Principal)
	switch {
	case !told.Ended && (x.caller.Operator || !mine):
		_, err = x.cfg.Approvals.Decide(x.ctx, x.caller, in.Token, tool.Deciding{Granted: true, Channel: cmp.Or(in.Channel, string(cmd.Envelope.Source)), Correlator: domain.ByApprovalToken})
		if err != nil && domain.CodeOf(err) != domain.CodeTokenUsed {
			return nil, err
		}
	case !told.Ended && x.waits(told):
		return x.told(told, false)
	case !x.caller.Operator && !mine:
		return nil, &domain.Error{Op: "invoke", Category: domain.Policy, Code: domain.CodeAnotherActor, Field: "approval_token", Message: "this token is for what somebody else asked for"}
	}
	ctx, cancel := context.WithTimeout(x.ctx, approvedWithin)
	defer cancel()
	if told, err = x.cfg.Tools.Ends(ctx, id); err != nil {
		return nil, err
	}
	return x.told(told, true)
}

// approvedWithin is how long the end of an approved call is waited for.
const approvedWithin = 25 * time.Second

// waits reports whether an invocation is still to be approved.
func (x *request) waits(told tool.Told) bool {
	waiting, err := x.cfg.Approvals.Pending(x.ctx)
	return err != nil || slices.ContainsFunc(waiting, func(p tool.Proposal) bool { return p.InvocationID == told.ID })
}

// told is what the log has of an invocation, as the SDK reads it. A call that waited for the person
// is told as waiting, as it was at first, unless its token came.
func (x *request) told(t tool.Told, byToken bool) (reply, error) {
	d := t.Decision
	proposal := ""
	if !t.Proposal.IsZero() {
		proposal = x.cfg.Tokens.Token(t.Proposal)
	}
	allowed := d.Allowed || byToken && !t.Proposal.IsZero() && t.Outcome != "" && (t.Fault == nil || t.Fault.Category != domain.Policy)
	out := reply{"output_json": "", "policy": map[string]any{
		"decision_id": d.DecisionID.UUID(), "allowed": allowed, "reason_codes": append([]string{}, d.ReasonCodes...), "obligations": append([]string{}, d.Obligations...),
		"proposal_id": proposal,
	}, "invocation_id": t.ID.UUID()}
	switch {
	case !t.Proposal.IsZero() && !byToken:
		return out, nil
	case !t.Ended:
		return out, failed{[]fault{{Code: "under_way", Category: string(domain.Dependency), Retryable: true, Metadata: map[string]string{"invocation_id": t.ID.UUID()},
			Message: "it is still under way: send the same request with the same envelope_id again to learn what came of it"}}}
	case t.Fault != nil:
		return out, failed{[]fault{{Code: t.Fault.Code, Message: t.Fault.Message, Category: cmp.Or(string(t.Fault.Category), "internal"), Retryable: t.Fault.Retryable,
			Metadata: map[string]string{"invocation_id": t.ID.UUID(), "outcome": string(t.Outcome)}}}}
	}
	result := map[string]any{"text": t.Result.Text, "data": t.Result.Data}
	if t.Result.Data == nil {
		result["data"] = nil
	}
	if len(t.Result.Blocks) > 0 {
		result["blocks"] = t.Result.Blocks
	}
	if t.Result.OpenURL != nil {
		result["open_url"] = *t.Result.OpenURL
	}
	text, err := json.Marshal(result)
	if err != nil {
		return nil, &domain.Error{Op: "invoke", Code: "internal", Message: "the answer could not be written", Err: err}
	}
	out["output_json"] = string(text)
	return out, nil
}

// capability is what a program registers.
type capability struct {
	ID         string             `json:"capability_id"`
	Kind       domain.ToolKind    `json:"kind"`
	Summary    string             `json:"summary"`
	Details    string             `json:"documentation"`
	Parameters []domain.Parameter `json:"parameters"`
	Returns    json.RawMessage    `json:"returns"`
	Autonomy   *int               `json:"autonomy"`
	Approval   bool               `json:"requires_approval"`
	Effects    []string           `json:"side_effects"`
	Requires   []string           `json:"required_capabilities"`
}

// Bounds of what a program says of one capability.
const (
	maxEffects  = 16
	maxRequired = 64
)

// toolsOf are capabilities as tools.
func toolsOf(given []capability) ([]domain.Tool, error) {
	out := make([]domain.Tool, 0, len(given))
	for n, c := range given {
		wrong := func(what string) error {
			return domain.Invalid("register", "capabilities", fmt.Sprintf("capability %d of %d, %.64q, %s", n+1, len(given), c.ID, what))
		}
		changes := len(c.Effects) > 0
		t := domain.Tool{Name: c.ID, Description: c.Summary, Documentation: c.Details, Parameters: c.Parameters, Returns: c.Returns,
			SideEffects: &changes, RequiresApproval: c.Approval, Kind: c.Kind, Effects: c.Effects, Requires: c.Requires}
		switch {
		case c.Kind != domain.KindOp && c.Kind != domain.KindSkill:
			return nil, wrong("is of no kind: give op or skill")
		case strings.ContainsRune(c.ID, '/'):
			return nil, wrong("has a slash in its id: Chalie puts the program's id and a slash before it")
		case c.Autonomy != nil && (*c.Autonomy < 0 || *c.Autonomy >= len(autonomies)):
			return nil, wrong("has an autonomy that is none of 0 (readonly), 1 (supervised), 2 (full)")
		case c.Kind == domain.KindOp && len(c.Requires) > 0:
			return nil, wrong("is an op, which requires no capabilities: register it as a skill")
		case len(c.Effects) > maxEffects || len(c.Requires) > maxRequired:
			return nil, wrong(fmt.Sprintf("names over %d side effects or %d required capabilities", maxEffects, maxRequired))
		}
		for _, id := range c.Requires {
			if !strings.Contains(id, "/") && !slices.ContainsFunc(given, func(other capability) bool { return other.ID == id }) {
				return nil, wrong(fmt.Sprintf("requires %.64q, which isn't registered with it: name one of this program's own by its id, and others by theirs, such as chalie/recall", id))
			}
		}
		for _, text := range slices.Concat(c.Effects, c.Requires) {
			if text == "" || len(text) > domain.MaxKeyBytes {
				return nil, wrong(fmt.Sprintf("names a side effect or a required capability that has not 1 to %d bytes", domain.MaxKeyBytes))
			}
		}
		if c.Autonomy != nil {
			t.Autonomy = autonomies[*c.Autonomy]
		}
		if t.Parameters == nil {
			t.Parameters = []domain.Parameter{}
		}
		out = append(out, t)
	}
	return out, domain.CheckTools(out)
}
