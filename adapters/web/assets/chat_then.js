// The conversation as it was: what had been said and what had happened on the way,
// with nothing to press that would act.

import { json } from "/assets/dom.js";
import { Exchange } from "/assets/exchange.js";
import { view } from "/assets/view.js";
import { ready } from "/assets/ready.js";

const page = 10; // exchanges at a time
const still = { changed() {}, past: true };

function made(exchanges) {
  return exchanges.map((said) => {
    const x = new Exchange(said.id, still);
    x.tell(said);
    return x.root;
  });
}

function fill() {
  const recent = view.querySelector("#recent");
  if (!recent) return;
  const list = view.querySelector("#exchanges");
  const earlier = view.querySelector("#earlier");
  list.replaceChildren(...made(JSON.parse(recent.textContent).exchanges));
  const at = "pos:" + view.dataset.position;
  earlier.addEventListener("click", async () => {
    earlier.disabled = true;
    try {
      const before = await json("GET", `/conversation/recent?steps=true&at=${at}&limit=${page}&offset=${list.childElementCount}`);
      list.prepend(...made(before.exchanges));
      earlier.parentElement.hidden = !before.has_more;
    } catch (e) {
      earlier.after(" " + e.message);
    }
    earlier.disabled = false;
  });
  ready("chat_then");
}

view.addEventListener("filled", fill);
fill();
