// A page that answers: parameters are moved and the motion follows; studies, and points opened as runs.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { axe, look } from "./axe.mjs";
import { PATIENCE, open, ready, startBrowser } from "./browser.mjs";
import { kingpin, view } from "./kingpin.mjs";

const runs = fileURLToPath(new URL("data/runs/", import.meta.url));
const SIZE = { width: 1200, height: 800 };
let browser;

before(async () => {
  mkdirSync(runs, { recursive: true });
  browser = await startBrowser();
});
after(() => browser?.close());

const updates = (page) => page.evaluate(() => Number(document.querySelector(".controls-pane")?.dataset.updates ?? 0));
const moving = (page) => page.waitForFunction(() => window.kingpin?.frames() > 1, undefined, { timeout: PATIENCE });

/** Moves a slider, and waits until another motion is shown; the time that took, ms. */
async function move(page, name, part) {
  const was = await updates(page);
  const started = performance.now();
  await page.locator(`.control input[type=range][aria-label="${name}"]`).evaluate((e, part) => {
    e.value = String(Number(e.max) * part);
    e.dispatchEvent(new Event("input", { bubbles: true }));
  }, part);
  await page.waitForFunction((n) => Number(document.querySelector(".controls-pane")?.dataset.updates) > n, was, { timeout: PATIENCE });
  return performance.now() - started;
}

test("a slider moved on a car shows the new curve, and the old one faint", async (t) => {
  const served = await view("models/hmmwv14_stiff.toml");
  try {
    const { page, problems, context } = await open(browser, served.address, SIZE);
    await ready(page);
    await moving(page);
    await page.waitForFunction(() => document.querySelector(".controls-pane")?.dataset.updates, undefined, { timeout: PATIENCE });
    const [first] = await page.evaluate(() => window.kingpin.plottedChannels());
    const curve = () => page.evaluate(() => window.kingpin.heights());
    const before = await curve();
    const took = [];
    for (const part of [0.4, 0.9, 0.7]) took.push(await move(page, "bump_radius", part));
    t.diagnostic(`a moved slider was answered in ${took.map((ms) => `${ms.toFixed(0)} ms`).join(", ")}`);
    assert.notDeepEqual(await curve(), before, "the curve is the same");
    const plotted = await page.evaluate(() => window.kingpin.plottedChannels());
    assert.ok(plotted.includes(first) && plotted.includes(`${first} (before)`), plotted.join());
    assert.equal(await page.locator('input[aria-label="Value of bump_radius"]').inputValue(), "0.07");
    assert.deepEqual(problems, []);
    await page.evaluate(axe);
    await look(page, "parameters");
    await context.close();
  } finally {
    await served.stop();
  }
});

test("errors stand beside the last good picture, and a value is written into the file", async () => {
  const file = `${runs}answering.toml`;
  const text = readFileSync(new URL("../../models/pendulum.toml", import.meta.url), "utf8");
  writeFileSync(file, text);
  const served = await view(file);
  try {
    const { page, problems, context } = await open(browser, served.address, SIZE);
    await ready(page);
    await moving(page);
    const field = page.locator('input[aria-label="Value of l"]');
    await field.fill("0");
    await field.press("Enter");
    const trouble = page.locator(".controls-trouble");
    await trouble.waitFor({ state: "visible", timeout: PATIENCE });
    assert.match(await trouble.innerText(), /inertia/);
    assert.ok((await page.evaluate(() => window.kingpin.frames())) > 1, "the picture is gone");

    await move(page, "l", 0.75);
    await trouble.waitFor({ state: "hidden", timeout: PATIENCE });
    assert.equal(readFileSync(file, "utf8"), text);
    const keep = page.getByRole("button", { name: "Set as new value" });
    await keep.waitFor({ state: "visible", timeout: PATIENCE });
    await keep.click();
    await keep.waitFor({ state: "hidden", timeout: PATIENCE });
    assert.equal(readFileSync(file, "utf8"), text.replace('l = "1 m" ', 'l = "1.5 m" '));
    assert.deepEqual(problems, []);
    await context.close();
  } finally {
    await served.stop();
  }
});

test("a study: dots, lines, curves, table; a point is opened as a run", async () => {
  const folder = `${runs}study`;
  rmSync(folder, { recursive: true, force: true });
  kingpin("sweep", "models/pendulum.toml", "--vary", "l=[1, 1.5, 2, 0] m", "--of", "max(bob_x)", "--of", "min(bob_y)", "--channels", "bob_x", "--t-end", "1", "--out", folder, "--quiet");
  const served = await view(folder);
  try {
    const { page, problems, context } = await open(browser, served.address, SIZE);
    await page.locator(".study-curve").nth(2).waitFor({ state: "attached", timeout: PATIENCE });
    assert.equal(await page.locator("circle.study-point").count(), 3);
    assert.equal(await page.locator(".study-line").count(), 4);
    assert.equal(await page.locator("tbody tr").count(), 4);
    await page.locator('circle[data-point="1"]').click();
    assert.match(await page.locator(".study-picked").innerText(), /^Point 1: l = 1.5/);
    assert.equal(await page.locator(".study-line.chosen").count(), 1);
    await page.evaluate(axe);
    await look(page, "study");
    const [opened] = await Promise.all([context.waitForEvent("page"), page.getByRole("button", { name: "Open this run" }).click()]);
    await opened.waitForFunction(() => window.kingpin?.frames() > 1, undefined, { timeout: PATIENCE });
    assert.match(await opened.locator(".brand").innerText(), /l = \(1.5\) m/);
    assert.deepEqual(problems, []);
    await context.close();
  } finally {
    await served.stop();
  }
});
