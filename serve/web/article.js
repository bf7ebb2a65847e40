// The article as a reader wants it, built from the blocks of the article's JSON.

import { byId, count, fill, h, unseen } from "./element.js";
import { recall, remember } from "./settings.js";

// Right-to-left scripts, and those that are set without spaces between words.
const rightToLeft = new Set(["Arab", "Hebr", "Thaa", "Syrc", "Nkoo", "Adlm", "Rohg"]);
const squareScripts = new Map([["Hans", "cjk"], ["Hant", "cjk"], ["Hani", "cjk"], ["Jpan", "cjk"], ["Hira", "cjk"], ["Kana", "cjk"], ["Kore", "cjk korean"], ["Hang", "cjk korean"]]);

// languageOf returns the attributes of a text in a language.
export function languageOf(tag) {
  try {
    const script = new Intl.Locale(tag).maximize().script;
    return { lang: tag, dir: rightToLeft.has(script) ? "rtl" : "ltr", kind: squareScripts.get(script) ?? "" };
  } catch {
    return { lang: null, dir: "auto", kind: "" }; // unknown: each paragraph has its own direction
  }
}

// linkTo returns an absolute address that can be opened, or null. A relative one
// would lead to this service.
export function linkTo(address) {
  try {
    const url = new URL(address);
    return ["http:", "https:", "mailto:"].includes(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

const outside = (address, ...children) => h("a", { href: address, target: "_blank", rel: "noopener noreferrer" }, ...children);

// Inline text

const elements = { strong: "strong", emphasis: "em", monospace: "code", subscript: "sub", superscript: "sup", strike: "del" };

function lines(text) {
  return text.split("\n").flatMap((line, i) => (i === 0 ? [line] : [h("br"), line]));
}

function marked(span) {
  return (span.mark ?? "").split(" ").reduceRight(
    (inner, mark) => (elements[mark] ? [h(elements[mark], null, inner)] : inner), lines(span.text));
}

// inline returns spans. Neighbours with the same link are one link.
function inline(spans = []) {
  const out = [];
  for (let i = 0; i < spans.length;) {
    const { href } = spans[i];
    let end = i + 1;
    while (href && spans[end]?.href === href) end++;
    const inner = spans.slice(i, end).flatMap(marked);
    const address = href && linkTo(href);
    out.push(...(address ? [outside(address, inner)] : inner));
    i = end;
  }
  return out;
}

const plain = (spans = []) => spans.map((s) => s.text).join("");

// Blocks

class Writer {
  constructor({ pictures, lang }) {
    this.pictures = pictures;
    this.language = languageOf(lang);
    this.level = 2; // of the last heading
    this.levels = [];
  }

  get auto() { return this.language.lang ? null : "auto"; }

  blocks(list = []) { return list.map((b) => this.block(b)); }

  block(b) {
    switch (b.kind) {
      case "paragraph": return h("p", { dir: this.auto }, inline(b.spans));
      case "heading": return this.heading(b);
      case "list": return h(b.ordered ? "ol" : "ul", { start: b.ordered && b.start > 1 ? b.start : null, dir: this.auto },
        (b.items ?? []).map((item) => h("li", null, this.flow(item))));
      case "quote": return h("blockquote", { dir: this.auto }, this.blocks(b.blocks));
      case "table": return this.table(b);
      case "code": return h("pre", { tabindex: "0", dir: "ltr", translate: "no" }, h("code", null, b.code ?? ""));
      case "picture": return b.image && this.figure(b.image);
      case "video": return b.video && this.video(b.video);
      case "embed": return b.embed && this.post(b.embed);
      case "rule": return h("hr");
    }
    return null;
  }

  // flow returns the blocks of an item or a cell: a paragraph alone, or followed by
  // lists, needs no element.
  flow(blocks = []) {
    const [first, ...rest] = blocks;
    if (first?.kind === "paragraph" && rest.every((b) => b.kind === "list")) return [...inline(first.spans), ...this.blocks(rest)];
    return this.blocks(blocks);
  }

  // Headings begin below that of the article, and none skips a level.
  heading(b) {
    const rank = this.levels.indexOf(b.level ?? 2);
    this.level = Math.min(this.level + 1, 3 + Math.max(rank, 0), 6);
    return h("h" + this.level, { dir: this.auto }, inline(b.spans));
  }

  table(b) {
    const rows = b.rows ?? [];
    if (rows.length === 0) return h("p", { dir: this.auto }, inline(b.spans));
    let head = 0;
    while (head < rows.length && rows[head].every((cell) => cell.header)) head++;
    const cell = (scope) => (c) => h(c.header ? "th" : "td",
      { scope: c.header ? scope : null, colspan: c.colspan > 1 ? c.colspan : null, rowspan: c.rowspan > 1 ? c.rowspan : null, dir: this.auto },
      this.flow(c.blocks));
    const part = (tag, scope, list) => list.length > 0 && h(tag, null, list.map((row) => h("tr", null, row.map(cell(scope)))));
    return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": plain(b.spans) || "Table" },
      h("table", null, b.spans?.length && h("caption", null, inline(b.spans)), part("thead", "col", rows.slice(0, head)), part("tbody", "row", rows.slice(head))));
  }

  picture(address, alt, width, height, kind = "Picture") {
    const instead = () => h("div", { class: "placeholder", role: "img", "aria-label": alt || kind + " without a description", dir: this.auto },
      h("span", { class: "icon", "aria-hidden": "true" }, kind === "Video" ? "▶" : "◩"), h("span", { "aria-hidden": "true" }, alt || kind));
    const src = linkTo(address);
    if (!this.pictures || !src || src.startsWith("mailto:")) return instead();
    const image = h("img", {
      src, alt: alt ?? "", width: width > 0 && height > 0 ? width : null, height: width > 0 && height > 0 ? height : null,
      loading: "lazy", decoding: "async", referrerpolicy: "no-referrer",
    });
    image.addEventListener("error", () => image.replaceWith(instead()), { once: true });
    return image;
  }

  figure(im, kind) {
    const caption = im.caption || im.credit;
    return h("figure", { class: kind ?? null }, this.picture(im.url, im.alt, im.width, im.height),
      caption && h("figcaption", { dir: this.auto }, im.caption, im.caption && im.credit && " ", im.credit && h("small", null, im.credit)));
  }

  video(v) {
    const address = linkTo(v.url);
    const name = v.title || v.caption || "Video";
    const picture = this.picture(v.poster, name, 0, 0, "Video");
    return h("figure", { class: "video" }, address ? outside(address, picture) : picture,
      v.caption && v.caption !== name && h("figcaption", { dir: this.auto }, v.caption));
  }

  post(p) {
    const address = linkTo(p.url);
    const label = [p.author, p.date && dateText(p.date)].filter(Boolean).join(", ") || address;
    return h("blockquote", { class: "post", cite: address, dir: this.auto }, p.text && h("p", null, lines(p.text)),
      label && h("footer", null, address ? outside(address, label) : label));
  }
}

// Dates are in the words of the reader, in the zone of the reader.

const isDay = (date) => /^\d{4}-\d{2}-\d{2}$/.test(date);

export function dateText(date) {
  const at = new Date(date);
  if (Number.isNaN(at.getTime())) return date;
  return at.toLocaleString(undefined, isDay(date) ? { dateStyle: "long", timeZone: "UTC" } : { dateStyle: "long", timeStyle: "short" });
}

const time = (date) => h("time", { datetime: date, title: date, lang: navigator.language, dir: "auto" }, dateText(date));

// Top of the article

const squeeze = (text) => text.replace(/\s+/g, " ").trim();

// repeats reports whether the article begins with the standfirst.
const repeats = (a) => squeeze(a.text ?? "").startsWith(squeeze(a.standfirst).replace(/[.…]+$/, ""));

function byline(a) {
  const names = (a.authors ?? []).filter((author) => author.name);
  return names.length > 0 && h("p", { class: "byline", dir: "auto" }, names.flatMap((author, i) => {
    const address = linkTo(author.url);
    return [i > 0 && ", ", address ? outside(address, author.name) : author.name];
  }));
}

function dates(a) {
  if (!a.published && !a.modified) return null;
  const changed = a.modified && (!a.published || Math.abs(new Date(a.modified) - new Date(a.published)) > 60_000);
  return h("p", { class: "date" }, a.published && time(a.published), a.published && changed && " · ",
    changed && h("bdi", { lang: "en", dir: "ltr" }, a.published ? "updated " : "Updated ", time(a.modified)));
}

function isInBody(url, blocks = []) {
  return blocks.some((b) => b.image?.url === url || isInBody(url, b.blocks) || (b.items ?? []).some((item) => isInBody(url, item)));
}

const kinds = { index: "a list of stories, such as a home page or a section", other: "something other than a single news story" };
const forms = { liveblog: "This is a live blog.", gallery: "This is a gallery: pictures with captions.", video: "This is a video with little text." };

// notices says in plain words what a reader should know about the article.
function notices(a, look, open) {
  const out = [];
  if (a.partial || look.page.partial) out.push(h("p", { class: "notice warn" }, h("b", null, "Part of the page is missing."), " ", partialText(a, look)));
  if (a.paywalled) out.push(h("p", { class: "notice warn" }, h("b", null, "Behind a paywall."), " Readers must pay or register for the whole story, so this may be its beginning only."));
  if (a.type !== "article") {
    const sure = a.confidence > 0 ? ` lede is ${Math.round(a.confidence * 100)} % confident in the text it chose.` : "";
    out.push(h("p", { class: "notice warn" }, h("b", null, "Probably not an article."), ` The page looks like ${kinds[a.type] ?? kinds.other}. Below is what looks most like one.${sure}`));
  } else if (a.confidence > 0 && a.confidence < 0.6) {
    out.push(h("p", { class: "notice warn" }, h("b", null, "lede is not sure."), ` It is ${Math.round(a.confidence * 100)} % confident in the text it chose; the Page tab shows what it dropped.`));
  }
  if (forms[a.form]) out.push(h("p", { class: "notice" }, forms[a.form]));
  const following = linkTo(a.next_page);
  if (following) {
    out.push(h("p", { class: "notice" }, "The story continues on another page. ",
      look.config.fetch ? h("button", { type: "button", onclick: () => open(following) }, "Open the next page") : outside(following, "Open it at its site")));
  }
  return out.length > 0 && h("div", { class: "notices" }, out);
}

const partialReasons = {
  "node-limit": "The page has too many elements and was cut off.", "closed-early": "The connection ended before the page did.",
  "compressed-data": "The compressed page ends early.", "status-206": "The server sent a part of the page only.",
  "content-length": "The page is shorter than its server said.",
};

function partialText(a, look) {
  const reason = a.partial_reason || (typeof look.page.partial === "string" ? look.page.partial : "");
  return (partialReasons[reason] ?? "The page arrived incomplete.") + " The article may be incomplete too.";
}

// Text size

const sizes = [0.9, 1, 1.1, 1.25, 1.4, 1.6, 1.9];
let size = Math.min(Math.max(Number(recall("size", "2")) || 0, 0), sizes.length - 1);

// resize makes the text larger (1) or smaller (-1), or as usual (0), and returns
// what to announce.
export function resize(by) {
  size = by === 0 ? 2 : Math.min(Math.max(size + by, 0), sizes.length - 1);
  remember("size", size);
  byId("panel-article").style.setProperty("--size", sizes[size]);
  return `Text size ${Math.round(sizes[size] / sizes[2] * 100)} %`;
}

function tools(a, say) {
  const button = (text, name, key, act) => h("button", { type: "button", title: `${name} (${key})`, "aria-keyshortcuts": key, onclick: act },
    h("span", { "aria-hidden": "true" }, text), unseen(name));
  return h("div", { class: "tools", role: "toolbar", "aria-label": "Reading" },
    h("span", { class: "quiet" }, count(a.words ?? 0, "word")),
    h("span", { class: "spring" }),
    button("A−", "Smaller text", "-", () => say(resize(-1))), button("A+", "Larger text", "+", () => say(resize(1))),
    button("Print", "Print the article", "p", () => print()));
}

// drawArticle fills a panel with the article of a look.
export async function drawArticle(panel, look, { say, open }) {
  const { article: a } = await look.explain();
  const w = new Writer({ pictures: look.config.pictures, lang: a.lang });
  w.levels = [...new Set(headings(a.body))].sort();
  const { lang, dir, kind } = w.language;
  const lead = a.lead && !isInBody(a.lead.url, a.body) ? a.lead : null;
  panel.style.setProperty("--size", sizes[size]);
  fill(panel, tools(a, say), notices(a, look, open),
    h("article", { class: "story " + kind, lang, dir },
      h("header", null,
        (a.section || a.site) && h("p", { class: "kicker", dir: "auto" }, [a.site, a.section].filter(Boolean).join(" · ")),
        h("h2", { dir: w.auto }, a.title || "Without a headline"),
        a.standfirst && !repeats(a) && h("p", { class: "standfirst", dir: w.auto }, a.standfirst),
        byline(a), dates(a), lead && w.figure(lead, "lead")),
      w.blocks(a.body),
      a.comments?.length > 0 && h("section", { class: "comments", "aria-labelledby": "comments-name" },
        h("h3", { id: "comments-name", lang: "en" }, "Comments"), h("ol", null, a.comments.map((c) => h("li", { dir: "auto" }, lines(c)))))));
  return `${a.title || "An article without a headline"}: ${count(a.words ?? 0, "word")}.`;
}

function headings(blocks = []) {
  return blocks.flatMap((b) => (b.kind === "heading" ? [b.level ?? 2] : [...headings(b.blocks), ...(b.items ?? []).flatMap(headings)]));
}
