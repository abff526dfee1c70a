// Makes elements. Texts from outside become text nodes, never HTML, and no link leads
// anywhere but to http(s) or this site.

import { again, ask } from "/assets/key.js";
import { tellsWaiting } from "/assets/waiting.js";
import { elsewhere, zone } from "/assets/zone.js";

// el makes an element with properties and children; texts become text nodes.
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name in node && typeof value !== "string") node[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  // One by one: a call takes no hundred thousand arguments.
  for (const c of children.flat(Infinity)) if (c !== undefined && c !== null && c !== false) node.append(c);
  return node;
}

// place is a URL that may be followed or loaded; undefined for any other. What leads
// to this site is written as a path, whatever it came as. Chalie sends nothing that
// leads elsewhere on this machine; that it doesn't is seen to here once more, by the
// browser's own reading.
export function place(url) {
  const text = String(url ?? "").trim();
  const to = read(text);
  if (!to || leadsHere(to)) return undefined;
  if (to.origin !== location.origin) return /^https?:/i.test(text) ? to.href : undefined;
  // Two slashes begin another host, also where dots between them were worked out.
  return to.pathname.startsWith("//") ? undefined : to.pathname + to.search + to.hash;
}

// refused reports whether a URL isn't followed because it leads to this machine, and
// not to this site.
export const refused = (url) => leadsHere(read(String(url ?? "").trim()));

function read(text) {
  if (!/^(https?:|\/)/i.test(text)) return undefined;
  try {
    const to = new URL(text, location.href);
    return to.protocol === "https:" || to.protocol === "http:" ? to : undefined;
  } catch {
    return undefined;
  }
}

// leadsHere reports whether a browser would bring its session: a cookie is sent to every
// port of its host.
function leadsHere(to) {
  if (!to || to.origin === location.origin) return false;
  const host = to.hostname.replace(/\.$/, "");
  return host === location.hostname.replace(/\.$/, "") || /^(127\.[\d.]+|0\.[\d.]+|\[::1?\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]+\]|(.*\.)?localhost)$/.test(host);
}

// unreachable is what is said when no answer came. It holds until one comes.
export const unreachable = "Chalie can't be reached now. It may be starting again: try in a moment.";

// reached takes back what was said beside things (data-away) because no answer came.
export function reached() {
  for (const said of document.querySelectorAll("[data-away]")) said.hidden = true;
}

// json is what an API call answers. The error is the API's, in its words, with the
// status, and with the code and the field that it names; away says that none came.
export async function json(method, path, body, signal, headers) {
  return parsed(await (await answered(method, path, body, signal, headers)).text());
}

// answered is the answer to an API call, with the errors of json. A Blob is sent as it is.
export async function answered(method, path, body, signal, headers = {}) {
  const blob = body instanceof Blob;
  let answer;
  try {
    answer = await ask(path, {
      method,
      signal,
      headers: body === undefined ? headers : { "Content-Type": blob ? body.type : "application/json", ...headers },
      body: body === undefined || blob ? body : JSON.stringify(body),
    });
  } catch (e) {
    if (signal?.aborted) throw e;
    throw Object.assign(new Error(unreachable), { away: true });
  }
  tellsWaiting(answer);
  if (answer.ok) return answer;
  const value = parsed(await answer.text());
  if (value.code === "unknown_zone" && zone()) {
    elsewhere();
    return answered(method, path, body, signal, headers);
  }
  if (value.code === "login_needed") {
    const { fresh } = await import("/assets/fresh.js"); // seldom needed
    if (await fresh()) return answered(method, path, body, signal, headers);
    value.error = "This takes your password, and you didn't give it: nothing was done";
  } else if (answer.status === 401) {
    location.assign(again());
  }
  throw Object.assign(new Error(value.error || `Chalie answered ${answer.status}.`), { status: answer.status, code: value.code, field: value.field });
}

function parsed(text) {
  try {
    return text ? JSON.parse(text) : {};
  } catch {
    return { error: text };
  }
}

// timeOf is a moment's time of day. Every page writes it in 24 hours, as the texts do that
// Chalie puts together itself.
export function timeOf(at, { seconds = false } = {}) {
  return at.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: seconds ? "2-digit" : undefined, hourCycle: "h23" });
}

// grouped is a number with its thousands apart, as the pages have it.
export const grouped = (n) => Math.round(n).toLocaleString("en");

// clock is a moment as the person's machine writes it: with the day unless it is
// today, with the year unless it is this one.
export function clock(moment) {
  const at = new Date(moment);
  if (Number.isNaN(at.getTime())) return String(moment);
  const now = new Date();
  const time = timeOf(at);
  if (at.toDateString() === now.toDateString()) return time;
  const year = at.getFullYear() === now.getFullYear() ? undefined : "numeric";
  return at.toLocaleDateString([], { weekday: "short", day: "numeric", month: "short", year }) + ", " + time;
}

// localTimes writes the moments in an element as the person's machine does, with the
// whole of it on demand.
export function localTimes(root) {
  for (const t of root.querySelectorAll("time")) {
    t.textContent = clock(t.dateTime);
    t.title = new Date(t.dateTime).toLocaleString([], { hourCycle: "h23" });
  }
}
