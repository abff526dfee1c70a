// Renews what is in mind while the page is looked at, unless it shows the past.

import { steadily } from "/assets/away.js";
import { show, view } from "/assets/view.js";

const every = 5000;

async function renew() {
  const looksElsewhere = "at" in view.dataset || "wants" in view.dataset || document.querySelector("#timeline[aria-busy]");
  if (looksElsewhere) return;
  try {
    await show("");
  } catch {
    // The page stays as it was, and says so; the next look finds Chalie again.
  }
}

steadily(every, renew);
