package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"chalie/adapters/builtinmodel"
	"chalie/commands"
	"chalie/commands/skill"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/language"
	"chalie/domain/language/hearing"
	"chalie/domain/language/speech"
	"chalie/domain/memlog"
)

// house is a Chalie in memory that a sentence can be said to: the built-in model and the
// skills alone, over the folds of a log. Thousands of sentences are each said to a branch of it;
// dialogues are said to a whole one (stage), with its loop, its policy and its clock.
type house struct {
	clock *domaintest.Clock
	ids   *domaintest.IDs
	zone  *time.Location
	log   *memlog.Log
	named map[domain.ID]string // what the fixture made, by the names that expectations use
	fork  domain.Position      // the log's tail before anything was said

	through  domain.Position
	plans    domain.Plans
	memories domain.Memories
	world    domain.World
	tools    map[string]tool.Skill
	offered  []language.Offered
	told     *speech.Catalogue // of the answers; nil are those of the language of what is said
	recent   []language.Turn   // what was said before
	buttons  []pressable       // of the last answer
}

// pressable is a button with the call that it makes.
type pressable struct {
	label string
	call  domain.ToolCall
}

// The folds under the names that the ports want.
type (
	planBook   struct{ *house }
	memoryBook struct{ *house }
	worldBook  struct{ *house }
)

// Read implements commands.View.
func (b planBook) Read(fn func(*domain.Plans)) { fn(&b.plans) }

// Read implements commands.View.
func (b memoryBook) Read(fn func(*domain.Memories)) { fn(&b.memories) }

// Read implements commands.View.
func (b worldBook) Read(fn func(*domain.World)) { fn(&b.world) }

// WaitFor implements commands.Barrier.
func (h *house) WaitFor(ctx context.Context, pos domain.Position) error {
	for h.through < pos {
		records, err := h.log.Select(ctx, domain.Selector{}, h.through+1, 100)
		if err != nil {
			return err
		}
		for _, rec := range records {
			h.memories.Evolve(rec)
			if err := h.plans.Evolve(rec); err != nil {
				return err
			}
			if err := h.world.Evolve(rec); err != nil {
				return err
			}
			h.through = rec.Position
		}
	}
	return nil
}

// hears is when the fixed Chalie hears every sentence, in hearsIn.
const (
	hears   = "2027-03-01 08:30"
	hearsIn = "America/New_York"
)

// unwantedBook keeps nothing back.
type unwantedBook struct{}

func (unwantedBook) Read(fn func(*domain.Unwanted)) { fn(&domain.Unwanted{}) }

func newHouse() (*house, error) {
	zone, err := time.LoadLocation(hearsIn)
	if err != nil {
		return nil, err
	}
	now, err := time.ParseInLocation("2006-01-02 15:04", hears, zone)
	if err != nil {
		return nil, err
	}
	clock := domaintest.NewClockAt(now)
	h := &house{clock: clock, ids: domaintest.NewIDs(clock, 1), zone: zone, log: memlog.New(clock), named: map[domain.ID]string{}, world: domain.NewWorld()}
	return h, h.open()
}

// open makes the skills over the house's log.
func (h *house) open() error {
	all, err := skill.New(skill.Config{
		Env:   commands.Env{Log: h.log, Reader: h.log, Tail: h.log, Clock: h.clock, IDs: h.ids, Logger: slog.New(slog.DiscardHandler)},
		Plans: planBook{h}, Memory: memoryBook{h}, World: worldBook{h}, Unwanted: unwantedBook{}, Applied: h, Words: h.told,
	})
	if err != nil {
		return err
	}
	h.tools, h.offered = map[string]tool.Skill{}, nil
	for _, s := range all {
		t := s.Tool()
		h.tools[t.Name] = s
		h.offered = append(h.offered, language.Offered{Name: t.Name, Interface: "Chalie", Description: t.Description, Parameters: t.Parameters, SideEffects: s.SideEffects()})
	}
	return nil
}

// branch is the same house, whose log goes on by itself.
func (h *house) branch(ctx context.Context) (*house, error) {
	log, err := memlog.Branch(ctx, h.log, h.log.Tail(), h.clock)
	if err != nil {
		return nil, err
	}
	b := *h
	b.log, b.world, b.fork = log, h.world.Clone(), h.log.Tail()
	b.plans.Commitments = h.plans.Commitments.Clone()
	b.plans.Lists.All = make([]domain.Listing, len(h.plans.Lists.All))
	for i, l := range h.plans.Lists.All {
		b.plans.Lists.All[i] = domain.Listing{ID: l.ID, Items: slices.Clone(l.Items)}
	}
	b.memories.All = slices.Clone(h.memories.All)
	return &b, b.open()
}

func (h *house) now() domain.Millis { return domain.MillisOf(h.clock.Now()) }

// whenDone is told of what skills answered, for a test; nil for nobody.
var whenDone func(tool.SkillCall, tool.SkillDone)

