// Which words of two texts belong together, in order: patience diff. Words that
// are once in both are anchors, the longest run of them in the same order
// holds; between anchors it goes on the same way, and what is left and
// small enough gets a longest common subsequence.

const cjk = "\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\uac00-\\ud7af";
const wordPattern = new RegExp(`[${cjk}]|(?:(?![${cjk}])[\\p{L}\\p{N}\\p{M}_])+`, "gu");

// words are where words stand in a text, with their form for comparing.
function words(text) {
  const out = [];
  for (const m of text.matchAll(wordPattern)) {
    out.push({ from: m.index, to: m.index + m[0].length, key: m[0].normalize("NFKC").toLowerCase() });
  }
  return out;
}

// cellBudget bounds what one page may cost: a fraction of a second.
const cellBudget = 3e7;

// align gives for each word of a the number of its partner in b, or -1.
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

// anchors are pairs of words that are once on each side, in the same order.
function anchors(x, a0, a1, y, b0, b1) {
  const once = new Map(); // number -> place, or -1 when it is there twice
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

// rising is the longest part of pairs in which the second number rises.
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
