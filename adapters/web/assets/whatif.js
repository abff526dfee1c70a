// Asks what would have come otherwise: the form, the question in the address, the
// progress, and the answer.

import { el, json } from "/assets/dom.js";
import { streamed, paced } from "/assets/stream.js";
import { outcomes } from "/assets/outcomes.js";
import { ready } from "/assets/ready.js";

const $ = (selector) => document.querySelector(selector);
const form = $("#question");
const answer = $("#answer");
const refused = $("#refused");
const wait = $("#wait");
let asking;

const known = new Map([...document.querySelectorAll("#pick-without option[value]")].map((o) => [o.value, o.textContent]));

// Chips: what is left out, and what is changed.

function chip({ id, field, value }) {
  const what = el("span", { class: "what", dir: "auto" }, known.get(id) ?? id);
  const node = el("li", { "data-id": id }, what, field ? el("span", {}, ` ${field} = `, el("span", { dir: "auto" }, value)) : undefined, " ", el("button", { type: "button", class: "link", "data-drop": true }, "Undo"));
  if (field) Object.assign(node.dataset, { field, value });
  name(node);
  return node;
}

// name says what an input said, when the page doesn't know.
async function name(node) {
  const { id } = node.dataset;
  if (known.has(id) || node.querySelector(".what").textContent !== id) return;
  try {
    const why = await json("GET", "/api/why/" + encodeURIComponent(id));
    const { label } = why.nodes.find((n) => n.envelope_id === why.target.envelope_id) ?? {};
    if (label) node.querySelector(".what").textContent = label;
  } catch {
    // What isn't there is told when the question is asked.
  }
}

for (const node of document.querySelectorAll(".chips li")) name(node);
form.addEventListener("click", (e) => {
  if (!e.target.matches("[data-drop]")) return;
  const item = e.target.closest("li");
  const next = item.nextElementSibling ?? item.previousElementSibling;
  const part = item.closest("details");
  item.remove();
  (next?.querySelector("button") ?? part.querySelector("select, input")).focus();
});

// picked is the input that a part of the form names.
function picked(kind) {
  const id = $("#id-" + kind).value.trim() || $("#pick-" + kind).value;
  refuse(id ? "" : "Choose what was heard, or give its id.");
  if (!id) $("#pick-" + kind).focus();
  return id;
}

function cleared(kind) {
  $("#id-" + kind).value = "";
  $("#pick-" + kind).value = "";
}

$("#add-without").addEventListener("click", () => {
  const id = picked("without");
  if (!id) return;
  $("#without").append(chip({ id }));
  cleared("without");
});

$("#add-approve").addEventListener("click", () => {
  const id = $("#id-approve").value.trim();
  refuse(id ? "" : "Give the id of a proposal, or its position.");
  if (!id) return $("#id-approve").focus();
  $("#approve").append(chip({ id }));
  $("#id-approve").value = "";
});

$("#add-edit").addEventListener("click", () => {
  const id = picked("edit");
  const field = $("#field").value.trim();
  if (!id) return;
  if (!field) return refuse("Say which field had been otherwise.");
  $("#edits").append(chip({ id, field, value: $("#value").value }));
  cleared("edit");
  $("#value").value = "";
});

for (const select of ["without", "edit"]) $("#pick-" + select).addEventListener("change", () => ($("#id-" + select).value = ""));

// Numbers, policy and scope.

const settings = [...form.querySelectorAll("[data-set]")];
const mark = (input) => input.closest(".setting").classList.toggle("changed", input.value.trim() !== input.dataset.value);
for (const input of settings) {
  input.addEventListener("input", () => {
    mark(input);
    input.removeAttribute("aria-invalid");
    input.parentElement.querySelector(".refused")?.remove();
  });
}
$("#unset").addEventListener("click", () => {
  for (const input of settings) {
    input.value = input.dataset.value;
    mark(input);
  }
});

const inForce = () => JSON.parse($("#in-force").textContent || '""') || "";
$("#present").addEventListener("click", () => ($("#policy").value = inForce()));
$("#autonomy").addEventListener("change", (e) => {
  const policy = $("#policy");
  if (!e.target.value) return void (policy.value = "");
  try {
    policy.value = JSON.stringify({ ...JSON.parse(policy.value || inForce()), autonomy: e.target.value }, null, 2);
  } catch {
    refuse("The policy is no JSON: mend it, or begin with the present one.");
  }
});

const scope = $("#scope");
scope.addEventListener("change", () => {
  for (const label of form.querySelectorAll("[data-scope]")) label.hidden = label.dataset.scope !== scope.value;
  form.querySelector(`[data-scope="${scope.value}"] input`)?.focus();
});

function refuse(text) {
  refused.textContent = text;
  refused.hidden = !text;
}

