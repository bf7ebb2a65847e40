// What a page comes from: an address, a file (chosen or dropped), or HTML (typed or
// pasted anywhere). Each calls open with what is to be requested.

import { byId } from "./element.js";
import { Problem } from "./api.js";

// addressOf returns an address with its scheme, as people leave it out.
export function addressOf(text) {
  const trimmed = text.trim();
  return /^[a-z][a-z0-9+.-]*:/i.test(trimmed) && !/^[^/]*:\d/.test(trimmed) ? trimmed : "https://" + trimmed.replace(/^\/+/, "");
}

// looksLikeHTML reports whether a text that was pasted is the source of a page.
export const looksLikeHTML = (text) => /^\s*<(!doctype|!--|html|head|body|\?xml|article|main|div|section|p|h1|meta|title)\b/i.test(text);

const isAddress = (text) => /^https?:\/\/\S+$/i.test(text.trim()) && text.trim().length < 4000;

export class Input {
  // The actions are open(source), where source has a kind (address, file or html), and
  // change() for new options, and fail(problem).
  constructor(actions) {
    this.actions = actions;
    this.fetches = false;
    this.maxBytes = Infinity;
    byId("open").addEventListener("submit", (event) => { event.preventDefault(); this.#submit(); });
    byId("file-open").addEventListener("click", () => byId("file").click());
    byId("file").addEventListener("change", (event) => { this.#file(event.target.files[0]); event.target.value = ""; });
    byId("paste-open").addEventListener("click", () => this.#toggle("paste", "source"));
    byId("options-open").addEventListener("click", () => this.#toggle("options", "method"));
    byId("source-go").addEventListener("click", () => this.#pasted());
    byId("source").addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.#pasted();
    });
    for (const id of ["method", "favor", "with"]) byId(id).addEventListener("change", () => { this.#summary(); actions.change(); });
    addEventListener("paste", (event) => this.#paste(event));
    this.#drops();
  }

  // configure shows what the service allows.
  configure(config) {
    this.fetches = Boolean(config.fetch);
    this.maxBytes = config.max_bytes || Infinity;
    byId("by-address").hidden = !this.fetches;
    byId("method").replaceChildren(new Option("default of the service", ""), ...config.methods.map((name) => new Option(name, name)));
  }

  // options returns the options of the API that differ from the defaults.
  options() {
    const kept = [...byId("with").querySelectorAll("input:checked")].map((box) => box.value);
    return {
      ...(byId("method").value && { method: byId("method").value }),
      ...(byId("favor").value && { favor: byId("favor").value }),
      ...(kept.length && { with: kept }),
    };
  }

  // suggest fills in an address without opening it: only people open addresses.
  suggest(address) {
    byId("address").value = address;
    if (this.fetches) byId("go").focus();
  }

  #summary() {
    const { method, favor, with: kept = [] } = this.options();
    const set = [method, favor, ...kept].filter(Boolean);
    byId("options-set").textContent = set.length ? ": " + set.join(", ") : "";
  }

  #toggle(id, first, open = byId(id).hidden) {
    byId(id).hidden = !open;
    byId(id + "-open").setAttribute("aria-expanded", String(open));
    if (open) byId(first).focus();
  }

  #submit() {
    if (!this.fetches) return;
    const text = byId("address").value;
    if (!text.trim()) {
      byId("address").focus();
      this.actions.fail(new Problem({ title: "No address", detail: "Type or paste the address of a news page, or choose a file.", kind: "input" }));
      return;
    }
    const url = addressOf(text);
    byId("address").value = url;
    this.actions.open({ kind: "address", url });
  }

  #base() { return byId("base").value.trim() && addressOf(byId("base").value); }

  #pasted() {
    const html = byId("source").value;
    if (!html.trim()) {
      byId("source").focus();
      this.actions.fail(new Problem({ title: "Nothing to extract", detail: "Paste the HTML of a page into the box first.", kind: "input" }));
      return;
    }
    this.actions.open({ kind: "html", html, url: this.#base() });
  }

  async #file(file) {
    if (!file) return;
    if (file.size > this.maxBytes) {
      this.actions.fail(new Problem({
        title: "The file is too large", kind: "too-large",
        detail: `${file.name} has ${(file.size / 2 ** 20).toFixed(1)} MiB, and this service takes ${(this.maxBytes / 2 ** 20).toFixed(0)} MiB.`,
      }));
      return;
    }
    try {
      this.actions.open({ kind: "file", name: file.name, bytes: new Uint8Array(await file.arrayBuffer()), url: this.#base() });
    } catch {
      this.actions.fail(new Problem({ title: "The file cannot be read", detail: `Check that ${file.name} is a file and that you may read it.`, kind: "input" }));
    }
  }

  // #paste takes pasted text outside of fields: a file, an address, or HTML.
  #paste(event) {
    if (event.target.closest?.("input, textarea, dialog")) return;
    const data = event.clipboardData;
    if (data?.files.length) {
      event.preventDefault();
      this.#file(data.files[0]);
      return;
    }
    const text = data?.getData("text/plain") ?? "";
    const html = looksLikeHTML(text) ? text : data?.getData("text/html");
    if (isAddress(text) && this.fetches) {
      event.preventDefault();
      this.suggest(text.trim());
    } else if (html) {
      event.preventDefault();
      byId("source").value = html;
      this.#toggle("paste", "source-go", true);
    }
  }

  #drops() {
    const show = (on) => { byId("drop").hidden = !on; };
    const hasFiles = (event) => [...event.dataTransfer?.types ?? []].includes("Files");
    let depth = 0; // of elements that the pointer has entered
    addEventListener("dragenter", (event) => { if (hasFiles(event)) show(++depth > 0); });
    addEventListener("dragleave", (event) => { if (hasFiles(event)) show(--depth > 0); });
    addEventListener("dragover", (event) => { if (hasFiles(event)) event.preventDefault(); });
    addEventListener("drop", (event) => {
      depth = 0;
      show(false);
      if (!hasFiles(event)) return;
      event.preventDefault();
      this.#file(event.dataTransfer.files[0]);
    });
  }
}
