// The ranking: bars with error bars, and all figures below.

function drawRanking(main) {
  const measure = report.measures[state.measure];
  const cells = report.ranking[state.corpus][state.measure];
  const order = report.systems.map((_, i) => i).filter((i) => cells[i].v)
    .sort((a, b) => better(cells[a].v[measure.main], cells[b].v[measure.main], measure.lower));
  fill(main, h("h2", null, measureTitle(measure)),
    h("p", { class: "quiet" }, about(measure), " ", whatIsShown()));
  if (order.length === 0) fill(main, h("p", null, "No page here says what this measure needs."));
  else fill(main, rankingChart(order, cells, measure));
  fill(main, h("h3", null, "All figures"), rankingTable());
  fill(main, h("h3", null, "Measures"), h("dl", { class: "measures" }, report.measures.map((m) =>
    [h("dt", null, m.name), h("dd", null, about(m))])));
}

const measureTitle = (m) => m.figures[m.main] + " (" + m.name + ")";

const about = (m) => m.about.charAt(0).toUpperCase() + m.about.slice(1).replace(/\.$/, "") + "." + (m.lower ? " Less is better." : "");

function whatIsShown() {
  if (state.corpus === everywhere) {
    const some = report.corpora.filter((_, c) => report.ranking[c][state.measure].some((cell) => cell.v)).length;
    return `Mean of the figures of ${count(some, "corpus", "corpora")}; each counts the same, however many pages it has.` +
      (some < report.corpora.length ? " The others do not say what this measure needs." : "");
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
    // Bars begin at 0, or their lengths would lie. Close up there are dots instead.
    const [from, to] = box.checked ? near : whole;
    chart.classList.toggle("dots", box.checked);
    chart.replaceChildren(...dots.map((d) => rankingRow(d, from, to)), axis(from, to));
    caption.textContent = (box.checked ? "Close up: the axis begins at " + tickLabel(from) + "." : "The axis begins at 0.") +
      " Whiskers are one standard error to each side, by resampling pages.";
  };
  box.addEventListener("change", () => { note({ zoom: box.checked ? "1" : "" }); draw(); });
  draw();
  return h("figure", null, chart, h("figcaption", { class: "quiet" }, caption, " ",
    h("label", { class: "screen" }, box, " Look closer")));
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

// closeUp is a round range around the best half of the systems and those not
// far from them.
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
        worst: m.lower ? 1 : -1, // the first click brings the best to the top
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
