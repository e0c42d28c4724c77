// Reactions of joints and drivers: arrows at their second body, as long as the reaction is large.

import * as THREE from "three";
import type { Channel, Joint, Model, Vec3 } from "../../data";
import type { FrameStore } from "../../frames";
import type { Poses } from "../../poses";
import * as geometry from "../geometry";
import { stretch } from "../links";

interface Reaction {
  slot: number;
  point: Vec3;
  /** Channels of its components. */
  force: number[];
}

export class Reactions {
  readonly group = new THREE.Group();
  /** Arrows are as many times as long. */
  scale = 1;
  private readonly list: Reaction[];
  private readonly shafts: THREE.InstancedMesh;
  private readonly tips: THREE.InstancedMesh;
  private largest = 0;
  private counted = 0;
  private readonly ends = new Float64Array(6);

  constructor(
    model: Model,
    channels: Channel[],
    poses: Poses,
    private readonly store: FrameStore,
    private readonly arrow: number,
  ) {
    this.list = [...find("joint", model.joints, channels, poses), ...find("driver", model.drivers ?? [], channels, poses)];
    const flat = new THREE.MeshBasicMaterial({ color: "#7a4fa3", depthTest: false, transparent: true, opacity: 0.92 });
    this.shafts = new THREE.InstancedMesh(geometry.shaft(true), flat, Math.max(1, this.list.length));
    this.tips = new THREE.InstancedMesh(geometry.cone(), flat, Math.max(1, this.list.length));
    for (const m of [this.shafts, this.tips]) {
      m.frustumCulled = false;
      m.renderOrder = 3;
      m.count = this.list.length;
      this.group.add(m);
    }
    this.group.visible = false;
  }

  get count(): number {
    return this.list.length;
  }

  update(poses: Poses): void {
    if (!this.group.visible) return;
    this.look();
    const unit = this.largest > 0 ? (1.5 * this.arrow * this.scale) / this.largest : 0;
    this.list.forEach((reaction, i) => {
      const long = unit * this.vector(reaction, poses);
      for (let k = 0; k < 3; k++) this.ends[3 + k] = this.ends[k] + unit * this.ends[3 + k];
      const r = long < 1e-3 * this.arrow ? 0 : 0.018 * this.arrow;
      const head = Math.min(0.16 * this.arrow, 0.5 * long) / (long || 1);
      stretch(this.shafts.instanceMatrix.array, 16 * i, this.ends, 0, 1 - head, r);
      stretch(this.tips.instanceMatrix.array, 16 * i, this.ends, 1 - head, 1, 2.7 * r);
    });
    this.shafts.instanceMatrix.needsUpdate = this.tips.instanceMatrix.needsUpdate = true;
  }

  /** For each the place of its tip and its amount, N. */
  values(poses: Poses): { x: number; y: number; z: number; amount: number }[] {
    const unit = this.largest > 0 ? (1.5 * this.arrow * this.scale) / this.largest : 0;
    return this.list.map((reaction) => {
      const amount = this.vector(reaction, poses);
      const [x, y, z] = [0, 1, 2].map((k) => this.ends[k] + unit * this.ends[3 + k]);
      return { x, y, z, amount };
    });
  }

  /** Point, then components, into `ends`; its amount. */
  private vector({ slot, point, force }: Reaction, poses: Poses): number {
    const { ends, store } = this;
    poses.point(slot, point, ends, 0);
    for (let k = 0; k < 3; k++) ends[3 + k] = force[k] === undefined ? 0 : store.value(force[k]) || 0;
    return Math.hypot(ends[3], ends[4], ends[5]);
  }

  /** The largest reaction, which is a long arrow; looks at new frames only. */
  private look(): void {
    for (; this.counted < this.store.count; this.counted++) {
      for (const { force } of this.list) {
        const amount = Math.hypot(...force.map((c) => this.store.at(c, this.counted)));
        if (amount > this.largest && Number.isFinite(amount)) this.largest = amount;
      }
    }
  }
}

function find(kind: "joint" | "driver", items: Joint[], channels: Channel[], poses: Poses): Reaction[] {
  const parts = items.map((): number[] => []);
  channels.forEach((c, k) => {
    const axis = ["fx", "fy", "fz"].indexOf(c.name.slice(c.name.lastIndexOf(".") + 1));
    if (c.of?.[0] === kind && axis >= 0 && c.unit === "N" && parts[c.of[1]]) parts[c.of[1]][axis] = k;
  });
  return items.flatMap((item, i) => {
    const end = item.bodies.length - 1;
    if (end < 0 || parts[i].length < 2) return [];
    return [{ slot: poses.slot(item.bodies[end]), point: item.points[end], force: parts[i] }];
  });
}
