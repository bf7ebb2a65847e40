// Two texts side by side: paragraphs that share words stand in one row.

// paragraphs cuts a text, with the numbers of the words in each part.
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

// A pair of paragraphs that share fewer of their words than this has them by chance.
const chance = 0.25;

// link finds which paragraphs share words, and takes those apart that do by chance.
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

// rowsOf puts paragraphs that hang together into rows; links never cross.
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

// paragraph draws one, with the words marked that the other side does not have.
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

// drawDiff gives the two columns and a line that sums them up.
function drawDiff({ gold, output, rows }, lang) {
  const side = (data, parts, tag, name, title) => h("div", { class: "side " + title.toLowerCase(), lang: lang || null },
    unseen(parts.length > 0 ? title + ": " : title + ": nothing here"), parts.map((p) => paragraph(data, p, tag, name)));
  const grid = h("div", { class: "diff" },
    h("div", { class: "head" }, h("h4", null, "Gold"), h("h4", null, "Output")),
    rows.map((row) => h("div", { class: "pair" + (agrees(gold, row.gold) && agrees(output, row.output) ? " same" : "") },
      side(gold, row.gold, "del", "missing", "Gold"), side(output, row.output, "ins", "extra", "Output"))));
  const lost = gold.found.filter((f) => !f).length, extra = output.found.filter((f) => !f).length;
  return { grid, sum: `${count(gold.words.length, "word")} in the gold, ${lost} of them missing; ` +
    `${count(output.words.length, "word")} in the output, ${extra} of them extra.` };
}
