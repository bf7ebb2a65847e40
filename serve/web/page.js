// The page as it was, in a sandboxed frame, with what was kept and dropped marked on
// it. An element over the frame receives the pointer, since frames without scripts
// give no events in some browsers.

import { parseProblem, Problem, root } from "./api.js";
import { uncover } from "./cover.js";
import { count, fill, h } from "./element.js";
import { drawProblem } from "./problem.js";

const roles = {
  kept: "kept", dropped: "dropped", title: "headline", standfirst: "standfirst", byline: "byline", date: "date", picture: "pictures", hidden: "hidden from readers",
};

// Words for a probability, from the highest.
const likelihoods = [[0.95, "almost certainly part of the story"], [0.75, "very likely part of the story"], [0.5, "more likely part of the story than not"],
  [0.25, "more likely not part of the story"], [0.05, "very likely not part of the story"], [0, "almost certainly not part of the story"]];

export const likelihood = (p) => likelihoods.find(([least]) => p >= least)?.[1] ?? likelihoods.at(-1)[1];

const percent = (p) => (p > 0.99 ? "over 99 %" : p < 0.01 ? "under 1 %" : `${Math.floor(p * 100)} %`);

// reasonsOf returns the reasons of a decision: its probability, what spoke for it, and
// what spoke against it. They are one line, "40 %: far from the headline, mostly links;
// although NCE keeps it".
export function reasonsOf(why = "") {
  const [, chance = "", note = "", rest] = /^(?:((?:over |under )?\d+ %)(?:, ([^:“]+))?: )?(.*)$/s.exec(why);
  const [reasons, ...although] = rest.split(/; although |^although /);
  return { chance, note, reasons: phrases(reasons), although: phrases(although.join(", ")) };
}

// phrases splits at commas, but not within quotes and not before "which".
const phrases = (text) => (text.match(/(?:“[^”]*”|, which |[^,])+/g) ?? []).map((phrase) => phrase.trim()).filter(Boolean);

let frames = 0;

export class PageView {
  constructor({ say, listens }) {
    this.say = say;
    this.listens = listens;
  }

  async draw(panel, look) {
    this.look = look;
    this.current = -1;
    this.filter = "all";
    const name = "page-frame-" + ++frames; // a new frame, since navigation would add to the history
    this.frame = h("iframe", { name, title: "The page with marks", sandbox: "allow-same-origin", referrerpolicy: "no-referrer", tabindex: "-1" });
    this.overlay = h("div", { class: "overlay", "aria-hidden": "true" });
    this.legend = h("div", { class: "legend" });
    this.list = h("ol", { class: "blocks", "aria-label": "Blocks of the page" });
    this.sheet = h("aside", { class: "sheet", "aria-label": "Explanation", hidden: true });
    this.listBox = h("details", { class: "block-list" }, h("summary", null, "All blocks as a list"), this.list);
    this.listBox.addEventListener("toggle", () => this.#fillList());
    panel.replaceChildren(this.legend, h("div", { class: "stage-row" }, h("div", { class: "stage" }, this.frame, this.overlay), this.sheet), this.listBox);
    const loaded = this.#load(name);
    const explained = look.explain().catch((error) => ({ error, decisions: [] }));
    await loaded;
    const { decisions, error, article } = await explained;
    if (look.cancelled) return "";
    if (error) panel.prepend(h("div", { role: "alert" }, drawProblem(error, null))); // the page is shown without marks
    this.decisions = decisions;
    this.judges = article?.method?.startsWith("blend"); // its scores are probabilities
    uncover(this.document, (layer) => layer.querySelector('[data-r="kept"]'));
    this.#index();
    this.#drawLegend();
    this.#attach();
    this.#fillList();
    this.document.querySelector('[data-r="title"], [data-r="kept"]')?.scrollIntoView({ block: "center", behavior: "instant" });
    scrollTo(0, 0);
    return `The page with marks: ${count(this.blocks.length, "block")}. Press j for the next block.`;
  }

  get document() { return this.frame.contentDocument; }

  // #load posts the page into the frame, so that the copy has its own policy and is
  // stored nowhere.
  #load(name) {
    const { html, url, method, favor, with: kept } = this.look.request;
    const fields = { token: this.look.config.token, html, url, method, favor, with: kept?.join(",") };
    const form = h("form", { method: "post", action: new URL("ui/frame", root).pathname, target: name, enctype: "multipart/form-data", "accept-charset": "utf-8", hidden: true },
      Object.entries(fields).filter(([, value]) => value).map(([key, value]) => {
        const field = h("textarea", { name: key });
        field.value = value;
        return field;
      }));
    document.body.append(form);
    return new Promise((resolve, reject) => {
      const frame = this.frame;
      frame.addEventListener("load", () => {
        const shown = frame.contentDocument;
        if (!shown || shown.URL === "about:blank") return; // before the answer
        if (shown.querySelector("[data-n], [data-b]")) resolve();
        else reject(problemIn(shown));
      });
      form.submit();
      form.remove();
    });
  }

