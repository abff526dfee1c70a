// One interface: its scopes, its tools to try, and its own page, made of the blocks
// that it answers with.

import { ask } from "/assets/key.js";
import { el, json, place } from "/assets/dom.js";
import { render } from "/assets/blocks.js";
import { textBlocks } from "/assets/data.js";
import { ready } from "/assets/ready.js";
import { keepFocus } from "/assets/focus.js";
import { listen } from "/assets/does.js";

const root = document.querySelector("[data-interface]");
const id = root.dataset.interface;
const gateway = `/gw/${id}`;
const page = document.querySelector("#page");
const top = 3; // the level of the first heading in what it answers: the page has two above

const put = (...nodes) => keepFocus(() => page.replaceChildren(...nodes), () => page);

document.querySelector("#scopes")?.addEventListener("submit", async (e) => {
  e.preventDefault();
  const says = e.target.querySelector("[role=alert]");
  const approved = { context: {}, signals: {}, messages: {} };
  for (const box of e.target.querySelectorAll("input:checked")) approved[box.dataset.category][box.name] = true;
  says.hidden = true;
  try {
    await json("PUT", `/api/apps/${id}/scopes`, { approved_scopes: approved });
    location.reload();
  } catch (error) {
    says.textContent = error.message;
    says.hidden = false;
  }
});

for (const form of document.querySelectorAll("form.try")) {
  form.noValidate = true; // what is missing is said in the page's own words
  form.addEventListener("submit", async (e) => {
    e.preventDefault();
    const result = form.querySelector(".result");
    const button = form.querySelector("button");
    const filled = params(form);
    if (!filled || button.getAttribute("aria-disabled") === "true") return;
    if (button.dataset.confirm && !confirm(button.dataset.confirm)) return;
    button.setAttribute("aria-disabled", "true"); // not disabled: the focus would be lost
    const waiting = new AbortController();
    const give = el("button", { type: "button", class: "link" }, "Stop waiting");
    give.addEventListener("click", () => waiting.abort());
    result.replaceChildren(el("p", { class: "stage" }, "Waiting for its answer "), give);
    try {
      const done = outcome(await json("POST", `/api/tools/${encodeURIComponent(form.dataset.tool)}/invoke`, { params: filled }, waiting.signal));
      keepFocus(() => result.replaceChildren(done), () => button);
    } catch (error) {
      const text = waiting.signal.aborted ? "You stopped waiting. It may still be done: the log will say." : error.message;
      keepFocus(() => result.replaceChildren(el("p", { class: "alert error", dir: "auto" }, text)), () => button);
    }
    button.removeAttribute("aria-disabled");
  });
}

// params are the fields that were filled in, by the type that the tool declares. What
// can't be taken is said beside its field; undefined then.
function params(form) {
  const out = {};
  let first;
  for (const field of form.querySelectorAll("[name]")) {
    const says = field.closest(".field").querySelector(".refused");
    const wrong = read(field, out);
    says.hidden = !wrong;
    says.textContent = wrong ?? "";
    field.toggleAttribute("aria-invalid", Boolean(wrong));
    if (wrong) first ??= field;
  }
  first?.focus();
  return first ? undefined : out;
}

// read takes one field; what it returns is why it can't be taken.
function read(field, out) {
  if (field.type === "checkbox") {
    out[field.name] = field.checked;
    return undefined;
  }
  const text = field.value.trim();
  if (!text) return field.required ? "It needs this." : undefined;
  switch (field.dataset.type) {
    case "boolean":
      out[field.name] = text === "true";
      return undefined;
    case "integer":
      if (!/^[+-]?\d+$/.test(text) || !Number.isSafeInteger(Number(text))) return "Give a whole number, such as 3.";
      out[field.name] = Number(text);
      return undefined;
    case "number":
      if (!Number.isFinite(Number(text))) return "Give a number, such as 2.5.";
      out[field.name] = Number(text);
      return undefined;
    case "object":
      try {
        const value = JSON.parse(text);
        if (value === null || Array.isArray(value) || typeof value !== "object") return 'Give an object in braces, such as {"key": "value"}.';
        out[field.name] = value;
        return undefined;
      } catch (e) {
        return `That is no JSON: ${e.message}`;
      }
    case "array":
      return readArray(field, text, out);
    case "any":
      try {
        out[field.name] = JSON.parse(text);
      } catch {
        out[field.name] = field.value;
      }
      return undefined;
    default:
      out[field.name] = field.value;
      return undefined;
  }
}

// readArray takes a JSON array, and of texts also one in each line.
function readArray(field, text, out) {
  try {
    const value = JSON.parse(text);
    if (Array.isArray(value)) {
      out[field.name] = value;
      return undefined;
    }
  } catch {
    // then it isn't meant as one
  }
  if (field.dataset.items !== "string") return "Give a JSON array in brackets, such as [1, 2].";
  out[field.name] = text.split("\n").map((line) => line.trim()).filter(Boolean);
  return undefined;
}

// outcome is everything that a tool answered.
function outcome(done) {
  const steps = done.invocation_id && el("p", { class: "soft onward" }, el("a", { href: `/why/${done.invocation_id}?direction=forward` }, "What came of it, step by step"));
  if (done.approval === "pending") {
    return el("div", {}, el("p", { class: "alert warning" }, "It waits for your yes or no, in the ", el("a", { href: "/chat" }, "conversation"), " or under ", el("a", { href: "/system/approvals" }, "Approvals"), "."), steps);
  }
  return el("div", {}, answered(done), steps);
}

