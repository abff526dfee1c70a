// Reads answers of the API that come a line of JSON at a time: how far it is now and
// then, and the answer last.

import { again, ask } from "/assets/key.js";

// eachLine hands on each line of an answer as it comes.
export async function eachLine(answer, take) {
  const text = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  const takes = (line) => line.trim() && take(JSON.parse(line));
  let rest = "";
  for (;;) {
    const { value, done } = await text.read();
    if (done) break;
    const parts = (rest + value).split("\n");
    rest = parts.pop();
    parts.forEach(takes);
  }
  takes(rest);
}

// streamed asks, and tells each line but the last as it comes. The signal ends it. The
// error is the API's, in its words, with the field that it is about.
export async function streamed(method, path, { body, signal, told }) {
  const answer = await ask(path, {
    method, signal,
    headers: body === undefined ? {} : { "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (answer.status === 401) location.assign(again());
  let last;
  await eachLine(answer, (line) => {
    if (last !== undefined) told(last);
    last = line;
    if (!isProgress(line)) return;
    told(line); // when it comes, and not when the next has come
    last = undefined;
  });
  if (!answer.ok || last?.error) throw Object.assign(new Error(last?.error || `Chalie answered ${answer.status}.`), { field: last?.field });
  if (last === undefined) throw new Error("Chalie broke off its answer. Its own log says why; ask again.");
  return last;
}

const isProgress = (line) => "tail" in line && "rate" in line;

// paced says how far a piece of work is, and about how long the rest takes.
export function paced({ position, tail, rate }) {
  const left = rate > 0 ? Math.ceil((tail - position) / rate) : undefined;
  const rest = left === undefined ? "" : left < 2 ? ", nearly there" : left < 90 ? `, about ${left} seconds left` : `, about ${Math.ceil(left / 60)} minutes left`;
  return `${position.toLocaleString()} of ${tail.toLocaleString()} records${rest}`;
}
