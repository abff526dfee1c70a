// Makes elements of blocks, the data that interfaces and models answer with. No
// text from outside ever becomes HTML, and no link leads anywhere but to http(s)
// or this site.

import { el, place } from "/assets/dom.js";
import { markdown } from "/assets/markdown.js";
import { link } from "/assets/inline.js";
import { code } from "/assets/code.js";

const maxDepth = 12; // blocks in blocks
const maxItems = 500; // of one list or table
const maxColumns = 50;
const maxBlocks = 2000; // in one answer; items, rows and options count, too
const maxMarkdown = 200_000; // characters; a longer text is shown as it stands

// render makes one element of an array of blocks. act(payload) is what a button of
// the conversation does; execute(button, values) what one of an interface's page does.
// top is the level of its first heading.
export function render(blocks, does = {}) {
  return outlined(each(blocks, { does, left: { count: maxBlocks } }, 0), does.top ?? 2);
}

// outlined puts headings below those of the page, whatever levels were asked for, and
// none more than one below the one before.
function outlined(box, top) {
  const over = [];
  for (const h of box.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    const asked = Number(h.tagName[1]);
    while (over.length && over.at(-1) >= asked) over.pop();
    over.push(asked);
    const level = Math.min(6, top + over.length - 1);
    if (level !== asked) h.replaceWith(el("h" + level, { dir: "auto" }, [...h.childNodes]));
  }
  return box;
}

function each(blocks, ctx, depth) {
  const box = el("div", { class: "blocks" });
  for (const block of Array.isArray(blocks) ? blocks : []) {
    if (depth > maxDepth || ctx.left.count-- <= 0) {
      box.append(el("p", { class: "soft" }, "There is more than can be shown."));
      break;
    }
    let node;
    try {
      node = one(block, ctx, depth);
    } catch {
      node = el("p", { class: "soft" }, "A part of this can't be shown.");
    }
    if (node) box.append(node);
  }
  return box;
}

const text = (value) => (typeof value === "string" ? value : value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value));
const list = (value) => (Array.isArray(value) ? value : []);

// some is as much of an array as may still be shown, each made by make, and in the end
// what rest makes of how much is left out.
function some(value, ctx, make, rest) {
  const all = list(value);
  const shown = all.slice(0, Math.max(0, Math.min(ctx.left.count, maxItems)));
  ctx.left.count -= shown.length;
  const out = shown.map(make);
  if (shown.length < all.length) out.push(rest(`There are ${all.length - shown.length} more than can be shown.`));
  return out;
}
const variant = (value) => (["info", "success", "warning", "error"].includes(value) ? value : "info");

function one(block, ctx, depth) {
  if (block === null || typeof block !== "object") return undefined;
  const make = Object.hasOwn(kinds, block.type) ? kinds[block.type] : undefined;
  if (make) return make(block, ctx, depth + 1);
  return typeof block.fallback === "string" ? el("p", { dir: "auto" }, block.fallback) : undefined;
}

