// Keyboard shortcuts: rows of a key, the name of an action, and what it does.

import { h } from "./element.js";

const signs = { ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", Enter: "⏎", PageDown: "Page down", PageUp: "Page up", Escape: "Esc" };

export const keyTable = (keys) => h("table", null, h("tbody", null, keys.map(([key, , about]) =>
  h("tr", null, h("th", { scope: "row" }, h("kbd", null, signs[key] ?? key)), h("td", null, about)))));

// listen calls the action of a key, unless the focused control uses the key.
export function listen(keys, actions) {
  const onKey = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const on = event.target;
    if (on.closest?.("select, input, textarea, dialog")) return;
    if (event.key === "Enter" && on.closest?.("button")) return;
    const action = keys.find(([key]) => key === keyOf(event))?.[1];
    if (!action || actions[action](event) === false) return;
    event.preventDefault();
  };
  addEventListener("keydown", onKey);
  return onKey;
}

// keyOf returns the letter of a key, or its position on keyboards of other scripts.
function keyOf({ key, code }) {
  if (key.length > 1 || /^[?+\-=0-9]$/.test(key)) return key;
  return /^[a-z]$/i.test(key) ? key.toLowerCase() : code.replace(/^Key/, "").toLowerCase();
}
