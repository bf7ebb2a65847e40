// The application: the current page, its label, and the actions.

import * as api from "./api.js";
import { byId, write } from "./element.js";
import { keyTable, listen } from "./keys.js";
import { drawChanged, drawChosen, drawPages, drawState, words } from "./panel.js";
import { Queue } from "./queue.js";
import { shortcuts } from "./shortcuts.js";
import { Tree } from "./tree.js";
import { View } from "./view.js";

const view = new View();
const tree = new Tree(byId("tree"), { move: (n) => move(n), peek: (n) => outline(n ?? cursor), choose: (n) => { move(n); actions.choose(); } });

let pages = []; // id, url, state
let page = null; // the current page: id, doc, label …
let guess = { title: -1, body: -1 };
let cursor = null; // the outlined node
let mode = "title";
let queue;
let visit = 0; // number of pages shown so far
let ready = Promise.resolve(); // resolved when the page and its suggestion have loaded

const say = (text) => write(byId("message"), text);

function saved(text, is = "fine") {
  const at = byId("saved");
  write(at, text);
  at.dataset.is = is;
}

// Pages

const indexOf = (id) => pages.findIndex((p) => p.id === id);

async function start() {
  const list = await api.getPages();
  pages = list.pages;
  queue = new Queue(list.set, { saved: onSaved, refused: onRefused, waiting: onWaiting });
  saved("All changes saved");
  const wanted = new URLSearchParams(location.hash.slice(1)).get("page");
  const open = pages.findIndex((p) => p.state === "open" || p.state === "started");
  await queue.flush(); // unsent changes of an earlier tab
  view.overlay.focus();
  await show(pages[indexOf(wanted)] ?? pages[Math.max(0, open)]);
}

function show(to) {
  ready = load(to, ++visit);
  return ready;
}

async function load(to, turn) {
  history.replaceState(null, "", "#" + new URLSearchParams({ page: to.id }));
  document.title = to.id + " – lede label";
  page = null;
  setCursor(null);
  guess = { title: -1, body: -1 };
  view.clear();
  trouble("");
  drawPages(pages, to.id);
  try {
    const next = await api.getPage(to.id);
    if (turn !== visit) return;
    page = next;
    tree.load(page.rows);
    adopt(page.label);
    setMode(page.label.title && !page.label.body ? "body" : "title");
    const guessed = suggest(turn);
    const layers = await view.load(api.frameAddress(page.id, page.doc), "Page to label: " + (page.heading || page.id));
    if (turn !== visit) return;
    say(opening(layers));
    await guessed;
    if (turn !== visit) return;
    const first = [page.label.title?.node, guess.title, page.label.body?.node, guess.body].find((n) => n >= 0);
    if (first !== undefined && !view.window.scrollY) view.reveal(first);
  } catch (error) {
    if (turn !== visit) return;
    tree.load([]);
    if (!(error instanceof api.Refused)) onWaiting(queue.count, error);
    trouble(`Cannot show this page: ${error.message}`);
    draw();
  }
}

function opening(layers) {
  const parts = [`Page ${indexOf(page.id) + 1} of ${pages.length}: ${page.heading || page.id}.`];
  if (layers) parts.push("A layer that covers the page is hidden.");
  if (page.cut) parts.push("The page is too large and is truncated.");
  if (page.left) parts.push(`The tree omits ${page.left} elements.`);
  return parts.join(" ");
}

function trouble(text) {
  byId("trouble").hidden = !text;
  write(byId("trouble"), text);
}

async function suggest(turn) {
  const next = await api.getSuggestion(page.id, page.doc).catch(() => null);
  if (turn !== visit || !next) return;
  guess = { title: tree.nearest([next.title]) ?? -1, body: tree.nearest([next.body]) ?? -1 };
  draw();
}

// Labels

// adopt sets the label of the current page to that of the server.
function adopt(label) {
  page.label = label;
  Object.assign(pages[indexOf(page.id)], { state: label.state, changed: [label.title, label.body].some((found) => found && found.match !== "exact") });
  draw();
}

function change(what) {
  saved("Saving…", "busy");
  return queue.add(page.id, page.doc, page.label.version, what);
}

function onSaved(id, label) {
  saved("Saved");
  byId("saved").classList.remove("flash");
  requestAnimationFrame(() => byId("saved").classList.add("flash"));
  const at = pages[indexOf(id)];
  if (at) at.state = label.state;
  if (page?.id === id && !queue.has(id)) adopt(label);
  else drawPages(pages, page?.id);
}

