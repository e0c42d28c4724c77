// Holds a file against data.ts and says in words what is wrong, with the place.

import { FORCE_SYMBOLS, FORMAT, JOINT_SYMBOLS, VERSION, type Frames, type KingpinData, type Model } from "./data";

export interface Problem {
  path: string;
  text: string;
}

type Check = (value: unknown, path: string, out: Problem[]) => void;

const shown = (v: unknown): string => {
  if (v === undefined) return "nothing";
  const text = JSON.stringify(v) ?? String(v);
  return text.length > 40 ? `${text.slice(0, 37)}…` : text;
};
const expected = (what: string, v: unknown, path: string, out: Problem[]) =>
  void out.push({ path, text: v === undefined ? `${what} is missing` : `${what} expected, found ${shown(v)}` });

const test =
  (what: string, ok: (v: unknown) => boolean): Check =>
  (v, path, out) => {
    if (!ok(v)) expected(what, v, path, out);
  };
const text = test("a text", (v) => typeof v === "string");
const number = test("a number", (v) => typeof v === "number" && Number.isFinite(v));
const count = test("an integer of 0 or more", (v) => Number.isInteger(v) && (v as number) >= 0);
const flag = test("true or false", (v) => typeof v === "boolean");
const numbers = (n: number) => test(`a list of ${n} numbers`, (v) => Array.isArray(v) && v.length === n && v.every((x) => Number.isFinite(x)));
const vec3 = numbers(3);
const cell = test("a text, a number or null", (v) => v === null || typeof v === "string" || typeof v === "number");
const amount = test("a number or null", (v) => v === null || Number.isFinite(v));
const choice = (...of: string[]) => test(`one of ${of.join(", ")}`, (v) => of.includes(v as string));
const bodyRef = test("the index of a body, or null for the ground", (v) => v === null || Number.isInteger(v));

const list =
  (item: Check): Check =>
  (v, path, out) => {
    if (!Array.isArray(v)) return expected("a list", v, path, out);
    for (let i = 0; i < v.length && out.length < LIMIT; i++) item(v[i], `${path}[${i}]`, out);
  };

/** Fields whose name ends in `?` may be absent. */
const record =
  (fields: Record<string, Check>): Check =>
  (v, path, out) => {
    if (typeof v !== "object" || v === null || Array.isArray(v)) return expected("an object", v, path, out);
    for (const [key, check] of Object.entries(fields)) {
      const optional = key.endsWith("?");
      const name = optional ? key.slice(0, -1) : key;
      const value = (v as Record<string, unknown>)[name];
      if (value === undefined && optional) continue;
      check(value, path ? `${path}.${name}` : name, out);
    }
  };

const LIMIT = 30;

const column: Check = (v, path, out) => {
  const c = v as Record<string, unknown> | null;
  const good =
    typeof c === "object" &&
    c !== null &&
    ((typeof c.f32 === "string" && (c.offset === undefined || Number.isFinite(c.offset))) ||
      typeof c.f64 === "string" ||
      typeof c.constant === "number" ||
      (Array.isArray(c.values) && c.values.every((x) => x === null || typeof x === "number")));
  if (!good) expected("a column (f32, f64, values or constant)", v, path, out);
};

const KINDS = ["body", "joint", "driver", "force", "beam"];
const owner = test(`a kind (${KINDS.join(", ")}) and an index`, (v) => Array.isArray(v) && v.length === 2 && KINDS.includes(v[0]) && Number.isInteger(v[1]));

const placed = { "point?": vec3, "orientation?": numbers(4), "colour?": text, "opacity?": number };
const shapes: Record<string, Check> = {
  box: record({ ...placed, size: vec3 }),
  sphere: record({ ...placed, radius: number }),
  cylinder: record({ ...placed, radius: number, length: number, "direction?": vec3 }),
  tube: record({ ...placed, radius: number, inner: number, length: number, "direction?": vec3 }),
  cone: record({ ...placed, radius: number, length: number, "direction?": vec3 }),
  rod: record({ ...placed, radius: number, to: vec3 }),
  mesh: record({ ...placed, count, points: column, triangles: list(count) }),
};
const shape: Check = (v, path, out) => {
  const kind = (v as { type?: unknown } | null)?.type;
  const check = typeof kind === "string" ? shapes[kind] : undefined;
  if (check) check(v, path, out);
  else expected(`one of ${Object.keys(shapes).join(", ")}`, kind, `${path}.type`, out);
};

