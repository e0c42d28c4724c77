// All flexible parts of a model, beams and meshes: coloured by what they suffer, found under the pointer.

import * as THREE from "three";
import type { BeamNodes } from "../../beams";
import type { Model } from "../../data";
import type { FrameStore } from "../../frames";
import type { Poses } from "../../poses";
import { tone } from "../material";
import { Beam } from "./beam";
import { COLOURINGS, widen, type Colouring, type Flexible, type Range } from "./flexible";
import { Palette } from "./paint";
import { plate, type Point } from "./section";
import { Surface } from "./surface";

/** Frames looked at for a range; more are skipped evenly. */
const LOOKED_AT = 300;
/** Pixels around the line of a beam where the pointer still finds it. */
const CLOSE = 5;

export class Beams {
  readonly group = new THREE.Group();
  readonly palette = new Palette();
  /** Colours that some beam can show. */
  readonly colourings: Colouring[];
  /** Whether all beams tell how they are without strain; else strains are those since the start. */
  readonly rested: boolean;
  colouring: Colouring | null = null;
  magnification = 1;
  private readonly parts: Flexible[];
  /** Whether some are beams, and some are meshes. */
  readonly kinds: { beams: boolean; meshes: boolean };
  private readonly ranges = new Map<Colouring, Range>();
  private readonly outline = new THREE.MeshBasicMaterial({ side: THREE.BackSide });
  private readonly point = new THREE.Vector3();
  private selected = -1;
  private hovered = -1;

  /** The poses must be those of the start. `layers`: where plates of planar models lie. */
  constructor(
    model: Model,
    private readonly nodes: BeamNodes,
    private readonly poses: Poses,
    private readonly store: FrameStore,
    typical: number,
    width: number,
    layers: number[],
  ) {
    const list = model.beams ?? [];
    const planar = model.space === "planar";
    const thick = 0.03 * typical;
    const look = { palette: this.palette, width, outline: this.outline };
    const things = nodes.things();
    const beams = list.map((data) => {
      const z = 1.15 * thick * (layers[data.nodes[0]] ?? 0);
      const drawing = (outline: Point[]) => (planar ? plate(outline, z - thick / 2, z + thick / 2) : outline);
      const beam = new Beam(model, data, drawing, tone(things - list.length + nodes.beam(data.nodes[0]), things), poses, look);
      return beam;
    });
    const meshes = (model.meshes ?? []).map((data) => new Surface(data, tone(nodes.beam(data.body), things), poses, store, look));
    this.parts = [...beams, ...meshes];
    this.kinds = { beams: beams.length > 0, meshes: meshes.length > 0 };
    for (const { mesh } of this.parts) {
      mesh.castShadow = true;
      mesh.receiveShadow = !planar;
      this.group.add(mesh);
    }
    this.rested = list.every((b) => b.rest !== undefined);
    this.colourings = COLOURINGS.filter((c) => this.parts.some((b) => b.has(c)));
  }

  update(): void {
    for (const b of this.parts) b.update(this.poses, this.colouring, this.magnification);
  }

  /** Shows numbers as colours; null for none. */
  colour(by: Colouring | null): void {
    this.colouring = by;
    const range = this.range();
    if (range) this.palette.range(range.low, range.high);
  }

  /** Range of what is shown over all frames, looked up once. */
  range(): Range | null {
    const { colouring, store, poses } = this;
    if (colouring === null) return null;
    const known = this.ranges.get(colouring);
    if (known) return known;
    const range: Range = { low: 0, high: 0 };
    const { index, fraction } = store;
    const every = Math.max(1, Math.ceil(store.count / LOOKED_AT));
    for (let i = 0; i < store.count; i += every) this.widen(i, colouring, range);
    this.widen(store.count - 1, colouring, range);
    store.index = index;
    store.fraction = fraction;
    poses.update();
    this.ranges.set(colouring, range);
    return range;
  }

  /** Other frames are there instead. */
  forget(): void {
    this.ranges.clear();
    this.colour(this.colouring);
  }

  /** The last frame may be outside of the ranges; poses and store are left at it. */
  grown(): void {
    for (const [colouring, range] of this.ranges) this.widen(this.store.count - 1, colouring, range);
    this.colour(this.colouring);
  }

  private widen(frame: number, colouring: Colouring, range: Range): void {
    this.store.seek(this.store.time(frame));
    this.poses.update();
    for (const b of this.parts) widen(b, this.poses, colouring, range);
  }

  /** The body of the node under a ray and how far away it is; -1 for none. */
  pick(ray: THREE.Raycaster): { body: number; distance: number } {
    const found = { body: -1, distance: Infinity };
    for (const b of this.parts) {
      const hit = ray.intersectObject(b.mesh, false)[0];
      if (!hit?.face || hit.distance >= found.distance) continue;
      found.distance = hit.distance;
      found.body = b.bodyAt(hit.face.a);
    }
    return found;
  }

  /** The body of a node of a beam that is some pixels from a place on the screen; -1 for none. */
  near(camera: THREE.Camera, x: number, y: number, width: number, height: number): number {
    let best = CLOSE;
    let body = -1;
    for (const b of this.parts) {
      const [found, away] = b.nearest(camera, x, y, width, height, this.point);
      if (away >= best) continue;
      best = away;
      body = found;
    }
    return body;
  }

  select(body: number, accent: string): void {
    this.selected = this.nodes.beam(body);
    this.outline.color.set(accent);
    this.highlight();
  }

  hover(body: number): boolean {
    const beam = this.nodes.beam(body);
    if (beam === this.hovered) return false;
    this.hovered = beam;
    this.highlight();
    return true;
  }

  private highlight(): void {
    for (const b of this.parts) {
      const thing = this.nodes.beam(b.body);
      b.highlight(thing === this.selected, thing === this.hovered);
    }
  }

  /** Grows a box by what is drawn. */
  expand(box: THREE.Box3): void {
    for (const b of this.parts) b.expand(box, this.point);
  }

  /** Corners of a beam or mesh as drawn, and their numbers; for tests. */
  drawn(name: string): { positions: number[]; amounts: number[]; around: number } | null {
    const part = this.parts.find((b) => b.name === name);
    if (!part) return null;
    const { mesh } = part;
    mesh.updateMatrixWorld();
    const position = mesh.geometry.attributes.position.clone().applyMatrix4(mesh.matrixWorld);
    return { positions: Array.from(position.array), amounts: Array.from(part.amounts), around: part instanceof Beam ? part.sweep.around : 0 };
  }
}