const kinds = {
  text: (b) => (b.format === "markdown" && text(b.content).length <= maxMarkdown ? markdown(text(b.content)) : plain(text(b.content))),
  header: (b) => el("h" + Math.min(6, Math.max(2, (Number(b.level) || 1) + 1)), { dir: "auto" }, text(b.content)),
  code: (b) => code(text(b.content), text(b.language).slice(0, 40)),
  list: (b, ctx) => el(b.style === "ordered" ? "ol" : "ul", {}, some(b.items, ctx, (i) => el("li", { dir: "auto" }, text(i)), (more) => el("li", {}, more))),
  table: (b, ctx) =>
    el("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Table" }, el("table", {},
      el("thead", {}, el("tr", {}, list(b.headers).slice(0, maxColumns).map((h) => el("th", { scope: "col", dir: "auto" }, text(h))))),
      el("tbody", {}, some(b.rows, ctx,
        (row) => el("tr", {}, list(row).slice(0, maxColumns).map((c) => el("td", { dir: "auto" }, text(c)))),
        (more) => el("tr", {}, el("td", {}, more))), list(b.rows).length ? undefined : el("tr", {}, el("td", { colspan: String(Math.max(1, Math.min(maxColumns, list(b.headers).length))), class: "soft" }, "Nothing"))))),
  keyvalue: (b, ctx) =>
    el("dl", { class: "pairs" }, some(b.pairs, ctx, (p) => [el("dt", { dir: "auto" }, text(p?.key)), el("dd", { dir: "auto" }, text(p?.value))], (more) => [el("dt"), el("dd", {}, more)])),
  image: (b) => {
    const src = place(b.url);
    // A picture of another site is a link to it, and so is any path of this one that
    // serves no pictures: showing a block must not ask for anything else.
    if (src && pictures.test(src)) return el("img", { src, alt: text(b.alt), loading: "lazy" });
    return src ? el("p", {}, link(src, text(b.alt) || src)) : el("p", { class: "soft" }, text(b.alt));
  },
  link: (b) => el("p", {}, link(b.url, text(b.text) || place(b.url) || "")),
  divider: () => el("hr"),
  carousel: (b, ctx, depth) => el("div", { class: "slides", tabindex: "0", role: "group", "aria-label": "Slides" }, list(b.slides).slice(0, maxColumns).map((s) => el("div", {}, each(s?.blocks, ctx, depth)))),
  columns: (b, ctx, depth) => el("div", { class: "columns" }, list(b.columns).slice(0, maxColumns).map((c) => el("div", {}, each(c?.blocks, ctx, depth)))),
  section: (b, ctx, depth) => {
    const inside = each(b.blocks, ctx, depth);
    if (b.collapsible) return el("details", { open: true }, el("summary", { dir: "auto" }, text(b.title) || "More"), inside);
    return el("section", {}, b.title ? el("h3", { dir: "auto" }, text(b.title)) : undefined, inside);
  },
  tabs: (b, ctx, depth) => tabs(list(b.tabs).slice(0, maxColumns), ctx, depth),
  container: (b, ctx, depth) => {
    const box = el("div", { "data-container": text(b.id) }, each(b.blocks, ctx, depth));
    ctx.does.container?.(box, b);
    return box;
  },
  form: (b, ctx, depth) => {
    const form = el("form", { "data-form": text(b.id) }, each(b.blocks, ctx, depth));
    form.addEventListener("submit", (e) => e.preventDefault());
    return form;
  },
  // No field hides what is typed: a page of Chalie's is where a program would ask for
  // Chalie's own password.
  input: (b) => {
    const type = ["text", "email", "number", "date", "time", "datetime-local", "url", "tel", "search"].includes(b.inputType) ? b.inputType : "text";
    return el("input", { name: text(b.name), type, placeholder: text(b.placeholder), value: text(b.value), "aria-label": text(b.placeholder) || text(b.name) || "A field" });
  },
  select: (b, ctx) =>
    el("select", { name: text(b.name), "aria-label": text(b.name) || "A choice" },
      some(b.options, ctx, (o) => el("option", { value: text(o?.value), selected: text(o?.value) === text(b.value) }, text(o?.label)), (more) => el("option", { disabled: true }, more))),
  toggle: (b) => el("label", { class: "switch" }, el("input", { type: "checkbox", name: text(b.name), checked: Boolean(b.value) }), text(b.label) || text(b.name) || "A switch"),
  badge: (b) => el("span", { class: "badge " + variant(b.variant), dir: "auto" }, text(b.text)),
  alert: (b) => el("p", { class: "alert " + variant(b.variant), dir: "auto" }, text(b.message)),
  loading: (b) => el("p", { class: "stage", dir: "auto" }, text(b.label) || "Loading"),
  actions: (b, ctx) =>
    el("div", { class: "buttons" }, list(b.buttons).slice(0, maxColumns).map((button) => {
      const only = !button?.execute && !button?.payload && place(button?.openUrl);
      // A link looks like one to who hovers over it, and can be copied.
      if (only) return el("a", { class: "button", href: only, target: "_blank", rel: "noopener noreferrer", dir: "auto", title: only }, text(button.label) || only);
      const node = el("button", { type: "button", class: button?.style === "primary" ? "primary" : "", disabled: !leads(button, ctx) }, text(button?.label) || "Do it");
      node.addEventListener("click", () => press(button, node, ctx));
      return node;
    })),
};

