// Asks why not: to try what would have helped makes decisions of a whole log again.

import { Work } from "/assets/work.js";

const place = document.querySelector("#answer");

function words({ trying }) {
  return trying ? `Making the decision again: what if ${trying}?` : "Looking through what was decided";
}

if (!("there" in place.dataset)) {
  place.setAttribute("aria-live", "polite");
  new Work(place, words).run(location.pathname + "?part=answer");
}
