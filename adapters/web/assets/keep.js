// Replaces what a part of a page holds, and keeps what the person did with it: what
// they opened or closed, and where they are.

import { clock } from "/assets/dom.js";

// fill puts the nodes into place. Elements are known again by data-key.
export function fill(place, nodes) {
  const opened = new Map([...place.querySelectorAll("details[data-key]")].map((d) => [d.dataset.key, d.open]));
  const here = document.activeElement;
  const focused = place.contains(here) ? whereabouts(here) : undefined;
  place.replaceChildren(...nodes);
  for (const d of place.querySelectorAll("details[data-key]")) if (opened.has(d.dataset.key)) d.open = opened.get(d.dataset.key);
  localTimes(place);
  if (focused) found(place, focused)?.focus({ preventScroll: true });
}

export function localTimes(place) {
  for (const t of place.querySelectorAll("time")) t.textContent = clock(t.dateTime);
}

const reachable = "a, button, summary, input, select, textarea";

function whereabouts(node) {
  const keyed = node.closest("[data-key]");
  return { key: keyed?.dataset.key, nth: [...(keyed ?? node.parentElement).querySelectorAll(reachable)].indexOf(node) };
}

function found(place, { key, nth }) {
  const keyed = key && place.querySelector(`[data-key="${CSS.escape(key)}"]`);
  return keyed ? keyed.querySelectorAll(reachable)[nth] : undefined;
}
