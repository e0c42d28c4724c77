// A page that answers: parameters are moved and the motion follows.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { axe, look } from "./axe.mjs";
import { PATIENCE, open, ready, settle, startBrowser } from "./browser.mjs";
import { TABS } from "./drawn.mjs";
import { kingpin, view } from "./kingpin.mjs";

const runs = fileURLToPath(new URL("data/runs/", import.meta.url));
const shots = fileURLToPath(new URL("screenshots/", import.meta.url));
const SIZE = { width: 1200, height: 800 };
let browser;

before(async () => {
  mkdirSync(runs, { recursive: true });
  mkdirSync(shots, { recursive: true });
  browser = await startBrowser();
});
after(() => browser?.close());

const updates = (page) => page.evaluate(() => Number(document.querySelector(".controls-pane")?.dataset.updates ?? 0));
const moving = (page) => page.waitForFunction(() => window.kingpin?.frames() > 1, undefined, { timeout: PATIENCE });

/** Moves a slider, and waits until another motion is shown; the time in the page until its curve was drawn, ms. */
async function move(page, name, part) {
  const was = await updates(page);
  return page.locator(`.control input[type=range][aria-label="${name}"]`).evaluate(
    (e, [part, was, patience]) =>
      new Promise((shown, failed) => {
        const [pane, started] = [document.querySelector(".controls-pane"), performance.now()];
        const watch = new MutationObserver(() => {
          if (Number(pane.dataset.updates) <= was) return;
          watch.disconnect();
          requestAnimationFrame(() => requestAnimationFrame(() => shown(performance.now() - started)));
        });
        watch.observe(pane, { attributes: true });
        setTimeout(() => failed(new Error("no other motion is shown")), patience);
        e.value = String(Math.round(Number(e.max) * part));
        e.dispatchEvent(new Event("input", { bubbles: true }));
      }),
    [part, was, PATIENCE],
  );
}

/** A page of a model that answers; `act` gets it, and what the console complained of. */
async function answering(model, size, act) {
  const served = await view(model);
  try {
    const { page, problems, context } = await open(browser, served.address, size);
    await ready(page);
    await moving(page);
    await page.waitForFunction(() => document.querySelector(".controls-pane")?.dataset.updates, undefined, { timeout: PATIENCE });
    await settle(page);
    await act(page);
    assert.deepEqual(problems, []);
    await context.close();
  } finally {
    await served.stop();
  }
}

/** A copy of a model that may be changed; its path and text. */
function copied(name, change = (text) => text) {
  const file = `${runs}${name}.toml`;
  const text = change(readFileSync(new URL("../../models/pendulum.toml", import.meta.url), "utf8"));
  writeFileSync(file, text);
  return { file, text };
}
const value = (page, name) => page.locator(`input[aria-label="Value of ${name}"]`);

test("a slider moved on a car shows the new curve, and the old one faint", async (t) => {
  await answering("models/hmmwv14_stiff.toml", SIZE, async (page) => {
    const [first] = await page.evaluate(() => window.kingpin.plottedChannels());
    assert.equal(await page.locator(".chart").count(), 2, "the charts are those of the start, where nothing moves");
    const curve = () => page.evaluate(() => window.kingpin.heights());
    const before = await curve();
    for (const name of ["bump_radius", "k_front", "com_x", "c_rear"]) {
      const took = [];
      for (const part of [0.4, 0.6, 0.7]) took.push(await move(page, name, part));
      t.diagnostic(`${name} was answered in ${took.map((ms) => `${ms.toFixed(0)} ms`).join(", ")}`);
    }
    assert.notDeepEqual(await curve(), before, "the curve is the same");
    const plotted = await page.evaluate(() => window.kingpin.plottedChannels());
    assert.ok(plotted.includes(first) && plotted.includes(`${first} (previous)`), plotted.join());
    assert.equal(await value(page, "bump_radius").inputValue(), "0.07");
    // names are whole, and what can be done with a value that was moved is in sight
    assert.deepEqual(await page.locator(".control-name").evaluateAll((all) => all.filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.textContent)), []);
    await value(page, "bump_radius").fill("0.06");
    await value(page, "bump_radius").press("Enter");
    const [pane, keep] = await Promise.all(
      [page.locator(".controls"), page.getByRole("button", { name: "Save to file: bump_radius" })].map(
        async (e) => (await e.waitFor({ state: "visible", timeout: PATIENCE }), e.boundingBox()),
      ),
    );
    assert.ok(keep.y + keep.height <= pane.y + pane.height + 1, "the buttons of a value that was moved are out of sight");
    // parameters stand beside the mechanism, not on it
    const [list, picture] = await Promise.all([".controls-pane", ".stage canvas"].map((s) => page.locator(s).first().boundingBox()));
    assert.ok(list.x + list.width <= picture.x + 1, `${JSON.stringify(list)} covers ${JSON.stringify(picture)}`);
    await page.evaluate(axe);
    for (const tab of TABS) {
      await page.click(`#tab-${tab}`);
      await settle(page);
      await look(page, `parameters, ${tab}`);
    }
  });
});

