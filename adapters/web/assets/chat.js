// The conversation: the transcript from the page, what /ws tells from then on, and
// what the person says.

import { el, json } from "/assets/dom.js";
import { Line } from "/assets/line.js";
import { Exchange } from "/assets/exchange.js";

const talk = document.querySelector("#talk");
const composer = document.querySelector("#composer");
const field = composer.elements.text;
const busy = document.querySelector("#busy");
const banner = document.querySelector("#banner");
const standing = document.querySelector("#line");

const exchanges = new Map();
const unfinished = new Set(); // exchanges of the person's that have no end yet
const away = "There is no connection now. What you wrote is still here: send it once it is back.";
const told = []; // messages that have left, and whose exchange isn't known yet

const line = new Line({ listen: hear, state: stand, opened: catchUp });

show(JSON.parse(document.querySelector("#recent").textContent));
pending();

function exchange(id) {
  let x = exchanges.get(id);
  if (!x) {
    x = new Exchange(id, line);
    exchanges.set(id, x);
    document.querySelector("#empty")?.remove();
    atEnd(() => talk.append(x.root));
  }
  return x;
}

// atEnd changes the conversation, and stays at its end if that is where one was.
function atEnd(change) {
  const near = talk.scrollHeight - talk.scrollTop - talk.clientHeight < 120;
  change();
  if (near) talk.scrollTop = talk.scrollHeight;
}

function show({ exchanges: recent }) {
  for (const e of recent) {
    const x = exchange(e.id);
    atEnd(() => x.tell(e));
  }
  talk.scrollTop = talk.scrollHeight;
}

// catchUp loads what was said while nobody listened.
async function catchUp(again) {
  try {
    show(await json("GET", "/conversation/recent?limit=30"));
    if (again) await pending();
  } catch (e) {
    say(e.message);
  }
}

// pending are the approvals that wait: their escalation may have been long ago.
async function pending() {
  const { approvals } = await json("GET", "/api/approvals");
  for (const p of approvals) {
    const x = exchange(p.trace_id);
    if (x.root.querySelector(".decision")) continue;
    atEnd(() => x.hear({ ...p, type: "escalation", blocks: [{ type: "alert", variant: "warning", message: p.summary }] }));
  }
}

function hear(frame) {
  if (frame.type === "gap") return catchUp(false);
  if (!frame.exchange_id) return frame.type === "error" ? refused(frame.message) : undefined;
  const known = exchanges.has(frame.exchange_id);
  const x = exchange(frame.exchange_id);
  atEnd(() => {
    if (!known && frame.type === "status" && told.length) x.ask(told.shift());
    x.hear(frame);
  });
  if (frame.type === "status") unfinished.add(frame.exchange_id);
  if (frame.type === "done" || frame.type === "error") unfinished.delete(frame.exchange_id);
  acting();
}

// refused gives back what was not taken. Without a session there is nothing to go on
// with here.
function refused(why) {
  const text = told.shift();
  if (text && !field.value) field.value = text;
  say(why);
  json("GET", "/conversation/recent?limit=1").catch(() => {}); // leads to the login when that is what is missing
}

// acting offers to stop or to redirect while an answer is under way.
function acting() {
  busy.hidden = unfinished.size === 0;
}

function stand(state, ms) {
  if (state === "open" && banner.textContent === away) say("");
  standing.dataset.state = state;
  standing.textContent = state === "open" ? "Connected" : `Connection lost, trying again in ${Math.ceil(ms / 1000)} s`;
}

function say(text) {
  banner.textContent = text;
  banner.hidden = !text;
}

composer.addEventListener("submit", async (e) => {
  e.preventDefault();
  const text = field.value.trim();
  const files = [...composer.elements.images.files];
  if (!text && !files.length) return;
  say("");
  try {
    const ids = await Promise.all(files.slice(0, 3).map(upload));
    if (!line.send({ type: "chat", text, source: "text", image_ids: ids })) return say(away);
    told.push(text);
    composer.reset();
    attached();
  } catch (e) {
    say(e.message);
  }
});

field.addEventListener("keydown", (e) => {
  if (e.key === "Enter" && !e.shiftKey && !e.isComposing) {
    e.preventDefault();
    composer.requestSubmit();
  }
});

document.querySelector("#redirect").addEventListener("click", () => {
  const text = field.value.trim();
  if (!text) return say("Write what to do differently, then redirect.");
  if (!line.send({ type: "act_steer", text })) return say(away);
  say("Passed on: it counts from its next step.");
  composer.reset();
  return undefined;
});

document.querySelector("#stop").addEventListener("click", () => {
  for (const id of unfinished) line.send({ type: "cancel", exchange_id: id });
});

async function upload(file) {
  const form = new FormData();
  form.append("image", file);
  const answer = await fetch("/chat/image", { method: "POST", body: form });
  const value = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(value.error || `The image ${file.name} could not be sent.`);
  return value.image_id;
}

function attached() {
  document.querySelector("#attached").replaceChildren(...[...composer.elements.images.files].slice(0, 3).map((f) => el("span", {}, f.name)));
}
composer.elements.images.addEventListener("change", attached);
