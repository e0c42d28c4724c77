// Numbers for people: few digits, no jumps in width, a true minus sign.

const MINUS = "\u2212";
const SUPERSCRIPT = "⁰¹²³⁴⁵⁶⁷⁸⁹";

const proper = (text: string): string => text.replace(/-/g, MINUS);

function power(exponent: number): string {
  const digits = String(Math.abs(exponent)).replace(/\d/g, (d) => SUPERSCRIPT[Number(d)]);
  return `10${exponent < 0 ? "⁻" : ""}${digits}`;
}

/** Some significant digits, with a power of ten where plain digits would be too many. */
export function significant(x: number, digits = 5): string {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? "–" : x > 0 ? "∞" : `${MINUS}∞`;
  if (x === 0) return "0";
  const size = Math.floor(Math.log10(Math.abs(x)));
  if (size >= 7 || size < -4) {
    const [m, e] = x.toExponential(digits - 1).split("e");
    return proper(`${m}·${power(Number(e))}`);
  }
  return proper(x.toFixed(Math.max(0, Math.min(12, digits - 1 - size))));
}

/** For readouts that change all the time: the same number of digits always. `peak` is the largest they will show. */
export function reading(x: number, peak = 1): string {
  if (!Number.isFinite(x)) return "–";
  const a = Math.abs(x);
  // small mechanisms have their digits farther back
  const decimals = peak > 0 ? Math.max(4, Math.min(7, 3 - Math.floor(Math.log10(peak)))) : 4;
  if (a !== 0 && (a >= 1e6 || a < 10 ** -decimals)) return proper(x.toExponential(2)).replace("+", "");
  if (a >= 1e4) return proper(x.toFixed(1));
  if (a >= 100) return proper(x.toFixed(2));
  return proper(x.toFixed(decimals));
}

/** Whole numbers with thin spaces, others with significant digits without needless zeros. */
export function cellText(x: number): string {
  if (Number.isInteger(x) && Math.abs(x) < 1e12) return proper(String(x).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f"));
  const text = significant(x, 6);
  return text.includes("·") ? text.replace(/\.?0+·/, "·") : text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** Labels of an axis: as many decimals as the spacing of the ticks needs. */
export function ticks(values: readonly number[], step: number): string[] {
  const largest = values.reduce((m, v) => Math.max(m, Math.abs(v)), 0);
  if (largest >= 1e5 || (largest > 0 && largest < 1e-3)) {
    const size = Math.floor(Math.log10(largest));
    const decimals = Math.max(0, Math.min(4, size - Math.floor(Math.log10(step) + 1e-9)));
    return values.map((v) => (v === 0 ? "0" : proper(`${(v / 10 ** size).toFixed(decimals)}·${power(size)}`)));
  }
  let decimals = 0;
  while (decimals < 9 && Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) > 1e-4 * step * 10 ** decimals) decimals++;
  return values.map((v) => proper((Math.abs(v) < step * 1e-9 ? 0 : v).toFixed(decimals)));
}

/** Numbers that need more digits than an axis has room for are counted from the first mark. */
export function tickBase(values: readonly number[], step: number): number {
  const largest = values.reduce((m, v) => Math.max(m, Math.abs(v)), 0);
  return largest > 2e4 * step ? values[0] : 0;
}

/** A number with the digits that a step needs. */
export function digitsFor(x: number, step: number): string {
  const size = Math.max(0, Math.floor(Math.log10(Math.abs(x) || 1)));
  const digits = size - Math.floor(Math.log10(step) + 1e-9) + 1;
  const text = significant(x, Math.max(1, Math.min(16, digits)));
  return text.includes("·") || !text.includes(".") ? text : text.replace(/\.?0+$/, "");
}

/** Labels of a logarithmic axis: powers of ten only. */
export function logTicks(values: readonly (number | null)[]): string[] {
  return values.map((v) => {
    if (v === null || !(v > 0)) return "";
    const e = Math.log10(v);
    if (Math.abs(e - Math.round(e)) > 1e-6) return "";
    const n = Math.round(e);
    return n >= 0 && n <= 3 ? String(10 ** n) : power(n);
  });
}

/** Seconds with a fitting unit. */
export function duration(s: number): string {
  const a = Math.abs(s);
  if (a === 0) return "0 s";
  if (a < 1e-3) return `${significant(s * 1e6, 3)} µs`;
  if (a < 1) return `${significant(s * 1e3, 3)} ms`;
  if (a < 120) return `${significant(s, 3)} s`;
  return `${Math.floor(s / 60)} min ${Math.round(s % 60)} s`;
}

/** Decimals that tell two frames apart. */
export function timeDecimals(span: number, frames: number): number {
  const step = span / Math.max(1, frames - 1);
  return step > 0 ? Math.max(2, Math.min(7, Math.ceil(-Math.log10(step)) + 1)) : 3;
}

/** A unit as it is printed: `kg*m^2` as kg·m². */
export function unitText(unit: string): string {
  return unit
    .replace(/\*/g, "·")
    .replace(/\^(-?)(\d+)/g, (_, sign: string, digits: string) => (sign ? "⁻" : "") + digits.replace(/\d/g, (d) => SUPERSCRIPT[Number(d)]));
}

/** A round number below a length: 1, 2 or 5 times a power of ten. */
export function roundBelow(length: number): number {
  const p = 10 ** Math.floor(Math.log10(length));
  const m = length / p;
  return (m >= 5 ? 5 : m >= 2 ? 2 : 1) * p;
}

/** A number of things: "1 body", "3 bodies", with the plural of nouns that add an s by itself. */
export function many(n: number, noun: string, nouns = `${noun}s`): string {
  return `${cellText(n)} ${n === 1 ? noun : nouns}`;
}
