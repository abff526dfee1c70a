// The part of Markdown that answers use, as elements: paragraphs, headings, lists,
// quotes, tables and code. HTML in it is text like any other.

import { el } from "/assets/dom.js";
import { inline } from "/assets/inline.js";
import { code } from "/assets/code.js";

const deepest = 8; // lists and quotes within each other
const item = /^( {0,12})([-*+]|\d{1,9}[.)])(?: +|$)/;
const fenced = /^ {0,3}(`{3,}|~{3,}) *([^`]*)$/;
const rule = /^ {0,3}([-*_])(?: *\1){2,} *$/;
const divider = /^ *\|? *:?-+:? *(?:\| *:?-+:? *)*\|? *$/;

export function markdown(source) {
  return el("div", { class: "blocks" }, blocks(source.replace(/\r\n?/g, "\n").replaceAll("\t", "    ").split("\n"), 0));
}

function blocks(lines, depth) {
  const out = [];
  const all = new Lines(lines);
  while (!all.done) {
    const line = all.peek();
    if (!line.trim()) all.next();
    else if (fenced.test(line)) out.push(fence(all));
    else if (/^ {0,3}#{1,6}(?: |$)/.test(line)) out.push(heading(all.next().trim()));
    else if (rule.test(line)) out.push(el("hr")), all.next();
    else if (depth < deepest && /^ {0,3}>/.test(line)) out.push(quote(all, depth));
    else if (depth < deepest && item.test(line)) out.push(list(all, depth));
    else if (isTable(all)) out.push(table(all));
    else out.push(paragraph(all));
  }
  return out;
}

class Lines {
  constructor(lines) {
    Object.assign(this, { lines, at: 0 });
  }
  get done() {
    return this.at >= this.lines.length;
  }
  peek(ahead = 0) {
    return this.lines[this.at + ahead] ?? "";
  }
  next() {
    return this.lines[this.at++];
  }
  while(holds) {
    const out = [];
    while (!this.done && holds(this.peek())) out.push(this.next());
    return out;
  }
}

function fence(all) {
  const [, marks, language] = all.next().match(fenced);
  const closes = (l) => l.trim().startsWith(marks) && !l.trim().slice(marks.length).replaceAll(marks[0], "");
  const lines = all.while((l) => !closes(l));
  all.next();
  return code(lines.join("\n"), language.trim().split(/\s/, 1)[0].slice(0, 40));
}

// heading stands below those of the page.
function heading(line) {
  const marks = line.match(/^#+/)[0].length;
  return el("h" + Math.min(6, marks + 1), { dir: "auto" }, inline(line.slice(marks).trim().replace(/(^| )#+$/, "")));
}

function quote(all, depth) {
  const lines = all.while((l) => /^ {0,3}>/.test(l)).map((l) => l.replace(/^ {0,3}> ?/, ""));
  return el("blockquote", { class: "blocks", dir: "auto" }, blocks(lines, depth + 1));
}

// list takes the items of one kind. What is indented below an item belongs to it.
function list(all, depth) {
  const first = all.peek().match(item);
  const ordered = /\d/.test(first[2]);
  const items = [];
  for (let m = first; m && /\d/.test(m[2]) === ordered && m[1].length < first[1].length + 2; m = all.done ? null : all.peek().match(item)) {
    items.push(oneItem(all, m, depth));
  }
  const start = ordered ? Number.parseInt(first[2], 10) : undefined;
  return el(ordered ? "ol" : "ul", { start: start > 1 ? String(start) : undefined }, items);
}

function oneItem(all, [head, indent], depth) {
  const lines = [all.next().slice(head.length)];
  const below = indent.length + 2;
  const belongs = (l) => l.length - l.trimStart().length >= below;
  while (!all.done) {
    const line = all.peek();
    const blank = !line.trim();
    if (blank ? !belongs(all.peek(1)) || !all.peek(1).trim() : !belongs(line) && (starts(line) || !lines.at(-1).trim())) break;
    lines.push(belongs(line) ? line.slice(Math.min(head.length, line.length - line.trimStart().length)) : all.peek().trimStart());
    all.next();
  }
  if (!all.peek().trim() && item.test(all.peek(1))) all.next(); // items may stand apart
  const done = lines[0].match(/^\[([ xX])\] /);
  if (done) lines[0] = (done[1] === " " ? "☐ " : "☑ ") + lines[0].slice(4);
  const inside = blocks(lines, depth + 1);
  return el("li", { dir: "auto" }, inside[0]?.tagName === "P" ? [...inside[0].childNodes, ...inside.slice(1)] : inside);
}

function isTable(all) {
  return all.peek().includes("|") && all.peek(1).includes("-") && divider.test(all.peek(1)) && cells(all.peek(1)).length === cells(all.peek()).length;
}

function table(all) {
  const heads = cells(all.next());
  const sides = cells(all.next()).map((c) => (c.endsWith(":") ? (c.startsWith(":") ? "middle" : "number") : undefined));
  const rows = all.while((l) => l.includes("|") && l.trim()).map(cells);
  const row = (texts, tag, extra) => el("tr", {}, heads.map((_, i) => el(tag, { dir: "auto", class: sides[i], ...extra }, inline(texts[i] ?? ""))));
  return el("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Table" },
    el("table", {}, el("thead", {}, row(heads, "th", { scope: "col" })), el("tbody", {}, rows.map((r) => row(r, "td")))));
}

function cells(line) {
  const out = [""];
  const inner = line.trim().replace(/^\|/, "").replace(/([^\\])\|$/, "$1");
  for (let i = 0; i < inner.length; i++) {
    if (inner[i] === "\\" && inner[i + 1] === "|") out[out.length - 1] += inner[++i];
    else if (inner[i] === "|") out.push("");
    else out[out.length - 1] += inner[i];
  }
  return out.map((c) => c.trim());
}

const starts = (l) => fenced.test(l) || rule.test(l) || item.test(l) || /^ {0,3}(#{1,6} |>)/.test(l);

// A number within a text begins no list, but the first may.
const interrupts = (l) => starts(l) && !/^ *(?!1[.)])\d+[.)]/.test(l);

function paragraph(all) {
  const lines = [all.next(), ...all.while((l) => l.trim() && !interrupts(l))];
  return el("p", { dir: "auto" }, lines.flatMap((l, i) => [...(i ? [el("br")] : []), ...inline(l.trim().replace(/\\$/, ""))]));
}
