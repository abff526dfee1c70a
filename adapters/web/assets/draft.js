// What the person has written and not sent, and what was sent without an answer: kept
// for this tab, so that neither loading the page again nor a login takes it.

const place = "chalie-draft";

// kept is what was there last.
export function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(place)) ?? {};
  } catch {
    return {};
  }
}

// keep replaces a part of it.
export function keep(part) {
  try {
    sessionStorage.setItem(place, JSON.stringify({ ...kept(), ...part }));
  } catch {
    // The browser keeps nothing: what was written is in the page alone.
  }
}
