// Frames of bodies: x red, y green, z blue.

import * as THREE from "three";
import { STRIDE, type Poses } from "../../poses";

const COLOURS = ["#c8443a", "#3f8f4f", "#3b6fb5"];

export class Triads {
  readonly lines: THREE.LineSegments;
  private readonly position: THREE.BufferAttribute;

  constructor(
    private readonly slots: number[],
    private readonly length: number,
  ) {
    const geometry = new THREE.BufferGeometry();
    this.position = new THREE.BufferAttribute(new Float32Array(18 * slots.length), 3).setUsage(THREE.DynamicDrawUsage);
    geometry.setAttribute("position", this.position);
    const colour = slots.flatMap(() =>
      COLOURS.flatMap((c) => {
        const { r, g, b } = new THREE.Color(c);
        return [r, g, b, r, g, b];
      }),
    );
    geometry.setAttribute("color", new THREE.Float32BufferAttribute(colour, 3));
    this.lines = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ vertexColors: true, depthTest: false, transparent: true }));
    this.lines.frustumCulled = false;
    this.lines.renderOrder = 3;
    this.lines.visible = false;
  }

  update(poses: Poses): void {
    if (!this.lines.visible) return;
    const out = this.position.array;
    const m = poses.matrices;
    this.slots.forEach((slot, i) => {
      const o = STRIDE * slot;
      for (let axis = 0; axis < 3; axis++) {
        for (let c = 0; c < 3; c++) {
          const at = m[o + 4 * c + 3];
          out[18 * i + 6 * axis + c] = at;
          out[18 * i + 6 * axis + 3 + c] = at + this.length * m[o + 4 * c + axis];
        }
      }
    });
    this.position.needsUpdate = true;
  }
}
