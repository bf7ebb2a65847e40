// Keyboard shortcuts.

import { h } from "./element.js";

export const keys = [
  ["t", "title", "select the title with a click or Enter"],
  ["b", "body", "select the body with a click or Enter"],
  ["ArrowUp", "parent", "move to the parent"],
  ["ArrowDown", "child", "move to the first child"],
  ["ArrowLeft", "previousSibling", "move to the previous sibling"],
  ["ArrowRight", "nextSibling", "move to the next sibling"],
  ["Enter", "choose", "select the outlined element"],
  ["a", "accept", "accept the suggestion"],
  ["z", "undo", "undo the last change on this page"],
  ["x", "clear", "clear the selection of this page"],
  ["d", "done", "mark as done, without a title or a body"],
  ["s", "skip", "skip this page"],
  ["n", "next", "next page"],
  ["p", "previous", "previous page"],
  ["u", "nextOpen", "next unlabelled page"],
  ["k", "keep", "keep the elements found on a changed page"],
  ["h", "hide", "hide the outlined element until the page is reloaded"],
  ["PageDown", "down", "scroll the page down"],
  ["PageUp", "up", "scroll the page up"],
  ["?", "help", "show this help"],
];

const signs = { ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", Enter: "⏎", PageDown: "Page down", PageUp: "Page up" };

export const keyTable = () => h("table", null, h("tbody", null, keys.map(([key, , about]) =>
  h("tr", null, h("th", { scope: "row" }, h("kbd", null, signs[key] ?? key)), h("td", null, about)))));

// listen calls the action of a key, unless the focused control uses the key.
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

// keyOf returns the letter of a key, or its position on keyboards of other scripts.
function keyOf({ key, code }) {
  if (key.length > 1 || key === "?") return key;
  return /^[a-z]$/i.test(key) ? key.toLowerCase() : code.replace(/^Key/, "").toLowerCase();
}
