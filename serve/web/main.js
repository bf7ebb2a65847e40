// The application. Data flows one way: a source gives a page, the page with the
// options is a look, and each tab draws what it needs of the look.

import * as api from "./api.js";
import { drawArticle, resize } from "./article.js";
import { drawBookmarklet } from "./bookmarklet.js";
import { byId, unseen, write } from "./element.js";
import { drawExport } from "./export.js";
import { drawFacts } from "./facts.js";
import { Input } from "./input.js";
import { keyTable, listen } from "./keys.js";
import { Look } from "./look.js";
import { drawMethods } from "./methods.js";
import { PageView } from "./page.js";
import { drawProblem } from "./problem.js";
import { recall, remember } from "./settings.js";
import { Tabs } from "./tabs.js";

const shortcuts = [
  ["1", "tab1", "Article"],
  ["2", "tab2", "Page"],
  ["3", "tab3", "Methods"],
  ["4", "tab4", "Facts"],
  ["5", "tab5", "Export"],
  ["o", "open", "open another page"],
  ["j", "next", "Page: next block. Methods: next difference"],
  ["k", "previous", "Page: previous block. Methods: previous difference"],
  ["Escape", "close", "Page: close the explanation"],
  ["+", "larger", "larger text"],
  ["-", "smaller", "smaller text"],
  ["0", "usual", "usual text size"],
  ["p", "print", "print the article"],
  ["d", "theme", "dark or light"],
  ["?", "help", "show this help"],
];

let config = { fetch: false, methods: [], formats: [], pictures: false, token: "", version: "" };
let look = null; // what is shown
let pending = null; // the request for a page

const say = (text) => write(byId("message"), text);

// context is what views may do outside of their panels.
const context = {
  say,
  open: (url) => { input.suggest(url); open({ kind: "address", url }); },
  listens: (target) => target.addEventListener("keydown", onKey),
  showBlock: async (i) => {
    tabs.select("page", true);
    await drawings.get("page");
    if (tabs.current === "page") pageView.select(i, true);
  },
};
const pageView = new PageView(context);
const drawers = {
  article: drawArticle, page: (panel, shown) => pageView.draw(panel, shown), methods: drawMethods, facts: drawFacts, export: drawExport,
};

const input = new Input({ open, change: () => { if (look) show(look.page); }, fail });
const tabs = new Tabs(byId("tabs"), byId("panels"),
  [["article", "Article"], ["page", "Page"], ["methods", "Methods"], ["facts", "Facts"], ["export", "Export"]], () => draw());

// Opening a page

// open requests a page and shows it. It cancels an earlier request.
async function open(from) {
  pending?.abort();
  const abort = pending = new AbortController();
  clearProblem();
  working(from.kind === "address" ? `Fetching ${from.url}` : "Reading the page");
  try {
    const page = from.kind === "file" ? await api.getFilePage(from.bytes, from.url, abort.signal)
      : await api.getPage({ ...(from.html !== undefined && { html: from.html }), ...(from.url && { url: from.url }) }, abort.signal);
    if (abort.signal.aborted) return;
    pending = null;
    working("");
    noteAddress(from.kind === "address" ? from.url : "");
    show({ ...page, kind: from.kind, name: from.name ?? "", zipped: /\.gz$/i.test(from.name ?? "") });
  } catch (error) {
    if (abort.signal.aborted) return;
    pending = null;
    working("");
    fail(error, () => open(from));
  }
}

// noteAddress makes the address of this page one that can be shared.
function noteAddress(url) {
  const query = url ? "?" + new URLSearchParams({ url }) : "";
  history.replaceState(null, "", api.root.pathname + query + location.hash);
}

// show replaces the look and draws the current tab.
function show(page) {
  look?.cancel();
  look = new Look(page, input.options(), config);
  for (const panel of tabs.panels.values()) {
    panel.replaceChildren();
    delete panel.dataset.drawn;
  }
  byId("start").hidden = true;
  byId("result").hidden = false;
  draw();
}

const drawings = new Map(); // by tab: a promise that is kept when it is drawn

// draw draws the current tab, unless it shows the look already.
function draw() {
  const name = tabs.current;
  if (look && !tabs.panel(name).dataset.drawn) drawings.set(name, drawTab(look, name, tabs.panel(name)));
}

async function drawTab(shown, name, panel) {
  panel.dataset.drawn = "busy";
  panel.setAttribute("aria-busy", "true");
  panel.classList.add("waiting");
  try {
    const done = await drawers[name](panel, shown, context);
    if (shown.cancelled) return;
    panel.dataset.drawn = "yes";
    if (tabs.current === name) say(done ?? "");
    if (["article", "page", "facts"].includes(name)) title(shown);
  } catch (error) {
    if (shown.cancelled) return;
    delete panel.dataset.drawn;
    panel.replaceChildren(drawProblem(error, () => { panel.replaceChildren(); draw(); }));
    panel.firstChild.setAttribute("role", "alert");
  } finally {
    if (!shown.cancelled) {
      panel.removeAttribute("aria-busy");
      panel.classList.remove("waiting");
    }
  }
}

