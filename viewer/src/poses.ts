// Where every body is at a time: interpolated between frames, as 3 x 4 matrices without any allocation.

import type { Body } from "./data";
import type { FrameStore } from "./frames";

/** Numbers per body: rows of the rotation matrix, each followed by the coordinate of the origin. */
export const STRIDE = 12;

export class Poses {
  /** One matrix per body, then that of the ground. */
  readonly matrices: Float64Array;
  /** Euler parameters of each body. */
  readonly attitudes: Float64Array;
  private readonly q = new Float64Array(8);

  constructor(
    private readonly bodies: Body[],
    private readonly store: FrameStore,
  ) {
    this.matrices = new Float64Array(STRIDE * (bodies.length + 1));
    this.attitudes = new Float64Array(4 * bodies.length);
    const g = STRIDE * bodies.length;
    this.matrices[g] = this.matrices[g + 5] = this.matrices[g + 10] = 1;
  }

  /** Index of a body or of the ground in `matrices`. */
  slot(body: number | null): number {
    return body ?? this.bodies.length;
  }

  /** Cost: O(bodies). The store must have sought the time. */
  update(): void {
    const { store, bodies, matrices: m, q } = this;
    const i = store.index;
    const j = Math.min(i + 1, Math.max(0, store.count - 1));
    const f = store.fraction;
    for (let b = 0; b < bodies.length; b++) {
      const pose = bodies[b].pose;
      const o = b * STRIDE;
      m[o + 3] = mix(store, pose[0], i, j, f);
      m[o + 7] = pose.length > 1 ? mix(store, pose[1], i, j, f) : 0;
      if (bodies[b].point) {
        m[o + 11] = pose.length > 2 ? mix(store, pose[2], i, j, f) : 0;
        this.turn(b, 1, 0, 0, 0);
        continue;
      }
      if (pose.length === 3) {
        const half = 0.5 * mix(store, pose[2], i, j, f);
        m[o + 11] = 0;
        this.turn(b, Math.cos(half), 0, 0, Math.sin(half));
        continue;
      }
      m[o + 11] = mix(store, pose[2], i, j, f);
      let dot = 0;
      for (let k = 0; k < 4; k++) {
        q[k] = store.at(pose[3 + k], i);
        q[4 + k] = store.at(pose[3 + k], j);
        dot += q[k] * q[4 + k];
      }
      // p and -p are the same pose: take the short way
      const sign = dot < 0 ? -1 : 1;
      const c = Math.min(1, Math.abs(dot));
      let wa = 1 - f;
      let wb = f;
      if (c < 0.9999) {
        const angle = Math.acos(c);
        const s = Math.sin(angle);
        wa = Math.sin((1 - f) * angle) / s;
        wb = Math.sin(f * angle) / s;
      }
      wb *= sign;
      const e0 = wa * q[0] + wb * q[4];
      const e1 = wa * q[1] + wb * q[5];
      const e2 = wa * q[2] + wb * q[6];
      const e3 = wa * q[3] + wb * q[7];
      const n = 1 / (Math.hypot(e0, e1, e2, e3) || 1);
      this.turn(b, e0 * n, e1 * n, e2 * n, e3 * n);
    }
  }

  private turn(body: number, e0: number, e1: number, e2: number, e3: number): void {
    const { attitudes } = this;
    attitudes[4 * body] = e0;
    attitudes[4 * body + 1] = e1;
    attitudes[4 * body + 2] = e2;
    attitudes[4 * body + 3] = e3;
    rotation(this.matrices, STRIDE * body, e0, e1, e2, e3);
  }

  /** Global coordinates of a point of a body, into `out` at `at`. */
  point(slot: number, p: ArrayLike<number>, out: Float64Array, at = 0): void {
    const m = this.matrices;
    const o = slot * STRIDE;
    out[at] = m[o] * p[0] + m[o + 1] * p[1] + m[o + 2] * p[2] + m[o + 3];
    out[at + 1] = m[o + 4] * p[0] + m[o + 5] * p[1] + m[o + 6] * p[2] + m[o + 7];
    out[at + 2] = m[o + 8] * p[0] + m[o + 9] * p[1] + m[o + 10] * p[2] + m[o + 11];
  }

  /** Global components of a vector of a body. */
  vector(slot: number, p: ArrayLike<number>, out: Float64Array, at = 0): void {
    const m = this.matrices;
    const o = slot * STRIDE;
    out[at] = m[o] * p[0] + m[o + 1] * p[1] + m[o + 2] * p[2];
    out[at + 1] = m[o + 4] * p[0] + m[o + 5] * p[1] + m[o + 6] * p[2];
    out[at + 2] = m[o + 8] * p[0] + m[o + 9] * p[1] + m[o + 10] * p[2];
  }
}

function mix(store: FrameStore, channel: number, i: number, j: number, f: number): number {
  const a = store.at(channel, i);
  return a + f * (store.at(channel, j) - a);
}

function rotation(m: Float64Array, o: number, e0: number, e1: number, e2: number, e3: number): void {
  m[o] = 1 - 2 * (e2 * e2 + e3 * e3);
  m[o + 1] = 2 * (e1 * e2 - e0 * e3);
  m[o + 2] = 2 * (e1 * e3 + e0 * e2);
  m[o + 4] = 2 * (e1 * e2 + e0 * e3);
  m[o + 5] = 1 - 2 * (e1 * e1 + e3 * e3);
  m[o + 6] = 2 * (e2 * e3 - e0 * e1);
  m[o + 8] = 2 * (e1 * e3 - e0 * e2);
  m[o + 9] = 2 * (e2 * e3 + e0 * e1);
  m[o + 10] = 1 - 2 * (e1 * e1 + e2 * e2);
}
