// Makes a pairing key, shows how long it is good for, and who came in with it.

import { say } from "/assets/act.js";
import { json } from "/assets/dom.js";
import { ready } from "/assets/ready.js";

const shown = document.querySelector("#key");
const left = document.querySelector("#left");
const secret = document.querySelector("#secret");
const every = 3000; // between two looks for who came in
let ticking;
let looking;

document.querySelector("#pair").addEventListener("click", async () => {
  say("");
  try {
    const before = new Set((await json("GET", "/api/apps")).map((a) => a.id));
    const key = await json("POST", "/api/interfaces/pairing-key");
    const here = `http://${key.host}:${key.port}`;
    document.querySelector("#address").textContent = here;
    secret.textContent = key.pairing_key;
    const command = document.querySelector("#command");
    command.textContent = command.dataset.run.replace("{}", () => `demo restaurant --key ${key.pairing_key} --chalie ${here}`);
    shown.hidden = false;
    shown.focus({ preventScroll: true });
    count(Date.now() + key.expires_in_seconds * 1000);
    look(before);
  } catch (e) {
    say(e.message);
  }
});

// count goes down to the second in which the key is of no use any more.
function count(end) {
  clearInterval(ticking);
  const tick = () => {
    const seconds = Math.max(0, Math.round((end - Date.now()) / 1000));
    left.textContent = `for ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")} more`;
    if (seconds > 0) return;
    clearInterval(ticking);
    clearInterval(looking);
    left.textContent = "which was not made in time: press Pair an interface for a new one";
    secret.textContent = "expired";
  };
  tick();
  ticking = setInterval(tick, 1000);
}

// look waits for an interface that wasn't there before.
function look(before) {
  clearInterval(looking);
  looking = setInterval(async () => {
    if (document.visibilityState !== "visible") return;
    const apps = await json("GET", "/api/apps").catch(() => []);
    const came = apps.find((a) => !before.has(a.id));
    if (came) location.assign(`/interfaces/${came.id}`);
  }, every);
}

ready("pairing");
