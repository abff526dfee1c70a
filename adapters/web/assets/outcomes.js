// Writes what would have come otherwise.

import { el, clock } from "/assets/dom.js";

const atOnce = 50; // more are shown when they are asked for

// outcomes are the nodes of an answer; supposed says in words what was asked.
export function outcomes({ identical, traces, skipped, aside: rested, open, outcomes: list, asked, lacks }, supposed) {
  const aside = [
    asked && spent(asked),
    skipped && `${several(skipped, "trace was", "traces were")} taken as they were: something in them was erased, or went.`,
    rested && `${several(rested, "trace was", "traces were")} taken as they were: without the change they would come otherwise, too, because something went from the log.`,
    open && `${several(open, "trace", "traces")} had no end yet when the log ended.`,
    lacks && `${lacks}.`,
  ].filter(Boolean);
  const facts = aside.length ? el("p", { class: "facts" }, aside.join(" ")) : undefined;
  const heading = [el("h2", {}, "What would have come otherwise"), el("p", { dir: "auto" }, `If ${supposed.join(", and ")}:`)];
  if (traces === 0) return [...heading, el("p", { class: "alert info" }, "There is nothing to decide anew: Chalie decided nothing there."), facts].filter(Boolean);
  if (identical) return [...heading, el("p", { class: "alert success" }, `Nothing would change: ${several(traces, "trace", "traces")} would have come to the same end.`), facts].filter(Boolean);
  const kinds = Object.entries(Object.groupBy(list, (o) => o.change)).map(([name, of]) => `${of.length} ${name}`);
  const items = el("ol", { class: "ends" });
  const rest = el("button", { type: "button" }, "");
  const more = () => {
    for (const o of list.slice(items.childElementCount, items.childElementCount + atOnce)) items.append(one(o));
    const left = list.length - items.childElementCount;
    rest.hidden = left === 0;
    rest.textContent = `Show the next ${Math.min(left, atOnce)} of ${left}`;
  };
  rest.addEventListener("click", () => {
    const first = items.childElementCount;
    more();
    items.children[first].querySelector("a").focus();
  });
  more();
  return [...heading, el("p", { class: "lead" }, `${several(list.length, "trace", "traces")} of ${traces.toLocaleString()} would have come otherwise: ${kinds.join(", ")}.`), facts, items, rest].filter(Boolean);
}

// spent says what was asked of a model, and what that took.
function spent({ model, questions, usage: u }) {
  const tokens = `${(u.input_tokens + u.cache_read_tokens + u.cache_write_tokens).toLocaleString()} tokens in, ${u.output_tokens.toLocaleString()} out`;
  const cost = u.cost_micros ? `, $${u.cost_micros / 1e6}` : "; it is free, or its price isn't known";
  return `${model} was asked ${several(questions, "question", "questions")}: ${tokens}${cost}.`;
}

const several = (n, one, many) => `${n.toLocaleString()} ${n === 1 ? one : many}`;

const looks = { gone: "error", new: "success", different: "info", "can't be told": "warning" };

function one(o) {
  const at = o.recorded.at || o.replayed.at;
  return el("li", { class: "end" },
    el("p", {}, el("span", { class: `badge ${looks[o.change]}` }, o.change), " ", at ? el("span", { class: "facts" }, el("time", { datetime: new Date(at).toISOString() }, clock(at))) : undefined),
    o.sentences.map((s) => el("p", { dir: "auto" }, s)),
    el("p", { class: "links" }, el("a", { href: "/why/" + o.trace_id }, "Why it came as it did"), " ", el("a", { href: "/traces/" + o.trace_id }, "Its trace")),
    el("details", {}, el("summary", {}, "Before and after"),
      el("div", { class: "columns" }, ending("As it was", o.recorded), ending("As it would have been", o.replayed))));
}

function ending(title, e) {
  return el("div", {}, el("h3", {}, title), el("p", { class: "soft" }, e.words),
    e.text ? el("p", { dir: "auto", class: "plain" }, e.text) : undefined,
    e.calls?.length ? el("ul", {}, e.calls.map((c) => el("li", {}, el("code", {}, c.tool), " ", c.words))) : undefined,
    e.waits?.length ? el("p", { dir: "auto" }, "Waits for approval: ", e.waits.join("; ")) : undefined);
}