async function title(shown) {
  const { article } = await shown.explain().catch(() => ({}));
  if (shown === look && article) document.title = (article.title || "An article") + " – lede";
}

// Messages

let waiting; // timer: short work shows no progress

function working(text) {
  clearTimeout(waiting);
  byId("working").hidden = true;
  if (!text) return;
  say(text);
  waiting = setTimeout(() => {
    byId("working-text").textContent = text + "…";
    byId("working").hidden = false;
  }, 150);
}

function fail(error, again = null) {
  byId("problem").replaceChildren(drawProblem(error, again));
  byId("problem").scrollIntoView({ block: "nearest" });
}

const clearProblem = () => byId("problem").replaceChildren();

byId("cancel").addEventListener("click", () => {
  pending?.abort();
  pending = null;
  working("");
  say("Cancelled");
});

// Theme

const darkSystem = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (document.documentElement.dataset.theme ?? (darkSystem.matches ? "dark" : "light")) === "dark";

function nameTheme() {
  byId("theme").replaceChildren(isDark() ? "Light" : "Dark", unseen(" colours"));
}

function switchTheme() {
  const theme = isDark() ? "light" : "dark";
  // The choice of the system is followed again once it is the same.
  if ((theme === "dark") === darkSystem.matches) {
    delete document.documentElement.dataset.theme;
    remember("theme", null);
  } else {
    document.documentElement.dataset.theme = theme;
    remember("theme", theme);
  }
  nameTheme();
  say(isDark() ? "Dark colours" : "Light colours");
}

byId("theme").addEventListener("click", switchTheme);
darkSystem.addEventListener("change", nameTheme);
nameTheme();

// Keys

const onTab = (i) => () => (look ? tabs.select(tabs.names[i], true) : false);
const inTab = (name, act) => () => (look && tabs.current === name ? act() : false);
const step = (by) => () => {
  if (look && tabs.current === "page") return pageView.step(by);
  if (look && tabs.current === "methods") return context.stepRow?.(by);
  return false;
};

const actions = {
  ...Object.fromEntries([0, 1, 2, 3, 4].map((i) => ["tab" + (i + 1), onTab(i)])),
  open: () => (config.fetch ? byId("address") : byId("file-open")).focus(),
  next: step(1), previous: step(-1),
  close: inTab("page", () => pageView.close()),
  larger: inTab("article", () => say(resize(1))), smaller: inTab("article", () => say(resize(-1))), usual: inTab("article", () => say(resize(0))),
  print: inTab("article", () => print()),
  theme: switchTheme,
  help: () => byId("help").showModal(),
};

// People who dictate or whose hands shake may switch keys off.
const keysOn = byId("keys-on");
keysOn.checked = recall("keys") !== "off";
keysOn.addEventListener("change", () => remember("keys", keysOn.checked ? null : "off"));

const onKey = listen(shortcuts, Object.fromEntries(Object.entries(actions).map(([name, act]) => [name, () => (keysOn.checked ? act() : false)])));
byId("keys").append(keyTable(shortcuts));
byId("help-open").addEventListener("click", actions.help);
byId("bookmarklet-open").addEventListener("click", () => byId("bookmarklet").showModal());
byId("skip").addEventListener("click", (event) => { event.preventDefault(); byId("main").focus(); });
byId("example").addEventListener("click", async () => {
  const response = await fetch(new URL("web/example.html", api.root));
  open({ kind: "html", html: await response.text(), url: "https://quay-courier.example/news/lock-keeper" });
});

// The key

api.onKeyNeeded((wrong) => new Promise((resolve) => {
  const dialog = byId("key");
  byId("key-wrong").hidden = !wrong;
  byId("key-value").value = "";
  dialog.addEventListener("close", () => {
    const key = dialog.returnValue === "ok" ? byId("key-value").value.trim() : "";
    dialog.returnValue = "";
    if (key) remember("key", key);
    resolve(key !== "");
  }, { once: true });
  dialog.showModal();
  byId("key-value").focus();
}));
byId("key-cancel").addEventListener("click", () => byId("key").close());

// Start

async function start() {
  working("Connecting to the service");
  try {
    config = { ...config, ...await api.getConfig() };
  } catch (error) {
    working("");
    fail(error, () => { clearProblem(); start(); });
    return;
  }
  working("");
  input.configure(config);
  byId("version").textContent = "lede " + config.version;
  if (config.token) {
    byId("bookmarklet-body").replaceChildren(...drawBookmarklet(config, say));
    byId("bookmarklet-open").hidden = false;
  }
  const sent = byId("sent");
  if (sent) {
    const { html, url } = JSON.parse(sent.textContent);
    sent.remove();
    open({ kind: "html", html, url });
    return;
  }
  const wanted = new URLSearchParams(location.search).get("url");
  if (wanted) input.suggest(wanted);
}

start();
