// One exchange as the conversation shows it: what was said, how far the answer is,
// and the answer. Frames may come in any number and again: each only sets its part.

import { el, json, clock } from "/assets/dom.js";
import { render } from "/assets/blocks.js";

const stages = { processing: "Received", waiting: "Waits for the answer before", thinking: "Thinking", responding: "Answering", retrieving_memory: "Remembering" };

export class Exchange {
  constructor(id, line) {
    Object.assign(this, { id, line });
    this.said = el("div", { class: "said", dir: "auto", hidden: true });
    this.pictures = el("div", { class: "pictures" });
    this.steps = el("ol", { class: "steps", hidden: true });
    this.cards = el("div", { class: "blocks" });
    this.stage = el("p", { class: "stage", hidden: true });
    this.answer = el("div", { class: "answer", hidden: true });
    this.foot = el("div", { class: "foot", hidden: true });
    this.root = el("li", { class: "exchange", "data-exchange": id }, this.said, this.pictures, this.steps, this.cards, this.stage, this.answer, this.foot);
  }

  // tell shows the exchange as the transcript has it.
  tell({ prompt, blocks, timestamp, image_ids: images = [] }) {
    this.ask(prompt, images);
    if (blocks.length) this.reply(blocks, { at: timestamp });
    if (!prompt && !images.length) this.unasked(this.root.classList.contains("urgent"));
  }

  ask(text, images = []) {
    this.said.textContent = text;
    this.said.hidden = !text;
    this.pictures.replaceChildren(...images.map((id) => el("img", { src: "/chat/image/" + encodeURIComponent(id), alt: "An image you sent" })));
  }

  hear(frame) {
    switch (frame.type) {
      case "status":
        if (this.answer.hidden) this.under(stages[frame.stage] ?? frame.stage);
        break;
      case "act_narration":
        this.steps.hidden = false;
        this.steps.append(el("li", { dir: "auto" }, frame.text));
        break;
      case "card":
        this.cards.append(cardOf(frame));
        break;
      case "message":
        this.reply(frame.blocks, { at: Date.now() });
        break;
      case "notification":
      case "escalation":
        this.unasked(frame.type === "escalation");
        this.reply(frame.blocks, { at: Date.now() });
        if (frame.proposal_token) this.offer(frame);
        break;
      case "error":
        this.reply([{ type: "alert", variant: "error", message: frame.message }], { at: Date.now() });
        break;
      case "done":
        this.under("");
        break;
    }
  }

  // under says how far the answer is; "" that it is there.
  under(stage) {
    this.stage.textContent = stage;
    this.stage.hidden = !stage;
  }

  reply(blocks, { at }) {
    this.under("");
    this.answer.hidden = this.foot.hidden = false;
    const body = render(blocks, { act: (payload) => this.line.send({ type: "action", payload }) });
    this.answer.replaceChildren(...[this.headline, body].filter(Boolean));
    const why = el("button", { type: "button", class: "link", "aria-expanded": "false" }, "Why?");
    why.addEventListener("click", () => this.explain(why));
    this.foot.replaceChildren(el("time", { datetime: new Date(at).toISOString() }, clock(at)), why);
  }

  unasked(urgent) {
    this.root.classList.add("notice");
    this.root.classList.toggle("urgent", urgent);
    this.headline?.remove();
    this.headline = el("p", { class: "unasked" }, urgent ? "Chalie needs you" : "Chalie noticed");
    if (!this.answer.hidden) this.answer.prepend(this.headline);
  }

  // offer lets the person decide where they are.
  offer({ proposal_token: token, expires_at: expires, action }) {
    const status = el("p", { class: "soft", role: "status" }, `Nothing happens until you decide. It lapses at ${clock(expires)}.`);
    const buttons = [["grant", "Approve", "primary"], ["refuse", "Refuse", ""]].map(([decision, label, kind]) => {
      const button = el("button", { type: "button", class: kind }, label);
      button.addEventListener("click", async () => {
        buttons.forEach((b) => (b.disabled = true));
        try {
          const done = await json(action?.method ?? "POST", action?.url ?? "/api/approvals/" + encodeURIComponent(token), { decision });
          status.textContent = done.decision === "granted" ? "You approved it." : "You refused it. Nothing was done.";
          row.remove();
        } catch (e) {
          status.textContent = e.message;
          buttons.forEach((b) => (b.disabled = false));
        }
      });
      return button;
    });
    const row = el("div", { class: "decision" }, buttons);
    this.answer.append(status, row);
  }

  // explain opens or closes the reasons.
  async explain(button) {
    if (this.reasons) {
      this.reasons.remove();
      this.reasons = undefined;
      button.setAttribute("aria-expanded", "false");
      return;
    }
    this.reasons = el("div", { class: "reasons", role: "region", "aria-label": "Why" }, el("p", { class: "stage" }, "Looking it up"));
    this.root.append(this.reasons);
    button.setAttribute("aria-expanded", "true");
    const here = this.reasons;
    try {
      const why = await json("GET", "/api/why/" + encodeURIComponent(this.id));
      here.replaceChildren(...why.sentences.map((s) => el("p", { dir: "auto" }, s)),
        el("p", {}, el("a", { href: "/why/" + this.id }, "The whole picture"), " · ", el("a", { href: "/traces/" + this.id }, "Step by step")));
      here.scrollIntoView({ block: "nearest" });
    } catch (e) {
      here.replaceChildren(el("p", { class: "refused" }, e.message));
    }
  }
}

// cardOf shows a tool's card in a document of its own, without scripts or an origin.
const cardOf = (frame) =>
  el("iframe", { class: "card-frame", sandbox: "", loading: "lazy", src: "/cards/" + frame.seq, title: frame.title || `What ${frame.tool_name || "a tool"} answered` });
