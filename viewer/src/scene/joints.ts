// Symbols of joints: small, at the point on the first body.

import * as THREE from "three";
import type { Joint, Model, Vec3 } from "../data";
import type { FrameStore } from "../frames";
import type { Poses } from "../poses";
import { alongZ, Batch, UPRIGHT, type Part } from "./batch";
import { reach } from "./beams/section";
import * as geometry from "./geometry";
import { LinkBatch, type Link } from "./links";
import { solid } from "./material";
import { slides } from "./slides";

const WHITE = new THREE.Color("#ffffff");

export class Joints {
  readonly group = new THREE.Group();
  private readonly batches: (Batch | LinkBatch)[] = [];
  private readonly material = solid({ roughness: 0.5 });
  /** Where something is in front: joints mostly sit inside of what they join. */
  private readonly hidden = new THREE.MeshBasicMaterial({
    depthFunc: THREE.GreaterDepth,
    depthWrite: false,
    transparent: true,
    opacity: 0.5,
  });

  constructor(model: Model, poses: Poses, store: FrameStore, typical: number) {
    const planar = model.space === "planar";
    const fine = model.joints.length <= 300;
    /** Equations of what only slides. */
    const full = planar ? 2 : 5;
    const s = symbolSize(model, typical);
    const parts = { box: [] as Part[], sphere: [] as Part[], cylinder: [] as Part[], ring: [] as Part[] };
    const rods: Link[] = [];
    const ways = slides(model, poses, store);
    const rams: Link[] = [];

    const add = (kind: keyof typeof parts, j: Joint, end: number, rotation: Part["rotation"], scale: Vec3) => {
      const { middle } = end === 0 ? way(ways.get(j), j) : { middle: [0, 0, 0] };
      const p = j.points[end].map((x, k) => x + middle[k]);
      const lift = planar ? 0.04 * typical : 0;
      const slot = poses.slot(j.bodies[end]);
      parts[kind].push({ slot, position: [p[0], p[1], p[2] + lift], rotation, scale, colour: WHITE, body: -1 });
    };
    const axis = (j: Joint, end: number): Part["rotation"] => {
      const a = j.axes?.[end];
      return a ? alongZ(a) : UPRIGHT;
    };
    const rod = (j: Joint, list: Link[], radius: number, from: number, to: number) =>
      list.push({
        slots: [poses.slot(j.bodies[0]), poses.slot(j.bodies[1])],
        points: [j.points[0], j.points[1]],
        radius,
        from,
        to,
        colour: WHITE,
      });

    for (const j of model.joints) {
      if (j.points.length === 0) continue;
      const two = j.points.length > 1;
      switch (j.symbol) {
        case "pin":
          if (planar) {
            add("cylinder", j, 0, UPRIGHT, [0.42 * s, 0.42 * s, 0.1 * typical]);
            add("ring", j, 0, UPRIGHT, [0.8 * s, 0.8 * s, 0.8 * s]);
          } else {
            add("cylinder", j, 0, axis(j, 0), [0.8 * s, 0.8 * s, 3.4 * s]);
          }
          break;
        case "ball":
          add("sphere", j, 0, UPRIGHT, [s, s, s]);
          break;
        case "cross":
          add("cylinder", j, 0, axis(j, 0), [0.5 * s, 0.5 * s, 3 * s]);
          if (two) add("cylinder", j, 1, axis(j, 1), [0.5 * s, 0.5 * s, 3 * s]);
          break;
        case "sleeve":
          add("cylinder", j, 0, axis(j, 0), [0.9 * s, 0.9 * s, 5 * s + way(ways.get(j), j).length]);
          break;
        case "guide":
          {
            const long = 5 * s + way(ways.get(j), j).length;
            add("box", j, 0, planar ? turned(j.axes?.[0]) : axis(j, 0), planar ? [long, 0.7 * s, s] : [0.9 * s, 0.9 * s, long]);
          }
          // what may turn in its guide as well is round
          if (two && (j.equations ?? full) < full) add(planar ? "cylinder" : "sphere", j, 1, UPRIGHT, planar ? [0.85 * s, 0.85 * s, 1.2 * s] : [s, s, s]);
          else if (two) add("box", j, 1, planar ? turned(j.axes?.[1]) : axis(j, 1), planar ? [2.6 * s, 1.5 * s, 1.2 * s] : [1.6 * s, 1.6 * s, 2.6 * s]);
          break;
        case "disc":
          add("cylinder", j, 0, axis(j, 0), [3 * s, 3 * s, 0.25 * s]);
          break;
        case "rod":
          if (two) rod(j, rods, 0.4 * s, 0, 1);
          add("sphere", j, 0, UPRIGHT, [0.75 * s, 0.75 * s, 0.75 * s]);
          if (two) add("sphere", j, 1, UPRIGHT, [0.75 * s, 0.75 * s, 0.75 * s]);
          break;
        case "block":
          add("box", j, 0, UPRIGHT, [1.3 * s, 1.3 * s, 1.3 * s]);
          break;
        default:
          add("sphere", j, 0, UPRIGHT, [0.6 * s, 0.6 * s, 0.6 * s]);
      }
    }
    // drivers of a distance: a hydraulic cylinder
    for (const d of model.drivers ?? []) {
      if (d.points.length < 2) continue;
      rod(d, rods, 0.5 * s, 0, 1);
      rod(d, rams, s, 0, 0.55);
    }

    const made = (batch: Batch | LinkBatch) => {
      batch.mesh.castShadow = true;
      this.batches.push(batch);
      this.group.add(batch.mesh);
      if (planar || !fine) return;
      const ghost = new THREE.InstancedMesh(batch.mesh.geometry, this.hidden, batch.mesh.count);
      ghost.instanceMatrix = batch.mesh.instanceMatrix;
      ghost.frustumCulled = false;
      ghost.renderOrder = 2;
      this.group.add(ghost);
    };
    if (parts.box.length) made(new Batch(geometry.box(), this.material, parts.box));
    if (parts.sphere.length) made(new Batch(geometry.sphere(fine), this.material, parts.sphere));
    if (parts.cylinder.length) made(new Batch(geometry.cylinder(fine), this.material, parts.cylinder));
    if (parts.ring.length) made(new Batch(geometry.ring(), this.material, parts.ring));
    if (rods.length) made(new LinkBatch(geometry.shaft(fine), this.material, rods));
    if (rams.length) made(new LinkBatch(geometry.shaft(fine), this.material, rams));
  }

