package brain

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"chalie/commands"
	"chalie/commands/intake"
	"chalie/commands/pairing"
	"chalie/domain"
)

// register is POST /capabilities/register: with a pairing key a program comes in, with its token it says
// what it offers now.
func (x *request) register() (reply, error) {
	var in struct {
		Key          string            `json:"pairing_key"`
		Name         string            `json:"name"`
		Version      string            `json:"version"`
		Description  string            `json:"description"`
		Capabilities []json.RawMessage `json:"capabilities"`
	}
	if err := x.parameters(&in); err != nil {
		return nil, err
	}
	var given []capability
	for n, text := range in.Capabilities {
		one := request{server: x.server}
		if json.Unmarshal(text, &one.body) != nil || one.body == nil {
			return nil, domain.Invalid("register", "capabilities", fmt.Sprintf("capability %d of %d is no object", n+1, len(in.Capabilities)))
		}
		var c capability
		if err := one.parameters(&c); err != nil {
			return nil, err
		}
		given = append(given, c)
	}
	tools, err := toolsOf(given)
	if err != nil {
		return nil, err
	}
	offer := pairing.Program{Name: in.Name, Version: in.Version, Description: in.Description, Tools: tools}
	return x.command(func(cmd *intake.Command) (reply, error) {
		id, isProgram := x.program()
		switch {
		case in.Key != "":
			return x.pair(cmd, in.Key, offer)
		case !isProgram:
			return nil, &domain.Error{Op: "register", Category: domain.Policy, Code: "no_token", Field: "pairing_key",
				Message: "a program comes in by a pairing key: generate one with `chalie interfaces key`, or send the token that it got"}
		}
		known, err := x.cfg.Interfaces.Get(id)
		if err == nil && !known.Calls() {
			err = &domain.Error{Op: "register", Category: domain.Conflict, Code: "listens", Message: known.Name + " was paired as an interface that listens, and is asked there what it offers"}
		}
		if err != nil {
			return nil, err
		}
		if err := x.record(cmd); err != nil {
			return nil, err
		}
		if err := x.cfg.Interfaces.Offer(x.ctx, x.caller, id, offer); err != nil {
			return nil, err
		}
		return registered(id, "", tools), nil
	}, func(cmd *intake.Command) (reply, bool, error) {
		if in.Key != "" {
			if _, refused, err := x.cfg.Intake.Beneath(x.ctx, cmd, domain.RequestAnsweredType); refused || err != nil {
				return nil, false, err
			}
			return nil, true, &domain.Error{Op: "register", Category: domain.Conflict, Code: "token_told_once", Field: "envelope_id",
				Message: "this came before, and a token is told once: pair again with a new key"}
		}
		return nil, false, nil
	})
}

func (x *request) record(cmd *intake.Command) error {
	if cmd.Repeated {
		return nil
	}
	return x.cfg.Intake.Record(x.ctx, x.caller, cmd, nil)
}

// pair lets a program in. Its key is a secret, and stands in no envelope.
func (x *request) pair(cmd *intake.Command, key string, offer pairing.Program) (reply, error) {
	if err := x.record(cmd); err != nil {
		return nil, err
	}
	paired, err := x.cfg.Interfaces.PairProgram(x.ctx, key, offer)
	if err != nil {
		return nil, err
	}
	x.cfg.Hub.forget()
	return registered(paired.ID, paired.Token, offer.Tools), nil
}

func registered(id domain.ID, token string, tools []domain.Tool) reply {
	ids := make([]string, len(tools))
	for n, t := range tools {
		ids[n] = id.UUID() + "/" + t.Name
	}
	return reply{"payload": map[string]any{"program_id": id.UUID(), "principal": id.UUID(), "token": token, "capability_ids": ids}}
}

// Bounds of the wait for a call, in seconds.
const (
	defaultWait = 25
	maxWait     = 60
)

// onlyPrograms is the program that calls, which listens nowhere.
func (x *request) onlyPrograms(what string) (domain.ID, error) {
	id, ok := x.program()
	if ok {
		known, err := x.cfg.Interfaces.Get(id)
		if ok = err == nil && known.Calls(); ok {
			return id, nil
		}
	}
	return id, &domain.Error{Op: what, Category: domain.Policy, Code: "no_program", Message: "only a program that has registered may " + what + ": send its token as Authorization: Bearer"}
}

// nextCall is POST /capabilities/next: the next call of the program that asks, or null.
func (x *request) nextCall() (reply, error) {
	in := struct {
		Wait int `json:"wait_seconds"`
	}{Wait: defaultWait}
	if err := x.parameters(&in); err != nil {
		return nil, err
	}
	if err := x.reads(); err != nil {
		return nil, err
	}
	if in.Wait < 0 || in.Wait > maxWait {
		return nil, domain.Invalid("ask for calls", "wait_seconds", fmt.Sprintf("wait_seconds is %d: give 0 to %d", in.Wait, maxWait))
	}
	id, err := x.onlyPrograms("ask for calls")
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(x.ctx, time.Duration(in.Wait)*time.Second)
	defer cancel()
	c := x.cfg.Hub.next(ctx, id)
	if c == nil {
		return reply{"payload": nil}, nil
	}
	input := c.Params
	if len(input) == 0 {
		input = json.RawMessage("{}")
	}
	deadline := ""
	if !c.until.IsZero() {
		deadline = c.until.UTC().Format(stampLayout)
	}
	return reply{"payload": map[string]any{
		"invocation_id": c.Key, "capability_id": c.Capability, "input_payload": input, "trace_id": c.Lineage.Trace.UUID(), "parent_id": c.Lineage.Parent.UUID(),
		"principal": string(c.Lineage.Principal), "deadline": deadline,
	}}, nil
}

// answerCall is POST /capabilities/answer.
func (x *request) answerCall() (reply, error) {
	var in struct {
		Invocation string  `json:"invocation_id"`
		Output     string  `json:"output_json"`
		Text       *string `json:"text"`
		Errors     []fault `json:"errors"`
	}
	if err := x.parameters(&in); err != nil {
		return nil, err
	}
	if err := x.reads(); err != nil {
		return nil, err
	}
	id, err := x.onlyPrograms("answer calls")
	if err != nil {
		return nil, err
	}
	call, err := domain.ParseID(in.Invocation)
	if err != nil {
		return nil, domain.Invalid("answer call", "invocation_id", "invocation_id is no id: give that of the call")
	}
	result := commands.Result{Text: in.Text}
	if in.Output != "" {
		result.Data = json.RawMessage(in.Output)
		if !json.Valid(result.Data) {
			return nil, domain.Invalid("answer call", "output_json", "output_json is no JSON: send a text that is JSON, or an empty one")
		}
	}
	if len(in.Errors) > 0 {
		said := in.Errors[0].Message
		if said == "" {
			said = string(in.Errors[0].Code)
		}
		if said == "" {
			said = "it failed"
		}
		result.Error = &said
	}
	if !x.cfg.Hub.answer(id, call.UUID(), result) {
		return nil, &domain.Error{Op: "answer call", Category: domain.NotFound, Code: "no_call", Field: "invocation_id",
			Message: "nobody waits for this call: it was answered before, took too long, or isn't yours"}
	}
	return reply{"payload": map[string]any{"accepted": true}}, nil
}
