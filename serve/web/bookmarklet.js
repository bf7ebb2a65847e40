// The bookmarklet: a link to drag to the bookmarks, which sends the page that the
// browser shows.

import { root } from "./api.js";
import { h } from "./element.js";
import { copyButton } from "./export.js";
import { bookmarklet } from "./snippets.js";

export function drawBookmarklet(config, say) {
  const address = bookmarklet(new URL("ui/send", root).href, config.token);
  const link = h("a", { class: "drag", href: address, draggable: "true", onclick: (event) => {
    event.preventDefault(); // here it would send this page
    say("Drag this link to your bookmarks, then choose it there on any page.");
  } }, "Send to lede");
  return [
    h("p", null, "Drag this to your bookmarks bar: ", link),
    h("p", null, "On any page, choose the bookmark: it sends the address and the HTML of that page, as your browser has it, behind a login or after its scripts, to ",
      h("b", null, root.host), " and to nobody else, and opens the article in a new tab."),
    h("p", { class: "row" }, copyButton("Copy its address", () => address, say), h("span", { class: "quiet" }, "for browsers without a bookmarks bar")),
    h("p", { class: "quiet" }, "It contains a token by which this service knows you, so do not pass it on. ",
      "The token may change when the service is started again: then drag the link again. ",
      "A few sites forbid pages to send forms; save such a page and open the file here."),
  ];
}
