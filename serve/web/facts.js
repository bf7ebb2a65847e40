// Facts: every value of metadata, and where it came from, in words.

import { dateText, linkTo } from "./article.js";
import { count, fill, h } from "./element.js";

const names = {
  title: "Headline", standfirst: "Standfirst", authors: "Authors", published: "Published", modified: "Changed", lang: "Language", site: "Site",
  section: "Section", tags: "Tags", lead: "Main picture", canonical: "Address by the page", url: "Address", next_page: "Next page", type: "Kind of page",
  form: "Form", confidence: "Confidence", method: "Method", words: "Length", paywalled: "Paywall", partial: "Complete", comments: "Comments",
};

// Sources in words, for services that give their names only.
const sources = {
  "json-ld": "JSON-LD of the page, which it writes for search engines", og: "OpenGraph tags, which the page writes for social networks",
  meta: "meta tags in the head of the page", microdata: "microdata in the markup", time: "a <time> element of the page",
  url: "the address of the page", html: "what the page shows", text: "the text, by its wording",
};

const said = (source) => sources[source] ?? source ?? "";

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

export async function drawFacts(panel, look) {
  const x = await look.explain();
  const all = values(x.article);
  const found = Object.keys(names).filter((key) => all[key]);
  const chosen = new Map((x.facts ?? []).map((fact) => [fact.name, fact]));
  const own = x.method_title && x.method_title !== x.article.title ? x.method_title : "";
  fill(panel,
    h("h2", { class: "unseen" }, "Facts"),
    h("table", { class: "facts" },
      h("thead", null, h("tr", null, ["Fact", "Value", "Where it came from"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", null, found.map((key) => h("tr", null, h("th", { scope: "row" }, names[key]), h("td", { dir: "auto" }, all[key], others(chosen.get(key))),
        h("td", { class: "source" }, sourceOf(key, x, chosen.get(key))))))),
    own && h("p", { class: "quiet" }, "The method itself took this for the headline: ", h("q", { dir: "auto" }, own)),
    missing.some((key) => !all[key]) && h("p", { class: "quiet" }, "The page does not say: ", missing.filter((key) => !all[key]).map((key) => names[key].toLowerCase()).join(", "), "."));
  return `${count(found.length, "fact")}.`;
}

// sourceOf returns the source of a fact in words.
function sourceOf(key, x, fact) {
  if (fact?.from || fact?.words) return fact.words ?? fact.from;
  if (x.sources?.[key]) return said(x.sources[key]);
  if (key === "url") return "you, or the page that was fetched";
  if (["type", "confidence", "words", "method", "form", "comments", "partial", "next_page", "paywalled"].includes(key)) return "lede, from the page";
  return "";
}

// others lists the values of other sources that were not chosen.
function others(fact) {
  const list = (fact?.others ?? fact?.values ?? []).filter((other) => !other.chosen);
  return list.length > 0 && h("details", null, h("summary", null, count(list.length, "other value")),
    h("ul", null, list.map((other) => h("li", null, other.value, " ", h("small", null, other.words ?? said(other.source))))));
}
