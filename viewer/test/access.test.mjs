// Nothing that axe-core complains of: every tab, menus, dialogs, light and dark, on a phone.
import assert from "node:assert/strict";
import { test } from "node:test";
import { axe, look } from "./axe.mjs";
import { settle } from "./browser.mjs";
import { TABS } from "./drawn.mjs";
import { report } from "./report.mjs";

test("axe-core finds nothing: tabs, menus, dialog", async () => {
  await report("four_bar", {}, async (page) => {
    await page.evaluate(axe);
    for (const tab of TABS) {
      await page.click(`#tab-${tab}`);
      await settle(page);
      await look(page, tab);
    }
    await page.click("#tab-motion");
    for (const menu of ["Display", "Measure, trace, save", "Chart menu", "Units"]) {
      await page.locator(`[aria-label="${menu}"]`).first().click();
      await settle(page);
      await look(page, menu);
      await page.keyboard.press("Escape");
    }
    // statistics, curves over a curve, a section with its slider
    await page.locator('[aria-label="Chart menu"]').first().click();
    const chart = page.locator('details.menu:has([aria-label="Chart menu"])').first();
    await chart.getByLabel("Statistics of visible range").check();
    await chart.getByLabel("Show", { exact: true }).selectOption("xy");
    await settle(page);
    await look(page, "a chart over a curve, its menu open");
    await page.keyboard.press("Escape");
    await page.locator('[aria-label="Display"]').click();
    const drawn = page.locator('details.menu:has([aria-label="Display"])');
    await drawn.getByLabel("Section normal to").selectOption("x");
    await drawn.getByLabel("Body names").check();
    await settle(page);
    await look(page, "a section, its menu open");
    // its slider has the arrows, and the time stands
    const place = drawn.getByLabel("Position of the section");
    await place.focus();
    const time = await page.evaluate(() => window.kingpin.time());
    await page.keyboard.press("ArrowRight");
    assert.equal(await place.inputValue(), "0.505");
    assert.equal(await page.evaluate(() => window.kingpin.time()), time);
    await page.keyboard.press("Escape");
    await page.evaluate(() => window.kingpin.select("crank"));
    await page.locator(".channels input").fill("x");
    await settle(page);
    await look(page, "search inside of a selection");
    await page.keyboard.press("Escape");
    await page.locator('[aria-label="Help"]').click();
    await look(page, "help");
  });
});

test("the view is turned, moved and zoomed by keys", async () => {
  await report("vehicle", {}, async (page) => {
    await page.locator(".stage canvas").focus();
    const body = await page.evaluate(() => window.kingpin.bodyPosition("chassis"));
    const [time, seen] = [
      await page.evaluate(() => window.kingpin.time()),
      async () => page.evaluate((p) => [window.kingpin.onScreen(p), window.kingpin.onScreen([p[0], p[1], p[2] + 1])], body),
    ];
    const apart = ([a, b]) => Math.hypot(a[0] - b[0], a[1] - b[1]);
    const press = async (key) => {
      const before = await seen();
      await page.keyboard.press(key);
      await settle(page);
      return [before, await seen()];
    };
    const [before, near] = await press("PageUp");
    assert.ok(apart(near) > 1.1 * apart(before), "it does not zoom");
    const [here, moved] = await press("Shift+ArrowRight");
    assert.ok(moved[0][0] < here[0][0] - 20 && Math.abs(moved[0][1] - here[0][1]) < 2, "it does not move");
    const [, over] = await press("ArrowUp");
    const [, around] = await press("ArrowLeft");
    assert.notDeepEqual(over, moved);
    assert.notDeepEqual(around, over);
    assert.equal(await page.evaluate(() => window.kingpin.time()), time, "the time goes on instead");
    await page.keyboard.press("Tab");
    assert.notEqual(await page.evaluate(() => document.activeElement?.tagName), "CANVAS");
  });
});

test("axe-core finds nothing in the dark, with beams, and on a phone", async () => {
  await report("beam", { dark: true }, async (page) => {
    await page.evaluate(axe);
    await page.keyboard.press("d");
    await settle(page);
    await look(page, "beams in the dark");
  });
  await report("vehicle", { width: 390, height: 800, phone: true }, async (page) => {
    await page.evaluate(axe);
    await settle(page);
    await look(page, "phone");
  });
});
