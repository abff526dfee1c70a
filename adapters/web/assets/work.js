// What takes long: asks for a part of a page, shows how far it has come, and can be
// stopped.

import { again, ask } from "/assets/key.js";
import { el, clock } from "/assets/dom.js";
import { pictures } from "/assets/picture.js";
import { eachLine } from "/assets/stream.js";
import { keepFocus } from "/assets/focus.js";

const patience = 300; // before anything is said, so that what is quick doesn't flicker

// Work fills a place with what an address answers. words(progress) says how it goes.
export class Work {
  constructor(place, words) {
    Object.assign(this, { place, words });
  }

  // run asks; what ran before is stopped. It resolves to true when the answer is there.
  async run(url) {
    this.stop();
    const stopper = (this.stopper = new AbortController());
    const shown = this.showing(stopper);
    try {
      const html = await this.read(url, stopper.signal, shown.told);
      if (this.stopper !== stopper) return false;
      const part = new DOMParser().parseFromString(html, "text/html");
      this.put(...part.body.childNodes);
      for (const t of this.place.querySelectorAll("time")) t.textContent = clock(t.dateTime);
      pictures(this.place);
      return true;
    } catch (e) {
      if (this.stopper === stopper) this.put(stopper.signal.aborted ? this.stopped(url) : el("p", { class: "alert error", role: "alert" }, e.message));
      return false;
    } finally {
      shown.end();
      if (this.stopper === stopper) this.stopper = undefined;
    }
  }

  stop() {
    this.stopper?.abort();
  }

  // put shows something in the place. Whose button goes with what was there is at its
  // next one, or at the place itself.
  put(...nodes) {
    keepFocus(() => this.place.replaceChildren(...nodes), () => this.place.querySelector("button") ?? this.place);
  }

  // showing says how it goes, once it takes a while.
  showing(stopper) {
    const bar = el("progress", { "aria-label": "How far it has come" });
    const says = el("span", {}, this.words({}));
    const box = el("div", { class: "working" }, bar, says, el("button", { type: "button", onclick: () => stopper.abort() }, "Cancel"));
    const later = setTimeout(() => this.put(box), patience);
    const told = (progress) => {
      if (progress.tail) [bar.max, bar.value] = [progress.tail, progress.position];
      says.setAttribute("aria-live", "off"); // who hears the page is told that it began, and what came
      says.textContent = this.words(progress);
    };
    return { told, end: () => clearTimeout(later) };
  }

  stopped(url) {
    return el("div", { class: "empty-box" }, el("p", {}, "Stopped. Nothing was changed by it."), el("button", { type: "button", onclick: () => this.run(url) }, "Begin again"));
  }

  // read goes through the lines of an answer, the part of the page in the last.
  async read(url, signal, told) {
    const answer = await ask(url, { signal });
    if (answer.status === 401) location.assign(again());
    let last;
    await eachLine(answer, (line) => {
      if (line.html === undefined && line.error === undefined) told(line);
      else last = line;
    });
    if (last?.html === undefined) throw new Error(last?.error || "It broke off. Ask again; when that doesn't help, Chalie's own log says why.");
    return last.html;
  }
}

// leftOf is how long it will take yet, in words; "" while that isn't known.
export function leftOf({ position, tail, rate }) {
  if (!rate) return "";
  const seconds = Math.ceil((tail - position) / rate);
  if (seconds < 60) return `about ${seconds} s left`;
  return `about ${Math.ceil(seconds / 60)} min left`;
}
