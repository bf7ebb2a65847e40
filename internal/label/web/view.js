// The page in its frame, under a pane of glass: the glass takes pointer and keys, the
// frame is only looked into. Outlines are drawn over the frame, not in it, where the page's
// own styles would have a say.

import { h, byId } from "./element.js";

// Between an element and its outline: the one that moves stays outside of those that
// are chosen.
const padding = (kind) => (kind === "cursor" ? 6 : 3);

export class View {
  constructor() {
    this.glass = byId("glass");
    this.layer = byId("boxes");
    this.boxes = new Map(); // by kind
    this.glass.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    // A scrollbar of the frame takes the focus; the keys belong to the tool.
    addEventListener("blur", () => setTimeout(() => {
      if (document.activeElement?.tagName === "IFRAME") this.glass.focus();
    }));
    const loop = () => { this.#draw(); requestAnimationFrame(loop); };
    loop();
  }

  // load shows another page, and is done when it can be looked into.
  load(address, title) {
    this.clear();
    const frame = h("iframe", { sandbox: "allow-same-origin", src: address, title, tabindex: "-1", referrerpolicy: "no-referrer" });
    this.frame = frame; // a new one: another address in the old one would be a step in the history
    return new Promise((resolve) => {
      frame.addEventListener("load", () => { if (this.frame === frame) resolve(this.uncover()); }, { once: true });
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

  // element finds a node on the page, which until it has loaded is an empty one.
  element(n) {
    const known = this.elements.get(n);
    if (known && known.ownerDocument === this.document) return known;
    const element = this.document?.querySelector(`[data-n="${n}"]`) ?? null;
    if (element) this.elements.set(n, element);
    return element;
  }

  // hits are the nodes under the pointer, the innermost first.
  hits(event) {
    const at = this.glass.getBoundingClientRect();
    const nodes = [];
    for (let e = this.document?.elementFromPoint(event.clientX - at.left, event.clientY - at.top); e; e = e.parentElement) {
      if (e.dataset?.n) nodes.push(+e.dataset.n);
    }
    return nodes;
  }

  // rect is where an element is in the frame; one without a box of its own has that of its contents.
  rect(n) {
    const element = this.element(n);
    if (!element) return null;
    const rect = element.getBoundingClientRect();
    if (rect.width && rect.height) return rect;
    const range = this.document.createRange();
    range.selectNodeContents(element);
    return range.getBoundingClientRect();
  }

  // box is where it is on the page.
  box(n) {
    const r = this.rect(n);
    if (!r) return [0, 0, 0, 0];
    return [r.left + this.window.scrollX, r.top + this.window.scrollY, r.width, r.height].map(Math.round);
  }

  // reveal scrolls until the beginning of an element can be seen.
  reveal(n) {
    const r = this.rect(n), height = this.glass.clientHeight;
    if (!r || (r.top >= 0 && r.top <= height * 0.85)) return;
    if (r.top < 0 && r.bottom > height * 0.5) return; // one is in the middle of it
    this.window.scrollBy({ top: r.top - height * 0.2, behavior: "instant" });
  }

  scroll(by) {
    this.window?.scrollBy({ top: by * this.glass.clientHeight, behavior: "instant" });
  }

  #wheel(event) {
    if (event.ctrlKey || !this.window) return; // zoom
    event.preventDefault();
    const unit = [1, 20, this.glass.clientHeight][event.deltaMode];
    const by = { left: event.deltaX * unit, top: event.deltaY * unit, behavior: "instant" };
    const at = this.glass.getBoundingClientRect();
    for (let e = this.document.elementFromPoint(event.clientX - at.left, event.clientY - at.top); e && e !== this.document.body; e = e.parentElement) {
      if (e.scrollHeight <= e.clientHeight || !/auto|scroll/.test(this.window.getComputedStyle(e).overflowY)) continue;
      const before = e.scrollTop;
      e.scrollBy(by);
      if (e.scrollTop !== before) return;
    }
    this.window.scrollBy(by);
  }

  // uncover takes away layers that lie over the page and that only its scripts would
  // take away, and tells how many.
  uncover() {
    const { clientWidth: width, clientHeight: height } = this.glass;
    for (let layers = 0; ; layers++) {
      let layer = this.document.elementFromPoint(width / 2, height / 2);
      while (layer && !this.#covers(layer, width, height)) layer = layer.parentElement;
      if (!layer || layers === 5) return layers;
      layer.style.setProperty("display", "none", "important");
    }
  }

  #covers(element, width, height) {
    if (this.window.getComputedStyle(element).position !== "fixed") return false;
    const r = element.getBoundingClientRect();
    return r.width >= width * 0.9 && r.height >= height * 0.9;
  }

  // hide takes one element out of sight, until the page is loaded again.
  hide(n) {
    this.element(n)?.style.setProperty("display", "none", "important");
  }

  // outline draws a kind of outline around a node; null takes it away.
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

  // #draw follows scrolling, and pages that settle late.
  #draw() {
    const root = this.document?.documentElement;
    if (!root) return;
    const width = root.clientWidth + "px"; // the scrollbar stays in reach
    if (this.glass.style.width !== width) this.glass.style.width = width;
    for (const [kind, box] of this.boxes) this.#place(box, padding(kind), root.clientWidth);
  }

  #place(box, pad, width) {
    const r = this.rect(box.n);
    const left = r && Math.max(0, r.left - pad), right = r && Math.min(width, r.right + pad); // its sides stay in sight
    const at = r && (r.width || r.height) ? [left, right, r.top, r.bottom].join() : "nowhere";
    if (at === box.at) return;
    box.at = at;
    const { style, classList } = box.node;
    style.display = at === "nowhere" ? "none" : "";
    if (at === "nowhere") return;
    style.transform = `translate(${left}px, ${r.top - pad}px)`;
    style.width = right - left + "px";
    style.height = r.height + 2 * pad + "px";
    classList.toggle("inside", r.top < 22);
  }
}
