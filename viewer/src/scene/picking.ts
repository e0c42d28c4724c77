// What is under a place of the picture.

import * as THREE from "three";
import type { Model, Vec3 } from "../data";
import { STRIDE, type Poses } from "../poses";
import type { Beams } from "./beams/beams";
import type { Bodies } from "./bodies";
import { Measure } from "./extents";
import type { Picked } from "./overlay/marks";
import type { View } from "./view";

/** Pixels around the centre of a body that is too thin to be hit. */
const CLOSE = 9;

export interface Hit {
  /** -1 for none, or the ground. */
  body: number;
  /** Along the ray, m. */
  distance: number;
}

export class Picking {
  private readonly ray = new THREE.Raycaster();
  private readonly at = new THREE.Vector2();
  private readonly v = new THREE.Vector3();
  private readonly place = new Float64Array(3);

  constructor(
    private readonly model: Model,
    private readonly poses: Poses,
    private readonly view: View,
    private readonly bodies: Bodies,
    private readonly beams: Beams,
    /** Whether bars may be too thin to hit. */
    private readonly thin: boolean,
  ) {}

  under(x: number, y: number, width: number, height: number): Hit {
    const { ray, view } = this;
    ray.setFromCamera(this.at.set((2 * x) / width - 1, 1 - (2 * y) / height), view.camera);
    const body = this.bodies.pick(ray);
    const beam = this.beams.pick(ray);
    const hit = beam.distance < body.distance ? beam : body;
    if (hit.body >= 0) return hit;
    const close = this.beams.near(view.camera, x, y, width, height);
    const found = close >= 0 || !this.thin ? close : this.nearest(x, y, width, height);
    return found >= 0 ? { body: found, distance: this.along(found) } : hit;
  }

  /** The point of a body at a distance along the last ray. */
  point(body: number, distance: number): Picked {
    const slot = this.poses.slot(body < 0 ? null : body);
    const p = this.ray.ray.at(distance, new THREE.Vector3()).sub(Measure.origin(this.poses, slot, this.v));
    const m = this.poses.matrices;
    const o = STRIDE * slot;
    return { slot, local: [0, 1, 2].map((c) => m[o + c] * p.x + m[o + 4 + c] * p.y + m[o + 8 + c] * p.z) as Vec3 };
  }

  /** How far along the ray the origin of a body is. */
  private along(body: number): number {
    return Measure.origin(this.poses, body, this.v).sub(this.ray.ray.origin).dot(this.ray.ray.direction);
  }

  /** The body whose centre is some pixels from a place on the screen. */
  private nearest(x: number, y: number, width: number, height: number): number {
    let best = CLOSE;
    let found = -1;
    this.model.bodies.forEach((b, i) => {
      this.poses.point(i, b.com, this.place);
      this.v.set(this.place[0], this.place[1], this.place[2]).project(this.view.camera);
      const d = Math.hypot((0.5 + 0.5 * this.v.x) * width - x, (0.5 - 0.5 * this.v.y) * height - y);
      if (d < best && this.v.z < 1) {
        best = d;
        found = i;
      }
    });
    return found;
  }
}
