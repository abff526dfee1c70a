package main

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"chalie/adapters/builtinmodel"
	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/language/hearing"
)

// toolFiles are toolboxes as programs offer them, and requests for them. testdata/README.md
// describes both.
//
//go:embed testdata/tools testdata/tools.tsv testdata/strangers testdata/strangers.tsv testdata/newcomers testdata/newcomers.tsv testdata/visitors testdata/visitors.tsv testdata/travellers testdata/travellers.tsv
var toolFiles embed.FS

// ownToolboxes are the names of the project's own, each offered by itself.
var ownToolboxes = []string{"tools", "strangers", "newcomers", "visitors", "travellers"}

// toolbox is what a program offers.
type toolbox struct {
	Name    string
	Changes []string // the tools that change something, which Chalie isn't told
	Tools   []domain.Tool
}

// readToolboxes reads every toolbox of a directory, by the name of its file.
func readToolboxes(dir fs.FS) (map[string]toolbox, error) {
	files, err := fs.Glob(dir, "*.json")
	if err != nil {
		return nil, err
	}
	out := map[string]toolbox{}
	for _, name := range files {
		text, err := fs.ReadFile(dir, name)
		if err != nil {
			return nil, err
		}
		var box toolbox
		if err := json.Unmarshal(text, &box); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if err := domain.CheckTools(box.Tools); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out[strings.TrimSuffix(name, ".json")] = box
	}
	return out, nil
}

// toolRequest is a request that is said where all toolboxes are offered.
type toolRequest struct {
	line          int
	box, sentence string
	want          []toolWant
}

// toolWant is one of the things that may come of a request.
type toolWant struct {
	kind  string // wantCalls, wantOffer, wantAsk, wantOwn or wantLeft
	calls []toolCall
}

// What may come of a request.
const (
	wantCalls = "call"
	wantOffer = "offer"
	wantAsk   = "ask"
	wantOwn   = "own"
	wantLeft  = "left"
)

// toolCall is a tool with its parameters.
type toolCall struct {
	tool   string
	params map[string]any
}

// String is the call as expectations write it.
func (c toolCall) String() string {
	raw, err := json.Marshal(c.params)
	if err != nil {
		return c.tool
	}
	return c.tool + " " + string(raw)
}

// readToolRequests reads lines of toolbox, sentence and expectation.
func readToolRequests(text string) ([]toolRequest, error) {
	var out []toolRequest
	n := 0
	for line := range strings.Lines(text) {
		n++
		f := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(f) != 3 {
			return nil, fmt.Errorf("line %d has %d columns instead of three", n, len(f))
		}
		r := toolRequest{line: n, box: f[0], sentence: f[1]}
		for part := range strings.SplitSeq(f[2], "||") {
			want, err := parseToolWant(strings.TrimSpace(part))
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", n, err)
			}
			r.want = append(r.want, want)
		}
		out = append(out, r)
	}
	return out, nil
}

func parseToolWant(text string) (toolWant, error) {
	switch text {
	case wantAsk, wantOwn, wantLeft:
		return toolWant{kind: text}, nil
	}
	out := toolWant{kind: wantCalls}
	if offered, ok := strings.CutPrefix(text, wantOffer+" "); ok {
		text, out.kind = offered, wantOffer
	}
	for part := range strings.SplitSeq(text, " + ") {
		name, raw, ok := strings.Cut(part, " ")
		params := map[string]any{}
		if err := json.Unmarshal([]byte(raw), &params); err != nil || !ok {
			return toolWant{}, fmt.Errorf("%q is no call", part)
		}
		out.calls = append(out.calls, toolCall{name, params})
	}
	return out, nil
}

// toolOutcome is what came of a request.
type toolOutcome struct {
	verdict string
	changes bool // it is wrong, and changes something
	text    string
	calls   []toolCall
	offers  []toolCall
	asks    bool // the answer is a question, and not that it isn't sure
}

// What a request is said to have come to, beside vAsked, vLeft and vWrong.
const vRight = "right"

// toolHouse is the fixed Chalie with several toolboxes on offer.
type toolHouse struct {
	*house
	changes map[string]bool // the tools that change something, those of Chalie's own among them
}

