// What waits for the person's approval: which tool of whom, with what, until when,
// and the buttons to decide it.

import { el, json, clock } from "/assets/dom.js";

const became = {
  granted: "You approved this.",
  refused: "You refused this. Nothing was done.",
  withdrawn: "You stopped this before you decided. Nothing was done.",
  expired: "Nobody decided in time. Nothing was done.",
};

export class Approval {
  // changed() hears that something was decided, or may have been; past says that it is
  // shown as it was.
  constructor(changed, past = false) {
    Object.assign(this, { changed, past });
    this.asks = el("p", { class: "asks", dir: "auto" });
    this.about = el("p", { class: "soft", dir: "auto", hidden: true });
    this.because = el("p", { class: "alert warning", dir: "auto", hidden: true });
    this.with = el("dl", { class: "pairs" });
    this.status = el("p", { class: "soft", role: "status", tabindex: "-1" });
    this.trouble = el("p", { class: "refused", role: "alert", hidden: true });
    this.approve = el("button", { type: "button", class: "primary" }, "Approve");
    this.refuse = el("button", { type: "button" }, "Refuse");
    this.approve.addEventListener("click", () => this.decide("grant"));
    this.refuse.addEventListener("click", () => this.decide("refuse"));
    this.buttons = el("div", { class: "decision" }, this.approve, this.refuse);
    this.root = el("div", { class: "approval", role: "group", "aria-label": "Approval" }, this.asks, this.about, this.because, this.with, this.status, this.trouble, this.buttons);
  }

  // tell shows an approval as the API has it. Frames know less of it, and come first.
  tell(known) {
    this.known = { ...this.known, ...known };
    if (known.state) this.known.proposal_token = known.proposal_token; // the API has none once it is too late
    const { tool, interface: from, params, summary, capability_id: capability, state = "waiting", proposal_token: token, expires_at: expires, withdrawn, foreign_words: foreign = [], carries_private_words: carries } = this.known;
    if (tool) this.asks.replaceChildren("May I use ", el("strong", {}, tool), ...(from ? [" of ", el("strong", {}, from)] : []), "?");
    else this.asks.textContent = `May I do this: ${summary || capability}?`;
    this.about.textContent = this.known.description ?? "";
    this.about.hidden = !this.about.textContent;
    const reasons = [];
    if (foreign.length) reasons.push(`The model had read words that aren’t yours before it asked for this: ${foreign.join(", ")}.`);
    if (carries) reasons.push("It would send words of your memories, plans or conversation.");
    this.because.textContent = reasons.join(" ");
    this.because.hidden = !reasons.length;
    if (params) this.with.replaceChildren(...pairs(params));
    const focused = this.buttons.contains(document.activeElement);
    this.waits = state === "waiting" && Boolean(token);
    this.root.classList.toggle("decided", !this.waits);
    this.buttons.hidden = !this.waits;
    const late = expires <= Date.now() ? became.expired : undefined; // its end isn't recorded yet
    const says = became[withdrawn ? "withdrawn" : state] ?? (this.waits ? `This waits for your approval. Nothing happens until you decide; it lapses at ${clock(expires)}.` : this.past ? "This waited for your approval." : late ?? "This can't be decided here any more.");
    if (this.status.textContent !== says) this.status.textContent = says;
    if (focused && !this.waits) this.status.focus(); // whoever was on a button hears why it is gone
    clearTimeout(this.lapse);
    if (this.waits && expires - Date.now() < 2 ** 31) this.lapse = setTimeout(this.changed, Math.max(0, expires - Date.now()) + 500);
  }

  async decide(decision) {
    if (this.deciding) return;
    this.busy(true);
    this.trouble.hidden = true;
    try {
      const { decision: became } = await json("POST", "/api/approvals/" + encodeURIComponent(this.known.proposal_token), { decision });
      this.tell({ state: became });
    } catch (e) {
      this.trouble.textContent = e.message;
      this.trouble.hidden = false;
      this.trouble.toggleAttribute("data-away", Boolean(e.away));
    }
    this.busy(false);
    this.changed();
  }

  // busy shows that a decision is on its way. Nothing is disabled: the focus would be lost.
  busy(deciding) {
    this.deciding = deciding;
    for (const button of [this.approve, this.refuse]) button.setAttribute("aria-disabled", String(deciding));
  }
}

// pairs are what a tool or a skill is called with, by name.
export function pairs(params) {
  return Object.entries(params).flatMap(([name, value]) => [el("dt", { dir: "auto" }, name.replaceAll("_", " ")), el("dd", {}, shown(value))]);
}

function shown(value) {
  if (value === null || typeof value !== "object") {
    const said = String(value ?? "nothing");
    // A long one scrolls, and has to be reached for that.
    return el("span", { class: "plain", dir: "auto", tabindex: said.length > 80 ? "0" : undefined }, said);
  }
  return el("pre", { tabindex: "0" }, JSON.stringify(value, null, 2));
}
