// What the server is asked for. Addresses are relative to the tool's own, which
// has the key in it.

// Refused is an answer that says no; anything else that goes wrong is no answer.
export class Refused extends Error {
  constructor(status, body) {
    super(body?.error ?? `the server answered ${status}`);
    this.status = status;
    this.label = body?.label;
  }
}

const address = (path, params) => path + "?" + new URLSearchParams(params ?? {});

async function ask(path, params, options) {
  const response = await fetch(address(path, params), options);
  const body = await response.json().catch(() => null);
  if (!response.ok) throw new Refused(response.status, body);
  return body;
}

const send = (method, path, params, value) => ask(path, params, {
  method,
  keepalive: true, // also when the tab is closed right now
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(value),
});

export const getPages = () => ask("api/pages");
export const getPage = (page) => ask("api/page", { page });
export const getLabel = (page, doc) => ask("api/label", { page, doc });
export const getSuggestion = (page, doc) => ask("api/suggestion", { page, doc });
export const putLabel = (page, doc, change) => send("PUT", "api/label", { page, doc }, change);
export const postUndo = (page, doc, version) => send("POST", "api/undo", { page, doc }, { version });
export const frameAddress = (page, doc) => address("frame", { page, doc });
