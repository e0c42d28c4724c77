// The room a motion takes: boxes for the first frame and for all of them.

import * as THREE from "three";
import type { Model } from "../data";
import type { FrameStore } from "../frames";
import { STRIDE, type Poses } from "../poses";
import { allShapes, reach } from "./derive";

export interface Extents {
  first: THREE.Box3;
  all: THREE.Box3;
}

/** Spheres about shapes, looked at in some 60 frames. */
export class Measure {
  private readonly spheres: { slot: number; point: [number, number, number]; radius: number }[] = [];
  private readonly p = new Float64Array(3);
  private readonly v = new THREE.Vector3();

  constructor(
    model: Model,
    private readonly poses: Poses,
    private readonly store: FrameStore,
  ) {
    allShapes(model).forEach((shapes, b) => {
      for (const s of shapes) {
        const at = s.point ?? [0, 0, 0];
        if (s.type === "rod") {
          // both ends, rather than one large sphere
          this.spheres.push({ slot: b, point: at, radius: s.radius });
          if (!s.orientation) {
            this.spheres.push({ slot: b, point: [at[0] + s.to[0], at[1] + s.to[1], at[2] + s.to[2]], radius: s.radius });
            continue;
          }
        }
        this.spheres.push({ slot: b, point: at, radius: reach(s) * (s.type === "box" ? 0.7 : s.type === "cylinder" ? 0.85 : 1) });
      }
    });
    for (const j of model.joints) {
      j.bodies.forEach((b, k) => {
        if (b === null) this.spheres.push({ slot: poses.slot(null), point: j.points[k], radius: 0 });
      });
    }
  }

  now(box: THREE.Box3): THREE.Box3 {
    for (const s of this.spheres) {
      this.poses.point(s.slot, s.point, this.p);
      for (const sign of [-1, 1]) {
        this.v.set(this.p[0] + sign * s.radius, this.p[1] + sign * s.radius, this.p[2] + sign * s.radius);
        if (Number.isFinite(this.v.x + this.v.y + this.v.z)) box.expandByPoint(this.v);
      }
    }
    return box;
  }

  over(): Extents {
    const { store, poses } = this;
    const first = new THREE.Box3();
    const all = new THREE.Box3();
    const every = Math.max(1, Math.floor(store.count / 60));
    for (let i = 0; i < Math.max(1, store.count); i += every) {
      store.seek(store.time(i));
      poses.update();
      if (i === 0) this.now(first);
      this.now(all);
    }
    for (const box of [first, all]) {
      if (box.isEmpty()) box.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
    }
    return { first, all };
  }

  /** Slot of the heaviest body: what the eye follows. */
  static origin(poses: Poses, slot: number, out: THREE.Vector3): THREE.Vector3 {
    const o = slot * STRIDE;
    return out.set(poses.matrices[o + 3], poses.matrices[o + 7], poses.matrices[o + 11]);
  }
}
