// Opens the page that was asked for. A link brings the session's cookie alone, and that
// opens nothing here: the page is asked for again with the key, and takes this one's place.

import { again, ask, key } from "/assets/key.js";

// fill puts the page in the place of this document, as if it had come at once. A document
// that is written counts as complete before its modules ran, so it says of itself that it
// waits for them.
async function fill(text) {
  document.open();
  document.write(text);
  document.close();
  const root = document.documentElement;
  root.dataset.opens = "";
  // What a browser does for a page that comes at once: who goes back is where they were.
  addEventListener("pagehide", () => history.replaceState({ ...history.state, top: scrollY }, ""));
  if (history.state?.top) scrollTo({ top: history.state.top, behavior: "instant" });
  else if (location.hash) location.replace(location.hash); // goes there; nothing is loaded
  for (const script of document.querySelectorAll("script[type=module]")) await import(script.src).catch(() => {});
  delete root.dataset.opens;
}

// raw shows what isn't a page, such as the JSON that a link leads to.
function raw(text) {
  const pre = document.createElement("pre");
  pre.textContent = text;
  document.body.replaceChildren(pre);
}

async function open() {
  if (!key()) return location.replace(again());
  let answer;
  let text;
  try {
    answer = await ask(location.href);
    text = await answer.text();
  } catch {
    document.querySelector("#unopened").hidden = false;
    return;
  }
  const at = new URL(answer.url);
  if (answer.redirected && at.pathname === "/login") return location.replace(at);
  if (answer.status === 401) return location.replace(again());
  if (answer.redirected) history.replaceState(history.state, "", at.pathname + at.search + location.hash);
  return answer.headers.get("Content-Type")?.startsWith("text/html") ? fill(text) : raw(text);
}

open();
