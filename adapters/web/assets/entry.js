// Where passwords are typed: they can be shown, and the rule for a new one says when it
// is kept. Who is let in is handed the session's key, and goes on.

import { keepKey, key, loseKey } from "/assets/key.js";

const entered = document.querySelector("[data-session-key]");
if (entered) {
  const kept = keepKey(entered.dataset.sessionKey);
  entered.removeAttribute("data-session-key");
  if (!kept) document.querySelector("#unkept").hidden = false;
  else if (entered.dataset.next) location.replace(entered.dataset.next);
}
if (document.querySelector("#out")) loseKey();

// A browser forgets a cookie whose time is over. That it has a key to one says why the
// person has to log in.
const ended = document.querySelector("#ended");
if (ended && key()) ended.hidden = false;

for (const box of document.querySelectorAll("[data-reveals]")) {
  const fields = box.dataset.reveals.split(" ").map((id) => document.getElementById(id));
  const are = (type) => fields.forEach((field) => (field.type = type));
  box.closest("label").hidden = false;
  box.addEventListener("change", () => are(box.checked ? "text" : "password"));
  // What was shown is sent, and remembered by the browser, as a password.
  box.form.addEventListener("submit", () => {
    are("password");
    box.checked = false;
  });
}

const rule = document.querySelector("[data-least]");
if (rule) {
  const field = document.querySelector("#password");
  const least = Number(rule.dataset.least);
  const before = rule.textContent;
  const judge = () => {
    const missing = least - [...field.value].length;
    rule.classList.toggle("kept", missing <= 0);
    rule.textContent = field.value === "" ? before : missing > 0 ? `At least ${missing} more.` : "Long enough.";
  };
  field.addEventListener("input", judge);
  field.form.addEventListener("reset", () => setTimeout(judge)); // once it is empty
}
