// build replaces the document by a tree, node by node and without a parser, so
// that HTML's rules for nesting do not change it. In ops, an array opens an element
// (its name, then its attributes), a string is a text, and 0 closes an element.
function build(doctype, ops) {
  // Only a parser can set quirks or standards mode.
  document.open();
  document.write(doctype + "<html>");
  document.close();
  document.documentElement.remove();

  const spaces = {
    svg: "http://www.w3.org/2000/svg",
    math: "http://www.w3.org/1998/Math/MathML",
  };

  // create returns an element with any name that a parser accepts. createElement
  // accepts fewer names in older browsers.
  function create(name) {
    const [space, local] = name.split(" ");
    if (local) return document.createElementNS(spaces[space], local);
    try {
      return document.createElement(name);
    } catch {
      const template = document.createElement("template");
      template.innerHTML = "<" + name + ">";
      return template.content.firstChild;
    }
  }

  function open(op) {
    const element = create(op[0]);
    for (let i = 1; i < op.length; i += 2) {
      try {
        element.setAttribute(op[i], op[i + 1]);
      } catch {
        // No style sheet can select by such a name.
      }
    }
    return element;
  }

  let root = null;
  let parent = null;
  for (const op of ops) {
    if (op === 0) {
      parent = parent.parentNode;
    } else if (typeof op === "string") {
      parent.appendChild(document.createTextNode(op));
    } else {
      const element = open(op);
      if (parent) parent.appendChild(element);
      else root = element;
      parent = element;
    }
  }
  if (root) document.appendChild(root);
}
