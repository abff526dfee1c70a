// Opens a page by itself once Chalie has started.

const every = 1000;

async function look() {
  if (document.visibilityState !== "visible") return;
  const answer = await fetch("/ready").catch(() => undefined);
  if (answer?.ok) location.reload();
}

if (document.querySelector("#starting")) {
  setInterval(look, every);
  document.addEventListener("visibilitychange", look);
}
