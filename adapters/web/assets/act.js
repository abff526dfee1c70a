// What is pressed and sent. A button or a form with data-call calls the API: the
// method and the path; a form sends its fields. Then the page is loaded again, or the
// one that data-then names. Elements that come later work, too.

import { announce } from "/assets/announce.js";
import { copy } from "/assets/copy.js";
import { el, json, localTimes } from "/assets/dom.js";
import { ready } from "/assets/ready.js";

const patience = 1000; // ms before it shows that something takes its time

// say tells something in the page's own place for it, if it has one.
export function say(text) {
  const banner = document.querySelector("[data-says]");
  if (!banner) return;
  banner.textContent = text;
  banner.hidden = !text;
}

// fault says beside a control, or beside the field of its form that an error names,
// what went wrong, and returns where; "" takes it back. Focus stays where it is.
export function fault(control, text, field) {
  for (const old of (control.form ?? control.parentElement).querySelectorAll(":scope .fault")) old.remove();
  for (const old of control.form?.querySelectorAll("[aria-invalid]") ?? []) old.removeAttribute("aria-invalid");
  if (!text) return undefined;
  const wrong = field && control.form?.elements.namedItem(field);
  const told = el("p", { class: "refused fault", role: "alert", dir: "auto" }, sentence(named(text, wrong, field)));
  if (wrong instanceof HTMLElement) wrong.setAttribute("aria-invalid", "true");
  (wrong instanceof HTMLElement ? wrong : control).after(told);
  return told;
}

// named has a text call a field what the page calls it, where it begins with the API's
// name for it.
function named(text, input, field) {
  const label = input instanceof HTMLElement && input.labels?.[0]?.firstChild?.textContent.trim();
  return label && text.startsWith(field + " ") ? label + text.slice(field.length) : text;
}

// What was wrong with a field isn't any more once it is typed in.
document.addEventListener("input", (e) => {
  if (!e.target.hasAttribute("aria-invalid") || !e.target.nextElementSibling?.matches(".fault")) return;
  e.target.removeAttribute("aria-invalid");
  e.target.nextElementSibling.remove();
});

const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1) + (/[.?!…]$/.test(text) ? "" : ".");

// doing does some work for a control: it can't be pressed again meanwhile, what takes
// over a second shows and can be given up, and what goes wrong is said beside it. The
// answer is that of the work, undefined when it failed.
export async function doing(control, work) {
  if (control.getAttribute("aria-disabled") === "true") return undefined;
  fault(control, "");
  const given = new AbortController();
  const stop = el("button", { type: "button", class: "link" }, "Stop waiting");
  const progress = el("span", { class: "stage waits", role: "status" }, "Still at it ");
  stop.addEventListener("click", () => given.abort());
  control.setAttribute("aria-disabled", "true");
  const slow = setTimeout(() => control.after(progress, stop), patience);
  try {
    return await work(given.signal);
  } catch (e) {
    if (stop === document.activeElement) control.focus();
    const told = fault(control, given.signal.aborted ? "You stopped waiting. It may have been done all the same: look again in a moment." : e.message, e.field);
    told?.toggleAttribute("data-away", Boolean(e.away));
    return undefined;
  } finally {
    clearTimeout(slow);
    progress.remove();
    stop.remove();
    control.removeAttribute("aria-disabled");
  }
}

async function call(node, control, body) {
  if (node.dataset.confirm && !confirm(node.dataset.confirm)) return;
  const [method, path] = node.dataset.call.split(" ");
  say("");
  const done = await doing(control, (signal) => json(method, path, body, signal));
  const failed = document.querySelector(node.dataset.failed ?? "#none");
  if (failed) failed.hidden = Boolean(done);
  if (!done) return;
  if (node.dataset.then) location.assign(node.dataset.then);
  else location.reload();
}

document.addEventListener("click", (e) => {
  const button = e.target.closest("button[data-call]");
  if (button) call(button, button);
  const copies = e.target.closest("button[data-copy]");
  if (copies) copied(copies);
});

document.addEventListener("submit", (e) => {
  const form = e.target.closest("form[data-call]");
  if (!form) return;
  e.preventDefault();
  call(form, e.submitter ?? form.querySelector("button:not([type=button])"), Object.fromEntries(new FormData(form)));
});

// copied copies the text of the element that data-copy selects, and says so. Where the
// browser lets no page copy, the text is selected at least.
async function copied(button) {
  const from = document.querySelector(button.dataset.copy);
  const done = await copy(from.textContent);
  if (!done) getSelection().selectAllChildren(from);
  const says = done ? "Copied" : "Selected: press Ctrl-C, or ⌘-C";
  announce(says);
  if (button.dataset.copied) return; // it says so still
  button.dataset.copied = "yes";
  const before = [...button.childNodes];
  button.replaceChildren(says);
  setTimeout(() => {
    button.replaceChildren(...before);
    delete button.dataset.copied;
  }, 3000);
}

localTimes(document);
ready("act");
