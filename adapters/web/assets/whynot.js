// Asks why not: to try what would have helped makes decisions of a whole log again.

import { el } from "/assets/dom.js";
import { Work } from "/assets/work.js";

const place = document.querySelector("#answer");

function words({ trying }) {
  return trying ? `Making the decision again: what if ${trying}?` : "Looking through what was decided";
}

if (!("there" in place.dataset)) {
  place.setAttribute("aria-live", "polite");
  const answered = await new Work(place, words).run(location.pathname + "?part=answer");
  if (!answered) place.append(el("p", {}, el("a", { class: "button", href: "/why-not" }, "Ask about something else")));
}
