// One exchange as the conversation shows it: what was said, what happened on the way,
// and the answer. What is known of it may come in any order and again, from frames
// and from the API: each piece only sets its part.

import { el, json, clock } from "/assets/dom.js";
import { render } from "/assets/blocks.js";
import { Approval, pairs } from "/assets/approval.js";

// stages is what to show at each. The list that has it may come after the page.
const stages = () => JSON.parse(document.getElementById("exchanges").dataset.stages);

const framesPerRecord = 16; // a frame's number tells where the record stands that it came of

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";

export class Exchange {
  // does.act(payload, node) presses a button of an answer; does.changed(exchange) hears
  // that the API may know more of it, and does.further(exchange, position) that its later
  // steps are wanted; does.replied(exchange) hears that the answer is there; does.past says
  // that it is shown as it was.
  constructor(id, does) {
    Object.assign(this, { id, does, steps: new Map(), approvals: new Map(), parts: new Set(), shown: "", far: "" });
    this.said = el("div", { class: "said", dir: "auto", hidden: true });
    this.pictures = el("div", { class: "pictures", hidden: true });
    this.way = el("ol", { class: "steps", hidden: true });
    this.stage = el("p", { class: "stage", hidden: true });
    // What is being said changes several times a second: it is read out once it is the answer.
    this.making = el("div", { class: "making", dir: "auto", "aria-live": "off", hidden: true });
    this.answer = el("div", { class: "answer", hidden: true });
    this.foot = el("div", { class: "foot", hidden: true });
    this.root = el("li", { class: "exchange", "data-exchange": id }, this.said, this.pictures, this.way, this.stage, this.making, this.answer, this.foot);
  }

  // waits is the approval that the person has to decide; undefined for none.
  get waits() {
    return [...this.approvals.values()].find((a) => a.waits);
  }

  // unasked reports whether Chalie spoke first.
  get unasked() {
    return this.root.classList.contains("notice");
  }

  // tell shows the exchange as the API has it, or a part of it.
  tell({ prompt, action, blocks, timestamp, kind, stage, steps = [], next_steps: next, image_ids: images = [] }) {
    this.ask(prompt, images, action);
    this.at ??= timestamp;
    for (const step of steps) this.step(step);
    if (next && !this.parts.has(next)) this.rest(next);
    if (kind) this.reply(blocks, kind);
    this.under(stages()[stage] ?? stage ?? "");
  }

  // rest stands where steps are left out, those from a position on, and brings them.
  rest(next) {
    const seq = next * framesPerRecord - 0.5;
    if (this.steps.has(seq)) return;
    const button = el("button", { type: "button", class: "link" }, "Show what came next");
    const node = el("li", { class: "rest" }, "This took more steps than are shown here. ", button, " or read it ", el("a", { href: "/traces/" + this.id }, "step by step"), ".");
    button.addEventListener("click", async () => {
      button.disabled = true;
      if (await this.does.further(this, next)) this.brings(next);
      else button.disabled = false;
    });
    this.add(seq, node);
  }

  // brings notes that the steps from a position on are shown.
  brings(next) {
    const seq = next * framesPerRecord - 0.5;
    this.parts.add(next);
    this.steps.get(seq)?.remove();
    this.steps.delete(seq);
  }

  // unsure are the positions beyond the first part, which ends before next, whose steps
  // may have changed: those that were heard of, the part shown last, and what waits for
  // approval.
  unsure(next) {
    const open = [...this.approvals.values()].filter((a) => a.waits).map((a) => a.position);
    const all = [Math.max(...this.parts), ...open].filter((p) => p >= next);
    if (this.heard?.last >= next) {
      const from = Math.max(this.heard.first, next);
      if (from === next) this.brings(next);
      all.push(from);
    }
    this.heard = undefined;
    return new Set(all);
  }

  ask(text, images = [], action = null) {
    this.prompt = text || action?.label || action?.skill || "";
    this.action = action;
    if (action) this.pressed(action);
    else this.said.textContent = text;
    this.said.hidden = !this.prompt;
    if (this.pictures.childElementCount === images.length) return;
    this.pictures.hidden = !images.length;
    this.pictures.replaceChildren(...images.map((id) => {
      const src = "/chat/image/" + encodeURIComponent(id);
      return el("a", { href: src, target: "_blank", rel: "noopener" }, el("img", { src, alt: "An image you sent" }));
    }));
  }

