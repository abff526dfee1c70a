// Replays what the form says, and keeps the question in the address, so that it can be
// shared; and accepts what it found.

import { doing } from "/assets/act.js";
import { json } from "/assets/dom.js";
import { Work, leftOf } from "/assets/work.js";

const form = document.querySelector("#replay");

function words(progress) {
  const { position, rate } = progress;
  if (!position) return "Deciding it again";
  return [`At position ${position.toLocaleString()} of ${progress.tail.toLocaleString()}`, `${rate.toLocaleString()} a second`, leftOf(progress)].filter(Boolean).join(", ");
}

const work = new Work(document.querySelector("#report"), words);

function question() {
  const asked = new FormData(form), what = asked.get("what"), query = new URLSearchParams({ what });
  if (what === "trace" || what === "since") query.set(what, asked.get(what));
  return query;
}

function begin() {
  const query = question();
  history.replaceState(null, "", "/replay?" + query);
  query.set("part", "report");
  work.run("/replay?" + query);
}

form.addEventListener("submit", (e) => {
  e.preventDefault();
  begin();
});
// What isn't known is accepted as the report has it; then it is looked at again.
document.querySelector("#report").addEventListener("submit", async (e) => {
  e.preventDefault();
  const accepts = JSON.parse(e.target.dataset.accepts);
  if (await doing(e.submitter, (signal) => json("POST", "/api/replay/accepted", accepts, signal))) begin();
});
// A trace is asked for by its id, so there has to be one.
function needed() {
  form.elements.trace.required = new FormData(form).get("what") === "trace";
}
form.addEventListener("change", needed);
needed();
// Who fills in a field means it.
for (const name of ["trace", "since"]) form.elements[name].addEventListener("input", () => {
  form.querySelector(`[value=${name}]`).checked = true;
  needed();
});
if ("asked" in form.dataset) begin();
