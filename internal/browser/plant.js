// plant puts a tree into the page, node by node and without a parser, so that
// it is the tree that was handed over whatever HTML says of such nesting. In
// ops, an array opens an element (its name, then its attributes), a string is a
// text, and 0 closes the last element that is open.
function plant(doctype, ops) {
  // Only a parser sets the mode of the page, quirks or not.
  document.open();
  document.write(doctype + "<html>");
  document.close();
  document.documentElement.remove();

  const spaces = {
    svg: "http://www.w3.org/2000/svg",
    math: "http://www.w3.org/1998/Math/MathML",
  };

  // create makes any element that a parser can make; createElement knows fewer
  // names in older browsers.
  function create(name) {
    const [space, local] = name.split(" ");
    if (local) return document.createElementNS(spaces[space], local);
    try {
      return document.createElement(name);
    } catch {
      const nest = document.createElement("template");
      nest.innerHTML = "<" + name + ">";
      return nest.content.firstChild;
    }
  }

  function open(op) {
    const element = create(op[0]);
    for (let i = 1; i < op.length; i += 2) {
      try {
        element.setAttribute(op[i], op[i + 1]);
      } catch {
        // A name that no style sheet can ask for.
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
