package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"chalie/adapters/api"
	"chalie/adapters/apiclient"
	"chalie/adapters/demo"
	"chalie/commands/signal"
	"chalie/domain"
)

// village is a story with interfaces around it, and its transcript.
type village struct {
	*story
	person  *device
	devices []*device // that one included
	cookie  string
	streams map[string]domain.ID
	names   *nicknames
	logged  domain.Position // what of the log was told
	told    strings.Builder
}

// tell writes a line of the transcript; more lines of one text are set in.
func (v *village) tell(mark, text string) {
	text = strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n"+strings.Repeat(" ", 10))
	fmt.Fprintf(&v.told, "%-9s %s\n", mark, text)
}

func (v *village) chapter(title string) { fmt.Fprintf(&v.told, "\n== %s\n", title) }

// came tells what an interface let Chalie hear.
func (v *village) came(words string, err error) {
	v.t.Helper()
	if err != nil {
		v.t.Fatal(err)
	}
	v.tell("in", words)
}

// broadcasts has a program tell all who listen.
func (v *village) broadcasts(p *demo.Program, s demo.Signal) {
	p.Broadcast(s)
	v.came(s.Content, nil)
}

func (v *village) refused(err error) {
	v.t.Helper()
	refusal, ok := errors.AsType[*demo.Refusal](err)
	if !ok {
		v.t.Fatalf("it was not refused: %v", err)
	}
	v.tell("refused", refusal.Error())
}

func (v *village) pair(p *demo.Program) {
	v.t.Helper()
	key := valueIn(v, v.api.PairingKey)
	paired, err := p.Pair(v.t.Context(), "http://"+v.app.Addr(), key.Key)
	if err != nil {
		v.t.Fatal(err)
	}
	v.names.give(paired.ID, p.Name)
	v.tell("paired", fmt.Sprintf("%s, with %s", p.Name, strings.Join(paired.Tools, ", ")))
	v.log()
}

// valueIn asks the API for one object.
func valueIn[T any](v *village, ask func(context.Context) (apiclient.Object[T], error)) T {
	v.t.Helper()
	object, err := ask(v.t.Context())
	if err != nil {
		v.t.Fatal(err)
	}
	value, err := object.Value()
	if err != nil {
		v.t.Fatal(err)
	}
	return value
}

func (v *village) listen(p *demo.Program) {
	v.t.Helper()
	name, url := p.Name, p.StreamURL()
	added := valueIn(v, func(ctx context.Context) (apiclient.Object[api.StreamAdded], error) {
		return v.api.AddStream(ctx, url, name)
	})
	v.streams[name] = added.StreamID.ID
	v.names.give(added.StreamID.UUID(), "stream of "+name)
	v.await(name, func(s api.Stream) bool { return s.State == string(signal.StreamLive) })
	v.tell("listens", "to "+url)
	v.log()
}

// taken waits until so many signals of a broadcast are in the log.
func (v *village) taken(name string, n uint64) {
	v.t.Helper()
	s := v.await(name, func(s api.Stream) bool { return s.Accepted >= n })
	if s.Accepted != n || s.Received != n || s.Malformed+s.Ignored+s.Lost > 0 {
		v.t.Fatalf("of %d signals of %s: %+v", n, name, s)
	}
}

func (v *village) await(name string, fits func(api.Stream) bool) api.Stream {
	v.t.Helper()
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for deadline := time.Now().Add(patience); ; <-look.C {
		objects, err := v.api.Streams(v.t.Context())
		if err != nil {
			v.t.Fatal(err)
		}
		list, err := apiclient.Values(objects)
		if err != nil {
			v.t.Fatal(err)
		}
		for _, s := range list {
			if s.ID.ID == v.streams[name] && fits(s) {
				return s
			}
		}
		if time.Now().After(deadline) {
			v.t.Fatalf("%s is not heard as it should be: %+v", name, list)
		}
	}
}

func (v *village) device() *device {
	v.t.Helper()
	d := newDevice(v.t, v.cookie)
	if err := errors.Join(d.connect("http://"+v.app.Addr()), d.attend()); err != nil {
		v.t.Fatal(err)
	}
	v.devices = append(v.devices, d)
	return d
}

// say speaks on the person's device and tells the frames through done.
func (v *village) say(text string) { v.t.Helper(); v.sayFrom(v.person, text) }

// sayFrom speaks on any device; the person's hears the answer.
func (v *village) sayFrom(d *device, text string) {
	v.t.Helper()
	if err := d.say(text); err != nil {
		v.t.Fatal(err)
	}
	v.tell("person", text)
	v.frames("done")
}

// asked speaks on any device; the person's hears what has to be approved first.
func (v *village) asked(d *device, text string) {
	v.t.Helper()
	if err := d.say(text); err != nil {
		v.t.Fatal(err)
	}
	v.tell("person", text)
	v.frames("escalation")
}

// frames tells what the person's device gets, through the first of a type.
func (v *village) frames(last string) {
	v.t.Helper()
	v.person.frames = nil
	if _, err := v.person.until(func(h heard) bool { return h.Type == last }); err != nil {
		v.t.Fatal(err)
	}
	for _, h := range v.person.frames {
		v.tell("device", frameText(h))
	}
}

