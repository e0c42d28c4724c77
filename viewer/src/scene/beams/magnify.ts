// Deformation seen larger: what differs from the motion of the beam as a rigid body, times a factor. That motion is
// that of a clamped end, or else the mean of the nodes.

import type { Model } from "../../data";
import { STRIDE } from "../../poses";
import type { Curve, Placed, Rings } from "./curve";

export class Magnifier implements Pick<Rings, "place" | "turn"> {
  readonly place: Float64Array;
  readonly turn: Float64Array;
  /** Where nodes are that tell the rigid motion, and how they are turned, at the start. */
  private readonly centre: Float64Array;
  private readonly turns: Float64Array;
  private readonly now = new Float64Array(3);
  /** The rigid turn, and the turn back. */
  private readonly q = new Float64Array(4);
  private readonly back = new Float64Array(4);
  private readonly a = new Float64Array(4);
  private readonly b = new Float64Array(4);

  constructor(
    private readonly curve: Curve,
    private readonly start: Rings,
    private readonly nodes: Int32Array,
    poses: Placed,
  ) {
    this.place = new Float64Array(3 * curve.count);
    this.turn = new Float64Array(4 * curve.count);
    this.centre = new Float64Array(3);
    this.middle(poses, this.centre);
    this.turns = Float64Array.from(Array.from(nodes).flatMap((n) => Array.from(poses.attitudes.subarray(4 * n, 4 * n + 4))));
  }

  /** Rings with the deformation `times` as large. Cost: O(rings), no allocation. */
  update(poses: Placed, times: number): void {
    const { curve, start, now, centre, q, back, a, b, place, turn } = this;
    this.middle(poses, now);
    this.meanTurn(poses);
    for (let k = 0; k < curve.count; k++) {
      a[0] = 0;
      for (let c = 0; c < 3; c++) a[1 + c] = start.place[3 * k + c] - centre[c];
      // where the ring would be without deformation
      multiply(q, 0, a, 0, b, 0);
      multiply(b, 0, back, 0, a, 0);
      for (let c = 0; c < 3; c++) {
        const rigid = now[c] + a[1 + c];
        place[3 * k + c] = rigid + times * (curve.place[3 * k + c] - rigid);
      }
      // what the section has turned by itself, in its own axes
      multiply(back, 0, curve.turn, 4 * k, b, 0);
      for (let c = 0; c < 4; c++) a[c] = (c === 0 ? 1 : -1) * start.turn[4 * k + c];
      multiply(a, 0, b, 0, turn, 4 * k);
      this.enlarge(4 * k, times);
      multiply(start.turn, 4 * k, turn, 4 * k, b, 0);
      multiply(q, 0, b, 0, turn, 4 * k);
    }
  }

  /** A turn against the section at the start: twist times the factor, and bending as the line of magnified places has it. */
  private enlarge(o: number, times: number): void {
    const { turn, a, b } = this;
    const sign = turn[o] < 0 ? -1 : 1;
    const w = sign * turn[o];
    const x = sign * turn[o + 1];
    const y = sign * turn[o + 2];
    const z = sign * turn[o + 3];
    // the turn is that of bending after a twist about the line
    const n = Math.hypot(w, x) || 1;
    const c = w / n;
    const s = x / n;
    const twist = 2 * Math.atan2(s, c) * times;
    const by = y * c - z * s;
    const bz = z * c + y * s;
    const bend = Math.hypot(by, bz);
    const angle = 2 * Math.atan2(bend, n);
    const larger = Math.atan2(times * Math.sin(angle), 1 - times * (1 - Math.cos(angle)));
    const part = bend > 0 ? Math.sin(larger / 2) / bend : 0;
    a[0] = Math.cos(larger / 2);
    a[1] = 0;
    a[2] = part * by;
    a[3] = part * bz;
    b[0] = Math.cos(twist / 2);
    b[1] = Math.sin(twist / 2);
    b[2] = b[3] = 0;
    multiply(a, 0, b, 0, turn, o);
  }

  private middle(poses: Placed, out: Float64Array): void {
    const { nodes } = this;
    out.fill(0);
    for (let i = 0; i < nodes.length; i++) {
      for (let c = 0; c < 3; c++) out[c] += poses.matrices[STRIDE * nodes[i] + 4 * c + 3] / nodes.length;
    }
  }

  /** Mean turn of the nodes against the start. */
  private meanTurn(poses: Placed): void {
    const { nodes, turns, q, a, b } = this;
    q.fill(0);
    for (let i = 0; i < nodes.length; i++) {
      for (let c = 0; c < 4; c++) a[c] = (c === 0 ? 1 : -1) * turns[4 * i + c];
      multiply(poses.attitudes, 4 * nodes[i], a, 0, b, 0);
      const sign = q[0] * b[0] + q[1] * b[1] + q[2] * b[2] + q[3] * b[3] < 0 ? -1 : 1;
      for (let c = 0; c < 4; c++) q[c] += sign * b[c];
    }
    const norm = 1 / (Math.hypot(q[0], q[1], q[2], q[3]) || 1);
    for (let c = 0; c < 4; c++) {
      q[c] *= norm;
      this.back[c] = (c === 0 ? 1 : -1) * q[c];
    }
  }
}

/** One turn after another, in Euler parameters. */
function multiply(p: Float64Array, i: number, q: Float64Array, j: number, out: Float64Array, o: number): void {
  const p0 = p[i];
  const p1 = p[i + 1];
  const p2 = p[i + 2];
  const p3 = p[i + 3];
  const q0 = q[j];
  const q1 = q[j + 1];
  const q2 = q[j + 2];
  const q3 = q[j + 3];
  out[o] = p0 * q0 - p1 * q1 - p2 * q2 - p3 * q3;
  out[o + 1] = p0 * q1 + p1 * q0 + p2 * q3 - p3 * q2;
  out[o + 2] = p0 * q2 - p1 * q3 + p2 * q0 + p3 * q1;
  out[o + 3] = p0 * q3 + p1 * q2 - p2 * q1 + p3 * q0;
}

/** The node at a clamped end of a beam, or all of its nodes. */
export function leading(model: Model, nodes: number[]): Int32Array {
  const ends = [nodes[0], nodes[nodes.length - 1]];
  const clamped = ends.find((end) => model.joints.some((j) => j.symbol === "block" && j.bodies.includes(end)));
  return Int32Array.from(clamped === undefined ? nodes : [clamped]);
}
