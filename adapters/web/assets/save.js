// What is saved as a file the browser gets by itself, and can show no key: the link is
// given a pass, for once.

import { el, json } from "/assets/dom.js";

document.addEventListener("click", (e) => {
  const link = e.target.closest("a[download]");
  if (!link || link.dataset.passed) return;
  e.preventDefault();
  save(link);
});

async function save(link) {
  link.parentElement.querySelector(":scope > .unsaved")?.remove();
  try {
    const { path } = await json("POST", "/api/passes", { path: link.getAttribute("href") });
    const file = el("a", { href: path, download: link.download, "data-passed": "yes" });
    document.body.append(file);
    file.click();
    file.remove();
  } catch (failure) {
    link.after(el("span", { class: "refused unsaved", role: "alert" }, " It could not be saved: " + failure.message));
  }
}