test("all that was chosen stays when a parameter is moved, and all that is shown is of the new motion", async () => {
  await answering("models/hmmwv14_stiff.toml", SIZE, async (page) => {
    const chart = page.locator(".chart").first();
    const menu = chart.locator("details.menu");
    await menu.locator("summary").click();
    await menu.getByLabel("Unit of m", { exact: true }).selectOption("mm");
    await menu.getByLabel("Statistics of visible range").check();
    await menu.getByRole("button", { name: "Add", exact: true }).click();
    const draw = page.locator('details.menu:has([aria-label="Display"])');
    await page.click('[aria-label="Display"]');
    await draw.getByLabel("Body names").check();
    await draw.getByLabel("Opacity of bodies", { exact: true }).selectOption("0.3");
    await draw.getByLabel("Grid").uncheck();
    await page.keyboard.press("Escape");
    await page.evaluate(() => {
      window.kingpin.select("chassis");
      window.kingpin.setTime(0.6);
    });
    await page.click('[aria-label="Measure, trace, save"]');
    await page.getByRole("button", { name: "Trace the centre of the selected body" }).click();
    await page.locator(".channels input").fill("omega");
    await settle(page);
    const trace = () => page.evaluate(() => window.kingpin.traces()[0]);
    const first = await trace();
    assert.equal(first.length, 3 * 401);

    // the first changes the road, the second nothing that is drawn
    for (const [name, part] of [
      ["bump_radius", 0.9],
      ["c_front", 0.3],
    ]) {
      const before = await trace();
      await move(page, name, part);
      await settle(page);
      assert.match(await chart.locator(".chip").first().innerText(), /mm/, name);
      assert.match((await chart.locator(".chip").allInnerTexts()).join(), /d\(chassis_z\)\/dt/, name);
      assert.ok(await chart.locator(".statistics").isVisible(), name);
      assert.ok((await page.locator('.scene-label[data-kind="name"]:visible').count()) > 3, name);
      assert.equal(await page.evaluate(() => window.kingpin.selected()), "chassis");
      assert.equal(await page.evaluate(() => window.kingpin.time()), 0.6);
      assert.equal(await page.locator(".channels input").inputValue(), "omega");
      assert.equal(await page.evaluate(() => window.kingpin.inView()), 1, "the car has left the picture");
      const after = await trace();
      assert.equal(after.length, before.length);
      assert.notDeepEqual(after, before, `the trace is that of the motion before ${name}`);
      await page.click('[aria-label="Display"]');
      assert.equal(await draw.getByLabel("Opacity of bodies", { exact: true }).inputValue(), "0.3", name);
      assert.equal(await draw.getByLabel("Grid").isChecked(), false, name);
      await page.keyboard.press("Escape");
    }
    await page.screenshot({ path: `${shots}answering.png` });

    await page.click("#tab-model");
    const row = page.locator("section[aria-label=Parameters] tbody tr", { hasText: "bump_radius" });
    assert.match(await row.innerText(), /0\.09/);
    assert.match(await page.locator(".brand .given").innerText(), /bump_radius = 0\.09 m/);
  });
});

test("ranges and steps of the file are those of sliders; expressions have a field; back to the file", async () => {
  const { file } = copied("ranges", (text) => `${text}\n[ranges]\nl = ["50 cm", "3 m", "0.25 m"]\n`);
  await answering(file, SIZE, async (page) => {
    const slider = page.locator('.control input[type=range][aria-label="l"]');
    assert.equal(await slider.getAttribute("max"), "10");
    await slider.focus();
    for (const [key, expected] of [
      ["ArrowRight", "1.25"],
      ["End", "3"],
      ["Home", "0.5"],
    ]) {
      const was = await updates(page);
      await page.keyboard.press(key);
      await page.waitForFunction((n) => Number(document.querySelector(".controls-pane")?.dataset.updates) > n, was, { timeout: PATIENCE });
      assert.equal(await value(page, "l").inputValue(), expected);
    }
    assert.match(await slider.getAttribute("aria-valuetext"), /^0\.5.* m$/);
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("aria-label")), "l", "the slider has lost the keys");

    // what is computed: its text, and what it comes to
    const mass = value(page, "rod_mass");
    assert.equal(await mass.inputValue(), "4/3*point_mass");
    const result = page.locator(".control", { has: mass }).locator(".control-result");
    assert.match(await result.innerText(), /^= 1\.3333\d* kg$/);
    await mass.fill("2*point_mass");
    await mass.press("Enter");
    await page.waitForFunction(() => [...document.querySelectorAll(".control-result")].some((e) => e.textContent === "= 2 kg"), undefined, {
      timeout: PATIENCE,
    });

    const back = page.getByRole("button", { name: "Reset l" });
    await back.click();
    await back.waitFor({ state: "hidden", timeout: PATIENCE });
    assert.equal(await value(page, "l").inputValue(), "1");
    assert.equal(await slider.inputValue(), "2");
  });
});

