// Beams whose deformation is known: bent to arcs of circles, and twisted evenly.
// @ts-check
import { Channels, f64, file, solution, topology } from "./build.mjs";

/** @typedef {import("../../src/data").Body} Body */
/** @typedef {import("../../src/data").Joint} Joint */

/** Length, half the depth of the section, modulus, greatest curvature and twist, curvature of the planar one without strain: tests compare with these. */
export const KNOWN = { length: 2, half: 0.05, modulus: 7e10, curvature: 0.4, twist: 0.9, end: 2, rest: -0.1 };
const FRAMES = 101;
const ORDER = 3;
const ELEMENTS = 4;
/** Inner points of an element of third order. */
const XI = [-1, -1 / Math.sqrt(5), 1 / Math.sqrt(5), 1];

/** Places of the nodes along a beam, 0 to 1. */
export const PLACES = Array.from({ length: ELEMENTS * ORDER + 1 }, (_, n) => {
  const e = Math.min(ELEMENTS - 1, Math.floor(n / ORDER));
  return (e + (XI[n - e * ORDER] + 1) / 2) / ELEMENTS;
});
const TIMES = Array.from({ length: FRAMES }, (_, i) => (i * KNOWN.end) / (FRAMES - 1));
const swing = (/** @type {number} */ t) => Math.sin((2 * Math.PI * t) / KNOWN.end);

/** @param {number} half @param {number} width @returns {[number, number][]} */
const rectangle = (half, width) => [
  [-width, -half],
  [width, -half],
  [width, half],
  [-width, half],
];
/** @param {number} radius @returns {[number, number][]} */
const circle = (radius) => Array.from({ length: 16 }, (_, k) => [radius * Math.cos((k * Math.PI) / 8), radius * Math.sin((k * Math.PI) / 8)]);

/** An I, which is not convex. @param {number} h @param {number} b @param {number} t @returns {[number, number][]} */
const flanged = (h, b, t) => [
  [-b, -h],
  [b, -h],
  [b, -h + t],
  [t / 2, -h + t],
  [t / 2, h - t],
  [b, h - t],
  [b, h],
  [-b, h],
  [-b, h - t],
  [-t / 2, h - t],
  [-t / 2, -h + t],
  [-b, -h + t],
];

/** Bodies of a beam, with their channels. @param {Channels} ch @param {Body[]} bodies @param {string} name
 * @param {(s: number, t: number) => number[]} pose @returns {number[]} their indices */
function nodes(ch, bodies, name, pose) {
  return PLACES.map((s, k) => {
    const index = bodies.length;
    bodies.push({
      name: `${name}.${k + 1}`,
      mass: 0.3,
      com: [0, 0, 0],
      pose: ch.pose(
        index,
        `${name}.${k + 1}`,
        TIMES.map((t) => pose(s * KNOWN.length, t)),
      ),
    });
    return index;
  });
}

