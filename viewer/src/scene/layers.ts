// Planar models are cut out of plates that lie in layers: what shares a joint must not lie in one.

import type { BeamNodes } from "../beams";
import type { Model } from "../data";

/** A layer for every body such that bodies that share a joint differ; nodes of a beam lie in one. */
export function layering(model: Model, nodes: BeamNodes): number[] {
  const thing = model.bodies.map((_, b) => nodes.named(b)?.nodes[0] ?? b);
  const layer: number[] = model.bodies.map(() => -1);
  const near: number[][] = model.bodies.map(() => []);
  for (const j of model.joints) {
    const [a, b] = j.bodies;
    if (a === null || b === null || a === undefined || b === undefined) continue;
    near[thing[a]].push(thing[b]);
    near[thing[b]].push(thing[a]);
  }
  for (const b of new Set(thing)) {
    let l = 0;
    while (near[b].some((n) => n !== b && layer[n] === l)) l++;
    layer[b] = l;
  }
  return thing.map((b) => layer[b]);
}
