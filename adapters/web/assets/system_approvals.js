// What waits for the person, as it comes and goes, and the time that each has left.

import { Renewed } from "/assets/renew.js";
import { listen } from "/assets/does.js";
import { announce } from "/assets/announce.js";

const list = document.querySelector("#list");
const waiting = () => list.querySelectorAll("[data-until]").length;
let before = waiting();

function changed() {
  const now = waiting();
  if (now > before) announce(`${now} wait for your approval`);
  before = now;
  count();
}

listen(async (button, answer) => {
  announce(`${button.dataset.tells}. ${answer.summary ?? ""}`);
  await renewed.look();
});
const renewed = new Renewed(list, { part: "list", pause: () => (waiting() ? 2000 : 4000), changed });

// count says how long each still waits.
function count() {
  for (const left of list.querySelectorAll("[data-until]")) {
    const seconds = Math.max(0, Math.round((new Date(left.dataset.until) - Date.now()) / 1000));
    left.textContent = seconds > 90 ? `, ${Math.round(seconds / 60)} minutes more` : `, ${seconds} seconds more`;
  }
}
count();
setInterval(count, 1000);
