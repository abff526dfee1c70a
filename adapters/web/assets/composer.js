// What the person says, and does about what is under way: messages with images, steps
// in another direction, an end to it, and buttons of answers.

import { el, json, reached, unreachable } from "/assets/dom.js";
import { Attachments } from "/assets/attachments.js";
import { keep, kept } from "/assets/draft.js";
import { zone } from "/assets/zone.js";

const away = "There is no connection now. What you wrote is still here: send it once it is back.";
const tooMuch = "This is too long for one message:";
const longestLabel = 60; // characters, of four bytes at most; Chalie takes 256 bytes
const find = (id) => document.querySelector("#" + id);

export class Composer {
  constructor({ say, line, exchanges, outgoing, scroll }) {
    this.form = find("composer");
    this.field = this.form.elements.text;
    Object.assign(this, { say, line, exchanges, outgoing, scroll, steers: [], actions: [], stopping: new Set() });
    this.most = Number(this.field.dataset.most); // bytes in UTF-8
    this.images = new Attachments({ box: find("attached"), input: find("images"), button: find("image"), area: document.querySelector(".chat"), field: this.field, say });
    this.field.value ||= kept().text ?? "";
    this.field.addEventListener("input", () => this.wrote());
    this.images.restore(kept().images ?? []);
    this.form.addEventListener("submit", (e) => {
      e.preventDefault();
      this.submit();
    });
    this.field.addEventListener("keydown", (e) => {
      if (e.key !== "Enter" || e.shiftKey || e.isComposing) return;
      e.preventDefault();
      this.submit();
    });
    this.field.addEventListener("keypress", (e) => e.key === "Enter" && !e.shiftKey && e.preventDefault()); // not for every keyboard does the above do
    find("redirect").addEventListener("click", () => this.redirect());
    find("stop").addEventListener("click", () => this.stop());
    find("show").addEventListener("click", () => this.showAsked());
    scroll.box.addEventListener("scroll", () => this.renewAsked(), { passive: true });
  }

