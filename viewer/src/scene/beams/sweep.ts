// A section drawn along the rings of a beam: one geometry, written anew in place.

import * as THREE from "three";
import type { Reading } from "./readings";
import type { Section } from "./section";

export class Sweep {
  readonly geometry = new THREE.BufferGeometry();
  /** The number of each corner that its colour shows. */
  readonly amounts: Float32Array;
  private readonly position: THREE.BufferAttribute;
  private readonly normal: THREE.BufferAttribute;
  /** The place of its ring, for each corner. */
  private readonly centre: THREE.BufferAttribute;
  private readonly amount: THREE.BufferAttribute;
  private readonly sides: number;
  /** Corners of a ring. */
  readonly around: number;
  private readonly m = new Float64Array(9);

  constructor(
    /** One, or one for each ring; all have as many sides. */
    private readonly sections: Section[],
    private readonly rings: number,
    /** Rings of an element: between two of them there is nothing to draw. */
    each: number,
    /** How far the ends stand out, m. */
    private readonly over = 0,
  ) {
    const n = (this.sides = sections[0].sides);
    this.around = 2 * n;
    const corners = rings * this.around + 2 * n;
    const attribute = (name: string, size: number) => {
      const a = new THREE.BufferAttribute(new Float32Array(size * corners), size).setUsage(THREE.DynamicDrawUsage);
      this.geometry.setAttribute(name, a);
      return a;
    };
    this.position = attribute("position", 3);
    this.normal = attribute("normal", 3);
    this.centre = attribute("centre", 3);
    this.amount = attribute("amount", 1);
    this.amounts = this.amount.array as Float32Array;
    this.geometry.setIndex(this.triangles(each));
    // it is never left out and always asked
    this.geometry.boundingSphere = new THREE.Sphere(new THREE.Vector3(), Infinity);
  }

  private triangles(each: number): number[] {
    const { rings, around, sides: n } = this;
    const out: number[] = [];
    for (let k = 0; k + 1 < rings; k++) {
      if ((k + 1) % each === 0) continue;
      for (let s = 0; s < n; s++) {
        const a = k * around + 2 * s;
        out.push(a, a + 1, a + around, a + 1, a + around + 1, a + around);
      }
    }
    const [first, last] = [rings * around, rings * around + n];
    const end = (section: Section, from: number, flip: boolean) => {
      for (let t = 0; t < section.ends.length; t += 3) {
        const [a, b, c] = section.ends.slice(t, t + 3);
        out.push(from + a, from + (flip ? c : b), from + (flip ? b : c));
      }
    };
    end(this.at(0), first, true);
    end(this.at(rings - 1), last, false);
    return out;
  }

  private at(ring: number): Section {
    return this.sections[this.sections.length === 1 ? 0 : ring];
  }

  /** Corners from places and Euler parameters of the rings. Cost: O(corners), no allocation. */
  update(place: Float64Array, turn: Float64Array): void {
    for (let k = 0; k < this.rings; k++) this.ring(place, turn, k);
    this.end(turn, 0, this.rings * this.around, -1);
    this.end(turn, this.rings - 1, this.rings * this.around + this.sides, 1);
    this.position.needsUpdate = this.normal.needsUpdate = this.centre.needsUpdate = true;
  }

  private ring(place: Float64Array, turn: Float64Array, k: number): void {
    const { m, around } = this;
    const { corners } = this.at(k);
    const out = this.position.array;
    const normal = this.normal.array;
    const centre = this.centre.array;
    rotation(turn, 4 * k, m);
    const over = k === 0 ? -this.over : k === this.rings - 1 ? this.over : 0;
    for (let i = 0; i < around; i++) {
      const y = corners[4 * i];
      const z = corners[4 * i + 1];
      const ny = corners[4 * i + 2];
      const nz = corners[4 * i + 3];
      const o = 3 * (k * around + i);
      for (let c = 0; c < 3; c++) {
        const at = place[3 * k + c] + m[3 * c] * over;
        centre[o + c] = at;
        out[o + c] = at + m[3 * c + 1] * y + m[3 * c + 2] * z;
        normal[o + c] = m[3 * c + 1] * ny + m[3 * c + 2] * nz;
      }
    }
  }

  /** The end at a ring, with the corners of its sides from `to` on. */
  private end(turn: Float64Array, k: number, to: number, sign: number): void {
    const { m, around, sides } = this;
    const out = this.position.array;
    const centre = this.centre.array;
    const normal = this.normal.array;
    rotation(turn, 4 * k, m);
    for (let s = 0; s < sides; s++) {
      const o = 3 * (to + s);
      const from = 3 * (k * around + 2 * s);
      for (let c = 0; c < 3; c++) {
        out[o + c] = out[from + c];
        centre[o + c] = centre[from + c];
        normal[o + c] = sign * m[3 * c];
      }
    }
  }

  /** Numbers of all corners. */
  paint(reading: Reading): void {
    const { around, rings, sides, amounts } = this;
    for (let k = 0; k < rings; k++) {
      reading.ring(k);
      const { corners } = this.at(k);
      for (let i = 0; i < around; i++) amounts[k * around + i] = reading.at(corners[4 * i], corners[4 * i + 1]);
    }
    const end = rings * around;
    for (let s = 0; s < sides; s++) {
      amounts[end + s] = amounts[2 * s];
      amounts[end + sides + s] = amounts[end - around + 2 * s];
    }
    this.amount.needsUpdate = true;
  }

  /** The ring that a corner belongs to. */
  ringOf(corner: number): number {
    const sides = this.rings * this.around;
    if (corner < sides) return Math.floor(corner / this.around);
    return corner < sides + this.sides ? 0 : this.rings - 1;
  }
}

/** Rotation matrix by rows of Euler parameters of length one. */
export function rotation(e: Float64Array, o: number, m: Float64Array): void {
  const e0 = e[o];
  const e1 = e[o + 1];
  const e2 = e[o + 2];
  const e3 = e[o + 3];
  m[0] = 1 - 2 * (e2 * e2 + e3 * e3);
  m[1] = 2 * (e1 * e2 - e0 * e3);
  m[2] = 2 * (e1 * e3 + e0 * e2);
  m[3] = 2 * (e1 * e2 + e0 * e3);
  m[4] = 1 - 2 * (e1 * e1 + e3 * e3);
  m[5] = 2 * (e2 * e3 - e0 * e1);
  m[6] = 2 * (e1 * e3 - e0 * e2);
  m[7] = 2 * (e2 * e3 + e0 * e1);
  m[8] = 1 - 2 * (e1 * e1 + e2 * e2);
}
