// What every page does: it tells Chalie the zone that the person's machine is in, so
// that sentences made by Chalie have the same times as the rest of the page.

import "/assets/save.js";

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zone) document.cookie = `chalie_zone=${encodeURIComponent(zone)}; path=/; max-age=31536000; samesite=lax`;
