// Meshes whose points are bodies: they follow them, and colours show displacement and strain.
import assert from "node:assert/strict";
import { test } from "node:test";
import { settle } from "./browser.mjs";
import { SHEET, stretchAt } from "./generate/sheet.mjs";
import { report, shots } from "./report.mjs";

const close = (a, b, within, what) => assert.ok(Math.abs(a - b) <= within, `${what}: ${a}, not ${b}`);

test("a sheet follows its points, and shows how far they moved and how it is strained", async () => {
  await report("sheet", {}, async (page) => {
    const t = 0.8 * SHEET.end;
    const drawn = async () => {
      await settle(page);
      const { positions, amounts } = await page.evaluate(() => window.kingpin.beam("sheet"));
      return { far: Math.max(...positions.filter((_, k) => k % 3 === 0)), most: Math.max(...amounts) };
    };
    await page.evaluate((t) => window.kingpin.setTime(t), t);
    const stretch = stretchAt(t);
    close((await drawn()).far, SHEET.length * (1 + stretch), 1e-6, "the end");
    await page.keyboard.press("d");
    close((await drawn()).most, SHEET.length * stretch, 1e-6, "displacement");
    await page.keyboard.press("d");
    // Green's strain along x alone
    close((await drawn()).most, (2 / 3) * 0.5 * ((1 + stretch) ** 2 - 1), 1e-6, "equivalent strain");
    await page.screenshot({ path: `${shots}sheet_strain.png` });
    assert.equal(await page.evaluate(() => window.kingpin.inView()), 1);
    assert.match(await page.locator(".channels").innerText(), /Flexible body sheet/);
  });
});
