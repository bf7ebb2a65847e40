// The default method and those of the papers side by side: what each kept, and where
// they differ.

import { count, fill, h, svg, unseen } from "./element.js";
import { shorten } from "./page.js";

const maxRows = 400; // drawn at once

const abouts = {
  blend: "the default: a learned model judges every block", nce: "finds the node that separates the story from the rest", coreex: "the nodes with the most text per link",
  twcem: "the rows that share words with the title", stadynot: "the page without what its neighbours repeat", wrapper: "finds the story by its place on the screen",
};

const types = { index: "a list of stories", other: "something else than an article" };

export async function drawMethods(panel, look, context) {
  const data = await look.compare();
  if (look.cancelled) return "";
  const { methods, blocks } = data;
  const works = methods.map((m) => !m.error);
  const rows = blocks.map((block, i) => {
    const kept = methods.map((_, m) => block.kept.includes(m));
    const votes = kept.filter((yes, m) => yes && works[m]).length;
    return { i, kept, text: block.text, size: [...block.text].length, votes, differs: votes > 0 && votes < works.filter(Boolean).length };
  }).filter((row) => row.text.trim());
  const matrix = new Matrix(methods, rows, works, context.say);
  context.stepRow = (by) => matrix.step(by);
  fill(panel,
    h("h2", { class: "unseen" }, "Methods"),
    h("p", { class: "lead-in" }, summary(methods, rows, works)),
    strips(methods, rows, works),
    h("h3", null, "What each did"), cards(methods, rows, works, matrix),
    h("h3", null, "How far they agree"), agreement(methods, data.agreement, works),
    h("h3", { id: "matrix-name" }, "Block by block"), matrix.element);
  return summary(methods, rows, works);
}

function summary(methods, rows, works) {
  const differing = rows.filter((row) => row.differs).length;
  const failed = works.filter((ok) => !ok).length;
  return `${count(methods.length, "method")} on ${count(rows.length, "block")}: they differ on ${differing.toLocaleString("en")}.` +
    (failed ? ` ${count(failed, "method")} found no article.` : "");
}

// strips draws the page as a line for each method, from its beginning to its end.
function strips(methods, rows, works) {
  const total = rows.reduce((sum, row) => sum + row.size, 0) || 1;
  const strip = (keeps) => {
    let at = 0, path = "";
    for (const row of rows) {
      if (keeps(row)) path += `M${at} 0h${row.size}v1h${-row.size}z`;
      at += row.size;
    }
    return svg("svg", { viewBox: `0 0 ${total} 1`, preserveAspectRatio: "none", "aria-hidden": "true", class: "strip" }, svg("path", { d: path }));
  };
  return h("figure", { class: "strips" }, h("figcaption", { class: "quiet" }, "The page from top to bottom, left to right. The filled parts are what a method kept."),
    h("dl", null, methods.map((m, i) => [
      h("dt", null, m.name),
      h("dd", null, strip((row) => row.kept[i]), unseen(works[i] ? `kept ${rows.filter((row) => row.kept[i]).length} of ${rows.length} blocks` : "found no article")),
    ])));
}

// cards tell what each method found, and what it alone kept or dropped.
function cards(methods, rows, works, matrix) {
  const others = works.filter(Boolean).length;
  return h("ul", { class: "cards" }, methods.map((m, i) => {
    const only = rows.filter((row) => row.kept[i] && row.votes === 1 && others > 1);
    const alone = rows.filter((row) => works[i] && !row.kept[i] && row.votes === others - 1 && others > 1);
    const go = (filter, list, text) => list.length > 0 && h("button", { type: "button", class: "link", onclick: () => matrix.choose(`${filter} ${i}`) }, `${text} ${count(list.length, "block")}`);
    return h("li", null, h("h4", null, m.name, abouts[m.name] && h("small", null, " ", abouts[m.name])),
      m.error ? h("p", { class: "wrong" }, m.error) : [
        m.title && h("p", { class: "found", dir: "auto" }, shorten(m.title, 120)),
        h("p", { class: "quiet" }, [count(m.words ?? 0, "word"), m.confidence > 0 && `${Math.round(m.confidence * 100)} % confident`, m.type && m.type !== "article" && `takes the page for ${types[m.type] ?? m.type}`].filter(Boolean).join(" · ")),
        h("p", null, go("only", only, "kept alone:"), only.length > 0 && alone.length > 0 && " ", go("without", alone, "dropped alone:"),
          only.length + alone.length === 0 && h("span", { class: "quiet" }, "nothing that no other method did")),
      ]);
  }));
}

