// The list of traces, kept fresh: what is new comes on top, and waits behind a button
// for who has scrolled down.

import { piece, steadily } from "/assets/away.js";
import { localTimes } from "/assets/renew.js";

const every = 3000;
const near = 160; // of the top, in pixels: who is there sees what comes at once
const list = document.querySelector("#list");
const button = document.querySelector("#fresh");
const told = document.querySelector("#told");

const entries = (root) => [...root.querySelectorAll(".episode")];

// merge changes what is listed and has changed, and puts on top what is new. An entry
// that the person is in stays as it is.
function merge(part) {
  const ol = list.querySelector(".episodes");
  const fresh = part.querySelector(".episodes");
  if (!ol || !fresh) {
    if (ol || fresh) list.replaceChildren(...part.childNodes);
    return;
  }
  const known = new Map(entries(ol).map((e) => [e.dataset.id, e]));
  const first = ol.firstElementChild;
  for (const entry of entries(fresh)) {
    const old = known.get(entry.dataset.id);
    if (!old) first.before(document.importNode(entry, true));
    else if (!old.contains(document.activeElement) && old.innerHTML !== entry.innerHTML) old.replaceChildren(...entry.childNodes);
  }
}

let waiting; // what the last look found, while it isn't shown

function show(whole = false) {
  if (whole) list.replaceChildren(...waiting.childNodes);
  else merge(waiting);
  waiting = undefined;
  button.hidden = true;
}

// renew shows what is new to who is at the top, and offers it to others.
async function renew() {
  const part = await piece(list.dataset.part);
  if (!part) return;
  localTimes(part);
  waiting = part;
  const known = new Set(entries(list).map((e) => e.dataset.id));
  const ids = entries(part).map((e) => e.dataset.id);
  const fresh = ids.findIndex((id) => known.has(id)); // how many; -1 when none is known
  if (!fresh || !known.size || !ids.length) return show();
  button.dataset.whole = fresh < 0 ? "yes" : "";
  button.textContent = fresh < 0 ? `More than ${ids.length} new` : `${fresh} new`;
  told.textContent = button.textContent;
  if (scrollY < near && fresh > 0) return show();
  button.hidden = false;
}

button.addEventListener("click", () => {
  show(button.dataset.whole === "yes");
  scrollTo({ top: 0 });
  list.querySelector(".episode a")?.focus({ preventScroll: true });
});

localTimes(document);
if (list.hasAttribute("data-live")) steadily(every, renew);
