// A page with one set of options, and what the service says about it. Views ask for
// what they show; each answer is requested once.

import * as api from "./api.js";

const compared = ["blend", "nce", "coreex", "twcem", "stadynot", "wrapper"];

export class Look {
  // page has url, html, partial, and how it came: address, file or html.
  constructor(page, options, config) {
    Object.assign(this, { page, options, config });
    this.answers = new Map();
    this.abort = new AbortController();
  }

  // cancel ends all requests. The look must not be used after it.
  cancel() { this.abort.abort(); }

  get cancelled() { return this.abort.signal.aborted; }

  // request is the page with the options, as the API takes it.
  get request() { return { html: this.page.html, ...(this.page.url && { url: this.page.url }), ...this.options }; }

  explain() { return this.#once("explain", () => api.extract(this.request, this.abort.signal)); }

  // compare compares the usual methods, and the chosen one if it is another. What is
  // kept in addition is no matter of the method.
  compare() {
    const { method, with: kept, ...request } = this.request;
    const methods = method && !compared.includes(method) ? { methods: [method, ...compared] } : {};
    return this.#once("compare", () => api.compare({ ...request, ...methods }, this.abort.signal));
  }

  write(format) { return this.#once("write " + format, () => api.write(this.request, format, this.abort.signal)); }

  // once asks if there is no answer yet. What failed is asked again.
  #once(name, ask) {
    if (!this.answers.has(name)) {
      const answer = ask();
      this.answers.set(name, answer);
      answer.catch(() => this.answers.delete(name));
    }
    return this.answers.get(name);
  }
}
