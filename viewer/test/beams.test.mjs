// Beams: rings follow the nodes, colours show what is known, deformation is magnified, lists are not drowned.
import assert from "node:assert/strict";
import { test } from "node:test";
import { settle } from "./browser.mjs";
import { heap } from "./drawn.mjs";
import { KNOWN } from "./generate/beam.mjs";
import { colours, decodePng, differing } from "./pixels.mjs";
import { report, shots } from "./report.mjs";

const choose = async (page, label, value) => {
  const menu = page.locator('details.menu:has([aria-label="Display"])');
  if (!(await menu.getAttribute("open"))) await page.click('[aria-label="Display"]');
  await page.getByLabel(label).selectOption(value);
  await settle(page);
  await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  await settle(page);
};
const at = async (page, t) => {
  await page.evaluate((t) => window.kingpin.setTime(t), t);
  await settle(page);
};
const stageImage = async (page) => decodePng(await page.locator(".stage").screenshot());

/** Centres of the rings of a beam, its corners and their numbers. */
async function drawn(page, name) {
  const { positions, amounts, around } = await page.evaluate((n) => window.kingpin.beam(n), name);
  const corner = (i) => positions.slice(3 * i, 3 * i + 3);
  // behind the rings come the ends, half as many corners each
  const count = positions.length / 3 / around - 1;
  const rings = Array.from({ length: count }, (_, k) => {
    const list = Array.from({ length: around }, (_, i) => corner(k * around + i));
    return { corners: list, amounts: amounts.slice(k * around, (k + 1) * around), centre: [0, 1, 2].map((c) => list.reduce((s, p) => s + p[c] / around, 0)) };
  });
  return { rings, amounts };
}
const close = (a, b, within, what) => assert.ok(Math.abs(a - b) <= within, `${what}: ${a}, not ${b}`);
/** Rings per element of third order. */
const EACH = 8;
const placeOf = (k) => ((Math.floor(k / EACH) + (k % EACH) / (EACH - 1)) / 4) * KNOWN.length;

test("rings of a beam lie on the arc that its nodes are on, between nodes, too", async () => {
  await report("beam", {}, async (page) => {
    const first = await stageImage(page);
    for (const t of [0, 0.13, 0.5]) {
      await at(page, t);
      // poses are linear between frames; these are frames but for round-off
      const frame = Math.round(t / 0.02) * 0.02;
      await at(page, frame);
      const k = KNOWN.curvature * Math.sin(Math.PI * frame) || 1e-12;
      const { rings } = await drawn(page, "arm");
      assert.equal(rings.length, 4 * EACH);
      rings.forEach(({ centre }, i) => {
        const s = placeOf(i);
        close(centre[0], Math.sin(k * s) / k, 2e-5, `x of ring ${i} at ${frame}`);
        close(centre[2], 1 - (1 - Math.cos(k * s)) / k, 2e-5, `z of ring ${i} at ${frame}`);
      });
    }
    const image = await stageImage(page);
    assert.ok(differing(first, image) > 500, "the picture has not changed");
    await page.screenshot({ path: `${shots}beam.png` });
  });
});

test("a shaft that turns several times and twists keeps its section", async () => {
  await report("beam", {}, async (page) => {
    for (const t of [0.5, 1.4]) {
      await at(page, t);
      const { rings } = await drawn(page, "shaft");
      rings.forEach(({ corners }, i) => {
        const angle = KNOWN.twist * Math.sin(Math.PI * t) * placeOf(i) + 3 * Math.PI * t;
        const [x, y, z] = corners[0];
        close(x, placeOf(i), 1e-6, "x");
        close(y, 0.8 + 0.06 * Math.cos(angle), 1e-5, `y of ring ${i}`);
        close(z, 1 + 0.06 * Math.sin(angle), 1e-5, `z of ring ${i}`);
      });
    }
  });
});

