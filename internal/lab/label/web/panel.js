// The controls around the page: progress, the list of pages, and the selection.

import { byId, h, write } from "./element.js";

const signs = { labelled: "✓", skipped: "–", started: "…", open: " " };
const states = { labelled: "labelled", skipped: "skipped", started: "started" };

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
    const notes = [p.state !== "open" && states[p.state], p.changed && "page changed"].filter(Boolean);
    write(option, `${p.changed ? "!" : signs[p.state]} ${i + 1}. ${p.id}` + (notes.length ? ` (${notes.join(", ")})` : ""));
  });
  if (current) select.value = current;
}

export function drawState(page, guess) {
  const button = (name) => document.querySelector(`[data-do="${name}"]`);
  const state = page?.label.state;
  button("undo").disabled = !page?.label.undo;
  button("accept").disabled = guess.title < 0 && guess.body < 0;
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
          h("small", null, row ? `${row.l} · ${words(row)}` : "", found.match !== "exact" && h("b", null, ` ${found.match}`))]
        : h("span", { class: "quiet" }, "not selected")),
    ];
  }));
}

const matches = {
  moved: "has moved",
  changed: "was found with similar text",
  lost: "was not found",
};

// drawChanged shows how the label matches a page that has changed.
export function drawChanged(page, keep) {
  const box = byId("changed");
  const kinds = ["title", "body"].filter((kind) => page?.label[kind] && page.label[kind].match !== "exact");
  box.hidden = kinds.length === 0;
  box.replaceChildren(...(kinds.length === 0 ? [] : [
    h("p", null, h("strong", null, "This page has changed since it was labelled.")),
    ...kinds.map((kind) => {
      const { match, text } = page.label[kind];
      return h("p", null, `The ${kind} ${matches[match]}.`, match !== "moved" && [" The original text: ", h("q", { dir: "auto" }, text)]);
    }),
    kinds.some((kind) => page.label[kind].node >= 0)
      && h("button", { type: "button", onclick: keep }, h("kbd", null, "k"), " Keep these elements"),
  ].filter(Boolean)));
}