test("reactions of joints are arrows with the values of their channels", async () => {
  await answering("models/pendulum.toml", SIZE, async (page) => {
    await page.evaluate(() => {
      for (const name of window.kingpin.plottedChannels()) window.kingpin.plot(name);
      for (const name of ["pin.fx", "pin.fy"]) window.kingpin.plot(name);
      window.kingpin.setTime(0.4);
    });
    const draw = page.locator('details.menu:has([aria-label="Display"])');
    await page.click('[aria-label="Display"]');
    await draw.getByLabel("Arrow values").check();
    await settle(page);
    const labels = page.locator('.scene-label[data-kind="value"]:visible');
    const before = await labels.count();
    await draw.getByLabel("Joint reactions").check();
    await page.keyboard.press("Escape");
    await settle(page);
    assert.equal(await labels.count(), before + 1);
    const number = (text) => Number(text.replace("−", "-").match(/-?[\d.]+/)[0]);
    const chips = await page.locator(".chart .chip .value").allInnerTexts();
    const shown = number(await labels.last().innerText());
    const expected = Math.hypot(...chips.slice(0, 2).map(number));
    assert.ok(expected > 1 && Math.abs(shown - expected) < 2e-3 * expected, `${shown}, not ${expected} of ${chips}`);
  });
});

test("a run that takes long shows its progress and can be stopped", async () => {
  const file = `${runs}slow.toml`;
  writeFileSync(file, `${kingpin("generate", "chain", "--size", "40")}\n[simulation]\nt_end = 100000\nframe = 1\n`);
  const served = await view(file);
  try {
    const { page, problems, context } = await open(browser, served.address, SIZE);
    await ready(page);
    const bar = page.locator(".controls-run");
    await bar.waitFor({ state: "visible", timeout: PATIENCE });
    await page.waitForFunction(() => document.querySelector(".controls-run progress")?.value > 0, undefined, { timeout: PATIENCE });
    assert.match(await bar.innerText(), /t = .* s of 100\s?000 s/);
    await page.evaluate(axe);
    await look(page, "progress");
    await bar.getByRole("button", { name: "Stop" }).click();
    await moving(page);
    await bar.waitFor({ state: "hidden", timeout: PATIENCE });
    assert.match(await page.locator(".controls-trouble").innerText(), /stopped/);
    assert.deepEqual(problems, []);
    await context.close();
  } finally {
    await served.stop();
  }
});

test("parameters on a phone stand below the mechanism", async () => {
  await answering("models/pendulum.toml", { width: 390, height: 800, phone: true }, async (page) => {
    await page.getByRole("button", { name: "Parameters", exact: true }).click();
    await move(page, "l", 0.75);
    assert.ok(await value(page, "l").isVisible());
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
    await page.evaluate(axe);
    await look(page, "parameters on a phone");
  });
});

test("errors stand beside the last good picture, and a value is written into the file", async () => {
  const { file, text } = copied("answering");
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
    assert.ok(await trouble.evaluate((e) => e.scrollWidth <= e.clientWidth), "the message is cut off");
    // what cannot be run can be taken back, and not be written
    const back = page.getByRole("button", { name: "Reset l" });
    assert.equal(await page.getByRole("button", { name: "Save to file: l" }).isVisible(), false);
    await back.click();
    await trouble.waitFor({ state: "hidden", timeout: PATIENCE });
    await back.waitFor({ state: "hidden", timeout: PATIENCE });
    assert.equal(await field.inputValue(), "1");
    await field.fill("0");
    await field.press("Enter");
    await trouble.waitFor({ state: "visible", timeout: PATIENCE });
    assert.ok((await page.evaluate(() => window.kingpin.frames())) > 1, "the picture is gone");

    await move(page, "l", 0.75);
    await trouble.waitFor({ state: "hidden", timeout: PATIENCE });
    assert.equal(readFileSync(file, "utf8"), text);
    const keep = page.getByRole("button", { name: "Save to file: l" });
    await keep.waitFor({ state: "visible", timeout: PATIENCE });
    await keep.click();
    await keep.waitFor({ state: "hidden", timeout: PATIENCE });
    assert.equal(readFileSync(file, "utf8"), text.replace('l = "1 m" ', 'l = "1.5 m" '));
    // nothing is set any more, and the file is shown as it is now
    await page.waitForFunction(() => document.querySelector(".brand .given") === null, undefined, { timeout: PATIENCE });
    await page.click("#tab-model");
    assert.match(await page.locator(".model-text pre").innerText(), /l = "1\.5 m"/);
    // keys make round steps
    await page.click("#tab-motion");
    await page.locator('.control input[type=range][aria-label="l"]').focus();
    const was = await updates(page);
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction((n) => Number(document.querySelector(".controls-pane")?.dataset.updates) > n, was, { timeout: PATIENCE });
    assert.equal(await field.inputValue(), "1.502");
    assert.deepEqual(problems, []);
    await context.close();
  } finally {
    await served.stop();
  }
});
