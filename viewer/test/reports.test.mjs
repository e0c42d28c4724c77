// Reports of real runs, as the command writes them.
import assert from "node:assert/strict";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { PATIENCE, open, ready, settle, startBrowser } from "./browser.mjs";
import { kingpin } from "./kingpin.mjs";
import { colours, decodePng, differing } from "./pixels.mjs";

const runs = fileURLToPath(new URL("data/runs/", import.meta.url));
const shots = fileURLToPath(new URL("screenshots/", import.meta.url));

/** What is run, a body that moves, when to look at it, a channel to plot, and what is plotted at first. */
const REPORTS = [
  { name: "hmmwv14_stiff", model: "models/hmmwv14_stiff.toml", body: "fl.spindle", t: 0.57, channel: "fl.tyre.force", first: "chassis_z" },
  { name: "andrews", model: "models/andrews.toml", body: "K2", t: 0.02, channel: "K2.omega", first: "angle_K1" },
  { name: "chain", model: `${runs}chain.toml`, end: "0.4", body: "link100", t: 0.3, channel: "link100.vz", first: "energy.kinetic" },
];
let browser;

before(async () => {
  mkdirSync(runs, { recursive: true });
  mkdirSync(shots, { recursive: true });
  writeFileSync(`${runs}chain.toml`, kingpin("generate", "chain", "--size", "200"));
  for (const { name, model, end } of REPORTS) {
    kingpin("run", model, "-o", runs + name, "--force", "--quiet", ...(end ? ["--t-end", end] : []));
  }
  browser = await startBrowser();
});
after(() => browser?.close());

async function report(name, options, action) {
  const { page, problems, context } = await open(browser, `file://${runs}${name}/report.html`, options);
  try {
    await ready(page);
    await action(page);
    assert.deepEqual(problems, []);
  } finally {
    await context.close();
  }
}
const stageImage = async (page) => decodePng(await page.locator(".stage").screenshot());
const position = (page, name) => page.evaluate((n) => window.kingpin.bodyPosition(n), name);
const time = (page) => page.evaluate(() => window.kingpin.time());
const apart = (a, b) => Math.hypot(...a.map((x, k) => x - b[k]));

for (const { name, body, t, channel, first } of REPORTS) {
  test(`${name}: draws, plays, scrubs and plots`, async () => {
    assert.ok(statSync(`${runs}${name}/report.html`).size < 20e6, "the page is too large");
    await report(name, { width: 1100, height: 700 }, async (page) => {
      const start = await stageImage(page);
      assert.ok(colours(start) > 20, `only ${colours(start)} colours: the mechanism is not drawn`);
      const from = await position(page, body);

      // played
      const began = await time(page);
      await page.click('button[aria-label^="Play"]');
      await page.waitForFunction((t) => window.kingpin.time() > t, began, { timeout: PATIENCE });
      await page.click('button[aria-label^="Pause"]');

      // scrubbed from the far end, since a slow machine may have played up to here: cursor, time and body go together
      const [a, b] = await page.evaluate(() => window.kingpin.range());
      await page.evaluate((t) => window.kingpin.setTime(t), b);
      await settle(page);
      const before = await page.evaluate(() => window.kingpin.chartCursor());
      const track = await page.locator(".scrub").boundingBox();
      await page.mouse.click(track.x + (track.width * (t - a)) / (b - a), track.y + track.height / 2);
      await settle(page);
      const now = await time(page);
      assert.ok(Math.abs(now - t) < 0.02 * (b - a), `t = ${now}`);
      const { wide, cursor, at } = await page.evaluate(() => ({
        wide: document.querySelector(".u-over").clientWidth,
        cursor: window.kingpin.chartCursor(),
        at: window.kingpin.time(),
      }));
      const seen = `cursor at ${cursor} of ${wide}, before at ${before}; t = ${at}, read before as ${now}, of ${a} to ${b}`;
      assert.ok(Math.abs(cursor - (wide * (now - a)) / (b - a)) < 1.5 && cursor !== before, `the cursor is elsewhere: ${seen}`);
      assert.ok(apart(await position(page, body), from) > 1e-3, "the body has not moved");
      assert.ok(differing(start, await stageImage(page)) > 30, "the picture has not changed");

      // a channel is picked
      const plotted = () => page.evaluate(() => window.kingpin.plottedChannels());
      assert.ok((await plotted()).includes(first), `at first: ${await plotted()}`);
      const chart = async () => decodePng(await page.locator(".charts").screenshot());
      const empty = await chart();
      await page.fill('.channels input[type="search"]', channel);
      await page.locator(".channels .channel-row", { hasText: channel }).first().click();
      await settle(page);
      assert.ok((await plotted()).includes(channel), "the channel is not plotted");
      assert.ok(differing(empty, await chart()) > 100, "no curve was drawn");
      const hidden = await page.locator(".plot-now").evaluateAll((all) => all.filter((now) => now.style.opacity !== "1").length);
      assert.equal(hidden, 0, "a chart has lost its cursor");
      await page.screenshot({ path: `${shots}report_${name}.png` });
    });
  });
}