test("colours show strain and stress of the surface, and a legend says how much", async () => {
  await report("beam", {}, async (page) => {
    await at(page, 0.5);
    const plain = await stageImage(page);
    assert.equal(await page.locator(".beam-legend").isVisible(), false);
    await choose(page, "Colour of beams", "strain");
    const most = KNOWN.half * KNOWN.curvature;
    for (const { amounts, corners, centre } of (await drawn(page, "arm")).rings) {
      amounts.forEach((v, i) => close(v, (corners[i][2] > centre[2] ? 1 : -1) * most, 1e-4 * most, "strain"));
    }
    const rail = (await drawn(page, "rail")).rings;
    const tall = ({ corners }) => Math.max(...corners.map((p) => p[2])) - Math.min(...corners.map((p) => p[2]));
    close(tall(rail[0]), 0.16, 1e-6, "height of the rail at its start");
    close(tall(rail.at(-1)), 0.1, 1e-6, "height of the rail at its end");
    assert.ok(
      (await drawn(page, "rail")).amounts.every((v) => Math.abs(v) < 1e-9),
      "the rail is at rest",
    );
    const coloured = await stageImage(page);
    assert.ok(differing(plain, coloured) > 1000 && colours(coloured) > colours(plain), "nothing has been coloured");
    const legend = page.locator(".beam-legend");
    assert.match(await legend.innerText(), /Axial strain\s+−0\.0200\s+0\s+0\.0200\s+relative to the start/);
    await page.screenshot({ path: `${shots}beam_strain.png` });
    await choose(page, "Colour of beams", "stress");
    assert.match(await legend.innerText(), /Axial stress, Pa\s+−1\.40·10⁹\s+0\s+1\.40·10⁹/);
    close(
      (await drawn(page, "arm")).amounts.reduce((m, v) => Math.max(m, v)),
      KNOWN.modulus * most,
      1e-3 * KNOWN.modulus * most,
      "stress",
    );
    await choose(page, "Colour of beams", "displacement");
    const tip = (1 - Math.cos(KNOWN.curvature * KNOWN.length)) / KNOWN.curvature;
    assert.match(await legend.innerText(), /Displacement, m\s+0\s/);
    const last = (await drawn(page, "arm")).rings.at(-1);
    close(Math.max(...last.amounts), Math.hypot(tip, 2 - Math.sin(0.8) / 0.4), 0.06, "displacement of the tip");
    await at(page, 0);
    assert.ok(
      (await drawn(page, "arm")).amounts.every((v) => v < 1e-6),
      "nothing has moved yet",
    );
    await choose(page, "Colour of beams", "none");
    assert.equal(await legend.isVisible(), false);
  });
});

test("deformation is magnified about the clamped end, or about the rigid motion", async () => {
  await report("beam", { dark: true }, async (page) => {
    await at(page, 0.02);
    const before = await drawn(page, "arm");
    const twisted = await drawn(page, "shaft");
    await choose(page, "Deformation", "20");
    assert.match(await page.locator(".beam-legend").innerText(), /deformation ×20/);
    const after = await drawn(page, "arm");
    const down = (d) => 1 - d.rings.at(-1).centre[2];
    close(down(after), 20 * down(before), 1e-3 * down(after), "deflection of the tip");
    close(after.rings[0].centre[2], 1, 1e-6, "the clamped end");
    // sections stay square to the line
    const [a, b] = [after.rings.at(-2).centre, after.rings.at(-1).centre];
    const [low, high] = [after.rings.at(-1).corners[2], after.rings.at(-1).corners[3]];
    const along = b.map((v, c) => v - a[c]);
    const across = high.map((v, c) => v - low[c]);
    const cosine = along.reduce((s, v, c) => s + v * across[c], 0) / (Math.hypot(...along) * Math.hypot(...across));
    assert.ok(Math.abs(cosine) < 0.03, `sections lean: ${cosine}`);
    // the shaft has no clamp: its middle turns as before, its ends farther
    const angle = (d, k) => Math.atan2(d.rings[k].corners[0][2] - 1, d.rings[k].corners[0][1] - 0.8);
    const own = (d) => angle(d, d.rings.length - 1) - angle(d, 0);
    close(own(await drawn(page, "shaft")), 20 * own(twisted), 1e-3, "twist of the shaft");
    await page.screenshot({ path: `${shots}beam_magnified.png` });
  });
});

