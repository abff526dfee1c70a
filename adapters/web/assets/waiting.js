// How many things wait for the person's approval, and how many interfaces for a right, in the
// navigation. Whatever Chalie is
// asked anyway says so: nothing is asked for this alone. And so it is with what the person
// has to know of their login.

// tellsWaiting takes it from an answer, and whether the person's login was used elsewhere.
export function tellsWaiting(answer) {
  const elsewhere = answer.headers.get("Chalie-Sessions-Elsewhere");
  const used = document.querySelector("#used");
  if (elsewhere !== null && used) {
    const open = (answer.headers.get("Chalie-Sessions-Elsewhere-Open") ?? "0") !== "0";
    used.hidden = elsewhere === "0";
    for (const says of used.querySelectorAll("[data-used]")) says.hidden = (says.dataset.used === "open") !== open;
  }
  counts("[data-waiting]", answer.headers.get("Chalie-Approvals-Waiting"));
  counts("[data-asking]", answer.headers.get("Chalie-Rights-Asked"));
}

function counts(badges, number) {
  if (number === null) return;
  for (const badge of document.querySelectorAll(badges)) {
    badge.querySelector(".number").textContent = number;
    badge.hidden = number === "0";
  }
}
