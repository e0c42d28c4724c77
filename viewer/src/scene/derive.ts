// Shapes for bodies that have none: bars between the points where joints and forces attach, and a ball at the
// centre of mass whose volume follows the mass.

import type { BeamNodes } from "../beams";
import type { Model, Shape, Vec3 } from "../data";
import { meshShapeBox } from "./geometry";

/** Shapes of every body, and the size that symbols follow. */
export interface Shapes {
  /** Its own or derived ones; none of nodes of beams. */
  bodies: Shape[][];
  /** Typical length of a bar of the model, m. */
  typical: number;
}

const sub = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const length = (a: Vec3): number => Math.hypot(a[0], a[1], a[2]);

/** Points of each body that something is attached to, without repetitions. */
function attachments(model: Model): Vec3[][] {
  const out: Vec3[][] = model.bodies.map(() => []);
  const seen = model.bodies.map(() => new Set<string>());
  for (const item of [...model.joints, ...model.forces.filter((f) => f.symbol !== "contact")]) {
    item.bodies.forEach((b, k) => {
      if (b === null) return;
      const p = item.points[k];
      const key = p.map((x) => x.toPrecision(6)).join(" ");
      if (seen[b].has(key)) return;
      seen[b].add(key);
      out[b].push(p);
    });
  }
  return out;
}

function median(values: number[]): number {
  const sorted = values.filter((v) => v > 0).sort((a, b) => a - b);
  return sorted.length > 0 ? sorted[sorted.length >> 1] : 0;
}

function typicalLength(model: Model, points: Vec3[][], nodes: BeamNodes, lengths: number[]): number {
  const spans = points.map((list, b) => {
    const centre = model.bodies[b].com;
    return nodes.beam(b) >= 0 ? 0 : list.reduce((m, p) => Math.max(m, length(sub(p, centre))), 0) * 2;
  });
  const shapes = model.bodies.flatMap((b) => (b.shapes ?? []).map(reach));
  return median([...spans, ...lengths]) || 2 * median(shapes) || 1;
}

/** Radius of the sphere about the place of a shape that holds it. */
export function reach(s: Shape): number {
  switch (s.type) {
    case "box":
      return length(s.size) / 2;
    case "sphere":
      return s.radius;
    case "cylinder":
    case "tube":
    case "cone":
      return Math.hypot(s.radius, s.length / 2);
    case "rod":
      return length(s.to) + s.radius;
    case "mesh": {
      const { min, max } = meshShapeBox(s);
      return Math.hypot(Math.max(-min.x, max.x), Math.max(-min.y, max.y), Math.max(-min.z, max.z));
    }
  }
}

/** `lengths`: those of beams, m. */
export function allShapes(model: Model, nodes: BeamNodes, lengths: number[]): Shapes {
  const points = attachments(model);
  const typical = typicalLength(model, points, nodes, lengths);
  const mass = median(model.bodies.map((b) => b.mass)) || 1;
  const bodies = model.bodies.map((body, b) => {
    if (body.shapes && body.shapes.length > 0) return body.shapes;
    if (nodes.beam(b) >= 0) return [];
    const list = points[b];
    const bar = 0.035 * typical;
    const ball = Math.min(0.3, Math.max(0.06, 0.1 * Math.cbrt(body.mass / mass))) * typical;
    const { colour, opacity } = body;
    const look = { ...(colour === undefined ? {} : { colour }), ...(opacity === undefined ? {} : { opacity }) };
    const rod = (from: Vec3, to: Vec3): Shape => ({ type: "rod", point: from, to: sub(to, from), radius: bar, ...look });
    const long = (s: Shape) => s.type !== "rod" || length(s.to) > 1e-9 * typical;
    const centre: Shape = { type: "sphere", point: body.com, radius: ball, ...look };
    // all bars through the centre of mass, but two points with it in line make one bar
    if (list.length === 2) {
      const [p, q] = list;
      const d = sub(q, p);
      const c = sub(body.com, p);
      const s = (c[0] * d[0] + c[1] * d[1] + c[2] * d[2]) / (length(d) ** 2 || 1);
      const off = length([c[0] - s * d[0], c[1] - s * d[1], c[2] - s * d[2]]);
      if (off < bar) return [rod(p, q), ...(s < -0.01 || s > 1.01 ? [rod(p, body.com), centre] : [])].filter(long);
    }
    if (list.length === 3) {
      const [p, q, r] = list;
      return [rod(p, q), rod(q, r), rod(r, p)].filter(long);
    }
    return [...list.map((p) => rod(p, body.com)), centre].filter(long);
  });
  return { bodies, typical };
}
