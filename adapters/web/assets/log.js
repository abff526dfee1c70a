// The log: what comes shows at the top while nobody reads further down, opens what it
// says, and looks on for what is rare.

import { el, grouped, timeOf } from "/assets/dom.js";
import { patience, piece, steadily } from "/assets/away.js";
import { keepFocus } from "/assets/focus.js";

const entries = document.querySelector("#entries");
const most = 300; // lines that are kept
const calm = 400; // milliseconds between two looks, however much comes
const nearTop = 120; // pixels

// at is a moment with its seconds, and with the day unless it is today.
function at(text) {
  const moment = new Date(text);
  const time = timeOf(moment, { seconds: true });
  if (moment.toDateString() === new Date().toDateString()) return time;
  return moment.toLocaleDateString([], { day: "numeric", month: "short", year: moment.getFullYear() === new Date().getFullYear() ? undefined : "numeric" }) + " " + time;
}

function localTimes(within) {
  for (const t of within.querySelectorAll("time")) {
    t.title = t.textContent;
    t.textContent = at(t.dateTime);
  }
}

// What a line says is fetched when it is opened.
entries.addEventListener("toggle", async (e) => {
  const details = e.target;
  if (!details.open || !details.dataset.entry) return;
  const from = details.dataset.entry;
  delete details.dataset.entry;
  const whole = await piece(from + "?part=envelope");
  if (!whole) {
    details.dataset.entry = from;
    return;
  }
  localTimes(whole);
  details.querySelector(".opened").replaceChildren(...whole.childNodes);
}, true);

// Going on to look for what is rare.

const looking = document.querySelector("#looking");
let giveUp;

async function lookOn() {
  const stop = el("button", { type: "button" }, "Stop looking");
  giveUp = new AbortController();
  stop.addEventListener("click", () => giveUp.abort());
  while (looking.dataset.more && entries.children.length < 50 && !giveUp.signal.aborted) {
    looking.querySelector("p")?.after(stop);
    const part = await piece(looking.dataset.more, giveUp.signal);
    if (!part) break;
    localTimes(part);
    const rest = part.querySelector("div");
    entries.append(...part.querySelector("ol").children);
    looking.dataset.more = rest.dataset.more;
    looking.replaceChildren(...rest.childNodes);
  }
  keepFocus(() => stop.remove(), () => looking);
  if (!looking.dataset.more && entries.children.length === 0) looking.replaceChildren(el("p", { class: "empty-box", role: "status" }, "Nothing like that stands in the log."));
}

localTimes(document);
if (looking.dataset.more) lookOn();
const found = entries.querySelector(".found details");
if (found) {
  found.open = true;
  found.scrollIntoView({ block: "center" });
}

// What comes.

const line = document.querySelector("#line");
const holds = document.querySelector("#holds");
if (line) follow();

function follow() {
  const pause = document.querySelector("#pause");
  const fresh = document.querySelector("#fresh");
  let next = line.dataset.live;
  let asked;
  let paused = false;
  let stood = 0; // where the log ended when it was paused
  let tail = Number(holds?.dataset.tail ?? 0); // where it ends
  let waiting = []; // lines that came while somebody was reading, the newest first
  let count = 0; // how many came meanwhile, with those that are not kept

  const reading = () => scrollY > entries.offsetTop + nearTop || entries.contains(document.activeElement) || entries.querySelector("details[open]");
  const tell = (state, text) => {
    line.dataset.state = state;
    if (line.textContent !== text) line.textContent = text;
  };
  const told = () => {
    if (paused) tell("waiting", stood < tail ? `Paused: ${grouped(tail - stood)} recorded since` : "Paused");
    else if (patience()) tell("offline", "Chalie doesn't answer");
    else if (waiting.length) tell("waiting", "Waits while you read");
    else tell("open", "Live");
    fresh.hidden = !waiting.length;
    fresh.textContent = `${grouped(count)} new`;
  };

  const put = () => {
    document.querySelector("#nothing")?.remove();
    entries.prepend(...waiting);
    while (entries.children.length > most) entries.lastElementChild.remove();
    waiting = [];
    count = 0;
  };

  // passedBy is a line about what came faster than it could be shown.
  const passedBy = (list) => {
    const missed = Number(list.dataset.missed);
    return el("li", { class: "passed" }, `${missed ? grouped(missed) : "Some"} more went by. `, el("a", { href: list.dataset.passed }, "Read them"));
  };

  // ends says how much the log holds by now.
  const ends = (part) => {
    tail = Math.max(tail, Number(part.dataset.tail ?? 0));
    if (holds && part.dataset.held) holds.textContent = grouped(Number(part.dataset.held));
  };

  const look = async () => {
    if (paused) {
      // Nothing is shown, but how much waits is told.
      asked = new AbortController();
      const part = await piece(`${line.dataset.ends}&from=${tail + 1}`, asked.signal);
      if (part) ends(part.querySelector("ol"));
      told();
      return;
    }
    asked = new AbortController();
    const part = await piece(next, asked.signal);
    const list = part?.querySelector("ol");
    if (!list) {
      told(); // it may be away
      return;
    }
    ends(list);
    next = list.dataset.next;
    localTimes(list);
    const lines = [...list.children].filter((l) => !document.getElementById(l.id));
    if (lines.length) {
      count += lines.length + Number(list.dataset.missed ?? 0);
      if (list.dataset.passed) lines.push(passedBy(list));
      waiting = [...lines, ...waiting].slice(0, most);
      if (!reading()) put();
    }
    told();
  };

  const again = steadily(calm, look);
  again();
  document.addEventListener("visibilitychange", () => document.visibilityState !== "visible" && asked?.abort());
  pause.hidden = false;
  pause.addEventListener("click", () => {
    paused = !paused;
    stood = tail;
    pause.textContent = paused ? "Go on" : "Pause";
    asked?.abort();
    again();
    told();
  });
  fresh.addEventListener("click", () => {
    for (const open of entries.querySelectorAll("details[open]")) open.open = false;
    put();
    told();
    pause.focus({ preventScroll: true });
    scrollTo({ top: 0 });
  });
  addEventListener("scroll", () => {
    if (waiting.length && !paused && !reading()) {
      put();
      told();
    }
  }, { passive: true });
  told();
}
