package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// view is one way in which a page is seen.
type view struct {
	width  int64
	scheme string // light or dark
}

var (
	always = view{1280, "light"}
	phone  = view{390, "light"}
	views  = []view{always, {1280, "dark"}, phone, {390, "dark"}}
)

const viewHeight = 820

func (v view) String() string { return fmt.Sprintf("%d-%s", v.width, v.scheme) }

// checks holds the page that is open to what every page must keep: axe-core finds
// nothing, it is no wider than the screen, and there is nothing to complain
// of; at two widths, in light and dark. Where CHALIE_SCREENSHOTS says, pictures of
// all four are kept under the name.
func (r *reader) checks(name string) {
	r.t.Helper()
	for _, what := range r.findings(name, views...) {
		r.t.Errorf("%s: %s", name, what)
	}
}

// findings are what is wrong with the page that is open, in some views.
func (r *reader) findings(name string, views ...view) (found []string) {
	r.t.Helper()
	axe := r.axe()
	found = r.asleep()
	for i, v := range views {
		r.looksAs(v, viewHeight)
		if wide := r.sticksOut(v); wide != "" {
			found = append(found, fmt.Sprintf("at %s it is wider than the screen: %s", v, wide))
		}
		r.unrolls(v)
		for _, what := range r.violations(axe, rulesFor(v, i == 0)) {
			// What is wrong in one view is mostly wrong in all.
			if !slices.ContainsFunc(found, func(known string) bool { return strings.HasSuffix(known, what) }) {
				found = append(found, fmt.Sprintf("at %s: %s", v, what))
			}
		}
		r.keeps(name + "-" + v.String())
	}
	r.looksAs(always, viewHeight)
	r.does(chromedp.Evaluate[chromedp.Void](`undefined`))
	return append(found, r.heard.take()...)
}

// looksAs has the page seen so, and without motion.
func (r *reader) looksAs(v view, height int64) {
	r.t.Helper()
	metrics := emulation.SetDeviceMetricsOverrideParams{Width: v.width, Height: height, DeviceScaleFactor: 1, Mobile: v.width < 500}
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: v.scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}}
	_, err := chromedp.Call(r.ctx, emulation.SetDeviceMetricsOverride, metrics)
	if err == nil {
		_, err = chromedp.Call(r.ctx, emulation.SetEmulatedMedia, media)
	}
	if err != nil {
		r.t.Fatal(err)
	}
	r.does(chromedp.Evaluate[chromedp.Void](`new Promise((later) => requestAnimationFrame(() => requestAnimationFrame(later)))`, chromedp.EvalAwaitPromise))
}

// sticksOut names what makes the page wider than the screen, if it is.
func (r *reader) sticksOut(v view) string {
	r.t.Helper()
	const looks = `(() => {
		const width = %d, page = document.scrollingElement;
		if (page.scrollWidth <= width) return "";
		const out = [...document.body.querySelectorAll("*")].filter((e) => e.getBoundingClientRect().right > width + 1);
		const inmost = out.filter((e) => ![...e.children].some((c) => out.includes(c))).slice(0, 3);
		return page.scrollWidth + " px, by " + inmost.map((e) => e.outerHTML.slice(0, 120)).join(" and ");
	})()`
	wide, err := chromedp.Run(r.ctx, chromedp.Evaluate[string](fmt.Sprintf(looks, v.width)))
	if err != nil {
		r.t.Fatal(err)
	}
	return wide
}

// unrolls shows the whole page, as on a screen that is high enough: nothing lies
// under what stays at the edge of the screen then.
func (r *reader) unrolls(v view) {
	r.t.Helper()
	const highest = 8000
	height, err := chromedp.Run(r.ctx, chromedp.Evaluate[int64](`document.scrollingElement.scrollHeight`))
	if err != nil {
		r.t.Fatal(err)
	}
	if height > viewHeight {
		r.looksAs(v, min(height, highest))
	}
}

