// A picture that is larger than its place: figure[data-picture] with an svg in it gets
// buttons, and zooms and moves by wheel, fingers, mouse and keys. One finger up or down
// scrolls the page, or nobody could get past it; two move the picture, and on the full
// screen one does. Without this module the figure scrolls.

import { el } from "/assets/dom.js";

const largest = 3; // pixels of the screen for one of the picture
const readable = 0.8; // below that its texts can't be read
const step = 1.3;
const nudge = 60;
const mostOfScreen = 0.72;
const lineHeight = 20; // of a wheel that turns by lines

class Picture {
  constructor(figure) {
    this.figure = figure;
    this.svg = figure.querySelector("svg");
    const [, , w, h] = this.svg.getAttribute("viewBox").split(" ").map(Number);
    Object.assign(this, { w, h, x: 0, y: 0, scale: 1, fingers: new Map() });
    this.view = el("div", { class: "view", tabindex: "0", role: "group", "aria-label": "The picture: arrow keys move it, plus and minus zoom, 0 shows all of it" }, this.svg);
    figure.replaceChildren(this.view, this.buttons());
    figure.classList.add("live");
    this.svg.setAttribute("width", "100%");
    this.svg.setAttribute("height", "100%");
    this.listen();
    this.resized(); // at once: who brings it into a page knows then how high it stands
    this.watch = new ResizeObserver(() => this.resized());
    this.watch.observe(this.view);
  }

  buttons() {
    const button = (name, label, act) => el("button", { type: "button", class: "quiet", "aria-label": label, title: label, onclick: act }, name);
    const bar = el("div", { class: "picture-bar", role: "toolbar", "aria-label": "Picture" },
      el("span", { class: "picture-hint" }, "Two fingers move and zoom it"),
      button("+", "Larger", () => this.zoom(step)), button("−", "Smaller", () => this.zoom(1 / step)), button("All", "All of it", () => this.fit()));
    if (document.fullscreenEnabled) {
      const full = button("Full screen", "Full screen", () => (document.fullscreenElement ? document.exitFullscreen() : this.figure.requestFullscreen()));
      this.figure.addEventListener("fullscreenchange", () => (full.textContent = document.fullscreenElement ? "Leave full screen" : "Full screen"));
      bar.append(full);
    }
    return bar;
  }

  get wide() { return this.view.clientWidth; }

  get high() { return this.view.clientHeight; }

  // whole is the scale at which all of it is seen.
  whole() { return Math.min(this.wide / this.w, this.high / this.h, 1); }

  // resized gives the picture its place.
  resized() {
    if (!this.wide || this.wide === this.before && this.high === this.tall) return;
    if (this.wide !== this.before) {
      const scale = Math.min(1, Math.max(readable, this.wide / this.w));
      this.view.style.setProperty("--tall", Math.ceil(Math.min(this.h * scale, innerHeight * mostOfScreen)) + "px");
      // Who hasn't moved it sees what it is about.
      if (!this.moved) [this.scale, this.x, this.y] = [scale, 0, 0];
    }
    [this.before, this.tall] = [this.wide, this.high];
    if (!this.moved) this.lookAt(this.svg.querySelector(".box-target"));
    this.show();
  }

  // lookAt brings a box into view, in the middle unless it is seen already.
  lookAt(box) {
    if (!box) return;
    const b = box.getBBox(), w = this.wide / this.scale, h = this.high / this.scale;
    if (b.x < this.x || b.x + b.width > this.x + w) this.x = b.x + b.width / 2 - w / 2;
    if (b.y < this.y || b.y + b.height > this.y + h) this.y = b.y + b.height / 2 - h / 2;
  }

  // show draws what is looked at, and never looks beside the picture.
  show() {
    const w = this.wide / this.scale, h = this.high / this.scale;
    const within = (at, shown, all) => (shown >= all ? (all - shown) / 2 : Math.min(Math.max(at, 0), all - shown));
    this.x = within(this.x, w, this.w);
    this.y = within(this.y, h, this.h);
    this.svg.setAttribute("viewBox", [this.x, this.y, w, h].map((n) => n.toFixed(2)).join(" "));
    this.view.classList.toggle("closer", this.scale > this.whole() * 1.01);
  }

