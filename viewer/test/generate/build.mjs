// What all generated files share: columns in base64, channels of bodies, a small elimination for the topology.
// @ts-check
import { VERSION_INFO } from "./version.mjs";

/** @typedef {import("../../src/data").KingpinData} KingpinData */
/** @typedef {import("../../src/data").Column} Column */
/** @typedef {import("../../src/data").Channel} Channel */
/** @typedef {import("../../src/data").Joint} Joint */
/** @typedef {import("../../src/data").Vec3} Vec3 */

/** @param {ArrayLike<number>} values @returns {Column} */
export function f64(values) {
  return { f64: Buffer.from(Float64Array.from(values).buffer).toString("base64") };
}

/** @param {ArrayLike<number>} values @returns {Column} */
export function f32(values) {
  let same = values.length > 0;
  for (let i = 1; i < values.length && same; i++) same = values[i] === values[0];
  if (same) return { constant: values[0] };
  return { f32: Buffer.from(Float32Array.from(values).buffer).toString("base64") };
}

/** Channels with their columns, in the order in which they are added. */
export class Channels {
  constructor() {
    /** @type {Channel[]} */
    this.channels = [];
    /** @type {ArrayLike<number>[]} */
    this.values = [];
  }

  /** @param {string} group @param {string} name @param {string} unit @param {ArrayLike<number>} values @param {Channel["of"]} [of] */
  add(group, name, unit, values, of) {
    this.channels.push(of ? { name, unit, group, of } : { name, unit, group });
    this.values.push(values);
    return this.channels.length - 1;
  }

  /** Position and Euler parameters of a body: frames of seven numbers. @param {number} index @param {string} name @param {number[][]} poses */
  pose(index, name, poses) {
    const parts = ["x", "y", "z", "e0", "e1", "e2", "e3"];
    return parts.map((p, k) =>
      this.add(
        "Bodies",
        `${name}.${p}`,
        k < 3 ? "m" : "",
        poses.map((q) => q[k]),
        ["body", index],
      ),
    );
  }

  /** @param {number[]} times @param {(values: ArrayLike<number>) => Column} [column] */
  frames(times, column = f32) {
    return { count: times.length, times: f64(times), columns: this.values.map(column) };
  }
}

/** Central differences. @param {number[]} values @param {number[]} times */
export function rate(values, times) {
  return values.map((_, i) => {
    const a = Math.max(0, i - 1);
    const b = Math.min(values.length - 1, i + 1);
    return (values[b] - values[a]) / (times[b] - times[a]);
  });
}

/** Graph of bodies and joints, and the reduced matrix before and after elimination by minimum degree.
 * @param {string[]} bodies @param {Joint[]} joints @returns {import("../../src/data").Topology} */
export function topology(bodies, joints) {
  const grounded = joints.some((j) => j.bodies.includes(null));
  const ground = bodies.length;
  /** @type {import("../../src/data").Topology["nodes"]} */
  const nodes = bodies.map((name) => ({ name }));
  if (grounded) nodes.push({ name: "ground", kind: "ground" });
  const edges = joints.map((j) => ({
    name: j.name,
    nodes: /** @type {[number, number]} */ ([j.bodies[0] ?? ground, j.bodies[1] ?? ground]),
    equations: j.equations,
  }));
  // joints that share a body are coupled
  /** @type {Set<number>[]} */
  const near = joints.map(() => new Set());
  /** @type {number[][]} */
  const on = bodies.map(() => []);
  joints.forEach((j, k) => j.bodies.forEach((b) => b !== null && on[b].push(k)));
  for (const list of on) for (const a of list) for (const b of list) if (a !== b) near[a].add(b);
  /** @param {Set<number>[]} graph @param {number[]} place */
  const entries = (graph, place) => graph.flatMap((set, a) => [...set].filter((b) => place[b] < place[a]).flatMap((b) => [place[a], place[b]]));
  const given = joints.map((_, k) => k);
  const before = entries(near, given);
  const rest = near.map((s) => new Set(s));
  const open = new Set(given);
  const order = [];
  /** @type {[number, number][]} */
  const fill = [];
  while (open.size > 0) {
    let best = -1;
    for (const k of open) if (best < 0 || rest[k].size < rest[best].size) best = k;
    const list = [...rest[best]];
    for (const a of list) {
      rest[a].delete(best);
      for (const b of list) {
        if (a <= b || rest[a].has(b)) continue;
        rest[a].add(b);
        rest[b].add(a);
        fill.push([a, b]);
      }
    }
    open.delete(best);
    order.push(best);
  }
  const place = joints.map(() => 0);
  order.forEach((k, i) => (place[k] = i));
  const added = fill.flatMap(([a, b]) => (place[a] > place[b] ? [place[a], place[b]] : [place[b], place[a]]));
  /** @param {number[]} list */
  const band = (list) => {
    let most = 0;
    for (let i = 0; i < list.length; i += 2) most = Math.max(most, list[i] - list[i + 1]);
    return most;
  };
  return {
    nodes,
    edges,
    patterns: [
      { title: "As given", size: joints.length, labels: joints.map((j) => j.name), entries: before },
      { title: "Minimum degree", size: joints.length, labels: order.map((k) => joints[k].name), entries: entries(near, place), fill: added },
    ],
    counts: [
      { name: "Joints", before: joints.length, after: joints.length },
      { name: "Bandwidth, blocks", before: band(before), after: Math.max(band(added), band(entries(near, place))) },
      { name: "Nonzero blocks", before: joints.length + before.length / 2, after: joints.length + (before.length + added.length) / 2 },
      { name: "Fill", before: null, after: added.length / 2 },
    ],
    chosen: "Chosen: minimum degree.",
  };
}

