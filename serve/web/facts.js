// Facts: every value of metadata, and where it came from, in words.

import { dateText, linkTo } from "./article.js";
import { count, fill, h, unseen } from "./element.js";

const names = {
  title: "Headline", standfirst: "Standfirst", authors: "Authors", published: "Published", modified: "Changed", lang: "Language", site: "Site",
  section: "Section", tags: "Tags", lead: "Main picture", canonical: "Address by the page", url: "Address", next_page: "Next page", type: "Kind of page",
  form: "Form", confidence: "Confidence", method: "Method", words: "Length", paywalled: "Paywall", partial: "Complete", comments: "Comments",
};

// abouts says what a source is, for readers who do not write web pages.
const abouts = {
  "json-ld": "data that the page has for search engines", og: "tags that the page has for social networks", meta: "tags in the head of the page",
  microdata: "marks in the text of the page", time: "a date that the page marks as one", url: "the address of the page", text: "the wording of the text",
};

const link = (address) => (linkTo(address) ? h("a", { href: linkTo(address), target: "_blank", rel: "noopener noreferrer" }, address) : address);

function languageName(tag) {
  try {
    return `${new Intl.DisplayNames(undefined, { type: "language" }).of(tag)} (${tag})`;
  } catch {
    return tag;
  }
}

const date = (value) => [h("time", { datetime: value }, dateText(value)), " ", h("small", null, value)];

const types = { article: "a single article", index: "a list of stories", other: "something else" };

// values returns what is shown for each fact.
function values(a) {
  return {
    title: a.title, standfirst: a.standfirst,
    authors: a.authors?.length && h("ul", null, a.authors.map((author) => h("li", null, author.name, author.url && [" ", h("small", null, link(author.url))]))),
    published: a.published && date(a.published), modified: a.modified && date(a.modified),
    lang: a.lang && languageName(a.lang), site: a.site, section: a.section, tags: a.tags?.length && a.tags.join(", "),
    lead: a.lead && [link(a.lead.url), a.lead.alt && h("small", null, " ", a.lead.alt)],
    canonical: a.canonical && link(a.canonical), url: a.url && link(a.url), next_page: a.next_page && link(a.next_page),
    type: types[a.type] ?? a.type, form: a.form, confidence: a.confidence > 0 && `${Math.round(a.confidence * 100)} %`, method: a.method,
    words: count(a.words ?? 0, "word"), paywalled: a.paywalled && "readers must pay or register", partial: a.partial && "no: part of the page is missing",
    comments: a.comments?.length && count(a.comments.length, "comment"),
  };
}

const missing = ["title", "standfirst", "authors", "published", "modified", "lang", "site", "section", "tags", "lead", "canonical"];

export async function drawFacts(panel, look, { showBlock }) {
  const x = await look.explain();
  const all = values(x.article);
  const found = Object.keys(names).filter((key) => all[key]);
  const known = new Map((x.facts ?? []).map((fact) => [fact.name, fact]));
  const own = x.method_title && x.method_title !== x.article.title ? x.method_title : "";
  fill(panel,
    h("h2", { class: "unseen" }, "Facts"),
    h("table", { class: "facts" },
      h("thead", null, h("tr", null, ["Fact", "Value", "Where it came from"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", null, found.map((key) => h("tr", null, h("th", { scope: "row" }, names[key]), h("td", { dir: "auto" }, all[key]),
        h("td", { class: "source" }, sourceOf(key, x, known.get(key), showBlock)))))),
    own && h("p", { class: "quiet" }, "The method itself took this for the headline: ", h("q", { dir: "auto" }, own)),
    missing.some((key) => !all[key]) && h("p", { class: "quiet" }, "The page does not say: ", missing.filter((key) => !all[key]).map((key) => names[key].toLowerCase()).join(", "), "."));
  return `${count(found.length, "fact")}.`;
}

// sourceOf returns the source of a fact in words, and a link to where the page shows it.
function sourceOf(key, x, fact, showBlock) {
  const source = x.sources?.[key];
  if (!source) return key === "url" ? "you, or the site that sent the page" : "lede, from the page";
  const about = abouts[source];
  return [fact?.from ?? source, about && h("small", null, " – ", about),
    fact?.block >= 0 && h("div", null, h("button", { type: "button", class: "link", onclick: () => showBlock(fact.block) }, "Show it on the page", unseen(": " + names[key])))];
}