  fit() {
    this.moved = true;
    this.scale = this.whole();
    this.show();
  }

  // zoom changes the scale and keeps a point where it is: the middle, or one of the screen.
  zoom(by, at) {
    this.moved = true;
    const frame = this.view.getBoundingClientRect();
    const px = at ? at.clientX - frame.left : this.wide / 2, py = at ? at.clientY - frame.top : this.high / 2;
    const to = Math.min(largest, Math.max(this.whole(), this.scale * by));
    this.x += px / this.scale - px / to;
    this.y += py / this.scale - py / to;
    this.scale = to;
    this.show();
  }

  move(dx, dy) {
    this.moved = true;
    this.x -= dx / this.scale;
    this.y -= dy / this.scale;
    this.show();
  }

  listen() {
    const v = this.view;
    v.addEventListener("wheel", (e) => this.wheel(e), { passive: false });
    // Two fingers are the picture's: the browser neither scrolls nor zooms the page by them.
    for (const touch of ["touchstart", "touchmove"]) v.addEventListener(touch, (e) => e.touches.length > 1 && e.cancelable && e.preventDefault(), { passive: false });
    v.addEventListener("keydown", (e) => this.key(e));
    v.addEventListener("dragstart", (e) => e.preventDefault());
    v.addEventListener("focusin", (e) => e.target.closest(".box") && (this.lookAt(e.target.closest(".box")), this.show()));
    v.addEventListener("pointerdown", (e) => this.down(e));
    v.addEventListener("pointermove", (e) => this.drag(e));
    for (const end of ["pointerup", "pointercancel"]) v.addEventListener(end, (e) => this.fingers.delete(e.pointerId));
    // What was dragged was not pressed.
    v.addEventListener("click", (e) => this.dragged && e.preventDefault(), true);
  }

  // wheel zooms who is at the picture, or pinches a touchpad; others scroll the page.
  wheel(e) {
    const here = this.view.contains(document.activeElement) || document.fullscreenElement === this.figure;
    if (!e.ctrlKey && !here) return;
    e.preventDefault();
    const pixels = e.deltaMode ? e.deltaY * lineHeight : e.deltaY;
    this.zoom(Math.exp(-Math.max(-60, Math.min(60, pixels)) / 250), e);
  }

  key(e) {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const moves = { ArrowLeft: [nudge, 0], ArrowRight: [-nudge, 0], ArrowUp: [0, nudge], ArrowDown: [0, -nudge] }[e.key];
    if (moves) this.move(...moves);
    else if (e.key === "+" || e.key === "=") this.zoom(step);
    else if (e.key === "-") this.zoom(1 / step);
    else if (e.key === "0") this.fit();
    else return;
    e.preventDefault();
  }

  down(e) {
    if (e.button) return;
    if (!this.fingers.size) this.dragged = false;
    this.fingers.set(e.pointerId, e);
  }

  // scrolls reports whether going up and down is the page's, and not the picture's.
  scrolls(e) { return e.pointerType === "touch" && document.fullscreenElement !== this.figure; }

  // drag moves with one finger, and moves and zooms with two.
  drag(e) {
    const from = this.fingers.get(e.pointerId);
    if (!from) return;
    const dx = e.clientX - from.clientX, dy = e.clientY - from.clientY;
    if (!this.dragged && Math.hypot(dx, dy) < 4) return;
    if (!this.dragged) this.view.setPointerCapture(e.pointerId);
    this.dragged = true;
    if (this.fingers.size === 2) {
      const other = [...this.fingers.values()].find((f) => f.pointerId !== e.pointerId);
      this.move(dx / 2, dy / 2); // as far as the middle between them
      const apart = (a) => Math.max(1, Math.hypot(a.clientX - other.clientX, a.clientY - other.clientY));
      this.zoom(apart(e) / apart(from), { clientX: (e.clientX + other.clientX) / 2, clientY: (e.clientY + other.clientY) / 2 });
    } else this.move(dx, this.scrolls(e) ? 0 : dy);
    this.fingers.set(e.pointerId, e);
  }
}

// pictures brings those in a part of a page to life.
export function pictures(root = document) {
  for (const figure of root.querySelectorAll("figure[data-picture]:not(.live)")) if (figure.querySelector("svg")) new Picture(figure);
}

pictures();
