// The conversation: what the page knows of it, what /ws tells from then on, and what
// the person says.

import { el, json } from "/assets/dom.js";
import { Line } from "/assets/line.js";
import { Exchange } from "/assets/exchange.js";
import { Outgoing } from "/assets/outgoing.js";
import { Composer } from "/assets/composer.js";
import { Voice } from "/assets/voice.js";
import { Scroll } from "/assets/scroll.js";
import { Seen } from "/assets/seen.js";
import { ready } from "/assets/ready.js";

const page = 30; // exchanges at a time
const mostPages = 5; // before what is shown is let go

const list = document.querySelector("#exchanges");
const earlier = document.querySelector("#earlier");
const exchanges = new Map();
const outgoing = new Outgoing({ list, latest, shown: (id) => exchanges.has(id), refused: notTaken, taken: (id) => voice.asked(id, exchanges.get(id)) });
const scroll = new Scroll(document.querySelector("#talk"), document.querySelector("#latest"));
const voice = new Voice({ said: (text, stt) => composer.spoken(text, stt) });
export const does = { act, changed: learn, further, replied: (x) => voice.replied(x) };
const missed = new Set(); // exchanges to learn of once all that was missed is loaded
let catching; // the promise of that

let composer;
const line = new Line({ listen: hear, state: (state, ms) => standing(state, ms), opened: reopened });
const seen = new Seen(line);
composer = new Composer({ say, line, exchanges, outgoing, scroll });

show(JSON.parse(document.querySelector("#recent").textContent));
outgoing.restore();
for (const x of exchanges.values()) outgoing.settle(x.known);
scroll.toEnd();
scroll.box.removeAttribute("aria-busy");
pending();

// show adds exchanges of the transcript, which are in order, among those that are shown.
function show({ exchanges: recent }) {
  let next = outgoing.all[0]?.root ?? null;
  for (const said of recent.toReversed()) {
    let x = exchanges.get(said.id);
    if (!x) {
      x = make(said.id);
      list.insertBefore(x.root, next);
    }
    // What was heard of while nobody listened stands where it came, and not in order.
    if (next && next.compareDocumentPosition(x.root) & Node.DOCUMENT_POSITION_FOLLOWING) list.insertBefore(x.root, next);
    x.listed = true;
    next = x.root;
    tell(x, said);
  }
  composer.renew();
}

function make(id) {
  const x = new Exchange(id, does);
  exchanges.set(id, x);
  document.querySelector("#empty")?.remove();
  return x;
}

function tell(x, said) {
  scroll.keep(() => {
    const first = !x.known;
    x.known = said;
    x.tell(said);
    x.root.hidden = false;
    if (said.prompt || said.image_ids.length) outgoing.settle(said);
    if (first && said.action) composer.acted(said.action);
  });
  if (x.unasked) seen.shows(x.id);
}

// latest is the id of the latest exchange; "" before any. Ids rise.
function latest() {
  return [...exchanges.keys()].reduce((a, b) => (a > b ? a : b), "");
}

// learn asks what the API knows of an exchange: what no frame tells. While all that was
// missed is loaded, that comes with it.
async function learn(x) {
  if (catching) return missed.add(x);
  if (x.learning) return (x.again = true);
  x.learning = true;
  try {
    do {
      x.again = false;
      const said = await exchange(x.id);
      tell(x, said);
      for (const from of said.next_steps ? x.unsure(said.next_steps) : []) tell(x, await exchange(x.id, from));
    } while (x.again);
  } catch {
    // The line says that Chalie is away, and once it is back everything is learnt again.
  }
  x.learning = false;
  scroll.keep(() => (x.root.hidden = false));
  return composer.renew();
}

function exchange(id, from = 1) {
  return json("GET", `/api/exchanges/${encodeURIComponent(id)}?from=${from}`);
}

// further shows the steps of an exchange from a position on, and reports whether it could.
async function further(x, from) {
  try {
    const said = await exchange(x.id, from);
    scroll.hold(() => tell(x, said));
    return true;
  } catch (e) {
    say(e.message);
    return false;
  }
}

function hear(frame) {
  if (frame.type === "gap") return catchUp();
  if (!frame.exchange_id) return frame.type === "error" ? refused(frame.message) : undefined;
  const known = exchanges.has(frame.exchange_id);
  if (!known && frame.type === "exchange") return undefined; // it isn't shown
  const x = exchanges.get(frame.exchange_id) ?? make(frame.exchange_id);
  scroll.keep(() => {
    if (!known) {
      x.root.hidden = frame.type !== "notification" && frame.type !== "escalation"; // until its question is known
      list.insertBefore(x.root, outgoing.all[0]?.root ?? null);
    }
    x.hear(frame);
  }, frame.type === "message" || frame.type === "notification" || frame.type === "escalation");
  // What the API is just telling may be older than this frame.
  if (!known || x.learning) learn(x);
  if (x.unasked) seen.shows(x.id);
  composer.heard(frame);
  return composer.renew();
}

