// The data that the page shows. This file is the single source of truth of the format; FORMAT.md explains it in
// words, and check.ts holds every file against it before anything is drawn.

/** Written into every file, so that an old page can say that it is too old. */
export const FORMAT = "kingpin-view";
export const VERSION = 1;

export type Vec3 = [number, number, number];
/** Euler parameters e0, e1, e2, e3. */
export type Euler = [number, number, number, number];
/** Index into `model.bodies`; `null` is the ground. */
export type BodyRef = number | null;
/** Index into `channels`. */
export type ChannelRef = number;

export interface KingpinData {
  format: typeof FORMAT;
  version: typeof VERSION;
  /** What wrote it, such as `kingpin 0.3.0`. */
  generator?: string;
  /** More is to come through ./live; only where the page is served. */
  live?: boolean;
  model: Model;
  channels: Channel[];
  /** Of the first mode, if there are modes. */
  frames: Frames;
  /** Small motions to choose from: the page shows one of them at a time. */
  modes?: Mode[];
  /** Other runs to compare with: their curves and mechanisms are drawn beside those of this one. */
  runs?: Run[];
  /** Channels to plot at first, one list of names per chart. */
  charts?: string[][];
  /** Tables of the Model tab; without them the page makes its own from `model`. */
  tables?: Table[];
  topology?: Topology;
  solution?: Solution;
  /** Parameters that the page may change; only where it is served. */
  controls?: Control[];
}

/** A parameter that can be moved. */
export interface Control {
  name: string;
  /** What the file says beside it. */
  about?: string;
  /** The unit of its numbers, as the file has it; empty for none. */
  unit: string;
  value: number;
  /** The value of the file. */
  own: number;
  /** Ends of its slider. */
  min: number;
  max: number;
  /** Values are this far apart, if the file says so. */
  step?: number;
  /** What it is computed from, if it is no number, and what the file says; it has no slider then. */
  text?: string;
  own_text?: string;
  /** Whether it has another value than the file gives it. */
  changed: boolean;
}

// ---- model

export interface Model {
  name: string;
  description?: string;
  space: "planar" | "spatial";
  /** m/s^2; says which way is up. */
  gravity?: Vec3;
  /** The model file as it was run, with its includes. */
  text?: string;
  /** Parameters of the model, with the values of the run. */
  parameters?: Parameter[];
  bodies: Body[];
  beams?: Beam[];
  /** Flexible bodies with a surface of triangles. */
  meshes?: Mesh[];
  joints: Joint[];
  /** Drivers with two points are drawn as cylinders. */
  drivers?: Joint[];
  forces: Force[];
  /** Shapes that belong to the ground, in global axes. */
  ground?: Shape[];
  roads?: Road[];
}

export interface Parameter {
  name: string;
  /** In SI units; null if it is no finite number. */
  value: number | null;
  unit?: string;
  /** What the user gave it for this run instead of the value in the file, such as `3 kN/m`. */
  set?: string;
}

export interface Body {
  name: string;
  /** kg */
  mass: number;
  /** Centre of mass in the axes of the body, from the origin of its frame, m. */
  com: Vec3;
  /** Without any, shapes are derived from points of joints and from the mass. */
  shapes?: Shape[];
  /**
   * Channels of the pose of the body frame: x, y, z, e0, e1, e2, e3; or x, y, angle in planar models.
   * The origin is that of the body frame of the model file, not the centre of mass.
   */
  pose: ChannelRef[];
  /** Whether it is a point: no attitude, so its pose is x, y, z, or x, y in planar models; of an amplitude of a mesh one number. */
  point?: boolean;
  /** Colour and opacity of the shapes that a body without shapes gets. */
  colour?: string;
  opacity?: number;
}

/**
 * A flexible beam, or what of it is between two corners: parts have the same name. It has bodies in a row, its nodes, whose frames have x along the beam. Elements of order p share the nodes
 * at their ends: node k p is the end of element k; the others are where Gauss, Lobatto and Legendre put them. The
 * nodes are drawn by their beam alone.
 */
export interface Beam {
  name: string;
  /** Indices of bodies, from end to end. */
  nodes: number[];
  order: number;
  /** Closed polygon of the section, [y, z] in the axes of the nodes, m. */
  outline: [number, number][];
  /** Where the section changes along the beam: such a polygon for each node, all with as many corners as `outline`. */
  outlines?: [number, number][][];
  /** The pose of each node where nothing is strained, as in channels of poses; without it, that of the first frame. */
  rest?: number[][];
  /** Young's modulus, Pa; without it there are no stresses to show. */
  modulus?: number;
  /** `#rrggbb` or a CSS name; without it, one is chosen. */
  colour?: string;
}

