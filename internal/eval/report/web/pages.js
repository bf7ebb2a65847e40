// The table of pages, worst first, a hundred at a time.

const pagesShown = 100;

// pageColumns are those of the table; rows are row numbers.
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

// pageSort is the chosen order, or worst first for the chosen system.
function pageSort(columns) {
  if (columns.some((c) => c.key === state.sort.replace(/^-/, ""))) return state.sort;
  return (report.measures[state.measure].lower ? "-" : "") + "s" + state.system;
}

// pageOrder has the rows that are asked for, in order.
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
    type: "search", id: "q", "aria-label": "Filter pages", placeholder: "Filter: corpus, id, site, address, language, type", value: state.q,
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
      (report.opened < report.pages ? `. ${count(report.opened, "page")} can be opened, the worst` : "") + ".";
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
