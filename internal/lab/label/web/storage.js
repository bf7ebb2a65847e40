// Local storage with a section for each tab, since a tab knows the versions of
// the labels that its changes are based on. An open tab takes over the sections of
// closed ones.

export class TabStorage {
  constructor(prefix) {
    this.prefix = prefix;
    this.own = prefix + Math.random().toString(36).slice(2) + ":";
    this.next = Date.now(); // later entries have higher keys, in all tabs
    this.memory = new Map(); // if there is no local storage
    // The lock is held while the tab is open, for the other tabs.
    this.present = new Promise((resolve) => {
      if (!navigator.locks) resolve();
      else navigator.locks.request(this.own, () => { resolve(); return new Promise(() => {}); });
    });
  }

  // list returns the entries of this tab, the oldest first.
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
      // the entry was in memory
    }
  }

  // inherit takes over the entries of closed tabs.
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
      // no storage, or an invalid entry
    }
    const number = ({ key }) => +key.slice(key.lastIndexOf(":") + 1);
    return entries.sort((a, b) => number(a) - number(b));
  }
}
