// The crank-rocker of models/four_bar.toml, running freely: one degree of freedom, integrated over its energy.
// @ts-check
import { Channels, file, rate, solution, topology } from "./build.mjs";

const [a, b, c, d] = [0.1, 0.35, 0.25, 0.4];
const perLength = 7850 * 0.02 * 0.005;
const g = 9.81;

/** Angles of coupler and rocker for a crank angle. @param {number} phi */
function close(phi) {
  const bx = a * Math.cos(phi);
  const by = a * Math.sin(phi);
  const diagonal = Math.hypot(bx - d, by);
  const psi = Math.atan2(by, bx - d) - Math.acos((diagonal ** 2 + c ** 2 - b ** 2) / (2 * diagonal * c));
  const theta = Math.atan2(c * Math.sin(psi) - by, d + c * Math.cos(psi) - bx);
  return { psi, theta };
}

/** Energy per square of the crank speed, and weight. @param {number} phi */
function energies(phi) {
  const { psi, theta } = close(phi);
  const wb = ((a / b) * Math.sin(psi - phi)) / Math.sin(theta - psi);
  const wc = ((a / c) * Math.sin(phi - theta)) / Math.sin(psi - theta);
  const vx = -a * Math.sin(phi) - (b / 2) * wb * Math.sin(theta);
  const vy = a * Math.cos(phi) + (b / 2) * wb * Math.cos(theta);
  const kinetic = 0.5 * perLength * (a ** 3 / 3 + b * (vx ** 2 + vy ** 2) + (b ** 3 / 12) * wb ** 2 + (c ** 3 / 3) * wc ** 2);
  const height = (a * a * Math.sin(phi)) / 2 + b * (a * Math.sin(phi) + (b / 2) * Math.sin(theta)) + (c * c * Math.sin(psi)) / 2;
  return { kinetic, potential: perLength * g * height };
}

