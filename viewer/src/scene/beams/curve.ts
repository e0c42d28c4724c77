// The line of a beam between its nodes: places and Euler parameters are polynomials through the nodes of an element
// with the norm divided out, as the elements themselves have them; in the plane, angles are. Strains are those at
// Gauss's points, where the elements take them, and polynomials through these elsewhere.

import type { Beam } from "../../data";
import { STRIDE, type Poses } from "../../poses";
import { basis, type Basis } from "./basis";

/** What a beam is measured against: its rings at the start. */
export interface Rings {
  /** Places, three numbers a ring. */
  place: Float64Array;
  /** Euler parameters, four numbers a ring. */
  turn: Float64Array;
  /** Stretch, curvature about y and about z: three numbers a ring. */
  strain: Float64Array;
}

/** Where bodies are. */
export type Placed = Pick<Poses, "matrices" | "attitudes">;

/** Where the nodes of a beam are when nothing is strained, if that is given. */
export function atRest(beam: Beam, bodies: number): Placed | null {
  if (!beam.rest) return null;
  const out: Placed = { matrices: new Float64Array(STRIDE * bodies), attitudes: new Float64Array(4 * bodies) };
  beam.rest.forEach((pose, k) => {
    const body = beam.nodes[k];
    const [x, y] = pose;
    const planar = pose.length === 3;
    const e = planar ? [Math.cos(pose[2] / 2), 0, 0, Math.sin(pose[2] / 2)] : pose.slice(3);
    [x, y, planar ? 0 : pose[2]].forEach((v, c) => (out.matrices[STRIDE * body + 4 * c + 3] = v));
    out.attitudes.set(e, 4 * body);
  });
  return out;
}

export class Curve implements Rings {
  readonly nodes: Int32Array;
  readonly count: number;
  readonly elements: number;
  readonly basis: Basis;
  readonly place: Float64Array;
  readonly turn: Float64Array;
  readonly strain: Float64Array;
  /** Node of the beam that is nearest to each ring. */
  readonly nearest: Int32Array;
  /** Half the length of each element, m. */
  private readonly half: Float64Array;
  /** Of the element at hand: places, Euler parameters and angles of its nodes, strains at Gauss's points. */
  private readonly r: Float64Array;
  private readonly p: Float64Array;
  private readonly angle: Float64Array;
  private readonly inner: Float64Array;
  private readonly q = new Float64Array(8);

  constructor(
    beam: Beam,
    private readonly planar: boolean,
  ) {
    const b = (this.basis = basis(beam.order));
    this.nodes = Int32Array.from(beam.nodes);
    this.elements = (beam.nodes.length - 1) / b.order;
    this.count = this.elements * b.rings;
    this.place = new Float64Array(3 * this.count);
    this.turn = new Float64Array(4 * this.count);
    this.strain = new Float64Array(3 * this.count);
    this.nearest = Int32Array.from({ length: this.count }, (_, k) => Math.floor(k / b.rings) * b.order + b.nearest[k % b.rings]);
    this.half = new Float64Array(this.elements).fill(1);
    this.r = new Float64Array(3 * (b.order + 1));
    this.p = new Float64Array(4 * (b.order + 1));
    this.angle = new Float64Array(b.order + 1);
    this.inner = new Float64Array(3 * b.order);
  }

  /** Rings at some poses, to be kept. */
  snapshot(poses: Placed): Rings {
    this.update(poses, true);
    return { place: this.place.slice(), turn: this.turn.slice(), strain: this.strain.slice() };
  }

  /** Length of the line as it lies, m; lengths of elements are taken from here on as they are now. */
  measure(poses: Placed): number {
    const { r, basis: b } = this;
    let sum = 0;
    for (let e = 0; e < this.elements; e++) {
      this.gather(poses, e);
      let length = 0;
      for (let g = 0; g < b.order; g++) {
        const way = [0, 0, 0];
        for (let a = 0; a <= b.order; a++) for (let c = 0; c < 3; c++) way[c] += b.rise[g * (b.order + 1) + a] * r[3 * a + c];
        length += b.weights[g] * Math.hypot(...way);
      }
      this.half[e] = length / 2 || 1;
      sum += length;
    }
    return sum;
  }

  /** Rings as the bodies lie now. Cost: O(rings × order), no allocation. */
  update(poses: Placed, strains: boolean): void {
    for (let e = 0; e < this.elements; e++) {
      this.gather(poses, e);
      this.rings(e);
      if (strains) this.strains(e);
    }
  }

