// Shapes of all kinds at rest in a row: a mesh, a tube, a cone, and the same mesh inside of a glass box.
// @ts-check
import { Channels, f32, f64, file } from "./build.mjs";

const TIMES = [0, 0.5, 1];
const NAMES = ["cube", "pipe", "tip", "glass"];

/** A cube with edges of 2 h as a mesh. @param {number} h @param {string} colour @returns {import("../../src/data").MeshShape} */
function cube(h, colour) {
  const points = Array.from({ length: 8 }, (_, k) => [k & 1 ? h : -h, k & 2 ? h : -h, k & 4 ? h : -h]);
  const sides = [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
  ];
  return { type: "mesh", count: 8, points: f32(points.flat()), triangles: sides.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]), colour };
}

export function solids() {
  const ch = new Channels();
  /** @type {import("../../src/data").Shape[][]} */
  const shapes = [
    [cube(0.4, "red")],
    [{ type: "tube", radius: 0.4, inner: 0.3, length: 0.8, colour: "blue" }],
    [{ type: "cone", radius: 0.4, length: 0.8, colour: "green" }],
    [{ type: "box", size: [0.9, 0.9, 0.9], colour: "steelblue", opacity: 0.25 }, cube(0.4, "red")],
  ];
  const bodies = NAMES.map((name, k) => ({
    name,
    mass: 1,
    com: /** @type {[number, number, number]} */ ([0, 0, 0]),
    shapes: shapes[k],
    pose: ch.pose(
      k,
      name,
      TIMES.map(() => [1.4 * k, 0, 0.5, 1, 0, 0, 0]),
    ),
  }));
  return file({
    model: { name: "solids", space: "spatial", gravity: [0, 0, -9.81], bodies, joints: [], forces: [] },
    channels: ch.channels,
    frames: ch.frames(TIMES, f64),
  });
}