  update(poses: Poses): void {
    for (const b of this.batches) b.update(poses);
  }

  colour(text: string, hidden: string): void {
    this.material.color.set(text);
    this.hidden.color.set(hidden);
  }
}

/** Half way along what a joint slides, and how long that is. */
function way(range: [number, number] | undefined, { axes }: Joint): { middle: Vec3; length: number } {
  const [x, y, z] = axes?.[0] ?? [0, 0, 1];
  const part = range ? (range[0] + range[1]) / 2 / (Math.hypot(x, y, z) || 1) : 0;
  return { middle: [part * x, part * y, part * z], length: range ? range[1] - range[0] : 0 };
}

/** A little thicker than the bars they join. */
function symbolSize(model: Model, typical: number): number {
  const radii = model.bodies
    .flatMap((b) => b.shapes ?? [])
    .flatMap((s) => (s.type === "rod" ? [s.radius] : []))
    .concat((model.beams ?? []).map((b) => 0.8 * reach(b.outline)))
    .sort((a, b) => a - b);
  if (radii.length === 0) return 0.045 * typical;
  return Math.min(0.12 * typical, Math.max(0.025 * typical, 1.3 * radii[radii.length >> 1]));
}

/** Turn in the plane that brings x to a direction. */
function turned(axis: Vec3 | undefined): Part["rotation"] {
  const half = axis ? Math.atan2(axis[1], axis[0]) / 2 : 0;
  return [0, 0, Math.sin(half), Math.cos(half)];
}
