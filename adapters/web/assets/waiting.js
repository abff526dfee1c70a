// How many things wait for the person's approval, in the navigation. Whatever Chalie is
// asked anyway says so: nothing is asked for this alone.

// tellsWaiting takes it from an answer.
export function tellsWaiting(answer) {
  const waiting = answer.headers.get("Chalie-Approvals-Waiting");
  if (waiting === null) return;
  for (const badge of document.querySelectorAll("[data-waiting]")) {
    badge.querySelector(".number").textContent = waiting;
    badge.hidden = waiting === "0";
  }
}