/**
 * A flexible body whose surface a few amplitudes deform: at a time, point k is at `points[k]` and the sum over the
 * amplitudes of their value times `shapes[j][k]`, in the axes of its body.
 */
export interface Mesh {
  name: string;
  /** The body whose frame carries it: the floating frame. */
  body: number;
  /** Bodies that are drawn by the mesh alone, such as its frame, its interfaces and its amplitudes. */
  nodes: number[];
  /** Points of the surface. */
  count: number;
  /** Places without deformation in the axes of the body, m: x, y and z of the first, then of the next. */
  points: Column;
  /** Corners of triangles, counter-clockwise from outside; three numbers each, from 0 on. */
  triangles: number[];
  /** The channel of each amplitude. */
  amplitudes: ChannelRef[];
  /** For each amplitude, displacements of all points by one unit of it, as in `points`. */
  shapes: Column[];
  /** For each amplitude, strains of all points by one unit of it: xx, yy, zz, xy, yz and zx of the tensor at the first, then of the next. */
  strains?: Column[];
  /** Likewise stresses, Pa. */
  stresses?: Column[];
  /** The body that each point is, or null for one that is held, instead of a frame and amplitudes; `points` are global then. */
  corners?: BodyRef[];
  colour?: string;
}

/** The shapes of model files, resolved: numbers in SI units, places in the axes of the body. */
export type Shape = BoxShape | SphereShape | CylinderShape | TubeShape | ConeShape | RodShape | MeshShape;

export interface Placed {
  /** Place on the body; default its origin. */
  point?: Vec3;
  /** Axes of the shape against those of the body (of its marker); default aligned. */
  orientation?: Euler;
  /** `#rrggbb` or a CSS name; without it, one is chosen. */
  colour?: string;
  /** How much it hides what is behind it, 0 to 1; default 1. */
  opacity?: number;
}
export interface BoxShape extends Placed {
  type: "box";
  size: Vec3;
}
export interface SphereShape extends Placed {
  type: "sphere";
  radius: number;
}
export interface CylinderShape extends Placed {
  type: "cylinder";
  radius: number;
  length: number;
  /** Default z. */
  direction?: Vec3;
}
export interface TubeShape extends Placed {
  type: "tube";
  radius: number;
  /** Radius of the hole along it. */
  inner: number;
  length: number;
  /** Default z. */
  direction?: Vec3;
}
/** The middle of its axis is at its place, its tip ahead. */
export interface ConeShape extends Placed {
  type: "cone";
  radius: number;
  length: number;
  /** Direction of the tip; default z. */
  direction?: Vec3;
}
export interface RodShape extends Placed {
  type: "rod";
  radius: number;
  /** The other end, counted from `point`, in the axes of the shape. */
  to: Vec3;
}
/** Triangles that do not deform. */
export interface MeshShape extends Placed {
  type: "mesh";
  /** How many points there are. */
  count: number;
  /** Places counted from `point`, in the axes of the shape, m: x, y and z of the first, then of the next. */
  points: Column;
  /** Corners of triangles, counter-clockwise from outside; three numbers each, from 0 on. */
  triangles: number[];
}

/**
 * A small ball; a pin along the axis; a ball; a pin on each body; a long sleeve along the axis; a guide along the axis
 * with what slides in it; a disc across the axis; a rod between the points; a block.
 */
export const JOINT_SYMBOLS = ["dot", "pin", "ball", "cross", "sleeve", "guide", "disc", "rod", "block"] as const;
export type JointSymbol = (typeof JOINT_SYMBOLS)[number];

/**
 * A ring about the axis; a coil, a damper or both between two points; a damper alone; an arrow along the direction; the same with two
 * tips; an arrow against gravity from the radius below the point; a rod between two points.
 */
export const FORCE_SYMBOLS = ["ring", "coil", "damper", "arrow", "two-tips", "contact", "bar"] as const;
export type ForceSymbol = (typeof FORCE_SYMBOLS)[number];

export interface Joint {
  name: string;
  /** As in model files: `revolute`, `spherical`, … */
  type: string;
  /** How it is drawn; without one, as a dot. Drivers between two points are hydraulic cylinders. */
  symbol?: JointSymbol;
  /** One entry for joints with one end (`absolute-x`), none for couplings of joints (`gear`). */
  bodies: BodyRef[];
  /** A point per body, in the axes of that body. */
  points: Vec3[];
  /** An axis per body, in the axes of that body; absent where the joint has none. */
  axes?: Vec3[];
  /** Names of the joints it couples (`gear`, `rack-and-pinion`, drivers of joints). */
  joints?: string[];
  equations?: number;
}