func newToolHouse(ctx context.Context, dir fs.FS) (toolHouse, error) {
	fixed, err := newHouse()
	if err != nil {
		return toolHouse{}, err
	}
	if err := fixed.furnish(ctx); err != nil {
		return toolHouse{}, err
	}
	boxes, err := readToolboxes(dir)
	if err != nil {
		return toolHouse{}, err
	}
	out := toolHouse{house: fixed, changes: map[string]bool{}}
	for _, o := range fixed.offered {
		out.changes[o.Name] = o.SideEffects
	}
	for _, key := range slices.Sorted(maps.Keys(boxes)) {
		box := boxes[key]
		for _, t := range box.Tools {
			out.changes[t.Name] = slices.Contains(box.Changes, t.Name)
			fixed.offered = append(fixed.offered, language.Offered{
				Name: t.Name, Interface: box.Name, Description: t.Description, Documentation: t.Documentation, Parameters: t.Parameters,
				SideEffects: t.SideEffects == nil || *t.SideEffects, Asks: domain.AskAsSaid,
			})
		}
	}
	return out, nil
}

// ask says a request, and notes what it would call; nothing is called.
func (h toolHouse) ask(ctx context.Context, r toolRequest) (toolOutcome, error) {
	p := language.Prompt{
		Kind: language.AskedMessage, AsOf: h.now(), Zone: h.zone, Tools: h.offered,
		Asked: language.Asked{ID: h.ids.NewID(), Text: r.sentence, Source: "text", From: domain.PrincipalOperator, Via: "rest"},
	}
	var err error
	if p.World, err = h.inMind(ctx); err != nil {
		return toolOutcome{}, err
	}
	reply, err := builtinmodel.Model{}.Reply(ctx, p)
	if err != nil {
		return toolOutcome{}, err
	}
	out := toolOutcome{text: domain.PlainText(reply.Blocks)}
	out.asks = reply.Confidence == hearing.Unsure && len(reply.Blocks) > 0 && reply.Blocks[0]["type"] != "alert"
	for _, call := range reply.ToolCalls {
		c := toolCall{tool: call.Tool}
		if err := json.Unmarshal(call.Params, &c.params); err != nil {
			return toolOutcome{}, err
		}
		out.calls = append(out.calls, c)
	}
	if out.offers, err = offersIn(reply.Blocks); err != nil {
		return toolOutcome{}, err
	}
	h.judge(r, &out)
	return out, nil
}

// offersIn are the calls behind the buttons of an answer.
func offersIn(blocks []domain.Block) ([]toolCall, error) {
	var shown []struct {
		Buttons []struct{ Payload map[string]any }
	}
	raw, err := json.Marshal(blocks)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(raw, &shown); err != nil {
		return nil, err
	}
	var out []toolCall
	for _, b := range shown {
		for _, button := range b.Buttons {
			name, _ := button.Payload["skill"].(string)
			delete(button.Payload, "skill")
			delete(button.Payload, domain.FromNowOn)
			out = append(out, toolCall{name, button.Payload})
		}
	}
	return out, nil
}

// judge says what came of a request.
func (h toolHouse) judge(r toolRequest, out *toolOutcome) {
	asks := len(out.calls) == 0 && (out.asks || len(out.offers) > 0)
	foreign := slices.ContainsFunc(out.calls, h.isForeign)
	for _, want := range r.want {
		met := false
		switch want.kind {
		case wantCalls:
			met = meetAll(want.calls, out.calls)
		case wantOffer:
			met = len(out.calls) == 0 && meetAll(want.calls, out.offers)
		case wantAsk:
			met = asks
		case wantOwn:
			met = len(out.calls) > 0 && !foreign
		case wantLeft:
			met = len(out.calls) == 0 && !asks
		}
		if met {
			out.verdict = vRight
			return
		}
	}
	switch {
	case len(out.calls) > 0:
		out.verdict = vWrong
		out.changes = slices.ContainsFunc(out.calls, func(c toolCall) bool { return h.changes[c.tool] })
	case asks:
		out.verdict = vAsked
	default:
		out.verdict = vLeft
	}
}

