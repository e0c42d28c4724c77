// The report of every shipped model: each tab opens without a complaint, draws no more than it can show, and the
// mechanism stays in the picture.
import assert from "node:assert/strict";
import { mkdirSync, readdirSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { axe, look } from "./axe.mjs";
import { open, ready, settle, startBrowser } from "./browser.mjs";
import { TABS, bounded, heap } from "./drawn.mjs";
import { kingpin } from "./kingpin.mjs";

const runs = fileURLToPath(new URL("data/runs/", import.meta.url));
const shots = fileURLToPath(new URL("screenshots/", import.meta.url));
const MODELS = readdirSync(new URL("../../models/", import.meta.url))
  .filter((f) => f.endsWith(".toml"))
  .map((f) => f.slice(0, -5));
/** What drives away from where it started. */
const TRAVELS = ["hmmwv14_stiff"];
let browser;

before(async () => {
  mkdirSync(runs, { recursive: true });
  mkdirSync(shots, { recursive: true });
  browser = await startBrowser();
});
after(() => browser?.close());

for (const name of MODELS) {
  test(`${name}: every tab`, async () => {
    const folder = `${runs}shipped-${name}`;
    kingpin("run", `models/${name}.toml`, "-o", folder, "--force", "--quiet");
    const { page, problems, context } = await open(browser, `file://${folder}/report.html`, { width: 1100, height: 700 });
    try {
      await ready(page);
      for (const tab of TABS) {
        await page.click(`#tab-${tab}`);
        await settle(page);
        assert.ok((await page.locator(`#panel-${tab}`).innerText()).length > 20, `${tab} is empty`);
        await page.screenshot({ path: `${shots}${name}_${tab}.png` });
      }
      const list = await page.evaluate(() => window.kingpin.drawn());
      bounded(list);
      assert.ok(list.length >= 4 && list.every((d) => d.points > 1), `a chart is empty: ${JSON.stringify(list)}`);
      const held = await heap(page);
      assert.ok(held < 60e6, `${held} bytes are held`);

      await page.click("#tab-motion");
      assert.equal(await page.evaluate(() => window.kingpin.following()), TRAVELS.includes(name), "whether the camera goes along");
      for (let k = 0; k <= 20; k++) {
        const seen = await page.evaluate((f) => {
          const [a, b] = window.kingpin.range();
          window.kingpin.setTime(a + f * (b - a));
          return window.kingpin.inView();
        }, k / 20);
        assert.equal(seen, 1, `the mechanism leaves the picture at ${5 * k} % of the time`);
      }
      // a window of another shape shows what is there now, not what was there at the start
      await page.setViewportSize({ width: 900, height: 760 });
      await settle(page);
      assert.equal(await page.evaluate(() => window.kingpin.inView()), 1, "the mechanism leaves the picture in another window");
      assert.deepEqual(problems, []);
    } finally {
      await context.close();
    }
  });
}

for (const name of readdirSync(new URL("../../docs/gallery/", import.meta.url)).filter((f) => f.endsWith(".toml"))) {
  test(`gallery, ${name}: every tab`, async () => {
    const folder = `${runs}gallery-${name.slice(0, -5)}`;
    kingpin("run", `docs/gallery/${name}`, "-o", folder, "--force", "--quiet");
    const { page, problems, context } = await open(browser, `file://${folder}/report.html`, { width: 1100, height: 700 });
    try {
      await ready(page);
      await page.evaluate(axe);
      for (const tab of TABS) {
        await page.click(`#tab-${tab}`);
        await settle(page);
        assert.ok((await page.locator(`#panel-${tab}`).innerText()).length > 20, `${tab} is empty`);
        await look(page, tab);
      }
      assert.deepEqual(problems, []);
    } finally {
      await context.close();
    }
  });
}
