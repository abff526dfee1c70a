package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"chalie/adapters/apiclient"
	"chalie/cmd/chalie/internal/term"
	"chalie/commands"
	"chalie/domain"
	"chalie/replay/narrate"
)

// touched lets the restaurant spoil the dinner, and waits until Chalie says so.
func (d *demoStory) touched(ctx context.Context) error {
	words, err := d.restaurant.CloseTonight()
	if err != nil {
		return err
	}
	if err := d.say(ctx, d.restaurant.Name(), "broadcasts: “"+words+"”", nil); err != nil {
		return err
	}
	// Frames come in order: had anything else been told before, it were here.
	f, err := d.person.nextOf(ctx, "notification")
	if err != nil {
		return err
	}
	d.told = f.Episode
	text := fmt.Sprintf("looks over what it has in mind once nothing was said or done for %s (%s outside of this demo), and tells you, unasked:",
		span(d.idle), span(commands.DefaultIdleAfter))
	if err := d.show(ctx, "Chalie", text, f.text, drawn(inWordsOf(f))); err != nil {
		return err
	}
	return d.why(ctx)
}

// why asks why that was said.
func (d *demoStory) why(ctx context.Context) error {
	object, err := d.person.api.Why(ctx, d.told.String(), d.console.Zone)
	if err != nil {
		return err
	}
	why, err := object.Value()
	if err != nil {
		return err
	}
	if len(why.Sentences) < whySentences {
		return fmt.Errorf("the demo's Chalie explained too little: %q", why.Sentences)
	}
	text := fmt.Sprintf("ask why. Of its %d sentences the first %d:", len(why.Sentences), whySentences)
	return d.show(ctx, "You", text, object, drawn(why.Sentences[:whySentences]...))
}

// whySentences are enough of an explanation: what it was told, for what, and when.
const whySentences = 3

// drawn are sentences below a step, no wider than a step is.
func drawn(sentences ...string) func(*cli) error {
	return func(c *cli) error {
		narrower := *c.Console
		narrower.Width = min(c.Width, textWidth-4)
		return narrower.Sentences(sentences)
	}
}

// acted has the table given back.
func (d *demoStory) acted(ctx context.Context) error {
	if err := d.speak(ctx, "cancel my reservation res_801"); err != nil {
		return err
	}
	asks, err := d.person.nextOf(ctx, "escalation")
	if err != nil {
		return err
	}
	if asks.Summary == "" {
		return fmt.Errorf("the demo's Chalie did not ask for approval: %s", asks.text)
	}
	if err := d.say(ctx, "Chalie", "picks the tool by your words. "+d.restaurant.Name()+" wants it approved first, so you are asked: “"+asks.Summary+"”", asks.text); err != nil {
		return err
	}
	if err := d.speak(ctx, "yes"); err != nil {
		return err
	}
	// The yes is answered, and so is what it was said to, in any order.
	var end shown
	for range 2 {
		f, err := d.person.nextOf(ctx, "message")
		if err != nil {
			return err
		}
		if f.Episode == asks.Episode {
			end = f
		}
	}
	if end.Type == "" {
		return errors.New("the demo's Chalie did not say what came of the tool")
	}
	if err := d.say(ctx, "Chalie", "tells what came of it: "+inWordsOf(end), end.text); err != nil {
		return err
	}
	return d.steps(ctx, asks.Episode)
}

// steps shows how that went, from asking for the tool to its answer.
func (d *demoStory) steps(ctx context.Context, episode domain.ID) error {
	trace, err := d.person.api.Trace(ctx, domain.TraceID{ID: episode})
	if err != nil {
		return err
	}
	records, err := values(trace.Records)
	if err != nil {
		return err
	}
	var rows [][]term.Cell
	for _, rec := range records {
		d.done = max(d.done, rec.Position)
		switch kind, _, _ := strings.Cut(string(rec.Envelope.Type), "."); kind {
		case "tool", "policy", "approval":
			rows = append(rows, []term.Cell{
				term.Faint.Of(grouped(uint64(rec.Position))), term.Plain.Of(string(rec.Envelope.Type)), term.Bold.Of(narrate.Line(rec.Envelope)),
			})
		}
	}
	return d.show(ctx, "The log", "had each step before the next was taken:", trace, func(c *cli) error {
		return c.Table([]term.Column{{Title: c.Fitting("POSITION", "POS"), Right: true}, {Title: "ENVELOPE"}, {Title: "WHAT", Flex: true}}, rows)
	})
}

// quiet waits until Chalie has found the same again, and kept it to itself.
func (d *demoStory) quiet(ctx context.Context) error {
	held, err := d.heldBack(ctx)
	if err != nil {
		return err
	}
	if err := d.person.heardNothing(); err != nil {
		return err
	}
	return d.say(ctx, "Chalie", "looked again meanwhile, found the same, and kept it to itself. The log says why: "+held.Detail+".", held)
}

// heldBack waits for the next thinking that holds back what was told, and returns
// why it does.
func (d *demoStory) heldBack(ctx context.Context) (domain.Rejected, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, demoPatience, errors.New("the demo's Chalie did not look again"))
	defer cancel()
	query := apiclient.LogQuery{From: d.done + 1, Type: string(domain.ReasoningConcludedType), Wait: time.Second}
	for {
		page, err := d.person.api.Log(ctx, query)
		if err != nil {
			return domain.Rejected{}, errors.Join(context.Cause(ctx), err)
		}
		records, err := values(page.Records)
		if err != nil {
			return domain.Rejected{}, err
		}
		for _, rec := range records {
			end, err := domain.Decode[domain.ReasoningConcluded](rec.Envelope)
			if err != nil {
				return domain.Rejected{}, err
			}
			told := func(r domain.Rejected) bool { return r.Gate == domain.GateAlreadyTold }
			if i := slices.IndexFunc(end.Rejected, told); i >= 0 && end.Outcome == domain.OutcomeHeld {
				return end.Rejected[i], nil
			}
		}
		query.From = page.Next
	}
}
