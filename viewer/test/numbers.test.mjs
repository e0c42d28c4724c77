// Arithmetic of charts without a browser: axes and curves for any numbers, and what counts as zero.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";

let server;
let scale;
let path;
let scales;
let frames;
let numbers;
let columns;

before(async () => {
  const root = fileURLToPath(new URL("..", import.meta.url));
  server = await createServer({ root, appType: "custom", logLevel: "error", server: { middlewareMode: true, hmr: false, ws: false, watch: null } });
  [scale, path, scales, frames, numbers, columns] = await Promise.all(
    ["charts/scale", "charts/path", "scales", "frames", "ui/numbers", "columns"].map((m) => server.ssrLoadModule(`/src/${m}.ts`)),
  );
});
after(() => server?.close());

/** Numbers that look random and are the same every time. */
function random(seed) {
  return () => (seed = (seed * 48271) % 2147483647) / 2147483647;
}
const AWKWARD = [0, -0, 5e-324, 1e-310, 1e-300, 1e-23, 4.16e-29, 1e-16, 1, 1e16, 1e300, 1.7e308, -1, -1e-23, NaN, Infinity, -Infinity, null];

test("logarithmic axes have a bottom and few marks for any numbers", () => {
  const next = random(1);
  const any = () => (next() < 0.4 ? AWKWARD[Math.floor(next() * AWKWARD.length)] : 10 ** (600 * next() - 300));
  for (let k = 0; k < 20000; k++) {
    const [a, b] = [any(), any()];
    const [lo, hi] = scale.logRange(a, b);
    assert.ok(lo > 0 && hi > lo && Number.isFinite(hi), `${a} to ${b}: ${lo} to ${hi}`);
    assert.ok(Math.log10(hi / lo) < scale.DECADES + 0.01, `${a} to ${b}: ${lo} to ${hi}`);
    if (a > 0 && b >= a && b < 1e308 && b > 1e-299) assert.ok(hi >= b, `${b} is above ${hi}`);
    for (const most of [0.5, 1, 5, 30]) {
      const marks = scale.logSplits(lo, hi, most);
      assert.ok(
        marks.length <= Math.max(1, most) + 1 && marks.every((m, i) => m >= 0.99 * lo && m <= 1.01 * hi && (i === 0 || m > marks[i - 1])),
        `${lo} to ${hi}: ${marks}`,
      );
    }
  }
});

test("linear axes have room for any numbers", () => {
  const next = random(2);
  const any = () => (next() < 0.4 ? AWKWARD[Math.floor(next() * AWKWARD.length)] : (next() - 0.5) * 10 ** (600 * next() - 300));
  for (let k = 0; k < 20000; k++) {
    const [a, b] = [any(), any()].sort((x, y) => x - y);
    const [lo, hi] = scale.padded(a, b);
    assert.ok(Number.isFinite(lo) && Number.isFinite(hi) && lo < hi, `${a} to ${b}: ${lo} to ${hi}`);
  }
});

const FRAME = { x: (t) => t, y: (v) => 100 - v, left: 0, right: 300, top: 0, bottom: 200, log: false };
function drawn(t, v, frame = FRAME, held = false) {
  const out = [];
  path.trace(t, v, 0, t.length - 1, frame, { move: (x, y) => out.push(["M", x, y]), line: (x, y) => out.push(["L", x, y]) }, held);
  return out;
}

test("a curve of few points is drawn where its points are, between pixels too", () => {
  const t = [0.25, 10.1, 20.75, 31.5];
  const v = [1.3, 2.7, -4.9, 0.01];
  assert.deepEqual(
    drawn(t, v),
    t.map((x, i) => [i === 0 ? "M" : "L", x, 100 - v[i]]),
  );
});

test("a curve of many points costs four corners per column, and keeps its peaks", () => {
  const next = random(3);
  const n = 200000;
  const t = Float64Array.from({ length: n }, (_, i) => (300 * i) / n);
  const v = Float64Array.from({ length: n }, () => 50 * next());
  v[123456] = 90;
  v[654] = -77;
  const corners = drawn(t, v);
  assert.ok(corners.length <= 4 * 301, `${corners.length} corners`);
  const heights = corners.map((c) => 100 - c[2]);
  assert.ok(Math.abs(Math.max(...heights) - 90) < 1e-9 && Math.abs(Math.min(...heights) + 77) < 1e-9, "a peak is lost");
  assert.ok(
    corners.every((c, i) => i === 0 || c[1] >= corners[i - 1][1]),
    "the curve runs back",
  );
});

test("gaps break a curve, lone values are dots, and far points are cut at the edge", () => {
  assert.deepEqual(
    drawn([0, 10, 20, 30, 40], [1, NaN, 2, null, 3])
      .map((c) => c[0])
      .join(""),
    "MLMLML",
  );
  const far = drawn([-1e9, 150, 1e9], [0, 50, 0]);
  assert.equal(far.length, 3);
  assert.ok(far.every((c) => c[1] > -100 && c[1] < 400) && Math.abs(far[0][2] - 50) < 1e-3, JSON.stringify(far));
  const log = { ...FRAME, y: (v) => -10 * Math.log10(v), log: true };
  const low = drawn([0, 10, 20, 30], [1e-3, 0, 5e-324, 1e-5], log);
  assert.ok(low.length === 4 && low.every((c) => Number.isFinite(c[2])) && low[1][2] === FRAME.bottom && low[2][2] === FRAME.bottom, JSON.stringify(low));
});

test("a value that holds is drawn as a step", () => {
  assert.deepEqual(drawn([0, 10, 20], [1, 5, 3], FRAME, true), [
    ["M", 0, 99],
    ["L", 0, 95],
    ["L", 10, 95],
    ["L", 10, 97],
    ["L", 20, 97],
  ]);
});

