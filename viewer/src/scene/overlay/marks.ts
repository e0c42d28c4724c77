// Points that were picked on bodies: what way they go, and how far two of them are apart.

import * as THREE from "three";
import type { Vec3 } from "../../data";
import type { FrameStore } from "../../frames";
import type { Poses } from "../../poses";
import { curveColour } from "../../ui/theme";

export interface Picked {
  /** Slot of its body in `Poses`. */
  slot: number;
  /** In the axes of the body. */
  local: Vec3;
}

/** Frames of a trace at most; more are skipped evenly. */
const MOST = 4000;

interface Trace {
  at: Picked;
  line: THREE.Line;
  /** Frames that it shows. */
  frames: number;
}

export class Marks {
  readonly group = new THREE.Group();
  private readonly traces: Trace[] = [];
  private readonly dots = new THREE.Group();
  private points: Picked[] = [];
  private readonly line: THREE.Line;
  private readonly place = new Float64Array(6);

  constructor(
    private readonly poses: Poses,
    private readonly store: FrameStore,
    private readonly size: number,
  ) {
    const geometry = new THREE.BufferGeometry().setAttribute("position", new THREE.BufferAttribute(new Float32Array(6), 3));
    this.line = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: "#c8553d", depthTest: false, transparent: true }));
    this.line.frustumCulled = this.line.visible = false;
    this.line.renderOrder = 4;
    this.group.add(this.dots, this.line);
  }

  /** The way of a point over all frames. */
  trace(at: Picked): void {
    const line = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: curveColour(this.traces.length + 1) }));
    line.frustumCulled = false;
    const trace = { at, line, frames: 0 };
    this.traces.push(trace);
    this.group.add(line);
    this.fill(trace);
  }

  /** A point to measure from; a third one begins anew. */
  pick(at: Picked): void {
    this.points = this.points.length === 2 ? [at] : [...this.points, at];
    this.dots.clear();
    for (const _ of this.points) {
      const dot = new THREE.Mesh(
        new THREE.SphereGeometry(this.size, 12, 8),
        new THREE.MeshBasicMaterial({ color: "#c8553d", depthTest: false, transparent: true }),
      );
      dot.renderOrder = 4;
      dot.frustumCulled = false;
      this.dots.add(dot);
    }
    this.update();
  }

  clear(): void {
    for (const { line } of this.traces.splice(0)) {
      line.geometry.dispose();
      line.removeFromParent();
    }
    this.points = [];
    this.dots.clear();
    this.line.visible = false;
  }

  /** Frames have come. */
  refresh(): void {
    for (const t of this.traces) if (t.frames !== this.store.count) this.fill(t);
  }

  /** Other frames are there instead. */
  renew(): void {
    for (const t of this.traces) this.fill(t);
  }

  /** The points of another. */
  take(other: Marks): void {
    for (const { at } of other.traces) this.trace(at);
    for (const at of other.points) this.pick(at);
  }

  update(): void {
    const { place, points } = this;
    points.forEach(({ slot, local }, k) => {
      this.poses.point(slot, local, place, 3 * k);
      this.dots.children[k].position.set(place[3 * k], place[3 * k + 1], place[3 * k + 2]);
    });
    this.line.visible = points.length === 2;
    const position = this.line.geometry.attributes.position as THREE.BufferAttribute;
    position.copyArray(place);
    position.needsUpdate = true;
  }

  /** How far the two points are apart, m, and the middle between them. */
  distance(): { amount: number; x: number; y: number; z: number } | null {
    if (this.points.length < 2) return null;
    const [a, b, c, d, e, f] = this.place;
    return { amount: Math.hypot(d - a, e - b, f - c), x: (a + d) / 2, y: (b + e) / 2, z: (c + f) / 2 };
  }

  /** Corners of all traces, for tests. */
  traced(): number[][] {
    return this.traces.map(({ line }) => Array.from(line.geometry.attributes.position.array));
  }

  private fill(trace: Trace): void {
    const { store, poses, place } = this;
    const { index, fraction } = store;
    const every = Math.max(1, Math.ceil(store.count / MOST));
    const out: number[] = [];
    for (let i = 0; i < store.count; i += every) {
      store.seek(store.time(i));
      poses.update();
      poses.point(trace.at.slot, trace.at.local, place);
      if (Number.isFinite(place[0] + place[1] + place[2])) out.push(place[0], place[1], place[2]);
    }
    store.index = index;
    store.fraction = fraction;
    poses.update();
    trace.frames = store.count;
    trace.line.geometry.dispose();
    trace.line.geometry = new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(out, 3));
    this.update();
  }
}
