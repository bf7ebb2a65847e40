// The data: a summary that is there at once, and packed parts.

const report = JSON.parse(byId("data").textContent);

// All corpora together come last, when there is more than one.
const everywhere = report.corpora.length > 1 ? report.corpora.length : -1;

async function inflate(base64) {
  if (typeof DecompressionStream === "undefined") {
    throw new Error("This browser cannot unpack the pages (it has no DecompressionStream). " +
      "Firefox 113, Chrome 80, Safari 16.4 and later ones can.");
  }
  const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

// Pages come after the script in the file, so that the ranking need not wait for them.
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
  if (!element) throw new Error("This page is not in the report: only the worst ones are.");
  return element;
}

function forgetPages() {
  for (const id of unpacked.keys()) if (id.startsWith("p")) unpacked.delete(id);
}

let rowsOnce;

// loadRows gives what is known of the pages, by column, with errors by row and system.
function loadRows() {
  rowsOnce ??= unpack("rows").then((rows) => {
    rows.errors = new Map((rows.failed ?? []).map((f) => [f.row + " " + f.system, f.error]));
    rows.number = new Map(rows.id.map((id, i) => [pageKey(rows, i), i]));
    return rows;
  });
  return rowsOnce;
}

const pageKey = (rows, i) => report.corpora[rows.corpus[i]].name + "/" + rows.id[i];

// loadDetail gives a measure of every page and group.
const loadDetail = (measure) => unpack("m" + measure);