test("dots that hide each other are drawn once", () => {
  const t = Float64Array.from({ length: 100000 }, (_, i) => (300 * i) / 100000);
  let count = 0;
  path.dots(
    t,
    t.map(() => 7),
    0,
    t.length - 1,
    FRAME,
    () => count++,
  );
  assert.equal(count, 100);
});

test("dimensions of units", () => {
  for (const [unit, wanted] of [
    ["", [0, 0, 0]],
    ["rad", [0, 0, 0]],
    ["m/s²", [0, 1, -2]],
    ["m/s^2", [0, 1, -2]],
    ["kg·m²", [1, 2, 0]],
    ["kg*m^2/s", [1, 2, -1]],
    ["N·m", [1, 2, -2]],
    ["rad/s", [0, 0, -1]],
    ["N/m", [1, 0, -2]],
    ["1/s", [0, 0, -1]],
    ["s⁻¹", [0, 0, -1]],
  ]) {
    assert.deepEqual(
      scales.dimension(unit)?.map((e) => e + 0),
      wanted,
      unit,
    );
  }
  assert.equal(scales.dimension("furlong"), null);
});

/** Scales of channels [unit, values …]. */
function scalesOf(columns, { gravity = [0, 0, -9.81], times = [0, 1], mass = 2, residuals = {} } = {}) {
  const channels = columns.map(([unit], k) => ({ name: `c${k}`, unit, group: "" }));
  const store = new frames.FrameStore(
    { count: times.length, times: { values: times }, columns: columns.map(([, ...values]) => ({ values })) },
    channels.map((c) => c.name),
  );
  const model = { name: "", space: "spatial", gravity, bodies: [{ name: "b", mass, com: [0, 0, 0], pose: [] }], joints: [], forces: [] };
  return new scales.Scales(model, channels, store, residuals);
}

test("round-off is zero, measured by the mechanism; small machines are not", () => {
  const s = scalesOf([
    ["rad", -4.16e-29, 1e-16],
    ["m", 0, 1.5],
    ["m", 3e-17, -2e-16],
    ["m", 1e-9, 2e-9],
    ["N", 1e-14, -3e-15],
    ["rad", 1e-9, 6e4],
    ["rad", 2e-9, 0],
  ]);
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5, 6].map((k) => s.isZero(k)),
    [true, false, true, false, true, false, false],
  );
  assert.equal(s.text(0), "0.0000");
  assert.equal(s.text(3), "1.00e−9");
  // the same in nanometres: these are values
  const small = scalesOf(
    [
      ["m", 0, 1.5e-9],
      ["m", 3e-17, -2e-16],
      ["m/s", 1e-15, 0],
    ],
    { gravity: [0, 0, 0], mass: 1e-15 },
  );
  assert.deepEqual(
    [0, 1, 2].map((k) => small.isZero(k)),
    [false, false, false],
  );
  // what is less than constraints are fulfilled to is no value either, as long as that is little
  const loose = { residuals: { position: 3e-13, velocity: 0.1 } };
  const held = scalesOf(
    [
      ["m", 0, 1.5],
      ["m", 2e-13, 0],
      ["rad", 4e-13, 0],
      ["m/s", 1e-12, 1e-11],
      ["m/s", 1e-10, 3],
      ["m/s²", 1e-12, 0],
    ],
    loose,
  );
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5].map((k) => held.isZero(k)),
    [false, true, false, true, false, false],
  );
  // nothing moves: speeds are zero by the size of the thing
  assert.equal(
    scalesOf([
      ["m", 1, 1],
      ["m/s", 1e-17, -1e-17],
      ["m/s²", 1e-16, 0],
    ]).isZero(1),
    true,
  );
});

test("marks that differ in late digits are counted from the first", () => {
  const marks = [0.76643562, 0.76643563, 0.76643564];
  const base = numbers.tickBase(marks, 1e-8);
  assert.equal(base, marks[0]);
  assert.equal(numbers.digitsFor(base, 1e-8), "0.76643562");
  assert.deepEqual(
    numbers.ticks(
      marks.map((m) => m - base),
      1e-8,
    ),
    ["0", "1·10⁻⁸", "2·10⁻⁸"],
  );
  assert.equal(numbers.tickBase([0, 5000, 10000], 5000), 0);
  assert.equal(numbers.tickBase([-1, 0, 1], 1), 0);
  assert.equal(numbers.digitsFor(-1234567.25, 0.01), "−1234567.25");
});

test("columns may be counted from a number", () => {
  const f32 = Buffer.from(Float32Array.of(0, 1e-9, NaN).buffer).toString("base64");
  const column = columns.decode({ f32, offset: 0.5 }, 3, "c");
  assert.ok(column instanceof Float64Array && column[0] === 0.5 && Math.abs(column[1] - 0.5 - 1e-9) < 1e-15 && Number.isNaN(column[2]));
});

test("readouts have digits for the largest they show", () => {
  for (const [x, peak, text] of [
    [0.06931, 0.07, "0.06931"],
    [-0.0023, 0.07, "−0.00230"],
    [0.005123, 0.006, "0.005123"],
    [1.5, 2, "1.5000"],
    [12.1071, 33, "12.1071"],
    [0, 0.07, "0.00000"],
    [0, 0, "0.0000"],
    [3e-9, 6e-8, "3.00e−9"],
    [123.456, 500, "123.46"],
    [2.5e7, 3e7, "2.50e7"],
    [NaN, 1, "–"],
  ]) {
    assert.equal(numbers.reading(x, peak), text);
  }
});
