// What the person has just said, until the conversation has it: it may be on its way,
// refused, or lost with the connection.

import { el } from "/assets/dom.js";

export class Outgoing {
  // list is where it is shown, in the end.
  constructor(list) {
    Object.assign(this, { list, all: [] });
  }

  // add shows what was sent.
  add({ text, ids, again }) {
    const note = el("p", { class: "stage", role: "status" }, "Sending");
    const root = el("li", { class: "exchange outgoing" }, el("div", { class: "said", dir: "auto" }, text || "Images"), note);
    this.all.push({ text, ids, again, root, note });
    this.list.append(root);
  }

  // settle takes away what has become an exchange with this question.
  settle(prompt, images) {
    const at = this.all.findIndex((o) => alike(o.text, prompt) && o.ids.length === images.length);
    if (at >= 0) this.drop(this.all[at]);
  }

  drop(one) {
    this.all = this.all.filter((o) => o !== one);
    one.root.remove();
  }

  // refused takes away the oldest that nothing was heard of, and returns it.
  refused() {
    const one = this.all.find((o) => !o.lost);
    if (one) this.drop(one);
    return one;
  }

  // lose says of what is left that it didn't arrive.
  lose() {
    for (const one of this.all.filter((o) => !o.lost)) {
      one.lost = true;
      one.note.className = "refused";
      const again = el("button", { type: "button" }, "Send it again");
      const leave = el("button", { type: "button", class: "quiet" }, "Leave it");
      again.addEventListener("click", () => one.again(one) && this.drop(one));
      leave.addEventListener("click", () => this.drop(one));
      one.note.textContent = "This didn't arrive: the connection was lost just then.";
      one.root.append(el("div", { class: "decision" }, again, leave));
    }
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
