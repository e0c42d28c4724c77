// Tables of an element of some order: what its nodes weigh in every ring, and where strains are taken.

import { gauss, gaussWeights, lobatto, slopes, values } from "./lagrange";

export interface Basis {
  order: number;
  /** Rings of an element, both ends included. */
  rings: number;
  /** Weights of the nodes: rings × (order + 1). */
  at: Float64Array;
  /** Weights and slopes of the nodes at Gauss's points, where strains are right: order × (order + 1). */
  inside: Float64Array;
  rise: Float64Array;
  /** What Gauss's points weigh in a sum over the element. */
  weights: number[];
  /** Strains of a ring out of those at Gauss's points: rings × order. */
  spread: Float64Array;
  /** The node of the element that is nearest to a ring. */
  nearest: Int32Array;
}

const known = new Map<number, Basis>();

/** Cost: O(order⁴), once for every order. */
export function basis(order: number): Basis {
  const found = known.get(order);
  if (found) return found;
  const nodes = lobatto(order);
  const points = gauss(order);
  const rings = 2 * order + 2;
  const xi = Array.from({ length: rings }, (_, k) => (2 * k) / (rings - 1) - 1);
  const table = (rows: number[][]) => Float64Array.from(rows.flat());
  const made: Basis = {
    order,
    rings,
    at: table(xi.map((x) => values(nodes, x))),
    inside: table(points.map((x) => values(nodes, x))),
    rise: table(points.map((x) => slopes(nodes, x))),
    weights: gaussWeights(points),
    spread: table(xi.map((x) => values(points, x))),
    nearest: Int32Array.from(xi, (x) => nodes.reduce((best, a, k) => (Math.abs(a - x) < Math.abs(nodes[best] - x) ? k : best), 0)),
  };
  known.set(order, made);
  return made;
}
