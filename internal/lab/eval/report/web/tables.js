// A sortable table. Headers are buttons, for the keyboard.
//
// A column has: key, title, cell(row) -> contents; value(row) if it is sortable;
// worst: 1 if the smallest value is the worst, -1 if the largest is. Cells of
// className "text" may be truncated; their title has the whole text.

function sortableTable({ columns, groups, caption, sort, onSort, className }) {
  const buttons = new Map();
  const heads = columns.map((c) => {
    const head = h("th", { scope: "col", class: c.className, title: c.about },
      c.value ? h("button", { type: "button", onclick: () => toggle(c) }, c.title) : c.title);
    buttons.set(c.key, head);
    return head;
  });
  const body = h("tbody");
  const element = h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    h("table", { class: className }, h("caption", { class: "unseen" }, caption),
      h("thead", null, groups && h("tr", null, groups), h("tr", null, heads)), body));

  function toggle(column) {
    const first = column.worst === -1 ? "-" : "";
    const second = first ? "" : "-";
    sort = sort === first + column.key ? second + column.key : first + column.key;
    mark();
    onSort(sort);
  }

  function mark() {
    for (const [key, head] of buttons) {
      const is = sort === key ? "ascending" : sort === "-" + key ? "descending" : null;
      if (is) head.setAttribute("aria-sort", is);
      else head.removeAttribute("aria-sort");
    }
  }

  function show(rows) {
    body.replaceChildren(...rows.map((row) => {
      const cells = columns.map((c, i) => h(i === 0 ? "th" : "td",
        { class: c.className, scope: i === 0 ? "row" : null, title: c.className === "text" ? c.value(row) : null }, c.cell(row)));
      return h("tr", null, cells);
    }));
  }

  mark();
  return { element, show, body };
}

// ordered sorts rows by the key of a column, descending if it begins with "-".
// Rows without a value come last.
function ordered(rows, columns, sort) {
  const down = sort.startsWith("-");
  const column = columns.find((c) => c.key === sort.replace(/^-/, ""));
  if (!column?.value) return rows;
  const values = new Map(rows.map((row) => [row, column.value(row)]));
  const none = (v) => v === null || v === undefined || v === "";
  return rows.slice().sort((x, y) => {
    const a = values.get(x), b = values.get(y);
    if (none(a) || none(b)) return none(a) - none(b);
    const order = typeof a === "string" ? a.localeCompare(b) : a - b;
    return down ? -order : order;
  });
}

// bar returns a figure with a bar from 0 below it.
function bar(value, end, digits) {
  if (value === null || value === undefined) return h("span", { class: "quiet" }, missing);
  return h("span", { class: "cellbar", vars: { to: Math.min(1, value / end) * 100 + "%" } }, figure(value, digits));
}

// Figures of sites, languages, types and years, systems side by side.

const groupings = { site: "Site", lang: "Language", type: "Type", year: "Year" };
const groupsShown = 100;

async function drawGroups(main) {
  const measure = report.measures[state.measure];
  const detail = await loadDetail(state.measure);
  const corpus = state.corpus === everywhere ? -1 : state.corpus;
  if (!(state.by in groupings)) state.by = "site";
  const all = (detail.groups[state.by] ?? []).filter((g) => g.c === corpus);
  const end = scaleEnd(all.flatMap((g) => g.v));
  const columns = [
    {
      key: "k", title: groupings[state.by], className: "text", value: (g) => g.k,
      cell: (g) => h("a", { href: address({ view: "pages", q: state.by + ":" + g.k, sort: "" }) }, g.k),
    },
    { key: "n", title: "Pages", className: "number", worst: -1, value: (g) => g.n, cell: (g) => g.n },
    ...report.systems.map((name, s) => ({
      key: "s" + s, title: name, className: "score" + (s === state.system ? " chosen" : ""),
      worst: measure.lower ? -1 : 1, value: (g) => g.v[s], cell: (g) => bar(g.v[s], end),
    })),
  ];
  const worst = (measure.lower ? "-" : "") + "s" + state.system;
  let sort = columns.some((c) => c.key === state.sort.replace(/^-/, "")) ? state.sort : worst;
  let everything = false;

  const search = h("input", { type: "search", id: "q", "aria-label": "Search", placeholder: "Search", value: state.q });
  const how = h("p", { class: "quiet", role: "status" });
  const more = h("button", { type: "button", class: "more", onclick: () => { everything = true; show(); } });
  const table = sortableTable({
    columns, sort, className: "groups", caption: measure.figures[measure.main] + " by " + groupings[state.by].toLowerCase(),
    onSort: (s) => { sort = s; note({ sort: s }); show(); },
  });

  function show() {
    const wanted = search.value.trim().toLowerCase();
    const found = ordered(all.filter((g) => g.k.toLowerCase().includes(wanted)), columns, sort);
    const some = everything ? found : found.slice(0, groupsShown);
    table.show(some);
    how.textContent = (some.length < found.length ? some.length + " of " : "") + count(found.length, "group") +
      (corpus < 0 ? ", over the pages of all corpora" : "") + ". Bars range from 0 to " + tickLabel(end) + ".";
    more.hidden = some.length === found.length;
    more.textContent = "Show all " + found.length;
  }
  search.addEventListener("input", () => { note({ q: search.value }); show(); });

  fill(main, h("h2", null, measureTitle(measure) + " by " + groupings[state.by].toLowerCase()),
    h("div", { class: "tools" },
      h("div", { class: "tabs", role: "group", "aria-label": "Group by" }, Object.entries(groupings).map(([by, title]) =>
        h("a", { href: address({ by, sort: "", q: "" }), "aria-current": by === state.by ? "true" : null }, title))),
      search),
    how, table.element, more);
  show();
}

