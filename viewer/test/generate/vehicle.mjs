// The vehicle of models/hmmwv14_stiff.toml crossing its bump: chassis and wheels follow the reference solution in
// that file, and the suspension is solved for its closed loops at every frame.
// @ts-check
import { Channels, file, rate, solution, topology } from "./build.mjs";
import { add, angleAxis, apply, cross, curve, dot, frameOf, length, multiply, scale, solve, sub, toEuler, unit } from "./vector.mjs";

/** @typedef {import("./build.mjs").Vec3} Vec3 */

const INCH = 0.0254;
/** How joints are drawn. @type {Record<string, import("../../src/data").JointSymbol>} */
const SYMBOLS = { spherical: "ball", distance: "rod", revolute: "pin", fixed: "block", translational: "guide" };
const RADIUS = 0.467;
const SPEED = 4.4704;
const REFERENCE = `0.00 0.710000 0.000000 0.445011 0.446334 6516 6124
0.49 0.710000 0.000000 0.445011 0.446334 6516 6124
0.50 0.710001 -0.000000 0.445116 0.446334 14247 6124
0.52 0.710473 -0.000463 0.458155 0.446250 13153 6195
0.54 0.712539 -0.002452 0.479795 0.445712 8242 6448
0.56 0.716083 -0.005703 0.494185 0.444808 3011 6733
0.58 0.720013 -0.008965 0.493156 0.444148 -1836 6828
0.60 0.722810 -0.010670 0.473814 0.444334 2412 6586
0.62 0.723517 -0.009990 0.454167 0.445571 6224 6074
0.65 0.722480 -0.006957 0.443333 0.447810 7430 5483
0.70 0.719499 -0.002569 0.443365 0.448719 6893 5465
0.80 0.712881 -0.000019 0.444268 0.446311 6733 6194
0.90 0.708345 0.000199 0.444344 0.445582 6710 6343
1.00 0.707253 0.000522 0.444555 0.445984 6640 6211
1.10 0.708130 0.000630 0.444868 0.446340 6548 6115
1.20 0.709341 0.000397 0.445084 0.446435 6490 6094
1.23 0.709700 0.000390 0.445100 0.446335 6490 6122
1.25 0.709926 0.000382 0.445118 0.451102 6495 14328
1.28 0.713317 0.003734 0.444482 0.478683 6815 8874
1.30 0.717757 0.008109 0.443576 0.492470 7096 3209
1.32 0.722452 0.012375 0.442945 0.493998 7177 -2741
1.35 0.726041 0.014245 0.443683 0.470370 6686 1825
1.40 0.722375 0.006795 0.447122 0.447287 5749 6626
1.50 0.711549 -0.003948 0.445927 0.442102 6343 7275
1.60 0.707782 -0.002351 0.444285 0.445442 6748 6300
1.80 0.708989 0.000762 0.444903 0.446553 6536 6068
2.00 0.710084 0.000019 0.445104 0.446339 6489 6122
2.50 0.709973 0.000004 0.445002 0.446330 6518 6125
3.00 0.710004 -0.000001 0.445012 0.446334 6516 6124
4.00 0.710000 0.000000 0.445011 0.446334 6516 6124`
  .split("\n")
  .map((l) => l.split(" ").map(Number));

