// Every shape and every symbol of joints and forces can be drawn, in the plane and in space.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { open, ready, settle, startBrowser } from "./browser.mjs";
import { embed } from "./generate/all.mjs";
import { colours, decodePng, differing } from "./pixels.mjs";

const folder = new URL("data/", import.meta.url);
const shots = fileURLToPath(new URL("screenshots/", import.meta.url));
const SYMBOLS = ["dot", "pin", "ball", "cross", "sleeve", "guide", "disc", "rod", "block", undefined];
const JOINTS = [...SYMBOLS, ...SYMBOLS.slice(1, 6)];
const SHAPES = [
  { type: "box", size: [0.5, 0.3, 0.4] },
  { type: "sphere", radius: 0.25, colour: "tomato" },
  { type: "cylinder", radius: 0.2, length: 0.5, direction: [1, 1, 0] },
  { type: "rod", radius: 0.06, point: [-0.3, 0, 0], to: [0.6, 0.2, 0], orientation: [0.9238795, 0, 0, 0.3826834] },
];
let browser;

before(async () => {
  for (const f of [folder, shots]) mkdirSync(f, { recursive: true });
  browser = await startBrowser();
});
after(() => browser?.close());

function everything(space) {
  const n = JOINTS.length;
  const at = (i) => [1.2 * (i % 5), 1.2 * Math.floor(i / 5), 0];
  const channels = [];
  const columns = [];
  const add = (name, unit, value) => {
    columns.push(typeof value === "number" ? { constant: value } : { values: value });
    return channels.push({ name, unit, group: "All" }) - 1;
  };
  const bodies = JOINTS.map((_, i) => ({
    name: `body${i}`,
    mass: 1 + i,
    com: [0, 0, 0],
    shapes: i < 2 * SHAPES.length ? [SHAPES[i % SHAPES.length]] : undefined,
    pose: at(i)
      .map((v, k) => add(`body${i}.${"xyz"[k]}`, "m", v))
      .concat([1, 0, 0, 0].map((v, k) => add(`body${i}.e${k}`, "", v))),
  }));
  const strength = add("strength", "N", [100, -100]);
  const two = (i) => ({
    bodies: [i, (i + 1) % n],
    points: [
      [0.3, 0, 0],
      [-0.3, 0, 0],
    ],
    axes: [
      [0, 1, 1],
      [0, 1, 1],
    ],
  });
  const force = (symbol, i, rest) => ({ name: `${symbol}${i}`, type: symbol, symbol, ...two(i), ...rest });
  const one = { bodies: [3], points: [[0, 0.3, 0]], strength };
  return {
    format: "kingpin-view",
    version: 1,
    model: {
      name: `everything ${space}`,
      space,
      bodies,
      joints: [
        ...JOINTS.map((symbol, i) => ({ name: `joint${i}`, type: `type${i}`, symbol, ...two(i) })),
        { name: "gear", type: "gear", bodies: [], points: [], joints: ["joint1", "joint2"] },
        {
          name: "held",
          type: "revolute",
          symbol: "pin",
          bodies: [null, 0],
          points: [
            [0, 0, 0],
            [0, 0, 0],
          ],
        },
      ],
      drivers: [{ name: "ram", type: "distance", ...two(6) }],
      forces: [
        force("coil", 0, { stiffness: 1 }),
        force("coil", 2, { damping: 1 }),
        force("coil", 4, { stiffness: 1, damping: 1 }),
        force("ring", 7),
        force("ring", 8),
        force("damper", 9),
        force("bar", 10, { radius: 0.03 }),
        force("bar", 11),
        { ...one, name: "push", type: "force", symbol: "arrow", direction: [0, 1, 0], body_fixed: true },
        { ...one, name: "turn", type: "torque", symbol: "two-tips", direction: [0, 0, 1] },
        { ...one, name: "tyre", type: "tyre", symbol: "contact", radius: 0.2, bodies: [9] },
      ],
      ground: [{ type: "box", size: [0.4, 0.4, 0.4], point: [-1, 0, 0] }],
      roads: [
        {
          name: "road",
          points: [
            [-2, -1],
            [2, -0.8],
            [6, -1],
          ],
        },
      ],
    },
    channels,
    frames: { count: 2, times: { values: [0, 1] }, columns },
  };
}