/** A step-size history as of a stiff solver that meets some events.
 * @param {number} end @param {{ t: number, name: string, kind?: string }[]} events @param {number} largest
 * @returns {import("../../src/data").Solution} */
export function solution(end, events, largest) {
  const t = [];
  const h = [];
  const error = [];
  const rejected = [];
  const newton = [];
  const order = [];
  const position = [];
  const velocity = [];
  let now = 0;
  let step = 1e-6 * end;
  let noise = 1;
  const random = () => (noise = (noise * 48271) % 2147483647) / 2147483647;
  let next = 0;
  while (now < end) {
    let missed = 0;
    if (next < events.length && now + step >= events[next].t) {
      now = events[next].t;
      next++;
      step = 2e-5 * end;
      missed = 1 + Math.round(random());
    } else now = Math.min(end, now + step);
    t.push(now);
    h.push(step);
    error.push(0.02 + 0.9 * random() ** 2);
    rejected.push(missed + (random() > 0.985 ? 1 : 0));
    newton.push(2 + Math.round(2.2 * random()) + missed);
    order.push(missed ? 3 : 5);
    position.push(1e-11 * 10 ** (2 * random()) * (1 + 100 * missed));
    velocity.push(1e-9 * 10 ** (1.5 * random()) * (1 + 100 * missed));
    step = Math.min(largest * (0.7 + 0.3 * random()), step * (1.15 + 0.4 * random()));
  }
  const sum = (/** @type {number[]} */ list) => list.reduce((a, b) => a + b, 0);
  return {
    outcome: { state: "done", message: `Reached ${end} s.` },
    summary: [
      { name: "Accepted steps", value: t.length },
      { name: "Rejected attempts", value: sum(rejected) },
      { name: "Newton iterations", value: sum(newton) },
      { name: "Largest step", value: Math.max(...h), unit: "s" },
      { name: "Smallest step", value: Math.min(...h), unit: "s" },
      { name: "Largest position residual", value: Math.max(...position), unit: "m" },
      { name: "Drift of energy", value: 3.1e-7, unit: "J" },
    ],
    settings: [
      { name: "Method", value: "Radau IIA, order 5" },
      { name: "Formulation", value: "tangent plane" },
      { name: "Linear solver", value: "elimination, minimum degree" },
      { name: "Tolerance", value: 1e-5 },
      { name: "End", value: end, unit: "s" },
    ],
    steps: {
      count: t.length,
      t: f64(t),
      h: f64(h),
      error: f32(error),
      order: f32(order),
      rejected: f32(rejected),
      newton: f32(newton),
      residuals: [
        { name: "position", unit: "m", column: f32(position) },
        { name: "velocity", unit: "m/s", column: f32(velocity) },
      ],
    },
    events,
    cost: [
      { name: "Evaluation", seconds: 0.42, calls: 4 * t.length },
      { name: "Linearisation", seconds: 0.61, calls: Math.round(t.length / 3) },
      { name: "Factorisation", seconds: 0.28, calls: t.length },
      { name: "Solution", seconds: 0.17, calls: sum(newton) },
      { name: "Projection", seconds: 0.09, calls: t.length },
      { name: "Output", seconds: 0.03 },
    ],
  };
}

/** @param {Omit<KingpinData, "format" | "version" | "generator">} rest @returns {KingpinData} */
export function file(rest) {
  return { ...VERSION_INFO, generator: "test data", ...rest };
}
