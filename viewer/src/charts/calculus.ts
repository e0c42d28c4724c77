// What is made of curves: derivative, integral, sums; their numbers over a stretch of time.

type Numbers = ArrayLike<number | null>;

const finite = (v: number | null | undefined): v is number => v !== null && v !== undefined && Number.isFinite(v);

/** Slope of the parabola through three neighbours; at the ends that of the line to the next. Gaps stay gaps. */
export function derivative(t: ArrayLike<number>, y: Numbers): Float64Array {
  const n = t.length;
  const out = new Float64Array(n).fill(NaN);
  const slope = (i: number, j: number) => ((y[j] as number) - (y[i] as number)) / (t[j] - t[i]);
  for (let i = 0; i < n; i++) {
    if (!finite(y[i])) continue;
    const before = i > 0 && finite(y[i - 1]);
    const after = i + 1 < n && finite(y[i + 1]);
    if (before && after) {
      const [a, b] = [t[i] - t[i - 1], t[i + 1] - t[i]];
      out[i] = (b * slope(i - 1, i) + a * slope(i, i + 1)) / (a + b);
    } else if (before) out[i] = slope(i - 1, i);
    else if (after) out[i] = slope(i, i + 1);
  }
  return out;
}

/** Sum of trapezia from the start; gaps add nothing. */
export function integral(t: ArrayLike<number>, y: Numbers): Float64Array {
  const out = new Float64Array(t.length);
  for (let i = 1; i < t.length; i++) {
    const [a, b] = [y[i - 1], y[i]];
    out[i] = out[i - 1] + (finite(a) && finite(b) ? 0.5 * (a + b) * (t[i] - t[i - 1]) : 0);
  }
  return out;
}

export function combined(a: Numbers, b: Numbers, sign: 1 | -1): Float64Array {
  return Float64Array.from({ length: Math.min(a.length, b.length) }, (_, i) =>
    finite(a[i]) && finite(b[i]) ? (a[i] as number) + sign * (b[i] as number) : NaN,
  );
}

/** A curve at other times, linear in between; a gap before its start and behind its end. */
export function resampled(t: ArrayLike<number>, y: Numbers, at: ArrayLike<number>): Float64Array {
  const out = new Float64Array(at.length).fill(NaN);
  let i = 0;
  for (let k = 0; k < at.length; k++) {
    const x = at[k];
    while (i + 1 < t.length && t[i + 1] < x) i++;
    const last = Math.min(i + 1, t.length - 1);
    const [a, b] = [y[i], y[last]];
    if (x < t[0] || x > t[t.length - 1]) continue;
    if (x === t[i] && finite(a)) out[k] = a;
    else if (x === t[last] && finite(b)) out[k] = b;
    else if (finite(a) && finite(b)) out[k] = a + ((x - t[i]) / (t[last] - t[i] || 1)) * (b - a);
  }
  return out;
}

/** All times of some lists, each once, rising. */
export function union(lists: ArrayLike<number>[]): Float64Array {
  return Float64Array.from([...new Set(lists.flatMap((l) => Array.from(l)))].sort((a, b) => a - b));
}

export interface Statistics {
  min: number;
  max: number;
  mean: number;
  rms: number;
}

/** Over the time from one to another, where the curve is linear between its numbers; the ends are cut in between. */
export function statistics(t: ArrayLike<number>, y: Numbers, from: number, to: number): Statistics | null {
  let [min, max, sum, squares, span] = [Infinity, -Infinity, 0, 0, 0];
  const note = (v: number) => {
    min = Math.min(min, v);
    max = Math.max(max, v);
  };
  for (let i = 0; i < t.length; i++) {
    const v = y[i];
    if (finite(v) && t[i] >= from && t[i] <= to) note(v);
    if (i === 0 || t[i] <= from || t[i - 1] >= to) continue;
    const before = y[i - 1];
    if (!finite(v) || !finite(before)) continue;
    const at = (x: number) => before + ((x - t[i - 1]) / (t[i] - t[i - 1])) * (v - before);
    const [left, right] = [Math.max(from, t[i - 1]), Math.min(to, t[i])];
    const [a, b] = [at(left), at(right)];
    note(a);
    note(b);
    sum += 0.5 * (a + b) * (right - left);
    // the square of a line, exactly
    squares += ((a * a + a * b + b * b) / 3) * (right - left);
    span += right - left;
  }
  if (min > max) return null;
  return span > 0 ? { min, max, mean: sum / span, rms: Math.sqrt(squares / span) } : { min, max, mean: min, rms: Math.abs(min) };
}

/** Whether two curves lie on each other: nowhere farther apart than a pixel of a large chart. */
export function alike(a: Numbers, b: Numbers): boolean {
  if (a.length !== b.length) return false;
  let [low, high, most] = [Infinity, -Infinity, 0];
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i], b[i]];
    if (finite(x) !== finite(y)) return false;
    if (!finite(x) || !finite(y)) continue;
    low = Math.min(low, x, y);
    high = Math.max(high, x, y);
    most = Math.max(most, Math.abs(x - y));
  }
  return most <= 1e-3 * (high - low);
}
