// Reads texts aloud, a piece at a time: while one is heard the next is made.

import { answered } from "/assets/dom.js";

const most = 500; // characters that Chalie speaks at once
const goal = 200; // and that a piece has: few enough to follow as a caption

export class Aloud {
  // told(caption) hears what is being said.
  constructor({ told }) {
    this.told = told;
  }

  // wake has the browser let this page be heard, which it does while something is pressed.
  wake() {
    this.context ??= new AudioContext();
    if (this.context.state !== "running") this.context.resume().catch(() => {});
  }

  // read speaks a text to its end, or until it is stopped. The error is the API's.
  async read(text) {
    this.wake();
    const { signal } = (this.reading = new AbortController());
    const all = pieces(text);
    let next = all.length ? made(all[0], signal) : undefined;
    for (const [n, piece] of all.entries()) {
      const sound = await next;
      next = n + 1 < all.length ? made(all[n + 1], signal) : undefined;
      next?.catch(() => {}); // it is told when its turn comes
      if (this.context.state !== "running") {
        this.told("The answer is here. Press anything on this page to hear it: the browser asks for that.");
        await until(this.context.resume(), signal);
      }
      this.told(piece);
      await this.play(sound, signal);
    }
  }

  stop() {
    this.reading?.abort();
  }

  play({ rate, samples }, signal) {
    signal.throwIfAborted();
    const buffer = this.context.createBuffer(1, Math.max(1, samples.length), rate);
    buffer.copyToChannel(samples, 0);
    const source = this.context.createBufferSource();
    source.buffer = buffer;
    source.connect(this.context.destination);
    return new Promise((resolve, reject) => {
      source.addEventListener("ended", () => (signal.aborted ? reject(signal.reason) : resolve()));
      signal.addEventListener("abort", () => source.stop(), { once: true });
      source.start();
    });
  }
}

function until(promise, signal) {
  return Promise.race([promise, new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }))]);
}

async function made(text, signal) {
  const answer = await answered("POST", "/api/voice/tts", { text }, signal);
  return samplesOf(await answer.arrayBuffer());
}

// samplesOf reads Chalie's WAV, of which the sizes in the header are not always known: one
// channel of 16-bit samples behind 44 bytes.
function samplesOf(wav) {
  const view = new DataView(wav);
  const samples = new Float32Array(Math.max(0, (wav.byteLength - 44) >> 1));
  for (let i = 0; i < samples.length; i++) samples[i] = view.getInt16(44 + 2 * i, true) / 0x8000;
  return { rate: view.getUint32(24, true), samples };
}

// pieces are a text's sentences. The first stands alone, so that it is heard soon; others
// come together as far as a caption shows. What has nothing to say is left out.
export function pieces(text) {
  const out = [];
  for (const sentence of sentences(text).flatMap(bounded)) {
    if (!/[\p{L}\p{N}]/u.test(sentence)) continue;
    const last = out.length - 1;
    if (last > 0 && out[last].length + sentence.length < goal) out[last] += " " + sentence;
    else out.push(sentence);
  }
  return out;
}

function sentences(text) {
  const lines = text.split("\n").map((l) => l.trim()).filter(Boolean);
  if (!Intl.Segmenter) return lines;
  const by = new Intl.Segmenter(undefined, { granularity: "sentence" });
  return lines.flatMap((l) => [...by.segment(l)].map((s) => s.segment.trim()));
}

// bounded is a sentence in parts that can be spoken at once, cut between words where there
// are any.
function bounded(sentence) {
  const out = [];
  let rest = [...sentence];
  while (rest.length > most) {
    const space = rest.lastIndexOf(" ", most);
    const at = space > 0 ? space : most;
    out.push(rest.slice(0, at).join("").trim());
    rest = rest.slice(at);
  }
  return [...out, rest.join("").trim()];
}

// wordsOf is what an answer says, as it is read aloud: without what is pressed or filled
// in, and without code. A line each.
export function wordsOf(answer) {
  const copy = answer.cloneNode(true);
  for (const node of copy.querySelectorAll("button, a.button, input, select, pre, iframe, svg, [hidden]")) node.remove();
  const lines = [];
  for (const node of copy.querySelectorAll("p, li, h1, h2, h3, h4, h5, h6, dt, tr, summary, .badge, .alert")) {
    if (node.parentElement.closest("p, li, tr, .alert")) continue; // it is said with that
    const pair = node.tagName === "DT" ? [node, node.nextElementSibling] : node.tagName === "TR" ? [...node.children] : [node];
    const line = pair.map((n) => n?.textContent.trim()).filter(Boolean).join(node.tagName === "DT" ? ": " : ", ");
    if (line) lines.push(line);
  }
  return lines.join("\n");
}
