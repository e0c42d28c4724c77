// Coils, dampers, bars and rings between bodies; arrows for what is applied or pushes from below.

import * as THREE from "three";
import type { Force, Model, Vec3 } from "../data";
import type { FrameStore } from "../frames";
import type { Poses } from "../poses";
import { alongZ, Batch, UPRIGHT, type Part } from "./batch";
import * as geometry from "./geometry";
import { LinkBatch, stretch, type Link } from "./links";
import { solid } from "./material";

const SPRING = new THREE.Color("#c39a4a");
const TUBE = new THREE.Color("#7d8894");
const PISTON = new THREE.Color("#b4bcc5");
const BAR = new THREE.Color("#8a929b");
const ARROW = new THREE.Color("#c8553d");

interface Arrow {
  force: Force;
  slot: number;
  /** How far below the point the arrow begins. */
  drop: number;
  strength: number;
  /** 1 for torques, which have two tips, 0 for forces. */
  torque: 0 | 1;
}

export class Forces {
  readonly group = new THREE.Group();
  private readonly batches: (Batch | LinkBatch)[] = [];
  private readonly arrows: Arrow[] = [];
  private shafts: THREE.InstancedMesh | null = null;
  private tips: THREE.InstancedMesh | null = null;
  /** Arrows are as many times as long. */
  scale = 1;
  /** Largest force and largest torque: each is a long arrow. */
  private readonly largest = [0, 0];
  private counted = 0;
  private readonly ends = new Float64Array(6);
  private readonly direction = new Float64Array(3);

  constructor(
    model: Model,
    poses: Poses,
    private readonly store: FrameStore,
    typical: number,
    private readonly arrow: number,
    private readonly up: Vec3,
  ) {
    const fine = model.forces.length <= 100;
    /** By how slender they are, in powers of 3/2. */
    const coils = new Map<number, Link[]>();
    const tubes: Link[] = [];
    const pistons: Link[] = [];
    const bars: Link[] = [];
    const rings: Part[] = [];
    for (const f of model.forces) {
      if (f.points.length === 0) continue;
      const slots = f.bodies.map((b) => poses.slot(b));
      const damper = f.symbol === "damper";
      if ((f.symbol === "coil" || damper) && f.points.length > 1) {
        const link = { slots: [slots[0], slots[1]], points: [f.points[0], f.points[1]] } as Pick<Link, "slots" | "points">;
        poses.point(slots[0], f.points[0], this.ends, 0);
        poses.point(slots[1], f.points[1], this.ends, 3);
        const long = Math.hypot(this.ends[3] - this.ends[0], this.ends[4] - this.ends[1], this.ends[5] - this.ends[2]);
        const r = Math.max(0.012 * typical, Math.min(0.085 * typical, 0.17 * long));
        const springy = !damper && ((f.stiffness ?? 0) !== 0 || !(f.damping ?? 0));
        if (springy) {
          const power = Math.max(2, Math.min(10, Math.round(Math.log(long / r) / Math.log(1.5))));
          coils.set(power, [...(coils.get(power) ?? []), { ...link, radius: r, from: 0, to: 1, colour: SPRING }]);
        }
        if (damper || (f.damping ?? 0) !== 0) {
          const bore = springy ? 0.45 * r : 0.6 * r;
          tubes.push({ ...link, radius: bore, from: springy ? 0.12 : 0, to: 0.58, colour: TUBE });
          pistons.push({ ...link, radius: 0.4 * bore, from: 0.1, to: springy ? 0.9 : 1, colour: PISTON });
        }
      } else if (f.symbol === "bar" && f.points.length > 1) {
        const radius = f.radius ?? 0.006 * typical;
        bars.push({ slots: [slots[0], slots[1]], points: [f.points[0], f.points[1]], radius, from: 0, to: 1, colour: BAR });
      } else if (f.symbol === "ring" || (f.symbol === "two-tips" && model.space === "planar")) {
        const s = 0.075 * typical;
        const axis = f.axes?.[0];
        rings.push({
          slot: slots[0],
          position: f.points[0],
          rotation: axis ? alongZ(axis) : UPRIGHT,
          scale: [s, s, s],
          colour: SPRING,
          body: -1,
        });
      } else if (f.strength !== undefined && (f.direction !== undefined || f.symbol === "contact")) {
        const drop = f.symbol === "contact" ? (f.radius ?? 0) : 0;
        this.arrows.push({ force: f, slot: slots[0], drop, strength: f.strength, torque: f.symbol === "two-tips" ? 1 : 0 });
      }
    }
    const material = solid({ roughness: 0.45, metalness: 0.15 });
    const made = (batch: Batch | LinkBatch) => {
      batch.mesh.castShadow = true;
      this.batches.push(batch);
      this.group.add(batch.mesh);
    };
    for (const [power, list] of coils) made(new LinkBatch(geometry.helix(fine, 1.5 ** power), material, list));
    if (tubes.length) made(new LinkBatch(geometry.shaft(fine), material, tubes));
    if (pistons.length) made(new LinkBatch(geometry.shaft(fine), material, pistons));
    if (bars.length) made(new LinkBatch(geometry.shaft(fine), material, bars));
    if (rings.length) made(new Batch(geometry.ring(), material, rings));
    if (this.arrows.length) {
      const flat = new THREE.MeshBasicMaterial({ color: ARROW, depthTest: false, transparent: true, opacity: 0.92 });
      this.shafts = new THREE.InstancedMesh(geometry.shaft(true), flat, this.arrows.length);
      this.tips = new THREE.InstancedMesh(geometry.cone(), flat, 2 * this.arrows.length);
      for (const m of [this.shafts, this.tips]) {
        m.frustumCulled = false;
        m.renderOrder = 3; // seen through whatever they act on
        this.group.add(m);
      }
    }
  }

