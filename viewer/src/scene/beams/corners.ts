// A surface of triangles with sharp edges where its sides meet at an angle: points there become several corners.

export interface Corners {
  /** The point of each corner. */
  point: Int32Array;
  /** Its normal, three numbers each. */
  normal: Float32Array;
  triangles: number[];
}

/** Sides that meet at less than this look round. */
const ROUND = Math.cos((40 * Math.PI) / 180);

/** Cost: O(triangles × those at a point). */
export function corners(points: ArrayLike<number>, triangles: number[]): Corners {
  const faces = triangles.length / 3;
  const normals = new Float64Array(triangles.length);
  for (let f = 0; f < faces; f++) normals.set(areaVector(points, triangles, 3 * f), 3 * f);
  const at = new Map<number, number[]>();
  triangles.forEach((p, k) => {
    const list = at.get(p);
    if (list) list.push(k);
    else at.set(p, [k]);
  });
  const point: number[] = [];
  const normal: number[] = [];
  const index = new Array<number>(triangles.length).fill(0);
  for (const [p, ends] of at) {
    /** Corners at this point, each with the faces that it belongs to. */
    const groups: { faces: number[]; ends: number[] }[] = [];
    for (const end of ends) {
      const face = Math.floor(end / 3);
      const fits = groups.find((g) => g.faces.some((other) => cosine(normals, face, other) > ROUND));
      if (fits) {
        fits.faces.push(face);
        fits.ends.push(end);
      } else groups.push({ faces: [face], ends: [end] });
    }
    for (const g of groups) {
      const sum = [0, 1, 2].map((c) => g.faces.reduce((s, f) => s + normals[3 * f + c], 0));
      const length = Math.hypot(...sum) || 1;
      for (const end of g.ends) index[end] = point.length;
      point.push(p);
      normal.push(...sum.map((v) => v / length));
    }
  }
  return { point: Int32Array.from(point), normal: Float32Array.from(normal), triangles: index };
}

/** Normal of a triangle, as long as twice its area. */
function areaVector(points: ArrayLike<number>, triangles: number[], from: number): number[] {
  const at = (k: number, c: number) => points[3 * triangles[from + k] + c];
  const [u, v] = [1, 2].map((k) => [0, 1, 2].map((c) => at(k, c) - at(0, c)));
  return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
}

function cosine(normals: Float64Array, a: number, b: number): number {
  let [dot, first, second] = [0, 0, 0];
  for (let c = 0; c < 3; c++) {
    dot += normals[3 * a + c] * normals[3 * b + c];
    first += normals[3 * a + c] ** 2;
    second += normals[3 * b + c] ** 2;
  }
  return dot / (Math.sqrt(first * second) || 1);
}
