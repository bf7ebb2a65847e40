// The data: a summary, and compressed parts.

const report = JSON.parse(byId("data").textContent);

// The mean over all corpora comes last if there is more than one.
const everywhere = report.corpora.length > 1 ? report.corpora.length : -1;

async function inflate(base64) {
  if (typeof DecompressionStream === "undefined") {
    throw new Error("This browser cannot decompress the pages because it has no DecompressionStream. " +
      "Use Firefox 113, Chrome 80, Safari 16.4 or later.");
  }
  const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

// Pages come after the script in the file, so that the ranking is drawn first.
const wholeFile = new Promise((done) => {
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", done);
  else done();
});

const unpacked = new Map();

function unpack(id) {
  if (!unpacked.has(id)) {
    if (unpacked.size > 40) forgetPages();
    unpacked.set(id, find(id).then((element) => inflate(element.textContent)));
  }
  return unpacked.get(id);
}

async function find(id) {
  if (!byId(id)) await wholeFile;
  const element = byId(id);
  if (!element) throw new Error("This page is not in the report, which contains the worst pages only.");
  return element;
}

function forgetPages() {
  for (const id of unpacked.keys()) if (id.startsWith("p")) unpacked.delete(id);
}

let rowsOnce;

// loadRows returns the table of pages by column, with errors by row and system.
function loadRows() {
  rowsOnce ??= unpack("rows").then((rows) => {
    rows.errors = new Map((rows.failed ?? []).map((f) => [f.row + " " + f.system, f.error]));
    rows.number = new Map(rows.id.map((id, i) => [pageKey(rows, i), i]));
    return rows;
  });
  return rowsOnce;
}

const pageKey = (rows, i) => report.corpora[rows.corpus[i]].name + "/" + rows.id[i];

// loadDetail returns a measure of every page and group.
const loadDetail = (measure) => unpack("m" + measure);

// The state is in the fragment of the URL, so that links and reloads keep it.

const views = { ranking: "Ranking", groups: "Sites and groups", scatter: "Precision and recall", pages: "Pages" };

const start = {
  view: "ranking", corpus: everywhere >= 0 ? everywhere : 0, measure: 0, system: 0,
  by: "site", page: "", q: "", sort: "", zoom: "",
};

let state = { ...start };

// The URL has the names of systems, corpora and measures.
const names = {
  corpus: () => [...report.corpora.map((c) => c.name), ...(everywhere >= 0 ? ["*"] : [])],
  measure: () => report.measures.map((m) => m.name),
  system: () => report.systems,
};

function readState() {
  const given = new URLSearchParams(location.hash.slice(1));
  const next = { ...start };
  for (const key of Object.keys(start)) {
    if (!given.has(key)) continue;
    const value = given.get(key);
    if (!names[key]) next[key] = value;
    else if (names[key]().includes(value)) next[key] = names[key]().indexOf(value);
  }
  if (!(next.view in views) && next.view !== "page") next.view = start.view;
  if (next.view === "page" && !next.page) next.view = "pages";
  return next;
}

// address returns the URL fragment of the state with changes.
function address(changes) {
  const next = { ...state, ...changes };
  const parts = new URLSearchParams();
  for (const [key, value] of Object.entries(next)) {
    if (value === start[key] || (key === "page" && next.view !== "page")) continue;
    parts.set(key, names[key] ? names[key]()[value] : value);
  }
  return "#" + (parts.toString() || "view=" + next.view);
}

// go shows another state and adds it to the history.
function go(changes) {
  location.hash = address(changes);
}

// note stores changes that the view has already drawn.
function note(changes) {
  const to = address(changes);
  Object.assign(state, changes);
  history.replaceState(null, "", to);
}

// Numbers and scales.

const missing = "–";

function figure(value, digits = 3) {
  if (value === null || value === undefined) return missing;
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : digits);
}

// scaleEnd returns the end of an axis from 0: 1 for shares, else a round number.
function scaleEnd(values) {
  const top = Math.max(0, ...values.filter((v) => v !== null && v !== undefined));
  if (top <= 1 && top > 0.1) return 1;
  if (top === 0) return 1;
  const step = 10 ** Math.floor(Math.log10(top));
  return [1, 2, 2.5, 5, 10].map((k) => k * step).find((v) => v >= top);
}

// better compares two values so that the better one comes first and null last.
function better(a, b, lower) {
  if (a === null || b === null) return (a === null) - (b === null);
  return lower ? a - b : b - a;
}

function ticks(from, to) {
  const span = to - from;
  const step = [0.01, 0.02, 0.05, 0.1, 0.2, 0.25].map((k) => k * 10 ** Math.ceil(Math.log10(span)))
    .find((k) => span / k <= 5.001);
  const out = [];
  for (let v = Math.ceil(from / step - 1e-9) * step; v <= to + step * 1e-6; v += step) out.push(v);
  return out;
}

// tickLabel formats a tick without trailing zeros.
const tickLabel = (v) => String(+v.toFixed(4));
