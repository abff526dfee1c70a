// The images that go with the next message: chosen, dragged in or pasted. Each is sent
// as soon as it is there, and can be removed again. Those that have arrived are still
// there when the page is loaded again.

import { again, key } from "/assets/key.js";
import { el } from "/assets/dom.js";
import { keep } from "/assets/draft.js";

const most = 3;
const mostBytes = 10 << 20;

export class Attachments {
  // box takes the previews. say(text) tells what can't be.
  constructor({ box, input, button, area, field, say }) {
    Object.assign(this, { box, say, items: [], seen: Boolean(button) });
    this.does = { removed: (item) => this.remove(item), arrived: () => this.keep() };
    button?.addEventListener("click", () => input.click());
    input?.addEventListener("change", () => {
      this.add([...input.files]);
      input.value = "";
      field.focus();
    });
    field.addEventListener("paste", (e) => {
      const files = images(e.clipboardData);
      if (!files.length) return;
      e.preventDefault();
      this.add(files);
    });
    area.addEventListener("dragover", (e) => {
      if (![...e.dataTransfer.types].includes("Files")) return;
      e.preventDefault();
      area.classList.toggle("dropping", this.seen);
    });
    area.addEventListener("dragleave", (e) => area.contains(e.relatedTarget) || area.classList.remove("dropping"));
    area.addEventListener("drop", (e) => {
      if (![...e.dataTransfer.types].includes("Files")) return;
      e.preventDefault();
      area.classList.remove("dropping");
      this.add([...e.dataTransfer.files]);
    });
  }

  get count() {
    return this.items.length;
  }

  add(files) {
    if (!this.seen) return this.say("The model that answers doesn't see images, so none can be sent. Describe it in words.");
    this.say("");
    for (const file of files) {
      if (!file.type.startsWith("image/")) this.say(`${file.name} is no image: only images can be sent.`);
      else if (file.size > mostBytes) this.say(`${file.name} has ${Math.ceil(file.size / (1 << 20))} MB, and 10 MB are the most: choose a smaller one.`);
      else if (this.items.length >= most) this.say("Three images at most go with a message: send the rest with the next.");
      else this.begin(new Item(file, this.does));
    }
    return undefined;
  }

  // restore shows images that were sent before the page was left.
  restore(images) {
    if (!this.seen) return;
    for (const image of images) this.put(new Item(image, this.does));
  }

  begin(item) {
    this.put(item);
    item.send();
  }

  put(item) {
    this.items.push(item);
    this.box.append(item.root);
  }

  keep() {
    keep({ images: this.items.filter((i) => i.id).map((i) => ({ id: i.id, name: i.file.name })) });
  }

  remove(item) {
    item.request?.abort();
    this.items = this.items.filter((i) => i !== item);
    item.root.remove();
    this.keep();
    document.querySelector("#composer textarea").focus();
  }

  // ready are the ids, once all are sent. It fails when one can't be.
  async ready() {
    await Promise.all(this.items.map((i) => i.sent));
    if (this.items.some((i) => !i.id)) throw new Error("An image could not be sent: try it again, or remove it.");
    return this.items.map((i) => i.id);
  }

  clear() {
    this.items = [];
    this.box.replaceChildren();
    this.keep();
  }
}

const images = (data) => [...(data?.files ?? [])].filter((f) => f.type.startsWith("image/"));

// Item is one image on its way, or one that has arrived: its id and its name.
class Item {
  constructor(file, { removed, arrived }) {
    Object.assign(this, { file, arrived, id: file.id });
    this.progress = el("progress", { max: 1, value: 0, "aria-label": `Sending ${file.name}` });
    this.status = el("span", { role: "status" });
    this.again = el("button", { type: "button", class: "link", hidden: true }, "Try again");
    this.again.addEventListener("click", () => this.send());
    const remove = el("button", { type: "button", class: "link", "aria-label": `Remove ${file.name}` }, "Remove");
    remove.addEventListener("click", () => removed(this));
    this.picture = el("img", { alt: "", hidden: true });
    this.root = el("li", { class: "thumb" }, this.picture,
      el("div", {}, el("span", { class: "thumb-name", dir: "auto" }, file.name || "image"), this.progress, this.status, el("span", { class: "thumb-does" }, this.again, remove)));
    if (!this.id) return this.look();
    this.picture.addEventListener("load", () => (this.picture.hidden = false));
    this.picture.src = "/chat/image/" + encodeURIComponent(this.id);
    this.progress.hidden = true;
    this.tell("Ready");
  }

  // look shows the image itself. What the browser can't show has its name alone.
  look() {
    const reader = new FileReader();
    reader.addEventListener("load", () => (this.picture.src = reader.result));
    this.picture.addEventListener("load", () => (this.picture.hidden = false));
    reader.readAsDataURL(this.file);
  }

  send() {
    this.again.hidden = true;
    this.progress.hidden = false;
    this.tell("");
    const form = new FormData();
    form.append("image", this.file);
    const request = new XMLHttpRequest(); // fetch doesn't tell how much has left
    this.request = request;
    request.upload.addEventListener("progress", (e) => e.lengthComputable && (this.progress.value = e.loaded / e.total));
    this.sent = new Promise((resolve) => {
      request.addEventListener("loadend", () => {
        this.progress.hidden = true;
        this.heard(request);
        resolve();
      });
    });
    request.open("POST", "/chat/image");
    if (key()) request.setRequestHeader("Chalie-Key", key());
    request.send(form);
  }

  heard(request) {
    let answer = {};
    try {
      answer = JSON.parse(request.responseText || "{}");
    } catch {
      // The status says it.
    }
    if (request.status === 401) location.assign(again());
    if (request.status === 201) {
      this.id = answer.image_id;
      this.arrived();
      return this.tell("Ready");
    }
    this.again.hidden = false;
    return this.tell(answer.error || (request.status ? `Chalie answered ${request.status}.` : "It could not be sent: there is no connection."), true);
  }

  tell(text, bad = false) {
    this.status.textContent = text;
    this.status.className = bad ? "refused" : "soft";
  }
}
