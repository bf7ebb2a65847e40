// Keys, and what they do.

import { h } from "./element.js";

export const keys = [
  ["t", "title", "a click or Enter chooses the title"],
  ["b", "body", "a click or Enter chooses the body"],
  ["ArrowUp", "parent", "outline the parent"],
  ["ArrowDown", "child", "outline the first child"],
  ["ArrowLeft", "before", "outline the sibling before"],
  ["ArrowRight", "after", "outline the sibling after"],
  ["Enter", "choose", "choose what is outlined"],
  ["a", "accept", "accept the suggestion"],
  ["z", "undo", "undo the last change of this page"],
  ["x", "clear", "clear the choices of this page"],
  ["d", "done", "done as it is: there is no title, or no body"],
  ["s", "skip", "skip the page, and go on"],
  ["n", "next", "next page"],
  ["p", "previous", "previous page"],
  ["u", "nextOpen", "next page that is not labelled"],
  ["k", "keep", "keep what was found again on a changed page"],
  ["h", "hide", "hide what is outlined, until the page is loaded again"],
  ["PageDown", "down", "scroll the page down"],
  ["PageUp", "up", "scroll the page up"],
  ["?", "help", "these keys"],
];

const signs = { ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", Enter: "⏎", PageDown: "Page down", PageUp: "Page up" };

export const keyTable = () => h("table", null, h("tbody", null, keys.map(([key, , about]) =>
  h("tr", null, h("th", { scope: "row" }, h("kbd", null, signs[key] ?? key)), h("td", null, about)))));

// listen calls what a key stands for, unless the key belongs to where it is pressed.
export function listen(actions) {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const on = event.target;
    if (on.closest?.("select, input, textarea, dialog")) return;
    if (event.key === "Enter" && on.closest?.("button")) return;
    const action = keys.find(([key]) => key === keyOf(event))?.[1];
    if (!action) return;
    event.preventDefault();
    actions[action]();
  });
}

// keyOf is the key by its letter, or, on a keyboard of another script, by its place.
function keyOf({ key, code }) {
  if (key.length > 1 || key === "?") return key;
  return /^[a-z]$/i.test(key) ? key.toLowerCase() : code.replace(/^Key/, "").toLowerCase();
}
