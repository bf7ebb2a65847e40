// Commands and programs that do the same as this page. They are built from text of
// anybody, so that all of it is quoted.

// forShell quotes a word for a POSIX shell.
export function forShell(word) {
  const text = word.toWellFormed().replaceAll("\0", "");
  return /^[A-Za-z0-9@%+=:,./_-]+$/.test(text) ? text : "'" + text.replaceAll("'", "'\\''") + "'";
}

// forGo quotes a string for Go. JSON differs in lone surrogates, and Go forbids byte
// order marks.
export function forGo(text) {
  return JSON.stringify(text.toWellFormed()).replace(/[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g,
    (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
}

const named = (page) => page.name || "page.html";

// curlLine returns the request of curl for a page, with options of the API.
export function curlLine(page, options, format, origin, needsKey) {
  const { with: kept, ...others } = options;
  const query = new URLSearchParams({ ...(page.url && { url: page.url }), ...others, ...(kept && { with: kept.join(",") }), format });
  const address = origin + "v1/extract?" + query;
  const key = needsKey ? '-H "Authorization: Bearer $LEDE_KEY"' : "";
  const send = page.kind === "address" ? "" : [page.zipped && "-H 'Content-Encoding: gzip'", "--data-binary", forShell("@" + named(page))].filter(Boolean).join(" ");
  return ["curl -sS", key, send, forShell(address)].filter(Boolean).join(" ");
}

// toolLine returns the command of lede for a page.
export function toolLine(page, options, format) {
  const flags = ["lede extract", "--format", format];
  if (options.method) flags.push("--method", forShell(options.method));
  if (options.favor) flags.push("--favor", forShell(options.favor));
  if (options.with) flags.push("--with", forShell(options.with.join(",")));
  if (page.kind === "address") return [...flags, "--", forShell(page.url)].join(" ");
  if (page.url) flags.push("--url", forShell(page.url));
  return [...flags, "--", forShell(named(page))].join(" ");
}

const favors = { precision: "lede.FavorPrecision", recall: "lede.FavorRecall" };
const withs = { comments: "lede.WithComments(true)", captions: "lede.WithCaptions(true)", tables: "lede.WithTables(true)" };

// goProgram returns a program for a page, or "" for a format that the library does
// not have.
export function goProgram(page, options, format) {
  if (!["text", "md", "html", "json"].includes(format)) return "";
  const fetches = page.kind === "address";
  const opts = [
    !fetches && page.url && `lede.WithURL(${forGo(page.url)})`,
    options.method && `lede.WithMethod(${forGo(options.method)})`,
    favors[options.favor] && `lede.WithFavor(${favors[options.favor]})`,
    ...(options.with ?? []).map((what) => withs[what]),
  ].filter(Boolean);
  const call = (first) => [first, ...opts].join(opts.length > 1 ? ",\n\t\t" : ", ");
  const imports = ['"context"', '"log"', '"os"'];
  const own = ['"github.com/lede-news/lede/format"'];
  if (fetches) own.unshift('"github.com/lede-news/lede/fetch"');
  if (!fetches || opts.length > 0) own.unshift('"github.com/lede-news/lede"');
  if (!fetches && page.zipped) imports.unshift('"compress/gzip"');
  const check = "\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n";
  const read = page.zipped ? `\tpage, err := gzip.NewReader(f)\n${check}` : "";
  const body = fetches ? `\ta, err := fetch.Article(${call("context.Background(), " + forGo(page.url))})\n${check}`
    : `\tf, err := os.Open(${forGo(named(page))})\n${check}\tdefer f.Close()\n${read}\ta, err := lede.Extract(${call("context.Background(), " + (page.zipped ? "page" : "f"))})\n${check}`;
  return `package main

import (
\t${imports.join("\n\t")}

\t${own.join("\n\t")}
)

func main() {
${body}\tif err := format.Write(os.Stdout, a, ${forGo(format)}, format.Options{${format === "json" ? "Indent: true" : ""}}); err != nil {
\t\tlog.Fatal(err)
\t}
}
`;
}

// bookmarklet returns an address that sends the page that the browser shows. The
// values are written as JSON and encoded, so that the whole is a valid address.
export function bookmarklet(action, token) {
  const code = `(()=>{const d=document,f=d.createElement("form"),t=d.doctype,v={token:${JSON.stringify(token)},url:location.href,` +
    `html:(t?new XMLSerializer().serializeToString(t):"")+d.documentElement.outerHTML};` +
    `f.method="post";f.target="_blank";f.enctype="multipart/form-data";f.acceptCharset="utf-8";f.action=${JSON.stringify(action)};f.style.display="none";` +
    `for(const k in v){const i=d.createElement("textarea");i.name=k;i.value=v[k];f.append(i)}d.documentElement.append(f);f.submit();f.remove()})()`;
  return "javascript:" + encodeURIComponent(code);
}
