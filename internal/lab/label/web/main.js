// The application: the current page, its label, and the actions.

import * as api from "./api.js";
import { byId, write } from "./element.js";
import { keyTable, listen } from "./keys.js";
import { drawChosen, drawPages, drawState, words } from "./panel.js";
import { shortcuts } from "./shortcuts.js";
import { Tree } from "./tree.js";
import { View } from "./view.js";

const view = new View();
const tree = new Tree(byId("tree"), { move: (n) => move(n), peek: (n) => outline(n ?? cursor), choose: (n) => { move(n); actions.choose(); } });

let pages = []; // id, state
let page = null; // the current page: id, rows, label …
let cursor = null; // the outlined node
let mode = "title";
let visit = 0; // number of pages shown so far
let sending = Promise.resolve(); // changes are sent one after another

const say = (text) => write(byId("message"), text);

function saved(text, is = "fine") {
  const at = byId("saved");
  write(at, text);
  at.dataset.is = is;
}

// Pages

const indexOf = (id) => pages.findIndex((p) => p.id === id);

async function start() {
  pages = await api.getPages();
  saved("All changes saved");
  const wanted = new URLSearchParams(location.hash.slice(1)).get("page");
  const open = pages.findIndex((p) => p.state === "open" || p.state === "started");
  view.overlay.focus();
  await show(pages[indexOf(wanted)] ?? pages[Math.max(0, open)]);
}

async function show(to) {
  const turn = ++visit;
  history.replaceState(null, "", "#" + new URLSearchParams({ page: to.id }));
  document.title = to.id + " – lede label";
  page = null;
  setCursor(null);
  view.clear();
  trouble("");
  drawPages(pages, to.id);
  try {
    await sending;
    const next = await api.getPage(to.id);
    if (turn !== visit) return;
    page = next;
    tree.load(page.rows);
    setMode(page.label.title && !page.label.body ? "body" : "title");
    const layers = await view.load(api.frameAddress(page.id), "Page to label: " + (page.heading || page.id));
    if (turn !== visit) return;
    draw();
    say(opening(layers));
    const first = [page.label.title?.node, page.label.body?.node].find((n) => n >= 0);
    if (first !== undefined && !view.window.scrollY) view.reveal(first);
  } catch (error) {
    if (turn !== visit) return;
    tree.load([]);
    trouble(`Cannot show this page: ${error.message}`);
    draw();
  }
}

function opening(layers) {
  const parts = [`Page ${indexOf(page.id) + 1} of ${pages.length}: ${page.heading || page.id}.`];
  if (layers) parts.push("A layer that covers the page is hidden.");
  if (page.cut) parts.push("The page is too large and is truncated.");
  return parts.join(" ");
}

function trouble(text) {
  byId("trouble").hidden = !text;
  write(byId("trouble"), text);
}

// Labels

// change sends a change of the label of the current page and shows what was saved.
function change(what) {
  const { id } = page;
  saved("Saving…", "busy");
  sending = sending.then(async () => {
    try {
      const label = await api.putLabel(id, what);
      saved("Saved");
      pages[indexOf(id)].state = label.state;
      if (page?.id === id) page.label = label;
      draw();
      if (page?.id === id && "title" in what && label.title && !label.body) setMode("body");
    } catch (error) {
      saved(`Not saved (${id}): ${error.message}`, "bad");
      say("The change was not saved. Is lede-lab label still running?");
    }
  });
}

const nameOf = (n) => tree.get(n)?.l ?? "";

// Drawing

function draw() {
  const marks = new Map();
  for (const kind of ["title", "body"]) {
    const n = page?.label[kind]?.node ?? -1;
    view.outline(kind, n, kind);
    if (n >= 0) marks.set(n, [...(marks.get(n) ?? []), kind]);
  }
  tree.mark(marks);
  drawPages(pages, page?.id);
  drawState(page);
  drawChosen(page, tree);
}

function outline(n) {
  const row = tree.get(n);
  view.outline("cursor", row ? n : null, row ? `${row.l} · ${words(row)}` : "");
}

