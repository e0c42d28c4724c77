// What axes reach to, and where their marks are: sane and few for any numbers.

/** Decades that a logarithmic axis shows at most; what is less lies at its bottom. */
export const DECADES = 12;
/** Powers of ten that numbers have without a loss of digits. */
const LEAST = -300;
const GREATEST = 308;

/** Some room around the numbers. `from`: where the axis begins in any case. */
export function padded(min: number | null, max: number | null, from?: number): [number, number] {
  if (min === null || max === null) return [0, 1];
  const size = Math.max(Math.abs(min), Math.abs(max));
  // numbers close to the largest there are leave no room for arithmetic
  if (!(size < 10 ** -LEAST)) return [0, 1];
  if (from !== undefined) return [from, Math.max(from + 1, max * 1.08)];
  const d = max - min <= Math.max(1e-12 * size, 10 ** LEAST) ? 0.1 * size : 0.07 * (max - min);
  return d > 10 ** LEAST ? [min - d, max + d] : [-1, 1];
}

/** Whole decades from those of the greatest number downwards: at least one, at most `DECADES`. */
export function logRange(min: number | null, max: number | null): [number, number] {
  if (min === null || max === null || !(min > 0) || !(max > 0) || !Number.isFinite(max)) return [1e-3, 1];
  const top = Math.min(GREATEST, Math.max(LEAST + 1, Math.ceil(Math.log10(max) + 0.02)));
  const low = Math.max(LEAST, top - DECADES, Math.floor(Math.log10(min) - 0.02));
  return [10 ** Math.min(low, top - 1), 10 ** top];
}

/** Powers of ten, `most` of them at most, so spaced that they stay where they are when the axis grows. */
export function logSplits(min: number, max: number, most: number): number[] {
  const low = Math.ceil(Math.log10(min) - 1e-6);
  const top = Math.floor(Math.log10(max) + 1e-6);
  if (!Number.isFinite(low) || !Number.isFinite(top) || top < low) return [];
  const every = Math.max(1, Math.ceil((top - low + 1) / Math.max(1, most)));
  const out: number[] = [];
  for (let e = Math.ceil(low / every) * every; e <= top; e += every) out.push(10 ** e);
  return out;
}

/** Distance of marks. */
export function spacing(values: readonly number[]): number {
  return values.length > 1 ? Math.abs(values[1] - values[0]) : Math.abs(values[0]) || 1;
}