// notTaken gives a message back that Chalie refused.
function notTaken(one, why) {
  composer.giveBack(one.text);
  say(why);
}

// refused says why a redirection or a button was refused, where it was asked for.
function refused(why) {
  if (composer.refused(why)) return;
  say(why);
  json("GET", "/auth/status").then((s) => s.has_session || location.assign("/login?next=/chat")).catch(() => {});
}

async function reopened(again) {
  seen.tell();
  await catchUp();
  if (again) {
    composer.lost();
    await pending();
  }
}

// catchUp loads what was said while nobody listened.
function catchUp() {
  catching ??= load().finally(() => {
    catching = undefined;
    for (const x of missed) learn(x);
    missed.clear();
  });
  return catching;
}

// load reads back to what is shown. When that is too far, what is shown makes way.
async function load() {
  try {
    const pages = [];
    for (let n = 0, more = true; more && n < mostPages; n++) {
      const got = await json("GET", `/conversation/recent?steps=true&limit=${page}&offset=${pages.length}`);
      pages.unshift(...got.exchanges);
      more = got.has_more && !got.exchanges.some((e) => exchanges.get(e.id)?.listed);
      if (more && n === mostPages - 1) letGo();
      if (!exchanges.size || n === mostPages - 1) earlier.parentElement.hidden = !got.has_more;
      if (!exchanges.size) break;
    }
    for (const x of exchanges.values()) if (x.underWay) missed.add(x);
    show({ exchanges: pages });
    // Of what has ended nothing more comes; of what hasn't, it may have meanwhile.
    for (const { id, stage } of pages) if (!stage) missed.delete(exchanges.get(id));
  } catch (e) {
    say(e.message);
  }
}

function letGo() {
  for (const x of [...exchanges.values()].filter((x) => !x.waits)) {
    exchanges.delete(x.id);
    x.root.remove();
  }
}

// pending finds what waits for approval, however long ago it was asked.
async function pending() {
  try {
    const { approvals } = await json("GET", "/api/approvals");
    for (const id of new Set(approvals.map((a) => a.trace_id))) {
      if (exchanges.has(id)) continue;
      const said = await exchange(id);
      const x = make(id);
      const later = [...exchanges.values()].find((o) => o.at > said.timestamp && o.root.isConnected);
      list.insertBefore(x.root, list.contains(later?.root) ? later.root : list.firstChild);
      tell(x, said);
    }
  } catch (e) {
    say(e.message);
  }
  composer.renew();
}

earlier.addEventListener("click", async () => {
  earlier.disabled = true;
  try {
    const offset = [...exchanges.values()].filter((x) => x.listed).length;
    const before = await json("GET", `/conversation/recent?steps=true&limit=${page}&offset=${offset}`);
    scroll.hold(() => prepend(before.exchanges));
    earlier.parentElement.hidden = !before.has_more;
  } catch (e) {
    say(e.message);
  }
  earlier.disabled = false;
});

function prepend(before) {
  let next = list.firstChild;
  for (const said of before.toReversed()) {
    const x = exchanges.get(said.id) ?? make(said.id);
    if (!x.root.isConnected) list.insertBefore(x.root, next);
    x.listed = true;
    next = x.root;
    x.tell(said);
  }
}

// act presses a button of an answer.
function act(payload, node) {
  scroll.toEnd();
  composer.act(payload, node);
}

function standing(state, ms) {
  const words = { open: "Connected", waiting: "Connection lost", offline: "This device is offline" };
  const shown = document.querySelector("#standing");
  document.querySelector("#line").dataset.state = state;
  if (shown.textContent !== words[state]) shown.textContent = words[state];
  countdown(state === "open" ? 0 : Date.now() + ms);
  composer?.standing(state);
}

let counting;
function countdown(until) {
  clearInterval(counting);
  const left = document.querySelector("#countdown");
  const tick = () => {
    const seconds = Math.ceil((until - Date.now()) / 1000);
    left.textContent = until === 0 ? "" : seconds > 0 ? `, trying again in ${seconds} s` : ", trying again";
  };
  tick();
  if (until) counting = setInterval(tick, 1000);
  document.querySelector("#retry").hidden = until === 0;
}
document.querySelector("#retry").addEventListener("click", () => line.hurry());

function say(text) {
  const banner = document.querySelector("#banner");
  banner.replaceChildren(text, ...(text ? [dismiss()] : []));
  banner.hidden = !text;
}

function dismiss() {
  const button = el("button", { type: "button", class: "link" }, "Close");
  button.addEventListener("click", () => say(""));
  return button;
}
ready("chat");
