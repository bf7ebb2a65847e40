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
      (corpus < 0 ? ", the pages of all corpora together" : "") + ". Bars begin at 0 and end at " + tickLabel(end) + ".";
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
