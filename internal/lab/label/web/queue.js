// Changes to be sent to the server. Each is in local storage until the server has
// saved it, so that none is lost if the tab is closed or the server is down.

import { postUndo, putLabel, Refused } from "./api.js";
import { TabStorage } from "./storage.js";

const waits = [500, 1000, 2000, 5000, 10000];

const send = ({ page, doc, version, change }) =>
  change ? putLabel(page, doc, { version, ...change }) : postUndo(page, doc, version);

export class Queue {
  // callbacks has saved(page, label), refused(page, error) and waiting(count, error).
  constructor(set, callbacks) {
    this.storage = new TabStorage("lede-label:" + set + ":");
    this.callbacks = callbacks;
    this.tries = 0;
    addEventListener("online", () => this.flush());
  }

  get count() { return this.storage.list().length; }

  has(page) {
    return this.storage.list().some((entry) => entry.page === page);
  }

  // add adds a change to a version of a label. The change null is an undo.
  add(page, doc, version, change) {
    this.storage.put({ page, doc, version, change });
    return this.flush();
  }

  // flush sends all changes in order.
  flush() {
    this.again = true;
    this.running ??= this.#run().finally(() => { this.running = null; });
    return this.running;
  }

  async #run() {
    while (this.again) { // flush was called in the meantime
      this.again = false;
      await this.storage.inherit();
      await this.#sendAll();
    }
  }

  async #sendAll() {
    clearTimeout(this.timer);
    for (let list = this.storage.list(); list.length > 0; list = this.storage.list()) {
      const [first] = list;
      let label;
      try {
        ({ label } = await send(first));
      } catch (error) {
        if (!(error instanceof Refused) || error.status >= 500 || error.status === 403) {
          this.#later(error);
          return;
        }
        // Neither this change nor those based on it can be saved.
        for (const entry of this.#others(first)) this.storage.remove(entry);
        this.storage.remove(first);
        this.callbacks.refused(first.page, error);
        continue;
      }
      this.tries = 0;
      for (const entry of this.#others(first)) this.storage.update({ ...entry, version: label.version });
      this.storage.remove(first);
      this.callbacks.saved(first.page, label);
    }
  }

  // #others returns the later changes of the same page.
  #others(first) {
    return this.storage.list().filter((entry) => entry.page === first.page && entry.key !== first.key);
  }

  #later(error) {
    this.callbacks.waiting(this.count, error);
    this.timer = setTimeout(() => this.flush(), waits[Math.min(this.tries++, waits.length - 1)]);
  }
}