function setCursor(n) {
  cursor = n;
  outline(n);
  const row = tree.get(n);
  write(byId("outlined"), row ? `${row.l}, ${words(row)}` + (row.t ? ": " + row.t : "") : "");
  byId("outlined").dir = "auto";
}

// move outlines a node and scrolls to it.
function move(n) {
  if (n === null || n === undefined) return;
  setCursor(n);
  tree.show(n);
  view.reveal(n);
  if (document.activeElement === view.overlay) say(byId("outlined").textContent);
}

// step moves from the outlined node, or to the selected element.
function step(to) {
  if (!page) return;
  const row = tree.get(cursor);
  if (row) {
    const next = to(row);
    if (next) move(next.n);
    else say("No element in this direction.");
    return;
  }
  const begin = [page.label[mode]?.node, page.rows[0]?.n];
  move(tree.nearest(begin));
}

const sibling = (by) => (row) => {
  const all = row.up?.children ?? tree.tops;
  return all[all.indexOf(row) + by];
};

function setMode(next) {
  mode = next;
  byId("mode-title").setAttribute("aria-pressed", String(mode === "title"));
  byId("mode-body").setAttribute("aria-pressed", String(mode === "body"));
  view.overlay.dataset.mode = mode;
}

// Actions of keys and buttons

// go shows the next or previous page and returns whether there is one.
function go(by) {
  const to = pages[indexOf(byId("pages").value) + by];
  if (to) show(to);
  return !!to;
}

const actions = {
  title() { setMode("title"); say("Select the title."); },
  body() { setMode("body"); say("Select the body."); },
  parent: () => step((row) => row.up),
  child: () => step((row) => row.children[0]),
  previousSibling: () => step(sibling(-1)),
  nextSibling: () => step(sibling(1)),
  down: () => view.scroll(0.85),
  up: () => view.scroll(-0.85),

  choose() {
    if (!page || cursor === null) return say("No element is outlined. Point at one, or use the arrow keys.");
    say(`${mode === "title" ? "Title" : "Body"} selected: ${nameOf(cursor)}.`);
    change({ [mode]: cursor });
  },

  done() {
    if (!page) return;
    const done = page.label.state !== "labelled";
    say(done ? "Marked as done." : "Marked as not done.");
    change({ done });
  },

  skip() {
    if (!page) return;
    const skipped = page.label.state !== "skipped";
    change({ skipped });
    if (skipped) actions.next();
    else say("No longer skipped.");
  },

  clear() {
    if (!page) return;
    say("Cleared.");
    change({ title: -1, body: -1, done: false, skipped: false });
    setMode("title");
  },

  next() { if (!go(1)) say("This is the last page."); },
  previous() { if (!go(-1)) say("This is the first page."); },

  nextOpen() {
    const from = indexOf(byId("pages").value);
    const rest = [...pages.slice(from + 1), ...pages.slice(0, from)];
    const open = rest.find((p) => p.state === "open" || p.state === "started");
    if (open) show(open);
    else say("All other pages are labelled or skipped.");
  },

  hide() {
    if (cursor === null) return say("No element is outlined.");
    view.hide(cursor);
    say("Hidden until the page is reloaded.");
    setCursor(null);
  },

  help: () => byId("help").showModal(),
};

// Pointer

let last = "";

view.overlay.addEventListener("pointermove", (event) => {
  const at = event.clientX + "," + event.clientY;
  if (at === last) return; // the page has scrolled, not the pointer moved
  last = at;
  const n = page && tree.nearest(view.hits(event));
  if (n === null || n === cursor) return;
  setCursor(n);
  tree.show(n);
});
view.overlay.addEventListener("click", (event) => {
  const n = page && tree.nearest(view.hits(event));
  if (n === null) return;
  setCursor(n);
  tree.show(n);
  actions.choose();
});

byId("keys").append(keyTable(shortcuts));
for (const button of document.querySelectorAll("[data-do]")) button.addEventListener("click", () => actions[button.dataset.do]());
byId("pages").addEventListener("change", (event) => show(pages[event.target.selectedIndex]));
listen(shortcuts, actions);

start().catch((error) => {
  saved(error.message, "bad");
  trouble(error.message);
});