  // pressed shows which button it was, and what it asked with.
  pressed({ label, skill, params }) {
    if (this.said.childElementCount) return;
    this.said.classList.add("pressed-it");
    const asked = pairs(params);
    this.said.append(el("p", {}, "You pressed ", el("strong", { dir: "auto" }, `“${label || skill}”`)), ...(asked.length ? [el("dl", { class: "pairs" }, asked)] : []));
  }

  hear(frame) {
    switch (frame.type) {
      case "exchange":
        this.hears(Math.floor(frame.seq / framesPerRecord));
        return this.does.changed(this);
      case "status":
        return this.under(stages()[frame.stage] ?? frame.stage);
      case "act_narration":
        return this.step({ ...frame, type: "narration" });
      case "delta":
        return this.adds(frame);
      case "retracted":
        this.unmade();
        return this.under("Begins anew: " + frame.reason);
      case "card":
        return this.step(frame);
      case "message":
      case "notification":
        return this.reply(frame.blocks, frame.type);
      case "escalation":
        if (!frame.proposal_token) return this.reply(frame.blocks, frame.type);
        this.step({ type: "approval", seq: frame.seq, approval: frame });
        return this.does.changed(this); // the API knows what the tool would be called with
      case "error":
        return this.reply([{ type: "alert", variant: "error", message: frame.message }], "error");
      case "done":
        this.under("");
        return this.does.changed(this); // what no frame told: steps of tools, and of other devices
    }
    return undefined;
  }

  // adds shows what was added to an answer that is being made. Each attempt begins with part 1:
  // where parts are missing, the page came later.
  adds({ step, attempt, part, events }) {
    if (this.shown) return; // the answer is there
    const attempted = step + "/" + attempt;
    if (this.attempted !== attempted) Object.assign(this, { attempted, made: "", heardOf: 0 });
    if (part <= this.heardOf) return;
    if (part > this.heardOf + 1) this.made = "… ";
    this.heardOf = part;
    for (const { type, delta, name } of events) {
      if (type === "text_delta") this.made += delta;
      if (type === "text_delta" || type === "tool_call_start") this.under(name ? "Wants to use " + name : stages().responding);
    }
    this.making.textContent = this.made;
    this.making.hidden = !this.made;
  }

  // unmade takes away what was shown of an answer that is being made.
  unmade() {
    this.made = "";
    this.making.hidden = true;
    this.making.textContent = "";
  }

  // hears notes at which positions something happened that no frame tells.
  hears(position) {
    this.heard = { first: Math.min(position, this.heard?.first ?? position), last: position };
  }

  // step shows something that happened on the way, once.
  step({ type, seq, text, approval, ...card }) {
    if (type === "approval") return this.approval(seq, approval);
    if (this.steps.has(seq)) return undefined;
    switch (type) {
      case "narration":
        return this.add(seq, el("li", { dir: "auto" }, text));
      case "steer":
        this.way.querySelector(".passing")?.remove();
        return this.add(seq, el("li", { class: "steer", dir: "auto" }, "You: " + text));
      case "cancel":
        this.cancelled = true;
        this.add(seq, el("li", { class: "until-told" }, "You stopped it."));
        return this.once();
      case "failure":
        this.add(seq, el("li", { class: "refused until-told", dir: "auto" }, text));
        return this.once();
      case "card":
        return this.add(seq, el("li", { class: "card-step" }, cardOf(seq, card)));
    }
    return undefined;
  }

  approval(seq, what) {
    let a = this.approvals.get(what.invocation_id);
    if (!a) {
      a = new Approval(() => {
        this.renew();
        return this.does.changed(this);
      }, this.does.past);
      a.position = Math.floor(seq / framesPerRecord);
      this.approvals.set(what.invocation_id, a);
      this.add(seq, el("li", { class: "approval-step" }, a.root));
    }
    a.tell(what);
    this.once();
    this.renew();
    this.end();
  }

