// Lines of a fixed width on the screen along all bars: a chain of a thousand links can be seen from afar.

import * as THREE from "three";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";
import type { Model, Vec3 } from "../data";
import type { Poses } from "../poses";
import { rotationOf } from "./batch";
import type { Shapes } from "./derive";
import { colourOf, tone } from "./material";

export class Skeleton {
  readonly lines: LineSegments2;
  private readonly slots: number[] = [];
  private readonly points: Vec3[] = [];
  private readonly p = new Float64Array(3);
  private readonly buffer: THREE.InstancedInterleavedBuffer;

  constructor(model: Model, shapes: Shapes) {
    const colours: number[] = [];
    shapes.bodies.forEach((list, slot) => {
      for (const s of list) {
        if (s.type !== "rod") continue;
        const from = s.point ?? [0, 0, 0];
        const d = new THREE.Vector3(...s.to).applyQuaternion(new THREE.Quaternion(...rotationOf(s.orientation)));
        this.slots.push(slot, slot);
        this.points.push(from, [from[0] + d.x, from[1] + d.y, from[2] + d.z]);
        const c = colourOf(s.colour, tone(slot, model.bodies.length));
        colours.push(c.r, c.g, c.b, c.r, c.g, c.b);
      }
    });
    const geometry = new LineSegmentsGeometry();
    geometry.setPositions(new Float32Array(3 * this.points.length));
    geometry.setColors(colours);
    this.lines = new LineSegments2(geometry, new LineMaterial({ linewidth: 2.2, vertexColors: true }));
    this.lines.frustumCulled = false;
    this.buffer = (geometry.attributes.instanceStart as THREE.InterleavedBufferAttribute).data as THREE.InstancedInterleavedBuffer;
  }

  update(poses: Poses): void {
    const { points, slots, p } = this;
    const out = this.buffer.array;
    for (let i = 0; i < points.length; i++) {
      poses.point(slots[i], points[i], p);
      out[3 * i] = p[0];
      out[3 * i + 1] = p[1];
      out[3 * i + 2] = p[2];
    }
    this.buffer.needsUpdate = true;
  }
}
