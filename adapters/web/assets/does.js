// Buttons with data-does ("METHOD /path", data-body for JSON, data-match for what it
// may take the place of) ask the API for something, wherever they come from and go to.
// What it refuses is said beside them.

import { el, json } from "/assets/dom.js";
import { ready } from "/assets/ready.js";

export function listen(done) {
  document.addEventListener("click", async (e) => {
    const button = e.target.closest("button[data-does]");
    if (!button || button.getAttribute("aria-disabled") === "true") return;
    const [method, path] = button.dataset.does.split(" ");
    // Not disabled: the focus would be lost.
    button.setAttribute("aria-disabled", "true");
    button.parentElement.querySelector(":scope > .said")?.remove();
    try {
      const answer = await json(method, path, button.dataset.body ? JSON.parse(button.dataset.body) : method === "GET" || method === "DELETE" ? undefined : {}, undefined, button.dataset.match ? { "If-Match": `"${button.dataset.match}"` } : {});
      const ask = button.closest("details.ask");
      if (ask) {
        ask.open = false;
        ask.querySelector("summary").focus({ preventScroll: true });
      }
      await done(button, answer);
    } catch (error) {
      button.after(el("p", { class: "said alert error", role: "alert", "data-away": error.away }, error.message));
    }
    button.removeAttribute("aria-disabled");
  });
  ready("does");
}

// One question at a time: opening one closes the others, and Escape closes it.
document.addEventListener("toggle", (e) => {
  if (!e.target.matches?.("details.ask") || !e.target.open) return;
  for (const other of document.querySelectorAll("details.ask[open]")) if (other !== e.target) other.open = false;
}, true);
document.addEventListener("keydown", (e) => {
  const ask = e.key === "Escape" && e.target.closest?.("details.ask[open]");
  if (!ask) return;
  ask.open = false;
  ask.querySelector("summary").focus();
});
