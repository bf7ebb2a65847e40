// What is shown is in the address after #, so that a link or a reload comes
// back to it.

const views = { ranking: "Ranking", groups: "Sites and groups", scatter: "Precision and recall", pages: "Pages" };

const start = {
  view: "ranking", corpus: everywhere >= 0 ? everywhere : 0, measure: 0, system: 0,
  by: "site", page: "", q: "", sort: "", zoom: "",
};

let state = { ...start };

// Systems, corpora and measures go by name in the address.
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

// address is that of the state after changes.
function address(changes) {
  const next = { ...state, ...changes };
  const parts = new URLSearchParams();
  for (const [key, value] of Object.entries(next)) {
    if (value === start[key] || (key === "page" && next.view !== "page")) continue;
    parts.set(key, names[key] ? names[key]()[value] : value);
  }
  return "#" + (parts.toString() || "view=" + next.view);
}

// go shows another state; the way back leads here.
function go(changes) {
  location.hash = address(changes);
}

// note keeps a state that the view has already drawn.
function note(changes) {
  const to = address(changes);
  Object.assign(state, changes);
  history.replaceState(null, "", to);
}
