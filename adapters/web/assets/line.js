// The line to Chalie: /ws with resume. It tells how it stands, never sends a frame
// twice to its listener, and comes back by itself.

import { ask, protocols } from "/assets/key.js";

const firstPause = 1000;
const longestPause = 30000;
const longestSilence = 45000; // Chalie asks every 15 s whether somebody is there

export class Line {
  // listen(frame) hears every frame once; state("open" | "waiting" | "offline", ms) how
  // it stands; opened(again) that it is open, and whether it was before.
  constructor({ listen, state, opened }) {
    Object.assign(this, { listen, state, opened, last: 0, pause: firstPause, before: false });
    addEventListener("online", () => this.hurry());
    addEventListener("pageshow", (e) => e.persisted && this.hurry());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.hurry());
    this.connect();
  }

  connect() {
    clearTimeout(this.later);
    this.later = undefined;
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`, protocols());
    this.socket = socket;
    socket.addEventListener("open", () => {
      this.pause = firstPause;
      if (this.last > 0) this.send({ type: "resume", last_seq: this.last, epoch: this.epoch });
      this.state("open");
      this.opened(this.before);
      this.before = true;
    });
    socket.addEventListener("message", (e) => socket === this.socket && this.hear(JSON.parse(e.data)));
    socket.addEventListener("close", () => socket === this.socket && this.lost());
    this.watch();
  }

  // watch gives a line up on which nothing is heard any more, as after a change of
  // networks: the browser alone notices only minutes later.
  watch() {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.socket.readyState !== WebSocket.CLOSED && this.giveUp(), longestSilence);
  }

  giveUp() {
    const socket = this.socket;
    this.socket = undefined; // what it still says doesn't count
    socket.close();
    this.lost();
  }

  hear(frame) {
    this.watch();
    if (frame.type === "ping") return this.send({ type: "pong" });
    this.epoch = frame.epoch ?? this.epoch;
    if (frame.type === "gap") {
      // With a reason the log isn't what it was: its numbers may be lower, too.
      this.last = frame.reason ? frame.seq : Math.max(this.last, frame.seq);
      return this.listen(frame);
    }
    // An error that only this client is told has the seq of what came before.
    const own = frame.type === "error" && !frame.exchange_id;
    if (!own && frame.seq <= this.last) return undefined;
    this.last = Math.max(this.last, frame.seq ?? 0);
    return this.listen(frame);
  }

  get isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  // send reports whether the frame left. That it arrived, its answer says.
  send(frame) {
    if (!this.isOpen) return false;
    this.socket.send(JSON.stringify(frame));
    return true;
  }

  lost() {
    clearTimeout(this.silence);
    if (this.later) return;
    this.state(navigator.onLine ? "waiting" : "offline", this.pause);
    this.later = setTimeout(() => this.connect(), this.pause);
    this.pause = Math.min(longestPause, this.pause * 1.5);
    stillKnown();
  }

  // hurry tries at once.
  hurry() {
    if (this.later) this.connect();
  }
}

// stillKnown leads to the login when it is the session that ended: a socket that
// isn't let in can't say why.
async function stillKnown() {
  try {
    const answer = await ask("/auth/status");
    if (answer.ok && !(await answer.json()).has_session) location.assign("/login?next=" + encodeURIComponent(location.pathname));
  } catch {
    // Chalie is away, and who asks is still known.
  }
}
