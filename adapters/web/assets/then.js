// Looks back on any page that can show the past: the slider and the field of a time,
// and what else was known then.

import { ask } from "/assets/key.js";
import { clock } from "/assets/dom.js";
import { streamed, paced } from "/assets/stream.js";
import { localTimes } from "/assets/keep.js";
import { show, view } from "/assets/view.js";
import { ready } from "/assets/ready.js";

const line = document.querySelector("#timeline");
const slider = document.querySelector("#pos");
const time = document.querySelector("#time");
const pointed = document.querySelector("#pointed");
const wait = document.querySelector("#wait");
const waited = document.querySelector("#waited");
const waits = document.querySelector("#waits");
const wrong = document.querySelector("#wrong");
const quiet = 300; // what takes no longer shows no progress
const settled = 150; // the slider stands still for so long
const hour = 3600000;
const of = line?.dataset.of;
const lives = of === "world"; // the page goes on to what is now in its place; others are loaded anew
let asking; // ends what is under way
let pause;

const wrongs = (text) => {
  wrong.textContent = text;
  wrong.hidden = !text;
};

// local is a moment as the field of a time writes it.
function local(ms) {
  const at = new Date(ms);
  return new Date(ms - at.getTimezoneOffset() * 60000).toISOString().slice(0, 16);
}

// ahead reports whether what is shown is still to come.
const ahead = () => "ahead" in view.dataset;

// standing has the slider and the field say which moment is shown.
function standing() {
  const { position, time: at } = view.dataset;
  if (!("wants" in view.dataset)) slider.value = position ?? slider.max;
  time.value = local(Number(at ?? Date.now()));
  pointed.textContent = position === undefined ? "" : ahead() ? `${clock(Number(at))}, still to come` : `${clock(Number(at))}, after record ${Number(position).toLocaleString()}`;
  slider.setAttribute("aria-valuetext", position === undefined ? "now" : pointed.textContent);
  // Not disabled: the focus would be lost.
  document.querySelector("#later-hour").setAttribute("aria-disabled", String(position === undefined));
  document.querySelector("#earlier-hour").setAttribute("aria-disabled", String(Number(at ?? Date.now()) - hour < Number(line.dataset.began)));
}

// look shows another moment, as the API is asked for it; undefined for now.
async function look(at, remember = true) {
  asking?.abort();
  if (at === undefined && !lives) return location.assign(location.pathname);
  const mine = new AbortController();
  asking = mine;
  wrongs("");
  const later = setTimeout(() => progress(), quiet);
  line.setAttribute("aria-busy", "true");
  const query = at === undefined ? "" : "at=" + encodeURIComponent(at);
  try {
    // What is to come is made of what is known, at once.
    const toCome = lives && (new Date(Number.isNaN(Number(at)) ? at : Number(at)) > Date.now() || /^[\s+]*\d+[a-z]/i.test(at));
    if (at !== undefined && !toCome) await streamed("GET", `/api/as-of?of=${of}&${query}`, { signal: mine.signal, told: (p) => asking === mine && progress(p) });
    await show(query, mine.signal);
    if (asking !== mine) return;
    if (remember) history.pushState({}, "", location.pathname + (query && "?" + query));
    if (lives) document.title = (at === undefined ? "Now" : ahead() ? "As it will be" : "As it was") + " · Chalie";
  } catch (e) {
    if (asking !== mine) return;
    if (!mine.signal.aborted) wrongs(e.message);
    if ("wants" in view.dataset) view.replaceChildren(Object.assign(document.createElement("p"), { className: "soft", textContent: "Nothing of it is shown. Look at another moment, or go back to now." }));
  } finally {
    clearTimeout(later);
    if (asking === mine) {
      asking = undefined;
      wait.hidden = true;
      line.removeAttribute("aria-busy");
      standing();
    }
  }
}

function progress(p) {
  if (!asking) return;
  wait.hidden = false;
  if (p) Object.assign(waited, { max: p.tail, value: p.position });
  else waited.removeAttribute("value");
  waits.textContent = p ? "Reading what was recorded until then: " + paced(p) : "Reading what was recorded until then";
}

