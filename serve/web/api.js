// Requests to the service. Its address is that of this module, without web/.

import { recall } from "./settings.js";

export const root = new URL("../", import.meta.url);

// Problem is an error as the service describes it (RFC 9457).
export class Problem extends Error {
  constructor({ title, detail, status, kind, type }) {
    super(detail || title);
    Object.assign(this, { title: title || "The request failed", detail: detail ?? "", status: status ?? 0, kind: kind ?? "", type: type ?? "" });
  }
}

let askForKey = async () => false;

// onKeyNeeded sets the function that asks for a key. It resolves to whether there is
// another one to try.
export const onKeyNeeded = (ask) => { askForKey = ask; };

async function request(path, options = {}, tries = 0) {
  const key = recall("key", "");
  const headers = { ...options.headers, ...(key && { Authorization: "Bearer " + key }) };
  let response;
  try {
    response = await fetch(new URL(path, root), { ...options, headers });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new Problem({ title: "The service does not answer", detail: "The connection failed before there was an answer.", kind: "offline" });
  }
  if (response.ok) return response;
  const problem = await problemOf(response);
  if (response.status === 401 && await askForKey(key !== "", tries)) return request(path, options, tries + 1);
  throw problem;
}

async function problemOf(response) {
  const text = await response.text().catch(() => "");
  return parseProblem(text, response.status);
}

// parseProblem returns the problem that a body describes, or one of the status.
export function parseProblem(text, status) {
  try {
    const body = JSON.parse(text);
    if (body && typeof body === "object" && body.title) return new Problem({ ...body, status: body.status ?? status });
  } catch {
    // not a problem document
  }
  return new Problem({ title: "The request failed", detail: text.trim().slice(0, 300) || `The service answered with status ${status}.`, status });
}

const post = (path, value, signal) => request(path, {
  method: "POST", signal, headers: { "Content-Type": "application/json" }, body: JSON.stringify(value),
});

export const getConfig = async () => (await request("ui/config")).json();

// getPage returns a page as text: of an address or of HTML.
export const getPage = async (value, signal) => (await post("ui/page", value, signal)).json();

// getFilePage returns a file as text. The service decompresses it and finds its
// charset.
export async function getFilePage(bytes, url, signal) {
  const zipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const response = await request("ui/page" + (url ? "?" + new URLSearchParams({ url }) : ""), {
    method: "POST", signal, body: bytes, headers: { "Content-Type": "text/html", ...(zipped && { "Content-Encoding": "gzip" }) },
  });
  return response.json();
}

export const extract = async (value, signal) => (await post("v1/extract", { ...value, explain: true, format: "json" }, signal)).json();
export const compare = async (value, signal) => (await post("v1/compare", value, signal)).json();
export const write = async (value, format, signal) => (await post("v1/extract", { ...value, format }, signal)).text();
