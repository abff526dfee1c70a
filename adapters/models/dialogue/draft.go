package dialogue

import (
	"encoding/json"
	"slices"
	"strings"
	"sync/atomic"

	"chalie/domain"
)

// Draft puts an answer together from what comes of it, and tells of it as it comes. What it
// told comes to the Answer: where the end shows that something was meant otherwise (thoughts
// without a begin, a call that was named twice) it is taken back and told anew.
type Draft struct {
	Usage domain.Usage
	// Ended says that nothing is missing, as far as the server says.
	Ended bool
	// Over says that nothing more is to be read: it is whole, or longer than anybody wants.
	Over bool

	tell     Tell
	aloud    *atomic.Bool
	offered  []string // the names of tools
	came     strings.Builder
	thoughts Thoughts
	text     strings.Builder // told
	calls    []*call
	begun    int // so many calls were told of
	stop     Stop
	reason   string
	unread   string
	odd      string // what else came that can't be shown
}

// NewDraft is the draft of an answer; tell may be nil. aloud belongs to the model: it is set when
// thoughts came without their begin, so that they were told until their end. Of a model that is
// known to do so no text is told before the end of it.
func NewDraft(q Question, tell Tell, aloud *atomic.Bool) *Draft {
	d := &Draft{tell: tell, aloud: aloud}
	for _, t := range q.Tools {
		d.offered = append(d.offered, t.Name)
	}
	return d
}

// Text adds to the text.
func (d *Draft) Text(text string) {
	d.came.WriteString(text)
	d.bound(d.came.Len())
	d.toldText(d.thoughts.Add(text))
}

// Came is the text with the thoughts in it, so far.
func (d *Draft) Came() string { return d.came.String() }

// WholeText is a text that servers give as a whole, which may have come in pieces before:
// since is what came of it.
func (d *Draft) WholeText(since, whole string) {
	if rest, ok := strings.CutPrefix(whole, since); ok {
		d.Text(rest)
	}
}

// Replace puts another text in the place of all that came.
func (d *Draft) Replace(text string) {
	d.came.Reset()
	d.thoughts = Thoughts{}
	d.Text(text)
}

func (d *Draft) toldText(more string, back bool) {
	if back {
		d.aloud.Store(true)
		d.takeBack("what it said first was how it thinks")
	}
	if !d.aloud.Load() {
		d.text.WriteString(more)
		d.tell.Text(more)
	}
}

// takeBack takes back what was told, if anything was.
func (d *Draft) takeBack(why string) {
	if d.text.Len() > 0 || d.begun > 0 {
		d.tell.Back(why)
	}
	d.text.Reset()
	d.begun = 0
}

// Unread notes that a call came in a form that isn't read. The model is told.
func (d *Draft) Unread(what string) {
	if d.unread == "" {
		d.unread = what
	}
}

// Odd notes that something came that is neither text nor a call. It matters only where there
// is nothing else.
func (d *Draft) Odd(what string) {
	if d.odd == "" {
		d.odd = what
	}
}

// Finish ends the answer for a reason in the server's word, "" where it gives none. The first
// reason counts.
func (d *Draft) Finish(reason string) {
	if d.Ended && (d.stop != StopDone || reason == "") {
		return
	}
	d.Ended, d.stop, d.reason = true, stopOf(reason), reason
}

// Broke is the server's word for what failed, when that is why the answer ended; "" otherwise.
func (d *Draft) Broke() string {
	if d.stop == stopBroken {
		return d.reason
	}
	return ""
}

// Empty reports whether nothing came of the answer itself.
func (d *Draft) Empty() bool { return d.came.Len() == 0 && len(d.calls) == 0 && d.unread == "" }

func (d *Draft) bound(size int) {
	if size > MaxAnswerBytes {
		d.stop, d.Ended, d.Over = StopLength, true, true
	}
}

