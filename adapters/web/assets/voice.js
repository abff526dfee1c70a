// Talking with Chalie: what is said while the button is held is heard and sent, and the
// answer is read aloud. It never records while it speaks, nor the other way round.

import { json } from "/assets/dom.js";
import { Recording } from "/assets/microphone.js";
import { Aloud, wordsOf } from "/assets/aloud.js";

const place = "chalie-aloud"; // where the switch is remembered
const shortest = 0.3; // seconds; less is a press by mistake
const longest = 58; // of the 60 that Chalie takes
const key = "F2";

const how = "Hold the button while you speak, and let go at the end.";
const labels = { idle: "Hold to talk", opening: "Opening", listening: "Listening", hearing: "One moment", speaking: "Microphone off" };
const find = (id) => document.querySelector("#" + id);

export class Voice {
  // said(text, stt) sends what was heard; its error says why it can't.
  constructor({ said }) {
    Object.assign(this, { said, state: "idle", awaited: new Set(), toRead: [] });
    this.button = find("hold");
    this.switch = find("aloud");
    this.aloud = new Aloud({ told: (text) => this.caption(text) });
    this.switch.checked = remembered() === "on";
    this.switch.addEventListener("change", () => this.switched());
    find("hush").addEventListener("click", () => this.hush());
    this.listen();
  }

  listen() {
    const { button } = this;
    button.addEventListener("pointerdown", (e) => {
      if (e.button !== 0) return;
      button.setPointerCapture(e.pointerId);
      this.press();
    });
    for (const end of ["pointerup", "pointercancel"]) button.addEventListener(end, () => this.letGo());
    button.addEventListener("contextmenu", (e) => e.preventDefault()); // a long press of a finger
    // A screen reader or a switch presses, and can't hold: once begins, once more ends.
    button.addEventListener("click", (e) => e.detail === 0 && (this.state === "listening" ? this.letGo() : this.press()));
    const holds = (e) => (e.target === button ? [" ", "Enter", key] : [key]).includes(e.key) && !isField(e.target) && !e.ctrlKey && !e.altKey && !e.metaKey && !e.shiftKey;
    addEventListener("keydown", (e) => {
      if (e.key === "Escape" && this.escape()) return e.preventDefault();
      if (!holds(e)) return undefined;
      e.preventDefault();
      if (!e.repeat) this.press(e.key);
      return undefined;
    });
    addEventListener("keyup", (e) => {
      if (e.target === button && [" ", "Enter"].includes(e.key)) e.preventDefault();
      if (e.key === this.held) this.letGo();
    });
    addEventListener("blur", () => this.letGo()); // nobody tells any more that it is let go
    for (const pressed of ["pointerdown", "keydown"]) addEventListener(pressed, () => this.switch.checked && this.aloud.wake());
    addEventListener("pagehide", () => this.escape());
  }

  // press begins to record. by is the key that is held.
  async press(by) {
    if (this.state === "speaking") return this.tell("The microphone is off while Chalie speaks. Press Escape, or “Stop reading”, to talk.");
    if (this.state !== "idle") return undefined;
    this.held = by;
    this.aloud.wake();
    this.be("opening");
    this.tell("");
    const mine = (this.opening = {});
    let recording;
    try {
      recording = await Recording.begin();
    } catch (e) {
      this.tell(e.message);
      return this.opening === mine && this.be("idle");
    }
    // Whoever is asked by the browser first has let go meanwhile.
    if (this.opening !== mine) {
      recording.off();
      if (this.state === "idle") this.tell("The microphone is ready. " + how);
      return undefined;
    }
    this.recording = recording;
    this.counting = setInterval(() => this.count(), 200);
    return this.be("listening");
  }

  count() {
    const { lasts } = this.recording;
    find("held").textContent = `0:${String(Math.floor(lasts)).padStart(2, "0")}`;
    if (lasts < longest) return;
    this.full = true;
    this.letGo();
  }

