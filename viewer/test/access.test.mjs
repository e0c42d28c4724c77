// Nothing that axe-core complains of: every tab, menus, dialogs, light and dark, on a phone.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { settle } from "./browser.mjs";
import { TABS } from "./drawn.mjs";
import { report } from "./report.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Violations of WCAG 2.1 A and AA and of good practice, with the first places. */
async function violations(page) {
  return page.evaluate(async () => {
    const found = await window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"] });
    return found.violations.map((v) => `${v.id}: ${v.help} (${v.nodes.slice(0, 3).map((n) => `${n.target.join(" ")}: ${n.failureSummary?.split("\n").pop()}`).join("; ")})`);
  });
}
const look = async (page, what) => assert.deepEqual(await violations(page), [], what);

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
