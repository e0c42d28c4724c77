// The mechanisms of other runs, pale beside that of the run shown.

import * as THREE from "three";
import type { BeamNodes } from "../beams";
import type { Model } from "../data";
import type { OtherRun } from "../runs";
import { Beams } from "./beams/beams";
import { Bodies } from "./bodies";
import type { Shapes } from "./derive";

const PALE = 0.32;

interface Ghost {
  run: OtherRun;
  bodies: Bodies;
  beams: Beams;
}

export class Ghosts {
  readonly group = new THREE.Group();
  private readonly list: Ghost[] = [];

  constructor(model: Model, runs: OtherRun[], shapes: Shapes, nodes: BeamNodes, layers: number[], width: number) {
    for (const run of runs) {
      const { poses, store } = run;
      if (!poses) continue;
      store.seek(store.start);
      poses.update();
      const bodies = new Bodies({ ...model, ground: [] }, shapes, poses, layers, width);
      const beams = new Beams(model, nodes, poses, store, shapes.typical, 0.5 * width, layers);
      this.list.push({ run, bodies, beams });
      this.group.add(bodies.group, beams.group);
    }
    this.group.traverse((object) => {
      const { material } = object as THREE.Mesh;
      object.castShadow = object.receiveShadow = false;
      if (!(material instanceof THREE.Material)) return;
      material.transparent = true;
      material.opacity = PALE;
      material.depthWrite = false;
    });
  }

  /** All of them at a time. */
  update(time: number): void {
    if (!this.group.visible) return;
    for (const { run, bodies, beams } of this.list) {
      run.store.seek(time);
      run.poses?.update();
      if (run.poses) bodies.update(run.poses);
      beams.update();
    }
  }

  /** Global origin of a body in a run, for tests. */
  origin(run: number, body: number): [number, number, number] | null {
    const m = this.list[run]?.run.poses?.matrices;
    return m ? [m[12 * body + 3], m[12 * body + 7], m[12 * body + 11]] : null;
  }
}