func frameText(h heard) string {
	switch h.Type {
	case "message":
		return fmt.Sprintf("message, %s, topic %s, confidence %.2f\n%s", h.Mode, *h.Topic, *h.Confidence, domain.PlainText(h.Blocks))
	case "notification", "escalation":
		return fmt.Sprintf("%s, topic %s\n%s", h.Type, *h.Topic, h.Content)
	}
	return h.name()
}

// quiet checks that the device was told nothing: what it asks for is the next
// that it hears.
func (v *village) quiet() {
	v.t.Helper()
	if err := v.person.attend(); err != nil {
		v.t.Fatal(err)
	}
	v.tell("device", "(silent)")
}

// mind tells the world state: what is in, and how much was left out.
func (v *village) mind() {
	v.t.Helper()
	world := valueIn(v, func(ctx context.Context) (apiclient.Object[api.World], error) { return v.api.World(ctx, "") })
	for _, item := range world.Items {
		v.tell("in mind", fmt.Sprintf("%s %s (%s)", domain.PPMOf(item.Salience), item.Label, item.Source))
	}
	out := map[domain.Gate]int{}
	for _, item := range world.LeftOut {
		out[item.Gate]++
	}
	for _, gate := range slices.Sorted(maps.Keys(out)) {
		v.tell("left out", fmt.Sprintf("%d: %s", out[gate], gate.Brief()))
	}
	if len(world.Items)+len(out) == 0 {
		v.tell("in mind", "(nothing)")
	}
}

func (v *village) invoke(tool, params string) {
	v.t.Helper()
	v.tell("tool", tool+" "+params)
	object, err := v.api.InvokeTool(v.t.Context(), tool, json.RawMessage(params))
	if err != nil {
		if none, ok := errors.AsType[*apiclient.NoAnswer](err); ok {
			err = none.Err
		}
		v.tell("no answer", fmt.Sprintf("%s: %s", domain.CodeOf(err), words(err)))
		return
	}
	answer, err := object.Value()
	if err != nil {
		v.t.Fatal(err)
	}
	if answer.Text != nil {
		v.tell("answer", *answer.Text)
	}
	if string(answer.Data) != "null" {
		v.tell("answer", string(answer.Data))
	}
	if answer.Error != nil {
		v.tell("answer", "error: "+*answer.Error)
	}
}

func (v *village) remove(name string) {
	v.t.Helper()
	objects, err := v.api.Apps(v.t.Context())
	if err != nil {
		v.t.Fatal(err)
	}
	list, err := apiclient.Values(objects)
	if err != nil {
		v.t.Fatal(err)
	}
	for _, a := range list {
		if a.Name == name {
			if err := v.api.RemoveInterface(v.t.Context(), a.ID.ID); err != nil {
				v.t.Fatal(err)
			}
			v.tell("removed", name)
		}
	}
}

// records are those that were not told yet.
func (v *village) records() []domain.Record {
	v.t.Helper()
	var out []domain.Record
	for {
		page, err := v.api.Log(v.t.Context(), apiclient.LogQuery{From: v.logged + 1})
		if err != nil {
			v.t.Fatal(err)
		}
		list, err := apiclient.Values(page.Records)
		if err != nil {
			v.t.Fatal(err)
		}
		if out = append(out, list...); len(list) == 0 {
			return out
		}
		v.logged = list[len(list)-1].Position
	}
}

// log tells the new records by type, and who is accountable for each.
func (v *village) log() {
	v.t.Helper()
	for _, rec := range v.records() {
		e := rec.Envelope
		v.tell("log", fmt.Sprintf("%4d %s by %s", rec.Position, e.Type, callersOf(v.t.Context(), v.api).who(e)))
	}
}

// counts tells how many new records there are of each type.
func (v *village) counts() {
	v.t.Helper()
	types := map[domain.EventType]int{}
	for _, rec := range v.records() {
		types[rec.Envelope.Type]++
	}
	for _, name := range slices.Sorted(maps.Keys(types)) {
		v.tell("log", fmt.Sprintf("%4d × %s", types[name], name))
	}
}

// nicknames stand for what is another in every run: ids and addresses.
type nicknames struct{ of map[string]string }

func newNicknames() *nicknames { return &nicknames{map[string]string{}} }

func (n *nicknames) give(what, name string) { n.of[what] = "‹" + name + "›" }

// passing matches ULIDs, UUIDs and addresses of this machine.
var passing = regexp.MustCompile(`\b[0-9A-HJKMNP-TV-Z]{26}\b|\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b127\.0\.0\.1:\d+\b`)

// in puts the nicknames into a text. What has none gets a number.
func (n *nicknames) in(text string) string {
	return passing.ReplaceAllStringFunc(text, func(found string) string {
		if _, known := n.of[found]; !known {
			n.of[found] = fmt.Sprintf("‹id %d›", len(n.of)+1)
		}
		return n.of[found]
	})
}