const beam = record({
  name: text,
  nodes: list(count),
  order: test("an integer of 1 or more", (v) => Number.isInteger(v) && (v as number) >= 1),
  outline: list(numbers(2)),
  "outlines?": list(list(numbers(2))),
  "rest?": list(list(number)),
  "modulus?": number,
  "colour?": text,
});
const mesh = record({
  name: text,
  body: count,
  nodes: list(count),
  count,
  points: column,
  triangles: list(count),
  amplitudes: list(count),
  shapes: list(column),
  "strains?": list(column),
  "stresses?": list(column),
  "corners?": list(bodyRef),
  "colour?": text,
});
const ends = { name: text, type: text, bodies: list(bodyRef), points: list(vec3), "axes?": list(vec3) };
const joint = record({ ...ends, "symbol?": choice(...JOINT_SYMBOLS), "joints?": list(text), "equations?": count });
const force = record({
  ...ends,
  "symbol?": choice(...FORCE_SYMBOLS),
  "stiffness?": number,
  "damping?": number,
  "direction?": vec3,
  "body_fixed?": flag,
  "radius?": number,
  "strength?": count,
});
const table = record({
  title: text,
  "note?": text,
  columns: list(record({ name: text, "unit?": text })),
  rows: list(list(cell)),
});
const entry = record({ name: text, value: cell, "unit?": text });

/** What a `solution` message may hold, too. */
export const solution = record({
  "warnings?": list(record({ "code?": text, what: text, "why?": text, "advice?": text })),
  "outcome?": record({ state: choice("done", "failed", "running"), message: text }),
  "summary?": list(entry),
  "settings?": list(entry),
  "steps?": record({
    count,
    t: column,
    h: column,
    "error?": column,
    "order?": column,
    "rejected?": column,
    "newton?": column,
    "residuals?": list(record({ name: text, unit: text, column })),
    "note?": text,
  }),
  "events?": list(record({ t: number, name: text, "kind?": text })),
  "cost?": list(record({ name: text, seconds: number, "calls?": count })),
});

const frames = record({ count, times: column, columns: list(column), "note?": text });

const file = record({
  "generator?": text,
  "live?": flag,
  model: record({
    name: text,
    "description?": text,
    space: choice("planar", "spatial"),
    "gravity?": vec3,
    "text?": text,
    "parameters?": list(record({ name: text, value: amount, "unit?": text, "set?": text })),
    bodies: list(
      record({ name: text, mass: number, com: vec3, "shapes?": list(shape), pose: list(count), "point?": flag, "colour?": text, "opacity?": number }),
    ),
    "beams?": list(beam),
    "meshes?": list(mesh),
    joints: list(joint),
    "drivers?": list(joint),
    forces: list(force),
    "ground?": list(shape),
    "roads?": list(record({ name: text, points: list(numbers(2)) })),
  }),
  channels: list(record({ name: text, unit: text, group: text, "of?": owner })),
  frames,
  "modes?": list(record({ name: text, frames })),
  "runs?": list(record({ name: text, channels: list(record({ name: text, unit: text })), frames })),
  "charts?": list(list(text)),
  "tables?": list(table),
  "topology?": record({
    nodes: list(record({ name: text, "kind?": choice("body", "ground", "virtual") })),
    edges: list(record({ name: text, nodes: numbers(2), "kind?": choice("joint", "driver", "fixed"), "equations?": count })),
    "patterns?": list(
      record({
        title: text,
        "note?": text,
        size: count,
        "labels?": list(text),
        entries: list(count),
        "fill?": list(count),
      }),
    ),
    "counts?": list(record({ name: text, before: amount, after: amount, "unit?": text })),
    "chosen?": text,
    "tables?": list(table),
  }),
  "solution?": solution,
  "controls?": list(
    record({
      name: text,
      "about?": text,
      unit: text,
      value: number,
      own: number,
      min: number,
      max: number,
      "step?": number,
      "text?": text,
      "own_text?": text,
      changed: flag,
    }),
  ),
});

/** All problems of a file, at most some thirty; an empty list means that it can be shown. */
export function check(value: unknown): Problem[] {
  const out: Problem[] = [];
  const head = value as { format?: unknown; version?: unknown } | null;
  if (typeof head !== "object" || head === null || head.format !== FORMAT) {
    return [{ path: "format", text: `“${FORMAT}” expected, found ${shown(head?.format)}` }];
  }
  if (head.version !== VERSION) {
    const advice = Number(head.version) > VERSION ? "the data are newer than this page" : "the data are older than this page";
    return [{ path: "version", text: `${VERSION} expected, found ${shown(head.version)}: ${advice}` }];
  }
  file(value, "", out);
  if (out.length === 0) crossCheck(value as KingpinData, out);
  return out.slice(0, LIMIT);
}

