// Renews what is in mind while the page is looked at.

import { clock } from "/assets/dom.js";

const every = 5000;
const items = document.querySelector("#items");

function localTimes() {
  for (const t of items.querySelectorAll("time")) t.textContent = clock(t.dateTime);
}

async function renew() {
  if (document.visibilityState !== "visible") return;
  try {
    const answer = await fetch("/now?part=items", { redirect: "manual" });
    if (answer.type === "opaqueredirect") return location.reload();
    if (!answer.ok) return;
    const part = new DOMParser().parseFromString(await answer.text(), "text/html");
    items.replaceChildren(...part.body.childNodes);
    localTimes();
  } catch {
    // Chalie is away: the page stays as it was, and the next look finds it again.
  }
}

localTimes();
setInterval(renew, every);
document.addEventListener("visibilitychange", renew);
