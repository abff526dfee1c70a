package openai

import (
	"encoding/json"
	"slices"
	"strings"

	"chalie/adapters/models/dialogue"
	"chalie/adapters/models/wire"
	"chalie/domain"
)

// responseEvent is one event of a stream. Type says which of the other fields it
// has. An answer that isn't streamed is a response by itself.
type responseEvent struct {
	Type      string           `json:"type"`
	Delta     dialogue.Content `json:"delta"`
	Text      dialogue.Content `json:"text"`
	Refusal   dialogue.Content `json:"refusal"`
	Part      dialogue.Content `json:"part"`
	Arguments json.RawMessage  `json:"arguments"`
	Name      dialogue.Word    `json:"name"`
	Raw       json.RawMessage  `json:"-"` // the delta as it came
	Response  *response        `json:"response"`
	Index     dialogue.Place   `json:"output_index"`
	ItemID    dialogue.Word    `json:"item_id"`
	Item      responseItem     `json:"item"`

	whole response
}

// UnmarshalJSON reads an event.
func (e *responseEvent) UnmarshalJSON(data []byte) error {
	type plain responseEvent
	err := json.Unmarshal(data, (*plain)(e))
	var raw struct {
		Delta  json.RawMessage `json:"delta"`
		Object string          `json:"object"`
		Output json.RawMessage `json:"output"`
	}
	_ = json.Unmarshal(data, &raw) // what isn't there stays empty
	e.Raw = raw.Delta
	if raw.Object == "response" || e.Type == "" && isThere(raw.Output) {
		_ = json.Unmarshal(data, &e.whole) // likewise
		e.Response, e.Type = &e.whole, "response."+e.whole.Status
	}
	return err
}

// itemCall is the type of an item that is a call.
const itemCall = "function_call"

// response is the answer so far; in the last event, all of it.
type response struct {
	Status     string                      `json:"status"`
	Output     dialogue.List[responseItem] `json:"output"`
	Text       dialogue.Content            `json:"output_text"` // of servers that add what clients make of it
	Usage      responseUsage               `json:"usage"`
	Error      json.RawMessage             `json:"error"`
	Incomplete struct {
		Reason dialogue.Word `json:"reason"`
	} `json:"incomplete_details"`
}

// responseItem is a message or a call. Others, such as thoughts, are left out.
type responseItem struct {
	ID        dialogue.Word    `json:"id"`
	Type      string           `json:"type"`
	Content   dialogue.Content `json:"content"`
	CallID    dialogue.Word    `json:"call_id"`
	Name      dialogue.Word    `json:"name"`
	Arguments json.RawMessage  `json:"arguments"`
	Input     json.RawMessage  `json:"input"` // of calls that aren't of functions
}

func (i responseItem) isMessage() bool { return i.Type == "message" || i.Type == "output_text" }

func (i responseItem) isCall() bool {
	return i.Type == itemCall || i.Type == "tool_call" || i.Type == "custom_tool_call" || i.Type == "tool_use"
}

func (i responseItem) params() json.RawMessage {
	if isThere(i.Arguments) {
		return i.Arguments
	}
	return i.Input
}

type responseUsage struct {
	Input   int          `json:"input_tokens"`
	Details cachedTokens `json:"input_tokens_details"`
	Output  int          `json:"output_tokens"`
}

func (u responseUsage) count() domain.Usage { return used(u.Input, u.Details, u.Output) }

// responseListener puts an answer together from the events of its stream. Each thing is said up
// to four times: in pieces, when its part ends, when its item does, and at the end of all. Any of
// them may be missing.
type responseListener struct {
	*dialogue.Draft
	stops dialogue.Stops

	since strings.Builder // what came of the text since the last item
	last  string          // the text of that item
	calls []*responseCall
}

// responseCall is a call as it comes.
type responseCall struct {
	index    *int
	item     string // its id as an item
	id, name string
	number   int  // in the draft
	ended    bool // the whole answer has it
}

func (l *responseListener) take(e responseEvent) *wire.Fault {
	switch kind := strings.TrimPrefix(e.Type, "response."); kind {
	case "output_text.delta", "refusal.delta", "text.delta":
		l.text(e.Delta.Text)
	case "output_text.done", "text.done":
		l.whole(e.Text.Text)
	case "refusal.done":
		l.whole(e.Refusal.Text)
	case "content_part.done":
		l.whole(e.Part.Text)
	case "output_item.added", "output_item.done":
		l.item(e, kind == "output_item.done")
	case "function_call_arguments.delta":
		l.Add(l.call(e.Index.At, string(e.ItemID), "", ""), dialogue.CallPart{Params: e.Raw})
	case "function_call_arguments.done":
		l.Whole(l.call(e.Index.At, string(e.ItemID), "", string(e.Name)), e.Arguments)
	case "completed", "incomplete", "done", "":
		if e.Response != nil {
			return l.end(*e.Response, kind)
		}
	case "failed", "cancelled":
		if e.Response != nil {
			l.Usage = e.Response.Usage.count()
			if f := wire.FaultOf(e.Response.Error); f != nil {
				return f
			}
		}
		return &wire.Fault{Message: "the answer was " + kind}
	}
	return nil
}