function onRefused(id, error) {
  saved(`Not saved (${id}): ${error.message}`, "bad");
  if (page?.id !== id) return;
  if (error.status === 409) {
    adopt(error.label);
    say("This page was changed in another tab. Its current label is shown; your last change was not saved.");
  } else if (error.status === 410) {
    say("The page has changed and is reloaded; your last change was not saved.");
    show(pages[indexOf(id)]);
  }
}

function onWaiting(count, error) {
  const why = error instanceof api.Refused ? error.message : "the server does not respond";
  const again = error.status === 403 ? "open the URL that lede label printed last" : "retrying";
  saved(count ? `${count} unsaved, stored in this browser: ${why}; ${again}` : `${why}; ${again}`, "bad");
}

// expect shows the label as it will be when the change is saved.
function expect(what) {
  const label = { ...page.label };
  for (const kind of ["title", "body"]) {
    if (!(kind in what)) continue;
    label[kind] = what[kind] && { node: what[kind].node, match: "exact", text: tree.get(what[kind].node)?.t ?? "" };
  }
  if ("skipped" in what || "done" in what) label.state = what.skipped ? "skipped" : what.done ? "labelled" : "open";
  page.label = label;
  draw();
}

const choiceOf = (n) => ({ node: n, box: view.box(n) });

const nameOf = (n) => tree.get(n)?.l ?? "";

// Drawing

function draw() {
  const marks = new Map();
  const put = (n, mark) => { if (n >= 0) marks.set(n, [...(marks.get(n) ?? []), mark]); };
  for (const kind of ["title", "body"]) {
    const n = page?.label[kind]?.node ?? -1;
    const g = n >= 0 ? -1 : guess[kind];
    view.outline(kind, n, kind);
    view.outline(kind + "-guess", g, kind + "?");
    put(n, kind);
    put(g, kind + "-guess");
  }
  tree.mark(marks);
  drawPages(pages, page?.id);
  drawState(page, guess);
  drawChosen(page, tree);
  drawChanged(page, () => actions.keep());
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

// step moves from the outlined node, or to the selected or suggested element.
function step(to) {
  if (!page) return;
  const row = tree.get(cursor);
  if (row) {
    const next = to(row);
    if (next) move(next.n);
    else say("No element in this direction.");
    return;
  }
  const begin = [page.label[mode]?.node, guess[mode], guess.body, page.rows[0]?.n];
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
    const what = { [mode]: choiceOf(cursor) };
    say(`${mode === "title" ? "Title" : "Body"} selected: ${nameOf(cursor)}.`);
    change(what);
    expect(what);
    if (mode === "title" && !page.label.body) setMode("body");
  },

  async accept() {
    const turn = visit;
    await ready; // the suggestion may still be loading
    if (turn !== visit) return;
    const what = {};
    for (const kind of ["title", "body"]) if (guess[kind] >= 0) what[kind] = choiceOf(guess[kind]);
    if (!page || Object.keys(what).length === 0) return say("No suggestion for this page.");
    say("Suggestion accepted.");
    change(what);
    expect(what);
  },

  keep() {
    const what = {};
    for (const kind of ["title", "body"]) {
      const found = page?.label[kind];
      if (found && found.node >= 0 && found.match !== "exact") what[kind] = choiceOf(found.node);
    }
    if (Object.keys(what).length === 0) return say("No changed elements to keep.");
    say("Elements kept.");
    change(what);
    expect(what);
  },

  undo() {
    if (!page) return;
    if (!page.label.undo && !queue.has(page.id)) return say("Nothing to undo.");
    say("Undone.");
    change(null);
  },

  done() {
    if (!page) return;
    const done = page.label.state !== "labelled";
    say(done ? "Marked as done." : "Marked as not done.");
    change({ done });
    expect({ done });
  },

  skip() {
    if (!page) return;
    const skipped = page.label.state !== "skipped";
    change({ skipped });
    expect({ skipped });
    if (skipped) actions.next();
    else say("No longer skipped.");
  },

  clear() {
    if (!page) return;
    const what = { title: null, body: null, done: false, skipped: false };
    say("Cleared. Press z to undo.");
    change(what);
    expect(what);
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

// A tab that becomes visible again shows the changes of other tabs.
addEventListener("visibilitychange", async () => {
  if (document.hidden || !page || queue.count) return;
  const { id, doc } = page;
  try {
    const { label } = await api.getLabel(id, doc);
    if (page?.id === id && label.version !== page.label.version && !queue.has(id)) adopt(label);
  } catch {
    // the next change reports the error
  }
});

start().catch((error) => {
  saved(error.message, "bad");
  trouble(error.message);
});