export interface Force {
  name: string;
  /** As in model files: `spring`, `torsion-spring`, … */
  type: string;
  /** How it is drawn; without one, not at all. */
  symbol?: ForceSymbol;
  bodies: BodyRef[];
  points: Vec3[];
  axes?: Vec3[];
  /** N/m (or N m/rad); 0 or absent together with damping > 0 is drawn as a damper. */
  stiffness?: number;
  damping?: number;
  /** Of arrows: their direction. */
  direction?: Vec3;
  /** Whether the direction turns with the body. */
  body_fixed?: boolean;
  /** Of contacts: how far below the point they push, m; of bars: how thick they are. */
  radius?: number;
  /** Channel of its strength: arrows are as long as this is large. */
  strength?: ChannelRef;
}

export interface Road {
  name: string;
  /** Distance x and height (z in space, y in the plane), m, by rising x. */
  points: [number, number][];
}

// ---- numbers over time

export interface Channel {
  /** Unique, such as `chassis.x`. */
  name: string;
  /** Such as `m/s`; empty for pure numbers. */
  unit: string;
  /** Heading in the list of channels, such as `Bodies`. */
  group: string;
  /** What it belongs to: kind, and index in the list of the model. */
  of?: ["body" | "joint" | "driver" | "force" | "beam", number];
}

/** Numbers as base64 of a little-endian array (`offset` is added to each), plain, or all the same. */
export type Column = { f32: string; offset?: number } | { f64: string } | { values: (number | null)[] } | { constant: number };

export interface Frames {
  count: number;
  /** Rising times, s. */
  times: Column;
  /** One per channel, in the order of `channels`. */
  columns: Column[];
  /** Such as `500 of 10,000 frames are shown`. */
  note?: string;
}

/** Another run; what has the names of channels here is the same there. */
export interface Run {
  name: string;
  channels: { name: string; unit: string }[];
  frames: Frames;
}

/** A small motion about a state, from one period on over and over; its first frame is that state. */
export interface Mode {
  /** Such as `3.52 Hz, damping ratio 0.02`. */
  name: string;
  frames: Frames;
}

// ---- tables

export type Cell = string | number | null;

export interface Table {
  title: string;
  note?: string;
  columns: { name: string; unit?: string }[];
  rows: Cell[][];
}

export interface Entry {
  name: string;
  value: Cell;
  unit?: string;
}

// ---- topology

export interface Topology {
  /** Bodies, and the ground where a joint needs it. Virtual ones come from splitting. */
  nodes: { name: string; kind?: "body" | "ground" | "virtual" }[];
  /** Joints between two nodes; `fixed` ones hold virtual bodies together. */
  edges: { name: string; nodes: [number, number]; kind?: "joint" | "driver" | "fixed"; equations?: number }[];
  /** Usually two: before and after elimination. */
  patterns?: Pattern[];
  counts?: { name: string; before: number | null; after: number | null; unit?: string }[];
  /** Which order was chosen, and why. */
  chosen?: string;
  tables?: Table[];
}

/** A symmetric pattern by its lower triangle; the diagonal is understood. */
export interface Pattern {
  title: string;
  note?: string;
  size: number;
  labels?: string[];
  /** Row, column, row, column, … with row > column. */
  entries: number[];
  /** Entries that elimination adds, likewise. */
  fill?: number[];
}

// ---- solution history

export interface Solution {
  /** What makes the results doubtful; shown above everything else. */
  warnings?: Warning[];
  outcome?: { state: "done" | "failed" | "running"; message: string };
  summary?: Entry[];
  settings?: Entry[];
  steps?: Steps;
  events?: SolutionEvent[];
  cost?: { name: string; seconds: number; calls?: number }[];
}

export interface Warning {
  /** What kind it is, in words that stay the same for scripts. */
  code?: string;
  /** A sentence; names in backticks are set apart here and in the others. */
  what: string;
  why?: string;
  advice?: string;
}

export interface Steps {
  count: number;
  /** Time after each accepted step, s. */
  t: Column;
  /** Step size, s. */
  h: Column;
  /** Error estimate over tolerance. */
  error?: Column;
  order?: Column;
  /** Attempts rejected before the step. */
  rejected?: Column;
  /** Newton iterations. */
  newton?: Column;
  residuals?: { name: string; unit: string; column: Column }[];
  note?: string;
}

export interface SolutionEvent {
  t: number;
  name: string;
  /** Such as `switch`, `stop`, `note`. */
  kind?: string;
}

// ---- live messages (server-sent events at ./live; the event name says which)

/** `frames`: frames after those the page has, row by row: time, then one number per channel. */
export interface LiveFrames {
  /** Number of frames before these; the page leaves out what it has and loads anew after a gap. */
  first: number;
  count: number;
  rows: Column;
}

/** `solution`: replaces the whole history, or what of it is given. */
export type LiveSolution = Partial<Solution>;