/** Hard points of the left side in inches from the reference point of the suspension, z from the vehicle frame. */
const FRONT = {
  x: 1.688965,
  spindle: [-1.59, 35.815, -1.035],
  upright: [-1.59, 29.5675, -1.035],
  ucaF: [-1.8864, 17.5575, 9.6308],
  ucaB: [-10.5596, 18.8085, 7.6992],
  ucaU: [-2.088, 28.17, 8.484],
  ucaCm: [-4.155, 23.176, 8.575],
  lcaF: [8.79, 12.09, 0],
  lcaB: [-8.79, 12.09, 0],
  lcaU: [-1.4, 30.965, -4.65],
  lcaCm: [0, 21.528, -2.325],
  springC: [4.095, 20.07, 7.775],
  springA: [3.827, 21.385, -1.835],
  shockC: [4.095, 19.598, 12.722],
  shockA: [3.827, 21.385, -1.835],
  tieC: [-9.855, 17.655, 2.135],
  tieU: [-6.922, 32.327, -0.643],
};
const REAR = {
  x: -1.688965,
  spindle: [1.4, 35.815, -1.035],
  upright: [1.4, 29.5675, -1.035],
  ucaF: [13.7445, 18.1991, 8.9604],
  ucaB: [3.0355, 18.1909, 8.8096],
  ucaU: [1.4, 28.17, 8.5],
  ucaCm: [4.895, 23.183, 8.692],
  lcaF: [8.79, 12.09, 0],
  lcaB: [-8.79, 12.09, 0],
  lcaU: [1.4, 30.965, -4.65],
  lcaCm: [0, 21.527, -2.325],
  springC: [-4.095, 19.747, 10.098],
  springA: [-3.827, 21.385, -1.835],
  shockC: [-4.095, 19.598, 12.722],
  shockA: [-3.827, 21.415, -1.511],
  tieC: [8.79, 16.38, 2.31],
  tieU: [6.704, 32.327, -0.365],
};

/** Hard points in the vehicle frame. @param {typeof FRONT} set @param {1 | -1} side */
function corner(set, side) {
  const { x, ...points } = set;
  /** @param {number[]} p @returns {Vec3} */
  const place = (p) => [x + INCH * p[0], side * INCH * p[1], INCH * p[2]];
  return /** @type {Record<Exclude<keyof typeof FRONT, "x">, Vec3>} */ (Object.fromEntries(Object.entries(points).map(([k, p]) => [k, place(p)])));
}

/** The corner in the vehicle frame when its wheel centre is raised. @param {ReturnType<typeof corner>} p @param {number} rise */
function suspend(p, rise) {
  const hinge = unit(sub(p.lcaF, p.lcaB));
  const hingeU = unit(sub(p.ucaF, p.ucaB));
  /** Everything for an angle of the lower arm. @param {number} alpha */
  const pose = (alpha) => {
    const lower = angleAxis(hinge, alpha);
    const ball = add(p.lcaF, apply(lower, sub(p.lcaU, p.lcaF)));
    const span = length(sub(p.ucaU, p.lcaU));
    const beta = solve((b) => length(sub(add(p.ucaF, apply(angleAxis(hingeU, b), sub(p.ucaU, p.ucaF))), ball)) - span, 0);
    const upper = angleAxis(hingeU, beta);
    const top = add(p.ucaF, apply(upper, sub(p.ucaU, p.ucaF)));
    const rest = frameOf(sub(p.ucaU, p.lcaU), sub(p.tieU, p.lcaU));
    const tie = length(sub(p.tieU, p.tieC));
    const kingpin = unit(sub(top, ball));
    const level = multiply(frameOf(sub(top, ball), sub(p.tieU, p.lcaU)), transpose(rest));
    /** @param {number} s */
    const spindle = (s) => multiply(angleAxis(kingpin, s), level);
    /** @param {number} s @param {Vec3} q */
    const carried = (s, q) => add(ball, apply(spindle(s), sub(q, p.lcaU)));
    const steer = solve((s) => length(sub(carried(s, p.tieU), p.tieC)) - tie, 0);
    return { lower, upper, spindle: spindle(steer), carried: (/** @type {Vec3} */ q) => carried(steer, q) };
  };
  const alpha = solve((x) => pose(x).carried(p.spindle)[2] - p.spindle[2] - rise, 0);
  return pose(alpha);
}

/** @param {number[]} m */
const transpose = (m) => [m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]];

/** @param {string} type @param {object} rest @returns {any} */
const shape = (type, rest) => ({ type, ...rest });

