// Keeps the focus where the person is. What is taken away, moved or hidden while it has
// the focus would let it fall to the top of the page.

// keepFocus makes a change. When that takes the focus away, what had it gets it back;
// when that is gone, the element that instead() gives, which is made able to have it.
export function keepFocus(change, instead) {
  const had = document.activeElement;
  change();
  const there = had.isConnected && had.checkVisibility();
  if (had === document.body || (there && had === document.activeElement)) return;
  const next = there ? had : instead();
  if (!next) return;
  if (next.tabIndex < 0) next.tabIndex = -1;
  next.focus({ preventScroll: true });
}