/** In space: an arm that bends down and up, a shaft that turns and twists, a rail in the shape of an I. */
export function beams() {
  const ch = new Channels();
  /** @type {Body[]} */
  const bodies = [];
  const arm = nodes(ch, bodies, "arm", (s, t) => {
    const k = KNOWN.curvature * swing(t) || 1e-12;
    const half = (k * s) / 2;
    return [Math.sin(k * s) / k, 0, 1 - (1 - Math.cos(k * s)) / k, Math.cos(half), 0, Math.sin(half), 0];
  });
  const shaft = nodes(ch, bodies, "shaft", (s, t) => {
    // three turns in all: Euler parameters of either sign
    const half = (KNOWN.twist * swing(t) * s + 3 * Math.PI * t) / 2;
    return [s, 0.8, 1, Math.cos(half), Math.sin(half), 0, 0];
  });
  const rail = nodes(ch, bodies, "rail", (s) => [s, -0.8, 1, 1, 0, 0, 0]);
  const hub = bodies.length;
  bodies.push({
    name: "hub",
    mass: 5,
    com: [0, 0, 0],
    shapes: [{ type: "box", size: [0.2, 0.3, 0.3] }],
    pose: ch.pose(
      hub,
      "hub",
      TIMES.map(() => [-0.1, 0, 1, 1, 0, 0, 0]),
    ),
  });
  ch.add("Beams", "arm.1.n", "N", TIMES.map(swing), ["beam", 0]);
  /** @type {Joint[]} */
  const joints = [
    {
      name: "clamp",
      type: "fixed",
      symbol: "block",
      bodies: [hub, arm[0]],
      points: [
        [0.1, 0, 0],
        [0, 0, 0],
      ],
      equations: 6,
    },
    {
      name: "base",
      type: "fixed",
      symbol: "block",
      bodies: [null, hub],
      points: [
        [-0.1, 0, 1],
        [0, 0, 0],
      ],
      equations: 6,
    },
    {
      name: "bearing",
      type: "revolute",
      symbol: "pin",
      bodies: [null, shaft[0]],
      points: [
        [0, 0.8, 1],
        [0, 0, 0],
      ],
      axes: [
        [1, 0, 0],
        [1, 0, 0],
      ],
      equations: 5,
    },
  ];
  return file({
    model: {
      name: "beam",
      description: "Beams bent to arcs and twisted evenly",
      space: "spatial",
      gravity: [0, 0, -9.81],
      bodies,
      beams: [
        { name: "arm", nodes: arm, order: ORDER, outline: rectangle(KNOWN.half, 0.08), modulus: KNOWN.modulus },
        { name: "shaft", nodes: shaft, order: ORDER, outline: circle(0.06), colour: "#c98a3c" },
        {
          name: "rail",
          nodes: rail,
          order: ORDER,
          outline: flanged(0.08, 0.06, 0.02),
          outlines: PLACES.map((s) => flanged(0.08 - 0.03 * s, 0.06 - 0.03 * s, 0.02)),
        },
      ],
      joints,
      forces: [],
    },
    channels: ch.channels,
    frames: ch.frames(TIMES, f64),
    charts: [["arm.13.x", "arm.13.z"]],
    topology: topology(
      bodies.map((b) => b.name),
      joints,
    ),
    solution: solution(KNOWN.end, [], KNOWN.end / 400),
  });
}

/** x, y and angle at a place of an arc. @param {number} curvature @param {number} s */
function arc(curvature, s) {
  const angle = curvature * s * KNOWN.length;
  return [Math.sin(angle) / curvature, (1 - Math.cos(angle)) / curvature, angle];
}

/** In the plane, with angles; straight at the start, but not without strain there. */
export function planarBeam() {
  const ch = new Channels();
  /** @type {Body[]} */
  const bodies = [];
  const arm = PLACES.map((s, k) => {
    const name = `arm.${k + 1}`;
    const at = TIMES.map((t) => arc(KNOWN.curvature * swing(t) || 1e-12, s));
    const pose = ["x", "y", "angle"].map((p, i) =>
      ch.add(
        "Bodies",
        `${name}.${p}`,
        i < 2 ? "m" : "rad",
        at.map((q) => q[i]),
        ["body", k],
      ),
    );
    bodies.push({ name, mass: 0.3, com: [0, 0, 0], pose });
    return k;
  });
  /** @type {Joint[]} */
  const joints = [
    {
      name: "clamp",
      type: "fixed",
      symbol: "block",
      bodies: [null, 0],
      points: [
        [0, 0, 0],
        [0, 0, 0],
      ],
      equations: 3,
    },
  ];
  return file({
    model: {
      name: "beam_planar",
      space: "planar",
      bodies,
      beams: [
        { name: "arm", nodes: arm, order: ORDER, outline: rectangle(0.01, KNOWN.half), modulus: KNOWN.modulus, rest: PLACES.map((s) => arc(KNOWN.rest, s)) },
      ],
      joints,
      forces: [],
    },
    channels: ch.channels,
    frames: ch.frames(TIMES, f64),
  });
}
