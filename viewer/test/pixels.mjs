// Looks at screenshots as a person would, only by numbers: how many colours, how much differs.
import { inflateSync } from "node:zlib";

/** Pixels of a PNG with 8 bits per channel, without interlacing, as Chromium writes them. */
export function decodePng(png) {
  let at = 8;
  let width = 0;
  let height = 0;
  let channels = 0;
  const parts = [];
  while (at < png.length) {
    const size = png.readUInt32BE(at);
    const type = png.toString("latin1", at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + size);
    if (type === "IHDR") {
      width = body.readUInt32BE(0);
      height = body.readUInt32BE(4);
      channels = body[9] === 6 ? 4 : 3;
    } else if (type === "IDAT") parts.push(body);
    at += 12 + size;
  }
  const raw = inflateSync(Buffer.concat(parts));
  const row = width * channels;
  const out = new Uint8Array(row * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (row + 1)];
    for (let x = 0; x < row; x++) {
      const a = x >= channels ? out[y * row + x - channels] : 0;
      const b = y > 0 ? out[(y - 1) * row + x] : 0;
      const c = x >= channels && y > 0 ? out[(y - 1) * row + x - channels] : 0;
      const p = a + b - c;
      const near = Math.abs(p - a) <= Math.abs(p - b) && Math.abs(p - a) <= Math.abs(p - c) ? a : Math.abs(p - b) <= Math.abs(p - c) ? b : c;
      const guess = [0, a, b, (a + b) >> 1, near][filter];
      out[y * row + x] = raw[y * (row + 1) + 1 + x] + guess;
    }
  }
  return { width, height, channels, data: out };
}

/** Number of different colours, in steps of 8. */
export function colours(image) {
  const seen = new Set();
  for (let i = 0; i < image.data.length; i += image.channels) {
    seen.add(((image.data[i] >> 3) << 10) | ((image.data[i + 1] >> 3) << 5) | (image.data[i + 2] >> 3));
  }
  return seen.size;
}

/** Pixels that differ clearly between two pictures of the same size. */
export function differing(a, b) {
  let count = 0;
  for (let i = 0; i < a.data.length; i += a.channels) {
    const d = Math.abs(a.data[i] - b.data[i]) + Math.abs(a.data[i + 1] - b.data[i + 1]) + Math.abs(a.data[i + 2] - b.data[i + 2]);
    if (d > 40) count++;
  }
  return count;
}

/** Pixels close to a colour `[r, g, b]`. */
export function near(image, [r, g, b]) {
  let count = 0;
  for (let i = 0; i < image.data.length; i += image.channels) {
    if (Math.abs(image.data[i] - r) + Math.abs(image.data[i + 1] - g) + Math.abs(image.data[i + 2] - b) < 30) count++;
  }
  return count;
}

/** Mean brightness, 0 to 255. */
export function brightness(image) {
  let sum = 0;
  for (let i = 0; i < image.data.length; i += image.channels) sum += image.data[i] + image.data[i + 1] + image.data[i + 2];
  return sum / (3 * image.width * image.height);
}