func (h toolHouse) isForeign(c toolCall) bool {
	_, own := h.tools[c.tool]
	return !own
}

// meetAll reports whether the calls that were made are those that are wanted, in any order.
func meetAll(want, got []toolCall) bool {
	return len(want) == len(got) && !slices.ContainsFunc(want, func(w toolCall) bool {
		return !slices.ContainsFunc(got, w.meets)
	})
}

// meets reports whether a call is the one that is wanted.
func (c toolCall) meets(got toolCall) bool {
	return c.tool == got.tool && maps.EqualFunc(c.params, got.params, isValue)
}

// isValue compares a value with one that is wanted, or with any of several.
func isValue(want, got any) bool {
	if anyOf, several := want.([]any); several {
		return slices.ContainsFunc(anyOf, func(w any) bool { return isValue(w, got) })
	}
	text, isText := want.(string)
	said, isSaid := got.(string)
	if isText && isSaid {
		return strings.EqualFold(strings.ReplaceAll(text, ", ", ","), strings.ReplaceAll(said, ", ", ","))
	}
	return want == got
}

// toolTally counts what came of requests.
type toolTally struct{ all, right, asked, left, wrong, changed int }

func (t *toolTally) add(came toolOutcome) {
	t.all++
	switch came.verdict {
	case vRight:
		t.right++
	case vAsked:
		t.asked++
	case vLeft:
		t.left++
	default:
		t.wrong++
	}
	if came.changes {
		t.changed++
	}
}

// String is the tally in shares.
func (t toolTally) String() string {
	percent := func(n int) string { s := 1000 * n / max(1, t.all); return fmt.Sprintf("%d.%d %%", s/10, s%10) }
	return fmt.Sprintf("%d: right %s, asked %s, left %s, wrong %s, wrong and changing something %d", t.all, percent(t.right), percent(t.asked), percent(t.left), percent(t.wrong), t.changed)
}

// What is wanted of requests for tools, in thousandths.
const (
	toolsRight = 800
	toolsWrong = 10
)

// holds is nil when a tally is what the project holds itself to.
func (t toolTally) holds() error {
	if 1000*t.right < toolsRight*t.all || 1000*t.wrong > toolsWrong*t.all || t.changed > 0 {
		return fmt.Errorf("of the requests for tools less is right than %d ‰, more is wrong than %d ‰, or something wrong was changed", toolsRight, toolsWrong)
	}
	return nil
}

// measureToolFile says every request of a file where all toolboxes of a directory are offered,
// and prints what wasn't right, and how much was.
func measureToolFile(ctx context.Context, dir fs.FS, text string, out io.Writer) error {
	all, err := readToolRequests(text)
	if err != nil {
		return err
	}
	h, err := newToolHouse(ctx, dir)
	if err != nil {
		return err
	}
	sum, byBox := toolTally{}, map[string]*toolTally{}
	for _, r := range all {
		came, err := h.ask(ctx, r)
		if err != nil {
			return fmt.Errorf("line %d, %q: %w", r.line, r.sentence, err)
		}
		sum.add(came)
		if byBox[r.box] == nil {
			byBox[r.box] = &toolTally{}
		}
		byBox[r.box].add(came)
		if came.verdict == vRight {
			continue
		}
		if _, err := fmt.Fprintf(out, "%-5s %s, line %d: %q: %v %v %q\n", came.verdict, r.box, r.line, r.sentence, came.calls, came.offers, came.text); err != nil {
			return err
		}
	}
	for _, box := range slices.Sorted(maps.Keys(byBox)) {
		if _, err := fmt.Fprintf(out, "%-22s %s\n", box, byBox[box]); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(out, "tools: %s\n", sum)
	return errors.Join(err, sum.holds())
}

// ownToolRequests are the project's own toolboxes of a name, and the requests for them.
func ownToolRequests(name string) (fs.FS, string, error) {
	text, err := toolFiles.ReadFile("testdata/" + name + ".tsv")
	if err != nil {
		return nil, "", err
	}
	dir, err := fs.Sub(toolFiles, "testdata/"+name)
	return dir, string(text), err
}
