// One page: gold beside output, and the page's outline.

async function drawPage(main) {
  const [rows, detail] = await Promise.all([loadRows(), loadDetail(state.measure)]);
  const row = rows.number.get(state.page);
  if (row === undefined) throw new Error("There is no page " + state.page + " in this report.");
  // The way through the pages stays the same when another system is looked at.
  const columns = pageColumns(rows, detail);
  if (!state.sort) note({ sort: pageSort(columns) });
  const order = pageOrder(rows, columns, state.q, pageSort(columns)).filter((i) => rows.opens[i]);
  const page = await unpack("p" + row);
  const output = page.outputs[page.by[state.system]];
  fill(main,
    pageHead(page, rows, row), pageWay(rows, order, order.indexOf(row)), systemTabs(detail, rows, row),
    output.error && h("p", { class: "error-text", role: "note" }, h("strong", null, "It failed: "), output.error),
    facts(page.gold, output, rows.type[row]),
    ...diffPart(page.gold, output, rows.lang[row]),
    ...snippets(page.gold, output),
    h("h3", null, "The page, block by block"),
    page.outline.items ? drawOutline(page.outline, page.by[state.system]) : h("p", { class: "quiet" }, "The page could not be parsed."));
}

function pageHead(page, rows, row) {
  const url = rows.url[row];
  const about = [report.corpora[rows.corpus[row]].name + "/" + rows.id[row], rows.site[row], rows.lang[row], rows.type[row], rows.year[row]];
  return h("div", { class: "pagehead" },
    h("h2", { tabindex: "-1", dir: "auto", lang: rows.lang[row] || null }, page.gold.title || rows.id[row]),
    h("p", { class: "quiet" }, about.filter(Boolean).join(" · "),
      // Only addresses of the web are links: others could be scripts.
      url && [" · ", /^https?:\/\//i.test(url) ? h("a", { href: url, rel: "noreferrer noopener", target: "_blank" }, "original") : url]));
}

// neighbours are the pages that j and k lead to.
let neighbours = {};

function pageWay(rows, order, at) {
  const key = (k) => (at >= 0 && order[k] !== undefined ? pageKey(rows, order[k]) : null);
  neighbours = { next: key(at + 1), previous: key(at - 1) };
  const way = (to, title, hint) => to
    ? h("a", { href: address({ page: to }), title: "Key " + hint }, title)
    : h("span", { class: "quiet" }, title);
  return h("nav", { class: "way screen", "aria-label": "Pages" },
    h("a", { href: address({ view: "pages", page: "" }), title: "Key Esc" }, "All pages"),
    way(neighbours.previous, "← Previous", "k"), way(neighbours.next, "Next →", "j"),
    h("span", { class: "quiet" }, at >= 0 ? `${at + 1} of ${order.length}` : "not among the pages that are filtered",
      h("span", { class: "keys" }, " · keys: ", h("kbd", null, "j"), " ", h("kbd", null, "k"), " next and previous, ",
        h("kbd", null, "1"), "–", h("kbd", null, String(Math.min(9, report.systems.length))), " system, ", h("kbd", null, "Esc"), " back")));
}

function systemTabs(detail, rows, row) {
  const measure = report.measures[state.measure];
  const values = (s) => measure.figures.map((name, f) => [name, detail.pages[f][s][row]]);
  return [
    h("div", { class: "tabs", role: "group", "aria-label": "System" }, report.systems.map((name, s) =>
      h("a", { href: address({ system: s }), "aria-current": s === state.system ? "true" : null },
        name, " ", h("small", null, rows.errors.has(row + " " + s) ? "failed" : figure(values(s)[measure.main][1]))))),
    h("p", { class: "scores" }, h("span", { class: "quiet" }, measure.name, " "), values(state.system).map(([name, v]) =>
      h("span", null, name, " ", h("strong", null, figure(v))))),
  ];
}

// facts are what stands beside the text, gold against output.
function facts(gold, output, type) {
  const list = (names) => (names ?? []).join("; ");
  const rows = [
    ["Title", gold.title, output.title], ["Authors", list(gold.authors), list(output.authors)],
    ["Date", gold.date, output.date], ["Type", gold.type || type, output.type],
  ].filter(([, a, b]) => a || b);
  if (rows.length === 0) return null;
  const plain = (text) => words(text ?? "").map((w) => w.key).join(" ");
  const told = (a, b) => {
    if (!a) return ["unknown", "no gold"];
    if (!b) return ["missing", "missing"];
    const same = plain(a) === plain(b) || (/^\d{4}-\d\d-\d\d/.test(a) && a.slice(0, 10) === b.slice(0, 10));
    return same ? ["right", "same"] : ["extra", "differs"];
  };
  const nothing = () => h("span", { class: "quiet" }, missing);
  return h("table", { class: "facts" }, h("caption", { class: "unseen" }, "What stands beside the text"),
    h("thead", null, h("tr", null, h("td"), h("th", { scope: "col" }, "Gold"), h("th", { scope: "col" }, "Output"), h("td"))),
    h("tbody", null, rows.map(([name, a, b]) => {
      const [mark, word] = told(a, b);
      return h("tr", null, h("th", { scope: "row" }, name), h("td", { dir: "auto" }, a || nothing()), h("td", { dir: "auto" }, b || nothing()),
        h("td", null, h("span", { class: "mark " + mark }, word)));
    })));
}

function diffPart(gold, output, lang) {
  // Where the gold's text begins with the headline, an output's headline counts as text.
  const joined = gold.titleInText && output.title && !squeeze(output.text.slice(0, 400)).includes(squeeze(output.title));
  const { grid, sum } = drawDiff(pair(gold.text, joined ? output.title + "\n" + output.text : output.text), lang);
  const box = h("input", { type: "checkbox" });
  box.addEventListener("change", () => grid.classList.toggle("brief", box.checked));
  return [
    h("h3", null, "The text"),
    h("p", { class: "legend" },
      h("span", null, h("del", { class: "missing" }, "missing"), " in the gold only"),
      h("span", null, h("ins", { class: "extra" }, "extra"), " in the output only"),
      h("label", { class: "screen" }, box, " Hide what agrees")),
    h("p", { class: "quiet" }, sum, joined && " The headline counts as part of this gold's text.",
      (gold.cut || output.cut) && " Texts are cut after 200,000 characters."),
    !gold.text && h("p", { class: "quiet" }, "The gold has no text."), grid,
  ];
}

// snippets are what a text must and must not have, where the gold says so.
function snippets(gold, output) {
  const text = squeeze(output.title + "\n" + output.text);
  const item = (snippet, wanted) => {
    const mark = markName(wanted, text.includes(squeeze(snippet)));
    return h("li", null, chip(mark), " ", h("span", { dir: "auto" }, snippet));
  };
  const list = (title, all, wanted) => (all ?? []).length > 0 &&
    [h("h4", null, title), h("ul", { class: "snippets" }, all.map((s) => item(s, wanted)))];
  const parts = [list("Must be in the text", gold.with, true), list("Must not be in the text", gold.without, false)];
  return parts.some(Boolean) ? [h("h3", null, "Snippets"), ...parts] : [];
}

const squeeze = (text) => words(text).map((w) => w.key).join("");
