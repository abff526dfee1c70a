// Says something to who can't see it happen.

import { el } from "/assets/dom.js";

const says = el("p", { class: "heard", role: "status" });
document.body.append(says);

export function announce(text) {
  says.textContent = text;
}
