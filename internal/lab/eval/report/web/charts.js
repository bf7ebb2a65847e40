// The ranking: bars with error bars, and all figures below.

function drawRanking(main) {
  const measure = report.measures[state.measure];
  const cells = report.ranking[state.corpus][state.measure];
  const order = report.systems.map((_, i) => i).filter((i) => cells[i].v)
    .sort((a, b) => better(cells[a].v[measure.main], cells[b].v[measure.main], measure.lower));
  fill(main, h("h2", null, measureTitle(measure)),
    h("p", { class: "quiet" }, about(measure), " ", whatIsShown()));
  if (order.length === 0) fill(main, h("p", null, "No page has the gold that this measure needs."));
  else fill(main, rankingChart(order, cells, measure));
  fill(main, h("h3", null, "All figures"), rankingTable());
  fill(main, h("h3", null, "Measures"), h("dl", { class: "measures" }, report.measures.map((m) =>
    [h("dt", null, m.name), h("dd", null, about(m))])));
}

const measureTitle = (m) => m.figures[m.main] + " (" + m.name + ")";

const about = (m) => m.about.charAt(0).toUpperCase() + m.about.slice(1).replace(/\.$/, "") + "." + (m.lower ? " Lower is better." : "");

function whatIsShown() {
  if (state.corpus === everywhere) {
    const some = report.corpora.filter((_, c) => report.ranking[c][state.measure].some((cell) => cell.v)).length;
    return `Mean over ${count(some, "corpus", "corpora")} with equal weights.` +
      (some < report.corpora.length ? " The others lack the gold that this measure needs." : "");
  }
  return "Corpus " + report.corpora[state.corpus].name + ", " + count(report.corpora[state.corpus].pages, "page") + ".";
}

function rankingChart(order, cells, measure) {
  const dots = order.map((i) => ({ i, value: cells[i].v[measure.main], error: cells[i].e?.[measure.main] ?? 0 }));
  const whole = [0, scaleEnd(dots.map((d) => d.value + d.error))];
  const near = closeUp(dots);
  const box = h("input", { type: "checkbox", id: "zoom" });
  box.checked = state.zoom === "1";
  const chart = h("div", { class: "bars" });
  const caption = h("span");
  const draw = () => {
    // Bars must begin at 0 to be comparable. The close-up view has dots instead.
    const [from, to] = box.checked ? near : whole;
    chart.classList.toggle("dots", box.checked);
    chart.replaceChildren(...dots.map((d) => rankingRow(d, from, to)), axis(from, to));
    caption.textContent = (box.checked ? "Close-up: the axis begins at " + tickLabel(from) + "." : "The axis begins at 0.") +
      " Error bars show ± one standard error (bootstrap over pages).";
  };
  box.addEventListener("change", () => { note({ zoom: box.checked ? "1" : "" }); draw(); });
  draw();
  return h("figure", null, chart, h("figcaption", { class: "quiet" }, caption, " ",
    h("label", { class: "screen" }, box, " Close-up")));
}

const place = (v, from, to) => Math.max(0, Math.min(1, (v - from) / (to - from))) * 100 + "%";

function rankingRow({ i, value, error }, from, to) {
  const inside = value >= from && value <= to;
  return h("div", { class: "row" + (i === state.system ? " chosen" : "") },
    h("a", { class: "name", href: address({ view: "pages", system: i, sort: "", q: "" }) }, report.systems[i]),
    h("span", { class: "track", "aria-hidden": "true" }, inside ? [
      h("span", { class: "bar", vars: { to: place(value, from, to) } }),
      h("span", { class: "error", vars: { from: place(value - error, from, to), to: place(value + error, from, to) } }),
    ] : h("span", { class: "off" }, value < from ? "◂ lower" : "higher ▸")),
    h("span", { class: "value" }, figure(value), h("small", null, " ± " + figure(error))));
}

function axis(from, to) {
  return h("div", { class: "axis", "aria-hidden": "true" }, h("span", { class: "track" }, ticks(from, to).map((t) =>
    h("span", { class: "tick", vars: { at: place(t, from, to) } }, tickLabel(t)))));
}

// closeUp returns a round range around the best half of the systems and those
// close to them.
function closeUp(dots) {
  const best = dots[0].value, middle = dots[Math.floor(dots.length / 2)].value;
  const shown = dots.filter((d) => Math.abs(d.value - best) <= 3 * Math.abs(middle - best));
  const low = Math.min(...shown.map((d) => d.value - d.error)), high = Math.max(...shown.map((d) => d.value + d.error));
  const step = 10 ** Math.floor(Math.log10(Math.max(high - low, Math.abs(high) * 0.01, 1e-6))) / 2;
  return [Math.max(0, Math.floor(low / step) * step), Math.ceil(high / step) * step];
}

