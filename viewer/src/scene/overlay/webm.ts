// How long a recorded film lasts: browsers leave it out, and players can then not go to a time.

/** Elements of WebM. */
const INFO = [0x15, 0x49, 0xa9, 0x66];
const DURATION = [0x44, 0x89];
/** Where the head of a film must have its information, bytes. */
const HEAD = 400;

/** The film with its length in ms; as it was if it has one or is made otherwise. */
export function lasting(film: Uint8Array<ArrayBuffer>, ms: number): Uint8Array<ArrayBuffer> {
  const at = find(film, INFO, 0, HEAD);
  if (at < 0) return film;
  const sizeAt = at + INFO.length;
  // the leading zeros of its first byte say how many bytes a size has
  const wide = Math.clz32(film[sizeAt]) - 23;
  if (wide > 8) return film;
  let size = film[sizeAt] & (0xff >> wide);
  for (let k = 1; k < wide; k++) size = size * 256 + film[sizeAt + k];
  const start = sizeAt + wide;
  if (start + size > film.length || find(film, DURATION, start, start + size) >= 0) return film;
  const value = new Uint8Array(8);
  new DataView(value.buffer).setFloat64(0, ms);
  const added = [...DURATION, 0x88, ...value];
  const grown = size + added.length;
  const eight = [1, 0, 0, 0, ...[24, 16, 8, 0].map((by) => (grown >>> by) & 255)];
  const parts = [film.subarray(0, sizeAt), Uint8Array.from(eight), film.subarray(start, start + size), Uint8Array.from(added), film.subarray(start + size)];
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let to = 0;
  for (const part of parts) {
    out.set(part, to);
    to += part.length;
  }
  return out;
}

function find(bytes: Uint8Array, what: number[], from: number, to: number): number {
  for (let i = from; i + what.length <= Math.min(to, bytes.length); i++) if (what.every((b, k) => bytes[i + k] === b)) return i;
  return -1;
}
