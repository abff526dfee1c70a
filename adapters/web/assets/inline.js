// What stands within a line of Markdown: emphasis, code, links. What opens and never
// closes is text. Every character is looked at a few times at most, whatever comes.

import { el, place, refused } from "/assets/dom.js";

const deepest = 6; // emphasis within emphasis
const longest = 2000; // characters of an address
const special = /[\\`*_~[!<]|https?:\/\//gi;
const escapable = /[!-/:-@[-`{-~]/;

export function inline(text) {
  return new Reader(text, 0, false).read();
}

// link is a link to another site or within this one; its text when it leads nowhere,
// with its address where that may be what somebody wants to copy.
export function link(url, ...label) {
  const href = place(url);
  if (refused(url)) return el("span", { dir: "auto" }, ...label, ` (${url}, not a link: it leads to this machine)`);
  if (!href) return el("span", { dir: "auto" }, ...label);
  const away = href.startsWith("/") ? {} : { target: "_blank", rel: "noopener noreferrer", title: href };
  return el("a", { href, dir: "auto", ...away }, ...label);
}

class Reader {
  constructor(text, depth, linked) {
    Object.assign(this, { text, depth, linked, at: 0, out: [], plain: "", none: new Set(), found: new Map() });
  }

  read() {
    while (this.at < this.text.length) {
      special.lastIndex = this.at;
      const next = special.exec(this.text)?.index ?? this.text.length;
      this.plain += this.text.slice(this.at, next);
      this.at = next;
      if (next < this.text.length && !this.one(this.text[next])) this.plain += this.text[this.at++];
    }
    this.flush();
    return this.out;
  }

  flush() {
    if (this.plain) this.out.push(this.plain);
    this.plain = "";
  }

  push(node, to) {
    this.flush();
    this.out.push(node);
    this.at = to;
    return true;
  }

  one(mark) {
    switch (mark) {
      case "\\":
        if (!escapable.test(this.text[this.at + 1] ?? "")) return false;
        this.plain += this.text[this.at + 1];
        this.at += 2;
        return true;
      case "`":
        return this.code();
      case "*":
      case "_":
      case "~":
        return this.emphasis(mark);
      case "[":
        return this.link(this.at);
      case "!":
        return this.text[this.at + 1] === "[" && this.link(this.at + 1);
      case "<":
        return this.pointed();
      default:
        return this.bare();
    }
  }

  // find is where something stands next. What was found is not looked for again before
  // that place, and what wasn't never.
  find(what, from) {
    let found = this.found.get(what) ?? -2;
    if (found === -1 || found >= from) return found;
    found = this.text.indexOf(what, from);
    this.found.set(what, found);
    return found;
  }

  code() {
    const marks = this.text.slice(this.at).match(/^`{1,8}/)[0];
    const from = this.at + marks.length;
    if (this.text[from] === "`") return false;
    const end = this.find(marks, from);
    if (end < 0) return false;
    return this.push(el("code", {}, this.text.slice(from, end).replace(/^ (.+) $/, "$1")), end + marks.length);
  }

  emphasis(mark) {
    const double = this.text[this.at + 1] === mark;
    if (mark === "~" && !double) return false;
    const marks = double ? mark + mark : mark;
    const from = this.at + marks.length;
    const within = mark === "_" && /\w/.test(this.text[this.at - 1] ?? "");
    if (within || this.depth >= deepest || !/\S/.test(this.text[from] ?? "") || this.text[from] === mark) return false;
    const end = this.closing(marks, from);
    if (end < 0) return false;
    const inside = new Reader(this.text.slice(from, end), this.depth + 1, this.linked).read();
    return this.push(el(mark === "~" ? "del" : double ? "strong" : "em", {}, inside), end + marks.length);
  }

  // closing is where marks close: after no space, and one mark isn't half of two.
  closing(marks, from) {
    const key = "closing " + marks;
    if (this.none.has(key)) return -1;
    for (let end = this.text.indexOf(marks, from + 1); end >= 0; end = this.text.indexOf(marks, end + 1)) {
      const after = this.text[end + marks.length] ?? "";
      const half = marks.length === 1 && (after === marks || this.text[end - 1] === marks);
      const inWord = marks[0] === "_" && /\w/.test(after);
      if (!half && !inWord && /\S/.test(this.text[end - 1]) && this.text[end - 1] !== "\\") return end;
    }
    this.none.add(key);
    return -1;
  }

  // link is [label](address "title"), or a picture, which is a link to it.
  link(open) {
    const middle = this.linked ? -1 : this.find("](", open);
    if (middle < 0 || middle - open > longest) return false;
    const inner = this.text.indexOf("[", open + 1);
    if (inner >= 0 && inner < middle) return false; // the inner one is the link
    const end = this.parenthesis(middle + 1);
    if (end < 0) return false;
    const [address] = this.text.slice(middle + 2, end).trim().split(/\s/, 1);
    const label = this.text.slice(open + 1, middle);
    const url = address.replace(/^<(.*)>$/, "$1");
    return this.push(link(url, ...(label ? new Reader(label, this.depth + 1, true).read() : [url])), end + 1);
  }

  parenthesis(open) {
    let depth = 0;
    for (let i = open; i < this.text.length && i < open + longest; i++) {
      if (this.text[i] === "(") depth++;
      if (this.text[i] === ")" && --depth === 0) return i;
    }
    return -1;
  }

  pointed() {
    const end = this.text.slice(this.at, this.at + longest).match(/^<(https?:\/\/[^\s<>]+)>/i);
    return Boolean(end) && !this.linked && this.push(link(end[1], end[1]), this.at + end[0].length);
  }

  // bare is an address as it stands; what ends the sentence is no part of it.
  bare() {
    if (this.linked || /\w/.test(this.text[this.at - 1] ?? "")) return false;
    const url = this.text.slice(this.at, this.at + longest).match(/^https?:\/\/[^\s<>"`]+/i)?.[0].replace(/[.,;:!?'*_~\])}]+$/, "");
    return Boolean(url) && url.length > 8 && this.push(link(url, url), this.at + url.length);
  }
}
