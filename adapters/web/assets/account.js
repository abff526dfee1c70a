// Issues a token, and shows it this once.

import { json, localTimes } from "/assets/dom.js";
import { doing } from "/assets/act.js";

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
  await renew();
  document.querySelector("#issued-title").focus();
  shown.scrollIntoView({ block: "nearest" });
});

document.querySelector("#stored").addEventListener("click", () => {
  shown.hidden = true;
  secret.textContent = "";
  form.elements.name.focus();
});

async function renew() {
  const answer = await fetch("/account?part=tokens", { redirect: "manual" }).catch(() => undefined);
  if (!answer?.ok) return;
  const part = new DOMParser().parseFromString(await answer.text(), "text/html");
  const list = document.querySelector("#tokens");
  list.replaceChildren(...part.body.childNodes);
  localTimes(list);
}
