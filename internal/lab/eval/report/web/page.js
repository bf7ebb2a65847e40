// The outline of a page: every block of text, and whether the gold and the output
// contain it.

const marks = {
  right: { sign: "✓", name: "kept", about: "correctly kept" },
  extra: { sign: "+", name: "extra", about: "wrongly kept" },
  missing: { sign: "−", name: "missing", about: "missed" },
  dropped: { sign: "·", name: "dropped", about: "correctly dropped" },
};

// has reports whether bit k of w is set. Shifts are limited to 32 bits.
const has = (w, k) => Math.floor((w ?? 0) / 2 ** k) % 2 === 1;

const markName = (wanted, kept) => (wanted ? (kept ? "right" : "missing") : kept ? "extra" : "dropped");

const markOf = (who, output) => markName(has(who, 0), has(who, output + 1));

const chip = (mark) => h("span", { class: "mark " + mark }, marks[mark].sign + " " + marks[mark].name);

// drawOutline returns the tree for an output, by its number.
function drawOutline(outline, output) {
  const items = (outline.items ?? []).map((item) => ({ ...item, mark: itemMark(item, output) }));
  const totals = { right: 0, extra: 0, missing: 0, dropped: 0 };
  for (const item of items) if (item.mark) totals[item.mark]++;
  const tree = h("div", { class: "outline", role: "list", "aria-label": "Blocks of the page" });
  for (let i = 0; i < items.length;) {
    const end = droppedEnd(items, i, output);
    const blocks = items.slice(i, end).filter((item) => item.mark);
    if (blocks.length > 2) {
      tree.append(folded(items.slice(i, end), blocks.length, output));
      i = end;
    } else {
      tree.append(outlineRow(items[i], output));
      i++;
    }
  }
  const legend = h("p", { class: "legend" }, Object.entries(marks).map(([key, m]) =>
    h("span", { class: "mark " + key }, m.sign + " " + m.about + " (" + totals[key] + ")")));
  return [legend, tree, outline.left && h("p", { class: "quiet" },
    count(outline.left, "more block") + " in neither the gold nor any output.")];
}

// itemMark returns the mark of most of the characters, or null without text.
function itemMark(item, output) {
  if (!item.t) return null;
  const size = { right: 0, extra: 0, missing: 0, dropped: 0 };
  for (const piece of item.t) size[markOf(piece.w, output)] += piece.s.length;
  return Object.keys(size).reduce((a, b) => (size[b] > size[a] ? b : a));
}

// droppedEnd returns the end of the run of correctly dropped blocks that begins at
// i. An element belongs to the run if all of its blocks do.
function droppedEnd(items, i, output) {
  let end = i;
  for (let k = i; k < items.length; k++) {
    const { mark, t } = items[k];
    if (!mark) continue;
    if (t.some((piece) => markOf(piece.w, output) !== "dropped")) break;
    end = k + 1;
  }
  return end;
}

function folded(items, blocks, output) {
  const names = [...new Set(items.map((item) => item.l.split(" › ").pop()))].slice(0, 4).join(", ");
  const details = h("details", { role: "listitem" }, h("summary", { vars: { depth: Math.min(items[0].d, 12) } },
    h("span", { class: "mark dropped" }, marks.dropped.sign + " " + blocks + " blocks"), " ", h("code", null, names)));
  details.addEventListener("toggle", () => {
    if (details.childElementCount === 1) details.append(...items.map((item) => outlineRow(item, output)));
  }, { once: true });
  return details;
}

function outlineRow(item, output) {
  return h("div", { class: "item " + (item.mark ?? "holder"), role: "listitem", vars: { depth: Math.min(item.d, 12) } },
    item.mark ? chip(item.mark) : h("span", { class: "mark" }),
    h("div", null, h("code", null, item.l), item.t && h("span", { class: "words", dir: "auto" }, item.t.map((piece) => {
      const m = markOf(piece.w, output);
      return m === item.mark ? piece.s : h("span", { class: "part " + m }, unseen(` [${marks[m].about}: `), piece.s, unseen("] "));
    }))));
}

// One page: gold beside output, and the page's outline.

async function drawPage(main) {
  const [rows, detail] = await Promise.all([loadRows(), loadDetail(state.measure)]);
  const row = rows.number.get(state.page);
  if (row === undefined) throw new Error("This report has no page " + state.page + ".");
  // The order of the pages stays the same for all systems.
  const columns = pageColumns(rows, detail);
  if (!state.sort) note({ sort: pageSort(columns) });
  const order = pageOrder(rows, columns, state.q, pageSort(columns)).filter((i) => rows.opens[i]);
  const page = await unpack("p" + row);
  const output = page.outputs[page.by[state.system]];
  fill(main,
    pageHead(page, rows, row), pageNav(rows, order, order.indexOf(row)), systemTabs(detail, rows, row),
    output.error && h("p", { class: "error-text", role: "note" }, h("strong", null, "Error: "), output.error),
    facts(page.gold, output, rows.type[row]),
    ...diffPart(page.gold, output, rows.lang[row]),
    ...snippets(page.gold, output),
    h("h3", null, "Blocks of the page"),
    page.outline.items ? drawOutline(page.outline, page.by[state.system]) : h("p", { class: "quiet" }, "The page could not be parsed."));
}

