// What Chalie told unasked, and the person has before them: on a page that can be seen, by an
// open line. Chalie is told of each once, and keeps it in mind no longer.

const most = 100; // exchanges in one message

export class Seen {
  constructor(line) {
    Object.assign(this, { line, told: new Set(), unsaid: new Set() });
    document.addEventListener("visibilitychange", () => this.tell());
  }

  // shows hears of an exchange in which Chalie spoke unasked.
  shows(id) {
    if (this.told.has(id)) return;
    this.unsaid.add(id);
    this.tell();
  }

  // tell says what is shown, as soon as it can be seen and Chalie can hear it.
  tell() {
    if (document.visibilityState !== "visible") return;
    while (this.unsaid.size) {
      const ids = [...this.unsaid].slice(0, most);
      if (!this.line.send({ type: "seen", exchange_ids: ids })) return;
      for (const id of ids) {
        this.unsaid.delete(id);
        this.told.add(id);
      }
    }
  }
}
