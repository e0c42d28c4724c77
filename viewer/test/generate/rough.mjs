// Numbers that are hard to show: residuals far below round-off, zeros, gaps, constants, a long history; and a
// pendulum that swings all around its pin.
// @ts-check
import { Channels, f32, f64, file, topology } from "./build.mjs";

/** @param {number} steps */
export function rough(steps = 40000) {
  const end = 60;
  const times = Array.from({ length: 601 }, (_, i) => (end * i) / 600);
  const angle = times.map((t) => 0.5 * t);
  const ch = new Channels();
  const pose = [
    ch.add(
      "Positions",
      "rod.x",
      "m",
      times.map((_, i) => (i % 2 ? 3e-17 : -2e-17)),
      ["body", 0],
    ),
    ch.add(
      "Positions",
      "rod.y",
      "m",
      times.map(() => 0),
      ["body", 0],
    ),
    ch.add("Orientations", "rod.angle", "rad", angle, ["body", 0]),
  ];
  ch.add(
    "Measures",
    "twist",
    "rad",
    times.map((_, i) => -4.16e-29 * (1 + (i % 7))),
  );
  ch.add("Measures", "tip_x", "m", angle.map(Math.cos));
  ch.add(
    "Measures",
    "gap",
    "m",
    times.map((t) => (t > 20 && t < 30 ? NaN : 1e-9 * t)),
  );
  ch.add(
    "Measures",
    "huge",
    "N",
    times.map((t) => 1e30 * Math.sin(t)),
  );
  ch.add(
    "Measures",
    "denormal",
    "",
    times.map((_, i) => 1e-44 * i),
  );
  const t = Array.from({ length: steps }, (_, i) => (end * (i + 1)) / steps);
  /** @type {import("./build.mjs").Joint[]} */
  const joints = [
    {
      name: "pin",
      type: "revolute",
      symbol: "pin",
      bodies: [null, 0],
      points: [
        [0, 0, 0],
        [0, 0, 0],
      ],
      equations: 2,
    },
  ];
  return file({
    model: {
      name: "rough",
      space: "planar",
      gravity: [0, -9.81, 0],
      parameters: [
        { name: "length", value: 1, unit: "m" },
        { name: "speed", value: 0.5, unit: "rad/s", set: "0.5 rad/s" },
      ],
      bodies: [{ name: "rod", mass: 1, com: [0.5, 0, 0], shapes: [{ type: "rod", to: [1, 0, 0], radius: 0.02 }], pose }],
      joints,
      forces: [],
    },
    channels: ch.channels,
    frames: ch.frames(times),
    charts: [["twist"], ["tip_x", "gap"], ["huge"], ["denormal"]],
    tables: [
      {
        title: "Points",
        columns: [{ name: "name" }, { name: "x", unit: "m" }, { name: "y", unit: "m" }],
        rows: [
          ["tip", 1, 6.1e-17],
          ["pin", -3e-20, 0],
        ],
      },
    ],
    topology: topology(["rod"], joints),
    solution: {
      outcome: { state: "done", message: "t = 60 s reached" },
      warnings: [
        {
          what: "the energy of the run is not balanced: 1.7 J of 2 J are unexplained",
          why: "the tolerance of `rod` is coarse",
          advice: "run it with `--tol 1e-7`",
        },
        { what: "a second one" },
      ],
      steps: {
        count: steps,
        t: f64(t),
        h: f64(t.map((_, i) => (i % 1000 === 0 ? 5e-324 : 1e-3))),
        error: f32(t.map(() => 0)),
        rejected: f32(t.map((_, i) => i % 2)),
        newton: f32(t.map((_, i) => i % 5)),
        residuals: [
          { name: "position", unit: "m", column: f64(t.map((_, i) => [0, 1e-23, 4.94e-324, 1e-16, NaN][i % 5])) },
          { name: "velocity", unit: "m/s", column: f64(t.map((_, i) => 10 ** -(16 + (i % 290)))) },
        ],
      },
    },
  });
}
