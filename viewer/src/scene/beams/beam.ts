// One beam: its line, its section along the line, what its colour shows.

import * as THREE from "three";
import type { Beam as BeamData, Model } from "../../data";
import type { Poses } from "../../poses";
import { colourOf } from "../material";
import { atRest, Curve, type Rings } from "./curve";
import type { Colouring, Flexible } from "./flexible";
import { leading, Magnifier } from "./magnify";
import { paintable, type Palette } from "./paint";
import { Displacement, Strain, type Reading } from "./readings";
import { grown, outlinesOf, section, type Point } from "./section";
import { Sweep } from "./sweep";

/** How all beams are drawn. */
export interface Look {
  palette: Palette;
  /** How far the outline of a selected one stands out, m. */
  width: number;
  outline: THREE.Material;
}

export class Beam implements Flexible {
  readonly curve: Curve;
  readonly mesh: THREE.Mesh<THREE.BufferGeometry, THREE.MeshStandardMaterial>;
  readonly sweep: Sweep;
  private readonly magnifier: Magnifier;
  private readonly painted: { value: number };
  private readonly hull: Sweep;
  private readonly hullMesh: THREE.Mesh;
  private readonly readings: Partial<Record<Colouring, Reading>>;
  /** The rings that were drawn last. */
  private drawn: Pick<Rings, "place" | "turn">;

  /** The poses must be those of the start. */
  constructor(
    model: Model,
    readonly data: BeamData,
    /** The outline as it is drawn. */
    drawing: (outline: Point[]) => Point[],
    tone: number,
    poses: Poses,
    look: Look,
  ) {
    const curve = (this.curve = new Curve(data, model.space === "planar"));
    const loose = atRest(data, model.bodies.length) ?? poses;
    curve.measure(loose);
    const rest = curve.snapshot(loose);
    this.magnifier = new Magnifier(curve, rest, leading(model, data.nodes), loose);
    this.drawn = curve;
    const displacement = new Displacement(curve, curve.snapshot(poses));
    this.readings = { displacement, strain: new Strain(curve, rest, 1) };
    if (data.modulus !== undefined) this.readings.stress = new Strain(curve, rest, data.modulus);

    const outlines = (data.outlines ? outlinesOf(data.outlines, curve.basis) : [data.outline]).map(drawing);
    const shapes = outlines.map((outline) => section(outline));
    const { material, painted } = paintable(
      look.palette,
      shapes.reduce((most, s) => Math.max(most, s.reach), 0),
    );
    material.color.copy(colourOf(data.colour, tone));
    material.emissive.set("#ffffff");
    material.emissiveIntensity = 0;
    this.painted = painted;
    this.sweep = new Sweep(shapes, curve.count, curve.basis.rings);
    this.mesh = new THREE.Mesh(this.sweep.geometry, material);
    this.hull = new Sweep(
      outlines.map((outline) => section(grown(outline, look.width))),
      curve.count,
      curve.basis.rings,
      look.width,
    );
    this.hullMesh = new THREE.Mesh(this.hull.geometry, look.outline);
    this.hullMesh.visible = false;
    this.mesh.frustumCulled = this.hullMesh.frustumCulled = false;
    this.mesh.add(this.hullMesh);
  }

  has(colouring: Colouring): boolean {
    return this.readings[colouring] !== undefined;
  }

  /** Line, corners and colours at the poses, with deformation `times` as large. */
  update(poses: Poses, colouring: Colouring | null, times: number): void {
    const painted = colouring !== null && this.read(poses, colouring);
    if (!painted) this.curve.update(poses, false);
    this.painted.value = painted ? 1 : 0;
    if (times !== 1) this.magnifier.update(poses, times);
    this.drawn = times === 1 ? this.curve : this.magnifier;
    this.sweep.update(this.drawn.place, this.drawn.turn);
    if (this.hullMesh.visible) this.hull.update(this.drawn.place, this.drawn.turn);
  }

  highlight(selected: boolean, hovered: boolean): void {
    this.mesh.material.emissiveIntensity = selected || hovered ? 0.09 : 0;
    this.hullMesh.visible = selected;
    if (selected) this.hull.update(this.drawn.place, this.drawn.turn);
  }

  /** Grows a box by the line as it is drawn. */
  expand(box: THREE.Box3, point: THREE.Vector3): void {
    const { place } = this.drawn;
    for (let k = 0; k < place.length; k += 3) {
      point.set(place[k], place[k + 1], place[k + 2]);
      if (Number.isFinite(point.lengthSq())) box.expandByPoint(point);
    }
  }

  /** The body of the node whose line is nearest to a place on the screen, and how many pixels away it is. */
  nearest(camera: THREE.Camera, x: number, y: number, width: number, height: number, point: THREE.Vector3): [number, number] {
    const { place } = this.drawn;
    let best = Infinity;
    let ring = 0;
    let [fromX, fromY] = [NaN, NaN];
    for (let k = 0; k < this.curve.count; k++) {
      point.set(place[3 * k], place[3 * k + 1], place[3 * k + 2]).project(camera);
      const [toX, toY] = [(0.5 + 0.5 * point.x) * width - x, (0.5 - 0.5 * point.y) * height - y];
      const [dx, dy] = [toX - fromX, toY - fromY];
      const along = Math.max(0, Math.min(1, -(fromX * dx + fromY * dy) / (dx * dx + dy * dy || 1)));
      const away = Math.hypot(fromX + along * dx, fromY + along * dy);
      if (away < best && Math.abs(point.z) < 1) {
        best = away;
        ring = along < 0.5 ? k - 1 : k;
      }
      [fromX, fromY] = [toX, toY];
    }
    return [this.nodeAt(ring), best];
  }

  read(poses: Poses, colouring: Colouring): boolean {
    const reading = this.readings[colouring];
    if (!reading) return false;
    this.curve.update(poses, colouring !== "displacement");
    this.sweep.paint(reading);
    return true;
  }

  get name(): string {
    return this.data.name;
  }
  get body(): number {
    return this.data.nodes[0];
  }
  get amounts(): Float32Array {
    return this.sweep.amounts;
  }
  bodyAt(corner: number): number {
    return this.nodeAt(this.sweep.ringOf(corner));
  }
  private nodeAt(ring: number): number {
    return this.data.nodes[this.curve.nearest[ring]];
  }
}