// Answer is what came, all told.
func (d *Draft) Answer() Answer {
	more, back := d.thoughts.Rest()
	d.toldText(more, back)
	out := Answer{Text: d.thoughts.Text(), Calls: d.wholeCalls(), Usage: d.Usage, Stop: d.stop, Unread: d.unread}
	if out.Text == "" && len(out.Calls) == 0 && out.Unread == "" {
		out.Unread = d.odd
	}
	if d.stop == StopUnknown {
		out.Reason = d.reason
	}
	if !d.toldRightly(out) {
		d.takeBack("its end shows it otherwise")
	}
	d.tell.Text(out.Text[d.text.Len():])
	for i, c := range out.Calls {
		if i >= d.begun {
			d.tell.Begin(i+1, c.ID, c.Tool)
			d.tell.Params(i+1, string(c.Params))
			d.begun = i + 1
		}
		d.tell.End(i+1, c.Params)
	}
	return out
}

// toldRightly reports whether what was told is the begin of an answer.
func (d *Draft) toldRightly(a Answer) bool {
	if !strings.HasPrefix(a.Text, d.text.String()) || len(a.Calls) < d.begun {
		return false
	}
	for i, c := range d.calls[:d.begun] {
		if c.toldID != a.Calls[i].ID || c.toldTool != a.Calls[i].Tool {
			return false
		}
	}
	return true
}

// CallPart is what came of a call just now. Servers leave out, double and change most of it.
type CallPart struct {
	Index  *int // its place among the calls; nil for none
	ID     string
	Name   string
	Params json.RawMessage // a piece of them as a text, or all as any other value
}

// Call adds to the call that a part seems to be of, or begins one. It is for servers that don't
// say it surely.
func (d *Draft) Call(p CallPart) {
	n := slices.Index(d.calls, d.goesOn(p))
	if n < 0 {
		n = d.Begin(p.Index)
	}
	d.Add(n, p)
}

// Begin begins a call, and gives its number, from 0.
func (d *Draft) Begin(index *int) int {
	if len(d.calls) == maxCalls { // nobody makes so many: what comes of more is told as unreadable
		d.bound(MaxAnswerBytes + 1)
		return maxCalls - 1
	}
	d.calls = append(d.calls, &call{index: index})
	return len(d.calls) - 1
}

// maxCalls bounds the calls of one answer. Reading stops there.
const maxCalls = 64

// Add adds to the call of a number.
func (d *Draft) Add(n int, p CallPart) {
	c := d.calls[n]
	if c.id == "" {
		c.id = p.ID
	}
	c.tool = d.named(c.tool, p.Name)
	text := c.params.add(p.Params)
	d.bound(c.params.size)
	d.toldCall(n, text)
}

// Whole puts all parameters of a call in the place of their pieces, unless there is nothing in
// them, or nothing to be read while the pieces can be.
func (d *Draft) Whole(n int, raw json.RawMessage) {
	var whole params
	whole.add(raw)
	_, readable := whole.read()
	if _, before := d.calls[n].params.read(); whole.blank() || !readable && before && !d.calls[n].params.blank() {
		return
	}
	d.calls[n].params = whole
	d.bound(whole.size)
}

// call is a call as it comes.
type call struct {
	index            *int
	id, tool         string
	params           params
	toldID, toldTool string
}

// toldCall tells of a call as far as that can be known before the end: it has an id and the name
// of a tool, and all before it have.
func (d *Draft) toldCall(n int, text string) {
	c := d.calls[n]
	twice := slices.ContainsFunc(d.calls[:n], func(k *call) bool { return k.id == c.id && k.tool == c.tool })
	switch {
	case n < d.begun:
		d.tell.Params(n+1, text)
	case n == d.begun && c.id != "" && slices.Contains(d.offered, c.tool) && !twice:
		c.toldID, c.toldTool = c.id, c.tool
		d.begun++
		d.tell.Begin(n+1, c.id, c.tool)
		d.tell.Params(n+1, strings.Join(c.params.pieces, ""))
	}
}

// goesOn is the call that a part goes on with; nil when it begins one.
func (d *Draft) goesOn(p CallPart) *call {
	c := d.near(p)
	if c == nil || d.another(c, p) {
		return nil
	}
	return c
}

