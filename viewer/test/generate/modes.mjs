// Modes of a clamped beam, as straight lines and half waves: shapes that tests know.
// @ts-check
import { PLACES } from "./beam.mjs";
import { Channels, f64, file } from "./build.mjs";

const FRAMES = 25;
/** Frequencies of the modes, Hz. */
export const FREQUENCIES = [2, 250];

/** Deflection of mode k at a place of the beam. @param {number} k @param {number} s */
export const shape = (k, s) => (k === 0 ? 0.1 * s * s : 0.1 * Math.sin(Math.PI * s) * s);

export function modes() {
  const slope = (/** @type {number} */ k, /** @type {number} */ s) => (shape(k, s + 1e-6) - shape(k, s - 1e-6)) / 2e-6;
  const made = FREQUENCIES.map((f, k) => {
    const times = Array.from({ length: FRAMES }, (_, i) => i / (FRAMES - 1) / f);
    const ch = new Channels();
    const bodies = PLACES.map((s, n) => {
      const poses = times.map((t) => {
        const size = Math.sin(2 * Math.PI * f * t);
        const half = -Math.atan(size * slope(k, s)) / 2;
        return [s, 0, size * shape(k, s), Math.cos(half), 0, Math.sin(half), 0];
      });
      return { name: `arm.${n + 1}`, mass: 0.1, com: /** @type {import("./build.mjs").Vec3} */ ([0, 0, 0]), pose: ch.pose(n, `arm.${n + 1}`, poses) };
    });
    return { name: `${f} Hz, damping ratio 0.01`, bodies, channels: ch.channels, frames: ch.frames(times, f64) };
  });
  const [{ bodies, channels, frames }] = made;
  return file({
    model: {
      name: "modes",
      space: "spatial",
      gravity: [0, 0, -9.81],
      bodies,
      joints: [
        {
          name: "clamp",
          type: "fixed",
          symbol: "block",
          bodies: [null, 0],
          points: [
            [0, 0, 0],
            [0, 0, 0],
          ],
        },
      ],
      forces: [],
      beams: [
        {
          name: "arm",
          nodes: bodies.map((_, k) => k),
          order: 3,
          outline: [
            [-0.03, -0.02],
            [0.03, -0.02],
            [0.03, 0.02],
            [-0.03, 0.02],
          ],
          modulus: 2e11,
        },
      ],
    },
    channels,
    frames,
    modes: made.map((m) => ({ name: m.name, frames: m.frames })),
  });
}
