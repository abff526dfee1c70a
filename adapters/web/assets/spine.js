// The spine: how the services are, as they are now.

import { Renewed } from "/assets/renew.js";

const spine = document.querySelector("#spine");

// age is how long ago something was, in its largest unit.
function age(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 100) return `${seconds} s ago`;
  if (seconds < 6000) return `${Math.round(seconds / 60)} min ago`;
  return `${Math.round(seconds / 3600)} h ago`;
}

function ages() {
  for (const t of spine.querySelectorAll("time.since")) t.textContent = age(Date.now() - new Date(t.dateTime));
}

new Renewed(spine, { part: "spine", pause: () => 3000, changed: ages });
ages();
setInterval(ages, 1000);
