// Columns of numbers out of base64.

import type { Column } from "./data";

export type Numbers = Float32Array | Float64Array;

/** Raised with a sentence for the reader when a column has the wrong length. */
export class ColumnError extends Error {}

function bytes(base64: string): ArrayBuffer {
  const raw = atob(base64);
  const out = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) out[i] = raw.charCodeAt(i);
  return out.buffer;
}

/** `count` numbers of a column, or a single one where all are the same. */
export function decode(column: Column, count: number, what: string): Numbers {
  let out: Numbers;
  if ("constant" in column) return new Float64Array([column.constant]);
  if ("f32" in column) {
    const buffer = bytes(column.f32);
    out = new Float32Array(buffer, 0, buffer.byteLength >> 2);
    const { offset } = column;
    if (offset !== undefined) out = Float64Array.from(out, (v) => v + offset);
  } else if ("f64" in column) {
    const buffer = bytes(column.f64);
    out = new Float64Array(buffer, 0, buffer.byteLength >> 3);
  } else {
    out = Float64Array.from(column.values, (v) => v ?? NaN);
  }
  if (out.length !== count) throw new ColumnError(`${what}: ${count} numbers expected, found ${out.length}`);
  return out;
}

/** Likewise, but always with all numbers. */
export function decodeFull(column: Column, count: number, what: string): Numbers {
  const out = decode(column, count, what);
  return "constant" in column ? new Float64Array(count).fill(column.constant) : out;
}
