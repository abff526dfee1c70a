// The overview stays as Chalie is.

import { Renewed } from "/assets/renew.js";

new Renewed(document.querySelector("#state"), { part: "state", pause: () => 5000 });
