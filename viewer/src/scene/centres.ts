// Centres of mass: dots that nothing hides.

import * as THREE from "three";
import type { Model } from "../data";
import { Batch, UPRIGHT, type Part } from "./batch";
import * as geometry from "./geometry";

export function centres(model: Model, typical: number): Batch {
  const colour = new THREE.Color("#ffffff");
  const s = 0.05 * typical;
  const nodes = new Set([...(model.beams ?? []), ...(model.meshes ?? [])].flatMap((b) => b.nodes));
  const parts: Part[] = model.bodies.map((b, i) => {
    const r = nodes.has(i) ? 0.3 * s : s;
    return { slot: i, position: b.com, rotation: UPRIGHT, scale: [r, r, r], colour, body: i };
  });
  const material = new THREE.MeshBasicMaterial({ color: "#c8553d", depthTest: false, transparent: true, opacity: 0.85 });
  const batch = new Batch(geometry.sphere(false), material, parts);
  batch.mesh.renderOrder = 2;
  return batch;
}
