// Keeps a part of a page as Chalie has it: asks for the same page with ?part=NAME and
// replaces those of its pieces (data-key) that changed. What is open stays open, the
// focus stays where it is, and a hidden tab asks nothing.

import { clock } from "/assets/dom.js";
import { piece, whenBack, patience } from "/assets/away.js";

// localTimes writes moments as the person's machine does.
export function localTimes(root) {
  for (const t of root.querySelectorAll("time")) t.textContent = clock(t.dateTime);
}

const pieces = (root) => [...root.children].filter((c) => c.dataset.key);
const keys = (root) => pieces(root).map((p) => p.dataset.key).join("\n");

export class Renewed {
  // pause() is how long until the next look, in ms; changed() is called after something was.
  constructor(root, { part, pause, changed = () => {} }) {
    Object.assign(this, { root, part, pause, changed, seen: new Map() });
    for (const p of pieces(root)) this.seen.set(p.dataset.key, p.outerHTML);
    localTimes(root);
    whenBack(() => this.look());
    this.later();
  }

  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.look(), Math.max(this.pause(), patience()));
  }

  async look() {
    clearTimeout(this.timer);
    if (document.visibilityState !== "visible") return;
    const turn = (this.turn = (this.turn ?? 0) + 1);
    try {
      const to = new URL(location.href);
      to.searchParams.set("part", this.part);
      const fresh = await piece(to);
      if (turn !== this.turn) return; // a later look was faster
      if (fresh) this.take(fresh);
    } finally {
      if (turn === this.turn) this.later();
    }
  }

  take(fresh) {
    const source = new Map(pieces(fresh).map((p) => [p.dataset.key, p.outerHTML]));
    let any = false;
    if (keys(fresh) !== keys(this.root)) {
      const held = hold(this.root);
      this.root.replaceChildren(...fresh.childNodes);
      held(this.root);
      any = true;
    } else {
      const now = new Map(pieces(this.root).map((p) => [p.dataset.key, p]));
      for (const piece of pieces(fresh)) {
        const { key } = piece.dataset;
        if (source.get(key) === this.seen.get(key)) continue;
        const held = hold(now.get(key));
        now.get(key).replaceWith(piece);
        held(piece);
        any = true;
      }
    }
    this.seen = source;
    if (!any) return;
    localTimes(this.root);
    this.changed();
  }
}

// hold remembers what is open and focused in a node, and gives it to the one in its
// place.
function hold(node) {
  const open = [...node.querySelectorAll("details[id][open]")].map((d) => d.id);
  if (node.matches("details[open]")) open.push(node.id);
  const active = document.activeElement;
  const within = node.contains(active) ? way(active) : undefined;
  return (next) => {
    for (const id of open) {
      const details = document.getElementById(id);
      if (details) details.open = true;
    }
    if (!within) return;
    const found = next.querySelector(within) ?? next.querySelector("button, summary, a[href]");
    found?.focus({ preventScroll: true });
  };
}

function way(element) {
  if (element.id) return "#" + CSS.escape(element.id);
  if (element.matches("summary") && element.parentElement.id) return "#" + CSS.escape(element.parentElement.id) + " > summary";
  if (element.matches("[data-cancel-all]")) return "[data-cancel-all]";
  if (element.dataset.does) return `[data-does="${CSS.escape(element.dataset.does)}"]`;
  if (element.tagName === "A") return `a[href="${CSS.escape(element.getAttribute("href"))}"]`;
  return element.tagName.toLowerCase();
}
