// Asks Chalie for pieces of a page while somebody looks at it. When Chalie is away the
// page says so and stays as it was; it is asked less often then, and goes on by itself.

import { ask } from "/assets/key.js";
import { el, reached, timeOf } from "/assets/dom.js";
import { keepFocus } from "/assets/focus.js";
import { tellsWaiting } from "/assets/waiting.js";

const shortest = 1000;
const longest = 15000;
const away = [502, 503, 504];

let since; // when it was found to be away
let pause = 0; // before it is asked again
let banner;

function gone() {
  pause = Math.min(longest, pause ? pause * 1.5 : shortest);
  if (since) return;
  since = new Date();
  const again = el("button", { type: "button", class: "link" }, "Try now");
  again.addEventListener("click", hurry);
  banner ??= document.body.appendChild(el("div", { class: "away", role: "status" }));
  banner.hidden = false;
  banner.replaceChildren(
    el("p", {}, `Chalie doesn't answer since ${timeOf(since)}. What you see is from then; it goes on by itself when Chalie is back.`), again);
}

function back() {
  pause = 0;
  reached();
  if (!since) return;
  since = undefined;
  keepFocus(() => banner.replaceChildren(el("p", {}, "Chalie is back.")), () => document.querySelector("main"));
  setTimeout(() => since || (banner.hidden = true), 4000);
}

const hurried = new Set();

// whenBack names what to do at once when there is reason to hope: the page is looked at
// again, the network is back, or somebody wants to know now.
export const whenBack = (go) => hurried.add(go);

// patience is how long to wait before Chalie is asked again; 0 while it answers.
export const patience = () => pause;

function hurry() {
  for (const go of hurried) go();
}

addEventListener("online", hurry);
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && hurry());

// answer is what a GET gives; undefined when Chalie is away, or the question was
// given up. Who isn't logged in any more is led to the login.
export async function answer(path, signal) {
  let got;
  try {
    got = await ask(path, { redirect: "manual", signal });
  } catch {
    if (!signal?.aborted) gone();
    return undefined;
  }
  if (got.type === "opaqueredirect" || got.status === 401) {
    location.reload();
    return undefined;
  }
  if (away.includes(got.status)) {
    gone();
    return undefined;
  }
  back();
  tellsWaiting(got);
  return got;
}

// piece is a part of a page as an element that holds it; undefined as for answer, and
// when it can't be had.
export async function piece(path, signal) {
  const got = await answer(path, signal);
  if (!got?.ok) return undefined;
  const text = await got.text().catch(() => undefined);
  return text === undefined ? undefined : new DOMParser().parseFromString(text, "text/html").body;
}

// steadily looks again and again, so many milliseconds after the last look has ended,
// while the page is shown. It returns what makes the next look come at once.
export function steadily(every, look) {
  let later;
  let looking = false;
  const round = async () => {
    clearTimeout(later);
    if (looking || document.visibilityState !== "visible") return;
    looking = true;
    try {
      await look();
    } finally {
      looking = false;
      later = setTimeout(round, Math.max(every, pause));
    }
  };
  whenBack(round);
  later = setTimeout(round, every);
  return round;
}