test("light, dark and on a phone", async () => {
  for (const [look, options] of [
    ["light", {}],
    ["dark", { dark: true }],
    ["phone", { width: 390, height: 844, phone: true }],
  ]) {
    await report("hmmwv14_stiff", options, async (page) => {
      await page.evaluate(() => window.kingpin.setTime(0.57));
      await settle(page);
      const wide = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.ok(wide[0] <= wide[1], "the page is wider than the screen");
      await page.screenshot({ path: `${shots}hmmwv_${look}.png` });
    });
  }
});

test("every tab has something to show", async () => {
  await report("hmmwv14_stiff", { width: 1100, height: 700 }, async (page) => {
    for (const [tab, word] of [
      ["model", "fl.spindle"],
      ["topology", "multiply-adds"],
      ["solution", "meets the bump"],
    ]) {
      await page.click(`#tab-${tab}`);
      await settle(page);
      assert.ok((await page.locator(`#panel-${tab}`).innerText()).includes(word), `${tab} does not tell of ${word}`);
      await page.screenshot({ path: `${shots}hmmwv_${tab}.png` });
    }
  });
});

test("modes of the car: one moves at once, and the next is another", async () => {
  const file = `${runs}modes.html`;
  kingpin("modes", "models/hmmwv14_stiff.toml", "--at", "equilibrium", "--report", file, "--force");
  const { page, problems, context } = await open(browser, `file://${file}`, { width: 1100, height: 700 });
  try {
    await ready(page);
    await page.waitForFunction(() => window.kingpin.time() > 0, undefined, { timeout: PATIENCE });
    await page.evaluate(() => window.kingpin.pause());
    const swing = async () =>
      page.evaluate(() => {
        const end = window.kingpin.range()[1];
        window.kingpin.setTime(0);
        const start = window.kingpin.bodyPosition("chassis");
        window.kingpin.setTime(0.25 * end);
        return window.kingpin.bodyPosition("chassis").map((x, k) => x - start[k]);
      });
    const first = await swing();
    assert.ok(Math.hypot(...first) > 0.02, `the chassis moves by ${first}`);
    await settle(page);
    await page.screenshot({ path: `${shots}modes_hmmwv.png` });
    await page.keyboard.press("n");
    await page.evaluate(() => window.kingpin.pause());
    assert.ok(apart(first, await swing()) > 1e-3, "the next mode is the same");
    assert.match(await page.locator(".mode-chooser option").first().innerText(), /^1: [\d.]+ Hz, damping ratio [\d.]+$/);
    await page.click("#tab-model");
    assert.match(await page.locator("#panel-model").innerText(), /damping ratio/);
    assert.deepEqual(problems, []);
  } finally {
    await context.close();
  }
});