// The table of pages, worst first, a hundred at a time.

const pagesShown = 100;

// pageColumns returns the columns of the table, whose rows are row numbers.
function pageColumns(rows, detail) {
  const measure = report.measures[state.measure];
  const scores = detail.pages[measure.main];
  const end = scaleEnd([scores.reduce((top, s) => s.reduce((t, v) => Math.max(t, v ?? 0), top), 0)]);
  const text = (key, title) => ({ key, title, className: "text", value: (i) => rows[key][i], cell: (i) => rows[key][i] || h("span", { class: "quiet" }, missing) });
  return [
    {
      key: "id", title: "Page", className: "text", value: (i) => rows.id[i],
      cell: (i) => rows.opens[i] ? h("a", { href: address({ view: "page", page: pageKey(rows, i) }) }, rows.id[i]) : rows.id[i],
    },
    report.corpora.length > 1 && { ...text("corpus", "Corpus"), value: (i) => report.corpora[rows.corpus[i]].name, cell: (i) => report.corpora[rows.corpus[i]].name },
    text("site", "Site"), text("lang", "Language"), text("type", "Type"),
    ...report.systems.map((name, s) => ({
      key: "s" + s, title: name, className: "score" + (s === state.system ? " chosen" : ""),
      worst: measure.lower ? -1 : 1,
      value: (i) => scores[s][i],
      cell: (i) => {
        const why = rows.errors.get(i + " " + s);
        return [bar(scores[s][i], end), why && h("span", { class: "failed", title: why }, "failed")];
      },
    })),
  ].filter(Boolean);
}

// pageSort returns the selected order, or else worst first for the selected system.
function pageSort(columns) {
  if (columns.some((c) => c.key === state.sort.replace(/^-/, ""))) return state.sort;
  return (report.measures[state.measure].lower ? "-" : "") + "s" + state.system;
}

// pageOrder returns the rows that match a query, in order.
function pageOrder(rows, columns, query, sort) {
  const [, by, key] = /^(site|lang|type|year):(.*)$/.exec(query) ?? [];
  const wanted = query.trim().toLowerCase();
  const matches = by
    ? (i) => (rows[by][i] || "unknown") === key
    : (i) => !wanted || [pageKey(rows, i), rows.site[i], rows.url[i], rows.lang[i], rows.type[i], rows.year[i]]
      .some((t) => t.toLowerCase().includes(wanted));
  const found = [];
  for (let i = 0; i < rows.id.length; i++) {
    if ((state.corpus === everywhere || rows.corpus[i] === state.corpus) && matches(i)) found.push(i);
  }
  return ordered(found, columns, sort);
}

async function drawPages(main) {
  const [rows, detail] = await Promise.all([loadRows(), loadDetail(state.measure)]);
  const measure = report.measures[state.measure];
  const columns = pageColumns(rows, detail);
  let sort = pageSort(columns);
  let at = 0;
  let found = [];

  const search = h("input", {
    type: "search", id: "q", "aria-label": "Filter pages", placeholder: "Filter by corpus, ID, site, URL, language, type", value: state.q,
  });
  const how = h("p", { class: "quiet", role: "status" });
  const back = h("button", { type: "button", onclick: () => move(-pagesShown) }, "Previous");
  const on = h("button", { type: "button", onclick: () => move(pagesShown) }, "Next");
  const table = sortableTable({
    columns, sort, className: "pages", caption: "Pages with " + measure.figures[measure.main] + " by " + measure.name,
    onSort: (s) => { sort = s; note({ sort: s }); refresh(); },
  });
  table.body.addEventListener("click", (event) => {
    if (event.target.closest("a") || String(getSelection())) return;
    event.target.closest("tr")?.querySelector("a")?.click();
  });

  function refresh() {
    found = pageOrder(rows, columns, search.value, sort);
    at = 0;
    show();
  }
  function move(by) {
    at += by;
    show();
    table.element.scrollIntoView({ block: "start" });
  }
  function show() {
    table.show(found.slice(at, at + pagesShown));
    const to = Math.min(found.length, at + pagesShown);
    how.textContent = (found.length > pagesShown ? `${at + 1} to ${to} of ` : "") + count(found.length, "page") + ", " + orderName() +
      (report.opened < report.pages ? `. The worst ${count(report.opened, "page")} can be opened` : "") + ".";
    back.disabled = at === 0;
    on.disabled = to >= found.length;
    back.parentNode.hidden = found.length <= pagesShown;
  }
  function orderName() {
    const key = sort.replace(/^-/, ""), column = columns.find((c) => c.key === key);
    if (!column.worst) return "by " + column.title.toLowerCase();
    const worstFirst = sort.startsWith("-") === (column.worst === -1);
    return `${worstFirst ? "worst" : "best"} first by ${measure.figures[measure.main]} of ${column.title}`;
  }
  search.addEventListener("input", () => { note({ q: search.value }); refresh(); });

  fill(main, h("h2", null, "Pages"), h("div", { class: "tools" }, search), how, table.element,
    h("p", { class: "tools" }, back, on));
  refresh();
}
