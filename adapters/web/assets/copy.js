// Puts a text on the clipboard. Where the page isn't trusted with it, as over plain
// http from another machine, the browser's older way is tried.

export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return byHand(text);
  }
}

function byHand(text) {
  const back = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.readOnly = true;
  field.className = "unseen";
  document.body.append(field);
  field.select();
  let done = false;
  try {
    done = document.execCommand("copy");
  } catch {
    // It says no below.
  }
  field.remove();
  back?.focus?.();
  return done;
}