function answered(done, how = { top }) {
  const parts = [];
  if (done.error) parts.push(el("p", { class: "alert error", dir: "auto" }, "It says that it failed: " + done.error));
  if (done.text) parts.push(render(textBlocks(done.text), { top: how.top }));
  if (done.blocks?.length) parts.push(render(done.blocks, how));
  if (opening(done).length) parts.push(render(opening(done)));
  if (done.data !== null && done.data !== undefined) parts.push(el("pre", { tabindex: "0" }, JSON.stringify(done.data, null, 2)));
  if (!parts.length) parts.push(el("p", { class: "soft" }, "Done. It said nothing."));
  return el("div", { class: "blocks" }, parts);
}

// opening is the button for an address that it wants opened, if it may be.
function opening(done) {
  const to = place(done.open_url ?? done.openUrl);
  return to ? [{ type: "actions", buttons: [{ label: `Open ${to.length > 80 ? to.slice(0, 80) + "…" : to}`, openUrl: to }] }] : [];
}

async function show() {
  try {
    const answer = await ask(gateway + "/render");
    if (!answer.ok) throw new Error((await answer.json().catch(() => ({}))).error || "It does not answer now.");
    if (!answer.headers.get("Content-Type")?.includes("json")) throw new Error("It answers with a page of HTML, which is not shown here: interfaces show blocks.");
    const { blocks, frame } = await answer.json();
    // The frame around it is drawn by this page already.
    const shown = frame ? blocks?.[0]?.blocks : blocks;
    put(shown?.length ? render(shown, does) : el("p", { class: "soft" }, "It has nothing to show."));
  } catch (e) {
    const again = el("button", { type: "button" }, "Ask it again");
    again.addEventListener("click", show);
    put(el("p", { class: "soft", dir: "auto" }, e.message), again);
  }
}

const does = {
  top,
  // What a button comes to is said beside it, unless it has a place of its own.
  async execute(button, values, node) {
    if (node.getAttribute("aria-disabled") === "true") return;
    node.setAttribute("aria-disabled", "true");
    node.parentElement.querySelector(":scope > .said")?.remove();
    const said = await execute(button.execute, { ...button.payload, ...values }, button.target);
    if (said && node.isConnected) node.parentElement.append(said);
    node.removeAttribute("aria-disabled");
  },
  // A container that polls asks its tool again and again, as long as it is there and
  // somebody looks at it.
  container(box, block) {
    if (!block.poll?.capability) return;
    // One that was made just now isn't in the page yet.
    for (const [other, since] of polling) if (!other.isConnected && Date.now() - since > 1000) polling.delete(other);
    if (polling.size >= maxPolling) return;
    polling.set(box, Date.now());
    const every = Math.max(1000, Number(block.poll.interval) || 5000);
    const timer = setInterval(() => {
      if (box.isConnected) return due.set(box, block.poll);
      clearInterval(timer);
      polling.delete(box);
      due.delete(box);
    }, every);
  },
};

// However many containers poll, one asks at a time and one in a second, so that what the
// person presses is not refused because its page asks too often.
const maxPolling = 10;
const polling = new Map(); // containers, with when they were made
const due = new Map(); // containers whose turn it is, with what they ask, in that order
setInterval(() => {
  const [next] = due;
  if (!next || document.visibilityState !== "visible") return;
  due.delete(next[0]);
  fill(next[0], next[1].capability, next[1].params ?? {});
}, 1000);

// execute calls one of its tools, and shows the answer where the button says. What is
// left to say beside the button is returned.
async function execute(capability, values, target) {
  const box = target ? page.querySelector(`[data-container="${CSS.escape(String(target))}"]`) : undefined;
  try {
    const done = await json("POST", gateway + "/execute", { capability, params: values });
    if (box) keepFocus(() => box.replaceChildren(answered(done, does)), () => box);
    else if (done.blocks?.length) put(render([...done.blocks, ...opening(done)], does));
    else if (done.error || done.text || opening(done).length) return el("div", { class: "said", role: "status" }, answered(done));
    else await show();
  } catch (e) {
    return el("p", { class: "said alert error", role: "alert", dir: "auto" }, e.message);
  }
  return undefined;
}

const filled = new WeakMap(); // of each container, what it shows

// fill asks for what a container shows. What is the same stays, and what the person is
// in the middle of is left alone.
async function fill(box, capability, values) {
  const done = await json("POST", gateway + "/execute", { capability, params: values }).catch(() => undefined);
  const text = JSON.stringify(done);
  if (!done || done.error || filled.get(box) === text || box.contains(document.activeElement)) return;
  filled.set(box, text);
  box.replaceChildren(answered(done, does));
}

// The tool that was pressed stays open when the page comes again.
listen((button) => {
  const tool = button.closest("details.tool");
  if (tool) location.hash = tool.id;
  location.reload();
});
document.getElementById(location.hash.slice(1))?.closest("details.tool")?.setAttribute("open", "");

ready("interface");
if (page) show();