function agreement(methods, table, works) {
  const cell = (a, b) => {
    const value = table?.[a]?.[b];
    if (a === b || !works[a] || !works[b] || value === undefined || value === null) return h("td", { class: "none" }, a === b ? "" : "–");
    return h("td", { vars: { share: Math.round(Math.max(0, value - 0.4) / 0.6 * 100) + "%" } }, `${Math.round(value * 100)} %`);
  };
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Agreement of methods" },
    h("table", { class: "agreement" }, h("caption", { class: "quiet" }, "Share of the text of the page that two methods judge alike."),
      h("thead", null, h("tr", null, h("td"), methods.map((m) => h("th", { scope: "col" }, m.name)))),
      h("tbody", null, methods.map((m, a) => h("tr", null, h("th", { scope: "row" }, m.name), methods.map((_, b) => cell(a, b)))))));
}

// Matrix has a row for each block and a column for each method.
class Matrix {
  constructor(methods, rows, works, say) {
    Object.assign(this, { methods, rows, works, say });
    const options = [["all", "all blocks"], ["differ", "where they differ"],
      ...methods.map((m, i) => [`only ${i}`, `kept by ${m.name} alone`]), ...methods.map((m, i) => [`without ${i}`, `dropped by ${m.name} alone`])]
      .filter(([filter]) => ["all", "differ"].includes(filter) || this.#list(filter).length > 0);
    this.select = h("select", { id: "row-filter", onchange: () => this.#draw() },
      options.map(([filter, name]) => h("option", { value: filter }, `${name} (${this.#list(filter).length})`)));
    this.body = h("tbody");
    this.more = h("p");
    this.element = h("div", { class: "matrix-box" },
      h("p", { class: "row" }, h("label", { for: "row-filter" }, "Show"), this.select,
        h("span", { class: "quiet hint" }, h("kbd", null, "j"), " and ", h("kbd", null, "k"), " go to the next difference")),
      h("div", { class: "scroll", tabindex: "0", role: "region", "aria-labelledby": "matrix-name" },
        h("table", { class: "matrix" }, h("thead", null, h("tr", null, h("th", { scope: "col" }, "Block"),
          methods.map((m, i) => h("th", { scope: "col", class: works[i] ? "turned" : "turned off" }, h("span", null, m.name))))), this.body)),
      this.more);
    if (this.#list("differ").length > 0) this.select.value = "differ";
    this.#draw();
  }

  #list(filter) {
    const [kind, method] = filter.split(" ");
    const working = this.works.filter(Boolean).length;
    return this.rows.filter((row) => kind === "all" || (kind === "differ" && row.differs) ||
      (kind === "only" && working > 1 && row.kept[method] && row.votes === 1) ||
      (kind === "without" && working > 1 && this.works[method] && !row.kept[method] && row.votes === working - 1));
  }

  // choose shows the rows of a filter and moves there.
  choose(filter) {
    this.select.value = filter;
    this.#draw();
    this.select.focus();
    this.element.scrollIntoView({ block: "start" });
    this.say(this.select.selectedOptions[0]?.textContent ?? "");
  }

  #draw() {
    this.shown = this.#list(this.select.value);
    this.body.replaceChildren();
    this.#add();
  }

  #add() {
    const from = this.body.childElementCount;
    this.body.append(...this.shown.slice(from, from + maxRows).map((row) => this.#row(row)));
    const left = this.shown.length - this.body.childElementCount;
    this.more.replaceChildren();
    fill(this.more, left > 0 && h("button", { type: "button", onclick: () => this.#add() }, `Show ${count(Math.min(left, maxRows), "more block")}`),
      this.shown.length === 0 && h("span", { class: "quiet" }, "All methods agree on every block."));
  }

  #row(row) {
    return h("tr", { class: row.differs ? "differs" : null, tabindex: row.differs ? "-1" : null },
      h("th", { scope: "row", dir: "auto" }, shorten(row.text, 110)),
      row.kept.map((yes, m) => h("td", { class: yes ? "kept" : "dropped" },
        h("span", { "aria-hidden": "true" }, !this.works[m] ? "–" : yes ? "✓" : "·"), unseen(!this.works[m] ? "failed" : yes ? "kept" : "dropped"))));
  }

  // step focuses the next (1) or previous (-1) row where methods differ.
  step(by) {
    const rows = [...this.body.querySelectorAll(".differs")];
    const at = rows.indexOf(document.activeElement);
    const next = rows[at < 0 ? (by > 0 ? 0 : rows.length - 1) : at + by];
    if (!next) this.say(rows.length === 0 ? "No differences are shown." : by > 0 ? "This is the last difference." : "This is the first difference.");
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
  }
}
