// Issues a token, and shows it this once; changes the password.

import { ask } from "/assets/key.js";
import { json, localTimes } from "/assets/dom.js";
import { doing } from "/assets/act.js";
import { ready } from "/assets/ready.js";

const form = document.querySelector("#issue");
const shown = document.querySelector("#issued");
const secret = document.querySelector("#secret");

form.addEventListener("submit", async (e) => {
  e.preventDefault();
  const signals = form.elements.signals.value.split(",").map((s) => s.trim()).filter(Boolean);
  const issued = await doing(form.querySelector("button"), (signal) => json("POST", "/api/tokens", { name: form.elements.name.value.trim(), signals }, signal));
  if (!issued) return;
  document.querySelector("#issued-name").textContent = issued.name;
  secret.textContent = issued.token;
  shown.hidden = false;
  form.reset();
  await renew("tokens", "#tokens");
  document.querySelector("#issued-title").focus();
  shown.scrollIntoView({ block: "nearest" });
});

document.querySelector("#stored").addEventListener("click", () => {
  shown.hidden = true;
  secret.textContent = "";
  form.elements.name.focus();
});

const change = document.querySelector("#change");
const changed = document.querySelector("#changed");

change.addEventListener("submit", async (e) => {
  e.preventDefault();
  changed.textContent = changed.className = "";
  const { present, password } = change.elements;
  const done = await doing(change.querySelector("button"), (signal) => json("PUT", "/api/account/password", { present: present.value, password: password.value }, signal));
  if (!done) return;
  change.reset();
  await renew("sessions", "#open");
  changed.className = "alert success";
  changed.textContent = "Your password is changed. " + (done.ended === 0 ? "You were logged in nowhere else." : done.ended === 1 ? "One other device was logged out." : `${done.ended} other devices were logged out.`);
});

// renew shows a part of the page as it is now.
async function renew(name, place) {
  const answer = await ask("/account?part=" + name, { redirect: "manual" }).catch(() => undefined);
  if (!answer?.ok) return;
  const part = new DOMParser().parseFromString(await answer.text(), "text/html");
  const list = document.querySelector(place);
  list.replaceChildren(...part.body.childNodes);
  localTimes(list);
}

ready("account");
