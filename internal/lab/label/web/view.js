// The page in its frame. A transparent element over the frame receives pointer and
// keyboard events. Outlines are drawn over the frame, where the styles of the page
// do not affect them.

import { uncover } from "./cover.js";
import { h, byId } from "./element.js";

// Distance between an element and its outline. The cursor is outside the others.
const padding = (kind) => (kind === "cursor" ? 6 : 3);

export class View {
  constructor() {
    this.overlay = byId("overlay");
    this.layer = byId("boxes");
    this.boxes = new Map(); // by kind
    this.overlay.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    // The scrollbar of the frame takes the focus, and thereby the keys.
    addEventListener("blur", () => setTimeout(() => {
      if (document.activeElement?.tagName === "IFRAME") this.overlay.focus();
    }));
    const loop = () => { this.#draw(); requestAnimationFrame(loop); };
    loop();
  }

  // load shows another page and resolves when it has loaded.
  load(address, title) {
    this.clear();
    const frame = h("iframe", { sandbox: "allow-same-origin", src: address, title, tabindex: "-1", referrerpolicy: "no-referrer" });
    this.frame = frame; // a new frame, since navigation would add to the history
    return new Promise((resolve) => {
      frame.addEventListener("load", () => { if (this.frame === frame) resolve(uncover(this.document)); }, { once: true });
      byId("frame").replaceChildren(frame);
    });
  }

  clear() {
    this.frame = null;
    this.elements = new Map();
    this.boxes.clear();
    this.layer.replaceChildren();
    byId("frame").replaceChildren();
  }

  get document() { return this.frame?.contentDocument; }
  get window() { return this.frame?.contentWindow; }

  // element returns the element of a node, if the page has loaded.
  element(n) {
    const known = this.elements.get(n);
    if (known && known.ownerDocument === this.document) return known;
    const element = this.document?.querySelector(`[data-n="${n}"]`) ?? null;
    if (element) this.elements.set(n, element);
    return element;
  }

  // hits returns the nodes under the pointer, the innermost first.
  hits(event) {
    const at = this.overlay.getBoundingClientRect();
    const nodes = [];
    for (let e = this.document?.elementFromPoint(event.clientX - at.left, event.clientY - at.top); e; e = e.parentElement) {
      if (e.dataset?.n) nodes.push(+e.dataset.n);
    }
    return nodes;
  }

  // rect returns the position of an element in the frame. An element without a box
  // has that of its contents.
  rect(n) {
    const element = this.element(n);
    if (!element) return null;
    const rect = element.getBoundingClientRect();
    if (rect.width && rect.height) return rect;
    const range = this.document.createRange();
    range.selectNodeContents(element);
    return range.getBoundingClientRect();
  }

  // reveal scrolls to the beginning of an element.
  reveal(n) {
    const r = this.rect(n), height = this.overlay.clientHeight;
    if (!r || (r.top >= 0 && r.top <= height * 0.85)) return;
    if (r.top < 0 && r.bottom > height * 0.5) return; // the element fills the view
    this.window.scrollBy({ top: r.top - height * 0.2, behavior: "instant" });
  }

  scroll(by) {
    this.window?.scrollBy({ top: by * this.overlay.clientHeight, behavior: "instant" });
  }

  #wheel(event) {
    if (event.ctrlKey || !this.window) return; // zoom
    event.preventDefault();
    const unit = [1, 20, this.overlay.clientHeight][event.deltaMode];
    const by = { left: event.deltaX * unit, top: event.deltaY * unit, behavior: "instant" };
    const at = this.overlay.getBoundingClientRect();
    for (let e = this.document.elementFromPoint(event.clientX - at.left, event.clientY - at.top); e && e !== this.document.body; e = e.parentElement) {
      if (e.scrollHeight <= e.clientHeight || !/auto|scroll/.test(this.window.getComputedStyle(e).overflowY)) continue;
      const before = e.scrollTop;
      e.scrollBy(by);
      if (e.scrollTop !== before) return;
    }
    this.window.scrollBy(by);
  }

  // hide hides an element until the page is reloaded.
  hide(n) {
    this.element(n)?.style.setProperty("display", "none", "important");
  }

  // outline draws an outline around a node, or removes it if the node is null.
  outline(kind, n, name) {
    const old = this.boxes.get(kind);
    if (n === null || n === undefined || n < 0) {
      old?.node.remove();
      this.boxes.delete(kind);
      return;
    }
    const box = old ?? { node: h("div", { class: "box " + kind }, h("span")) };
    box.n = n;
    box.at = "";
    box.node.dataset.n = n;
    box.node.firstChild.textContent = name;
    if (!old) this.layer.append(box.node);
    this.boxes.set(kind, box);
  }

  // #draw updates the outlines after scrolling and late layout changes.
  #draw() {
    const root = this.document?.documentElement;
    if (!root) return;
    const width = root.clientWidth + "px"; // leaves the scrollbar accessible
    if (this.overlay.style.width !== width) this.overlay.style.width = width;
    for (const [kind, box] of this.boxes) this.#place(box, padding(kind), root.clientWidth);
  }

  #place(box, pad, width) {
    const r = this.rect(box.n);
    const left = r && Math.max(0, r.left - pad), right = r && Math.min(width, r.right + pad); // keeps the sides visible
    const at = r && (r.width || r.height) ? [left, right, r.top, r.bottom].join() : "hidden";
    if (at === box.at) return;
    box.at = at;
    const { style, classList } = box.node;
    style.display = at === "hidden" ? "none" : "";
    if (at === "hidden") return;
    style.transform = `translate(${left}px, ${r.top - pad}px)`;
    style.width = right - left + "px";
    style.height = r.height + 2 * pad + "px";
    classList.toggle("inside", r.top < 22);
  }
}
