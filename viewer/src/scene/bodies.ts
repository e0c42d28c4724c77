// Bodies by their shapes. Spatial models are solid; planar ones are cut out of plates that lie in layers, so that
// bars which cross do not run through each other.

import * as THREE from "three";
import type { MeshShape, Model, Shape, Vec3 } from "../data";
import type { Poses } from "../poses";
import { alongZ, Batch, compose, rotationOf, UPRIGHT, type Part } from "./batch";
import { reach, type Shapes } from "./derive";
import * as geometry from "./geometry";
import { colourOf, solid, tone } from "./material";

/** Tubes are of as many kinds as there are walls: `tube 0.8` has a hole of 0.8 of its radius. */
type Kind = "box" | "sphere" | "cylinder" | "cone" | `tube ${string}` | MeshShape;

/** Parts of one geometry and one opacity. */
interface Like {
  kind: Kind;
  opacity: number;
  list: Part[];
}
type Parts = Like[];

/** Whether parts have the same geometry; a mesh that comes several times has the same letters. */
function same(a: Kind, b: Kind): boolean {
  if (typeof a === "string" || typeof b === "string") return a === b;
  return a.count === b.count && a.triangles.length === b.triangles.length && JSON.stringify(a.points) === JSON.stringify(b.points);
}

function put(parts: Parts, kind: Kind, { opacity, ...part }: Part & Pick<Base, "opacity">): void {
  const like = parts.find((own) => own.opacity === opacity && same(own.kind, kind));
  if (like) like.list.push(part);
  else parts.push({ kind, opacity, list: [part] });
}

function geometryOf(kind: Kind, fine: boolean): THREE.BufferGeometry {
  if (typeof kind !== "string") return geometry.mesh(kind);
  switch (kind) {
    case "box":
      return geometry.box();
    case "sphere":
      return geometry.sphere(fine);
    case "cylinder":
      return geometry.cylinder(fine);
    case "cone":
      return geometry.tipped(fine);
    default:
      return geometry.tube(fine, Number(kind.slice(5)));
  }
}

/** A material that hides so much of what is behind it. */
function clear(opacity: number): THREE.Material {
  const material = opacity < 1 ? solid({ transparent: true, opacity, depthWrite: false }) : solid();
  material.userData.opacity = opacity;
  return material;
}

export class Bodies {
  readonly group = new THREE.Group();
  private readonly batches: { kind: Kind; batch: Batch }[] = [];
  private outline: Batch[] = [];
  private readonly outlineMaterial = new THREE.MeshBasicMaterial({ side: THREE.BackSide });
  private selected = -1;
  private hovered = -1;

  constructor(
    model: Model,
    shapes: Shapes,
    poses: Poses,
    /** Where plates of planar models lie. */
    layers: number[],
    /** How far the outline of a selected body stands out, m. */
    private readonly outlineWidth: number,
  ) {
    const fine = model.bodies.length <= 300;
    const parts: Parts = [];
    const materials = new Map<number, THREE.Material>();
    const planar = model.space === "planar";
    const plate = 0.03 * shapes.typical;
    shapes.bodies.forEach((list, b) => {
      for (const s of list) {
        const base = { slot: b, body: b, colour: colourOf(s.colour, tone(b, model.bodies.length)), opacity: s.opacity ?? 1 };
        if (planar) addPlate(parts, s, base, plate, 1.15 * plate * layers[b]);
        else addSolid(parts, s, base);
      }
    });
    for (const s of model.ground ?? []) {
      const base = { slot: poses.slot(null), body: -1, colour: colourOf(s.colour ?? "#8a939d", 0), opacity: s.opacity ?? 1 };
      if (planar) addPlate(parts, s, base, plate, -1.15 * plate);
      else addSolid(parts, s, base);
    }
    for (const { kind, opacity, list } of parts) {
      // what hides nothing is not drawn
      if (opacity <= 0) continue;
      const material = materials.get(opacity) ?? clear(opacity);
      materials.set(opacity, material);
      const batch = new Batch(geometryOf(kind, fine), material, list);
      batch.mesh.castShadow = opacity > 0.5;
      batch.mesh.receiveShadow = !planar;
      this.batches.push({ kind, batch });
      this.group.add(batch.mesh);
    }
  }

  update(poses: Poses): void {
    for (const { batch } of this.batches) batch.update(poses);
    for (const batch of this.outline) batch.update(poses);
  }

  /** The body under a ray and how far away it is; -1 for none. */
  pick(ray: THREE.Raycaster): { body: number; distance: number } {
    let best = Infinity;
    let body = -1;
    for (const { batch } of this.batches) {
      // the sphere around all instances is kept by three.js, but they have moved
      batch.mesh.boundingSphere = null;
      for (const hit of ray.intersectObject(batch.mesh, false)) {
        if (hit.instanceId === undefined || hit.distance >= best) continue;
        best = hit.distance;
        body = batch.parts[hit.instanceId].body;
      }
    }
    return { body, distance: best };
  }

