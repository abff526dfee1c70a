// Makes a pairing key, and shows how long it is good for.

import { json } from "/assets/dom.js";
import { say } from "/assets/act.js";

const shown = document.querySelector("#key");
const left = document.querySelector("#left");
const secret = document.querySelector("#secret");
let ticking;

document.querySelector("#pair").addEventListener("click", async () => {
  say("");
  try {
    const key = await json("POST", "/api/interfaces/pairing-key");
    document.querySelector("#address").textContent = `${key.host}:${key.port}`;
    secret.textContent = key.pairing_key;
    shown.hidden = false;
    count(Date.now() + key.expires_in_seconds * 1000);
  } catch (e) {
    say(e.message);
  }
});

// count goes down, and looks for the interface that used the key.
function count(end) {
  const before = document.querySelectorAll(".entry .name").length;
  clearInterval(ticking);
  const tick = async () => {
    const seconds = Math.max(0, Math.round((end - Date.now()) / 1000));
    left.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")} more`;
    if (seconds === 0) {
      clearInterval(ticking);
      secret.textContent = "expired: make a new one";
    }
    if (seconds % 3 === 0 && document.visibilityState === "visible") {
      const apps = await json("GET", "/api/apps").catch(() => undefined);
      const streams = document.querySelectorAll("span.name").length;
      if (apps && apps.length > before - streams) location.reload();
    }
  };
  tick();
  ticking = setInterval(tick, 1000);
}

document.querySelector("#copy").addEventListener("click", async (e) => {
  await navigator.clipboard.writeText(secret.textContent);
  e.target.textContent = "Copied";
});
