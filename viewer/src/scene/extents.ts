// The room a motion takes: boxes for the first frame and for all of them.

import * as THREE from "three";
import type { Model, Shape, Vec3 } from "../data";
import type { FrameStore } from "../frames";
import { STRIDE, type Poses } from "../poses";
import { rotationOf } from "./batch";
import { reach } from "./beams/section";
import type { Shapes } from "./derive";
import type { Journey } from "./travel";

export interface Extents {
  first: THREE.Box3;
  all: THREE.Box3;
  /** Of bodies that no joint holds. */
  free: Journey;
}

interface Ball {
  slot: number;
  point: Vec3;
  radius: number;
}

/** Balls that together hold the shapes, looked at in some 60 frames. */
export class Measure {
  private readonly balls: Ball[] = [];
  private readonly p = new Float64Array(3);
  private readonly v = new THREE.Vector3();

  constructor(
    model: Model,
    shapes: Shapes,
    private readonly poses: Poses,
    private readonly store: FrameStore,
    private readonly held: boolean[],
  ) {
    shapes.bodies.forEach((list, slot) => {
      for (const s of list) for (const b of ballsOf(s)) this.balls.push({ slot, ...b });
    });
    for (const { nodes, outline } of model.beams ?? []) {
      for (const slot of nodes) this.balls.push({ slot, point: [0, 0, 0], radius: reach(outline) });
    }
    // what is held by the ground is seen to its end
    for (const j of [...model.joints, ...model.forces.filter((f) => f.bodies.length > 1)]) {
      j.bodies.forEach((b, k) => {
        if (b === null) this.balls.push({ slot: poses.slot(null), point: j.points[k], radius: 0 });
      });
    }
  }

  /** Grows a box by what is there now; by free bodies only, if so wanted. */
  now(box: THREE.Box3, free = false): THREE.Box3 {
    for (const b of this.balls) {
      if (free && this.held[b.slot] !== false) continue;
      this.poses.point(b.slot, b.point, this.p);
      const [x, y, z] = this.p;
      if (!Number.isFinite(x + y + z)) continue;
      box.expandByPoint(this.v.set(x - b.radius, y - b.radius, z - b.radius));
      box.expandByPoint(this.v.set(x + b.radius, y + b.radius, z + b.radius));
    }
    return box;
  }

  over(): Extents {
    const { store } = this;
    const empty = () => new THREE.Box3();
    const out: Extents = { first: empty(), all: empty(), free: { first: empty(), all: empty(), largest: 0 } };
    const last = Math.max(0, store.count - 1);
    const every = Math.max(1, Math.floor(store.count / 60));
    for (let i = 0; i <= last; i += every) this.add(i, out);
    if (last % every !== 0) this.add(last, out);
    for (const box of [out.first, out.all]) {
      if (box.isEmpty()) box.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
    }
    return out;
  }

  /** What a frame adds; poses and store are left at it. */
  add(frame: number, out: Extents): void {
    this.store.seek(this.store.time(frame));
    this.poses.update();
    if (frame === 0) this.now(out.first);
    this.now(out.all);
    const free = this.now(new THREE.Box3(), true);
    if (free.isEmpty()) return;
    if (out.free.first.isEmpty()) out.free.first.copy(free);
    out.free.all.union(free);
    const s = free.getSize(new THREE.Vector3());
    out.free.largest = Math.max(out.free.largest, s.x, s.y, s.z);
  }

  /** Origin of a body. */
  static origin(poses: Poses, slot: number, out: THREE.Vector3): THREE.Vector3 {
    const o = slot * STRIDE;
    return out.set(poses.matrices[o + 3], poses.matrices[o + 7], poses.matrices[o + 11]);
  }
}

function ballsOf(s: Shape): Omit<Ball, "slot">[] {
  const at = new THREE.Vector3(...(s.point ?? [0, 0, 0]));
  const turn = new THREE.Quaternion(...rotationOf(s.orientation));
  const place = (x: number, y: number, z: number): Vec3 => {
    const v = new THREE.Vector3(x, y, z).applyQuaternion(turn).add(at);
    return [v.x, v.y, v.z];
  };
  switch (s.type) {
    case "sphere":
      return [{ point: place(0, 0, 0), radius: s.radius }];
    case "rod":
      return [place(0, 0, 0), place(...s.to)].map((point) => ({ point, radius: s.radius }));
    case "cylinder": {
      const d = new THREE.Vector3(...(s.direction ?? [0, 0, 1])).setLength(s.length / 2);
      return [place(d.x, d.y, d.z), place(-d.x, -d.y, -d.z)].map((point) => ({ point, radius: s.radius }));
    }
    case "box": {
      const [x, y, z] = s.size.map((e) => e / 2);
      return [1, -1].flatMap((i) => [1, -1].flatMap((j) => [1, -1].map((k) => ({ point: place(i * x, j * y, k * z), radius: 0 }))));
    }
  }
}