// near is the call that a part is nearest to: by its id, by its place, or as the latest.
func (d *Draft) near(p CallPart) *call {
	latest := func(is func(*call) bool) *call {
		for _, c := range slices.Backward(d.calls) {
			if is(c) {
				return c
			}
		}
		return nil
	}
	samePlace := func(c *call) bool { return p.Index == nil || c.index == nil || *p.Index == *c.index }
	sameID := func(c *call) bool { return p.ID != "" && c.id == p.ID }
	if c := latest(func(c *call) bool { return sameID(c) && samePlace(c) }); c != nil {
		return c
	}
	if p.Index != nil {
		if c := latest(samePlace); c != nil {
			return c
		}
	}
	if p.Name == "" {
		if c := latest(sameID); c != nil {
			return c
		}
	}
	if p.Name == "" || p.Index == nil {
		return latest(func(*call) bool { return true })
	}
	return nil
}

// another reports whether a part that is near a call begins one of its own.
func (d *Draft) another(c *call, p CallPart) bool {
	switch {
	case p.Name == "", c.tool == "":
		return c.params.full() && p.ID != "" && c.id != "" && p.ID != c.id && !isNothing(p.Params)
	case p.ID != "" && c.id == p.ID:
		return !d.nameGoesOn(c.tool, p.Name)
	case p.ID != "" && c.id != "": // some change it with each part
		return !c.params.open() || p.Name != c.tool || beginsObject(p.Params)
	}
	return c.params.full() || !d.nameGoesOn(c.tool, p.Name)
}

// beginsObject reports whether parameters are those of a call from their begin.
func beginsObject(raw json.RawMessage) bool {
	var p params
	return strings.HasPrefix(strings.TrimSpace(p.add(raw)), "{")
}

// nameGoesOn reports whether more of a name can be of the same call.
func (d *Draft) nameGoesOn(have, more string) bool {
	return more == have || d.maybe(have+more) || strings.HasPrefix(more, have) && d.maybe(more) || !slices.Contains(d.offered, have)
}

// maybe reports whether a name is the begin of one that was offered.
func (d *Draft) maybe(name string) bool {
	return slices.ContainsFunc(d.offered, func(offered string) bool { return strings.HasPrefix(offered, name) })
}

// named is a name after more of it came: in pieces, again, or as a whole.
func (d *Draft) named(have, more string) string {
	switch {
	case more == "":
		return have
	case d.maybe(have + more):
		return have + more
	case strings.HasPrefix(more, have):
		return more
	}
	return have + more
}

// wholeCalls are the calls that came. What came as several that are one is one: under one id, or without
// ids with the same parameters.
func (d *Draft) wholeCalls() []Call {
	var out []Call
	for _, c := range d.calls {
		read, ok := c.params.read()
		next := Call{ID: c.id, Tool: c.tool, Params: read}
		if i := slices.IndexFunc(out, func(k Call) bool { return oneCall(k, next, ok) }); i >= 0 {
			out[i] = joined(out[i], next)
			continue
		}
		out = append(out, next)
	}
	for i, c := range out {
		if c.Tool == "" {
			d.Unread("a call came without the name of a tool")
			return slices.Delete(out, i, len(out))
		}
	}
	return out
}

// oneCall reports whether two calls of an answer are one that came twice.
func oneCall(a, b Call, readable bool) bool {
	sameTool := a.Tool == b.Tool || a.Tool == "" || b.Tool == ""
	switch {
	case !sameTool:
		return false
	case a.ID != "" && b.ID != "":
		return a.ID == b.ID
	}
	_, ok := ReadParams(string(a.Params))
	return readable && ok && (within(a.Params, b.Params) || within(b.Params, a.Params))
}

// joined is one call of what came as two: with the parameters of the one that has them, or of
// both behind one another. Others are left so, for the model to be told.
func joined(a, b Call) Call {
	if a.ID == "" {
		a.ID = b.ID
	}
	if a.Tool == "" {
		a.Tool = b.Tool
	}
	x, y := string(a.Params), string(b.Params)
	_, okX := ReadParams(x)
	_, okY := ReadParams(y)
	switch {
	case !okX && okY && (strings.HasPrefix(y, x) || y == noParams):
		if y != noParams {
			a.Params = b.Params
		}
	case okX && !okY && strings.HasPrefix(x, y):
	case okX && !okY && x == noParams:
		a.Params = b.Params
	default:
		a.Params, _ = ReadParams(x + y)
	}
	return a
}
