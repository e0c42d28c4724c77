// Parts stretched between two points: massless rods, springs, dampers.

import * as THREE from "three";
import type { Vec3 } from "../data";
import type { Poses } from "../poses";

export interface Link {
  slots: [number, number];
  points: [Vec3, Vec3];
  radius: number;
  /** The stretch it covers, as parts of the way. */
  from: number;
  to: number;
  colour: THREE.Color;
}

/** Geometries for links run from z = 0 to z = 1 with radius 1. */
export class LinkBatch {
  readonly mesh: THREE.InstancedMesh;
  private readonly ends = new Float64Array(6);

  constructor(
    geometry: THREE.BufferGeometry,
    material: THREE.Material,
    readonly links: Link[],
  ) {
    this.mesh = new THREE.InstancedMesh(geometry, material, links.length);
    this.mesh.frustumCulled = false;
    this.mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    links.forEach((l, i) => this.mesh.setColorAt(i, l.colour));
  }

  update(poses: Poses): void {
    const { ends, links } = this;
    const out = this.mesh.instanceMatrix.array;
    for (let i = 0; i < links.length; i++) {
      const l = links[i];
      poses.point(l.slots[0], l.points[0], ends, 0);
      poses.point(l.slots[1], l.points[1], ends, 3);
      stretch(out, 16 * i, ends, l.from, l.to, l.radius);
    }
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}

/** Matrix that lays z from one point to another and scales x and y by the radius. */
export function stretch(out: ArrayLike<number> & { [i: number]: number }, o: number, ends: Float64Array, from: number, to: number, radius: number): void {
  const dx = ends[3] - ends[0];
  const dy = ends[4] - ends[1];
  const dz = ends[5] - ends[2];
  const length = Math.hypot(dx, dy, dz) || 1e-12;
  const x = dx / length;
  const y = dy / length;
  const z = dz / length;
  // any direction square to the link, from the axis it is least along
  let ax = 0;
  let ay = 0;
  let az = 0;
  if (Math.abs(z) < 0.9) {
    const n = Math.hypot(x, y);
    ax = -y / n;
    ay = x / n;
  } else {
    const n = Math.hypot(y, z);
    ay = z / n;
    az = -y / n;
  }
  const s = length * (to - from);
  out[o] = radius * ax;
  out[o + 1] = radius * ay;
  out[o + 2] = radius * az;
  out[o + 4] = radius * (y * az - z * ay);
  out[o + 5] = radius * (z * ax - x * az);
  out[o + 6] = radius * (x * ay - y * ax);
  out[o + 8] = s * x;
  out[o + 9] = s * y;
  out[o + 10] = s * z;
  out[o + 12] = ends[0] + from * dx;
  out[o + 13] = ends[1] + from * dy;
  out[o + 14] = ends[2] + from * dz;
  out[o + 15] = 1;
}
