// Unit geometries, scaled by each part.

import * as THREE from "three";
import { decodeFull } from "../columns";
import type { MeshShape } from "../data";

export const box = () => new THREE.BoxGeometry(1, 1, 1);
export const sphere = (fine: boolean) => new THREE.SphereGeometry(1, fine ? 32 : 10, fine ? 20 : 6);

/** Radius 1, from z = -1/2 to z = 1/2. */
export function cylinder(fine: boolean): THREE.BufferGeometry {
  return new THREE.CylinderGeometry(1, 1, 1, fine ? 40 : 10).rotateX(Math.PI / 2);
}

/** Radius 1 with a hole along it, from z = -1/2 to z = 1/2. */
export function tube(fine: boolean, hole: number): THREE.BufferGeometry {
  const edge = [
    [1, -0.5],
    [1, 0.5],
    [hole, 0.5],
    [hole, -0.5],
    [1, -0.5],
  ];
  // sides of their own, so that edges stay sharp
  const points = edge
    .flatMap(([r, y], k) =>
      k === 0 || k === 4
        ? [[r, y]]
        : [
            [r, y],
            [r, y],
          ],
    )
    .map(([r, y]) => new THREE.Vector2(r, y));
  return new THREE.LatheGeometry(points, fine ? 40 : 12).rotateX(Math.PI / 2);
}

/** Radius 1 at z = -1/2, its tip at z = 1/2. */
export function tipped(fine: boolean): THREE.BufferGeometry {
  return new THREE.ConeGeometry(1, 1, fine ? 40 : 12).rotateX(Math.PI / 2);
}

/** Triangles of a mesh, each with corners of its own, so that edges are sharp. */
export function mesh(s: MeshShape): THREE.BufferGeometry {
  const points = decodeFull(s.points, 3 * s.count, "points of a mesh");
  const positions = new Float32Array(3 * s.triangles.length);
  s.triangles.forEach((corner, k) => {
    for (let i = 0; i < 3; i++) positions[3 * k + i] = points[3 * corner + i];
  });
  const out = new THREE.BufferGeometry();
  out.setAttribute("position", new THREE.BufferAttribute(positions, 3));
  out.computeVertexNormals();
  return out;
}

/** The box around a mesh, in the axes of the shape. */
export function meshShapeBox(s: MeshShape): THREE.Box3 {
  return new THREE.Box3().setFromArray(decodeFull(s.points, 3 * s.count, "points of a mesh") as unknown as number[]);
}

/** Radius 1, from z = 0 to z = 1: for links. */
export function shaft(fine: boolean): THREE.BufferGeometry {
  return cylinder(fine).translate(0, 0, 0.5);
}

/** The tip of an arrow: from z = 0 to z = 1. */
export const cone = () => new THREE.ConeGeometry(1, 1, 24).rotateX(Math.PI / 2).translate(0, 0, 0.5);

export const ring = () => new THREE.TorusGeometry(1, 0.22, 10, 36);

class Helix extends THREE.Curve<THREE.Vector3> {
  constructor(private readonly turns: number) {
    super();
  }
  override getPoint(s: number, out = new THREE.Vector3()): THREE.Vector3 {
    // straight leads at both ends, on the axis
    const lead = 0.1;
    const u = (s - lead) / (1 - 2 * lead);
    const inside = Math.max(0, Math.min(1, u));
    const r = Math.min(1, 12 * inside, 12 * (1 - inside));
    const angle = 2 * Math.PI * this.turns * inside;
    return out.set(r * Math.cos(angle), r * Math.sin(angle), s);
  }
}

/** A coil spring of radius 1 from z = 0 to z = 1, for links `slender` times as long as their radius. */
export function helix(fine: boolean, slender: number): THREE.BufferGeometry {
  const turns = Math.max(5, Math.min(48, Math.round(1.15 * slender)));
  const curve = new Helix(turns);
  const geometry = new THREE.TubeGeometry(curve, turns * (fine ? 26 : 14), 0.16, fine ? 8 : 5);
  // the link scales z by its length, several times the radius: undo that for the thickness of the wire
  const p = geometry.getAttribute("position");
  const rings = geometry.parameters.tubularSegments + 1;
  const around = geometry.parameters.radialSegments + 1;
  const centre = new THREE.Vector3();
  for (let i = 0; i < rings; i++) {
    curve.getPointAt(i / (rings - 1), centre);
    for (let k = 0; k < around; k++) {
      const at = i * around + k;
      p.setZ(at, centre.z + (p.getZ(at) - centre.z) / slender);
    }
  }
  geometry.computeVertexNormals();
  return geometry;
}
