// Sets the chosen theme before the first paint. It is a plain script, since modules
// run after the page has been drawn.
(() => {
  try {
    const theme = localStorage.getItem("lede.theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // no storage: the theme of the system
  }
})();