function pageHead(page, rows, row) {
  const url = rows.url[row];
  const about = [report.corpora[rows.corpus[row]].name + "/" + rows.id[row], rows.site[row], rows.lang[row], rows.type[row], rows.year[row]];
  return h("div", { class: "pagehead" },
    h("h2", { tabindex: "-1", dir: "auto", lang: rows.lang[row] || null }, page.gold.title || rows.id[row]),
    h("p", { class: "quiet" }, about.filter(Boolean).join(" · "),
      // Only web URLs become links: others could be scripts.
      url && [" · ", /^https?:\/\//i.test(url) ? h("a", { href: url, rel: "noreferrer noopener", target: "_blank" }, "original") : url]));
}

// neighbours are the pages for the keys j and k.
let neighbours = {};

function pageNav(rows, order, at) {
  const key = (k) => (at >= 0 && order[k] !== undefined ? pageKey(rows, order[k]) : null);
  neighbours = { next: key(at + 1), previous: key(at - 1) };
  const link = (to, title, hint) => to
    ? h("a", { href: address({ page: to }), title: "Key " + hint }, title)
    : h("span", { class: "quiet" }, title);
  return h("nav", { class: "pagenav screen", "aria-label": "Pages" },
    h("a", { href: address({ view: "pages", page: "" }), title: "Key Esc" }, "All pages"),
    link(neighbours.previous, "← Previous", "k"), link(neighbours.next, "Next →", "j"),
    h("span", { class: "quiet" }, at >= 0 ? `${at + 1} of ${order.length}` : "not in the filtered pages",
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

// facts returns a table of the metadata of gold and output.
function facts(gold, output, type) {
  const list = (names) => (names ?? []).join("; ");
  const rows = [
    ["Title", gold.title, output.title], ["Authors", list(gold.authors), list(output.authors)],
    ["Date", gold.date, output.date], ["Type", gold.type || type, output.type],
  ].filter(([, a, b]) => a || b);
  if (rows.length === 0) return null;
  const plain = (text) => words(text ?? "").map((w) => w.key).join(" ");
  const compare = (a, b) => {
    if (!a) return ["unknown", "no gold"];
    if (!b) return ["missing", "missing"];
    const same = plain(a) === plain(b) || (/^\d{4}-\d\d-\d\d/.test(a) && a.slice(0, 10) === b.slice(0, 10));
    return same ? ["right", "same"] : ["extra", "differs"];
  };
  const nothing = () => h("span", { class: "quiet" }, missing);
  return h("table", { class: "facts" }, h("caption", { class: "unseen" }, "Metadata"),
    h("thead", null, h("tr", null, h("td"), h("th", { scope: "col" }, "Gold"), h("th", { scope: "col" }, "Output"), h("td"))),
    h("tbody", null, rows.map(([name, a, b]) => {
      const [mark, word] = compare(a, b);
      return h("tr", null, h("th", { scope: "row" }, name), h("td", { dir: "auto" }, a || nothing()), h("td", { dir: "auto" }, b || nothing()),
        h("td", null, h("span", { class: "mark " + mark }, word)));
    })));
}

function diffPart(gold, output, lang) {
  // If the gold's text begins with the headline, so does the output's.
  const joined = gold.titleInText && output.title && !squeeze(output.text.slice(0, 400)).includes(squeeze(output.title));
  const { grid, sum } = drawDiff(pair(gold.text, joined ? output.title + "\n" + output.text : output.text), lang);
  const box = h("input", { type: "checkbox" });
  box.addEventListener("change", () => grid.classList.toggle("brief", box.checked));
  return [
    h("h3", null, "Text"),
    h("p", { class: "legend" },
      h("span", null, h("del", { class: "missing" }, "missing"), " in the gold only"),
      h("span", null, h("ins", { class: "extra" }, "extra"), " in the output only"),
      h("label", { class: "screen" }, box, " Hide equal paragraphs")),
    h("p", { class: "quiet" }, sum, joined && " The headline counts as text, as in the gold.",
      (gold.cut || output.cut) && " Texts are truncated to 200,000 characters."),
    !gold.text && h("p", { class: "quiet" }, "The gold has no text."), grid,
  ];
}

// snippets lists the snippets of the gold.
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
