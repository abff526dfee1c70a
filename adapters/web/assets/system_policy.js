// The policy: edited as JSON or by its three numbers, considered by Chalie before it is
// put in force, and taken back to what was.

import { ask } from "/assets/key.js";
import { el, json } from "/assets/dom.js";
import { localTimes } from "/assets/renew.js";
import { ready } from "/assets/ready.js";
import { listen } from "/assets/does.js";

const form = document.querySelector("#edit");
const text = document.querySelector("#text");
const shown = document.querySelector("#considered");
const put = document.querySelector("#put");
const texts = JSON.parse(document.querySelector("#texts").textContent);
const fields = ["autonomy", "approval_minutes", "max_depth"].map((name) => form.elements[name]);

localTimes(document);

// The three fields say what the text says, and the text what they say.
function read() {
  try {
    const policy = JSON.parse(text.value);
    for (const f of fields) {
      f.value = policy[f.name] ?? "";
      f.disabled = false;
    }
  } catch {
    for (const f of fields) f.disabled = true; // until the text can be read again
  }
}
for (const f of fields) {
  f.addEventListener("input", () => {
    const value = f.name === "autonomy" ? JSON.stringify(f.value) : f.value || "null";
    text.value = text.value.replace(new RegExp(`("${f.name}"\\s*:\\s*)("[^"]*"|[-\\w.]+)`), (_, name) => name + value);
    changed();
  });
}

function changed() {
  put.hidden = true;
  shown.replaceChildren();
  text.removeAttribute("aria-invalid");
}
text.addEventListener("input", () => {
  changed();
  read();
});
read();

function write(value) {
  text.value = value;
  changed();
  read();
  text.focus();
  text.setSelectionRange(0, 0);
}
document.querySelector("#back").addEventListener("click", () => write(texts.now));
document.querySelector("#default").addEventListener("click", () => write(texts.default));

form.addEventListener("submit", async (e) => {
  e.preventDefault();
  changed();
  shown.replaceChildren(el("p", { class: "stage" }, "Reading it"));
  const asked = text.value;
  try {
    const answer = await ask("/system/policy?against=" + encodeURIComponent(form.dataset.regime), { method: "POST", headers: { "Content-Type": "application/json" }, body: asked });
    const part = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!answer.ok) throw new Error(part.querySelector("main p")?.textContent ?? `Chalie answered ${answer.status}.`);
    if (asked !== text.value) return; // it was changed meanwhile
    shown.replaceChildren(...part.body.childNodes);
  } catch (error) {
    shown.replaceChildren(el("p", { class: "alert error" }, error.message));
    return;
  }
  const good = shown.querySelector("[data-good]");
  put.hidden = good === null;
  if (good) texts.now = good.dataset.now;
  const wrong = shown.querySelector("[data-line]");
  if (wrong) point(Number(wrong.dataset.line), Number(wrong.dataset.column));
});

// point marks the place of a mistake in the text.
function point(line, column) {
  const lines = text.value.split("\n");
  const begin = lines.slice(0, line - 1).reduce((n, l) => n + l.length + 1, 0);
  const end = begin + (lines[line - 1]?.length ?? 0);
  const at = Math.min(end, begin + column - 1);
  text.setAttribute("aria-invalid", "true");
  text.focus();
  text.setSelectionRange(at, Math.max(at, end));
  const tall = text.scrollHeight / lines.length;
  text.scrollTop = Math.max(0, (line - 4) * tall);
}

put.addEventListener("click", async () => {
  if (put.getAttribute("aria-disabled") === "true") return;
  put.setAttribute("aria-disabled", "true"); // not disabled: the focus would be lost
  try {
    // In place of the rules that the difference was shown against, and of no others.
    const against = shown.querySelector("[data-good]").dataset.good;
    await json("PUT", "/api/policy", JSON.parse(text.value), undefined, { "If-Match": `"${against}"` });
    location.assign("/system/policy");
  } catch (error) {
    if (error.code === "policy_changed") {
      put.removeAttribute("aria-disabled");
      form.requestSubmit(); // shows what it would change now
      return;
    }
    shown.replaceChildren(el("p", { class: "alert error", role: "alert" }, error.message));
    put.removeAttribute("aria-disabled");
  }
});

listen(() => location.assign("/system/policy"));
ready("system_policy");