function rankingTable() {
  const all = report.ranking[state.corpus];
  const columns = [{ key: "system", title: "System", value: (i) => report.systems[i], cell: (i) => report.systems[i] }];
  const groups = [h("td")];
  report.measures.forEach((m, k) => {
    const pages = Math.max(...all[k].map((c) => c.n));
    groups.push(h("th", { colspan: m.figures.length, scope: "colgroup", class: "first" }, m.name,
      h("small", null, " " + count(pages, "page"))));
    m.figures.forEach((name, f) => {
      const values = all[k].map((c) => c.v?.[f] ?? null).filter((v) => v !== null);
      const best = m.lower ? Math.min(...values) : Math.max(...values);
      columns.push({
        key: k + "." + f, title: name, className: "number" + (f === 0 ? " first" : ""),
        worst: m.lower ? 1 : -1, // the first click sorts the best to the top
        value: (i) => all[k][i].v?.[f] ?? null,
        cell: (i) => {
          const v = all[k][i].v?.[f] ?? null;
          if (v === null) return h("span", { class: "quiet" }, missing);
          return [v === best && values.length > 1 ? h("strong", null, figure(v, 4)) : figure(v, 4),
            h("small", null, "± " + figure(all[k][i].e?.[f] ?? 0, 4))];
        },
      });
    });
  });
  const m = report.measures[state.measure];
  const sort = (m.lower ? "" : "-") + state.measure + "." + m.main;
  const rows = report.systems.map((_, i) => i);
  const table = sortableTable({
    columns, groups, sort, className: "figures", caption: "All figures of all measures, with standard errors",
    onSort: (s) => table.show(ordered(rows, columns, s)),
  });
  table.show(ordered(rows, columns, sort));
  return table.element;
}

// Precision and recall: a plot of all systems, and a plot of all pages of one
// system. The tables of the ranking and of the pages have the same figures.

const plot = { size: 460, left: 46, bottom: 42, top: 10, right: 44 };

async function drawScatter(main) {
  const measure = report.measures[state.measure];
  const p = measure.figures.indexOf("P"), r = measure.figures.indexOf("R");
  fill(main, h("h2", null, "Precision and recall (" + measure.name + ")"));
  if (p < 0 || r < 0) {
    const others = report.measures.map((m, i) => [m, i]).filter(([m]) => m.figures.includes("P") && m.figures.includes("R"));
    fill(main, h("p", null, "This measure has no precision and recall.", others.length > 0 && " These have: ",
      others.map(([m, i], k) => [k > 0 && ", ", h("a", { href: address({ measure: i }) }, m.name)])));
    return;
  }
  const cells = report.ranking[state.corpus][state.measure];
  const dots = report.systems.map((name, i) => ({ name, i, v: cells[i].v })).filter((d) => d.v)
    .map((d) => ({ ...d, p: d.v[p], r: d.v[r] }));
  const low = Math.min(...dots.map((d) => Math.min(d.p, d.r)));
  const from = Math.max(0, Math.floor(low * 10 - 0.5) / 10);
  const charts = h("div", { class: "charts" });
  fill(main, h("p", { class: "quiet" }, whatIsShown(), " Grey curves connect points of equal F1."), charts);
  if (dots.length > 0) {
    charts.append(h("figure", null, h("h3", null, "Systems"), systemsPlot(dots, from),
      h("figcaption", { class: "quiet" }, "Both axes begin at " + tickLabel(from) + ". The figures are in the ",
        h("a", { href: address({ view: "ranking" }) }, "ranking"), ".")));
  }
  const [rows, detail] = await Promise.all([loadRows(), loadDetail(state.measure)]);
  const pages = rows.id.map((_, i) => ({ i, p: detail.pages[p][state.system][i], r: detail.pages[r][state.system][i] }))
    .filter((d) => d.p !== null && d.r !== null && (state.corpus === everywhere || rows.corpus[d.i] === state.corpus));
  charts.append(h("figure", null, h("h3", null, "Pages, " + report.systems[state.system]), pagesPlot(pages, rows),
    h("figcaption", { class: "quiet" }, count(pages.length, "page") + ", of which " +
      pages.filter((d) => d.p === 1 && d.r === 1).length + " at (1, 1) and " +
      pages.filter((d) => d.p === 0 && d.r === 0).length + " at (0, 0). Click a dot to open its page, or use the ",
      h("a", { href: address({ view: "pages" }) }, "table of pages"), ".")));
}