  update(poses: Poses): void {
    for (const b of this.batches) b.update(poses);
    if (!this.shafts || !this.tips) return;
    this.look();
    const { ends, arrow } = this;
    const a = this.shafts.instanceMatrix.array;
    const b = this.tips.instanceMatrix.array;
    for (let i = 0; i < this.arrows.length; i++) {
      const { torque } = this.arrows[i];
      const long = this.reach(this.arrows[i], poses);
      const r = long < 1e-3 * arrow ? 0 : 0.018 * arrow;
      const head = Math.min(0.16 * arrow, 0.5 * long) / (long || 1);
      stretch(a, 16 * i, ends, 0, 1 - head, r);
      stretch(b, 32 * i, ends, 1 - head, 1, 2.7 * r);
      stretch(b, 32 * i + 16, ends, 1 - 1.6 * head, 1 - 0.6 * head, torque * 2.7 * r);
    }
    this.shafts.instanceMatrix.needsUpdate = true;
    this.tips.instanceMatrix.needsUpdate = true;
  }

  /** Both ends of an arrow, into `ends`; how long it is. */
  private reach({ force, slot, drop, strength, torque }: Arrow, poses: Poses): number {
    const { ends, direction: d, up } = this;
    const largest = this.largest[torque];
    const unit = largest > 0 ? (1.5 * this.arrow * this.scale) / largest : 0;
    poses.point(slot, force.points[0], ends, 0);
    if (force.direction === undefined) d.set(up);
    else if (force.body_fixed) poses.vector(slot, force.direction, d);
    else d.set(force.direction);
    const norm = Math.hypot(d[0], d[1], d[2]) || 1;
    const value = this.store.value(strength);
    const length = Number.isFinite(value) ? (value * unit) / norm : 0;
    for (let k = 0; k < 3; k++) {
      ends[k] -= drop * up[k];
      ends[3 + k] = ends[k] + length * d[k];
    }
    return Math.abs(length) * norm;
  }

  /** For each arrow the place of its tip and its amount. */
  values(poses: Poses): { x: number; y: number; z: number; amount: number; unit: string }[] {
    return this.arrows.map((arrow) => {
      this.reach(arrow, poses);
      const [x, y, z] = this.ends.subarray(3);
      return { x, y, z, amount: this.store.value(arrow.strength), unit: arrow.torque ? "N·m" : "N" };
    });
  }

  /** The largest strength seen, which is the longest arrow; looks at new frames only. */
  private look(): void {
    for (; this.counted < this.store.count; this.counted++) {
      for (const arrow of this.arrows) {
        const v = Math.abs(this.store.at(arrow.strength, this.counted));
        if (v > this.largest[arrow.torque] && Number.isFinite(v)) this.largest[arrow.torque] = v;
      }
    }
  }
}