// do asks a skill, and appends what it decides.
func (h *house) do(ctx context.Context, name string, params json.RawMessage) (tool.SkillDone, error) {
	s, ok := h.tools[name]
	if !ok {
		return tool.SkillDone{}, fmt.Errorf("there is no skill %s", name)
	}
	if err := s.Tool().CheckParams(params); err != nil {
		return tool.SkillDone{}, err
	}
	cause := h.ids.NewID()
	call := tool.SkillCall{Params: params, By: commands.OperatorCaller("test"), Now: h.now(), Zone: h.zone,
		Lineage: domain.Lineage{Trace: domain.TraceID{ID: cause}, Parent: cause, Principal: domain.PrincipalOperator}}
	done, err := s.Do(ctx, call)
	if whenDone != nil && err == nil {
		whenDone(call, done)
	}
	if err != nil || len(done.Entries) == 0 {
		return done, err
	}
	_, err = h.log.Append(ctx, domain.Batch{Entries: done.Entries, Conditions: done.Conditions})
	return done, err
}

// answer is what came of a sentence.
type answer struct {
	text  string
	calls []string // the skills that were asked
	ended bool     // a skill did, or told, what it was asked for
	sure  bool
}

// inMind is the world state with its texts.
func (h *house) inMind(ctx context.Context) ([]language.ContextItem, error) {
	var out []language.ContextItem
	for _, item := range h.world.Assemble(nil, h.now()).Items {
		in := language.ContextItem{SeenItem: domain.SeenItem{EnvelopeID: item.EnvelopeID, Kind: item.Kind, Salience: item.Salience}}
		rec, err := h.log.Find(ctx, item.Text())
		if err != nil {
			return nil, err
		}
		if heard, err := domain.Decode[domain.SignalReceived](rec.Envelope); err == nil {
			in.Label, in.Source, in.SignalType = heard.Content, heard.Source, heard.SignalType
		} else if in.Label, err = domain.PlanText(rec.Envelope); err != nil {
			return nil, err
		}
		out = append(out, in)
	}
	return out, nil
}

// mostCalls bounds how often the model is asked about one sentence.
const mostCalls = 4

// say says a sentence, and does what the model calls for.
func (h *house) say(ctx context.Context, sentence string) (answer, error) {
	p := language.Prompt{
		Kind: language.AskedMessage, AsOf: h.now(), Zone: h.zone, Tools: h.offered, Recent: h.recent, Words: h.told,
		Asked: language.Asked{ID: h.ids.NewID(), Text: sentence, Source: "text", From: domain.PrincipalOperator, Via: "rest"},
	}
	var err error
	if p.World, err = h.inMind(ctx); err != nil {
		return answer{}, err
	}
	var out answer
	for range mostCalls {
		reply, err := builtinmodel.Model{}.Reply(ctx, p)
		if err != nil {
			return out, err
		}
		out.sure = reply.Confidence == hearing.Sure
		if len(reply.ToolCalls) == 0 {
			out.text = domain.PlainText(reply.Blocks)
			if h.buttons, err = buttonsIn(reply.Blocks); err != nil {
				return out, err
			}
			h.recent = append(slices.Clone(h.recent), language.Turn{Prompt: sentence, Reply: out.text, Said: speech.Recorded(reply.Spoken), RecordedAt: h.now(), Done: p.Done})
			return out, nil
		}
		for _, call := range reply.ToolCalls {
			done, err := h.do(ctx, call.Tool, call.Params)
			if err != nil {
				return out, fmt.Errorf("%s %s: %w", call.Tool, call.Params, err)
			}
			out.calls = append(out.calls, call.Tool+" "+string(call.Params))
			d := doneWith(call, done)
			out.ended = out.ended || done.Result.Error == nil
			p.Done = append(p.Done, d)
		}
	}
	return out, fmt.Errorf("the model called more than %d times", mostCalls)
}

// buttonsIn are the buttons of an answer.
func buttonsIn(blocks []domain.Block) (out []pressable, err error) {
	for _, b := range domain.PressablesIn(blocks) {
		payload, err := json.Marshal(b.Payload)
		if err != nil {
			return nil, err
		}
		skill, _ := b.Payload["skill"].(string)
		params, err := domain.ActionReceived{Skill: skill, Payload: payload}.Params()
		if err != nil {
			return nil, err
		}
		out = append(out, pressable{b.Label, domain.ToolCall{Tool: skill, Params: params}})
	}
	return out, nil
}

// press presses the button at a place, the first is 1.
func (h *house) press(ctx context.Context, n int) (answer, error) {
	if n < 1 || n > len(h.buttons) {
		return answer{}, fmt.Errorf("there is no button %d", n)
	}
	call := h.buttons[n-1].call
	done, err := h.do(ctx, call.Tool, call.Params)
	if err != nil {
		return answer{}, err
	}
	d := doneWith(call, done)
	last := &h.recent[len(h.recent)-1]
	last.Pressed = append(last.Pressed, d)
	h.buttons, err = buttonsIn(d.Blocks)
	return answer{text: d.Text, calls: []string{call.Tool + " " + string(call.Params)}, ended: d.Error == "", sure: true}, err
}

