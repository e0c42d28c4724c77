// Spectra: how large the oscillations of a curve are at each frequency.

/** Fast Fourier transform in place; lengths are powers of two. */
export function transform(re: Float64Array, im: Float64Array): void {
  const n = re.length;
  for (let i = 1, j = 0; i < n; i++) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      [re[i], re[j]] = [re[j], re[i]];
      [im[i], im[j]] = [im[j], im[i]];
    }
  }
  for (let size = 2; size <= n; size *= 2) {
    const half = size / 2;
    for (let k = 0; k < half; k++) {
      const [c, s] = [Math.cos((-2 * Math.PI * k) / size), Math.sin((-2 * Math.PI * k) / size)];
      for (let at = k; at < n; at += size) {
        const o = at + half;
        const x = re[o] * c - im[o] * s;
        const y = re[o] * s + im[o] * c;
        re[o] = re[at] - x;
        im[o] = im[at] - y;
        re[at] += x;
        im[at] += y;
      }
    }
  }
}

export interface Spectrum {
  /** Hz, above zero */
  frequencies: Float64Array;
  /** Amplitude of the oscillation at each, in the unit of the curve. */
  amplitudes: Float64Array;
}

/** Most numbers that are transformed. */
const MOST = 1 << 16;

/**
 * Of a curve over a stretch of time: its mean is taken out, Hann's window goes over it, and an oscillation of
 * amplitude a shows as a peak of height a. Null if there is too little.
 */
export function spectrum(t: ArrayLike<number>, y: ArrayLike<number | null>, from: number, to: number): Spectrum | null {
  const inside: number[] = [];
  for (let i = 0; i < t.length; i++) {
    const v = y[i];
    if (t[i] >= from && t[i] <= to && v !== null && Number.isFinite(v)) inside.push(i);
  }
  if (inside.length < 8) return null;
  const [start, end] = [t[inside[0]], t[inside[inside.length - 1]]];
  // as many even places as there are numbers: no frequency is invented
  const count = Math.min(MOST, inside.length);
  const step = (end - start) / (count - 1);
  let size = 8;
  // zeros behind them, so that peaks between two frequencies are not cut off
  while (size < 4 * count) size *= 2;
  const re = new Float64Array(size);
  let k = 0;
  for (let i = 0; i < count; i++) {
    const x = start + i * step;
    while (k + 2 < inside.length && t[inside[k + 1]] < x) k++;
    const [a, b] = [inside[k], inside[k + 1]];
    const part = Math.max(0, Math.min(1, (x - t[a]) / (t[b] - t[a])));
    re[i] = (y[a] as number) + part * ((y[b] as number) - (y[a] as number));
  }
  let [mean, weights] = [0, 0];
  const window = (i: number) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / (count - 1));
  for (let i = 0; i < count; i++) {
    mean += window(i) * re[i];
    weights += window(i);
  }
  mean /= weights;
  for (let i = 0; i < count; i++) re[i] = (re[i] - mean) * window(i);
  const im = new Float64Array(size);
  transform(re, im);
  // the mean is taken out, so that nothing is left at zero
  const length = size / 2 - 1;
  return {
    frequencies: Float64Array.from({ length }, (_, i) => (i + 1) / (size * step)),
    amplitudes: Float64Array.from({ length }, (_, i) => (2 * Math.hypot(re[i + 1], im[i + 1])) / weights),
  };
}
