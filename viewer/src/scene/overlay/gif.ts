// Pictures one after the other as a GIF: 255 colours for each picture, those that are most frequent, packed by LZW.

/** Colours of a picture. */
const COLOURS = 256;
/** Longest code of LZW, bits. */
const BITS = 12;

export class Gif {
  private readonly parts: Uint8Array[] = [];

  constructor(
    private readonly width: number,
    private readonly height: number,
  ) {
    // no table of colours for all; played again and again
    const loop = [0x21, 0xff, 11, ...ascii("NETSCAPE2.0"), 3, 1, 0, 0, 0];
    this.parts.push(Uint8Array.from([...ascii("GIF89a"), ...word(width), ...word(height), 0x70, 0, 0, ...loop]));
  }

  /** One more picture, of width × height × 4 bytes, for so many hundredths of a second. */
  add(pixels: Uint8ClampedArray, hundredths: number): void {
    const { table, indices } = palette(pixels);
    const head = [0x21, 0xf9, 4, 0, ...word(hundredths), 0, 0, 0x2c, 0, 0, 0, 0, ...word(this.width), ...word(this.height), 0x87];
    this.parts.push(Uint8Array.from(head), table, Uint8Array.of(8), packed(indices), Uint8Array.of(0));
  }

  blob(): Blob {
    return new Blob([...this.parts, Uint8Array.of(0x3b)] as BlobPart[], { type: "image/gif" });
  }
}

const ascii = (text: string): number[] => [...text].map((c) => c.charCodeAt(0));
const word = (n: number): number[] => [n & 255, n >> 8];

/** The most frequent colours, by five bits of each part, and the nearest of them for every pixel. */
function palette(pixels: Uint8ClampedArray): { table: Uint8Array; indices: Uint8Array } {
  const key = (i: number) => ((pixels[i] >> 3) << 10) | ((pixels[i + 1] >> 3) << 5) | (pixels[i + 2] >> 3);
  // for each group of colours how many there are, and the sums of their parts
  const groups = new Map<number, [number, number, number, number]>();
  for (let i = 0; i < pixels.length; i += 4) {
    const k = key(i);
    const g = groups.get(k) ?? [0, 0, 0, 0];
    g[0]++;
    for (let c = 0; c < 3; c++) g[c + 1] += pixels[i + c];
    groups.set(k, g);
  }
  const kept = [...groups].sort((a, b) => b[1][0] - a[1][0]).slice(0, COLOURS);
  const table = new Uint8Array(3 * COLOURS);
  const place = new Map<number, number>();
  kept.forEach(([k, [n, ...sums]], at) => {
    for (let c = 0; c < 3; c++) table[3 * at + c] = Math.round(sums[c] / n);
    place.set(k, at);
  });
  const nearest = (i: number): number => {
    let [best, least] = [0, Infinity];
    for (let at = 0; at < kept.length; at++) {
      let d = 0;
      for (let c = 0; c < 3; c++) d += (table[3 * at + c] - pixels[i + c]) ** 2;
      if (d < least) [best, least] = [at, d];
    }
    return best;
  };
  const indices = new Uint8Array(pixels.length / 4);
  for (let i = 0; i < pixels.length; i += 4) {
    const k = key(i);
    let at = place.get(k);
    if (at === undefined) place.set(k, (at = nearest(i)));
    indices[i / 4] = at;
  }
  return { table, indices };
}

/** Codes of LZW in blocks of up to 255 bytes. */
function packed(indices: Uint8Array): Uint8Array {
  const clear = COLOURS;
  const out: number[] = [];
  let block: number[] = [];
  let [bits, filled] = [0, 0];
  const put = (code: number, size: number) => {
    bits |= code << filled;
    for (filled += size; filled >= 8; filled -= 8) {
      block.push(bits & 255);
      bits >>>= 8;
      if (block.length === 255) flush();
    }
  };
  const flush = () => {
    if (block.length > 0) out.push(block.length, ...block);
    block = [];
  };
  let codes = new Map<number, number>();
  let [next, size] = [clear + 2, 9];
  put(clear, size);
  let prefix = indices[0];
  for (let i = 1; i < indices.length; i++) {
    const pair = (prefix << 8) | indices[i];
    const known = codes.get(pair);
    if (known !== undefined) {
      prefix = known;
      continue;
    }
    put(prefix, size);
    prefix = indices[i];
    if (next === 1 << BITS) {
      put(clear, size);
      codes = new Map();
      [next, size] = [clear + 2, 9];
      continue;
    }
    codes.set(pair, next);
    if (next === 1 << size && size < BITS) size++;
    next++;
  }
  put(prefix, size);
  put(clear + 1, size);
  if (filled > 0) block.push(bits & 255);
  flush();
  return Uint8Array.from(out);
}
