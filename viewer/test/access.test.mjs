// Nothing that axe-core complains of: every tab, menus, dialogs, light and dark, on a phone.
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
    for (const menu of ["What to draw", "Measure, trace, save", "This chart", "Units"]) {
      await page.locator(`[aria-label="${menu}"]`).first().click();
      await settle(page);
      await look(page, menu);
      await page.keyboard.press("Escape");
    }
    await page.evaluate(() => window.kingpin.select("crank"));
    await page.locator(".channels input").fill("x");
    await settle(page);
    await look(page, "search inside of a selection");
    await page.keyboard.press("Escape");
    await page.locator('[aria-label="Help"]').click();
    await look(page, "help");
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