  /** Nodes of an element; the signs of Euler parameters agree from node to node, angles do not jump. */
  private gather(poses: Placed, element: number): void {
    const { r, p, angle, nodes, basis: b } = this;
    const { matrices: m, attitudes } = poses;
    for (let a = 0; a <= b.order; a++) {
      const body = nodes[element * b.order + a];
      for (let k = 0; k < 3; k++) r[3 * a + k] = m[STRIDE * body + 4 * k + 3];
      let dot = 0;
      for (let k = 0; k < 4; k++) {
        p[4 * a + k] = attitudes[4 * body + k];
        if (a > 0) dot += p[4 * a + k] * p[4 * a + k - 4];
      }
      if (dot < 0) for (let k = 0; k < 4; k++) p[4 * a + k] *= -1;
      const turned = 2 * Math.atan2(p[4 * a + 3], p[4 * a]);
      const before = a > 0 ? angle[a - 1] : turned;
      angle[a] = turned - 2 * Math.PI * Math.round((turned - before) / (2 * Math.PI));
    }
  }

  private rings(element: number): void {
    const { r, basis: b, place, turn, q } = this;
    const n = b.order + 1;
    for (let k = 0; k < b.rings; k++) {
      const ring = element * b.rings + k;
      for (let c = 0; c < 3; c++) {
        let sum = 0;
        for (let a = 0; a < n; a++) sum += b.at[k * n + a] * r[3 * a + c];
        place[3 * ring + c] = sum;
      }
      this.attitude(b.at, k * n, 0);
      const norm = 1 / (Math.hypot(q[0], q[1], q[2], q[3]) || 1);
      for (let c = 0; c < 4; c++) turn[4 * ring + c] = q[c] * norm;
    }
  }

  /** Euler parameters (or their slopes) by weights from `from` on, into `q` at `to`. */
  private attitude(weights: Float64Array, from: number, to: number): void {
    const { p, angle, q, basis: b } = this;
    if (this.planar) {
      let half = 0;
      for (let a = 0; a <= b.order; a++) half += 0.5 * weights[from + a] * angle[a];
      q[to] = Math.cos(half);
      q[to + 1] = q[to + 2] = 0;
      q[to + 3] = Math.sin(half);
      return;
    }
    for (let c = 0; c < 4; c++) {
      let sum = 0;
      for (let a = 0; a <= b.order; a++) sum += weights[from + a] * p[4 * a + c];
      q[to + c] = sum;
    }
  }

  private strains(element: number): void {
    const { inner, strain, basis: b } = this;
    for (let g = 0; g < b.order; g++) this.strainsAt(g, 1 / this.half[element]);
    for (let k = 0; k < b.rings; k++) {
      for (let c = 0; c < 3; c++) {
        let sum = 0;
        for (let g = 0; g < b.order; g++) sum += b.spread[k * b.order + g] * inner[3 * g + c];
        strain[3 * (element * b.rings + k) + c] = sum;
      }
    }
  }

  /** Stretch gam = Rᵀ r' and curvature kap = 2 G(q) q' / n at a point of Gauss. */
  private strainsAt(g: number, scale: number): void {
    const { r, angle, basis: b, q, inner } = this;
    const from = g * (b.order + 1);
    let x = 0;
    let y = 0;
    let z = 0;
    let bend = 0;
    for (let a = 0; a <= b.order; a++) {
      const w = scale * b.rise[from + a];
      x += w * r[3 * a];
      y += w * r[3 * a + 1];
      z += w * r[3 * a + 2];
      bend += w * angle[a];
    }
    this.attitude(b.inside, from, 0);
    const e0 = q[0];
    const e1 = q[1];
    const e2 = q[2];
    const e3 = q[3];
    const n = e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3 || 1;
    inner[3 * g] = ((e0 * e0 + e1 * e1 - e2 * e2 - e3 * e3) * x + 2 * (e1 * e2 + e0 * e3) * y + 2 * (e1 * e3 - e0 * e2) * z) / n;
    if (this.planar) {
      inner[3 * g + 1] = 0;
      inner[3 * g + 2] = bend;
      return;
    }
    this.attitude(b.rise, from, 4);
    const d0 = scale * q[4];
    const d1 = scale * q[5];
    const d2 = scale * q[6];
    const d3 = scale * q[7];
    inner[3 * g + 1] = (2 * (e0 * d2 - e2 * d0 - e3 * d1 + e1 * d3)) / n;
    inner[3 * g + 2] = (2 * (e0 * d3 - e3 * d0 - e1 * d2 + e2 * d1)) / n;
  }
}
