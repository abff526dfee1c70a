package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	contract "chalie/adapters/api"
	"chalie/adapters/apiclient"
	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
)

const spineHelp = `Spine lists the services that Chalie is made of: the layer each belongs to, what
sets it off, the signals it emits and takes, and, when Chalie runs, whether it
lives. A service that is dead leaves the others working; below the table stands
what is missing meanwhile.

With --mermaid it draws which signals go from whom to whom.`

const spineExample = `  chalie spine
  chalie spine --mermaid               the graph of signals, as a Mermaid flowchart
  chalie spine --json | jq '.noteworthy'`

func spineCommand(c *cli) *cobra.Command {
	var mermaid bool
	cmd := &cobra.Command{
		Use: "spine", Short: "Show the services, what they tell each other, and who lives",
		Long: spineHelp, Example: spineExample, Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if mermaid {
				_, err := fmt.Fprint(c.Out, domain.SpineMermaid(domain.Services()))
				return err
			}
			object, running, err := askSpine(cmd.Context(), c)
			if err != nil {
				return err
			}
			if c.json && running {
				return c.JSON(object)
			}
			spine := declaredSpine()
			if running {
				if spine, err = object.Value(); err != nil {
					return err
				}
			}
			if c.json {
				return c.JSON(spine)
			}
			return c.spine(spine, running)
		},
	}
	cmd.Flags().BoolVar(&mermaid, "mermaid", false, "draw the graph of signals as a Mermaid flowchart")
	return cmd
}

// askSpine asks the running program, if there is one.
func askSpine(ctx context.Context, c *cli) (_ apiclient.Object[contract.Spine], running bool, err error) {
	var none apiclient.Object[contract.Spine]
	api, running, err := dialRunning(ctx, c)
	if !running {
		return none, false, err
	}
	defer api.Close()
	object, err := api.Spine(ctx)
	return object, true, err
}

// declaredSpine is the declarations of services, without their state.
func declaredSpine() contract.Spine {
	out := contract.Spine{Consumers: []contract.Consumer{}, Recorded: map[domain.SpineType]uint64{}, Noteworthy: []string{}}
	for _, s := range domain.Services() {
		out.Services = append(out.Services, contract.SpineService{
			Name: s.Name, Layer: s.Layer, Emits: append([]domain.SpineType{}, s.Emits...), Consumes: append([]domain.SpineType{}, s.Consumes...),
			Trigger: s.Trigger, CycleMS: s.Cycle.Milliseconds(), TTLMS: s.TTL().Milliseconds(), FailMode: s.FailMode,
		})
	}
	for _, k := range domain.SpineKinds() {
		out.Signals = append(out.Signals, contract.SignalType{
			Type: k.Type, Meaning: k.Meaning, Emitters: append([]string{}, k.Emitters...), Least: k.Least.Float(), Most: k.Most.Float(), Taken: k.Taken,
		})
	}
	return out
}

func (c *cli) spine(s contract.Spine, running bool) error {
	columns := []term.Column{
		{Title: "SERVICE"}, {Title: "LAYER", Spare: 2}, {Title: "TRIGGER", Spare: 3}, {Title: "EMITS", Flex: true}, {Title: "TAKES", Spare: 1}, {Title: "STATE"},
	}
	rows := make([][]term.Cell, 0, len(s.Services))
	for _, service := range s.Services {
		rows = append(rows, []term.Cell{
			term.Bold.Of(service.Name), term.Plain.Of(string(service.Layer)), term.Plain.Of(triggerWords(service)),
			term.Plain.Of(namesOf(service.Emits)), term.Plain.Of(fewNames(service.Consumes)), serviceState(service, running),
		})
	}
	if err := c.Table(columns, rows); err != nil {
		return err
	}
	var notes []string
	for _, service := range s.Services {
		if service.State == "dead" {
			notes = append(notes, c.Paint(term.Red, service.Name)+" "+oneLine(service.Why)+". Missing: "+service.FailMode+".")
		}
	}
	for _, q := range s.Consumers {
		notes = append(notes, queueWords(q))
	}
	if s.Lost > 0 {
		notes = append(notes, counted(s.Lost, "signal was", "signals were")+" lost before being recorded.")
	}
	if !running {
		notes = append(notes, "Chalie doesn't run: this is what its services declare.")
	}
	if len(notes) == 0 {
		return nil
	}
	return c.Println("\n" + strings.Join(notes, "\n"))
}

// triggerWords names a service's trigger.
func triggerWords(s contract.SpineService) string {
	if s.Trigger == domain.TriggerTimer {
		return "timer " + span(time.Duration(s.CycleMS)*time.Millisecond)
	}
	return string(s.Trigger)
}

func namesOf(types []domain.SpineType) string {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = string(t)
	}
	return strings.Join(names, ", ")
}

// fewNames lists a consumer's signal types, shortened for a narrow column.
func fewNames(types []domain.SpineType) string {
	if len(types) > 2 {
		return fmt.Sprintf("%d types", len(types))
	}
	return namesOf(types)
}

func serviceState(s contract.SpineService, running bool) term.Cell {
	switch {
	case !running:
		return term.Faint.Of("-")
	case s.State == "dead":
		return term.Red.Of("dead")
	case s.State == "alive":
		return term.Green.Of("alive")
	case s.State == "passive":
		return term.Faint.Of("on call")
	}
	return term.Faint.Of(s.State)
}

// queueWords tells the state of a consumer's queue.
func queueWords(q contract.Consumer) string {
	parts := []string{fmt.Sprintf("%s: %d of %d wait", q.Name, q.Waiting, q.Depth), grouped(q.Taken) + " taken up"}
	for _, part := range []struct {
		n    uint64
		what string
	}{{q.Yielded, "made room"}, {q.Dropped, "dropped"}, {q.PassedOver, "passed over"}} {
		if part.n > 0 {
			parts = append(parts, grouped(part.n)+" "+part.what)
		}
	}
	text := strings.Join(parts, ", ")
	if q.Stuck != "" {
		text += "; stuck: " + oneLine(q.Stuck)
	}
	return text + "."
}
