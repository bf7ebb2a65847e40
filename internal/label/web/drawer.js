// The browser's storage, where every tab has a part of its own: a tab knows which
// version of a label its changes were made to, and hears what became of them. The
// part of a tab that is gone falls to one that is there.

export class Drawer {
  constructor(prefix) {
    this.prefix = prefix;
    this.own = prefix + Math.random().toString(36).slice(2) + ":";
    this.next = Date.now(); // later entries have later keys, whoever inherits them
    this.memory = new Map(); // in a browser that stores nothing
    // Held as long as the tab is there, so that others can tell.
    this.present = new Promise((resolve) => {
      if (!navigator.locks) resolve();
      else navigator.locks.request(this.own, () => { resolve(); return new Promise(() => {}); });
    });
  }

  // list is what this tab has put in, the oldest first.
  list() {
    return this.#all().filter((entry) => entry.key.startsWith(this.own));
  }

  put(entry) {
    this.update({ ...entry, key: this.own + this.next++ });
  }

  update(entry) {
    try {
      localStorage.setItem(entry.key, JSON.stringify(entry));
    } catch {
      this.memory.set(entry.key, entry);
    }
  }

  remove({ key }) {
    this.memory.delete(key);
    try {
      localStorage.removeItem(key);
    } catch {
      // it was in memory
    }
  }

  // inherit takes over what tabs that are gone have left.
  async inherit() {
    await this.present;
    if (!navigator.locks) return this.#take(new Set());
    await navigator.locks.request(this.prefix, async () => {
      const { held } = await navigator.locks.query();
      this.#take(new Set(held.map((lock) => lock.name)));
    });
  }

  #take(present) {
    for (const entry of this.#all()) {
      const at = entry.key.lastIndexOf(":") + 1;
      const owner = entry.key.slice(0, at);
      if (owner === this.own || present.has(owner)) continue;
      this.update({ ...entry, key: this.own + entry.key.slice(at) });
      this.remove(entry);
    }
  }

  #all() {
    const entries = [...this.memory.values()];
    try {
      for (const key of Object.keys(localStorage)) {
        if (key.startsWith(this.prefix)) entries.push({ ...JSON.parse(localStorage.getItem(key)), key });
      }
    } catch {
      // no storage, or something in it that is not ours
    }
    const number = ({ key }) => +key.slice(key.lastIndexOf(":") + 1);
    return entries.sort((a, b) => number(a) - number(b));
  }
}