test("keys choose colours and magnification; help lists them", async () => {
  await report("beam", {}, async (page) => {
    await page.keyboard.press("d");
    await page.keyboard.press("m");
    await settle(page);
    assert.match(await page.locator(".beam-legend").innerText(), /Displacement[^]*×2/);
    await page.keyboard.press("Shift+M");
    await page.keyboard.press("Shift+D");
    assert.equal(await page.locator(".beam-legend").isVisible(), false);
    await page.keyboard.press("?");
    assert.match(await page.locator("dialog.help").innerText(), /Colour of beams/);
  });
  await report("four_bar", {}, async (page) => {
    assert.equal(await page.getByLabel("Colour of beams").count(), 0);
    await page.keyboard.press("?");
    assert.doesNotMatch(await page.locator("dialog.help").innerText(), /beams/);
  });
});

test("channels of nodes and elements are folded under their beam; a click names beam and node", async () => {
  await report("beam", {}, async (page) => {
    const rows = async () => page.locator(".channel-row:visible .name").allInnerTexts();
    assert.deepEqual((await rows()).slice(0, 4), ["Beam arm", "Beam shaft", "Beam rail", "hub"]);
    await page.evaluate(() => window.kingpin.select("arm.5"));
    assert.match(await page.locator(".filter-text").innerText(), /arm\s+node 5/);
    const listed = await rows();
    assert.deepEqual(listed.slice(0, 3), ["Beam arm", "arm, node 5", "arm.5.x"]);
    assert.ok(!listed.some((n) => n.startsWith("Beam shaft")));
    // B goes from thing to thing, not from node to node
    const seen = [];
    for (let i = 0; i < 4; i++) {
      await page.keyboard.press("b");
      seen.push(await page.evaluate(() => window.kingpin.selected()));
    }
    assert.deepEqual(seen, ["shaft.1", "rail.1", "hub", "arm.1"]);
    // where the tip is on the screen a click finds it
    await page.evaluate(() => window.kingpin.select(null));
    await at(page, 1);
    const box = await page.locator(".stage canvas").boundingBox();
    let found = null;
    for (let x = 0.2; x < 0.9 && !found; x += 0.01) {
      await page.mouse.click(box.x + x * box.width, box.y + 0.5 * box.height);
      found = await page.evaluate(() => window.kingpin.selected());
    }
    assert.match(found, /^(arm|shaft|rail)\.\d+$/);
    await page.screenshot({ path: `${shots}beam_selected.png` });
  });
});

test("planar beams: angles are interpolated, stress follows the curvature", async () => {
  await report("beam_planar", {}, async (page) => {
    await at(page, 0.5);
    await choose(page, "Colour of beams", "stress");
    const most = KNOWN.modulus * KNOWN.half * (KNOWN.curvature - KNOWN.rest);
    assert.doesNotMatch(await page.locator(".beam-legend").innerText(), /since/);
    const { rings } = await drawn(page, "arm");
    rings.forEach(({ centre, amounts }, i) => {
      const s = KNOWN.curvature * placeOf(i);
      close(centre[0], Math.sin(s) / KNOWN.curvature, 2e-5, "x");
      close(centre[1], (1 - Math.cos(s)) / KNOWN.curvature, 2e-5, "y");
      for (const v of amounts) close(Math.abs(v), most, 1e-3 * most, "stress");
    });
    assert.equal(await page.evaluate(() => window.kingpin.inView()), 1);
    await page.screenshot({ path: `${shots}beam_planar.png` });
  });
});

test("playing beams takes no memory", async () => {
  await report("beam", {}, async (page) => {
    await choose(page, "Colour of beams", "strain");
    await choose(page, "Deformation", "2");
    const step = (n) =>
      page.evaluate(async (n) => {
        for (let i = 0; i < n; i++) {
          window.kingpin.setTime((i * 0.017) % 2);
          await new Promise((done) => requestAnimationFrame(done));
        }
      }, n);
    await step(10);
    const before = await heap(page);
    await step(40);
    const grew = (await heap(page)) - before;
    assert.ok(grew < 3e5, `${grew} bytes more`);
  });
});

test("the whole motion of a beam stays in the picture, in a window that becomes narrow, too", async () => {
  await report("beam", {}, async (page) => {
    for (const width of [1200, 760, 1100]) {
      await page.setViewportSize({ width, height: 700 });
      await settle(page);
      await settle(page);
      for (let k = 0; k <= 10; k++) {
        await at(page, k / 10);
        assert.equal(await page.evaluate(() => window.kingpin.inView()), 1, `${width} pixels wide, at ${k / 10} s`);
      }
    }
  });
});
