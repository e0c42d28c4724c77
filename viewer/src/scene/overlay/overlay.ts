// What can be shown on top of the mechanism: names, frames, reactions, values of arrows, traces, distances.

import * as THREE from "three";
import type { BeamNodes } from "../../beams";
import type { Channel, Model } from "../../data";
import type { FrameStore } from "../../frames";
import type { Poses } from "../../poses";
import { significant } from "../../ui/numbers";
import { shown } from "../../units";
import type { Forces } from "../forces";
import { Labels, type Label } from "./labels";
import { Marks } from "./marks";
import { Reactions } from "./reactions";
import { Triads } from "./triads";

/** An amount in the unit that the page prefers. */
export function amountText(amount: number, unit: string): string {
  const { unit: other, factor } = shown(unit);
  return `${significant(amount * factor, 4)} ${other}`;
}

export class Overlay {
  readonly group = new THREE.Group();
  readonly labels = new Labels();
  readonly marks: Marks;
  readonly reactions: Reactions;
  names = false;
  values = false;
  private readonly triads: Triads;
  private readonly place = new Float64Array(3);

  constructor(
    private readonly model: Model,
    channels: Channel[],
    private readonly nodes: BeamNodes,
    private readonly poses: Poses,
    store: FrameStore,
    private readonly forces: Forces,
    typical: number,
    arrow: number,
  ) {
    const own = model.bodies.map((_, i) => i).filter((i) => nodes.leads(i) && !model.bodies[i].point);
    this.triads = new Triads([...own, poses.slot(null)], 0.3 * typical);
    this.reactions = new Reactions(model, channels, poses, store, arrow);
    this.marks = new Marks(poses, store, 0.02 * typical);
    this.group.add(this.triads.lines, this.reactions.group, this.marks.group);
  }

  get frames(): boolean {
    return this.triads.lines.visible;
  }
  set frames(on: boolean) {
    this.triads.lines.visible = on;
  }

  /** How many times as long as usual arrows of forces and reactions are. */
  set scale(times: number) {
    this.forces.scale = this.reactions.scale = times;
  }

  /** Shows what another one did. */
  take(other: Overlay): void {
    [this.names, this.values, this.frames] = [other.names, other.values, other.frames];
    this.reactions.group.visible = other.reactions.group.visible;
    this.marks.take(other.marks);
  }

  update(): void {
    this.triads.update(this.poses);
    this.reactions.update(this.poses);
    this.marks.update();
  }

  /** Words at their places, as the camera sees them. */
  draw(camera: THREE.Camera, width: number, height: number): void {
    this.labels.show(this.list(), camera, width, height);
  }

  private list(): Label[] {
    const out: Label[] = [];
    const apart = this.marks.distance();
    if (apart) out.push({ ...apart, text: amountText(apart.amount, "m"), kind: "distance" });
    if (this.names) {
      this.model.bodies.forEach((b, i) => {
        if (!this.nodes.leads(i)) return;
        this.poses.point(i, b.com, this.place);
        const [x, y, z] = this.place;
        out.push({ text: this.nodes.named(i)?.name ?? b.name, x, y, z, kind: "name" });
      });
    }
    const values = [
      ...(this.values && this.forces.group.visible ? this.forces.values(this.poses) : []),
      ...(this.values && this.reactions.group.visible ? this.reactions.values(this.poses).map((v) => ({ ...v, unit: "N" })) : []),
    ];
    // where there is no room for all, the largest are told
    values.sort((a, b) => Math.abs(b.amount) - Math.abs(a.amount));
    for (const { x, y, z, amount, unit } of values) out.push({ text: amountText(amount, unit), x, y, z, kind: "value" });
    return out;
  }
}