  // add puts a step where it belongs among the others.
  add(seq, node) {
    if (this.steps.has(seq)) return;
    this.steps.set(seq, node);
    const later = [...this.steps.keys()].filter((s) => s > seq).sort((a, b) => a - b)[0];
    this.way.insertBefore(node, later === undefined ? null : this.steps.get(later));
    this.way.hidden = false;
  }

  // once takes away what the answer says, too: what failed on the way, in the same words,
  // and that it was stopped.
  once() {
    const told = this.answer.hidden ? "" : this.answer.textContent.toLowerCase();
    for (const step of this.way.querySelectorAll(":scope > .until-told")) {
      step.hidden = step.classList.contains("refused") ? told.includes(step.textContent.toLowerCase()) : Boolean(told);
    }
    this.way.hidden = [...this.way.children].every((step) => step.hidden);
  }

  // passing shows what the person just asked for, until the API has it.
  passing(text) {
    const node = el("li", { class: "steer passing", dir: "auto" }, text);
    this.way.append(node);
    this.way.hidden = false;
    return node;
  }

  // under says how far the answer is; "" that nothing more is under way.
  under(stage) {
    this.underWay = Boolean(stage);
    this.far = stage;
    this.renew();
  }

  renew() {
    const says = this.underWay && this.cancelled ? "Stops at the next step" : this.underWay && this.waits ? "Waits for your decision" : this.far;
    if (this.stage.textContent !== says) this.stage.textContent = says;
    this.stage.hidden = !says;
  }

  reply(blocks, kind) {
    const same = JSON.stringify([blocks, kind]);
    if (this.shown === same) return; // what is open in it stays open
    this.shown = same;
    this.unmade();
    const unasked = kind === "notification" || kind === "escalation";
    this.root.classList.toggle("notice", unasked);
    this.root.classList.toggle("urgent", kind === "escalation");
    const headline = unasked ? el("p", { class: "unasked" }, kind === "escalation" ? "Chalie needs you" : "Chalie noticed") : undefined;
    this.answer.replaceChildren(...[headline, render(blocks, { act: this.does.act })].filter(Boolean));
    this.answer.hidden = false;
    this.once();
    this.stage.hidden = true;
    this.end();
    this.does.replied?.(this);
  }

  // end is what stands below: when it was, and why.
  end() {
    if (this.why) return;
    this.at ??= new Date().toISOString();
    this.foot.hidden = false;
    this.why = el("button", { type: "button", class: "link", "aria-expanded": "false" }, "Why?");
    this.why.addEventListener("click", () => this.explain());
    this.foot.replaceChildren(el("time", { datetime: this.at }, clock(this.at)), this.why);
  }

  // explain opens or closes the reasons.
  async explain() {
    this.why.setAttribute("aria-expanded", String(!this.reasons));
    if (this.reasons) {
      this.reasons.remove();
      this.reasons = undefined;
      return;
    }
    const here = el("div", { class: "reasons", role: "region", "aria-label": "Why" }, el("p", { class: "stage" }, "Looking it up"));
    this.reasons = here;
    this.root.append(here);
    try {
      const path = "/api/why/" + encodeURIComponent(this.id);
      // A zone that Chalie does not know is no reason to tell nothing.
      const why = await json("GET", path + "?zone=" + encodeURIComponent(zone)).catch(() => json("GET", path));
      here.replaceChildren(...why.sentences.map((s) => el("p", { dir: "auto" }, s)),
        el("p", {}, el("a", { href: "/why/" + this.id }, "The whole picture"), " · ", el("a", { href: "/traces/" + this.id }, "Step by step")));
      here.scrollIntoView({ block: "nearest" });
    } catch (e) {
      here.replaceChildren(el("p", { class: "refused", "data-away": e.away }, e.message));
    }
  }
}

// cardOf shows a tool's card in a document of its own, without scripts or an origin.
function cardOf(seq, { title, tool_name: tool, accent_color: color }) {
  const name = title || `What ${tool || "a tool"} answered`;
  const box = el("figure", { class: "card" }, el("figcaption", { dir: "auto" }, name),
    el("iframe", { class: "card-frame", sandbox: "", loading: "lazy", src: "/cards/" + seq, title: name }));
  if (/^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(color ?? "")) box.style.setProperty("--accent-line", color);
  return box;
}
