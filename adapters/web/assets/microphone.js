// Records from the microphone, which is on for as long as something is recorded and no
// longer: a page that may listen shouldn't, and where it does a phone lowers what it plays.

const kind = "audio/webm;codecs=opus"; // what Chalie reads; see asWAV for other browsers
const rate = 16000; // samples a second of a WAV: engines hear no more

// Recording is one that has begun.
export class Recording {
  // begin asks for the microphone. The error says in plain words why there is none, and
  // what to do.
  static async begin() {
    if (!globalThis.isSecureContext) throw new Error(insecure());
    if (!navigator.mediaDevices?.getUserMedia || !globalThis.MediaRecorder) throw new Error("This browser can't record. Use a newer one, such as the latest Chrome, Firefox, Edge or Safari.");
    let stream;
    try {
      stream = await navigator.mediaDevices.getUserMedia({ audio: { channelCount: 1 } });
    } catch (e) {
      throw new Error(reasons[e.name] ?? `The microphone can't be used (${e.message || e.name}). Try again, or choose another one in the browser's settings.`);
    }
    return new Recording(stream);
  }

  constructor(stream) {
    Object.assign(this, { stream, parts: [], begun: performance.now() });
    this.webm = MediaRecorder.isTypeSupported(kind);
    this.recorder = new MediaRecorder(stream, this.webm ? { mimeType: kind } : {});
    this.recorder.addEventListener("dataavailable", (e) => this.parts.push(e.data));
    this.ended = new Promise((resolve) => this.recorder.addEventListener("stop", resolve, { once: true }));
    this.recorder.start();
  }

  // lasts is how long it is by now, in seconds.
  get lasts() {
    return (performance.now() - this.begun) / 1000;
  }

  // end turns the microphone off, and is what was recorded, in a form that Chalie reads.
  async end() {
    if (this.recorder.state !== "inactive") this.recorder.stop(); // it is when the microphone was taken away
    await this.ended;
    this.off();
    const all = new Blob(this.parts, { type: this.webm ? "audio/webm" : this.recorder.mimeType });
    return this.webm ? all : asWAV(all);
  }

  // off turns the microphone off, and forgets what was recorded unless it has ended.
  off() {
    for (const track of this.stream.getTracks()) track.stop();
  }
}

const reasons = {
  NotAllowedError: "This page may not use the microphone. Allow it in the browser, by the sign beside the address, and in the settings of this device; then hold the button again.",
  NotFoundError: "This device has no microphone that the browser knows. Connect one, then hold the button again.",
  NotReadableError: "The microphone can't be opened: another program may be using it. Close that one, then hold the button again.",
};

function insecure() {
  return "A browser lends its microphone only to pages that come over HTTPS, or from the device itself. On the machine that Chalie is on, start it with chalie serve --tls, then open the https address that it prints; its page /phone shows how a phone comes to trust it.";
}

// asWAV is a recording of a browser that makes no WebM, as one channel of 16-bit samples.
async function asWAV(blob) {
  const context = new OfflineAudioContext(1, rate, rate); // what is decoded gets its rate
  const sound = await context.decodeAudioData(await blob.arrayBuffer());
  const channels = Array.from({ length: sound.numberOfChannels }, (_, n) => sound.getChannelData(n));
  const out = new DataView(new ArrayBuffer(44 + 2 * sound.length));
  const word = (at, text) => [...text].forEach((c, i) => out.setUint8(at + i, c.charCodeAt(0)));
  word(0, "RIFF");
  out.setUint32(4, 36 + 2 * sound.length, true);
  word(8, "WAVEfmt ");
  out.setUint32(16, 16, true);
  out.setUint16(20, 1, true); // samples as they are
  out.setUint16(22, 1, true);
  out.setUint32(24, rate, true);
  out.setUint32(28, 2 * rate, true);
  out.setUint16(32, 2, true);
  out.setUint16(34, 16, true);
  word(36, "data");
  out.setUint32(40, 2 * sound.length, true);
  for (let i = 0; i < sound.length; i++) {
    const mean = channels.reduce((sum, c) => sum + c[i], 0) / channels.length;
    out.setInt16(44 + 2 * i, Math.round(Math.max(-1, Math.min(1, mean)) * 0x7fff), true);
  }
  return new Blob([out], { type: "audio/wav" });
}
