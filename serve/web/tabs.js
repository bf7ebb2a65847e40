// Tabs as in the ARIA pattern: one is in the order of focus, arrow keys move, and
// the hash names the tab.

import { h } from "./element.js";
import { recall, remember } from "./settings.js";

export class Tabs {
  // views are rows of a name and a title. show is called with the name of the tab.
  constructor(list, panels, views, show) {
    this.names = views.map(([name]) => name);
    this.show = show;
    this.tabs = new Map();
    this.panels = new Map();
    for (const [i, [name, title]] of views.entries()) {
      const tab = h("button", {
        type: "button", role: "tab", id: "tab-" + name, "aria-controls": "panel-" + name, "aria-selected": "false", tabindex: "-1",
        "aria-keyshortcuts": i + 1, onclick: () => this.select(name),
      }, title);
      const panel = h("div", { role: "tabpanel", id: "panel-" + name, "aria-labelledby": "tab-" + name, tabindex: "0", hidden: true });
      this.tabs.set(name, tab);
      this.panels.set(name, panel);
      list.append(tab);
      panels.append(panel);
    }
    list.addEventListener("keydown", (event) => this.#onKey(event));
    addEventListener("hashchange", () => { if (this.#named()) this.select(this.#named()); });
    this.current = this.#named() ?? (this.names.includes(recall("tab")) ? recall("tab") : this.names[0]);
    this.#mark();
  }

  // #named returns the tab that the hash names, if any.
  #named() {
    const name = location.hash.slice(1);
    return this.names.includes(name) ? name : null;
  }

  panel(name = this.current) { return this.panels.get(name); }

  select(name, focus = false) {
    this.current = name;
    remember("tab", name);
    if (location.hash !== "#" + name) history.replaceState(history.state, "", "#" + name);
    this.#mark();
    const tab = this.tabs.get(name);
    if (focus) tab.focus();
    const list = tab.parentElement; // scrolls on phones
    list.scrollLeft = tab.offsetLeft - (list.clientWidth - tab.offsetWidth) / 2;
    this.show(name);
  }

  #mark() {
    for (const [name, tab] of this.tabs) {
      const selected = name === this.current;
      tab.setAttribute("aria-selected", String(selected));
      tab.tabIndex = selected ? 0 : -1;
      this.panels.get(name).hidden = !selected;
    }
  }

  #onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = this.names.indexOf(this.current), last = this.names.length - 1;
    const to = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.select(this.names[to], true);
  }
}
