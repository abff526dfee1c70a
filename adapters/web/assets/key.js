// The session's key. A cookie goes to every server of this host; what is kept here goes
// to Chalie alone, with what its own pages ask.

import { zone } from "/assets/zone.js";

const place = "chalie-key";

// key is the session's; undefined when this browser has none.
export function key() {
  try {
    return localStorage.getItem(place) ?? undefined;
  } catch {
    return undefined;
  }
}

// keepKey keeps one, for every tab, and reports whether the browser could.
export function keepKey(text) {
  try {
    localStorage.setItem(place, text);
    return localStorage.getItem(place) === text;
  } catch {
    return false;
  }
}

// loseKey forgets it.
export function loseKey() {
  try {
    localStorage.removeItem(place);
  } catch {
    // It was never kept.
  }
}

// ask is fetch of something of Chalie's, with the key, and with where this device is.
export function ask(path, { headers = {}, ...options } = {}) {
  const known = key();
  const more = { ...(known && { "Chalie-Key": known }), ...(zone() && { "X-Timezone": zone() }) };
  return fetch(path, { ...options, headers: { ...headers, ...more } });
}

// protocols are those of a socket: a page can send no header with one.
export function protocols() {
  const known = key();
  return known ? ["chalie", "chalie.key." + known] : [];
}

// again is where to log in anew, and then come back here: also for somebody whose cookie
// is good, because the key is gone.
export const again = () => "/login?again&next=" + encodeURIComponent(location.pathname + location.search);