document.querySelector("#stop")?.addEventListener("click", () => {
  asking?.abort();
  slider.focus();
});

slider?.addEventListener("input", () => {
  clearTimeout(pause);
  const now = slider.value === slider.max;
  pointed.textContent = now ? "now" : `after record ${Number(slider.value).toLocaleString()}`;
  slider.setAttribute("aria-valuetext", pointed.textContent);
  pause = setTimeout(() => look(now ? undefined : "pos:" + slider.value), settled);
});
slider?.form.addEventListener("submit", (e) => e.preventDefault());

time?.form.addEventListener("submit", (e) => {
  e.preventDefault();
  const at = new Date(time.value).getTime();
  look(Math.abs(at - Date.now()) < 60000 ? undefined : String(at));
});

for (const [id, by] of [["#earlier-hour", -hour], ["#later-hour", hour]]) {
  const button = document.querySelector(id);
  if (!button) continue;
  button.hidden = false;
  button.addEventListener("click", () => {
    if (button.getAttribute("aria-disabled") === "true") return;
    const from = Number(view.dataset.time ?? Date.now());
    look(from + by > Date.now() && !ahead() ? undefined : String(from + by));
  });
}

document.addEventListener("click", (e) => {
  if (!line || !lives || !e.target.closest("[data-now]") || e.metaKey || e.ctrlKey) return;
  e.preventDefault();
  look(undefined).then(() => slider.focus());
});

addEventListener("popstate", () => {
  const query = new URLSearchParams(location.search);
  const at = query.get("at") ?? (query.has("pos") ? "pos:" + query.get("pos") : undefined);
  if (query.has("time")) location.reload();
  else look(at, false);
});

// What else was known is asked for when it is opened: each answer has a fold of its own.
view.addEventListener("toggle", (e) => {
  if (e.target.matches("[data-section]") && e.target.open) open(e.target);
}, true);

async function open(details) {
  const body = details.querySelector(".section-body");
  if (details.dataset.for === view.dataset.at || body.childElementCount > 0 && !body.querySelector("noscript")) return;
  details.dataset.for = view.dataset.at;
  const { section } = details.dataset;
  const mine = new AbortController();
  const says = Object.assign(document.createElement("span"), { className: "facts", textContent: "Reading what was recorded until then" });
  const bar = document.createElement("progress");
  bar.setAttribute("aria-label", "How far Chalie has read");
  const stop = Object.assign(document.createElement("button"), { type: "button", textContent: "Cancel" });
  stop.addEventListener("click", () => {
    mine.abort();
    details.open = false;
  });
  const at = "at=" + encodeURIComponent(view.dataset.at);
  const told = (p) => {
    Object.assign(bar, { max: p.tail, value: p.position });
    says.setAttribute("aria-live", "off"); // who hears the page is told that it began, and what came
    says.textContent = "Reading what was recorded until then: " + paced(p);
  };
  body.replaceChildren(bar, " ", says, " ", stop);
  body.classList.add("wait");
  try {
    await streamed("GET", `/api/as-of?of=${section}&${at}`, { signal: mine.signal, told });
    const answer = await ask(`/now?${at}&part=${section}`, { signal: mine.signal });
    const part = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!answer.ok) throw new Error(part.querySelector("main p")?.textContent || `Chalie answered ${answer.status}.`);
    body.replaceChildren(...part.body.childNodes);
    localTimes(body);
  } catch (e) {
    delete details.dataset.for;
    body.replaceChildren();
    if (!mine.signal.aborted) body.append(Object.assign(document.createElement("p"), { className: "alert error", textContent: e.message }));
  }
  body.classList.remove("wait");
}

if (line) {
  standing();
  if (view.dataset.wants) look(view.dataset.wants, false);
}
for (const d of view.querySelectorAll("[data-section][open]")) open(d);
ready("then");
