package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// watchesFocus notes what can be reached by keys before any is pressed, and looks at
// where each press leads. It returns how much there is.
const watchesFocus = `(() => {
	const box = (e) => [...e.getClientRects()].find((b) => b.width > 0 && b.height > 0);
	const there = (e) => e.isConnected && e.checkVisibility({ visibilityProperty: true }) && box(e);
	// Of the choices of one question only the one that is taken is on the way.
	const taken = (e) => e.type !== "radio" || e.checked || ![...document.getElementsByName(e.name)].some((o) => o.checked);
	document.activeElement?.blur();
	const stops = [...document.querySelectorAll("a[href], svg a, button, input, select, textarea, summary, iframe, [tabindex]")]
		.filter((e) => e.tabIndex >= 0 && !e.disabled && there(e) && taken(e));
	const looks = (e) => [e, ...e.querySelectorAll("rect")].map((n) => {
		const s = getComputedStyle(n);
		return [s.outlineStyle === "none" ? "" : s.outline, s.boxShadow, s.borderColor, s.stroke, s.strokeWidth].join();
	}).join("|");
	const before = new Map(stops.map((e) => [e, looks(e)]));
	const name = (e) => e.outerHTML.slice(0, 120).replaceAll("\n", " ");
	// A line around a thing can be cut off by what the thing stands in.
	const cut = (e, b) => {
		const s = getComputedStyle(e);
		if (s.outlineStyle === "none") return false;
		const far = parseFloat(s.outlineOffset) + parseFloat(s.outlineWidth) / 2;
		let sides = [b.left - far, b.top - far, b.right + far, b.bottom + far];
		const seen = Array(4).fill(true);
		for (let p = e.parentElement; p && p !== document.body; p = p.parentElement) {
			if (getComputedStyle(p).overflowX === "visible") continue;
			const c = p.getBoundingClientRect();
			[sides[0] >= c.left, sides[1] >= c.top, sides[2] <= c.right, sides[3] <= c.bottom].forEach((in_, i) => (seen[i] &&= in_));
		}
		return seen.filter(Boolean).length < 2;
	};
	const met = new Set();
	let last;
	globalThis.focused = () => {
		const e = document.activeElement;
		if (!e || e === document.body || met.has(e) && e !== last) return "around";
		if (met.has(e)) return e.matches("iframe, input, select, textarea") ? "" : "around"; // those have several stops in them
		met.add(e);
		last = e;
		return globalThis.wrong();
	};
	globalThis.wrong = () => {
		const e = last, b = box(e);
		if (!b) return "is focused, and isn't seen: " + name(e);
		if (e.tabIndex > 0) return "pushes itself forward: " + name(e);
		if (before.has(e) && looks(e) === before.get(e)) return "doesn't show that it is focused: " + name(e);
		if (cut(e, b)) return "has its mark of focus cut off: " + name(e);
		const mid = (from, to, most) => (Math.max(0, from) + Math.min(most, to)) / 2;
		const [x, y] = [mid(b.left, b.right, innerWidth), mid(b.top, b.bottom, innerHeight)];
		if (b.right <= 0 || b.bottom <= 0 || b.left >= innerWidth || b.top >= innerHeight) return "is focused out of sight: " + name(e);
		const top = document.elementFromPoint(x, y);
		if (!top || !e.contains(top) && top.closest("label")?.control !== e) return "is focused under something else: " + name(e) + " under " + (top ? name(top) : "nothing");
		return "";
	};
	globalThis.missed = () => stops.filter((e) => there(e) && taken(e) && !met.has(e)).map(name).join("\n\t");
	stops[0]?.focus();
	return String(stops.length);
})()`

