// The section of a beam: its outline as corners with normals, and the triangles of its ends.

import * as THREE from "three";
import type { Basis } from "./basis";

/** Corners as y, z, normal y, normal z; two for every side, from its start to its end. */
export interface Section {
  corners: Float64Array;
  sides: number;
  /** Triangles of the ends, as indices of sides: the first corner of each. */
  ends: number[];
  /** Farthest corner from the line, m. */
  reach: number;
}

export type Point = [number, number];

/** Sides that meet at less than this look round. */
const ROUND = Math.cos((40 * Math.PI) / 180);

export function section(outline: Point[]): Section {
  const points = outward(outline);
  const n = points.length;
  const normals = points.map((a, i): Point => {
    const b = points[(i + 1) % n];
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
    return [(b[1] - a[1]) / length, (a[0] - b[0]) / length];
  });
  const corners: number[] = [];
  const corner = (at: number, side: number, other: number) => {
    const [a, b] = [normals[side], normals[other]];
    const round = a[0] * b[0] + a[1] * b[1] > ROUND;
    const normal: Point = round ? [a[0] + b[0], a[1] + b[1]] : a;
    const length = Math.hypot(...normal) || 1;
    corners.push(points[at][0], points[at][1], normal[0] / length, normal[1] / length);
  };
  for (let i = 0; i < n; i++) {
    corner(i, i, (i + n - 1) % n);
    corner((i + 1) % n, i, (i + 1) % n);
  }
  const ends = THREE.ShapeUtils.triangulateShape(
    points.map((p) => new THREE.Vector2(...p)),
    [],
  ).flat();
  return { corners: Float64Array.from(corners), sides: n, ends, reach: reach(points) };
}

/** Outlines of all rings of elements between those of the nodes. */
export function outlinesOf(outlines: Point[][], { order, rings, at }: Basis): Point[][] {
  const count = ((outlines.length - 1) / order) * rings;
  return Array.from({ length: count }, (_, k) => {
    const [element, ring] = [Math.floor(k / rings), k % rings];
    return outlines[0].map((_, c): Point => {
      const sum = (d: 0 | 1) => {
        let v = 0;
        for (let a = 0; a <= order; a++) v += at[ring * (order + 1) + a] * outlines[element * order + a][c][d];
        return v;
      };
      return [sum(0), sum(1)];
    });
  });
}

/** Farthest corner from the line. */
export function reach(outline: Point[]): number {
  return outline.reduce((most, p) => Math.max(most, Math.hypot(...p)), 0);
}

/** The outline moved outwards by a width. */
export function grown(outline: Point[], width: number): Point[] {
  const points = outward(outline);
  const n = points.length;
  return points.map((p, i) => {
    const [a, b] = [points[(i + n - 1) % n], points[(i + 1) % n]];
    const before = new THREE.Vector2(p[1] - a[1], a[0] - p[0]).normalize();
    const after = new THREE.Vector2(b[1] - p[1], p[0] - b[0]).normalize();
    const middle = before.clone().add(after);
    // at a sharp corner the sides meet far out
    const scale = width / Math.max(0.3, 0.5 * middle.lengthSq());
    return [p[0] + scale * middle.x, p[1] + scale * middle.y];
  });
}

/** In the plane: a plate as wide as the section, from one height to another. */
export function plate(outline: Point[], low: number, high: number): Point[] {
  const across = outline.map((p) => p[0]);
  const [from, to] = [Math.min(...across), Math.max(...across)];
  return [
    [from, low],
    [to, low],
    [to, high],
    [from, high],
  ];
}

/** Counter-clockwise seen against x. */
function outward(outline: Point[]): Point[] {
  const area = THREE.ShapeUtils.area(outline.map((p) => new THREE.Vector2(...p)));
  return area < 0 ? [...outline].reverse() : outline;
}
