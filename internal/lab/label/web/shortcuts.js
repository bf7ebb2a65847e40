// The keyboard shortcuts of the application.

export const shortcuts = [
  ["t", "title", "select the title with a click or Enter"],
  ["b", "body", "select the body with a click or Enter"],
  ["ArrowUp", "parent", "move to the parent"],
  ["ArrowDown", "child", "move to the first child"],
  ["ArrowLeft", "previousSibling", "move to the previous sibling"],
  ["ArrowRight", "nextSibling", "move to the next sibling"],
  ["Enter", "choose", "select the outlined element"],
  ["x", "clear", "clear the selection of this page"],
  ["d", "done", "mark as done, without a title or a body"],
  ["s", "skip", "skip this page"],
  ["n", "next", "next page"],
  ["p", "previous", "previous page"],
  ["u", "nextOpen", "next unlabelled page"],
  ["h", "hide", "hide the outlined element until the page is reloaded"],
  ["PageDown", "down", "scroll the page down"],
  ["PageUp", "up", "scroll the page up"],
  ["?", "help", "show this help"],
];
