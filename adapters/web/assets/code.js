// A piece of code, with what it is written in and a button to copy it.

import { el } from "/assets/dom.js";
import { copy } from "/assets/copy.js";

export function code(content, language) {
  const status = el("span", { class: "soft", role: "status" });
  const button = el("button", { type: "button", class: "link" }, "Copy");
  button.addEventListener("click", async () => {
    status.textContent = (await copy(content)) ? "Copied" : "The browser doesn't let this page copy: select the text";
  });
  const label = language ? "Code in " + language : "Code";
  return el("div", { class: "code" },
    el("div", { class: "code-head" }, el("span", { class: "soft", dir: "auto" }, language || "Code"), status, button),
    el("pre", { tabindex: "0", role: "group", "aria-label": label, dir: "ltr" }, el("code", {}, content)));
}