// axes draws the axes and returns the plot with its scales.
function axes(from, label) {
  const { size, left, bottom, top, right } = plot;
  const x = (v) => left + (v - from) / (1 - from) * (size - left - right);
  const y = (v) => size - bottom - (v - from) / (1 - from) * (size - top - bottom);
  const root = svg("svg", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label });
  for (const t of ticks(from, 1)) {
    root.append(
      svg("line", { class: "grid", x1: x(t), x2: x(t), y1: y(from), y2: y(1) }),
      svg("line", { class: "grid", x1: x(from), x2: x(1), y1: y(t), y2: y(t) }),
      svg("text", { class: "tick", x: x(t), y: y(from) + 16, "text-anchor": "middle" }, tickLabel(t)),
      svg("text", { class: "tick", x: x(from) - 7, y: y(t) + 4, "text-anchor": "end" }, tickLabel(t)));
  }
  for (const f of [0.2, 0.4, 0.6, 0.7, 0.8, 0.9, 0.95]) if (2 * from / (1 + from) < f) root.append(...curve(f, from, x, y));
  root.append(
    svg("text", { class: "title", x: x((1 + from) / 2), y: size - 6, "text-anchor": "middle" }, "Recall"),
    svg("text", { class: "title", x: 12, y: y((1 + from) / 2), "text-anchor": "middle", transform: `rotate(-90 12 ${y((1 + from) / 2)})` }, "Precision"));
  return { root, x, y };
}

// curve draws the points with F1 = f: p = f r / (2 r - f).
function curve(f, from, x, y) {
  const points = [];
  for (let k = 0; k <= 60; k++) {
    const r = f / (2 - f) + (1 - f / (2 - f)) * k / 60;
    const p = f * r / (2 * r - f);
    if (r >= from && p >= from && p <= 1.0001) points.push([x(r), y(Math.min(p, 1))]);
  }
  if (points.length < 2) return [];
  const [endX, endY] = points[points.length - 1];
  return [
    svg("polyline", { class: "iso", points: points.map((q) => q.map((v) => v.toFixed(1)).join(",")).join(" ") }),
    svg("text", { class: "isoname", x: endX + 6, y: endY + 3 }, "F1 " + f),
  ];
}

function systemsPlot(dots, from) {
  const { root, x, y } = axes(from, "Precision and recall of the systems; the table of the ranking has the figures.");
  const taken = dots.map((d) => box(x(d.r) - 6, y(d.p) - 6, 12, 12));
  for (const d of dots) {
    const at = freePlace(x(d.r), y(d.p), d.name.length * 6.6 + 4, taken);
    root.append(
      at.far && svg("line", { class: "leader", x1: x(d.r), y1: y(d.p), x2: at.anchorX, y2: at.anchorY }) || "",
      svg("circle", { class: "dot" + (d.i === state.system ? " chosen" : ""), cx: x(d.r), cy: y(d.p), r: 5 },
        svg("title", null, `${d.name}: precision ${figure(d.p)}, recall ${figure(d.r)}`)),
      svg("text", { class: "label" + (d.i === state.system ? " chosen" : ""), x: at.left + 2, y: at.top + 11 }, d.name));
  }
  return root;
}

const box = (left, top, width, height) => ({ left, top, right: left + width, bottom: top + height });

// freePlace finds free space for a name near a dot. A distant name gets a line to
// its dot.
function freePlace(cx, cy, width, taken) {
  const high = 14;
  const clear = (b) => b.left > plot.left && b.right < plot.size - plot.right && b.top > 0 && b.bottom < plot.size - plot.bottom &&
    !taken.some((t) => t.left < b.right && b.left < t.right && t.top < b.bottom && b.top < t.bottom);
  for (const far of [9, 20, 34, 50, 70, 95, 125]) {
    for (let k = 0; k < 16; k++) {
      const angle = Math.PI * (0.5 - k / 8); // counterclockwise from below
      const px = cx + Math.cos(angle) * far, py = cy + Math.sin(angle) * far;
      const b = box(Math.cos(angle) > 0.3 ? px : Math.cos(angle) < -0.3 ? px - width : px - width / 2, py - high / 2, width, high);
      if (!clear(b)) continue;
      taken.push(b);
      return { ...b, far: far > 9, anchorX: px, anchorY: py };
    }
  }
  return box(cx + 9, cy - high / 2, width, high);
}

function pagesPlot(pages, rows) {
  const { root, x, y } = axes(0, "Precision and recall of every page; the table of pages has the figures.");
  for (const d of pages) {
    root.append(svg("circle", { class: "page" + (rows.opens[d.i] ? " opens" : ""), cx: x(d.r).toFixed(1), cy: y(d.p).toFixed(1), r: 3.5, "data-row": d.i },
      svg("title", null, `${pageKey(rows, d.i)}: precision ${figure(d.p)}, recall ${figure(d.r)}`)));
  }
  root.addEventListener("click", (event) => {
    const row = event.target.closest("[data-row]")?.dataset.row;
    if (row !== undefined && rows.opens[row]) go({ view: "page", page: pageKey(rows, +row) });
  });
  return root;
}
