// Where one is in the conversation. Who is at its end stays there; who reads further up
// is left alone, and told that there is something new.

const near = 100; // px from the end that count as being there

export class Scroll {
  constructor(box, button) {
    Object.assign(this, { box, button, stuck: true });
    box.addEventListener("scroll", () => this.look(), { passive: true });
    button.addEventListener("click", () => this.toEnd());
    const follow = new ResizeObserver(() => this.stuck && this.toEnd());
    follow.observe(box);
    for (const child of box.children) follow.observe(child);
  }

  look() {
    this.stuck = this.box.scrollHeight - this.box.scrollTop - this.box.clientHeight < near;
    if (this.stuck) this.button.hidden = true;
  }

  // keep makes a change, which may be news.
  keep(change, news = false) {
    const { stuck } = this;
    change();
    if (stuck) this.toEnd();
    else if (news) this.button.hidden = false;
  }

  // hold makes a change above what one reads.
  hold(change) {
    const from = this.box.scrollHeight - this.box.scrollTop;
    change();
    this.box.scrollTop = this.box.scrollHeight - from;
    this.look();
  }

  toEnd() {
    this.stuck = true;
    this.button.hidden = true;
    this.box.scrollTop = this.box.scrollHeight;
  }

  // shows reports whether an element is in sight.
  shows(node) {
    const [a, b] = [node.getBoundingClientRect(), this.box.getBoundingClientRect()];
    return a.bottom > b.top + 40 && a.top < b.bottom - 40;
  }
}
