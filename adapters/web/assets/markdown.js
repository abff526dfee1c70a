// The part of Markdown that answers use, as elements: paragraphs, headings, lists,
// quotes, code, emphasis and links. HTML in it is text like any other.

import { el, place } from "/assets/dom.js";

export function markdown(source) {
  const box = el("div", { class: "blocks" });
  const rest = source.split("\n");
  while (rest.length) {
    const line = rest[0];
    if (!line.trim()) rest.shift();
    else if (line.startsWith("```")) box.append(fence(rest));
    else if (/^#{1,6} /.test(line)) box.append(heading(rest.shift()));
    else if (/^\s*([-*+]|\d+[.)]) /.test(line)) box.append(items(rest));
    else if (line.startsWith(">")) box.append(el("blockquote", {}, take(rest, (l) => l.startsWith(">")).flatMap((l) => [...inline(l.replace(/^> ?/, "")), el("br")])));
    else if (/^(-{3,}|\*{3,})$/.test(line.trim())) box.append(el("hr")), rest.shift();
    else box.append(paragraph(rest));
  }
  return box;
}

function take(rest, while_) {
  const out = [];
  while (rest.length && while_(rest[0])) out.push(rest.shift());
  return out;
}

function fence(rest) {
  rest.shift();
  const code = take(rest, (l) => !l.startsWith("```"));
  rest.shift();
  return el("pre", { tabindex: "0" }, el("code", {}, code.join("\n")));
}

function heading(line) {
  const marks = line.match(/^#+/)[0].length;
  return el("h" + Math.min(6, marks + 2), { dir: "auto" }, inline(line.slice(marks + 1)));
}

function items(rest) {
  const ordered = /^\s*\d/.test(rest[0]);
  const lines = take(rest, (l) => /^\s*([-*+]|\d+[.)]) /.test(l));
  return el(ordered ? "ol" : "ul", {}, lines.map((l) => el("li", { dir: "auto" }, inline(l.replace(/^\s*([-*+]|\d+[.)]) /, "")))));
}

function paragraph(rest) {
  const lines = [rest.shift(), ...take(rest, (l) => l.trim() && !/^(```|#{1,6} |>|\s*([-*+]|\d+[.)]) )/.test(l))];
  return el("p", { dir: "auto" }, lines.flatMap((l, i) => (i ? [el("br"), ...inline(l)] : inline(l))));
}

// inline are the nodes of one line. What opens and is never closed is text.
function inline(line) {
  const out = [];
  const pattern = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\(([^)\s]+)\)/g;
  let at = 0;
  for (const m of line.matchAll(pattern)) {
    out.push(line.slice(at, m.index));
    at = m.index + m[0].length;
    if (m[1]) out.push(el("code", {}, m[1]));
    else if (m[2]) out.push(el("strong", {}, m[2]));
    else if (m[3]) out.push(el("em", {}, m[3]));
    else {
      const href = place(m[5]);
      out.push(href ? el("a", { href, ...(href.startsWith("/") ? {} : { target: "_blank", rel: "noopener noreferrer" }) }, m[4]) : m[4]);
    }
  }
  out.push(line.slice(at));
  return out.filter((piece) => piece !== "");
}
