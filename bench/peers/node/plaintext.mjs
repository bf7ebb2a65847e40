// Plain text of an HTML fragment, since both libraries return HTML.

import { parseHTML } from 'linkedom';

const inline = new Set(
  'A ABBR ACRONYM B BDI BDO BIG CITE CODE DATA DEL DFN EM FONT I INS KBD LABEL MARK Q S SAMP SMALL SPAN STRIKE STRONG SUB SUP TIME TT U VAR WBR'.split(' '),
);
const skip = new Set(['SCRIPT', 'STYLE', 'TEMPLATE', 'NOSCRIPT']);

// blocks returns one paragraph a line, with white space collapsed.
export function blocks(html) {
  if (!html) return '';
  const parts = [];
  const walk = (node) => {
    for (const child of node.childNodes) {
      if (child.nodeType === 3) {
        parts.push(child.data.replaceAll('\n', ' '));
      } else if (child.nodeType === 1 && !skip.has(child.nodeName.toUpperCase())) {
        const edge = inline.has(child.nodeName.toUpperCase()) ? '' : '\n';
        parts.push(edge);
        walk(child);
        parts.push(edge);
      }
    }
  };
  walk(parseHTML(`<!doctype html><html><body>${html}</body></html>`).document.body);
  return parts.join('').split('\n').map((line) => line.replace(/\s+/g, ' ').trim()).filter(Boolean).join('\n');
}
