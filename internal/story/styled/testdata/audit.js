// What a check for accessibility would say of the page: a list of faults.
(() => {
  const faults = [];
  const fault = (e, what) => faults.push(`${what}: ${e.outerHTML.slice(0, 120)}`);
  const rgb = (s) => s.match(/[\d.]+/g).map(Number);
  const lum = (c) => {
    const [r, g, b] = c.map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (e) => {
    for (; e; e = e.parentElement) {
      const c = rgb(getComputedStyle(e).backgroundColor);
      if (c.length === 3 || c[3] === 1) return c.slice(0, 3);
    }
    return [255, 255, 255];
  };
  const root = document.documentElement;
  if (!root.lang) fault(root, "no language");
  if (!document.title.trim()) fault(document.head, "no title");
  if (document.querySelectorAll("main").length !== 1) fault(document.body, "not one main");
  for (const e of document.querySelectorAll("img")) if (!e.hasAttribute("alt")) fault(e, "no alt");
  for (const e of document.querySelectorAll("a")) if (!e.textContent.trim()) fault(e, "link without words");
  for (const e of document.querySelectorAll("article *, footer *")) {
    const words = [...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim());
    const style = getComputedStyle(e);
    if (words) {
      const [x, y] = [lum(rgb(style.color).slice(0, 3)), lum(ground(e))];
      const ratio = (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
      if (ratio < 4.49) fault(e, `contrast ${ratio.toFixed(2)}`);
      if (parseFloat(style.fontSize) < 11.5 && !e.closest("sub, sup")) fault(e, `size ${style.fontSize}`);
    }
    if (["auto", "scroll"].includes(style.overflowX) && e.tabIndex < 0) fault(e, "scrolls without the keyboard");
    const box = e.getBoundingClientRect();
    if (!e.closest("table") && box.width > 0 && box.right > root.clientWidth + 1) fault(e, "sticks out");
  }
  return faults;
})();
