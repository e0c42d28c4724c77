// Modes: one is shown moving, another can be chosen.
import assert from "node:assert/strict";
import { test } from "node:test";
import { settle } from "./browser.mjs";
import { FREQUENCIES, shape } from "./generate/modes.mjs";
import { report, shots } from "./report.mjs";

const tip = (page) => page.evaluate(() => window.kingpin.bodyPosition("arm.13")[2]);
const middle = (page) => page.evaluate(() => window.kingpin.bodyPosition("arm.7")[2]);

test("a mode moves at once, and another one can be chosen by mouse and by key", async () => {
  await report("modes", {}, async (page) => {
    await page.waitForFunction(() => window.kingpin.time() > 0);
    await page.evaluate(() => window.kingpin.pause());
    const chooser = page.getByLabel(/^Mode \(of 2\)/);
    assert.deepEqual(await chooser.locator("option").allInnerTexts(), ["1: 2 Hz, damping ratio 0.01", "2: 250 Hz, damping ratio 0.01"]);
    // a period takes some seconds, whatever its frequency
    const pace = async (k) => 1 / FREQUENCIES[k] / Number(await page.locator(".transport select").inputValue());
    const at = async (k) => page.evaluate((t) => window.kingpin.setTime(t), 0.25 / FREQUENCIES[k]);
    assert.ok(Math.abs((await pace(0)) - 2) < 1);
    await at(0);
    assert.ok(Math.abs((await tip(page)) - shape(0, 1)) < 1e-3);
    await chooser.selectOption("1");
    await settle(page);
    await page.evaluate(() => window.kingpin.pause());
    assert.ok(Math.abs((await pace(1)) - 2) < 1);
    await at(1);
    assert.ok(Math.abs(await tip(page)) < 1e-6 && Math.abs((await middle(page)) - shape(1, 0.5)) < 2e-3, "the second mode has a node at its tip");
    await page.keyboard.press("d");
    await settle(page);
    assert.match(await page.locator(".beam-legend").innerText(), /Displacement, m\s+0\s+0\.02\d+\s+0\.05\d+/);
    await page.screenshot({ path: `${shots}modes.png` });
    await chooser.blur();
    await page.keyboard.press("n");
    await settle(page);
    await page.evaluate(() => window.kingpin.pause());
    await at(0);
    await settle(page);
    assert.ok(Math.abs((await tip(page)) - shape(0, 1)) < 1e-3);
    assert.match(await page.locator(".beam-legend").innerText(), /0\.10\d+/);
    assert.equal(await page.evaluate(() => window.kingpin.inView()), 1);
  });
});
