// Writes moments as the person's machine does.

import { clock } from "/assets/dom.js";

for (const t of document.querySelectorAll("time")) t.textContent = clock(t.dateTime);
