// Writes moments as the person's machine does.

import { localTimes } from "/assets/dom.js";

localTimes(document);