// text adds to the text, up to where it is to stop.
func (l *responseListener) text(more string) {
	l.since.WriteString(more)
	out, hit := l.stops.Add(more)
	l.Text(out)
	if hit {
		l.stop()
	}
}

// stop ends the answer before what it isn't to say.
func (l *responseListener) stop() {
	l.Finish("stop")
	l.Over = true
}

// whole is a text that may have come in pieces.
func (l *responseListener) whole(text string) {
	if l.since.Len() == 0 && text == l.last {
		return // it was said before
	}
	if rest, ok := strings.CutPrefix(text, l.since.String()); ok {
		l.text(rest)
	}
}

func (l *responseListener) item(e responseEvent, done bool) {
	switch {
	case e.Item.isMessage():
		if done {
			l.whole(e.Item.Content.Text)
			l.last = l.since.String()
			l.since.Reset()
		}
		l.odd(e.Item)
	case e.Item.isCall():
		n := l.call(e.Index.At, string(e.Item.ID), string(e.Item.CallID), string(e.Item.Name))
		if done {
			l.Whole(n, e.Item.params())
		} else {
			l.Add(n, dialogue.CallPart{Params: e.Item.params()}) // of servers that send no pieces
		}
	}
}

func (l *responseListener) odd(item responseItem) {
	if item.Content.Odd != "" {
		l.Odd(item.Content.Odd)
	}
}

// call is the number of an event's call: that of its place and id, or of either, or the latest.
func (l *responseListener) call(index *int, item, id, name string) int {
	fits := func(a, b string) bool { return a == "" || b == "" || a == b }
	samePlace := func(c *responseCall) bool { return index != nil && c.index != nil && *index == *c.index }
	sameID := func(c *responseCall) bool {
		return (item != "" && c.item == item || id != "" && c.id == id) && fits(c.name, name)
	}
	return l.callBy(index, item, id, name,
		func(c *responseCall) bool { return samePlace(c) && sameID(c) },
		func(c *responseCall) bool {
			return samePlace(c) && fits(c.item, item) && fits(c.id, id) && fits(c.name, name)
		},
		sameID,
		func(c *responseCall) bool {
			return name == "" && (index == nil || c.index == nil) && fits(c.item, item)
		},
		func(*responseCall) bool { return name == "" && id == "" },
	)
}

// endCall is the number of a call of the whole answer. It came before under its id, at its place,
// or at least by its name: ids that changed don't make another of it.
func (l *responseListener) endCall(index int, item responseItem) int {
	isNew := func(c *responseCall) bool { return !c.ended && (c.name == "" || c.name == string(item.Name)) }
	sameID := func(c *responseCall) bool {
		return isNew(c) && (item.ID != "" && c.item == string(item.ID) || item.CallID != "" && c.id == string(item.CallID))
	}
	samePlace := func(c *responseCall) bool { return isNew(c) && c.index != nil && *c.index == index }
	return l.callBy(&index, string(item.ID), string(item.CallID), string(item.Name),
		func(c *responseCall) bool { return samePlace(c) && sameID(c) }, sameID, samePlace, isNew)
}

// callBy is the number of the latest call by the first rule that there is one for, or of a new one.
func (l *responseListener) callBy(index *int, item, id, name string, rules ...func(*responseCall) bool) int {
	var c *responseCall
	for _, rule := range rules {
		if i := slices.IndexFunc(l.calls, rule); i >= 0 {
			c = l.calls[i]
			break
		}
	}
	if c == nil {
		c = &responseCall{index: index, number: l.Begin(index)}
		l.calls = append(l.calls, c)
	}
	part := dialogue.CallPart{}
	if c.item == "" {
		c.item = item
	}
	if c.id == "" {
		c.id, part.ID = id, id
	}
	if c.name == "" {
		c.name, part.Name = name, name
	}
	l.Add(c.number, part)
	return c.number
}

// end takes the whole answer. What it leaves out came before.
func (l *responseListener) end(r response, kind string) *wire.Fault {
	l.Usage = r.Usage.count()
	if f := wire.FaultOf(r.Error); f != nil {
		return f
	}
	text := ""
	for i, item := range r.Output {
		switch {
		case item.isMessage():
			text += item.Content.Text
			l.odd(item)
		case item.isCall():
			n := l.endCall(i, item)
			l.Whole(n, item.params())
			for _, c := range l.calls {
				c.ended = c.ended || c.number == n
			}
		}
	}
	if text == "" {
		text = r.Text.Text
	}
	if text != "" && text != l.Came()+l.stops.Rest() {
		l.stops = dialogue.Stops{Sequences: l.stops.Sequences}
		out, hit := l.stops.Add(text)
		l.Replace(out)
		if hit {
			l.stop()
		}
	}
	if !l.Ended {
		l.Text(l.stops.Rest())
	}
	reason := r.Status
	if kind == "incomplete" || r.Status == "incomplete" {
		if reason = string(r.Incomplete.Reason); reason == "" {
			reason = "length"
		}
	}
	l.Finish(reason)
	l.Over = true
	return nil
}
