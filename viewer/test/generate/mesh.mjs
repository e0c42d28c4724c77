// A flexible link as a mesh: a box that swings, bends and stretches by two amplitudes, with strains that are known.
// @ts-check
import { Channels, f64, file } from "./build.mjs";

/** Length, half of height and width, modulus, greatest amplitudes and angle: tests compare with these. */
export const LINK = { length: 1, half: 0.05, modulus: 2e11, bend: 0.02, stretch: 0.001, angle: 0.8, end: 2 };
const [ALONG, ACROSS] = [20, 2];
const TIMES = Array.from({ length: 81 }, (_, i) => (i * LINK.end) / 80);

/** Angle and amplitudes at a time. @param {number} t */
export const linkAt = (t) => {
  const s = Math.sin((2 * Math.PI * t) / LINK.end);
  return { angle: LINK.angle * s, bend: LINK.bend * s, stretch: LINK.stretch * s * s };
};

/** Points and triangles of the surface of the box, six sides that share their edges. */
function box() {
  /** @type {Map<string, number>} */
  const known = new Map();
  /** @type {number[][]} */
  const points = [];
  /** @type {number[]} */
  const triangles = [];
  const at = (/** @type {number[]} */ p) => {
    const key = p.map((x) => x.toFixed(9)).join();
    const found = known.get(key);
    if (found !== undefined) return found;
    known.set(key, points.length);
    points.push(p);
    return points.length - 1;
  };
  const size = [LINK.length, 2 * LINK.half, 2 * LINK.half];
  const parts = [ALONG, ACROSS, ACROSS];
  const low = [0, -LINK.half, -LINK.half];
  for (let axis = 0; axis < 3; axis++) {
    const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
    for (const side of [0, 1]) {
      const corner = (/** @type {number} */ i, /** @type {number} */ j) => {
        const p = [0, 0, 0];
        p[axis] = low[axis] + side * size[axis];
        p[u] = low[u] + (i * size[u]) / parts[u];
        p[v] = low[v] + (j * size[v]) / parts[v];
        return at(p);
      };
      for (let i = 0; i < parts[u]; i++) {
        for (let j = 0; j < parts[v]; j++) {
          const [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
          triangles.push(...(side ? [a, b, c, a, c, d] : [a, c, b, a, d, c]));
        }
      }
    }
  }
  return { points, triangles };
}

export function mesh() {
  const ch = new Channels();
  const { points, triangles } = box();
  const pose = ch.pose(
    0,
    "link",
    TIMES.map((t) => {
      const half = linkAt(t).angle / 2;
      return [0, 0, 1, Math.cos(half), 0, Math.sin(half), 0];
    }),
  );
  /** @type {(keyof ReturnType<typeof linkAt>)[]} */
  const names = ["bend", "stretch"];
  const amplitudes = names.map((name, k) =>
    ch.add(
      "Amplitudes",
      `link.${name}`,
      "m",
      TIMES.map((t) => linkAt(t)[name]),
      ["body", 1 + k],
    ),
  );
  const amplitude = (/** @type {number} */ k) => ({
    name: `link.${names[k]}`,
    mass: 0,
    com: /** @type {[number, number, number]} */ ([0, 0, 0]),
    point: true,
    pose: [amplitudes[k]],
  });
  // bending z = x^2, so that x turns by 2 x and strains are -2 z; stretching x = x
  const shapes = [points.map(([x, , z]) => [-2 * x * z, 0, x * x]), points.map(([x]) => [x, 0, 0])];
  const strains = [points.map(([, , z]) => [-2 * z, 0, 0, 0, 0, 0]), points.map(() => [1, 0, 0, 0, 0, 0])];
  const column = (/** @type {number[][]} */ rows) => f64(rows.flat());
  return file({
    model: {
      name: "mesh",
      space: "spatial",
      gravity: [0, 0, -9.81],
      bodies: [{ name: "link", mass: 3, com: [0.5, 0, 0], pose }, amplitude(0), amplitude(1)],
      meshes: [
        {
          name: "link",
          body: 0,
          nodes: [0, 1, 2],
          count: points.length,
          points: column(points),
          triangles,
          amplitudes,
          shapes: shapes.map(column),
          strains: strains.map(column),
          stresses: strains.map((rows) => column(rows.map((row) => row.map((e) => LINK.modulus * e)))),
        },
      ],
      joints: [
        {
          name: "hinge",
          type: "revolute",
          symbol: "pin",
          bodies: [null, 0],
          points: [
            [0, 0, 1],
            [0, 0, 0],
          ],
          axes: [
            [0, 1, 0],
            [0, 1, 0],
          ],
          equations: 5,
        },
      ],
      forces: [],
    },
    channels: ch.channels,
    frames: ch.frames(TIMES, f64),
    charts: [["link.bend"]],
  });
}