  // underWay are the exchanges without an end yet, oldest first.
  get underWay() {
    return [...this.exchanges.values()].filter((x) => x.underWay).sort((a, b) => (a.root.compareDocumentPosition(b.root) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
  }

  async submit() {
    const text = this.field.value.trim();
    if ((!text && !this.images.count) || this.sending || this.tooLong()) return;
    this.say("");
    this.sending = true;
    try {
      const ids = await this.images.ready();
      if (!this.line.isOpen) return this.say(away);
      this.outgoing.send({ text, ids });
      this.scroll.toEnd();
      if (this.field.value.trim() === text) this.write("");
      this.images.clear();
    } catch (e) {
      this.say(e.message);
    } finally {
      this.sending = false;
    }
    return undefined;
  }

  // spoken sends what was heard, with the images that are there. What is written stays. The
  // error says why it can't be sent, and what was heard is written then.
  async spoken(text, stt) {
    try {
      const ids = await this.images.ready();
      if (!this.line.isOpen) throw new Error(away);
      this.outgoing.send({ text, ids, stt });
      this.scroll.toEnd();
      this.images.clear();
    } catch (e) {
      this.giveBack(text);
      throw e;
    }
  }

  write(text) {
    this.field.value = text;
    this.wrote();
  }

  wrote() {
    keep({ text: this.field.value });
    if (!this.tooLong() && find("banner").textContent.startsWith(tooMuch)) this.say("");
  }

  // tooLong reports whether Chalie wouldn't take what is written, and says so.
  tooLong() {
    const text = this.field.value.trim();
    const bytes = text.length * 3 > this.most ? new TextEncoder().encode(text).length : 0;
    if (bytes <= this.most) return false;
    const kb = (n) => (Math.ceil((n / 1024) * 10) / 10).toLocaleString("en");
    this.say(`${tooMuch} it has ${kb(bytes)} KB, and ${kb(this.most)} KB is the most. Nothing was sent, and all of it is still here: shorten it, or send it in parts.`);
    return true;
  }

  redirect() {
    const text = this.field.value.trim();
    const x = this.underWay.at(-1);
    if (!text) {
      this.field.focus();
      return this.say("Write what to do differently, then press Redirect.");
    }
    if (!x) return this.say("Nothing is under way any more: send it as a message.");
    if (this.tooLong()) return undefined;
    if (!this.line.send({ type: "act_steer", text })) return this.say(away);
    this.say("");
    this.write("");
    this.field.focus();
    return this.scroll.keep(() => this.steers.push({ x, text, node: x.passing("You: " + text) }));
  }

  async stop() {
    this.say("");
    for (const x of this.underWay) this.stopping.add(x.id);
    this.renew();
    const asked = this.underWay.map((x) => json("POST", `/api/messages/${encodeURIComponent(x.id)}/cancel`).catch((e) => {
      this.stopping.delete(x.id);
      this.say(e.message);
    }));
    await Promise.all(asked);
    this.renew();
  }

  // act presses a button of an answer. What comes of it, or why nothing does, is said
  // beside it.
  act(payload, node) {
    const note = el("span", { class: "soft", role: "status" }, "Asked");
    if (node.nextSibling?.classList?.contains("pressed")) node.nextSibling.remove();
    note.classList.add("pressed");
    node.after(note);
    const label = [...node.textContent].slice(0, longestLabel).join("");
    if (!this.line.send({ type: "action", payload, label, timezone: zone() })) return (note.textContent = "There is no connection now: try it again once it is back.");
    node.disabled = true;
    return this.actions.push({ node, note, label, skill: payload.skill });
  }

  // heard settles what a frame is the answer to.
  heard({ type, exchange_id: id }) {
    this.steers = this.steers.filter((s) => s.x.id !== id);
    if (type === "done") this.stopping.delete(id);
  }

  // acted takes the note away from a button whose exchange is there.
  acted({ label, skill }) {
    const at = this.actions.findIndex((a) => a.skill === skill && (a.label === label || label.includes("[")));
    if (at < 0) return;
    const [{ node, note }] = this.actions.splice(at, 1);
    node.disabled = false;
    note.remove();
  }

  // lost says of what the conversation doesn't have, now that there is a line again, that
  // it didn't arrive.
  lost() {
    const steers = this.steers.splice(0).filter((s) => s.node.isConnected);
    for (const { node, text } of steers) {
      node.remove();
      this.giveBack(text);
    }
    if (steers.length) this.say("Your redirection didn't arrive: the connection was lost just then.");
    for (const { node, note } of this.actions.splice(0)) {
      node.disabled = false;
      note.className = "refused pressed";
      note.textContent = "This didn't arrive: the connection was lost just then. Press it again if it still matters.";
    }
  }

  // refused takes what was refused, if it was a redirection or a button.
  refused(why) {
    const steer = this.steers.shift();
    if (steer) {
      steer.node.remove();
      this.giveBack(steer.text);
      this.say(why);
      return true;
    }
    const action = this.actions.shift();
    if (!action) return false;
    action.node.disabled = false;
    action.note.textContent = why;
    action.note.className = "refused pressed";
    return true;
  }

  giveBack(text) {
    if (!this.field.value) this.write(text);
  }

  standing(state) {
    if (state !== "open") return;
    reached();
    const says = find("banner").textContent;
    if ([away, unreachable].some((text) => says.startsWith(text))) this.say("");
  }

  // renew says what is under way.
  renew() {
    const all = this.underWay;
    const last = all.at(-1);
    find("busy").hidden = !last;
    this.renewAsked();
    if (!last) return this.stopping.clear();
    const first = all[0];
    const what = first.prompt ? `“${first.prompt.length > 60 ? first.prompt.slice(0, 60) + "…" : first.prompt}”` : "something";
    const more = all.length > 1 ? `, and ${all.length - 1} more` : "";
    const says = (first.waits ? "Waits for your decision on " : "Working on ") + what + more;
    if (find("doing").textContent !== says) find("doing").textContent = says;
    const stopping = all.every((x) => x.cancelled || this.stopping.has(x.id));
    find("stop").disabled = stopping;
    find("stop").textContent = stopping ? "Stopping" : all.length > 1 ? "Stop all" : "Stop";
    return undefined;
  }

  // renewAsked leads to what waits for approval, when it is out of sight.
  renewAsked() {
    const waiting = [...this.exchanges.values()].map((x) => x.waits).filter(Boolean);
    this.hidden = waiting.find((a) => !this.scroll.shows(a.root));
    find("asks").hidden = !this.hidden;
    find("asks-what").textContent = waiting.length > 1 ? `${waiting.length} things wait for your decision.` : "Something waits for your decision.";
  }

  showAsked() {
    this.hidden?.root.scrollIntoView({ block: "center" });
    this.hidden?.approve.focus({ preventScroll: true });
    this.renewAsked();
  }
}
