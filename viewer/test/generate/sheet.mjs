// A sheet whose points are bodies, but for an edge that is held: it is stretched along x.
// @ts-check
import { Channels, f64, file } from "./build.mjs";

/** Sides, greatest stretch, end: tests compare with these. */
export const SHEET = { length: 1, width: 0.4, stretch: 0.5, end: 1 };
const CELLS = 4;
const TIMES = Array.from({ length: 21 }, (_, i) => (i * SHEET.end) / 20);

/** By how much it is longer at a time, in parts. @param {number} t */
export const stretchAt = (t) => (SHEET.stretch * t) / SHEET.end;

export function sheet() {
  const ch = new Channels();
  /** @type {[number, number, number][]} */
  const points = [];
  for (let i = 0; i <= CELLS; i++) for (const y of [0, SHEET.width]) points.push([(i * SHEET.length) / CELLS, y, 0]);
  /** @type {number[]} */
  const triangles = [];
  for (let i = 0; i < CELLS; i++) {
    const [a, b, c, d] = [2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1];
    triangles.push(a, b, c, a, c, d, a, c, b, a, d, c);
  }
  const free = points.slice(2);
  const bodies = free.map(([x, y, z], k) => {
    const axes = /** @type {const} */ (["x", "y", "z"]);
    const of = (/** @type {string} */ axis) => TIMES.map((t) => ({ x: x * (1 + stretchAt(t)), y, z })[axis] ?? 0);
    const pose = axes.map((axis) => ch.add("Positions", `sheet.${k}.${axis}`, "m", of(axis), ["body", k]));
    return { name: `sheet.${k}`, mass: 1, com: /** @type {[number, number, number]} */ ([0, 0, 0]), point: true, pose };
  });
  return file({
    model: {
      name: "sheet",
      space: "spatial",
      gravity: [0, 0, -9.81],
      bodies,
      meshes: [
        {
          name: "sheet",
          body: 0,
          nodes: bodies.map((_, k) => k),
          count: points.length,
          points: f64(points.flat()),
          triangles,
          amplitudes: [],
          shapes: [],
          corners: points.map((_, k) => (k < 2 ? null : k - 2)),
        },
      ],
      joints: [],
      forces: [],
    },
    channels: ch.channels,
    frames: ch.frames(TIMES, f64),
  });
}
