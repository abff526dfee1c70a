// A trace: replays it when asked, and says whether today's code decides alike.

import "/assets/times.js";
import { el } from "/assets/dom.js";

const button = document.querySelector("#replay");
const says = document.querySelector("#replayed");

for (const bar of document.querySelectorAll("[data-left]")) bar.style.setProperty("--left", bar.dataset.left / 10 + "%");

button.addEventListener("click", async () => {
  button.disabled = true;
  says.replaceChildren(el("p", { class: "stage" }, "Deciding it again"));
  try {
    const answer = await fetch("/api/replay", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ trace: button.dataset.trace }) });
    const lines = (await answer.text()).trim().split("\n");
    const report = JSON.parse(lines.at(-1));
    if (!answer.ok || report.error) throw new Error(report.error || `Chalie answered ${answer.status}.`);
    says.replaceChildren(told(report));
  } catch (e) {
    says.replaceChildren(el("p", { class: "alert error" }, e.message));
  }
  button.disabled = false;
});

function told({ identical, steps, divergence: d, without_decisions: none }) {
  if (none) return el("p", { class: "alert info" }, "Nothing was decided in it, so there is nothing to decide again.");
  if (identical) return el("p", { class: "alert success" }, `Today's code decides it as it was decided: ${steps} decisions are the same.`);
  const value = (v) => el("pre", { tabindex: "0" }, JSON.stringify(v, null, 2));
  return el("div", { class: "alert warning" },
    el("p", {}, `It comes out differently, first in ${d.field} of ${d.type} at position ${d.position}.`),
    el("div", { class: "columns" },
      el("div", {}, el("h3", {}, `Recorded, by build ${d.versions.recorded.build || "unknown"}`), value(d.recorded)),
      el("div", {}, el("h3", {}, `Today, by build ${d.versions.replayed.build || "unknown"}`), value(d.replayed))));
}
