// A chain of rods let go from the horizontal, as models/chain50.toml: masses at the ends of weightless rods, with
// the tensions of every step from a tridiagonal system.
// @ts-check
import { Channels, file, solution, topology } from "./build.mjs";

/** @param {number} links @param {number} frames @param {number} end */
export function chain(links, frames, end) {
  const n = links;
  const l = 1;
  const g = 9.81;
  const x = Float64Array.from({ length: n + 1 }, (_, i) => i * l);
  const z = new Float64Array(n + 1);
  const vx = new Float64Array(n + 1);
  const vz = new Float64Array(n + 1);
  const lower = new Float64Array(n);
  const diagonal = new Float64Array(n);
  const right = new Float64Array(n);
  /** @type {number[][][]} */
  const poses = Array.from({ length: n }, () => []);
  /** @type {number[]} */
  const times = [];
  /** @type {number[]} */
  const tipX = [];
  /** @type {number[]} */
  const tipZ = [];
  const substeps = Math.max(1, Math.round(end / (frames - 1) / 0.0015));
  const h = end / (frames - 1) / substeps;

  const record = (/** @type {number} */ t) => {
    times.push(t);
    for (let i = 0; i < n; i++) {
      // turned about y: x axis along the link
      const half = -0.5 * Math.atan2(z[i + 1] - z[i], x[i + 1] - x[i]);
      poses[i].push([(x[i] + x[i + 1]) / 2, 0, (z[i] + z[i + 1]) / 2, Math.cos(half), 0, Math.sin(half), 0]);
    }
    tipX.push(x[n]);
    tipZ.push(z[n]);
  };
  record(0);
  for (let f = 1; f < frames; f++) {
    for (let s = 0; s < substeps; s++) {
      // tensions: relative acceleration along each rod balances its turning; node 0 is held
      for (let i = 0; i < n; i++) {
        const dx = (x[i + 1] - x[i]) / l;
        const dz = (z[i + 1] - z[i]) / l;
        const wx = vx[i + 1] - vx[i];
        const wz = vz[i + 1] - vz[i];
        const stretch = ((Math.hypot(x[i + 1] - x[i], z[i + 1] - z[i]) - l) * 4) / h;
        const along = dx * wx + dz * wz;
        diagonal[i] = i === 0 ? 1 : 2;
        right[i] = (wx * wx + wz * wz) / l + (0.15 * along) / h + (0.02 * stretch) / h + (i === 0 ? -g * dz : 0);
        if (i > 0) lower[i] = -(dx * (x[i] - x[i - 1]) + dz * (z[i] - z[i - 1])) / l;
      }
      for (let i = 1; i < n; i++) {
        const m = lower[i] / diagonal[i - 1];
        diagonal[i] -= m * lower[i];
        right[i] -= m * right[i - 1];
      }
      for (let i = n - 1; i >= 0; i--) right[i] = (right[i] - (i + 1 < n ? lower[i + 1] * right[i + 1] : 0)) / diagonal[i];
      for (let i = 1; i <= n; i++) {
        const back = right[i - 1];
        const ahead = i < n ? right[i] : 0;
        const ax = (-back * (x[i] - x[i - 1]) + (i < n ? ahead * (x[i + 1] - x[i]) : 0)) / l - 0.05 * vx[i];
        const az = (-back * (z[i] - z[i - 1]) + (i < n ? ahead * (z[i + 1] - z[i]) : 0)) / l - g - 0.05 * vz[i];
        vx[i] += h * ax;
        vz[i] += h * az;
      }
      for (let i = 1; i <= n; i++) {
        x[i] += h * vx[i];
        z[i] += h * vz[i];
      }
      // from the wall outwards, so that every rod keeps its length
      for (let i = 1; i <= n; i++) {
        const dx = x[i] - x[i - 1];
        const dz = z[i] - z[i - 1];
        const k = l / Math.hypot(dx, dz);
        x[i] = x[i - 1] + k * dx;
        z[i] = z[i - 1] + k * dz;
      }
    }
    record((f * end) / (frames - 1));
  }

  const ch = new Channels();
  const bodies = poses.map((list, i) => ({
    name: `link${i + 1}`,
    mass: 1,
    com: /** @type {import("./build.mjs").Vec3} */ ([0, 0, 0]),
    pose: ch.pose(i, `link${i + 1}`, list),
  }));
  ch.add("Measures", "tip_x", "m", tipX);
  ch.add("Measures", "tip_z", "m", tipZ);
  /** @type {import("./build.mjs").Joint[]} */
  const joints = bodies.map((_, i) => ({
    name: `pin${i + 1}`,
    type: "revolute",
    symbol: "pin",
    bodies: [i === 0 ? null : i - 1, i],
    points: [
      [i === 0 ? 0 : 0.5 * l, 0, 0],
      [-0.5 * l, 0, 0],
    ],
    axes: [
      [0, 1, 0],
      [0, 1, 0],
    ],
    equations: 5,
  }));
  return file({
    model: {
      name: `chain${n}`,
      description: `Chain of ${n} hinged rods falling from the horizontal`,
      space: "spatial",
      gravity: [0, 0, -g],
      bodies,
      joints,
      forces: [],
    },
    channels: ch.channels,
    frames: { ...ch.frames(times), note: "every 10th frame is shown" },
    charts: [["tip_x", "tip_z"]],
    topology: topology(
      bodies.map((b) => b.name),
      joints,
    ),
    solution: solution(end, [], end / 400),
  });
}