// question is what the form asks, as the API takes it; undefined when it asks nothing.
function question() {
  const list = (id) => [...$(id).children].map((n) => n.dataset);
  const set = Object.fromEntries(settings.filter((i) => i.value.trim() !== i.dataset.value).map((i) => [i.dataset.set, i.value.trim()]));
  const q = {};
  if (list("#without").length) q.without = list("#without").map((d) => d.id);
  if (list("#approve").length) q.approve = list("#approve").map((d) => d.id);
  if (list("#edits").length) q.edit = list("#edits").map((d) => ({ envelope_id: d.id, field: d.field, value: d.value }));
  if (Object.keys(set).length) q.set = set;
  if ($("#policy").value.trim()) q.policy = JSON.parse($("#policy").value);
  if ($("#model").value) q.model = $("#model").value;
  if (!Object.keys(q).length) return undefined;
  if (scope.value === "trace") q.trace = $("#trace").value.trim() || "last";
  else if (scope.value === "since") q.since = $("#since").value.trim();
  else if (scope.value !== "all") q.since = scope.value;
  return q;
}

// address is where a question can be found again.
function address(q) {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(q.set ?? {})) query.append("set", `${key}=${value}`);
  for (const id of q.without ?? []) query.append("without", id);
  for (const id of q.approve ?? []) query.append("approve", id);
  for (const e of q.edit ?? []) query.append("edit", `${e.envelope_id} ${e.field}=${e.value}`);
  if (q.policy) query.set("policy", JSON.stringify(q.policy));
  for (const key of ["model", "since", "trace"]) if (q[key]) query.set(key, q[key]);
  return "/what-if?" + query;
}

form.addEventListener("submit", (e) => {
  e.preventDefault();
  refuse("");
  let q;
  try {
    q = question();
  } catch {
    return refuse("The policy is no JSON: mend it, or begin with the present one.");
  }
  if (!q) return refuse("Nothing is otherwise yet: leave something out, change something, say yes to something, or set a number to another value.");
  if (address(q) !== location.pathname + location.search) history.pushState({}, "", address(q));
  run(q);
});

async function run(q) {
  asking?.abort();
  const mine = new AbortController();
  asking = mine;
  for (const node of form.querySelectorAll(".setting .refused")) node.remove();
  answer.replaceChildren();
  wait.hidden = false;
  $("#waited").removeAttribute("value");
  $("#waits").textContent = "Deciding anew";
  try {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const got = await streamed("POST", "/api/replay", {
      body: { ...q, zone }, signal: mine.signal,
      told: (p) => {
        Object.assign($("#waited"), { max: p.tail, value: p.position });
        $("#waits").textContent = "Deciding anew: " + paced(p);
      },
    });
    if (asking === mine) {
      answer.replaceChildren(...outcomes(got, supposing(q)));
      answer.focus({ preventScroll: true });
      answer.scrollIntoView({ block: "start" });
    }
  } catch (e) {
    if (asking !== mine) return;
    if (mine.signal.aborted) answer.replaceChildren(el("p", { class: "soft" }, "Cancelled. Nothing was changed by it."));
    else at(e);
  }
  if (asking === mine) {
    asking = undefined;
    wait.hidden = true;
  }
}

// supposing says a question in words.
function supposing(q) {
  const said = (id) => `“${document.querySelector(`.chips [data-id="${CSS.escape(id)}"] .what`)?.textContent ?? id}”`;
  const meant = ([name, value]) => {
    const { value: is } = settings.find((i) => i.dataset.set === name).dataset;
    return `${name} had been ${value} instead of ${is}`;
  };
  return [
    ...(q.without ?? []).map((id) => `${said(id)} had not come in`),
    ...(q.approve ?? []).map((id) => `you had said yes to ${said(id)}`),
    ...(q.edit ?? []).map((e) => `${e.field} of ${said(e.envelope_id)} had been “${e.value}”`),
    ...Object.entries(q.set ?? {}).map(meant),
    q.policy && "another policy had been in force",
    q.model && `${q.model} had answered`,
  ].filter(Boolean);
}

// at shows what is wrong beside what caused it.
function at(error) {
  refuse(error.message);
  const input = settings.find((i) => i.dataset.set === error.field);
  if (!input) return;
  for (let part = input.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
  input.setAttribute("aria-invalid", "true");
  input.parentElement.append(el("p", { class: "refused" }, error.message));
  input.focus();
}

$("#stop").addEventListener("click", () => {
  asking?.abort();
  $("#ask").focus();
});
addEventListener("popstate", () => location.reload());

ready("whatif");

// A question that came with the address is asked at once, unless it costs money.
if ("asked" in form.dataset && !form.dataset.model) form.requestSubmit();
