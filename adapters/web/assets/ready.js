// What does nothing without a module is written disabled: pressed before, it would be
// lost, or a form would send its fields into the address. Each module wakes its own,
// once it listens.

// ready wakes what waits for a module.
export function ready(module) {
  for (const control of document.querySelectorAll(`[data-waits="${module}"]`)) {
    control.disabled = false;
    control.removeAttribute("data-waits");
  }
}
