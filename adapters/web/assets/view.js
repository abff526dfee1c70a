// The part of a page that changes with the moment it shows.

import { answer } from "/assets/away.js";
import { fill, localTimes } from "/assets/keep.js";

const title = document.querySelector("#title");
export const view = document.querySelector("#view");
let shown = "";
let turn = 0; // of what is shown; an answer to an earlier question is passed over

// show puts that part of this page, as the server writes it for a query, in its place.
export async function show(query, signal) {
  const mine = ++turn;
  const got = await answer(location.pathname + "?" + query + (query ? "&" : "") + "part=view", signal);
  if (!got) throw new Error("Chalie doesn't answer now: look again in a moment.");
  const text = await got.text();
  const part = new DOMParser().parseFromString(text, "text/html");
  if (!got.ok) throw new Error(part.querySelector("main p")?.textContent || `Chalie answered ${got.status}.`);
  if (mine !== turn || text === shown) return undefined;
  shown = text;
  const next = part.querySelector("#view");
  for (const name of ["at", "position", "time", "wants", "ahead"]) {
    if (name in next.dataset) view.dataset[name] = next.dataset[name];
    else delete view.dataset[name];
  }
  if (title.textContent !== part.querySelector("#title").textContent || !query) fill(title, part.querySelector("#title").childNodes);
  fill(view, next.childNodes);
  view.dispatchEvent(new Event("filled"));
  return undefined;
}

localTimes(document);
