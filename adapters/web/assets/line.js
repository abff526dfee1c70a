// The line to Chalie: /ws with resume. It tells how it stands, never sends a frame
// twice to its listener, and comes back by itself.

const firstPause = 1000;
const longestPause = 30000;

export class Line {
  // listen(frame) hears every frame once; state("open" | "waiting", ms) how it stands;
  // opened(again) that it is open, and whether it was before.
  constructor({ listen, state, opened }) {
    Object.assign(this, { listen, state, opened, last: 0, pause: firstPause, before: false });
    addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.hurry());
    this.connect();
  }

  connect() {
    clearTimeout(this.later);
    this.later = undefined;
    this.socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
    this.socket.addEventListener("open", () => {
      this.pause = firstPause;
      if (this.last > 0) this.send({ type: "resume", last_seq: this.last });
      this.state("open");
      this.opened(this.before);
      this.before = true;
    });
    this.socket.addEventListener("message", (e) => this.hear(JSON.parse(e.data)));
    this.socket.addEventListener("close", () => this.lost());
  }

  hear(frame) {
    if (frame.type === "ping") return this.send({ type: "pong" });
    if (frame.type === "gap") {
      this.last = Math.max(this.last, frame.seq);
      return this.listen(frame);
    }
    // An error that only this client is told has the seq of what came before.
    const own = frame.type === "error" && !frame.exchange_id;
    if (!own && frame.seq <= this.last) return undefined;
    this.last = Math.max(this.last, frame.seq ?? 0);
    return this.listen(frame);
  }

  // send reports whether the frame left.
  send(frame) {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(frame));
    return true;
  }

  lost() {
    if (this.later) return;
    this.state("waiting", this.pause);
    this.later = setTimeout(() => this.connect(), this.pause);
    this.pause = Math.min(longestPause, this.pause * 1.5);
  }

  hurry() {
    if (this.later) this.connect();
  }
}