// doneWith is a call with its result.
func doneWith(call domain.ToolCall, done tool.SkillDone) language.Done {
	d := language.Done{Call: call, Own: true, Outcome: domain.ToolCompletedType, Data: done.Result.Data, Said: done.Said, Blocks: done.Asked(call.Tool, call.Params)}
	if done.Result.Text != nil {
		d.Text = *done.Result.Text
	}
	if done.Result.Error != nil {
		d.Error = *done.Result.Error
	}
	return d
}

// fixture is what the fixed Chalie holds: a name, a skill and its parameters.
const fixture = `
r-wake remind {"what":"wake up","when":"every weekday at 06:30"}
r-eight remind {"what":"alarm","when":"tomorrow at 08:00"}
r-three remind {"what":"alarm","when":"today at 15:00"}
r-kick remind {"what":"alarm: kickball","when":"on 3 March at 18:00"}
r-yoga remind {"what":"alarm: yoga","when":"every Saturday at 09:00"}
r-meet remind {"what":"alarm: meeting","when":"tomorrow at 14:00"}
r-bed remind {"what":"alarm: Finlee's bedtime","when":"every day at 20:00"}
r-flight remind {"what":"alarm: flight","when":"on 6 March at 04:00"}
r-rent remind {"what":"pay the rent","when":"on the 1st of every month at 10:00"}
r-plants remind {"what":"water the plants","when":"on 4 March at 18:00"}
t-tax task {"what":"file the taxes","deadline":"on 31 March at 17:00"}
t-bank task {"what":"call the bank"}
t-garage task {"what":"clean the garage"}
a-joe appointment {"what":"meeting with Joe","when":"today at 16:00","until":"17:00","place":"the office","with":"Joe"}
a-dinner appointment {"what":"dinner party","when":"today at 19:00","until":"22:00","place":"Anna's place"}
a-dentist appointment {"what":"dentist appointment","when":"tomorrow at 11:00","until":"11:30"}
a-rajesh appointment {"what":"meeting with Rajesh","when":"on 3 March at 09:00","until":"10:00","with":"Rajesh"}
a-staff appointment {"what":"staff meeting","when":"every Thursday at 10:00","until":"11:00"}
a-doctor appointment {"what":"doctor's appointment","when":"on 5 March at 15:00","until":"15:30"}
a-party appointment {"what":"Mary's birthday party","when":"on 6 March at 18:00","until":"23:00","place":"King's Park"}
a-susan appointment {"what":"Susan's birthday","when":"every year on 15 March"}
a-ted appointment {"what":"lunch with Ted","when":"on 23 March at 12:30","until":"13:30","with":"Ted"}
l-shopping list {"action":"add","list":"shopping","item":"milk, bread, apples, bananas, toothpaste"}
l-grocery list {"action":"add","list":"grocery","item":"eggs, noodles, cheese, coffee"}
l-gifts list {"action":"add","list":"Christmas gifts","item":"Mark, Lisa"}
l-holiday list {"action":"add","list":"holiday","item":"sunscreen, passport"}
m-key remember {"what":"The spare key is under the blue pot","about":"spare key"}
m-dentist remember {"what":"My dentist is Dr Okafor","about":"dentist"}
m-bob remember {"what":"Bob is Anna's brother","about":"Bob"}
`

// furnish makes what the fixed Chalie holds.
func (h *house) furnish(ctx context.Context) error {
	for line := range strings.Lines(strings.TrimSpace(fixture)) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		skillName, params, _ := strings.Cut(rest, " ")
		if _, ok := h.tools[skillName]; !ok {
			continue
		}
		done, err := h.do(ctx, skillName, json.RawMessage(params))
		if err != nil {
			return fmt.Errorf("fixture %s: %w", name, err)
		}
		if done.Result.Error != nil || len(done.Entries) == 0 {
			return fmt.Errorf("fixture %s: %s", name, *done.Result.Text)
		}
		h.named[done.Entries[0].Envelope.ID] = name
	}
	for _, heard := range []domain.SignalReceived{
		{SignalType: "payment", Source: "bank", Content: "Your card payment of 45 dollars to Luigi's was declined", ActivationEnergy: 0.5},
		{SignalType: "delay", Source: "rail", Content: "The 9:15 train to Boston is 20 minutes late", ActivationEnergy: 0.5},
	} {
		e, err := domain.New(domain.Begin(domain.TraceID{ID: h.ids.NewID()}, "town"), h.ids.NewID(), h.now(), "interface/town", heard)
		if err != nil {
			return err
		}
		if _, err := h.log.Append(ctx, domain.Batch{Entries: []domain.Entry{e}}); err != nil {
			return err
		}
	}
	return h.WaitFor(ctx, h.log.Tail())
}
