package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"chalie/adapters/apiclient"
	"chalie/adapters/unixsocket"
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

func spineCommand(c *console, o *options) *cobra.Command {
	var mermaid bool
	cmd := &cobra.Command{
		Use: "spine", Short: "Show the services, what they tell each other, and who lives",
		Long: spineHelp, Example: spineExample, Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if mermaid {
				_, err := fmt.Fprint(c.out, domain.SpineMermaid(domain.Services()))
				return err
			}
			object, running, err := askSpine(cmd.Context(), o)
			if err != nil {
				return err
			}
			if o.json && running {
				return c.json(object)
			}
			spine := declaredSpine()
			if running {
				if spine, err = object.Value(); err != nil {
					return err
				}
			}
			if o.json {
				return c.json(spine)
			}
			return c.spine(spine, running)
		},
	}
	cmd.Flags().BoolVar(&mermaid, "mermaid", false, "draw the graph of signals as a Mermaid flowchart")
	return cmd
}

// askSpine asks the running program, if there is one.
func askSpine(ctx context.Context, o *options) (_ apiclient.Object[apiclient.Spine], running bool, err error) {
	var none apiclient.Object[apiclient.Spine]
	api, err := dial(ctx, o)
	if domain.CodeOf(err) == unixsocket.CodeNotRunning || errors.Is(err, fs.ErrNotExist) {
		return none, false, nil
	}
	if err != nil {
		return none, false, err
	}
	defer api.Close()
	object, err := api.Spine(ctx)
	return object, true, err
}

// declaredSpine is what services say of themselves where none runs.
func declaredSpine() apiclient.Spine {
	out := apiclient.Spine{Consumers: []apiclient.Consumer{}, Recorded: map[domain.SpineType]uint64{}, Noteworthy: []string{}}
	for _, s := range domain.Services() {
		out.Services = append(out.Services, apiclient.Service{
			Name: s.Name, Layer: s.Layer, Emits: append([]domain.SpineType{}, s.Emits...), Consumes: append([]domain.SpineType{}, s.Consumes...),
			Trigger: s.Trigger, CycleMS: s.Cycle.Milliseconds(), TTLMS: s.TTL().Milliseconds(), FailMode: s.FailMode,
		})
	}
	for _, k := range domain.SpineKinds() {
		out.Signals = append(out.Signals, apiclient.SignalType{
			Type: k.Type, Meaning: k.Meaning, Emitters: append([]string{}, k.Emitters...), Least: k.Least.Float(), Most: k.Most.Float(), Taken: k.Taken,
		})
	}
	return out
}

func (c *console) spine(s apiclient.Spine, running bool) error {
	t := table{c, []column{
		{title: "SERVICE"}, {title: "LAYER", spare: 2}, {title: "TRIGGER", spare: 3}, {title: "EMITS", flex: true}, {title: "TAKES", spare: 1}, {title: "STATE"},
	}}
	rows := make([][]cell, 0, len(s.Services))
	for _, service := range s.Services {
		rows = append(rows, []cell{
			{service.Name, bold}, {string(service.Layer), plain}, {triggerWords(service), plain},
			{namesOf(service.Emits), plain}, {fewNames(service.Consumes), plain}, serviceState(service, running),
		})
	}
	if err := t.write(c.out, rows); err != nil {
		return err
	}
	var notes []string
	for _, service := range s.Services {
		if service.State == "dead" {
			notes = append(notes, c.paint(red, service.Name)+" "+oneLine(service.Why)+". Missing: "+service.FailMode+".")
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
	_, err := fmt.Fprintln(c.out, "\n"+strings.Join(notes, "\n"))
	return err
}

// triggerWords says what sets a service off.
func triggerWords(s apiclient.Service) string {
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

// fewNames is what a consumer takes, in a column that stays narrow.
func fewNames(types []domain.SpineType) string {
	if len(types) > 2 {
		return fmt.Sprintf("%d types", len(types))
	}
	return namesOf(types)
}

func serviceState(s apiclient.Service, running bool) cell {
	switch {
	case !running:
		return cell{"-", faint}
	case s.State == "dead":
		return cell{"dead", red}
	case s.State == "alive":
		return cell{"alive", green}
	case s.State == "passive":
		return cell{"on call", faint}
	}
	return cell{oneLine(s.State), faint}
}

// queueWords says how a consumer's queue is.
func queueWords(q apiclient.Consumer) string {
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