// pictures are the paths that serve them.
const pictures = /^\/(chat\/image\/[\w-]+|assets\/[\w.-]+)$/;

// plain is text as it stands. Lines that are marked with > are somebody else's words.
function plain(content) {
  const parts = [];
  for (const line of content.split("\n")) {
    const quoted = /^> ?/.test(line);
    if (parts.at(-1)?.quoted !== quoted) parts.push({ quoted, lines: [] });
    parts.at(-1).lines.push(quoted ? line.replace(/^> ?/, "") : line);
  }
  const made = parts.map(({ quoted, lines }) => {
    const p = el("p", { class: "plain", dir: "auto" }, lines.join("\n"));
    return quoted ? el("blockquote", {}, p) : p;
  });
  return made.length === 1 ? made[0] : el("div", { class: "blocks" }, made);
}

function tabs(all, ctx, depth) {
  const id = "tabs-" + Math.random().toString(36).slice(2);
  const panes = all.map((t, i) => el("div", { role: "tabpanel", id: `${id}-${i}`, hidden: i > 0 }, each(t?.blocks, ctx, depth)));
  const heads = all.map((t, i) => el("button", { type: "button", role: "tab", "aria-controls": `${id}-${i}`, "aria-selected": String(i === 0), tabindex: i ? "-1" : "0" }, text(t?.title ?? t?.label) || `Tab ${i + 1}`));
  const choose = (n) => heads.forEach((h, i) => {
    h.setAttribute("aria-selected", String(i === n));
    h.tabIndex = i === n ? 0 : -1;
    panes[i].hidden = i !== n;
  });
  heads.forEach((h, i) => {
    h.addEventListener("click", () => choose(i));
    h.addEventListener("keydown", (e) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
      if (!step) return;
      const n = (i + step + heads.length) % heads.length;
      choose(n);
      heads[n].focus();
    });
  });
  return el("div", {}, el("div", { class: "tabs", role: "tablist" }, heads), panes);
}

// leads reports whether a button would do anything here. In the past it opens pages, and
// nothing else.
const leads = (button, { does }) => Boolean(place(button?.openUrl) || (button?.execute && does.execute) || (asks(button) && does.act));

// asks reports whether a button of the conversation asks for something: what is filled in
// around it never says what.
const asks = (button) => typeof button?.payload?.skill === "string";

// press does what a button says: in the conversation its payload is sent, on an
// interface's page a tool is called with what was filled in around it.
function press(button, node, ctx) {
  const open = place(button?.openUrl);
  if (open) window.open(open, "_blank", "noopener,noreferrer");
  if (button?.execute && ctx.does.execute) return ctx.does.execute(button, values(node, button), node);
  if (asks(button) && ctx.does.act) return ctx.does.act({ ...values(node, button), ...button.payload }, node);
  return undefined;
}

// values are the fields of the form that a button collects, or of the one it is in.
function values(node, button) {
  const root = node.closest("[data-interface], .answer") ?? document;
  const form = button.collect ? root.querySelector(`[data-form="${CSS.escape(String(button.collect))}"]`) : node.closest("form");
  const out = {};
  for (const field of form?.querySelectorAll("[name]") ?? []) {
    out[field.name] = field.type === "checkbox" ? field.checked : field.type === "number" && field.value !== "" ? Number(field.value) : field.value;
  }
  return out;
}
