// Problems in plain words: what happened, why, and what to do next.

import { h } from "./element.js";

// next says what to do by kind of problem, where the service cannot know it.
const next = {
  offline: "Check that lede serve is running, then try again.",
  busy: "Wait a moment, then try again.",
  "no-content": "The page may need scripts or a login: open it in your browser and send it with the bookmarklet.",
  scripts: "Open the page in your browser and send it with the bookmarklet, which sends it after its scripts have run.",
  "too-large": "Save the part with the article, or ask whoever runs this service for a higher limit.",
};

// drawProblem returns a box for an error. again tries once more; it may be null.
export function drawProblem(error, again) {
  const problem = error.title ? error : { title: "Something went wrong in this page", detail: String(error?.message ?? error), kind: "" };
  const hint = next[problem.kind];
  const more = /^https?:/.test(problem.type ?? "");
  return h("div", { class: "problem" },
    h("p", { class: "problem-title" }, problem.title),
    problem.detail && h("p", { dir: "auto" }, sentence(problem.detail)),
    hint && h("p", null, hint),
    h("p", { class: "row" },
      again && h("button", { type: "button", onclick: again }, "Try again"),
      more && h("a", { href: problem.type, target: "_blank", rel: "noopener noreferrer" }, "About this problem")));
}

// sentence writes a message of Go as a sentence.
function sentence(text) {
  const first = [...text][0] ?? "";
  const rest = text.slice(first.length);
  const begins = /^[a-z]+([ ,;]|: )/.test(text) ? first.toUpperCase() : first;
  return begins + rest + (/[.!?…]$/.test(text) ? "" : ".");
}
