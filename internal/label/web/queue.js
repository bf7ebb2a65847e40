// Changes on their way to the server. Each is in the browser's storage before it
// is sent, and leaves it when the server has it on disk: neither a tab that is
// closed nor a server that is gone loses one.

import { postUndo, putLabel, Refused } from "./api.js";
import { Drawer } from "./drawer.js";

const waits = [500, 1000, 2000, 5000, 10000];

const send = ({ page, doc, version, change }) =>
  change ? putLabel(page, doc, { version, ...change }) : postUndo(page, doc, version);

export class Queue {
  // tell has saved(page, label), refused(page, error) and waiting(count, error).
  constructor(set, tell) {
    this.drawer = new Drawer("lede-label:" + set + ":");
    this.tell = tell;
    this.tries = 0;
    addEventListener("online", () => this.flush());
  }

  get count() { return this.drawer.list().length; }

  has(page) {
    return this.drawer.list().some((entry) => entry.page === page);
  }

  // add takes a change to the version of a page's label that was shown; null takes
  // the last one back.
  add(page, doc, version, change) {
    this.drawer.put({ page, doc, version, change });
    return this.flush();
  }

  // flush sends what waits, one after the other.
  flush() {
    this.again = true;
    this.running ??= this.#run().finally(() => { this.running = null; });
    return this.running;
  }

  async #run() {
    while (this.again) { // something came while the last was sent
      this.again = false;
      await this.drawer.inherit();
      await this.#sendAll();
    }
  }

  async #sendAll() {
    clearTimeout(this.timer);
    for (let list = this.drawer.list(); list.length > 0; list = this.drawer.list()) {
      const [first] = list;
      let label;
      try {
        ({ label } = await send(first));
      } catch (error) {
        if (!(error instanceof Refused) || error.status >= 500 || error.status === 403) {
          this.#later(error);
          return;
        }
        // It will never be taken, nor will what was built on it.
        for (const entry of this.#others(first)) this.drawer.remove(entry);
        this.drawer.remove(first);
        this.tell.refused(first.page, error);
        continue;
      }
      this.tries = 0;
      for (const entry of this.#others(first)) this.drawer.update({ ...entry, version: label.version });
      this.drawer.remove(first);
      this.tell.saved(first.page, label);
    }
  }

  // #others are the later changes of the same page.
  #others(first) {
    return this.drawer.list().filter((entry) => entry.page === first.page && entry.key !== first.key);
  }

  #later(error) {
    this.tell.waiting(this.count, error);
    this.timer = setTimeout(() => this.flush(), waits[Math.min(this.tries++, waits.length - 1)]);
  }
}
