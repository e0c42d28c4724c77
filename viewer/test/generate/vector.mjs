// Vectors, 3 x 3 matrices by rows, a curve through points, a root.
// @ts-check
/** @typedef {import("../../src/data").Vec3} Vec3 */

/** @param {Vec3} a @param {Vec3} b @returns {Vec3} */
export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
/** @param {Vec3} a @param {Vec3} b @returns {Vec3} */
export const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
/** @param {Vec3} a @param {number} s @returns {Vec3} */
export const scale = (a, s) => [s * a[0], s * a[1], s * a[2]];
/** @param {Vec3} a @param {Vec3} b */
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
/** @param {Vec3} a @param {Vec3} b @returns {Vec3} */
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
/** @param {Vec3} a */
export const length = (a) => Math.hypot(...a);
/** @param {Vec3} a */
export const unit = (a) => scale(a, 1 / length(a));
/** @param {number[]} m @param {Vec3} v @returns {Vec3} */
export const apply = (m, v) => [m[0] * v[0] + m[1] * v[1] + m[2] * v[2], m[3] * v[0] + m[4] * v[1] + m[5] * v[2], m[6] * v[0] + m[7] * v[1] + m[8] * v[2]];

/** @param {number[]} a @param {number[]} b */
export function multiply(a, b) {
  const out = new Array(9).fill(0);
  for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) for (let k = 0; k < 3; k++) out[3 * i + j] += a[3 * i + k] * b[3 * k + j];
  return out;
}

/** @param {Vec3} n @param {number} angle */
export function angleAxis(n, angle) {
  const [x, y, z] = n;
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  const d = 1 - c;
  return [
    c + x * x * d,
    x * y * d - z * s,
    x * z * d + y * s,
    y * x * d + z * s,
    c + y * y * d,
    y * z * d - x * s,
    z * x * d - y * s,
    z * y * d + x * s,
    c + z * z * d,
  ];
}

/** Columns: first along z, second in the x-z plane. @param {Vec3} z @param {Vec3} x */
export function frameOf(z, x) {
  const c = unit(z);
  const b = unit(cross(c, x));
  const a = cross(b, c);
  return [a[0], b[0], c[0], a[1], b[1], c[1], a[2], b[2], c[2]];
}

/** Euler parameters of a small turn. @param {number[]} m */
export function toEuler(m) {
  const e0 = 0.5 * Math.sqrt(Math.max(0, 1 + m[0] + m[4] + m[8]));
  return [e0, (m[7] - m[5]) / (4 * e0), (m[2] - m[6]) / (4 * e0), (m[3] - m[1]) / (4 * e0)];
}

/** Newton's method with a difference quotient. @param {(x: number) => number} f @param {number} x */
export function solve(f, x) {
  for (let i = 0; i < 30; i++) {
    const y = f(x);
    if (Math.abs(y) < 1e-12) break;
    x -= (y * 2e-6) / (f(x + 1e-6) - f(x - 1e-6));
  }
  return x;
}

/** Monotone cubic through points (Fritsch and Carlson). @param {number[][]} points */
export function curve(points) {
  const n = points.length;
  const slope = points.slice(1).map((p, i) => (p[1] - points[i][1]) / (p[0] - points[i][0]));
  const m = points.map((_, i) =>
    i === 0 ? slope[0] : i === n - 1 ? slope[n - 2] : slope[i - 1] * slope[i] <= 0 ? 0 : (2 * slope[i - 1] * slope[i]) / (slope[i - 1] + slope[i]),
  );
  return (/** @type {number} */ x) => {
    let i = 0;
    while (i < n - 2 && x > points[i + 1][0]) i++;
    const h = points[i + 1][0] - points[i][0];
    const s = (x - points[i][0]) / h;
    const a = points[i][1];
    const b = points[i + 1][1];
    return a * (1 + 2 * s) * (1 - s) ** 2 + b * s * s * (3 - 2 * s) + h * (m[i] * s * (1 - s) ** 2 - m[i + 1] * s * s * (1 - s));
  };
}
