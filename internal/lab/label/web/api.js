// Requests to the server. URLs are relative to that of the application, which
// contains the token.

// Refused is an error response of the server. Other errors mean that there is no
// response.
export class Refused extends Error {
  constructor(status, body) {
    super(body?.error ?? `HTTP status ${status}`);
    this.status = status;
    this.label = body?.label;
  }
}

const address = (path, params) => path + "?" + new URLSearchParams(params ?? {});

async function request(path, params, options) {
  const response = await fetch(address(path, params), options);
  const body = await response.json().catch(() => null);
  if (!response.ok) throw new Refused(response.status, body);
  return body;
}

const send = (method, path, params, value) => request(path, params, {
  method,
  keepalive: true, // also if the tab is closed
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(value),
});

export const getPages = () => request("api/pages");
export const getPage = (page) => request("api/page", { page });
export const getLabel = (page, doc) => request("api/label", { page, doc });
export const getSuggestion = (page, doc) => request("api/suggestion", { page, doc });
export const putLabel = (page, doc, change) => send("PUT", "api/label", { page, doc }, change);
export const postUndo = (page, doc, version) => send("POST", "api/undo", { page, doc }, { version });
export const frameAddress = (page, doc) => address("frame", { page, doc });
