// The controls around the page: progress, the list of pages, and the selection.

import { byId, h, write } from "./element.js";

const signs = { labelled: "✓", skipped: "–", started: "…", open: " " };

export function drawPages(pages, current) {
  const labelled = pages.filter((p) => p.state === "labelled").length;
  const skipped = pages.filter((p) => p.state === "skipped").length;
  byId("progress").max = pages.length || 1;
  byId("progress").value = labelled + skipped;
  write(byId("count"), `${labelled} of ${pages.length} labelled` + (skipped ? `, ${skipped} skipped` : ""));
  const select = byId("pages");
  while (select.options.length < pages.length) select.append(h("option"));
  pages.forEach((p, i) => {
    const option = select.options[i];
    option.value = p.id;
    write(option, `${signs[p.state]} ${i + 1}. ${p.id}` + (p.state === "open" ? "" : ` (${p.state})`));
  });
  if (current) select.value = current;
}

export function drawState(page) {
  const button = (name) => document.querySelector(`[data-do="${name}"]`);
  const state = page?.label.state;
  button("clear").disabled = !state || state === "open";
  button("skip").setAttribute("aria-pressed", String(state === "skipped"));
  button("done").setAttribute("aria-pressed", String(state === "labelled"));
}

// words returns the number of words of an element as text.
export const words = (row) => (row.w === 1 ? "1 word" : `${row.w ?? 0} words`);

export function drawChosen(page, tree) {
  byId("name").replaceChildren(...(page ? [
    h("strong", { dir: "auto" }, page.heading || page.id),
    page.url && h("span", { class: "quiet" }, page.url),
  ].filter(Boolean) : []));
  byId("chosen").replaceChildren(...["title", "body"].flatMap((kind) => {
    const found = page?.label[kind];
    const row = found && tree.get(found.node);
    return [
      h("dt", { class: kind }, kind === "title" ? "Title" : "Body"),
      h("dd", null, found
        ? [h("span", { class: "words", dir: "auto" }, (row?.t ?? found.text) || "(no text)"),
          h("small", null, row ? `${row.l} · ${words(row)}` : h("b", null, "no longer on the page: select it again"))]
        : h("span", { class: "quiet" }, "not selected")),
    ];
  }));
}
