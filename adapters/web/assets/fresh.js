// Asks for the password where something takes a login of just now, and logs in with it: the
// page stays as it is, and what was begun on it goes on.

import { el, json } from "/assets/dom.js";
import { again, keepKey } from "/assets/key.js";

let asking; // one question at a time, however many ask

// fresh is true once the person has logged in anew, and false when they don't want to.
export function fresh() {
  asking ??= question().finally(() => (asking = undefined));
  return asking;
}

async function question() {
  const { username } = await json("GET", "/api/account");
  const password = el("input", { id: "fresh-password", type: "password", autocomplete: "current-password", required: true, maxlength: "1024" });
  const wrong = el("p", { class: "refused", role: "alert", hidden: true });
  const go = el("button", { class: "primary" }, "Go on");
  const leave = el("button", { type: "button", class: "quiet" }, "Not now");
  // The name lets a browser know whose password it has to offer.
  const name = el("input", { type: "text", autocomplete: "username", value: username, readonly: true, hidden: true });
  const form = el("form", {}, el("h2", { id: "fresh-title" }, "Your password, once more"),
    el("p", {}, "This hands out rights, or everything that Chalie knows, and it is a while since you logged in."),
    name, el("label", { for: "fresh-password" }, "Password"), password, wrong, el("div", { class: "row" }, go, leave));
  const dialog = el("dialog", { id: "fresh", "aria-labelledby": "fresh-title" }, form);
  const before = document.activeElement;
  document.body.append(dialog);
  dialog.showModal();
  password.focus();
  try {
    return await new Promise((done) => {
      const end = () => done(false);
      leave.addEventListener("click", end);
      dialog.addEventListener("cancel", end);
      form.addEventListener("submit", async (e) => {
        e.preventDefault();
        if (go.getAttribute("aria-disabled") === "true") return;
        go.setAttribute("aria-disabled", "true");
        const told = await logIn(username, password.value);
        go.removeAttribute("aria-disabled");
        if (!told) return done(true);
        wrong.textContent = told;
        wrong.hidden = false;
        password.select();
      });
    });
  } finally {
    dialog.remove();
    before?.focus();
  }
}

// logIn is why it failed; "" when it didn't.
async function logIn(username, password) {
  let answer;
  let said;
  try {
    answer = await fetch("/auth/login", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ username, password, key: true }) });
    said = await answer.json();
  } catch {
    return "Chalie can't be reached now: try again in a moment.";
  }
  if (answer.status === 401) return "That is not your password.";
  if (!answer.ok) return said.error;
  if (!keepKey(said.key)) location.assign(again()); // which says why
  return "";
}
