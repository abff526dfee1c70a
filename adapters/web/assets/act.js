// Buttons and forms that call the API: data-call is the method and the path, a form
// sends its fields. Then the page is loaded again, or the one that data-then names.

import { json, clock } from "/assets/dom.js";

const banner = document.querySelector("[data-says]");

export function say(text) {
  banner.textContent = text;
  banner.hidden = !text;
}

async function call(node, body) {
  if (node.dataset.confirm && !confirm(node.dataset.confirm)) return;
  const [method, path] = node.dataset.call.split(" ");
  const buttons = node.matches("form") ? node.querySelectorAll("button") : [node];
  say("");
  for (const b of buttons) b.disabled = true;
  try {
    await json(method, path, body);
    if (node.dataset.then) location.assign(node.dataset.then);
    else location.reload();
  } catch (e) {
    say(e.message);
    for (const b of buttons) b.disabled = false;
  }
}

for (const button of document.querySelectorAll("button[data-call]")) button.addEventListener("click", () => call(button));
for (const form of document.querySelectorAll("form[data-call]")) {
  form.addEventListener("submit", (e) => {
    e.preventDefault();
    call(form, Object.fromEntries(new FormData(form)));
  });
}
for (const t of document.querySelectorAll("time")) t.textContent = clock(t.dateTime);
