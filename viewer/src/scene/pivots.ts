// Hinges on the ground of planar models: a triangle on hatching, as drawn in textbooks.

import * as THREE from "three";
import type { Model } from "../data";

export function groundPivots(model: Model, typical: number): THREE.LineSegments<THREE.BufferGeometry, THREE.LineBasicMaterial> {
  const s = 0.09 * typical;
  const points: number[] = [];
  const line = (x1: number, y1: number, x2: number, y2: number) => points.push(x1, y1, -0.1 * typical, x2, y2, -0.1 * typical);
  for (const j of model.joints) {
    const end = j.bodies.indexOf(null);
    if (end < 0 || j.symbol !== "pin") continue;
    const [x, y] = j.points[end];
    const base = y - 1.7 * s;
    line(x, y, x - s, base);
    line(x, y, x + s, base);
    line(x - 1.5 * s, base, x + 1.5 * s, base);
    for (let k = 0; k < 6; k++) {
      const at = x - 1.2 * s + 0.54 * k * s;
      line(at, base, at - 0.42 * s, base - 0.5 * s);
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
  return new THREE.LineSegments(geometry, new THREE.LineBasicMaterial());
}