  // #index finds the marked texts of each block.
  #index() {
    this.spans = new Map();
    for (const span of this.document.querySelectorAll("[data-b]")) {
      const i = Number(span.dataset.b);
      if (!this.spans.has(i)) this.spans.set(i, []);
      this.spans.get(i).push(span);
    }
    this.blocks = this.decisions.map((d, i) => i).filter((i) => this.decisions[i].text?.trim());
  }

  // roleOf returns how the page marks a block, which may be more exact than its role.
  roleOf(i) { return this.spans.get(i)?.[0]?.dataset.r ?? this.decisions[i].role; }

  #drawLegend() {
    const totals = { picture: this.document.querySelectorAll('[data-r="picture"]').length };
    for (const i of this.blocks) {
      const shown = new Set((this.spans.get(i) ?? []).map((span) => span.dataset.r));
      for (const role of shown.size > 0 ? shown : [this.decisions[i].role]) totals[role] = (totals[role] ?? 0) + 1;
    }
    const filters = { all: "all blocks", kept: "kept only", dropped: "dropped only" };
    const choose = h("select", { id: "block-filter", onchange: (event) => { this.filter = event.target.value; this.#fillList(); this.say(count(this.#shown().length, "block")); } },
      Object.entries(filters).map(([value, text]) => h("option", { value }, text)));
    this.legend.replaceChildren();
    fill(this.legend,
      h("ul", { class: "marks", "aria-label": "Marks" }, Object.entries(roles).filter(([role]) => totals[role]).map(([role, name]) =>
        h("li", { class: "mark " + role }, h("span", { class: "swatch", "aria-hidden": "true" }), `${name} `, h("span", { class: "number" }, totals[role].toLocaleString("en"))))),
      h("div", { class: "row" }, h("label", { for: "block-filter", class: "roomy" }, "Step through"), choose,
        h("button", { type: "button", title: "Previous block (k)", "aria-keyshortcuts": "k", onclick: () => this.step(-1) }, "Previous"),
        h("button", { type: "button", title: "Next block (j)", "aria-keyshortcuts": "j", onclick: () => this.step(1) }, "Next")));
  }

  #shown() {
    const kept = (i) => !["dropped", "hidden"].includes(this.decisions[i].role);
    return this.blocks.filter((i) => this.filter === "all" || (this.filter === "kept") === kept(i));
  }

  #fillList() {
    if (!this.listBox.open || !this.blocks) return;
    this.list.replaceChildren(...this.#shown().map((i) => h("li", null,
      h("button", { type: "button", class: "block " + this.roleOf(i), "aria-current": i === this.current ? "true" : null, onclick: () => this.select(i, true) },
        h("span", { class: "role" }, roles[this.roleOf(i)] ?? this.decisions[i].role), " ", h("span", { dir: "auto" }, shorten(this.decisions[i].text, 140))))));
  }

  // #attach lets the overlay choose blocks and scroll the frame.
  #attach() {
    const frame = this.frame.contentWindow, at = (event) => {
      const box = this.overlay.getBoundingClientRect();
      return this.document.elementFromPoint(event.clientX - box.left, event.clientY - box.top);
    };
    this.overlay.style.width = this.document.documentElement.clientWidth + "px"; // leaves the scrollbar accessible
    this.overlay.addEventListener("click", (event) => {
      const hit = at(event), span = hit?.closest("[data-b]") ?? hit?.querySelector("[data-b]");
      if (span) this.select(Number(span.dataset.b), false);
      else if (hit?.closest('[data-r="picture"]')) this.#explainPicture(hit.closest('[data-r="picture"]'));
    });
    this.overlay.addEventListener("wheel", (event) => {
      const unit = [1, 16, frame.innerHeight][event.deltaMode];
      const before = frame.scrollY;
      frame.scrollBy({ left: event.deltaX * unit, top: event.deltaY * unit, behavior: "instant" });
      if (frame.scrollY !== before) event.preventDefault(); // at its end, the application scrolls
    }, { passive: false });
    this.#touch(frame);
    this.listens(frame); // where the frame has the focus and gives events
  }

  // #touch scrolls the frame with a finger, and lets it glide.
  #touch(frame) {
    let last = null, speed = 0;
    const glide = () => {
      speed *= 0.95;
      if (last !== null || Math.abs(speed) < 0.5) return;
      frame.scrollBy(0, speed);
      requestAnimationFrame(glide);
    };
    this.overlay.addEventListener("touchstart", (event) => { last = event.touches[0].clientY; speed = 0; }, { passive: true });
    this.overlay.addEventListener("touchmove", (event) => {
      if (last === null || event.touches.length > 1) return;
      const y = event.touches[0].clientY, before = frame.scrollY;
      speed = last - y;
      last = y;
      frame.scrollBy({ top: speed, behavior: "instant" });
      if (frame.scrollY !== before && event.cancelable) event.preventDefault();
    }, { passive: false });
    this.overlay.addEventListener("touchend", () => { last = null; glide(); });
  }

  // step selects the next (1) or previous (-1) block that the filter shows.
  step(by) {
    if (!this.blocks?.length) return;
    const shown = this.#shown();
    const next = by > 0 ? shown.find((i) => i > this.current) : shown.findLast((i) => i < this.current || this.current < 0);
    if (next === undefined) this.say(by > 0 ? "This is the last block." : "This is the first block.");
    else this.select(next, true);
  }

  // select explains a block. With scroll, it is moved into view.
  select(i, scroll) {
    this.#unmark();
    this.current = i;
    const spans = this.spans.get(i) ?? [];
    for (const span of spans) span.classList.add("selected");
    this.#explain(i);
    if (scroll || this.#covered) this.#reveal(spans[0]);
    for (const button of this.list.querySelectorAll("[aria-current]")) button.removeAttribute("aria-current");
    const at = this.#shown().indexOf(i);
    this.list.children[at]?.firstChild.setAttribute("aria-current", "true");
  }

  close() {
    if (this.sheet.hidden) return false;
    this.#unmark();
    this.sheet.hidden = true;
    this.current = -1;
    return true;
  }

  #unmark() {
    for (const span of this.document?.querySelectorAll(".selected") ?? []) span.classList.remove("selected");
  }

  get #covered() { return getComputedStyle(this.sheet).position === "fixed"; }

  // #reveal moves an element of the frame into view: above the sheet, where that covers
  // the lower half of the screen.
  #reveal(element) {
    element?.scrollIntoView({ block: this.#covered ? "start" : "center", behavior: "instant" });
    if (!this.#covered) return;
    this.frame.contentWindow.scrollBy({ top: -60, behavior: "instant" });
    this.frame.scrollIntoView({ block: "start", behavior: "instant" });
  }

  // #explain tells what became of a block, and why.
  #explain(i) {
    const d = this.decisions[i], role = this.roleOf(i);
    const judged = this.judges && !["title", "hidden"].includes(d.role);
    const verdicts = { title: "The headline", byline: "The byline", date: "The date", standfirst: "The standfirst", hidden: "Not shown to readers" };
    const verdict = verdicts[role] ?? (d.role === "kept" ? "Kept" : "Dropped");
    const { chance, note, reasons, although } = reasonsOf(d.why);
    const share = chance || percent(d.score);
    this.#open(role, verdict,
      judged && h("p", { class: "likelihood" }, h("b", null, share), " ", likelihood(d.score), note && ", " + note,
        h("span", { class: "meter", "aria-hidden": "true", vars: { to: d.score * 100 + "%" } })),
      reasons.length > 0 && [h("h3", null, "Why"), h("ul", { class: "reasons" }, reasons.map((r) => h("li", { dir: "auto" }, r)))],
      although.length > 0 && [h("h3", null, "Although"), h("ul", { class: "reasons" }, although.map((r) => h("li", { dir: "auto" }, r)))],
      h("h3", null, "Text"), h("p", { class: "words", dir: "auto" }, d.text));
    this.say(`${verdict}. ${judged ? share + ", " + likelihood(d.score) + ". " : ""}${reasons.join(", ")}${although.length ? ", although " + although.join(", ") : ""}. ${shorten(d.text, 120)}`);
  }

  #explainPicture(picture) {
    this.#unmark();
    picture.classList.add("selected");
    this.current = -1;
    this.#open("picture", "A picture of the article", h("p", null, picture.getAttribute("alt") || "It has no description."));
    this.say("A picture of the article");
  }

  #open(role, verdict, ...children) {
    const closer = h("button", { type: "button", class: "closer", "aria-label": "Close the explanation", onclick: () => this.close() }, "×");
    this.sheet.replaceChildren();
    fill(this.sheet, h("div", { class: "sheet-head" }, h("h2", { class: "mark " + role }, h("span", { class: "swatch", "aria-hidden": "true" }), verdict), closer), children);
    this.sheet.hidden = false;
    this.sheet.scrollTop = 0;
  }
}

// problemIn returns the problem that the service wrote into the frame.
function problemIn(shown) {
  const title = shown.querySelector("h1")?.textContent;
  if (title) return new Problem({ title, detail: shown.querySelector("p")?.textContent });
  return parseProblem(shown.body?.textContent ?? "", 0);
}

export function shorten(text, length) {
  const all = [...text.replace(/\s+/g, " ").trim()];
  return all.length <= length ? all.join("") : all.slice(0, length - 1).join("") + "…";
}