export function vehicle() {
  const times = Array.from({ length: 401 }, (_, i) => 0.01 * i);
  const column = (/** @type {number} */ k) => times.map(curve(REFERENCE.map((r) => [r[0], r[k]])));
  const [height, pitch, wheelF, wheelR, tyreF, tyreR] = [1, 2, 3, 4, 5, 6].map(column);
  const ch = new Channels();
  /** @type {import("../../src/data").Body[]} */
  const bodies = [];
  /** @type {Map<string, { index: number, rest: Vec3, turn: number[] }>} */
  const known = new Map();
  const identity = [1, 0, 0, 0, 1, 0, 0, 0, 1];

  const chassis = times.map((t, i) => {
    const turn = angleAxis([0, 1, 0], pitch[i]);
    const com = [0.056 + SPEED * t, 0, height[i]];
    return { turn, origin: sub(/** @type {Vec3} */ (com), apply(turn, [0.056, 0, 0.213])) };
  });
  /** @param {string} name @param {number} mass @param {Vec3} rest @param {(i: number) => { turn: number[], at: Vec3 }} move in the vehicle frame */
  const body = (name, mass, rest, move, com = /** @type {Vec3} */ ([0, 0, 0])) => {
    const index = bodies.length;
    const poses = times.map((_, i) => {
      const { turn, at } = move(i);
      const c = chassis[i];
      return [...add(c.origin, apply(c.turn, at)), ...toEuler(multiply(c.turn, turn))];
    });
    const pose = ch.pose(index, name, poses);
    for (const [k, v] of ["vx", "vy", "vz"].entries())
      ch.add(
        "Bodies",
        `${name}.${v}`,
        "m/s",
        rate(
          poses.map((q) => q[k]),
          times,
        ),
        ["body", index],
      );
    bodies.push({ name, mass, com, pose, shapes: [] });
    known.set(name, { index, rest, turn: identity });
    return index;
  };
  body("chassis", 2086.52, [0, 0, 0], () => ({ turn: identity, at: [0, 0, 0] }), [0.056, 0, 0.213]);

  const corners = [
    { id: "fr", set: FRONT, side: /** @type {const} */ (-1), wheel: wheelF, tyre: tyreF },
    { id: "fl", set: FRONT, side: /** @type {const} */ (1), wheel: wheelF, tyre: tyreF },
    { id: "rr", set: REAR, side: /** @type {const} */ (-1), wheel: wheelR, tyre: tyreR },
    { id: "rl", set: REAR, side: /** @type {const} */ (1), wheel: wheelR, tyre: tyreR },
  ].map((c) => {
    const p = corner(c.set, c.side);
    const states = times.map((_, i) => {
      const { turn, origin } = chassis[i];
      // height of the wheel centre in the vehicle frame
      const local = c.wheel[i] - origin[2] - p.spindle[0] * turn[6];
      return suspend(p, local / turn[8] - p.spindle[2]);
    });
    const upright = /** @type {Vec3} */ (add(scale(p.upright, 0.215), scale(p.spindle, 0.785)));
    body(`uca_${c.id}`, 5.813, p.ucaCm, (i) => ({ turn: states[i].upper, at: add(p.ucaF, apply(states[i].upper, sub(p.ucaCm, p.ucaF))) }));
    body(`lca_${c.id}`, 23.965, p.lcaCm, (i) => ({ turn: states[i].lower, at: add(p.lcaF, apply(states[i].lower, sub(p.lcaCm, p.lcaF))) }));
    body(`spindle_${c.id}`, 90.555, upright, (i) => ({ turn: states[i].spindle, at: states[i].carried(upright) }));
    return { ...c, p, upright };
  });
  const rackAt = /** @type {Vec3} */ ([1.24498, 0, 0.101322]);
  body("rack", 9.072, rackAt, () => ({ turn: identity, at: rackAt }));

  /** A place of the vehicle frame on a body. @param {string} name @param {Vec3} p @returns {Vec3} */
  const on = (name, p) => {
    const b = known.get(name);
    return b ? sub(p, b.rest) : p;
  };
  const index = (/** @type {string} */ name) => known.get(name)?.index ?? null;
  /** @type {import("./build.mjs").Joint[]} */
  const joints = [];
  /** @type {import("../../src/data").Force[]} */
  const forces = [];
  /** @param {string} type @param {string} name @param {string} b1 @param {Vec3} p1 @param {string} b2 @param {Vec3} p2 @param {number} equations @param {Vec3} [axis] */
  const joint = (type, name, b1, p1, b2, p2, equations, axis) =>
    joints.push({
      name,
      type,
      symbol: SYMBOLS[type],
      bodies: [index(b1), index(b2)],
      points: [on(b1, p1), on(b2, p2)],
      equations,
      ...(axis ? { axes: [axis, axis] } : {}),
    });
  /** @param {string} b @param {any} s */
  const draw = (b, s) => bodies[/** @type {number} */ (index(b))].shapes?.push(s);

  for (const { id, p } of corners) {
    joint("spherical", `uca_${id}_spindle`, `uca_${id}`, p.ucaU, `spindle_${id}`, p.ucaU, 3);
    joint("spherical", `lca_${id}_spindle`, `lca_${id}`, p.lcaU, `spindle_${id}`, p.lcaU, 3);
  }
  for (const { id, p, set, side, tyre } of corners) {
    const inner = set === FRONT ? "rack" : "chassis";
    const middle = (/** @type {Vec3} */ a, /** @type {Vec3} */ b) => scale(add(a, b), 0.5);
    joint("distance", `tierod_${id}`, inner, p.tieC, `spindle_${id}`, p.tieU, 1);
    joint("spherical", `uca_${id}_chassis`, "chassis", middle(p.ucaF, p.ucaB), `uca_${id}`, middle(p.ucaF, p.ucaB), 3);
    joint("revolute", `lca_${id}_chassis`, "chassis", middle(p.lcaF, p.lcaB), `lca_${id}`, middle(p.lcaF, p.lcaB), 5, [1, 0, 0]);

    const lca = `lca_${id}`;
    const chassisPart = (/** @type {Vec3} */ c, /** @type {Vec3} */ a) => ({ bodies: [index("chassis"), index(lca)], points: [on("chassis", c), on(lca, a)] });
    forces.push({ name: `spring_${id}`, type: "spring", symbol: "coil", ...chassisPart(p.springC, p.springA), stiffness: set === FRONT ? 167062 : 369149 });
    forces.push({ name: `shock_${id}`, type: "spring", symbol: "coil", ...chassisPart(p.shockC, p.shockA), damping: set === FRONT ? 22459 : 35024 });
    const strength = ch.add("Forces", `tyre_${id}.force`, "N", tyre, ["force", forces.length]);
    forces.push({
      name: `tyre_${id}`,
      type: "tyre",
      symbol: "contact",
      bodies: [index(`spindle_${id}`)],
      points: [on(`spindle_${id}`, p.spindle)],
      radius: RADIUS,
      stiffness: 296325,
      damping: 3502,
      strength,
    });
    const u = unit(sub(p.ucaF, p.ucaB));
    const meet = add(middle(p.ucaF, p.ucaB), scale(u, 2.5 * INCH));
    const outward = unit(sub(sub(p.ucaU, p.ucaB), scale(u, dot(u, sub(p.ucaU, p.ucaB)))));
    const normal = scale(cross(u, outward), side);
    for (const [kind, way] of /** @type {[string, Vec3][]} */ ([
      ["out", outward],
      ["up", normal],
    ])) {
      forces.push({
        name: `bushing_${id}_${kind}`,
        type: "spring",
        symbol: "coil",
        bodies: [index("chassis"), index(`uca_${id}`)],
        points: [on("chassis", add(meet, scale(way, 0.1))), on(`uca_${id}`, meet)],
        stiffness: 2e7,
        damping: 2e6,
      });
    }

    const uca = `uca_${id}`;
    const spindle = `spindle_${id}`;
    const rod = (/** @type {string} */ b, /** @type {Vec3} */ from, /** @type {Vec3} */ to, /** @type {number} */ radius, /** @type {string} */ colour) =>
      draw(b, shape("rod", { point: on(b, from), to: sub(to, from), radius, colour }));
    rod(uca, p.ucaU, p.ucaF, 0.016, "#2e6f9e");
    rod(uca, p.ucaU, p.ucaB, 0.016, "#2e6f9e");
    draw(
      uca,
      shape("cylinder", {
        point: on(uca, middle(p.ucaF, p.ucaB)),
        radius: 0.024,
        length: length(sub(p.ucaF, p.ucaB)),
        direction: sub(p.ucaF, p.ucaB),
        colour: "#2e6f9e",
      }),
    );
    rod(lca, p.lcaU, p.lcaF, 0.024, "#2f7f6f");
    rod(lca, p.lcaU, p.lcaB, 0.024, "#2f7f6f");
    draw(
      lca,
      shape("cylinder", {
        point: on(lca, middle(p.lcaF, p.lcaB)),
        radius: 0.032,
        length: length(sub(p.lcaF, p.lcaB)),
        direction: [1, 0, 0],
        colour: "#2f7f6f",
      }),
    );
    rod(spindle, p.lcaU, p.ucaU, 0.03, "#777777");
    rod(spindle, p.upright, p.tieU, 0.018, "#777777");
    draw(spindle, shape("cylinder", { point: on(spindle, p.spindle), radius: RADIUS, length: 0.3, direction: [0, 1, 0], colour: "#26282b" }));
    draw(spindle, shape("cylinder", { point: on(spindle, p.spindle), radius: 0.23, length: 0.31, direction: [0, 1, 0], colour: "#b5a47c" }));
  }
  joint("fixed", "rack_chassis", "chassis", rackAt, "rack", rackAt, 6);
  const tie = corner(FRONT, 1).tieC;
  draw("rack", shape("cylinder", { radius: 0.025, length: 2 * tie[1], direction: [0, 1, 0], colour: "#c0392b" }));
  for (const s of [1, -1])
    draw("rack", shape("rod", { point: [0, s * tie[1], 0], to: [tie[0] - rackAt[0], 0, tie[2] - rackAt[2]], radius: 0.015, colour: "#c0392b" }));
  // frame rails and cross members
  for (const s of [1, -1]) draw("chassis", shape("box", { point: [0, s * 0.38, 0.16], size: [4.2, 0.09, 0.12], colour: "#6b7783" }));
  for (const x of [-1.95, -1.2, 0, 1.2, 1.95]) draw("chassis", shape("box", { point: [x, 0, 0.16], size: [0.09, 0.8, 0.09], colour: "#6b7783" }));

  ch.add("Measures", "chassis_z", "m", height);
  ch.add("Measures", "pitch", "rad", pitch);
  ch.add("Measures", "wheel_fl_z", "m", wheelF);
  ch.add("Measures", "wheel_rl_z", "m", wheelR);
  const big = RADIUS + 0.05;
  const reach = Math.sqrt(big ** 2 - RADIUS ** 2);
  /** @type {[number, number][]} */
  const road = [[-4, 0]];
  for (let k = -24; k <= 24; k++) {
    const s = (reach * k) / 24;
    road.push([4.1 + s, Math.max(0, Math.sqrt(big ** 2 - s ** 2) - RADIUS)]);
  }
  road.push([24, 0]);
  return file({
    model: {
      name: "hmmwv14_stiff",
      description: "HMMWV with stiff bushings crossing a half-cylinder bump at 10 mph",
      space: "spatial",
      gravity: [0, 0, -9.81],
      bodies,
      joints,
      forces,
      ground: [{ type: "cylinder", point: [4.1, 0, 0], radius: 0.05, length: 3, direction: [0, 1, 0], colour: "#d98c2b" }],
      roads: [{ name: "road", points: road }],
    },
    channels: ch.channels,
    frames: ch.frames(times),
    charts: [
      ["chassis_z", "pitch"],
      ["tyre_fl.force", "tyre_rl.force"],
    ],
    topology: topology(
      bodies.map((b) => b.name),
      joints,
    ),
    solution: solution(
      4,
      [
        { t: 0.498, name: "front wheels meet the bump", kind: "switch" },
        { t: 0.599, name: "front wheels leave the bump", kind: "switch" },
        { t: 1.238, name: "rear wheels meet the bump", kind: "switch" },
        { t: 1.339, name: "rear wheels leave the bump", kind: "switch" },
      ],
      0.02,
    ),
  });
}