  select(body: number, poses: Poses, accent: string): void {
    this.selected = body;
    for (const b of this.outline) {
      this.group.remove(b.mesh);
      b.mesh.dispose();
    }
    this.outline = [];
    this.outlineMaterial.color.set(accent);
    const grow = this.outlineWidth;
    for (const { kind, batch } of this.batches) {
      const own = batch.parts.filter((p) => body >= 0 && p.body === body);
      if (own.length === 0) continue;
      // by how much a length of 1 along the axes of the part grows
      const mesh = typeof kind === "string" ? 0 : grow / (reach(kind) || 1);
      const radial = mesh || (kind === "box" ? 2 * grow : grow);
      const axial = mesh || (kind === "sphere" ? grow : 2 * grow);
      const hull = own.map((p) => ({
        ...p,
        colour: this.white,
        scale: [p.scale[0] + radial, p.scale[1] + radial, p.scale[2] + axial] as Vec3,
      }));
      const outline = new Batch(batch.mesh.geometry, this.outlineMaterial, hull);
      outline.update(poses);
      this.outline.push(outline);
      this.group.add(outline.mesh);
    }
    this.paint();
  }

  hover(body: number): boolean {
    if (body === this.hovered) return false;
    this.hovered = body;
    this.paint();
    return true;
  }

  private readonly tint = new THREE.Color();
  private readonly white = new THREE.Color("#ffffff");

  /** Colours of all parts: those of the chosen body a little lighter. */
  private paint(): void {
    for (const { batch } of this.batches) {
      batch.parts.forEach((p, i) => {
        this.tint.copy(p.colour);
        if (p.body >= 0 && (p.body === this.selected || p.body === this.hovered)) this.tint.lerp(this.white, 0.22);
        batch.mesh.setColorAt(i, this.tint);
      });
      if (batch.mesh.instanceColor) batch.mesh.instanceColor.needsUpdate = true;
    }
  }
}

type Base = Pick<Part, "slot" | "body" | "colour"> & { opacity: number };

function addSolid(parts: Parts, s: Shape, base: Base): void {
  const position = s.point ?? [0, 0, 0];
  const frame = rotationOf(s.orientation);
  switch (s.type) {
    case "box":
      put(parts, "box", { ...base, position, rotation: frame, scale: s.size });
      break;
    case "sphere":
      put(parts, "sphere", { ...base, position, rotation: frame, scale: [s.radius, s.radius, s.radius] });
      break;
    case "cylinder": {
      const rotation = compose(frame, alongZ(s.direction ?? [0, 0, 1]));
      put(parts, "cylinder", { ...base, position, rotation, scale: [s.radius, s.radius, s.length] });
      break;
    }
    case "tube":
    case "cone": {
      const rotation = compose(frame, alongZ(s.direction ?? [0, 0, 1]));
      const kind: Kind = s.type === "cone" ? "cone" : `tube ${s.inner / s.radius}`;
      put(parts, kind, { ...base, position, rotation, scale: [s.radius, s.radius, s.length] });
      break;
    }
    case "rod": {
      const { middle, end, length } = rodPlaces(position, frame, s.to);
      const rotation = compose(frame, alongZ(s.to));
      const ball: Vec3 = [s.radius, s.radius, s.radius];
      put(parts, "cylinder", { ...base, position: middle, rotation, scale: [s.radius, s.radius, length] });
      put(parts, "sphere", { ...base, position, rotation, scale: ball });
      put(parts, "sphere", { ...base, position: end, rotation, scale: ball });
      break;
    }
    case "mesh":
      put(parts, s, { ...base, position, rotation: frame, scale: [1, 1, 1] });
  }
}

function addPlate(parts: Parts, s: Shape, base: Base, plate: number, z: number): void {
  const at = (p: Vec3): Vec3 => [p[0], p[1], z];
  const position = s.point ?? [0, 0, 0];
  const frame = rotationOf(s.orientation);
  const disc = (p: Vec3, r: number) => put(parts, "cylinder", { ...base, position: at(p), rotation: UPRIGHT, scale: [r, r, plate] });
  switch (s.type) {
    case "box":
      put(parts, "box", { ...base, position: at(position), rotation: frame, scale: [s.size[0], s.size[1], plate] });
      break;
    case "sphere":
    case "cylinder":
    case "tube":
    case "cone":
      disc(position, s.radius);
      break;
    case "rod": {
      const { middle, end, length } = rodPlaces(position, frame, s.to);
      const turn = Math.atan2(end[1] - position[1], end[0] - position[0]) / 2;
      const rotation: Part["rotation"] = [0, 0, Math.sin(turn), Math.cos(turn)];
      put(parts, "box", { ...base, position: at(middle), rotation, scale: [length, 2 * s.radius, plate] });
      disc(position, s.radius);
      disc(end, s.radius);
      break;
    }
    case "mesh":
      put(parts, s, { ...base, position: at(position), rotation: frame, scale: [1, 1, 1] });
  }
}

function rodPlaces(from: Vec3, frame: Part["rotation"], to: Vec3): { middle: Vec3; end: Vec3; length: number } {
  const d = new THREE.Vector3(...to).applyQuaternion(new THREE.Quaternion(...frame));
  return {
    middle: [from[0] + d.x / 2, from[1] + d.y / 2, from[2] + d.z / 2],
    end: [from[0] + d.x, from[1] + d.y, from[2] + d.z],
    length: d.length(),
  };
}