// walksByKeys goes through the page that is open with Tab alone. Everything that can be
// pressed or filled in has to be met, in sight and marked, and to have a name.
func (r *reader) walksByKeys(page string) {
	r.t.Helper()
	ask := r.beside()
	var most int
	if _, err := fmt.Sscan(ask(watchesFocus), &most); err != nil || most == 0 {
		r.t.Fatalf("%s has nothing to press: %v", page, err)
	}
	// There and back: the first is met by the other way round.
	r.does(chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Tab, chromedp.KeyModifiers(chromedp.ModifierShift)))
	const several = 60 // stops within one thing, and scrolled boxes that nobody made one
	for range most + several {
		wrong := ask("focused()")
		if wrong == "around" {
			break
		}
		// What comes meanwhile may move it for a moment.
		for end := time.Now().Add(2 * time.Second); wrong != "" && time.Now().Before(end); wrong = ask("wrong()") {
			r.does(chromedp.Evaluate[chromedp.Void](`new Promise(requestAnimationFrame)`, chromedp.EvalAwaitPromise))
		}
		if wrong != "" {
			r.t.Errorf("%s: what %s", page, wrong)
		}
		r.does(chromedp.KeyEvent(kb.Tab))
	}
	if missed := ask("missed()"); missed != "" {
		r.t.Errorf("%s: Tab doesn't come to\n\t%s", page, missed)
	}
	r.hears(page)
}

// beside asks scripts that see the page, but aren't the page's.
func (r *reader) beside() func(script string) string {
	r.t.Helper()
	world, err := r.world()
	if err != nil {
		r.t.Fatal(err)
	}
	return func(script string) string {
		r.t.Helper()
		said, err := chromedp.Run(r.ctx, chromedp.Evaluate[string](script, func(p *runtime.EvaluateParams) { p.ContextID = world }))
		if err != nil {
			r.t.Fatalf("%v; %s", err, r.shown())
		}
		return said
	}
}

// hears reads the page as a screen reader is given it: what takes the focus has a name,
// there is one main heading, and every table says what it is about.
func (r *reader) hears(page string) {
	r.t.Helper()
	tree, err := chromedp.Call(r.ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	if err != nil {
		r.t.Fatal(err)
	}
	mains := 0
	for _, n := range tree.Nodes {
		role := valueText(n.Role)
		if n.Ignored || role == "RootWebArea" {
			continue
		}
		if role == "heading" && hasProperty(n, "level", "1") {
			mains++
		}
		unnamed := strings.TrimSpace(valueText(n.Name)) == ""
		// Scripts and scrolling can bring the focus to what is none of the person's to use.
		if unnamed && hasProperty(n, "focusable", "true") && !slices.Contains([]string{"generic", "main", "status"}, role) {
			r.t.Errorf("%s: a %s that takes the focus has no name", page, role)
		}
	}
	if mains != 1 {
		r.t.Errorf("%s has %d main headings", page, mains)
	}
	const nameless = `[...document.querySelectorAll("table")].filter((t) => t.checkVisibility() && !t.caption && !t.closest("[aria-label], [aria-labelledby]")).map((t) => t.outerHTML.slice(0, 120)).join("\n")`
	if tables, err := chromedp.Run(r.ctx, chromedp.Evaluate[string](nameless)); err != nil || tables != "" {
		r.t.Errorf("%s has tables without a name: %s %v", page, tables, err)
	}
}

func hasProperty(n *accessibility.Node, property, value string) bool {
	for _, p := range n.Properties {
		if string(p.Name) == property && valueText(p.Value) == value {
			return true
		}
	}
	return false
}

// valueText is a value as text.
func valueText(v *accessibility.Value) string {
	if v == nil {
		return ""
	}
	var text string
	if json.Unmarshal([]byte(v.Value), &text) == nil {
		return text
	}
	return string(v.Value)
}

// keys presses some where the focus is.
func (r *reader) keys(keys string) {
	r.t.Helper()
	r.does(chromedp.KeyEvent(keys))
}

// isAt expects where the focus is.
func (r *reader) isAt(selector string) {
	r.t.Helper()
	if _, err := awaits[bool](r, `(selector) => document.activeElement.matches(selector)`, selector); err != nil {
		at, _ := chromedp.Run(r.ctx, chromedp.Evaluate[string](`document.activeElement.outerHTML.slice(0, 120)`))
		r.t.Errorf("the focus isn't at %q, but at %s: %v", selector, at, err)
	}
}

// opensMore has the pages that have no room on a phone shown and put away by keys.
func (r *reader) opensMore() {
	r.t.Helper()
	r.looksAs(phone, viewHeight)
	defer r.looksAs(always, viewHeight)
	r.looks(`document.querySelector(".rail .more").focus()`)
	r.keys(kb.Enter)
	r.sees(".more-places:popover-open", "Log out")
	r.keys(kb.Tab)
	r.isAt(".more-places a")
	r.keys(kb.Escape)
	r.isAt(".rail .more")
	r.shows(".more-places", 0)
}