/** Indices must point to something, and there must be a column per channel. */
function crossCheck(data: KingpinData, out: Problem[]): void {
  const { model, channels, frames, topology } = data;
  const bodies = model.bodies.length;
  const channel = (i: number, path: string) => {
    if (i >= channels.length) out.push({ path, text: `there is no channel ${i}; there are ${channels.length}` });
  };
  const held: [Frames, string][] = [[frames, "frames"], ...(data.modes ?? []).map((m, k): [Frames, string] => [m.frames, `modes[${k}].frames`])];
  for (const [{ count, columns }, path] of held) {
    if (count === 0) out.push({ path: `${path}.count`, text: "at least one frame is needed: the initial state" });
    if (columns.length === channels.length) continue;
    out.push({ path: `${path}.columns`, text: `${channels.length} channels need as many columns, found ${columns.length}` });
  }
  const scalar = new Set((model.meshes ?? []).flatMap((m) => m.nodes));
  data.runs?.forEach((run, k) => {
    if (run.frames.columns.length !== run.channels.length)
      out.push({ path: `runs[${k}].frames.columns`, text: `${run.channels.length} channels need as many columns, found ${run.frames.columns.length}` });
  });
  model.bodies.forEach((body, i) => {
    const path = `model.bodies[${i}].pose`;
    const planar = model.space === "planar";
    const lengths = body.point ? [planar ? 2 : 3, ...(scalar.has(i) ? [1] : [])] : planar ? [3, 7] : [7];
    if (!lengths.includes(body.pose.length)) {
      out.push({ path, text: `${lengths.join(" or ")} channels expected, found ${body.pose.length}` });
    }
    body.pose.forEach((c) => channel(c, path));
  });
  const ended = [
    ["joints", model.joints],
    ["drivers", model.drivers ?? []],
    ["forces", model.forces],
  ] as const;
  for (const [kind, items] of ended) {
    items.forEach((item, i) => {
      const path = `model.${kind}[${i}]`;
      for (const b of item.bodies) {
        if (b !== null && (b < 0 || b >= bodies)) out.push({ path: `${path}.bodies`, text: `there is no body ${b}` });
      }
      if (item.points.length !== item.bodies.length) {
        out.push({ path: `${path}.points`, text: "a point per body is needed" });
      }
      if ("strength" in item && item.strength !== undefined) channel(item.strength, `${path}.strength`);
    });
  }
  checkBeams(model, out);
  checkMeshes(model, channel, out);
  topology?.edges.forEach((edge, i) => {
    if (edge.nodes.some((n) => n < 0 || n >= topology.nodes.length)) {
      out.push({ path: `topology.edges[${i}].nodes`, text: "there is no such node" });
    }
  });
}

function checkBeams({ bodies, beams = [] }: Model, out: Problem[]): void {
  beams.forEach(({ nodes, order, outline, outlines = [], rest = [] }, i) => {
    const path = `model.beams[${i}]`;
    if (nodes.length < 2 || (nodes.length - 1) % order !== 0) {
      out.push({ path: `${path}.nodes`, text: `elements of order ${order} need a multiple of it and one more, found ${nodes.length}` });
    }
    for (const n of nodes) {
      if (n >= bodies.length) out.push({ path: `${path}.nodes`, text: `there is no body ${n}` });
      else if (bodies[n].point) out.push({ path: `${path}.nodes`, text: `body ${n} is a point and has no attitude` });
    }
    const each = (field: string, list: unknown[][], length: (k: number) => number | undefined) => {
      const wrong = list.length > 0 && (list.length !== nodes.length || list.some((v, k) => v.length !== length(k)));
      if (wrong) out.push({ path: `${path}.${field}`, text: "one for each node is needed, all of the right length" });
    };
    each("outlines", outlines, () => outline.length);
    each("rest", rest, (k) => bodies[nodes[k]]?.pose.length);
    if (outline.length < 3) out.push({ path: `${path}.outline`, text: "a section has three corners at least" });
  });
}

function checkMeshes({ bodies, meshes = [] }: Model, channel: (i: number, path: string) => void, out: Problem[]): void {
  meshes.forEach((mesh, i) => {
    const path = `model.meshes[${i}]`;
    for (const b of [mesh.body, ...mesh.nodes]) if (b >= bodies.length) out.push({ path, text: `there is no body ${b}` });
    mesh.amplitudes.forEach((c) => channel(c, `${path}.amplitudes`));
    if (mesh.triangles.length % 3 !== 0 || mesh.triangles.some((k) => k >= mesh.count)) {
      out.push({ path: `${path}.triangles`, text: `three indices below ${mesh.count} for each are needed` });
    }
    if (mesh.corners && (mesh.corners.length !== mesh.count || mesh.corners.some((b) => b !== null && b >= bodies.length))) {
      out.push({ path: `${path}.corners`, text: `a body, or null, for each of ${mesh.count} points is needed` });
    }
    for (const field of ["shapes", "strains", "stresses"] as const) {
      const list = mesh[field];
      if (list && list.length !== mesh.amplitudes.length) out.push({ path: `${path}.${field}`, text: "one for each amplitude is needed" });
    }
  });
}
