// Looking inside: bodies that let light through, and a plane that cuts them.

import * as THREE from "three";

export type CutAxis = "none" | "x" | "y" | "z";

export class Cut {
  private readonly plane = new THREE.Plane();

  constructor(
    private readonly renderer: THREE.WebGLRenderer,
    private readonly groups: THREE.Object3D[],
    private readonly box: THREE.Box3,
  ) {}

  /** How much of what is behind a body is hidden by it: 1 is all. */
  opacity(part: number): void {
    this.each((m) => {
      const all = part * ((m.userData.opacity as number | undefined) ?? 1);
      m.transparent = all < 1;
      m.opacity = all;
      m.depthWrite = all >= 1;
    });
  }

  /** What lies beyond a part of the way along an axis is left out. */
  section(axis: CutAxis, part: number): void {
    const on = axis !== "none";
    this.renderer.localClippingEnabled = on;
    if (on) {
      const { min, max } = this.box;
      this.plane.normal.set(0, 0, 0)[axis] = -1;
      this.plane.constant = min[axis] + part * (max[axis] - min[axis]);
    }
    this.each((m) => {
      m.clippingPlanes = on ? [this.plane] : null;
      m.side = on ? THREE.DoubleSide : THREE.FrontSide;
    });
  }

  private each(change: (m: THREE.Material) => void): void {
    const seen = new Set<THREE.Material>();
    for (const group of this.groups) {
      group.traverse((object) => {
        const m = (object as THREE.Mesh).material;
        // outlines of what is selected are seen from inside
        if (!(m instanceof THREE.Material) || m.side === THREE.BackSide || seen.has(m)) return;
        seen.add(m);
        change(m);
        m.needsUpdate = true;
      });
    }
  }
}