  // letGo ends what is recorded, and has it heard.
  async letGo() {
    this.held = undefined;
    if (this.state === "opening") return this.be("idle");
    if (this.state !== "listening") return undefined;
    const { recording, full } = this;
    this.full = false;
    if (recording.lasts < shortest) {
      this.discard();
      return this.tell(how);
    }
    this.be("hearing");
    const { signal } = (this.asking = new AbortController());
    try {
      const sound = await recording.end();
      const heard = await json("POST", "/api/voice/stt", sound, signal);
      if (!signal.aborted) await this.heard(heard, full ? " A recording has a minute at most: say the rest next." : "");
    } catch (e) {
      if (!signal.aborted) this.tell("Nothing was sent. " + e.message);
    }
    recording.off();
    if (!signal.aborted) this.be("idle");
    return undefined;
  }

  async heard({ text, repeat, say, heard, stt_id: stt }, full) {
    if (repeat || !text) {
      this.tell((say || "Nothing was heard. " + how) + (heard ? ` It may have been: “${heard}”.` : "") + " Nothing was sent.");
      if (say && this.switch.checked) this.toRead.push(say);
      return;
    }
    this.tell(`Heard: “${text}”.` + full);
    // Whoever talks wants to hear, until they say otherwise.
    if (!remembered()) {
      this.switch.checked = true;
      remember("on");
    }
    await this.said(text, stt);
  }

  // asked notes that this page waits for an answer, which may be there already.
  asked(id, exchange) {
    this.awaited.add(id);
    if (exchange?.shown) this.replied(exchange);
  }

  // replied reads the answer aloud if it is this page that asked.
  replied(exchange) {
    if (!this.awaited.delete(exchange.id) || !this.switch.checked) return;
    this.toRead.push(wordsOf(exchange.answer));
    this.next();
  }

  // next reads what waits, unless something is recorded.
  async next() {
    if (this.state !== "idle" || !this.toRead.length) return;
    const text = this.toRead.shift();
    this.be("speaking");
    try {
      await this.aloud.read(text);
      this.caption("");
    } catch (e) {
      if (e.name === "AbortError") this.caption("");
      else this.tell("This can't be read aloud. " + e.message);
    }
    this.be("idle");
  }

  // escape ends what is going on, and reports whether something was.
  escape() {
    if (this.state === "idle") return false;
    if (this.state === "speaking") {
      this.hush();
      return true;
    }
    this.held = undefined;
    this.asking?.abort();
    this.discard();
    this.tell("Nothing was sent.");
    return true;
  }

  hush() {
    this.toRead = [];
    this.aloud.stop();
    if (document.activeElement === find("hush")) this.button.focus();
  }

  discard() {
    this.recording?.off();
    this.be("idle");
  }

  switched() {
    remember(this.switch.checked ? "on" : "off");
    if (this.switch.checked) return this.aloud.wake();
    return this.hush();
  }

  be(state) {
    this.state = state;
    this.opening = undefined;
    if (state !== "listening") {
      clearInterval(this.counting);
      this.recording = undefined;
      find("held").textContent = "";
    }
    find("voice").dataset.state = state;
    this.button.textContent = labels[state];
    this.button.dataset.held = state === "listening";
    this.button.setAttribute("aria-disabled", state === "speaking"); // and not disabled, or the focus would be lost
    find("hush").hidden = state !== "speaking";
    if (state === "idle") this.next();
  }

  // tell shows a caption, and has it read out where nobody sees it.
  tell(text) {
    this.caption(text);
    find("captioned").textContent = text;
  }

  caption(text) {
    find("caption").textContent = text;
  }
}

const isField = (node) => node.isContentEditable || node.matches?.("textarea, select, input:not([type=checkbox], [type=radio], [type=button])");

function remembered() {
  try {
    return localStorage.getItem(place);
  } catch {
    return null;
  }
}

function remember(what) {
  try {
    localStorage.setItem(place, what);
  } catch {
    // It counts until the page is left.
  }
}