for (const space of ["spatial", "planar"]) {
  test(`all kinds of elements are drawn: ${space}`, async () => {
    const file = new URL(`everything_${space}.html`, folder);
    writeFileSync(file, embed(readFileSync(new URL("../dist/index.html", import.meta.url), "utf8"), everything(space)));
    const { page, problems, context } = await open(browser, file.href);
    await ready(page);
    await page.evaluate(() => window.kingpin.setTime(0.1));
    await settle(page);
    await page.screenshot({ path: `${shots}everything_${space}.png` });
    assert.ok(colours(decodePng(await page.locator(".stage").screenshot())) > 60);
    assert.deepEqual(problems, []);
    await context.close();
  });
}

test("a guide reaches along all of the way that its joint slides", async () => {
  const x = Array.from({ length: 11 }, (_, i) => i / 5);
  const constant = (value) => ({ constant: value });
  const slider = {
    format: "kingpin-view",
    version: 1,
    model: {
      name: "slider",
      space: "planar",
      bodies: [{ name: "slider", mass: 1, com: [0, 0, 0], shapes: [{ type: "box", size: [0.1, 0.06, 0.1] }], pose: [0, 1, 2] }],
      joints: [
        {
          name: "rail",
          type: "translational",
          symbol: "guide",
          bodies: [null, 0],
          points: [
            [0, 0, 0],
            [0, 0, 0],
          ],
          axes: [
            [1, 0, 0],
            [1, 0, 0],
          ],
        },
      ],
      forces: [],
    },
    channels: ["x", "y", "angle"].map((name) => ({ name: `slider.${name}`, unit: name === "angle" ? "rad" : "m", group: "Positions", of: ["body", 0] })),
    frames: { count: 11, times: { values: x }, columns: [{ values: x }, constant(0), constant(0)] },
  };
  const file = new URL("slider.html", folder);
  writeFileSync(file, embed(readFileSync(new URL("../dist/index.html", import.meta.url), "utf8"), slider));
  const { page, problems, context } = await open(browser, file.href);
  try {
    await ready(page);
    // the slider is at the start of its way: at the end of it there is the guide alone
    const [px, py] = await page.evaluate(() => window.kingpin.onScreen([1.9, 0, 0]));
    const there = () => page.screenshot({ clip: { x: px - 8, y: py - 8, width: 16, height: 16 } });
    const shown = decodePng(await there());
    await page.keyboard.press("j");
    await settle(page);
    assert.ok(differing(shown, decodePng(await there())) > 15, "the guide does not reach so far");
    assert.deepEqual(problems, []);
  } finally {
    await context.close();
  }
});

test("what may turn in its guide is drawn round, what only slides is not", async () => {
  const constant = (value) => ({ constant: value });
  for (const equations of [1, 2]) {
    const slotted = {
      format: "kingpin-view",
      version: 1,
      model: {
        name: "slotted",
        space: "planar",
        bodies: [
          { name: "pin", mass: 1, com: [0, 0, 0], shapes: [{ type: "sphere", radius: 0.001 }], pose: [0, 1, 2] },
          { name: "bar", mass: 1, com: [0, 0, 0], shapes: [{ type: "box", size: [0.6, 0.02, 0.02], point: [0, -0.4, 0] }], pose: [1, 1, 1] },
        ],
        joints: [
          {
            name: "slot",
            type: "slot",
            symbol: "guide",
            bodies: [null, 0],
            points: [
              [0, 0, 0],
              [0, 0, 0],
            ],
            axes: [
              [1, 0, 0],
              [1, 0, 0],
            ],
            equations,
          },
        ],
        forces: [],
      },
      channels: ["x", "y", "angle"].map((name) => ({ name: `pin.${name}`, unit: name === "angle" ? "rad" : "m", group: "Positions", of: ["body", 0] })),
      frames: { count: 2, times: { values: [0, 1] }, columns: [constant(0), constant(0), { values: [0, Math.PI / 3] }] },
    };
    const file = new URL("slotted.html", folder);
    writeFileSync(file, embed(readFileSync(new URL("../dist/index.html", import.meta.url), "utf8"), slotted));
    const { page, problems, context } = await open(browser, file.href);
    try {
      await ready(page);
      const [px, py] = await page.evaluate(() => window.kingpin.onScreen([0, 0, 0]));
      const there = async (t) => {
        await page.evaluate((t) => window.kingpin.setTime(t), t);
        await settle(page);
        return decodePng(await page.screenshot({ clip: { x: px - 60, y: py - 60, width: 120, height: 120 } }));
      };
      const turned = differing(await there(0), await there(1));
      assert.ok(equations === 1 ? turned < 60 : turned > 120, `${turned} of its pixels differ with ${equations} equations`);
      assert.deepEqual(problems, []);
    } finally {
      await context.close();
    }
  }
});
