// The room a motion takes: boxes for the first frame and for all of them.

import * as THREE from "three";
import { decodeFull } from "../columns";
import type { Mesh, Model, Shape, Vec3 } from "../data";
import type { FrameStore } from "../frames";
import { STRIDE, type Poses } from "../poses";
import { rotationOf } from "./batch";
import { Curve } from "./beams/curve";
import { reach } from "./beams/section";
import type { Shapes } from "./derive";
import { meshShapeBox } from "./geometry";
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

/** The line of a beam, and how far its section reaches. */
interface Line {
  curve: Curve;
  radius: number;
  held: boolean;
}

/** How far the symbol of a hinge on the ground reaches, as a part of a typical length. */
const SYMBOL = 0.15;
/** Least frames that are looked at where there are many, and how many places are looked at in all. */
const LEAST = 60;
const PLACES = 2e5;

/** Balls that together hold the shapes, and lines of beams. */
export class Measure {
  private readonly balls: Ball[] = [];
  private readonly lines: Line[];
  /** Frames that were looked at. */
  private seen = 0;
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
    this.lines = (model.beams ?? []).map((beam) => ({
      curve: new Curve(beam, model.space === "planar"),
      radius: Math.max(...(beam.outlines ?? [beam.outline]).map(reach)),
      held: held[beam.nodes[0]],
    }));
    for (const mesh of model.meshes ?? []) {
      if (mesh.corners) {
        const rest = decodeFull(mesh.points, 3 * mesh.count, `points of ${mesh.name}`);
        mesh.corners.forEach((b, k) => {
          const point: Vec3 = b === null ? [rest[3 * k], rest[3 * k + 1], rest[3 * k + 2]] : [0, 0, 0];
          this.balls.push({ slot: b ?? poses.slot(null), point, radius: 0 });
        });
        continue;
      }
      const box = meshBox(mesh);
      for (let k = 0; k < 8; k++)
        this.balls.push({ slot: mesh.body, point: [k & 1 ? box.max.x : box.min.x, k & 2 ? box.max.y : box.min.y, k & 4 ? box.max.z : box.min.z], radius: 0 });
    }
    // what is held by the ground is seen to its end, with the symbol of the joint
    for (const j of [...model.joints, ...model.forces.filter((f) => f.bodies.length > 1)]) {
      const radius = model.space === "planar" && j.symbol === "pin" ? SYMBOL * shapes.typical : 0;
      j.bodies.forEach((b, k) => {
        if (b === null) this.balls.push({ slot: poses.slot(null), point: j.points[k], radius });
      });
    }
  }

  /** Grows a box by what is there now; by free bodies only, if so wanted. */
  now(box: THREE.Box3, free = false): THREE.Box3 {
    for (const b of this.balls) {
      if (free && this.held[b.slot] !== false) continue;
      this.poses.point(b.slot, b.point, this.p);
      this.ball(box, this.p, 0, b.radius);
    }
    for (const { curve, radius, held } of this.lines) {
      if (free && held) continue;
      curve.update(this.poses, false);
      for (let k = 0; k < curve.place.length; k += 3) this.ball(box, curve.place, k, radius);
    }
    return box;
  }

  private ball(box: THREE.Box3, at: Float64Array, k: number, radius: number): void {
    const x = at[k];
    const y = at[k + 1];
    const z = at[k + 2];
    if (!Number.isFinite(x + y + z)) return;
    box.expandByPoint(this.v.set(x - radius, y - radius, z - radius));
    box.expandByPoint(this.v.set(x + radius, y + radius, z + radius));
  }

  over(): Extents {
    const empty = () => new THREE.Box3();
    const out: Extents = { first: empty(), all: empty(), free: { first: empty(), all: empty(), largest: 0 } };
    this.seen = 0;
    this.look(0, out);
    for (const box of [out.first, out.all]) {
      if (box.isEmpty()) box.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
    }
    return out;
  }

  /** What frames add that have come since; poses and store are left at the last. */
  grown(out: Extents): void {
    this.look(this.seen, out);
  }

  /** Frames from one on to the last, those in between evenly if they are too many. */
  private look(from: number, out: Extents): void {
    const last = Math.max(0, this.store.count - 1);
    const places = this.balls.length + this.lines.reduce((n, l) => n + l.curve.count, 0);
    const most = Math.max(LEAST, PLACES / Math.max(1, places));
    const every = Math.max(1, Math.ceil((last - from + 1) / most));
    for (let i = from; i < last; i += every) this.add(i, out);
    this.add(last, out);
    this.seen = this.store.count;
  }

  /** What a frame adds. */
  private add(frame: number, out: Extents): void {
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

/** The box around a mesh at rest, in the axes of its body. */
export function meshBox({ name, points, count }: Mesh): THREE.Box3 {
  return new THREE.Box3().setFromArray(decodeFull(points, 3 * count, `points of ${name}`) as unknown as number[]);
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
    case "tube":
    case "cone":
    case "cylinder": {
      const d = new THREE.Vector3(...(s.direction ?? [0, 0, 1])).setLength(s.length / 2);
      return [place(d.x, d.y, d.z), place(-d.x, -d.y, -d.z)].map((point) => ({ point, radius: s.radius }));
    }
    case "mesh": {
      const { min, max } = meshShapeBox(s);
      return [min.x, max.x].flatMap((x) => [min.y, max.y].flatMap((y) => [min.z, max.z].map((z) => ({ point: place(x, y, z), radius: 0 }))));
    }
    case "box": {
      const [x, y, z] = s.size.map((e) => e / 2);
      return [1, -1].flatMap((i) => [1, -1].flatMap((j) => [1, -1].map((k) => ({ point: place(i * x, j * y, k * z), radius: 0 }))));
    }
  }
}
