// Has the whole log walked, says how far that is, and tells what was found.

import { again, ask } from "/assets/key.js";
import { el, grouped as number } from "/assets/dom.js";
import { eachLine } from "/assets/stream.js";
import { ready } from "/assets/ready.js";

const [start, cancel, progress, bar, said, result] = ["verify", "cancel", "progress", "bar", "said", "result"].map((id) => document.getElementById(id));
const span = (from, through) => (!through || from === through ? number(from) : `${number(from)} to ${number(through)}`);
const command = (name) => el("code", {}, start.dataset.command.replace("{}", name));
const many = (n, one, more) => (n === 1 ? "1 " + one : number(n) + " " + more);
let ending;

start.addEventListener("click", async () => {
  ending = new AbortController();
  start.hidden = true;
  cancel.hidden = progress.hidden = false;
  cancel.focus();
  bar.removeAttribute("value");
  said.textContent = "Beginning";
  result.replaceChildren();
  try {
    result.replaceChildren(...told(await walk(ending.signal)));
  } catch (e) {
    const cancelled = ending.signal.aborted;
    result.replaceChildren(el("p", { class: cancelled ? "alert info" : "alert error" }, cancelled ? "You cancelled it, so nothing is known of the rest. Nothing was changed." : `It was broken off: ${e.message} Try again.`));
  }
  const focused = document.activeElement === cancel || document.activeElement === document.body;
  start.hidden = false;
  start.textContent = "Verify it again";
  cancel.hidden = progress.hidden = true;
  if (focused) start.focus();
});

cancel.addEventListener("click", () => ending.abort());

// walk reads the answer line by line: progress, and the result last.
async function walk(signal) {
  const answer = await ask("/api/verify", { signal });
  if (answer.status === 401) location.assign(again());
  if (!answer.ok) throw new Error((await answer.json().catch(() => ({}))).error ?? `Chalie answered ${answer.status}.`);
  let last;
  await eachLine(answer, (line) => step((last = line)));
  if (last?.ok === undefined) throw new Error("The answer ended before the result.");
  return last;
}

function step({ position, tail, rate }) {
  if (tail === undefined) return;
  bar.max = Math.max(1, tail);
  bar.value = position;
  const left = rate > 0 ? Math.ceil((tail - position) / rate) : undefined;
  said.textContent = `position ${number(position)} of ${number(tail)}${rate ? `, ${number(rate)} a second` : ""}${left === undefined ? "" : `, about ${left < 90 ? many(left, "second", "seconds") : many(Math.ceil(left / 60), "minute", "minutes")} left`}`;
}

function told({ ok, records, problems, more, lost = 0, lost_at = [], retired = 0 }) {
  if (ok) {
    const sound = el("p", { class: "alert success" }, el("strong", {}, "The log is sound. "), `${many(records - lost, "record is as it was written", "records are as they were written")}.`);
    const went = retired ? [el("p", { class: "alert info" }, `${many(retired, "record", "records")} went when their time to be kept was over, and are no damage.`)] : [];
    if (!lost) return [sound, ...went];
    const where = lost_at.map(({ from, through }) => span(from, through)).join(", ");
    return [sound, el("p", { class: "alert info" }, `${many(lost, "record is", "records are")} lost since a repair or an import, and named so: ${where}.`), ...went];
  }
  return [
    el("p", { class: "alert error" }, el("strong", {}, "The log is damaged. "), `${many(problems.length + (more ?? 0), "thing is", "things are")} not as they were written; ${many(records, "record is", "records are")}.`),
    el("h2", {}, "What to do"),
    el("ol", {},
      el("li", {}, "Don't delete anything. What is sound can still be read: ", command("export --out chalie.jsonl"), " writes it to a file."),
      el("li", {}, "Look at the disk: damage seldom comes alone."),
      el("li", {}, "Restore the data directory's log from a copy, and start Chalie on it. Everything else is folded again from it."),
      el("li", {}, "Without a copy, stop Chalie and run ", command("repair"), ". It saves what can be read, names what is lost, and keeps the damaged log.")),
    el("h2", {}, "What is wrong"),
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "What is wrong" }, el("table", { class: "full" },
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Position"), el("th", { scope: "col" }, "What is wrong"))),
      el("tbody", {}, problems.map((p) => el("tr", {}, el("td", { class: "number" }, p.position ? span(p.position, p.through) : "none"), el("td", { dir: "auto" }, p.error)))))),
    more ? el("p", { class: "facts" }, `And ${number(more)} more.`) : undefined,
  ].filter(Boolean);
}
ready("system_verify");
