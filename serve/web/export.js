// Export: the article in other formats, to copy or to save, and what does the same
// without this page.

import { root } from "./api.js";
import { count, fill, h } from "./element.js";
import { drawProblem } from "./problem.js";
import { recall, remember } from "./settings.js";
import { curlLine, goProgram, toolLine } from "./snippets.js";

const formats = {
  md: { name: "Markdown", type: "text/markdown", ending: "md" },
  html: { name: "HTML", type: "text/html", ending: "html" },
  json: { name: "JSON", type: "application/json", ending: "json" },
  text: { name: "Text", type: "text/plain", ending: "txt" },
  styled: { name: "Styled HTML", type: "text/html", ending: "html", about: "the article with the look of its page, as one file" },
  cleaned: { name: "Cleaned page", type: "text/html", ending: "html", about: "the page's own HTML without what was dropped" },
};

// copy copies a text, also where the clipboard is closed to this page.
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const box = h("textarea", { class: "unseen", readonly: true, "aria-hidden": "true" });
    const before = document.activeElement;
    box.value = text;
    document.body.append(box);
    box.select();
    const done = document.execCommand("copy");
    box.remove();
    before?.focus();
    return done;
  }
}

// copyButton returns a button that copies what text returns, and says so.
export function copyButton(name, text, say) {
  const button = h("button", { type: "button" }, name);
  let timer;
  button.addEventListener("click", async () => {
    const done = await copy(await text());
    say(done ? "Copied" : "The browser does not allow copying. Select the text and copy it.");
    button.textContent = done ? "Copied" : "Not copied";
    clearTimeout(timer);
    timer = setTimeout(() => { button.textContent = name; }, 1600);
  });
  return button;
}

// fileName returns a name for a file from the headline.
export function fileName(title, ending) {
  const words = (title || "article").toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ["article"];
  return words.join("-").slice(0, 60).replace(/-+$/, "") + "." + ending;
}

function save(text, name, type) {
  const url = URL.createObjectURL(new Blob([text], { type: type + ";charset=utf-8" }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export async function drawExport(panel, look, { say }) {
  const names = Object.keys(formats).filter((name) => look.config.formats.includes(name));
  const view = new ExportView(look, say, names);
  fill(panel, h("h2", { class: "unseen" }, "Export"), view.choices, view.about, view.buttons, view.preview, view.lines);
  return view.show(names.includes(recall("format")) ? recall("format") : names[0]);
}

class ExportView {
  constructor(look, say, names) {
    Object.assign(this, { look, say });
    this.choices = h("div", { class: "choices", role: "group", "aria-label": "Format" }, names.map((name) =>
      h("button", { type: "button", "data-format": name, "aria-pressed": "false", onclick: () => this.show(name).then(say, () => {}) }, formats[name].name)));
    this.about = h("p", { class: "quiet" });
    this.preview = h("pre", { class: "preview", tabindex: "0", role: "region", "aria-label": "Preview", dir: "auto" });
    this.buttons = h("p", { class: "row" },
      copyButton("Copy", () => this.text, say),
      h("button", { type: "button", onclick: () => this.#save() }, "Save as a file"),
      this.size = h("span", { class: "quiet" }));
    this.lines = h("div", { class: "lines" });
    this.text = "";
  }

  async show(name) {
    this.format = name;
    remember("format", name);
    const { name: title, about } = formats[name];
    for (const button of this.choices.children) button.setAttribute("aria-pressed", String(button.dataset.format === name));
    this.about.textContent = about ? title + ": " + about + "." : "";
    this.#drawLines();
    this.preview.setAttribute("aria-busy", "true");
    let text = "";
    try {
      text = await this.look.write(name);
    } catch (error) {
      if (this.look.cancelled || this.format !== name) return "";
      this.text = "";
      this.size.textContent = "";
      this.preview.replaceChildren(drawProblem(error, () => this.show(name)));
      return "The article cannot be written in this format.";
    } finally {
      if (this.format === name) this.preview.removeAttribute("aria-busy");
    }
    if (this.format !== name) return "";
    this.text = text;
    this.preview.textContent = text;
    this.preview.scrollTop = 0;
    this.size.textContent = count(new Blob([text]).size, "byte");
    return `${title}, ${this.size.textContent}`;
  }

  async #save() {
    const { article } = await this.look.explain().catch(() => ({ article: {} }));
    const { type, ending } = formats[this.format];
    save(this.text, fileName(article.title, ending), type);
    this.say("Saved as a file");
  }

  // #drawLines shows the commands and the program for the format.
  #drawLines() {
    const { page, options, config } = this.look;
    const part = (title, text, note) => [
      h("div", { class: "line-head" }, h("h3", null, title), text && copyButton("Copy", () => text, this.say)),
      text && h("pre", { tabindex: "0", role: "region", "aria-label": title, dir: "ltr", translate: "no" }, h("code", null, text)),
      note && h("p", { class: "quiet" }, note),
    ];
    const saved = page.kind === "html" ? "Save the HTML as page.html first." : "";
    const program = goProgram(page, options, this.format);
    this.lines.replaceChildren();
    fill(this.lines,
      part("With curl", curlLine(page, options, this.format, root.href, config.keys), [config.keys && "Set LEDE_KEY to your key.", saved].filter(Boolean).join(" ")),
      part("With lede on the command line", toolLine(page, options, this.format), saved),
      part("In Go", program, program ? saved : "The library writes text, Markdown, HTML and JSON; this format is one of the command and the service."));
  }
}
