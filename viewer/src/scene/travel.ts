// What is held by the ground, and whether the rest goes anywhere: only then had the camera better go along.

import * as THREE from "three";
import type { Model } from "../data";

/** Whether each body hangs on the ground by joints, directly or by others. Forces and tyres hold nothing. */
export function held(model: Model): boolean[] {
  const ground = model.bodies.length;
  const parent = Int32Array.from({ length: ground + 1 }, (_, i) => i);
  const root = (i: number): number => {
    while (parent[i] !== i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (const j of [...model.joints, ...(model.drivers ?? [])]) {
    // what prescribes a coordinate of one body has no second end: it may drive, but holds nothing
    if (j.bodies.length < 2) continue;
    for (const b of j.bodies) parent[root(b ?? ground)] = root(j.bodies[0] ?? ground);
  }
  for (const { nodes } of [...(model.beams ?? []), ...(model.meshes ?? [])]) for (const b of nodes) parent[root(b)] = root(nodes[0]);
  return model.bodies.map((_, i) => root(i) === root(ground));
}

/** The heaviest body among some. */
export function heaviest(model: Model, among: boolean[]): number {
  let best = -1;
  model.bodies.forEach((b, i) => {
    if (among[i] && (best < 0 || b.mass > model.bodies[best].mass)) best = i;
  });
  return best;
}

/** The room that free bodies take over time. */
export interface Journey {
  /** At the start, and in all. */
  first: THREE.Box3;
  all: THREE.Box3;
  /** Greatest extent at any one time, m. */
  largest: number;
}

/** Whether free bodies go along the floor much farther than they are large, and stay together. */
export function travels({ first, all, largest }: Journey, up: THREE.Vector3): boolean {
  if (first.isEmpty() || all.isEmpty()) return false;
  const along = (box: THREE.Box3) => {
    const s = box.getSize(new THREE.Vector3());
    return s.addScaledVector(up, -s.dot(up));
  };
  const way = along(all);
  const start = first.getSize(new THREE.Vector3());
  const size = Math.max(start.x, start.y, start.z);
  return Math.max(way.x, way.y, way.z) > 2.2 * largest && largest < 1.6 * size;
}
