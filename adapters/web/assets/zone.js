// Where this device is, by an IANA name, as whatever is sent to Chalie says it.

const unknown = "Etc/Unknown"; // what a browser says that doesn't know

let here = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (here === unknown) here = undefined;

// zone is where the device is; undefined when that isn't known.
export const zone = () => here;

// elsewhere forgets it: Chalie doesn't know the zone, as one that is newer than Chalie.
export function elsewhere() {
  here = undefined;
}
