// Shapes: meshes that do not deform, tubes, cones, and what light goes through.
import assert from "node:assert/strict";
import { test } from "node:test";
import { settle } from "./browser.mjs";
import { decodePng } from "./pixels.mjs";
import { report, shots } from "./report.mjs";

/** The colour of the page where a place of the mechanism is. */
async function colourAt(page, place) {
  const { width, channels, data } = decodePng(await page.screenshot());
  const [x, y] = (await page.evaluate((p) => window.kingpin.onScreen(p), place)).map(Math.round);
  return [0, 1, 2].map((k) => data[(y * width + x) * channels + k]);
}

test("meshes, tubes and cones are drawn in their colours; a glass box shows what is inside; a mesh can be selected", async () => {
  await report("solids", {}, async (page) => {
    await settle(page);
    await page.screenshot({ path: `${shots}solids.png` });
    const [r, g, b] = await colourAt(page, [0, 0, 0.5]);
    assert.ok(r > 2 * g && r > 2 * b, `the cube is ${[r, g, b]}`);
    const tip = await colourAt(page, [2.8, 0, 0.4]);
    assert.ok(tip[1] > 1.5 * tip[0] && tip[1] > 1.5 * tip[2], `the cone is ${tip}`);
    const inside = await colourAt(page, [4.2, 0, 0.5]);
    assert.ok(inside[0] > 1.2 * inside[1] && inside[2] > b, `behind the glass is ${inside}`);
    await page.mouse.click(...(await page.evaluate(() => window.kingpin.onScreen([0, 0, 0.5]))));
    await settle(page);
    assert.match(await page.locator("body").innerText(), /cube/);
  });
});
