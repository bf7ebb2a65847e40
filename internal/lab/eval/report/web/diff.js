// Alignment of the words of two texts by patience diff. Words that occur once in
// both are anchors, of which the longest subsequence in the same order is kept.
// The gaps between anchors are aligned recursively; those without anchors, if
// they are small enough, by their longest common subsequence.

const cjk = "\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\uac00-\\ud7af";
const wordPattern = new RegExp(`[${cjk}]|(?:(?![${cjk}])[\\p{L}\\p{N}\\p{M}_])+`, "gu");

// words returns the positions of words in a text, with their normalized forms.
function words(text) {
  const out = [];
  for (const m of text.matchAll(wordPattern)) {
    out.push({ from: m.index, to: m.index + m[0].length, key: m[0].normalize("NFKC").toLowerCase() });
  }
  return out;
}

// cellBudget limits the time for one page to a fraction of a second.
const cellBudget = 3e7;

// align returns for each word of a the index of its partner in b, or -1.
function align(a, b) {
  const numbers = new Map();
  const number = (w) => {
    if (!numbers.has(w.key)) numbers.set(w.key, numbers.size);
    return numbers.get(w.key);
  };
  const x = Int32Array.from(a, number), y = Int32Array.from(b, number);
  const partner = new Int32Array(a.length).fill(-1);
  const budget = { cells: cellBudget };
  const todo = [[0, x.length, 0, y.length]];
  while (todo.length > 0) {
    let [a0, a1, b0, b1] = todo.pop();
    while (a0 < a1 && b0 < b1 && x[a0] === y[b0]) partner[a0++] = b0++;
    while (a0 < a1 && b0 < b1 && x[a1 - 1] === y[b1 - 1]) partner[--a1] = --b1;
    if (a0 === a1 || b0 === b1) continue;
    const held = anchors(x, a0, a1, y, b0, b1);
    if (held.length === 0) {
      subsequence(x, a0, a1, y, b0, b1, partner, budget);
      continue;
    }
    for (const [i, j] of held) {
      partner[i] = j;
      todo.push([a0, i, b0, j]);
      [a0, b0] = [i + 1, j + 1];
    }
    todo.push([a0, a1, b0, b1]);
  }
  return partner;
}

// anchors returns pairs of words that occur once on each side, in the same order.
function anchors(x, a0, a1, y, b0, b1) {
  const once = new Map(); // number -> index, or -1 if it occurs twice
  for (let i = a0; i < a1; i++) once.set(x[i], once.has(x[i]) ? -1 : i);
  const other = new Map();
  for (let j = b0; j < b1; j++) if (once.has(y[j])) other.set(y[j], other.has(y[j]) ? -1 : j);
  const pairs = [];
  for (const [n, i] of once) {
    const j = other.get(n) ?? -1;
    if (i >= 0 && j >= 0) pairs.push([i, j]);
  }
  pairs.sort((p, q) => p[0] - q[0]);
  return rising(pairs);
}

// rising returns the longest subsequence of pairs with rising second numbers.
function rising(pairs) {
  const ends = [], before = new Array(pairs.length);
  pairs.forEach(([, j], k) => {
    let low = 0, high = ends.length;
    while (low < high) {
      const mid = (low + high) >> 1;
      if (pairs[ends[mid]][1] < j) low = mid + 1;
      else high = mid;
    }
    before[k] = low > 0 ? ends[low - 1] : -1;
    ends[low] = k;
  });
  const out = [];
  for (let k = ends.length > 0 ? ends[ends.length - 1] : -1; k >= 0; k = before[k]) out.push(pairs[k]);
  return out.reverse();
}

function subsequence(x, a0, a1, y, b0, b1, partner, budget) {
  const n = a1 - a0, m = b1 - b0, width = m + 1;
  if ((n + 1) * width > budget.cells) return; // stays unmatched
  budget.cells -= (n + 1) * width;
  const length = new Int32Array((n + 1) * width);
  for (let i = n - 1; i >= 0; i--) {
    for (let j = m - 1; j >= 0; j--) {
      length[i * width + j] = x[a0 + i] === y[b0 + j]
        ? length[(i + 1) * width + j + 1] + 1
        : Math.max(length[(i + 1) * width + j], length[i * width + j + 1]);
    }
  }
  for (let i = 0, j = 0; i < n && j < m;) {
    if (x[a0 + i] === y[b0 + j]) partner[a0 + i++] = b0 + j++;
    else if (length[(i + 1) * width + j] >= length[i * width + j + 1]) i++;
    else j++;
  }
}

// Two texts side by side: paragraphs that share words are in one row.

