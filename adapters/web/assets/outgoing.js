// What the person has just said, until the conversation has it. Each message has a key of
// its own: Chalie takes in once what comes again with it, so that sending again is safe
// when nobody knows whether the first time arrived.

import { el, json } from "/assets/dom.js";
import { keep, kept } from "/assets/draft.js";

const patience = 30000; // for an answer

export class Outgoing {
  // list is where it is shown, in the end. latest() is the latest exchange's id, shown(id)
  // whether an exchange is there; refused(one, why) takes back what Chalie won't have;
  // taken(id) hears which exchange it became.
  constructor({ list, latest, shown, refused, taken }) {
    Object.assign(this, { list, latest, shown, refused, taken, all: [], settled: new Set(), sending: Promise.resolve() });
  }

  // restore shows what was on its way when this page was left.
  restore() {
    for (const one of kept().outgoing ?? []) {
      this.add(one);
      this.lose(one, "You left while this was on its way, so it isn't known whether it arrived.");
    }
  }

  // send sends a message, after those before it. stt is the recording that it was heard in.
  send({ text, ids, stt }) {
    const one = { key: Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16)).join("-"), text, ids, stt, after: this.latest() };
    this.add(one);
    this.keep();
    this.post(one);
  }

  add(one) {
    one.note = el("p", { class: "stage", role: "status" });
    one.root = el("li", { class: "exchange outgoing" }, el("div", { class: "said", dir: "auto" }, one.text || "Images"), one.note);
    this.all.push(one);
    this.list.append(one.root);
  }

  post(one) {
    one.root.querySelector(".decision")?.remove();
    one.note.className = "stage";
    one.note.textContent = "Sending";
    this.sending = this.sending.then(() => this.try(one));
  }

  async try(one) {
    try {
      const said = { text: one.text, source: one.stt ? "voice" : "text", stt_id: one.stt, image_ids: one.ids };
      const { message_id: id } = await json("POST", "/api/messages", said, AbortSignal.timeout(patience), { "Idempotency-Key": one.key });
      one.id = id;
      this.taken(id);
      if (this.shown(id)) this.arrived(one);
      else this.keep();
    } catch (e) {
      if (e.status >= 400 && e.status < 500 && e.status !== 401) {
        this.drop(one);
        return this.refused(one, e.message);
      }
      if (this.all.includes(one)) this.lose(one, e.status === 401 ? "You were logged out before this arrived." : "Chalie didn't answer, so it isn't known whether this arrived.");
    }
    return undefined;
  }

  // settle takes away what has become an exchange: the one with the id that was
  // answered, or else a later one with this question.
  settle({ id, prompt, image_ids: images }) {
    if (this.settled.has(id)) return;
    const one = this.all.find((o) => o.id === id) ?? this.all.find((o) => !o.id && id > o.after && o.ids.length === images.length && alike(o.text, prompt));
    if (!one) return;
    this.settled.add(id);
    this.arrived(one);
  }

  arrived(one) {
    if (one.id) this.settled.add(one.id);
    this.drop(one);
  }

  drop(one) {
    this.all = this.all.filter((o) => o !== one);
    one.root.remove();
    this.keep();
  }

  // lose says that it may not have arrived.
  lose(one, why) {
    const again = el("button", { type: "button" }, "Send it again");
    const leave = el("button", { type: "button", class: "quiet" }, "Leave it");
    again.addEventListener("click", () => this.post(one));
    leave.addEventListener("click", () => this.drop(one));
    one.note.className = "refused";
    one.note.textContent = why + " Sent again, it counts once.";
    one.root.append(el("div", { class: "decision" }, again, leave));
  }

  keep() {
    keep({ outgoing: this.all.map(({ key, text, ids, stt, id, after }) => ({ key, text, ids, stt, id, after })) });
  }
}

// alike reports whether a question is what was sent. Secrets have marks in their place.
function alike(sent, known) {
  if (sent.trim() === known.trim()) return true;
  const parts = known.split(/\[[^\]\n]{1,60}\]/);
  if (parts.length < 2) return false;
  let at = 0;
  return parts.every((p) => {
    const found = sent.indexOf(p, at);
    at = found + p.length;
    return found >= 0;
  });
}
