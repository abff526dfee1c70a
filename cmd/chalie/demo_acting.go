package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"chalie/adapters/apiclient"
	"chalie/domain"
)

// How long the story waits for what must come, and how often it looks.
const (
	demoPatience = 30 * time.Second
	demoLook     = 20 * time.Millisecond
)

// stream waits until listening to a broadcast is as it should be.
func (d *demoStory) stream(ctx context.Context, name string, fits func(apiclient.Stream) bool) (apiclient.Stream, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, demoPatience, fmt.Errorf("Chalie hears too little of %s", name)) //nolint:staticcheck // the name is written so
	defer cancel()
	look := time.NewTicker(demoLook)
	defer look.Stop()
	for {
		objects, err := d.person.api.Streams(ctx)
		if err != nil {
			return apiclient.Stream{}, errors.Join(context.Cause(ctx), err)
		}
		list, err := values(objects)
		if err != nil {
			return apiclient.Stream{}, err
		}
		for _, s := range list {
			if s.ID == d.streams[name] && fits(s) {
				return s, nil
			}
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return apiclient.Stream{}, context.Cause(ctx)
		}
	}
}

// mind shows the world state.
func (d *demoStory) mind(ctx context.Context, text string) error {
	object, err := d.person.api.World(ctx, "")
	if err != nil {
		return err
	}
	world, err := object.Value()
	if err != nil {
		return err
	}
	return d.show(ctx, "Chalie", text, object, func(c *console) error { return c.worldItems(world.Items, false) })
}

// tools asks in words, which is understood later, and then by name.
func (d *demoStory) tools(ctx context.Context) error {
	const asked = "Cancel both, please"
	if err := d.person.say(asked); err != nil {
		return err
	}
	if err := d.say(ctx, "You", "say: “"+asked+"”", nil); err != nil {
		return err
	}
	f, err := d.person.next(ctx)
	if err != nil {
		return err
	}
	if err := d.say(ctx, "Chalie", "shows what it has in mind, and: “"+lastOf(f.Blocks)+"” So the demo asks for the tools by name.", f.text); err != nil {
		return err
	}
	if _, err := d.invoke(ctx, "cancel_appointment", "appointment_id", "apt_2041"); err != nil {
		return err
	}
	id, err := d.invoke(ctx, "cancel_reservation", "reservation_id", "res_801")
	if err != nil {
		return err
	}
	return d.steps(ctx, id)
}

// lastOf is what was said at the end.
func lastOf(blocks []domain.Block) string {
	if len(blocks) == 0 {
		return ""
	}
	return oneLine(strings.TrimSpace(domain.PlainText(blocks[len(blocks)-1:])))
}

// invoke has a tool do something, and returns the invocation.
func (d *demoStory) invoke(ctx context.Context, tool, name, value string) (domain.ID, error) {
	params, err := json.Marshal(map[string]string{name: value})
	if err != nil {
		return domain.ID{}, err
	}
	object, err := d.person.api.InvokeTool(ctx, tool, params)
	if err != nil {
		return domain.ID{}, err
	}
	answer, err := object.Value()
	if err != nil {
		return domain.ID{}, err
	}
	if answer.Error != nil || answer.Text == nil {
		return domain.ID{}, fmt.Errorf("the demo's %s came to nothing; `%s` shows what became of it", tool, again(d.console, d.options, "trace show "+answer.InvocationID.String()))
	}
	return answer.InvocationID, d.say(ctx, "Chalie", fmt.Sprintf("calls %s %s=%s: “%s”", tool, name, value, *answer.Text), object)
}

// steps tells how the last invocation went.
func (d *demoStory) steps(ctx context.Context, invocation domain.ID) error {
	trace, err := d.person.api.Trace(ctx, domain.TraceID{ID: invocation})
	if err != nil {
		return err
	}
	records, err := values(trace.Records)
	if err != nil {
		return err
	}
	var names []string
	for _, rec := range records {
		names = append(names, string(rec.Envelope.Type))
	}
	return d.say(ctx, "The log", "has each step, and the call left only when that was written: "+strings.Join(names, ", ")+".", names)
}

// why shows how the escalation came to be.
func (d *demoStory) why(ctx context.Context) error {
	id, err := domain.ParseID(d.urgent)
	if err != nil {
		return err
	}
	trace, err := d.person.api.Trace(ctx, domain.TraceID{ID: id})
	if err != nil {
		return err
	}
	return d.show(ctx, "Chalie", "can show for everything how it came about. This is the escalation:", trace, func(c *console) error { return c.trace(trace) })
}
