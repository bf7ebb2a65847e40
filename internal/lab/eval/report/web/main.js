// Drawing the state in the URL.

const drawers = { ranking: drawRanking, groups: drawGroups, scatter: drawScatter, pages: drawPages, page: drawPage };

let drawing = 0;

async function draw() {
  const turn = ++drawing;
  const before = state.view;
  state = readState();
  drawViews();
  for (const [key, select] of Object.entries(selects)) select.value = state[key];
  const fresh = document.createDocumentFragment();
  try {
    await drawers[state.view](fresh);
  } catch (error) {
    fresh.append(h("p", { class: "error-text", role: "alert" }, error.message));
  }
  if (turn !== drawing) return; // the state has changed
  const main = byId("main");
  main.replaceChildren(fresh);
  main.dataset.view = state.view;
  if (state.view === "page" || before === "page") scrollTo(0, 0);
  if (state.view === "page") main.querySelector("h2")?.focus({ preventScroll: true });
}

function drawViews() {
  const current = state.view === "page" ? "pages" : state.view;
  byId("views").replaceChildren(...Object.entries(views).map(([view, title]) =>
    h("a", { href: address({ view, sort: "", q: "", page: "" }), "aria-current": view === current ? "page" : null }, title)));
}

const selects = {};

// The selects are drawn once, so that they keep the focus.
function drawChoices() {
  const choice = (key, title, options) => {
    selects[key] = h("select", { id: "choice-" + key, onchange: (e) => go({ [key]: +e.target.value }) },
      options.map(([value, name]) => h("option", { value }, name)));
    return h("label", { for: "choice-" + key }, h("span", null, title), selects[key]);
  };
  byId("choices").append(
    choice("corpus", "Corpus", [
      ...(everywhere >= 0 ? [[everywhere, "All (mean of corpora)"]] : []),
      ...report.corpora.map((c, i) => [i, `${c.name} (${c.pages.toLocaleString("en")})`]),
    ]),
    choice("measure", "Measure", report.measures.map((m, i) => [i, m.name])),
    choice("system", "System", report.systems.map((name, i) => [i, name])));
  byId("choices").addEventListener("submit", (e) => e.preventDefault());
}

function drawHead() {
  byId("ran").textContent = [
    count(report.systems.length, "system"), count(report.corpora.length, "corpus", "corpora"),
    count(report.pages, "page"), count(report.measures.length, "measure"),
  ].join(" · ");
  const problems = report.problems ?? [];
  if (problems.length === 0) return;
  const box = byId("problems");
  box.hidden = false;
  box.querySelector("summary").textContent = count(problems.length, "problem");
  box.querySelector("ul").append(...problems.map((p) => h("li", null, p)));
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
  if (state.view !== "page") return;
  const { key } = event;
  if (key === "Escape") go({ view: "pages", page: "" });
  else if (key === "j" && neighbours.next) go({ page: neighbours.next });
  else if (key === "k" && neighbours.previous) go({ page: neighbours.previous });
  else if (/^[1-9]$/.test(key) && key <= report.systems.length) go({ system: key - 1 });
}

byId("skip").addEventListener("click", (event) => {
  event.preventDefault(); // the fragment holds the state
  byId("main").focus();
});
addEventListener("hashchange", draw);
addEventListener("keydown", onKey);
drawHead();
drawChoices();
draw();
