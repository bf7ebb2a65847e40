// Requests to the server. URLs are relative to that of the application, which
// contains the token.

const address = (path, page) => path + (page === undefined ? "" : "?" + new URLSearchParams({ page }));

async function request(path, page, options) {
  const response = await fetch(address(path, page), options);
  const body = await response.json().catch(() => null);
  if (!response.ok) throw new Error(body?.error ?? `HTTP status ${response.status}`);
  return body;
}

export const getPages = () => request("api/pages");
export const getPage = (page) => request("api/page", page);
export const putLabel = (page, change) => request("api/label", page, { method: "PUT", keepalive: true, body: JSON.stringify(change) });
export const frameAddress = (page) => address("frame", page);
