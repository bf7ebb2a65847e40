// What this browser remembers. Without local storage, it lasts until the tab is
// closed.

const memory = new Map();

export function recall(name, otherwise) {
  try {
    return localStorage.getItem("lede." + name) ?? otherwise;
  } catch {
    return memory.get(name) ?? otherwise;
  }
}

export function remember(name, value) {
  try {
    if (value === null) localStorage.removeItem("lede." + name);
    else localStorage.setItem("lede." + name, value);
  } catch {
    memory.set(name, value);
  }
}
