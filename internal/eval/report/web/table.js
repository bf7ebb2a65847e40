// A table whose columns sort. Headers are buttons, so that keys work too.
//
// A column has: key, title, cell(row) -> contents, and where it sorts
// value(row); worst: 1 when the worst is the smallest, -1 when it is the largest.
// One of className "text" may be cut short, and has all of it as its title.

function sortableTable({ columns, groups, caption, sort, onSort, className }) {
  const buttons = new Map();
  const heads = columns.map((c) => {
    const head = h("th", { scope: "col", class: c.className, title: c.about },
      c.value ? h("button", { type: "button", onclick: () => turn(c) }, c.title) : c.title);
    buttons.set(c.key, head);
    return head;
  });
  const body = h("tbody");
  const element = h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    h("table", { class: className }, h("caption", { class: "unseen" }, caption),
      h("thead", null, groups && h("tr", null, groups), h("tr", null, heads)), body));

  function turn(column) {
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

// ordered sorts rows by a column's key, with - for descending. What has no value comes last.
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

// bar is a figure with a bar from 0 below it.
function bar(value, end, digits) {
  if (value === null || value === undefined) return h("span", { class: "quiet" }, missing);
  return h("span", { class: "cellbar", vars: { to: Math.min(1, value / end) * 100 + "%" } }, figure(value, digits));
}
