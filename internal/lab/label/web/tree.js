// The tree of the page. Only the visible rows and the current one, which screen
// readers need, are in the document, so that large trees are fast.

import { h } from "./element.js";

const height = 26; // of a row, as in the style sheet
const spare = 12; // rows drawn above and below the visible ones

export class Tree {
  // act has move(node), peek(node or null) and choose(node).
  constructor(box, act) {
    this.box = box;
    this.act = act;
    this.inner = h("div", { class: "rows", role: "none" });
    this.box.append(this.inner);
    this.box.addEventListener("scroll", () => this.#draw());
    this.box.addEventListener("keydown", (event) => this.#key(event));
    this.box.addEventListener("click", (event) => this.#click(event));
    this.box.addEventListener("dblclick", (event) => this.#at(event, (row) => this.act.choose(row.n)));
    this.box.addEventListener("mouseover", (event) => this.#at(event, (row) => this.act.peek(row.n)));
    this.box.addEventListener("mouseleave", () => this.act.peek(null));
    new ResizeObserver(() => this.#draw()).observe(this.box);
    this.load([]);
  }

  load(rows) {
    this.rows = rows.map((row) => ({ ...row, children: [] }));
    this.nodes = new Map(this.rows.map((row) => [row.n, row]));
    this.tops = [];
    const above = [];
    for (const row of this.rows) {
      row.up = above[row.d - 1] ?? null;
      (row.up?.children ?? this.tops).push(row);
      above[row.d] = row;
    }
    this.open = new Set(); // rows opened by the user
    this.ancestors = new Set();
    this.marks = new Map();
    for (let row = this.tops[0]; row; row = row.children.length === 1 ? row.children[0] : null) this.open.add(row.n);
    this.current = null;
    this.box.scrollTop = 0;
    this.#list();
  }

  get(n) { return this.nodes.get(n) ?? null; }

  // nearest returns the first of some nodes that is in the tree.
  nearest(nodes) {
    return nodes.find((n) => this.nodes.has(n)) ?? null;
  }

  // mark sets the title and the body, as names by node. The
  // ancestors of new ones are opened.
  mark(marks) {
    for (const n of marks.keys()) {
      if (this.marks.has(n)) continue;
      for (let up = this.get(n)?.up; up; up = up.up) this.open.add(up.n);
    }
    this.marks = marks;
    this.#list();
  }

  // show makes a row the current one.
  show(n) {
    const row = this.get(n);
    this.current = row;
    this.ancestors = new Set();
    for (let up = row?.up; up; up = up.up) this.ancestors.add(up.n);
    this.#list();
    const at = this.visible.indexOf(row);
    if (at < 0) return;
    const top = at * height, { scrollTop, clientHeight } = this.box;
    if (top < scrollTop + height || top > scrollTop + clientHeight - 2 * height) {
      this.box.scrollTop = Math.max(0, top - clientHeight / 2);
      this.#draw();
    }
  }

  #isOpen(row) { return row.children.length > 0 && (this.open.has(row.n) || this.ancestors.has(row.n)); }

  // #list updates the list of rows that are not collapsed.
  #list() {
    this.visible = [];
    let folded = Infinity;
    for (const row of this.rows) {
      if (row.d > folded) continue;
      folded = this.#isOpen(row) ? Infinity : row.d;
      this.visible.push(row);
    }
    this.inner.style.height = this.visible.length * height + "px";
    this.#draw();
  }

  #draw() {
    const { scrollTop, clientHeight } = this.box;
    const from = Math.max(0, Math.floor(scrollTop / height) - spare);
    const to = Math.min(this.visible.length, Math.ceil((scrollTop + clientHeight) / height) + spare);
    const shown = [];
    const at = this.visible.indexOf(this.current);
    for (let i = from; i < to; i++) shown.push(this.#row(this.visible[i], i));
    if (at >= 0 && (at < from || at >= to)) shown.push(this.#row(this.current, at));
    this.inner.replaceChildren(...shown);
    if (at >= 0) this.box.setAttribute("aria-activedescendant", "row-" + this.current.n);
    else this.box.removeAttribute("aria-activedescendant");
  }

  #row(row, i) {
    const siblings = row.up?.children ?? this.tops;
    const marks = this.marks.get(row.n) ?? [];
    const open = this.#isOpen(row);
    return h("div", {
      class: ["row", ...marks, this.ancestors.has(row.n) && "ancestor"].filter(Boolean).join(" "), id: "row-" + row.n, role: "treeitem", "data-n": row.n,
      "aria-level": row.d + 1, "aria-setsize": siblings.length, "aria-posinset": siblings.indexOf(row) + 1,
      "aria-expanded": row.children.length ? String(open) : null, "aria-selected": String(row === this.current),
      vars: { top: i * height + "px", depth: Math.min(row.d, 24) },
    },
    h("span", { class: "twist", "aria-hidden": "true" }, row.children.length ? (open ? "▾" : "▸") : ""),
    marks.map((mark) => h("span", { class: "tag " + mark }, mark)),
    h("code", null, row.l), h("span", { class: "words", dir: "auto" }, row.t ?? ""));
  }

  #at(event, f) {
    const row = this.get(+event.target.closest?.(".row")?.dataset.n);
    if (row) f(row);
  }

  #click(event) {
    this.#at(event, (row) => {
      if (event.target.closest(".twist") && row.children.length) this.#toggle(row, !this.#isOpen(row));
      else this.act.move(row.n);
    });
  }

  #toggle(row, open) {
    if (open) this.open.add(row.n);
    else {
      this.open.delete(row.n);
      if (this.ancestors.has(row.n)) { // it contains the current row
        this.act.move(row.n);
        return;
      }
    }
    this.#list();
  }

  // #key handles the usual keys of a tree.
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const row = this.current;
    const at = this.visible.indexOf(row);
    const to = {
      ArrowDown: () => this.visible[at + 1],
      ArrowUp: () => this.visible[at - 1],
      ArrowRight: () => {
        if (!row || row.children.length === 0) return null;
        if (this.#isOpen(row)) return row.children[0];
        this.#toggle(row, true);
        return null;
      },
      ArrowLeft: () => {
        if (!row) return null;
        if (!this.#isOpen(row)) return row.up;
        this.#toggle(row, false);
        return null;
      },
      Home: () => this.visible[0],
      End: () => this.visible.at(-1),
    }[event.key];
    if (!to) return;
    event.preventDefault();
    event.stopPropagation();
    const next = at < 0 ? this.visible[0] : to();
    if (next) this.act.move(next.n);
  }
}