export function fourBar() {
  const start = Math.PI / 3;
  const omega = (200 * 2 * Math.PI) / 60;
  const first = energies(start);
  const total = first.kinetic * omega ** 2 + first.potential;
  /** @param {number} phi */
  const speed = (phi) => {
    const e = energies(phi);
    return Math.sqrt((total - e.potential) / e.kinetic);
  };
  const times = Array.from({ length: 401 }, (_, i) => 0.005 * i);
  const phis = [start];
  for (let i = 1; i < times.length; i++) {
    let phi = phis[i - 1];
    for (let k = 0; k < 10; k++) {
      const h = 0.0005;
      const k1 = speed(phi);
      const k2 = speed(phi + 0.5 * h * k1);
      phi += h * speed(phi + 0.5 * h * k2);
    }
    phis.push(phi);
  }
  const at = phis.map((phi) => ({ phi, ...close(phi), w: speed(phi), ...energies(phi) }));
  // angles are counted over full turns
  for (const key of /** @type {const} */ (["psi", "theta"])) {
    for (let i = 0; i < at.length; i++) at[i][key] -= 2 * Math.PI * Math.round((at[i][key] - (i > 0 ? at[i - 1][key] : 1.7)) / (2 * Math.PI));
  }
  const ch = new Channels();
  /** @param {number} i @param {string} name @param {number[]} x @param {number[]} y @param {number[]} angle */
  const body = (i, name, x, y, angle) => {
    const pose = [
      ch.add("Bodies", `${name}.x`, "m", x, ["body", i]),
      ch.add("Bodies", `${name}.y`, "m", y, ["body", i]),
      ch.add("Bodies", `${name}.angle`, "rad", angle, ["body", i]),
    ];
    ch.add("Bodies", `${name}.vx`, "m/s", rate(x, times), ["body", i]);
    ch.add("Bodies", `${name}.vy`, "m/s", rate(y, times), ["body", i]);
    ch.add("Bodies", `${name}.omega`, "rad/s", rate(angle, times), ["body", i]);
    return pose;
  };
  const zeros = times.map(() => 0);
  const crank = body(0, "crank", zeros, zeros, phis);
  const coupler = body(
    1,
    "coupler",
    at.map((s) => a * Math.cos(s.phi)),
    at.map((s) => a * Math.sin(s.phi)),
    at.map((s) => s.theta),
  );
  const rocker = body(
    2,
    "rocker",
    times.map(() => d),
    zeros,
    at.map((s) => s.psi),
  );
  ch.add("Measures", "crank_angle", "rad", phis);
  ch.add(
    "Measures",
    "crank_angle.rate",
    "rad/s",
    at.map((s) => s.w),
  );
  ch.add(
    "Measures",
    "rocker_angle",
    "rad",
    at.map((s) => s.psi),
  );
  ch.add(
    "Measures",
    "rocker_angle.rate",
    "rad/s",
    rate(
      at.map((s) => s.psi),
      times,
    ),
  );
  ch.add(
    "Energy",
    "kinetic",
    "J",
    at.map((s) => s.kinetic * s.w ** 2),
  );
  ch.add(
    "Energy",
    "potential",
    "J",
    at.map((s) => s.potential),
  );
  ch.add(
    "Energy",
    "total",
    "J",
    at.map((s) => s.kinetic * s.w ** 2 + s.potential),
  );

  /** @type {import("./build.mjs").Joint[]} */
  const joints = [
    {
      name: "A",
      type: "revolute",
      symbol: "pin",
      bodies: [null, 0],
      points: [
        [0, 0, 0],
        [0, 0, 0],
      ],
      equations: 2,
    },
    {
      name: "B",
      type: "revolute",
      symbol: "pin",
      bodies: [0, 1],
      points: [
        [a, 0, 0],
        [0, 0, 0],
      ],
      equations: 2,
    },
    {
      name: "C",
      type: "revolute",
      symbol: "pin",
      bodies: [1, 2],
      points: [
        [b, 0, 0],
        [c, 0, 0],
      ],
      equations: 2,
    },
    {
      name: "D",
      type: "revolute",
      symbol: "pin",
      bodies: [null, 2],
      points: [
        [d, 0, 0],
        [0, 0, 0],
      ],
      equations: 2,
    },
  ];
  /** @param {string} name @param {number} l @param {string} colour @param {number[]} pose */
  const bar = (name, l, colour, pose) => ({
    name,
    mass: perLength * l,
    com: /** @type {import("./build.mjs").Vec3} */ ([l / 2, 0, 0]),
    shapes: [{ type: /** @type {const} */ ("rod"), to: /** @type {import("./build.mjs").Vec3} */ ([l, 0, 0]), radius: 0.01, colour }],
    pose,
  });
  const events = [];
  for (let i = 1; i < phis.length; i++) {
    const turn = Math.floor((phis[i] - start) / (2 * Math.PI));
    if (turn > Math.floor((phis[i - 1] - start) / (2 * Math.PI))) events.push({ t: times[i], name: `turn ${turn}`, kind: "note" });
  }
  return file({
    model: {
      name: "four_bar",
      description: "Planar crank-rocker running freely under gravity",
      space: "planar",
      gravity: [0, -g, 0],
      bodies: [bar("crank", a, "#c0392b", crank), bar("coupler", b, "#d98c2b", coupler), bar("rocker", c, "#2e6f9e", rocker)],
      joints,
      forces: [],
      ground: [
        { type: "sphere", radius: 0.015, colour: "#555555" },
        { type: "sphere", radius: 0.015, point: [d, 0, 0], colour: "#555555" },
      ],
    },
    channels: ch.channels,
    frames: ch.frames(times),
    charts: [
      ["crank_angle.rate", "rocker_angle"],
      ["kinetic", "potential", "total"],
    ],
    topology: topology(["crank", "coupler", "rocker"], joints),
    solution: solution(2, events, 0.01),
  });
}
