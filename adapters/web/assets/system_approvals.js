// What waits for the person, as it comes and goes, and the time that each has left.

import { el } from "/assets/dom.js";
import { Renewed, localTimes } from "/assets/renew.js";
import { listen } from "/assets/does.js";
import { announce } from "/assets/announce.js";

const list = document.querySelector("#list");
const waiting = () => list.querySelectorAll("[data-until]").length;
let before = waiting();

function changed() {
  const now = waiting();
  if (now > before) announce(`${now} wait for your approval`);
  before = now;
  count();
}

const renewed = new Renewed(list, { part: "list", pause: () => (waiting() ? 2000 : 4000), changed });
listen(async (button, answer) => {
  announce(`${button.dataset.tells}. ${answer.summary ?? ""}`);
  await renewed.look();
});

// count says how long each still waits.
function count() {
  for (const left of list.querySelectorAll("[data-until]")) {
    const seconds = Math.max(0, Math.round((new Date(left.dataset.until) - Date.now()) / 1000));
    left.textContent = seconds > 90 ? `, ${Math.round(seconds / 60)} minutes more` : `, ${seconds} seconds more`;
  }
}
count();
setInterval(count, 1000);

const form = document.querySelector("#then");
const stop = document.querySelector("#stop");
const waited = document.querySelector("#waited");
let looking;

// A look back folds the log up to then: it can take a while, and be ended.
form.addEventListener("submit", async (e) => {
  e.preventDefault();
  looking?.abort();
  const mine = (looking = new AbortController());
  stop.hidden = false;
  waited.replaceChildren(el("p", { class: "stage" }, "Looking back"));
  try {
    const at = new Date(form.elements.at.value).toISOString();
    const answer = await fetch("/system/approvals?part=open&at=" + encodeURIComponent(at), { signal: mine.signal });
    const shown = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!answer.ok) throw new Error(shown.querySelector("main p")?.textContent ?? `Chalie answered ${answer.status}.`);
    waited.replaceChildren(...shown.body.childNodes);
    localTimes(waited);
  } catch (error) {
    if (looking !== mine) return;
    waited.replaceChildren(el("p", { class: mine.signal.aborted ? "soft" : "alert error" }, mine.signal.aborted ? "Cancelled." : error.message));
  }
  if (looking === mine) stop.hidden = true;
});
stop.addEventListener("click", () => looking?.abort());
