// A trace: its bars, what is folded in it, its picture, and what comes while it is
// still going on.

import { piece, steadily } from "/assets/away.js";
import { el, json } from "/assets/dom.js";
import { pictures } from "/assets/picture.js";
import { keepFocus } from "/assets/focus.js";
import { localTimes } from "/assets/renew.js";

const every = 2000;
const live = document.querySelector("#live");

// dress writes what the server can't: times of the person's zone, and the bars.
function dress(root) {
  localTimes(root);
  for (const bar of root.querySelectorAll("[data-left]")) {
    bar.style.setProperty("--left", bar.dataset.left / 10 + "%");
    bar.style.setProperty("--wide", bar.dataset.wide / 10 + "%");
  }
  return root;
}

// part is a piece of this page, or of another of the same trace.
async function part(address, name, signal) {
  const at = new URL(address, location.href);
  at.searchParams.set("part", name);
  const got = await piece(at, signal);
  if (!got) throw new Error("Chalie gave no answer.");
  return dress(got);
}

const wrong = (e) => el("p", { class: "alert error", role: "alert" }, `It can't be had: ${e.message} Try again.`);

// Rows of a run, and further rows, come where they are asked for.
async function members(details) {
  const place = details.querySelector(".members");
  if (!place || details.dataset.asked) return;
  details.dataset.asked = "yes";
  try {
    const rows = await part(details.dataset.members, "run");
    for (const row of rows.querySelectorAll("[id]")) row.removeAttribute("id"); // the run has the first one's
    place.replaceWith(...rows.childNodes);
  } catch (e) {
    delete details.dataset.asked;
    place.after(wrong(e));
  }
}

async function more(link) {
  const pager = link.closest(".pager");
  const ol = pager.previousElementSibling;
  link.setAttribute("aria-busy", "true");
  try {
    const rows = await part(link.href, "run");
    const added = [...(rows.querySelector(".waterfall")?.children ?? [])];
    for (const row of added) {
      row.dataset.added = "";
      if (ol.closest("details")) row.removeAttribute("id");
    }
    ol.append(...added);
    const next = rows.querySelector(":scope > .pager");
    if (next) pager.replaceWith(next);
    else pager.remove();
    added[0]?.querySelector("summary").focus({ preventScroll: true });
  } catch (e) {
    pager.after(wrong(e));
  }
  link.removeAttribute("aria-busy");
}

async function asJSON(link) {
  const place = link.closest("p");
  const shown = place.nextElementSibling;
  if (shown?.matches(".json")) return shown.remove();
  try {
    const { records } = await json("GET", link.getAttribute("href"));
    place.after(el("pre", { class: "json", tabindex: "0", "aria-label": "The envelope as JSON" }, JSON.stringify(records[0], null, 2)));
  } catch (e) {
    place.after(wrong(e));
  }
  return undefined;
}

// goTo opens a row of this page.
function goTo(hash) {
  const row = hash.startsWith("#at-") && document.getElementById(hash.slice(1));
  if (!row) return false;
  row.querySelector("details").open = true;
  row.scrollIntoView({ block: "center" });
  row.querySelector("summary").focus({ preventScroll: true });
  return true;
}

document.addEventListener("click", (e) => {
  const link = e.target.closest("a");
  if (!link || e.ctrlKey || e.metaKey || e.shiftKey || e.defaultPrevented) return;
  const to = new URL(typeof link.href === "string" ? link.href : link.href.baseVal, location.href);
  if (link.matches(".more-rows")) more(link);
  else if (link.matches(".as-json")) asJSON(link);
  else if (to.pathname !== location.pathname || !goTo(to.hash)) return;
  else history.replaceState(null, "", to);
  e.preventDefault();
});
document.addEventListener("toggle", (e) => e.target.open && e.target.dataset?.members && members(e.target), true);

// merge puts rows that came in their places. One that is open, or that the person is in,
// stays, but for its bar.
function merge(fresh) {
  const about = document.querySelector("#about");
  if (!about.contains(document.activeElement)) about.replaceWith(fresh.querySelector("#about"));
  const ol = live.querySelector(":scope > .waterfall");
  const rows = fresh.querySelector(":scope > .waterfall");
  if (!ol || !rows) return;
  const known = new Map([...ol.children].map((row) => [row.id, row]));
  let after;
  for (const row of [...rows.children]) {
    const old = known.get(row.id);
    known.delete(row.id);
    let here = old;
    if (!old) here = row;
    else if (old.querySelector("details").open || old.contains(document.activeElement)) old.querySelector(".track").replaceWith(row.querySelector(".track"));
    else if (old.innerHTML !== row.innerHTML) old.replaceChildren(...row.childNodes);
    if (after ? after.nextElementSibling !== here : ol.firstElementChild !== here) after ? after.after(here) : ol.prepend(here);
    after = here;
  }
  for (const row of known.values()) if (!("added" in row.dataset)) row.remove();
}

let over = false;

async function renew() {
  if (over) return;
  const fresh = await piece(new URL(live.dataset.part, location.href));
  if (!fresh) return;
  dress(fresh);
  const before = live.querySelectorAll(":scope > .waterfall > li").length;
  over = !fresh.querySelector("#about .badge.info");
  merge(fresh);
  const came = live.querySelectorAll(":scope > .waterfall > li").length - before;
  const told = document.querySelector("#told");
  if (over) told.textContent = "It has ended.";
  else if (came > 0) told.textContent = came === 1 ? "One step more" : `${came} steps more`;
}

// The picture takes a look through the log: it is drawn when it comes into sight.
const place = document.querySelector("#picture");
const put = (...nodes) => keepFocus(() => place.replaceChildren(...nodes), () => place.querySelector("button") ?? place);

// What is drawn grows above what may have the focus, and that stays in sight.
const inSight = () => place.contains(document.activeElement) && document.activeElement.scrollIntoView({ block: "nearest", behavior: "instant" });

async function draw() {
  const link = [...place.childNodes];
  const stop = new AbortController();
  const cancel = el("button", { type: "button", class: "quiet", onclick: () => stop.abort() }, "Stop");
  put(el("p", { class: "buttons" }, el("span", { class: "stage", role: "status" }, "Drawing it"), cancel), ...link);
  try {
    const drawn = await part(location.pathname, "picture", stop.signal);
    put(...drawn.childNodes, ...link);
    pictures(place);
    inSight();
  } catch (e) {
    const again = el("button", { type: "button", onclick: draw }, "Draw it");
    put(...(stop.signal.aborted ? [] : [wrong(e)]), el("p", {}, again), ...link);
  }
}

dress(document);
goTo(location.hash);
if (place) {
  const seen = new IntersectionObserver((entries) => {
    if (!entries.some((e) => e.isIntersecting)) return;
    seen.disconnect();
    draw();
  });
  seen.observe(place);
}
if (live.hasAttribute("data-live")) steadily(every, renew);