// paragraphs splits a text, with the indexes of the words of each part.
function paragraphs(text) {
  const all = words(text), parts = [];
  let at = 0, from = 0;
  for (const line of text.split("\n")) {
    const to = from + line.length;
    if (line.trim() !== "") {
      const first = at;
      while (at < all.length && all[at].to <= to) at++;
      parts.push({ from, to, first, last: at });
    }
    from = to + 1;
  }
  return { text, words: all, parts };
}

// pair aligns a gold with an output.
function pair(goldText, outputText) {
  const gold = paragraphs(goldText), output = paragraphs(outputText);
  const partner = align(gold.words, output.words);
  const links = link(gold, output, partner);
  gold.found = Array.from(partner, (j) => j >= 0);
  output.found = new Array(output.words.length).fill(false);
  for (const j of partner) if (j >= 0) output.found[j] = true;
  return { gold, output, rows: rowsOf(gold, output, links) };
}

// Paragraphs that share less than this part of their words do so by chance.
const chance = 0.25;

// link returns the pairs of paragraphs that share words, and unlinks the words of
// those that do so by chance.
function link(gold, output, partner) {
  const inPart = new Int32Array(output.words.length);
  output.parts.forEach((part, k) => inPart.fill(k, part.first, part.last));
  const links = [];
  gold.parts.forEach((part, g) => {
    const shared = new Map();
    for (let i = part.first; i < part.last; i++) {
      if (partner[i] >= 0) shared.set(inPart[partner[i]], (shared.get(inPart[partner[i]]) ?? 0) + 1);
    }
    for (const [o, n] of shared) {
      const other = output.parts[o];
      if (n >= chance * Math.min(part.last - part.first, other.last - other.first)) links.push([g, o]);
      else for (let i = part.first; i < part.last; i++) if (partner[i] >= 0 && inPart[partner[i]] === o) partner[i] = -1;
    }
  });
  return links;
}

// rowsOf puts linked paragraphs into rows. Links never cross.
function rowsOf(gold, output, links) {
  const rows = [];
  let g = 0, o = 0, k = 0;
  const alone = (toG, toO) => {
    while (g < toG) rows.push({ gold: [gold.parts[g++]], output: [] });
    while (o < toO) rows.push({ gold: [], output: [output.parts[o++]] });
  };
  while (k < links.length) {
    let [endG, endO] = links[k];
    alone(endG, endO);
    for (; k < links.length && (links[k][0] <= endG || links[k][1] <= endO); k++) {
      endG = Math.max(endG, links[k][0]);
      endO = Math.max(endO, links[k][1]);
    }
    rows.push({ gold: gold.parts.slice(g, endG + 1), output: output.parts.slice(o, endO + 1) });
    [g, o] = [endG + 1, endO + 1];
  }
  alone(gold.parts.length, output.parts.length);
  return rows;
}

const wordsIn = (parts) => parts.reduce((n, p) => n + p.last - p.first, 0);

const agrees = (side, parts) => parts.every((p) => side.found.slice(p.first, p.last).every(Boolean));

// paragraph draws a paragraph and marks the words that the other side lacks.
function paragraph(side, part, tag, name) {
  const p = h("p", { dir: "auto" });
  let at = part.from;
  for (let i = part.first; i < part.last;) {
    if (side.found[i]) { i++; continue; }
    const first = i;
    while (i < part.last && !side.found[i]) i++;
    p.append(side.text.slice(at, side.words[first].from),
      h(tag, { class: name }, unseen(` [${name}: `), side.text.slice(side.words[first].from, side.words[i - 1].to), unseen("] ")));
    at = side.words[i - 1].to;
  }
  p.append(side.text.slice(at, part.to));
  return p;
}

// drawDiff returns the two columns and a summary.
function drawDiff({ gold, output, rows }, lang) {
  const side = (data, parts, tag, name, title) => h("div", { class: "side " + title.toLowerCase(), lang: lang || null },
    unseen(parts.length > 0 ? title + ": " : title + ": empty"), parts.map((p) => paragraph(data, p, tag, name)));
  const grid = h("div", { class: "diff" },
    h("div", { class: "head" }, h("h4", null, "Gold"), h("h4", null, "Output")),
    rows.map((row) => h("div", { class: "pair" + (agrees(gold, row.gold) && agrees(output, row.output) ? " same" : "") },
      side(gold, row.gold, "del", "missing", "Gold"), side(output, row.output, "ins", "extra", "Output"))));
  const lost = gold.found.filter((f) => !f).length, extra = output.found.filter((f) => !f).length;
  return { grid, sum: `${count(gold.words.length, "word")} in the gold, ${lost} of them missing; ` +
    `${count(output.words.length, "word")} in the output, ${extra} of them extra.` };
}
