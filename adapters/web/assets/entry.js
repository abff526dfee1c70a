// The pages at the door: a password can be shown, and the rule for a new one says
// when it is kept.

for (const box of document.querySelectorAll("[data-reveals]")) {
  const field = document.getElementById(box.dataset.reveals);
  box.closest("label").hidden = false;
  box.addEventListener("change", () => (field.type = box.checked ? "text" : "password"));
  // What was shown is sent, and remembered by the browser, as a password.
  field.form.addEventListener("submit", () => (field.type = "password"));
}

const rule = document.querySelector("[data-least]");
if (rule) {
  const field = document.querySelector("#password");
  const least = Number(rule.dataset.least);
  const before = rule.textContent;
  field.addEventListener("input", () => {
    const missing = least - [...field.value].length;
    rule.classList.toggle("kept", missing <= 0);
    rule.textContent = field.value === "" ? before : missing > 0 ? `At least ${missing} more.` : "Long enough.";
  });
}
