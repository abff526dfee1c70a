// Makes elements. Texts from outside become text nodes, never HTML, and no link leads
// anywhere but to http(s) or this site.

// el makes an element with properties and children; texts become text nodes.
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name in node && typeof value !== "string") node[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((c) => c !== undefined && c !== null && c !== false));
  return node;
}

// place is a URL that may be followed or loaded; undefined for any other. What leads
// to this site is written as a path, whatever it came as.
export function place(url) {
  const text = String(url ?? "").trim();
  if (!/^(https?:|\/)/i.test(text)) return undefined;
  try {
    const to = new URL(text, location.href);
    if (to.protocol !== "https:" && to.protocol !== "http:") return undefined;
    return to.origin === location.origin ? to.pathname + to.search + to.hash : /^https?:/i.test(text) ? to.href : undefined;
  } catch {
    return undefined;
  }
}

// json is what an API call answers. The error is the API's, in its words.
export async function json(method, path, body) {
  const answer = await fetch(path, {
    method,
    headers: body === undefined ? {} : { "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  let value;
  try {
    value = text ? JSON.parse(text) : {};
  } catch {
    value = { error: text };
  }
  if (answer.status === 401) location.assign("/login?next=" + encodeURIComponent(location.pathname + location.search));
  if (!answer.ok) throw new Error(value.error || `Chalie answered ${answer.status}.`);
  return value;
}

// clock is a moment as the person's machine writes it: with the day unless it is today.
export function clock(moment) {
  const at = new Date(moment);
  const today = at.toDateString() === new Date().toDateString();
  const time = at.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  return today ? time : at.toLocaleDateString([], { weekday: "short", day: "numeric", month: "short" }) + ", " + time;
}
