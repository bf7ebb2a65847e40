// The outline of a page: every block of text, with whether the gold and the
// output have it.

const marks = {
  right: { sign: "✓", name: "kept", about: "kept rightly" },
  extra: { sign: "+", name: "extra", about: "kept wrongly" },
  missing: { sign: "−", name: "missing", about: "missed" },
  dropped: { sign: "·", name: "dropped", about: "dropped rightly" },
};

// has tells whether bit k of w is set; w may have more bits than << can count.
const has = (w, k) => Math.floor((w ?? 0) / 2 ** k) % 2 === 1;

const markName = (wanted, kept) => (wanted ? (kept ? "right" : "missing") : kept ? "extra" : "dropped");

const markOf = (who, output) => markName(has(who, 0), has(who, output + 1));

const chip = (mark) => h("span", { class: "mark " + mark }, marks[mark].sign + " " + marks[mark].name);

// drawOutline gives the tree for an output, by its number.
function drawOutline(outline, output) {
  const items = (outline.items ?? []).map((item) => ({ ...item, mark: itemMark(item, output) }));
  const totals = { right: 0, extra: 0, missing: 0, dropped: 0 };
  for (const item of items) if (item.mark) totals[item.mark]++;
  const tree = h("div", { class: "outline", role: "list", "aria-label": "Blocks of the page" });
  for (let i = 0; i < items.length;) {
    const end = quietEnd(items, i, output);
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
    count(outline.left, "more block") + " that neither the gold nor any system has.")];
}

// itemMark is what holds for most of the characters; null without text.
function itemMark(item, output) {
  if (!item.t) return null;
  const size = { right: 0, extra: 0, missing: 0, dropped: 0 };
  for (const piece of item.t) size[markOf(piece.w, output)] += piece.s.length;
  return Object.keys(size).reduce((a, b) => (size[b] > size[a] ? b : a));
}

// quietEnd is where a run of rightly dropped blocks from i on ends. An element
// belongs to the run when all in it does.
function quietEnd(items, i, output) {
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
