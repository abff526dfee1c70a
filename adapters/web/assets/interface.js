// One interface: its scopes, its tools to try, and its own page, made of the blocks
// that it answers with.

import { el, json } from "/assets/dom.js";
import { render } from "/assets/blocks.js";
import { say } from "/assets/act.js";

const root = document.querySelector("[data-interface]");
const id = root.dataset.interface;
const gateway = `/gw/${id}`;
const page = document.querySelector("#page");

document.querySelector("#scopes")?.addEventListener("submit", async (e) => {
  e.preventDefault();
  const approved = { context: {}, signals: {}, messages: {} };
  for (const box of e.target.querySelectorAll("input:checked")) approved[box.dataset.category][box.name] = true;
  try {
    await json("PUT", `/api/apps/${id}/scopes`, { approved_scopes: approved });
    location.reload();
  } catch (error) {
    say(error.message);
  }
});

for (const form of document.querySelectorAll("form.try")) {
  form.addEventListener("submit", async (e) => {
    e.preventDefault();
    const result = form.querySelector(".result");
    const button = form.querySelector("button");
    button.disabled = true;
    result.replaceChildren(el("p", { class: "stage" }, "It is at it"));
    try {
      result.replaceChildren(outcome(await json("POST", `/api/tools/${encodeURIComponent(form.dataset.tool)}/invoke`, { params: params(form) })));
    } catch (error) {
      result.replaceChildren(el("p", { class: "alert error" }, error.message));
    }
    button.disabled = false;
  });
}

// params are the fields that were filled in, by the type that the tool declares.
function params(form) {
  const out = {};
  for (const field of form.querySelectorAll("[name]")) {
    if (field.type === "checkbox") {
      if (field.checked || field.dataset.required) out[field.name] = field.checked;
      continue;
    }
    const text = field.value.trim();
    if (!text) continue;
    switch (field.dataset.type) {
      case "number":
      case "integer":
        if (Number.isNaN(Number(text))) throw new Error(`${field.name} must be a number.`);
        out[field.name] = Number(text);
        break;
      case "object":
        try {
          out[field.name] = JSON.parse(text);
        } catch {
          throw new Error(`${field.name} must be JSON, such as {"key": "value"}.`);
        }
        break;
      default:
        out[field.name] = field.value;
    }
  }
  return out;
}

function outcome(done) {
  if (done.approval === "pending") return el("p", { class: "alert warning" }, "It waits for your approval, in the ", el("a", { href: "/chat" }, "conversation"), ".");
  if (done.error) return el("p", { class: "alert error", dir: "auto" }, done.error);
  if (done.blocks?.length) return render(done.blocks);
  if (done.text) return render([{ type: "text", content: done.text, format: "plain" }]);
  return el("pre", { tabindex: "0" }, JSON.stringify(done.data, null, 2));
}

const polls = new Set();

async function show() {
  let answer;
  try {
    answer = await fetch(gateway + "/render");
    if (!answer.ok) throw new Error((await answer.json().catch(() => ({}))).error || "It does not answer now.");
  } catch (e) {
    page.replaceChildren(el("p", { class: "soft" }, e.message));
    return;
  }
  if (!answer.headers.get("Content-Type")?.includes("json")) {
    page.replaceChildren(el("p", { class: "soft" }, "It answers with a page of HTML, which is not shown here: interfaces show blocks."));
    return;
  }
  const { blocks } = await answer.json();
  page.replaceChildren(blocks?.length ? render(blocks, does) : el("p", { class: "soft" }, "It has nothing to show."));
}

const does = {
  async execute(button, values, node) {
    node.disabled = true;
    try {
      await execute(button.execute, { ...button.payload, ...values }, button.target);
    } finally {
      node.disabled = false;
    }
  },
  // A container that polls asks its tool again and again, as long as it is there.
  container(box, block) {
    if (!block.poll?.capability) return;
    const every = Math.max(1000, Number(block.poll.interval) || 5000);
    const timer = setInterval(() => {
      if (!box.isConnected) {
        clearInterval(timer);
        polls.delete(timer);
      } else if (document.visibilityState === "visible") fill(box, block.poll.capability, block.poll.params ?? {});
    }, every);
    polls.add(timer);
  },
};

// execute calls one of its tools, and shows the answer where the button says.
async function execute(capability, values, target) {
  const box = target ? page.querySelector(`[data-container="${CSS.escape(String(target))}"]`) : undefined;
  try {
    const done = await json("POST", gateway + "/execute", { capability, params: values });
    if (box) box.replaceChildren(outcomeHere(done));
    else if (done.blocks?.length) page.replaceChildren(render(done.blocks, does));
    else if (done.error || done.text) say(done.error || done.text);
    else await show();
  } catch (e) {
    say(e.message);
  }
}

const outcomeHere = (done) => (done.error ? el("p", { class: "alert error", dir: "auto" }, done.error) : render(done.blocks?.length ? done.blocks : [{ type: "text", content: done.text ?? "", format: "plain" }], does));

async function fill(box, capability, values) {
  const done = await json("POST", gateway + "/execute", { capability, params: values }).catch(() => undefined);
  if (done && !done.error) box.replaceChildren(outcomeHere(done));
}

show();
