// Renews what is in mind while the page is looked at, unless it shows the past.

import { show, view } from "/assets/view.js";

const every = 5000;

async function renew() {
  const looksElsewhere = "at" in view.dataset || "wants" in view.dataset || document.querySelector("#timeline[aria-busy]");
  if (document.visibilityState !== "visible" || looksElsewhere) return;
  try {
    await show("");
  } catch {
    // Chalie is away: the page stays as it was, and the next look finds it again.
  }
}

setInterval(renew, every);
document.addEventListener("visibilitychange", renew);
