// Layers that cover a page in a frame, such as consent dialogs.

const covers = (element, view) => {
  if (view.getComputedStyle(element).position !== "fixed") return false;
  const box = element.getBoundingClientRect();
  return box.width >= view.innerWidth * 0.9 && box.height >= view.innerHeight * 0.9;
};

// uncover hides layers that cover a page, since no script of the page can, and returns
// their number. Layers for which stays is true are not hidden.
export function uncover(page, stays = () => false) {
  const view = page.defaultView;
  for (let layers = 0; ; layers++) {
    let layer = page.elementFromPoint(view.innerWidth / 2, view.innerHeight / 2);
    while (layer && !(covers(layer, view) && !stays(layer))) layer = layer.parentElement;
    if (!layer || layers === 5) return layers;
    layer.style.setProperty("display", "none", "important");
  }
}
