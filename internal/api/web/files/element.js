// Elements are built node by node. Text of pages becomes text or an attribute,
// never markup.

function build(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "vars") for (const [k, v] of Object.entries(value)) node.style.setProperty("--" + k, v);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(3).filter((c) => c !== null && c !== undefined && c !== false));
  return node;
}

export const h = (tag, attributes, ...children) => build(document.createElement(tag), attributes, children);

export const svg = (tag, attributes, ...children) =>
  build(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

// fill adds children to a node and skips empty ones.
export const fill = (node, ...children) => build(node, null, children);

// unseen returns text for screen readers only.
export const unseen = (...text) => h("span", { class: "unseen" }, ...text);

export const byId = (id) => document.getElementById(id);

// write changes a text only if it differs, so that screen readers do not repeat it.
export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export const count = (n, one, many) => n.toLocaleString("en") + " " + (n === 1 ? one : many ?? one + "s");
