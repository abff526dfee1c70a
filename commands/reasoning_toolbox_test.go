package commands_test

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"chalie/commands"
	"chalie/domain"
)

// toolbox makes tool calls as the gate does, without policy: invoked,
// dispatched, completed. It records through the stage's door, so that it dies with it.
type toolbox struct {
	*bench
	offers []string
	do     func(tool string) (domain.ToolCompleted, *domain.Fault)

	mu   sync.Mutex
	done []string // what was called, as it reached the tool
}

func newToolbox(b *bench) *toolbox { return &toolbox{bench: b} }

func (b *toolbox) Offers() []domain.Offer {
	var out []domain.Offer
	for _, name := range b.offers {
		out = append(out, domain.Offer{Name: name, Interface: &domain.Interface{Name: "house"}, Tool: domain.Tool{Name: name, Description: name + "s"}})
	}
	return out
}

func (b *toolbox) Unasked(domain.Offer) bool { return true }

func (b *toolbox) SideEffects(o domain.Offer) bool { return o.Name != "look" }

// Call goes on from what the log says of the call.
func (b *toolbox) Call(ctx context.Context, c commands.Caller, in commands.Invocation) (commands.Invoked, error) {
	before, err := b.log.Select(ctx, domain.Selector{Key: in.CallKey}, 1, 1)
	if err != nil {
		return commands.Invoked{}, err
	}
	if len(before) == 0 {
		switch {
		case !slices.Contains(b.offers, in.Tool):
			return commands.Invoked{}, &domain.Error{Category: domain.NotFound, Code: domain.CodeNoTool, Message: fmt.Sprintf("there is no tool %q", in.Tool)}
		case string(in.Params) == `{"wrong":true}`:
			return commands.Invoked{}, domain.Invalid("call", "wrong", "wrong is no parameter")
		}
	}
	cause, err := b.log.Find(ctx, in.Parent)
	if err != nil {
		return commands.Invoked{}, err
	}
	id := b.ids.NewID()
	if len(before) > 0 {
		id = before[0].Envelope.ID
	} else if err := b.add(ctx, domain.Continue(cause.Envelope), id, domain.ToolInvoked{Tool: in.Tool, Params: []byte(`{}`), Actor: c.Name, Channel: in.Channel}, in.CallKey); err != nil {
		return commands.Invoked{ID: id}, err
	}
	steps, err := b.log.Select(ctx, domain.Selector{Key: domain.InvocationKey(id)}, 1, 10)
	if err != nil {
		return commands.Invoked{ID: id}, err
	}
	return b.goOn(ctx, domain.Lineage{Trace: cause.Envelope.Trace, Parent: id, Principal: c.Principal}, id, in.Tool, steps)
}

func (b *toolbox) goOn(ctx context.Context, lin domain.Lineage, id domain.ID, name string, steps []domain.Record) (commands.Invoked, error) {
	key := domain.InvocationKey(id)
	last := domain.EventType("")
	if len(steps) > 0 {
		last = steps[len(steps)-1].Envelope.Type
	}
	switch last {
	case "":
		if err := b.add(ctx, lin, b.ids.NewID(), domain.ToolDispatched{InvocationID: id}, key); err != nil {
			return commands.Invoked{ID: id}, err
		}
		return b.finish(ctx, lin, id, name)
	case "tool.dispatched":
		err := b.add(ctx, lin, b.ids.NewID(), domain.ToolOutcomeUnknown{InvocationID: id, Reason: domain.CodeInterrupted}, key)
		return commands.Invoked{ID: id, Outcome: "tool.outcome_unknown"}, err
	}
	return commands.Invoked{ID: id, Outcome: last}, nil
}

func (b *toolbox) finish(ctx context.Context, lin domain.Lineage, id domain.ID, name string) (commands.Invoked, error) {
	b.mu.Lock()
	b.done = append(b.done, name)
	b.mu.Unlock()
	text := name + " done"
	answer, fault := domain.ToolCompleted{Text: &text}, (*domain.Fault)(nil)
	if b.do != nil {
		answer, fault = b.do(name)
	}
	answer.InvocationID, answer.Data, answer.Blocks = id, []byte("null"), append([]domain.Block{}, answer.Blocks...)
	entry, err := domain.New(lin, b.ids.NewID(), domain.MillisOf(b.clock.Now()), "tools", answer)
	if err != nil {
		return commands.Invoked{ID: id}, err
	}
	if fault != nil {
		entry.Envelope.Errors = []domain.Fault{*fault}
	}
	entry.Envelope.Keys = []domain.Key{domain.InvocationKey(id)}
	_, err = b.door.Append(ctx, domain.Batch{Entries: []domain.Entry{entry}})
	return commands.Invoked{ID: id, Outcome: "tool.completed"}, err
}

func (b *toolbox) add(ctx context.Context, lin domain.Lineage, id domain.ID, payload any, keys ...domain.Key) error {
	entry, err := newOf(lin, id, domain.MillisOf(b.clock.Now()), payload)
	if err != nil {
		return err
	}
	entry.Envelope.Keys = keys
	_, err = b.door.Append(ctx, domain.Batch{Entries: []domain.Entry{entry}})
	return err
}

func newOf(lin domain.Lineage, id domain.ID, at domain.Millis, payload any) (domain.Entry, error) {
	switch p := payload.(type) {
	case domain.ToolInvoked:
		return domain.New(lin, id, at, "tools", p)
	case domain.ToolDispatched:
		return domain.New(lin, id, at, "tools", p)
	case domain.ToolOutcomeUnknown:
		return domain.New(lin, id, at, "tools", p)
	}
	return domain.Entry{}, fmt.Errorf("%T is no payload of a toolbox", payload)
}
