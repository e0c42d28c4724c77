// Meshes: points follow frame and amplitudes, colours show equivalent strain and stress, deformation is magnified.
import assert from "node:assert/strict";
import { test } from "node:test";
import { settle } from "./browser.mjs";
import { LINK, linkAt } from "./generate/mesh.mjs";
import { decodePng, differing } from "./pixels.mjs";
import { report, shots } from "./report.mjs";

const at = async (page, t) => {
  await page.evaluate((t) => window.kingpin.setTime(t), t);
  await settle(page);
};
/** Corners in the axes of the link, undone of its swing, with the numbers they show. */
async function corners(page, t) {
  const { positions, amounts } = await page.evaluate(() => window.kingpin.beam("link"));
  const { angle } = linkAt(t);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return amounts.map((amount, k) => {
    const [x, y, z] = [positions[3 * k], positions[3 * k + 1], positions[3 * k + 2] - 1];
    return { p: [c * x - s * z, y, s * x + c * z], amount };
  });
}
/** The greatest number that colours show. */
const most = (list) => list.reduce((m, { amount }) => Math.max(m, amount), 0);
const close = (a, b, within, what) => assert.ok(Math.abs(a - b) <= within, `${what}: ${a}, not ${b}`);

test("a mesh follows its frame and its amplitudes; colours and magnification; it is one thing in the lists", async () => {
  await report("mesh", {}, async (page) => {
    const rest = decodePng(await page.locator(".stage").screenshot());
    const t = 0.5;
    await at(page, t);
    const { bend, stretch } = linkAt(t);
    const tip = (list) => list.filter(({ p }) => p[0] > 0.98).map(({ p }) => p[2]);
    let list = await corners(page, t);
    // edges are sharp: corners of the box are three
    const ends = list.filter(({ p }) => p[0] < 1e-6 && Math.abs(Math.abs(p[1]) - LINK.half) < 1e-6 && Math.abs(Math.abs(p[2]) - LINK.half) < 1e-6);
    assert.equal(ends.length, 12);
    close(Math.max(...tip(list)), bend + LINK.half, 1e-6, "height of the tip");

    await page.keyboard.press("d");
    await settle(page);
    assert.match(await page.locator(".beam-legend").innerText(), /Displacement, m/);
    list = await corners(page, t);
    const far = list.reduce((m, { p }) => Math.max(m, Math.hypot(...p)), 0);
    assert.ok(most(list) > 0.7 * far && most(list) < far, `moved by ${most(list)}`);

    await page.keyboard.press("d");
    await settle(page);
    assert.match(await page.locator(".beam-legend").innerText(), /Equivalent strain/);
    const strain = 2 * bend * LINK.half + stretch;
    close(most(await corners(page, t)), (2 / 3) * strain, 1e-8, "equivalent strain");
    await page.keyboard.press("d");
    await settle(page);
    assert.match(await page.locator(".beam-legend").innerText(), /von Mises/);
    close(most(await corners(page, t)), LINK.modulus * strain, 1e-4 * LINK.modulus * strain, "stress");
    await page.screenshot({ path: `${shots}mesh_stress.png` });

    for (let k = 0; k < 3; k++) await page.keyboard.press("m");
    await settle(page);
    close(Math.max(...tip(await corners(page, t))), 10 * bend + LINK.half, 2e-5, "height of the magnified tip");
    assert.match(await page.locator(".beam-legend").innerText(), /deformation ×10/);
    assert.ok(differing(rest, decodePng(await page.locator(".stage").screenshot())) > 500, "the picture has not changed");
    for (let k = 0; k <= 10; k++) {
      await at(page, (k * LINK.end) / 10);
      assert.equal(await page.evaluate(() => window.kingpin.inView()), 1);
    }

    assert.match(await page.locator(".channels").innerText(), /Flexible body link/);
    await page.evaluate(() => window.kingpin.select("link"));
    await settle(page);
    assert.match(await page.locator(".filter").innerText(), /link\s+flexible/);
    assert.match(await page.locator(".stage canvas").first().getAttribute("aria-label"), /1 bodies|1 body/);
  });
});
