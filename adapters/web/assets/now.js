// Renews what is in mind while the page is looked at, unless it shows the past.

import { fill, localTimes } from "/assets/keep.js";

const every = 5000;
const title = document.querySelector("#title");
export const view = document.querySelector("#view");
let shown = "";
let turn = 0; // of what is shown; an answer to an earlier question is passed over

// show puts a part of the page, as the server writes it, in its place.
export async function show(query, signal) {
  const mine = ++turn;
  const answer = await fetch("/now?" + query + (query ? "&" : "") + "part=view", { redirect: "manual", signal });
  if (answer.type === "opaqueredirect") return location.reload();
  const text = await answer.text();
  const part = new DOMParser().parseFromString(text, "text/html");
  if (!answer.ok) throw new Error(part.querySelector("main p")?.textContent || `Chalie answered ${answer.status}.`);
  if (mine !== turn || text === shown) return undefined;
  shown = text;
  const next = part.querySelector("#view");
  for (const name of ["at", "position", "time", "wants"]) {
    if (name in next.dataset) view.dataset[name] = next.dataset[name];
    else delete view.dataset[name];
  }
  if (title.textContent !== part.querySelector("#title").textContent || !query) fill(title, part.querySelector("#title").childNodes);
  fill(view, next.childNodes);
  return undefined;
}

async function renew() {
  const looksElsewhere = "at" in view.dataset || "wants" in view.dataset || document.querySelector("#timeline[aria-busy]");
  if (document.visibilityState !== "visible" || looksElsewhere) return;
  try {
    await show("");
  } catch {
    // Chalie is away: the page stays as it was, and the next look finds it again.
  }
}

localTimes(document);
setInterval(renew, every);
document.addEventListener("visibilitychange", renew);
