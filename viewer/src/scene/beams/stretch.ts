// Strains of triangles that were at rest somewhere else.

import type { Numbers } from "../../columns";

/** Cost: O(triangles). Writes for each point the mean over its triangles of the equivalent strain (2/3 e:e)^½, where e is the
 * deviator of Green's strain in the plane of the triangle, with no strain across it. */
export function stretches(rest: Numbers, now: Float64Array, triangles: number[], out: Float64Array): void {
  const count = new Uint16Array(out.length);
  out.fill(0);
  for (let t = 0; t < triangles.length; t += 3) {
    const [i, j, k] = [triangles[t], triangles[t + 1], triangles[t + 2]];
    const e = equivalent(metric(rest, i, j, k), metric(now, i, j, k));
    for (const p of [i, j, k]) {
      out[p] += e;
      count[p]++;
    }
  }
  for (let p = 0; p < out.length; p++) if (count[p]) out[p] /= count[p];
}

type Metric = [number, number, number];

/** Products of the two edges from the first corner. */
function metric(x: ArrayLike<number>, i: number, j: number, k: number): Metric {
  let [aa, ab, bb] = [0, 0, 0];
  for (let c = 0; c < 3; c++) {
    const a = x[3 * j + c] - x[3 * i + c];
    const b = x[3 * k + c] - x[3 * i + c];
    aa += a * a;
    ab += a * b;
    bb += b * b;
  }
  return [aa, ab, bb];
}

function equivalent(rest: Metric, now: Metric): number {
  // axes in the triangle at rest: the first edge, and square to it
  const l = Math.sqrt(rest[0]);
  const s = rest[1] / l;
  const h = Math.sqrt(Math.max(rest[2] - s * s, 0));
  if (!(l > 0 && h > 0)) return 0;
  const [g, m, q] = [now[0] - rest[0], now[1] - rest[1], now[2] - rest[2]];
  const xx = g / (2 * l * l);
  const xy = (m - (s / l) * g) / (2 * l * h);
  const yy = (q - ((2 * s) / l) * m + ((s * s) / (l * l)) * g) / (2 * h * h);
  const mean = (xx + yy) / 3;
  return Math.sqrt((2 / 3) * ((xx - mean) ** 2 + (yy - mean) ** 2 + mean * mean + 2 * xy * xy));
}
