// Numbers and scales.

const missing = "–";

function figure(value, digits = 3) {
  if (value === null || value === undefined) return missing;
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : digits);
}

const count = (n, one, many) => n.toLocaleString("en") + " " + (n === 1 ? one : many ?? one + "s");

// scaleEnd is where an axis from 0 ends: 1 for shares, else a round number.
function scaleEnd(values) {
  const top = Math.max(0, ...values.filter((v) => v !== null && v !== undefined));
  if (top <= 1 && top > 0.1) return 1;
  if (top === 0) return 1;
  const step = 10 ** Math.floor(Math.log10(top));
  return [1, 2, 2.5, 5, 10].map((k) => k * step).find((v) => v >= top);
}

// better orders the better of two values first; what is not there comes last.
function better(a, b, lower) {
  if (a === null || b === null) return (a === null) - (b === null);
  return lower ? a - b : b - a;
}

function ticks(from, to) {
  const span = to - from;
  const step = [0.01, 0.02, 0.05, 0.1, 0.2, 0.25].map((k) => k * 10 ** Math.ceil(Math.log10(span)))
    .find((k) => span / k <= 5.001);
  const out = [];
  for (let v = Math.ceil(from / step - 1e-9) * step; v <= to + step * 1e-6; v += step) out.push(v);
  return out;
}

// tickLabel has as few digits as tell ticks apart.
const tickLabel = (v) => String(+v.toFixed(4));
