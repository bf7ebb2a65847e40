// Elements are built node by node: what comes from pages becomes text or an
// attribute, never markup.

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

const h = (tag, attributes, ...children) => build(document.createElement(tag), attributes, children);

const svg = (tag, attributes, ...children) =>
  build(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

// fill adds contents to a node, without those that are nothing.
const fill = (node, ...children) => build(node, null, children);

// unseen is text for those who listen.
const unseen = (...text) => h("span", { class: "unseen" }, ...text);

const byId = (id) => document.getElementById(id);