// axe is the text of axe-core; nothing where CHALIE_AXE doesn't name its file, as its
// looks take half of what the walks take.
func (r *reader) axe() string {
	r.t.Helper()
	file := os.Getenv("CHALIE_AXE")
	if file == "" {
		if os.Getenv("CI") == "true" {
			r.t.Error("CHALIE_AXE names no axe.min.js; .ci/axe brings one")
		}
		r.t.Log("axe-core's rules were not checked: CHALIE_AXE names no axe.min.js; .ci/axe brings one")
		return ""
	}
	text, err := os.ReadFile(file)
	if err != nil {
		r.t.Fatal(err)
	}
	return string(text)
}

// violation is what axe-core found against one of its rules.
type violation struct {
	ID     string    `json:"id"`
	Impact string    `json:"impact"`
	Help   string    `json:"help"`
	Nodes  []axeNode `json:"nodes"`
}

type axeNode struct {
	HTML    string `json:"html"`
	Summary string `json:"failureSummary"`
}

func (v violation) String() string {
	var places []string
	for _, n := range v.Nodes[:min(3, len(v.Nodes))] {
		places = append(places, "\n\t"+n.HTML+"\n\t"+strings.ReplaceAll(n.Summary, "\n", " "))
	}
	return fmt.Sprintf("axe-core finds %s %s: %s, at %d places:%s", v.Impact, v.ID, v.Help, len(v.Nodes), strings.Join(places, ""))
}

// inTheOpen is the violation without what is half under the bar at the foot of a
// narrow screen, and can be scrolled from there.
func (v violation) inTheOpen() violation {
	if v.ID == "target-size" {
		nodes := slices.Clone(v.Nodes)
		v.Nodes = slices.DeleteFunc(nodes, func(n axeNode) bool { return strings.Contains(n.Summary, "partially obscured") })
	}
	return v
}

// runsAxe leaves frames alone: what is in a card's frame is somebody else's.
const runsAxe = `axe.run(document, { iframes: false, resultTypes: ["violations"], runOnly: %s }).then((result) => JSON.stringify(result.violations))`

// Each rule is held to once at least. At another width those again for which size
// counts, and what a control needs that shows only there; in the dark, colours.
const (
	allRules    = `{ type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }`
	sizeRules   = `{ type: "rule", values: ["color-contrast", "target-size", "scrollable-region-focusable", "button-name", "link-name", "label", "aria-hidden-focus", "nested-interactive"] }`
	colourRules = `{ type: "rule", values: ["color-contrast"] }`
)

// rulesFor are those for one view; the first of a page is held to all.
func rulesFor(v view, first bool) string {
	switch {
	case first:
		return allRules
	case v.scheme == "dark":
		return colourRules
	default:
		return sizeRules
	}
}

// violations has axe-core look at the page, from a world beside the page's own, for
// which the page's policy holds as ever.
func (r *reader) violations(axe, rules string) (found []string) {
	r.t.Helper()
	if axe == "" {
		return nil
	}
	there, err := r.aside(`typeof axe`)
	if err == nil && there == "undefined" {
		_, err = r.aside(axe + `;""`)
	}
	var said string
	if err == nil {
		said, err = r.aside(fmt.Sprintf(runsAxe, rules))
	}
	if err != nil {
		r.t.Fatalf("axe-core could not look: %v", err)
	}
	var all []violation
	if err := json.Unmarshal([]byte(said), &all); err != nil {
		r.t.Fatal(err)
	}
	for _, v := range all {
		if v = v.inTheOpen(); len(v.Nodes) > 0 {
			found = append(found, v.String())
		}
	}
	return found
}

// aside is what a script resolves to that sees the page, but isn't the page's.
func (r *reader) aside(script string) (string, error) {
	world, err := r.world()
	if err != nil {
		return "", err
	}
	return chromedp.Run(r.ctx, chromedp.Evaluate[string](script, chromedp.EvalAwaitPromise, func(p *runtime.EvaluateParams) { p.ContextID = world }))
}

// world is one beside that of the page, for as long as the page is open.
func (r *reader) world() (runtime.ExecutionContextID, error) {
	frames, err := chromedp.Call(r.ctx, page.GetFrameTree, cdp.Empty{})
	if err != nil {
		return 0, err
	}
	world, err := chromedp.Call(r.ctx, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: frames.FrameTree.Frame.ID, WorldName: "aside"})
	return world.ExecutionContextID, err
}
