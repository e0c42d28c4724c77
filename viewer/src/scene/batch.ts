// Many parts with one geometry, drawn at once. Each part sits on a body.

import * as THREE from "three";
import type { Euler, Vec3 } from "../data";
import { STRIDE, type Poses } from "../poses";

/** A part as it sits on its body. */
export interface Part {
  /** Slot of the body in `Poses`. */
  slot: number;
  position: Vec3;
  /** x, y, z, w, as three.js has them. */
  rotation: [number, number, number, number];
  scale: Vec3;
  colour: THREE.Color;
  /** Body to select when clicked; -1 for none. */
  body: number;
}

export const UPRIGHT: Part["rotation"] = [0, 0, 0, 1];

export function rotationOf(e: Euler | undefined): Part["rotation"] {
  return e ? [e[1], e[2], e[3], e[0]] : UPRIGHT;
}

/** The turn that brings z to a direction. */
export function alongZ(direction: ArrayLike<number>): Part["rotation"] {
  const v = new THREE.Vector3(direction[0], direction[1], direction[2]).normalize();
  const q = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), v);
  return [q.x, q.y, q.z, q.w];
}

/** One rotation after another. */
export function compose(outer: Part["rotation"], inner: Part["rotation"]): Part["rotation"] {
  const q = new THREE.Quaternion(...outer).multiply(new THREE.Quaternion(...inner));
  return [q.x, q.y, q.z, q.w];
}

export class Batch {
  readonly mesh: THREE.InstancedMesh;
  private readonly local: Float64Array;
  private readonly slots: Int32Array;

  constructor(
    geometry: THREE.BufferGeometry,
    material: THREE.Material,
    readonly parts: Part[],
  ) {
    this.mesh = new THREE.InstancedMesh(geometry, material, parts.length);
    this.mesh.frustumCulled = false;
    this.mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    this.local = new Float64Array(STRIDE * parts.length);
    this.slots = Int32Array.from(parts, (p) => p.slot);
    const m = new THREE.Matrix4();
    parts.forEach((p, i) => {
      m.compose(new THREE.Vector3(...p.position), new THREE.Quaternion(...p.rotation), new THREE.Vector3(...p.scale));
      // three.js keeps columns, we keep three rows
      const e = m.elements;
      for (let r = 0; r < 3; r++) for (let c = 0; c < 4; c++) this.local[STRIDE * i + 4 * r + c] = e[4 * c + r];
      this.mesh.setColorAt(i, p.colour);
    });
  }

  /** Matrices of all parts from those of the bodies. Cost: O(parts), no allocation. */
  update(poses: Poses): void {
    const { local, slots } = this;
    const m = poses.matrices;
    const out = this.mesh.instanceMatrix.array;
    for (let i = 0; i < slots.length; i++) {
      const b = slots[i] * STRIDE;
      const l = i * STRIDE;
      const o = i * 16;
      for (let r = 0; r < 3; r++) {
        const x = m[b + 4 * r];
        const y = m[b + 4 * r + 1];
        const z = m[b + 4 * r + 2];
        out[o + r] = x * local[l] + y * local[l + 4] + z * local[l + 8];
        out[o + 4 + r] = x * local[l + 1] + y * local[l + 5] + z * local[l + 9];
        out[o + 8 + r] = x * local[l + 2] + y * local[l + 6] + z * local[l + 10];
        out[o + 12 + r] = x * local[l + 3] + y * local[l + 7] + z * local[l + 11] + m[b + 4 * r + 3];
      }
      out[o + 15] = 1;
    }
    this.mesh.instanceMatrix.needsUpdate = true;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.dispose();
  }
}
