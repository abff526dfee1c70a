// The projections as they are, and their rebuilds as they go: often while one does.

import { Renewed } from "/assets/renew.js";
import { listen } from "/assets/does.js";
import { announce } from "/assets/announce.js";
import { json } from "/assets/dom.js";
import { ready } from "/assets/ready.js";

const folds = document.querySelector("#folds");
const busy = () => folds.querySelector("[data-busy]") !== null;
let before = new Set();

const running = () => new Set([...folds.querySelectorAll(".fold:has(.work)")].map((f) => f.dataset.key));

// A screen reader hears beginnings and ends, not every step.
function tell() {
  const now = running();
  for (const name of before) {
    if (!now.has(name)) announce(folds.querySelector(`#fold-${CSS.escape(name)} .outcome p`)?.textContent ?? "");
  }
  for (const name of now) if (!before.has(name)) announce(`${name}: it has begun`);
  before = now;
}

before = running();
listen(() => renewed.look());

// Each has a cancelling of its own; one that ended meanwhile needs none.
folds.addEventListener("click", async (e) => {
  if (!e.target.closest("[data-cancel-all]")) return;
  await Promise.allSettled([...folds.querySelectorAll(".work button")].map((b) => json("DELETE", b.dataset.does.split(" ")[1])));
  await renewed.look();
});
ready("system_projections");

const renewed = new Renewed(folds, { part: "folds", pause: () => (busy() ? 400 : 5000), changed: tell });
